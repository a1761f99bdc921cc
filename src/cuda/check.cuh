// check - every call to the runtime goes through check(); a failure is an exception with the place.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <wale/error.hpp>

namespace wale::cuda {

/// Throws out_of_memory of the current device: "WHAT on device 0: needs N bytes, M are available". `needed`
/// may be unknown: the runtime does not say what a launch or a graph lacked.
[[noreturn]] inline void throw_out_of_memory(const std::string& what, std::int64_t needed) {
    int device = 0;
    std::size_t free = 0, total = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess;
    (void)cudaGetLastError();
    throw out_of_memory(what + " on device " + std::to_string(device), needed,
                        known ? static_cast<std::int64_t>(free) : out_of_memory::unknown, true);
}

inline void check(cudaError_t code, const std::source_location& at = std::source_location::current()) {
    if (code == cudaSuccess) return;
    (void)cudaGetLastError();  // a failed allocation must not be blamed on the next launch
    const std::string message = std::string("CUDA: ") + cudaGetErrorString(code) + " (" + at.file_name() +
                                ":" + std::to_string(at.line()) + ")";
    if (code == cudaErrorMemoryAllocation) throw_out_of_memory(message, out_of_memory::unknown);
    throw device_error(message);
}

/// After an allocation of `bytes` on the current device, for `what`.
inline void check_allocation(cudaError_t code, std::int64_t bytes, const char* what = "device memory",
                             const std::source_location& at = std::source_location::current()) {
    if (code != cudaErrorMemoryAllocation) return check(code, at);
    (void)cudaGetLastError();
    throw_out_of_memory(what, bytes);
}

/// After a launch.
inline void check_launch(const std::source_location& at = std::source_location::current()) {
    check(cudaGetLastError(), at);
}

}  // namespace wale::cuda
