// placed_bytes - a copy of host memory, or room for numbers, where a backend computes.
#pragma once

#include <wale/buffer.hpp>

#include "placement.hpp"

namespace wale::cli {

class placed_bytes {
public:
    placed_bytes(const execution& where, index_t bytes) : where_(where) {
        const auto* cuda = std::get_if<on_cuda>(&where);
        memory_ = memory(bytes, cuda ? memory_space::device : memory_space::host, cuda ? cuda->device : 0);
    }
    /// Adds the time of a copy to or from a device to `seconds`.
    placed_bytes(const execution& where, const memory& from, double& seconds)
        : placed_bytes(where, from.bytes()) {
        const stopwatch watch;
        if (from.bytes() > 0) copy_bytes(where, memory_.data(), from.data(), from.bytes());
        if (backend_of(where) == backend::cuda) seconds += watch.seconds();
    }
    void fetch(void* to, double& seconds) const {
        const stopwatch watch;
        if (memory_.bytes() > 0) copy_bytes(where_, to, memory_.data(), memory_.bytes());
        if (backend_of(where_) == backend::cuda) seconds += watch.seconds();
    }
    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(memory_.data());
    }

private:
    execution where_;
    memory memory_;
};

}  // namespace wale::cli
