// device_array - an array in device memory that its owner keeps between calls, with copies from and to
// vectors of the host.
#pragma once

#include <vector>
#include <wale/buffer.hpp>

#include "cuda/stream.cuh"

namespace wale::cuda {

template <class T>
class device_array {
public:
    device_array() = default;
    device_array(index_t size, int device)
        : memory_(checked_bytes(size, sizeof(T)), memory_space::device, device) {}
    device_array(const context& on, const std::vector<T>& from)
        : device_array(static_cast<index_t>(from.size()), on.device()) {
        if (!from.empty())
            check(cudaMemcpyAsync(data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                                  on.stream()));
        on.synchronize();
    }
    [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(memory_.bytes()); }
    [[nodiscard]] index_t size() const { return memory_.bytes() / index_t{sizeof(T)}; }
    void zero(const context& on) const {
        if (bytes() > 0) check(cudaMemsetAsync(data(), 0, bytes(), on.stream()));
    }
    /// What the array is when all work on the device is done.
    [[nodiscard]] std::vector<T> on_host() const {
        std::vector<T> out(bytes() / sizeof(T));
        if (!out.empty()) check(cudaMemcpy(out.data(), data(), bytes(), cudaMemcpyDeviceToHost));
        return out;
    }

private:
    memory memory_;
};

}  // namespace wale::cuda
