// buffer - memory that Wale owns, in a named space, and the explicit copies between spaces.
#pragma once

#include <span>
#include <utility>
#include <wale/execution.hpp>
#include <wale/layout.hpp>

namespace wale {

enum class memory_space {
    host,    // ordinary, 64-byte aligned
    pinned,  // page-locked host memory: faster to copy, readable by the device
    device
};

/// An owned, untyped block of memory. Throws out_of_memory naming the bytes asked for.
class memory {
public:
    memory() = default;
    memory(index_t bytes, memory_space space, int device = 0);
    memory(memory&& other) noexcept { swap(other); }
    memory& operator=(memory&& other) noexcept {
        memory moved(std::move(other));
        swap(moved);
        return *this;
    }
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;
    ~memory();

    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] index_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] memory_space space() const noexcept { return space_; }
    [[nodiscard]] int device() const noexcept { return device_; }

private:
    void swap(memory& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(space_, other.space_);
        std::swap(device_, other.device_);
    }
    void* data_ = nullptr;
    index_t bytes_ = 0;
    memory_space space_ = memory_space::host;
    int device_ = 0;
};

/// count * size; throws bad_argument where that is negative or beyond 2^63.
[[nodiscard]] index_t checked_bytes(index_t count, index_t size);

/// `size` elements of T, uninitialised.
template <class T>
class buffer {
public:
    buffer() = default;
    explicit buffer(index_t size, memory_space space = memory_space::host, int device = 0)
        : memory_(checked_bytes(size, sizeof(T)), space, device), size_(size) {}
    [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.data()); }
    [[nodiscard]] index_t size() const noexcept { return size_; }
    [[nodiscard]] std::span<T> span() const noexcept { return {data(), static_cast<std::size_t>(size_)}; }
    [[nodiscard]] memory_space space() const noexcept { return memory_.space(); }

private:
    memory memory_;
    index_t size_ = 0;
};

/// Copies bytes between any two spaces, on the stream of `where` if that is CUDA; returns when done.
void copy_bytes(const execution& where, void* to, const void* from, index_t bytes);

/// A copy in the memory that `where` computes in: the device's for on_cuda, else the host's.
template <class T>
[[nodiscard]] buffer<T> to_device(const execution& where, std::span<const T> from) {
    const on_cuda* cuda = std::get_if<on_cuda>(&where);
    buffer<T> to(static_cast<index_t>(from.size()), cuda ? memory_space::device : memory_space::host,
                 cuda ? cuda->device : 0);
    copy_bytes(where, to.data(), from.data(), static_cast<index_t>(from.size_bytes()));
    return to;
}

}  // namespace wale
