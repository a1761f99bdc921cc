// transpose-inl - as many vectors as a vector has lanes, transposed in registers. Once for each Highway
// target.
#if defined(WALE_TREE_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_TREE_TRANSPOSE_INL
#undef WALE_TREE_TRANSPOSE_INL
#else
#define WALE_TREE_TRANSPOSE_INL
#endif

#include <hwy/highway.h>

#include <wale/layout.hpp>

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
inline constexpr int vector_size = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));

#if HWY_TARGET == HWY_SCALAR
template <class T, class V>
HWY_INLINE void transpose(V*) {}
#else
/// Vectors a and b of a pair exchange a's odd with b's even 128-bit blocks, or their inner halves.
template <int Distance, class D, class V>
HWY_INLINE void exchange_blocks(D d, V& a, V& b) {
    const V low = a, high = b;
    if constexpr (16 * 2 * Distance == hn::MaxLanes(D()) * sizeof(hn::TFromD<D>)) {
        a = hn::ConcatLowerLower(d, high, low);
        b = hn::ConcatUpperUpper(d, high, low);
    } else {
        a = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high), low);
        b = hn::OddEvenBlocks(high, hn::SwapAdjacentBlocks(low));
    }
}

/// Inside the 128-bit blocks: 2 x 2 doubles, 4 x 4 floats.
template <class D, class V>
HWY_INLINE void transpose_blocks(D d, V* v, hwy::SizeTag<8>) {
    const V a = v[0], b = v[1];
    v[0] = hn::InterleaveLower(d, a, b);
    v[1] = hn::InterleaveUpper(d, a, b);
}
template <class D, class V>
HWY_INLINE void transpose_blocks(D d, V* v, hwy::SizeTag<4>) {
    const V even_low = hn::InterleaveLower(d, v[0], v[2]), even_high = hn::InterleaveUpper(d, v[0], v[2]);
    const V odd_low = hn::InterleaveLower(d, v[1], v[3]), odd_high = hn::InterleaveUpper(d, v[1], v[3]);
    v[0] = hn::InterleaveLower(d, even_low, odd_low);
    v[1] = hn::InterleaveUpper(d, even_low, odd_low);
    v[2] = hn::InterleaveLower(d, even_high, odd_high);
    v[3] = hn::InterleaveUpper(d, even_high, odd_high);
}

/// Squares of blocks: vectors `Distance` blocks apart.
template <class T, int Distance, class V>
HWY_INLINE void exchange_all(V* v) {
    constexpr int n = vector_size<T>, apart = Distance * static_cast<int>(16 / sizeof(T));
    if constexpr (2 * apart <= n)
        for (int i = 0; i < n; i += 2 * apart)
            for (int k = i; k < i + apart; ++k)
                exchange_blocks<Distance>(hn::ScalableTag<T>(), v[k], v[k + apart]);
}

/// v[i][j] becomes v[j][i]: squares of ever larger blocks.
template <class T, class V>
HWY_INLINE void transpose(V* v) {
    constexpr int n = vector_size<T>, block = 16 / sizeof(T);
    for (int i = 0; i < n; i += block)
        transpose_blocks(hn::ScalableTag<T>(), v + i, hwy::SizeTag<sizeof(T)>());
    exchange_all<T, 1>(v);
    exchange_all<T, 2>(v);
}

#endif

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
