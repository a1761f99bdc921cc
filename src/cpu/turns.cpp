#include "cpu/turns.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <ctime>
#include <thread>

namespace wale::cpu {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Less than what Linux lets a thread run beside another one: 0.7 ms, twice that with 2 processors, three
/// times with 4, four times with 8 and more.
std::chrono::microseconds turn() {
    static const auto doublings = std::bit_width(std::clamp(std::thread::hardware_concurrency(), 1U, 8U));
    return std::chrono::microseconds{500} * doublings;
}

/// For so long a thread that has lost its processor expects to lose it again.
constexpr milliseconds memory{100};

std::chrono::nanoseconds processor_time() {
    timespec t{};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

/// How often the system took the processor from this thread.
long times_taken() {
    rusage u{};
    (void)getrusage(RUSAGE_THREAD, &u);
    return u.ru_nivcsw;
}

/// Of this thread.
struct account {
    clock::time_point since, looks, ended, shares_until;
    std::chrono::nanoseconds used{};
    long taken = 0;

    void count_from(clock::time_point now) {
        since = now;
        used = processor_time();
        taken = times_taken();
    }
    /// Whether another thread had the processor since then for long. A thread that waits sleeps, too.
    [[nodiscard]] bool has_lost(clock::time_point now) const {
        return (now - since) - (processor_time() - used) > turn() / 2 && times_taken() > taken;
    }
};
thread_local account own;

}  // namespace

/// A thread that had work until now has used up that much of its turn.
void turns::begin(int rank) const {
    if (size_ == 1) return;
    const auto now = clock::now();
    if (rank == 0 || now - own.ended > turn()) own.looks = now + turn();
    own.count_from(now);
}

void turns::end() const {
    if (size_ > 1) own.ended = clock::now();
}

bool turns::ends(int rank) {
    const auto now = clock::now();
    if (now < own.looks) return false;
    if (rank == 0) {
        if (now < own.looks + turn() * 3 / 2 || resting_.load(std::memory_order_relaxed) == 0) return false;
        over_.store(true, std::memory_order_relaxed);
        return true;
    }
    const bool lost = own.has_lost(now), rests = !lost && now < own.shares_until;
    if (lost) own.shares_until = now + memory;
    own.looks = now + turn();
    own.count_from(now);
    if (rests) resting_.fetch_add(1, std::memory_order_relaxed);
    return rests;
}

}  // namespace wale::cpu
