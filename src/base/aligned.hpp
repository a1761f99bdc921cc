// aligned - vectors whose first element lies on a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace wale::base {

inline constexpr std::size_t cache_line = 64;  // bytes

template <class T>
struct aligned_allocator {
    using value_type = T;
    aligned_allocator() = default;
    template <class U>
    aligned_allocator(const aligned_allocator<U>&) noexcept {}
    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{cache_line}));
    }
    void deallocate(T* p, std::size_t) noexcept { ::operator delete (p, std::align_val_t{cache_line}); }
    template <class U>
    bool operator==(const aligned_allocator<U>&) const noexcept {
        return true;
    }
};

template <class T>
using aligned_vector = std::vector<T, aligned_allocator<T>>;

}  // namespace wale::base
