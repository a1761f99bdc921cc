// call_memory - memory that one call needs beside the caller's, where its backend computes; of several
// devices the host's, where the operands lie. On CUDA in stream order: it is released after the work that was
// queued before its destructor, so an asynchronous call may use it. No CUDA header is needed to read this
// file.
#pragma once

#include <vector>
#include <wale/buffer.hpp>

#include "cuda/device_api.hpp"

namespace wale::cuda {

template <class T>
class call_memory {
public:
    /// `size` elements, not set.
    call_memory(const execution& where, index_t size) : where_(where), size_(size) {
        const index_t bytes = checked_bytes(size, sizeof(T));
        if (bytes == 0) return;
        if (const on_cuda* on = device()) {
            data_ = static_cast<T*>(require().allocate_ordered(*on, bytes));
        } else {
            host_ = memory(bytes, memory_space::host);
            data_ = static_cast<T*>(host_.data());
        }
    }
    call_memory(const call_memory&) = delete;
    call_memory& operator=(const call_memory&) = delete;
    ~call_memory() {
        if (const on_cuda* on = device(); on != nullptr && data_ != nullptr)
            api()->release_ordered(*on, data_);
    }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] index_t size() const noexcept { return size_; }
    /// The elements on the host, when the work so far is done.
    [[nodiscard]] std::vector<T> on_host() const {
        std::vector<T> copy(static_cast<std::size_t>(size_));
        copy_bytes(where_, copy.data(), data_, size_ * index_t{sizeof(T)});
        return copy;
    }

private:
    [[nodiscard]] const on_cuda* device() const {
        const auto* on = std::get_if<on_cuda>(&where_);
        return on != nullptr && on->devices.empty() ? on : nullptr;
    }

    execution where_;
    index_t size_;
    memory host_;
    T* data_ = nullptr;
};

}  // namespace wale::cuda
