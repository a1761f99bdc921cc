#include "cpu/poll.hpp"

#include <chrono>
#include <utility>
#include <wale/error.hpp>
#include <wale/interrupt.hpp>

#include "cpu/team.hpp"

namespace wale {
namespace {

using moments = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_questions{100};

thread_local interruption_check::question asked = nullptr;
thread_local moments::time_point last_answer;

}  // namespace

interruption_check::interruption_check(question wanted) noexcept : before_(std::exchange(asked, wanted)) {
    last_answer = {};
}

interruption_check::~interruption_check() {
    asked = before_;
}

void cpu::poll() {
    leave_stopped_team();
    if (asked == nullptr) return;
    const auto now = moments::now();
    if (last_answer == moments::time_point{}) last_answer = now;
    if (now - last_answer < between_questions) return;
    last_answer = now;
    if (asked()) throw interrupted("the call was interrupted");
}

}  // namespace wale
