// large_pages - vectors of millions of elements whose memory comes in large pages where the system has them:
// first writing them then faults once for 2 MiB, not for 4 KiB.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <vector>

namespace wale::base {

/// v.resize(n) of an empty vector. The pages are a wish, no more.
template <class T>
void resize_in_large_pages(std::vector<T>& v, std::size_t n) {
    v.reserve(n);
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t large = std::uintptr_t{1} << 21;  // bytes
    const auto start = reinterpret_cast<std::uintptr_t>(v.data()), end = start + n * sizeof(T);
    const std::uintptr_t first = (start + large - 1) / large * large, last = end / large * large;
    if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
    v.resize(n);
}

}  // namespace wale::base
