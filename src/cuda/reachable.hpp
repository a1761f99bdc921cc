// reachable - whether a backend can read a caller's memory. No CUDA header is needed to read this file.
#pragma once

#include <string>
#include <wale/error.hpp>
#include <wale/execution.hpp>

#include "cuda/device_api.hpp"

namespace wale::cuda {

/// Throws bad_argument unless `where` can reach `size` elements at `pointer`; of 0 elements it may be null.
inline void check_reachable(const execution& where, const char* name, const void* pointer, index_t size) {
    if (size < 0)
        throw bad_argument(std::string(name) + ": size is " + std::to_string(size) + ", expected 0 or more");
    if (size == 0) return;
    if (pointer == nullptr) throw bad_argument(std::string(name) + ": data is null");
    const auto* on = std::get_if<on_cuda>(&where);
    if (on != nullptr && on->devices.empty() && require().kind(pointer) == pointer_kind::host)
        throw bad_argument(std::string(name) +
                           ": is host memory, expected device memory (to_device copies it)");
}

}  // namespace wale::cuda
