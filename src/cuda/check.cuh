// check - every call to the runtime goes through check(); a failure is an exception with the place.
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <string>
#include <wale/error.hpp>

namespace wale::cuda {

inline void check(cudaError_t code, const std::source_location& at = std::source_location::current()) {
    if (code == cudaSuccess) return;
    (void)cudaGetLastError();  // a failed allocation must not be blamed on the next launch
    const std::string message = std::string("CUDA: ") + cudaGetErrorString(code) + " (" + at.file_name() +
                                ":" + std::to_string(at.line()) + ")";
    if (code == cudaErrorMemoryAllocation) throw out_of_memory(message, true);
    throw device_error(message);
}

/// After a launch.
inline void check_launch(const std::source_location& at = std::source_location::current()) {
    check(cudaGetLastError(), at);
}

}  // namespace wale::cuda
