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
template <class D, class V>
HWY_INLINE void exchange_blocks(D d, int distance, V& a, V& b) {
    const V low = a, high = b;
    if (16 * 2 * distance == hn::Lanes(d) * sizeof(hn::TFromD<D>)) {
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

/// v[i][j] becomes v[j][i]: squares of ever larger blocks.
template <class T, class V>
HWY_INLINE void transpose(V* v) {
    const hn::ScalableTag<T> d;
    constexpr int n = vector_size<T>, block = 16 / sizeof(T);
    for (int i = 0; i < n; i += block) transpose_blocks(d, v + i, hwy::SizeTag<sizeof(T)>());
    for (int distance = 1; distance < n / block; distance *= 2)
        for (int i = 0; i < n; ++i)
            if ((i / block & distance) == 0) exchange_blocks(d, distance, v[i], v[i + distance * block]);
}

#endif

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
