// execution - names and availability of the backends.
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <thread>
#include <wale/execution.hpp>

#include "base/argument.hpp"
#include "base/threads.hpp"
#include "cuda/device_api.hpp"

namespace wale {

backend backend_of(const execution& where) noexcept {
    return static_cast<backend>(where.index());
}

const char* name_of(backend b) noexcept {
    constexpr const char* names[] = {"reference", "cpu", "cuda"};
    return names[static_cast<int>(b)];
}

std::string why_unavailable(backend b) {
    return b == backend::cuda ? cuda::why_unavailable() : std::string();
}

execution best_execution() {
    if (is_available(backend::cuda)) return on_cuda{};
    return on_cpu{};
}

namespace {

int processors() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The threads that an environment variable asks for; 0: it is not set. OMP_NUM_THREADS may be a list, a
/// number for each level of nesting: the first counts.
int threads_by(const char* name, bool list) {
    const char* const found = std::getenv(name);
    std::string text = found != nullptr ? found : "";
    text.erase(0, text.find_first_not_of(' '));
    if (text.empty()) return 0;
    const char* const end = text.data() + text.size();
    int threads = 0;
    const auto [rest, code] = std::from_chars(text.data(), end, threads);
    const bool whole = rest == end || *rest == ' ' || (list && *rest == ',');
    if (code == std::errc() && whole && threads >= 1 && threads <= base::most_threads) return threads;
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';  // a terminal must not obey them
    base::refuse(name, "is '" + text + "'", "1 to " + std::to_string(base::most_threads));
}

}  // namespace

int available_threads() {
    if (const int asked = threads_by("WALE_NUM_THREADS", false); asked > 0) return asked;
    if (const int asked = threads_by("OMP_NUM_THREADS", true); asked > 0) return asked;
    return processors();
}

}  // namespace wale
