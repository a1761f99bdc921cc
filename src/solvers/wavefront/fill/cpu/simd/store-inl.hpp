// store-inl - copies a piece of a row to its place, past the caches if asked. Included once for each Highway
// target.
#if defined(WALE_FILL_STORE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_FILL_STORE_INL
#undef WALE_FILL_STORE_INL
#else
#define WALE_FILL_STORE_INL
#endif

#include <hwy/highway.h>

#include <cstring>
#include <wale/layout.hpp>

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

/// Streams whole cache lines, so that they are never read; copies what lies before and after them.
template <class T>
HWY_INLINE void store_row(const T* from, T* to, index_t count, bool stream) {
    namespace hn = hwy::HWY_NAMESPACE;
    constexpr auto line = static_cast<index_t>(64 / sizeof(T));
    index_t at = 0;
    if (stream) {
        const hn::CappedTag<T, 64 / sizeof(T)> d;
        const auto off = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(T)) % line;
        const index_t head = HWY_MIN((line - off) % line, count);
        std::memcpy(to, from, static_cast<std::size_t>(head) * sizeof(T));
        for (at = head; at + line <= count; at += line)
            for (index_t k = 0; k < line; k += static_cast<index_t>(hn::Lanes(d)))
                hn::Stream(hn::LoadU(d, from + at + k), d, to + at + k);
    }
    std::memcpy(to + at, from + at, static_cast<std::size_t>(count - at) * sizeof(T));
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // for each target
