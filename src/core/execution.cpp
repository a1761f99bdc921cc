// execution - names and availability of the backends.
#include <sched.h>

#include <algorithm>
#include <thread>
#include <wale/execution.hpp>

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

int available_threads() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace wale
