// large_pages - memory of millions of elements in large pages where the system has them: first writing it
// then faults once for 2 MiB, not for 4 KiB, and reading it misses fewer translations of addresses.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "base/aligned.hpp"

namespace wale::base {

inline constexpr std::size_t large_page = std::size_t{1} << 21;  // bytes

/// Asks for large pages for what lies whole in them. The pages are a wish, no more.
inline void wish_large_pages([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    const auto start = reinterpret_cast<std::uintptr_t>(memory), end = start + bytes;
    const std::uintptr_t first = (start + large_page - 1) / large_page * large_page,
                         last = end / large_page * large_page;
    if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

/// v.resize(n) of an empty vector.
template <class T, class Allocator>
void resize_in_large_pages(std::vector<T, Allocator>& v, std::size_t n) {
    v.reserve(n);
    wish_large_pages(v.data(), n * sizeof(T));
    v.resize(n);
}

/// aligned_allocator, in large pages.
template <class T>
struct large_allocator : aligned_allocator<T> {
    using value_type = T;
    large_allocator() = default;
    template <class U>
    large_allocator(const large_allocator<U>&) noexcept {}
    T* allocate(std::size_t n) {
        T* const p = aligned_allocator<T>::allocate(n);
        wish_large_pages(p, n * sizeof(T));
        return p;
    }
};

/// An aligned_vector whose memory is in large pages.
template <class T>
using large_vector = std::vector<T, large_allocator<T>>;

}  // namespace wale::base
