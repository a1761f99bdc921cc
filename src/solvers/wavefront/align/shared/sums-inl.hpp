// sums-inl - sums of scores in lanes that keep to the ends of their range, and scores of a byte as wider
// lanes. Once for each Highway target.
#if defined(WALE_ALIGN_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_ALIGN_SUMS_INL
#undef WALE_ALIGN_SUMS_INL
#else
#define WALE_ALIGN_SUMS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
template <class T>
using lane_tag = hn::ScalableTag<T>;
template <class T>
using lane_vector = hn::Vec<lane_tag<T>>;
template <class T>
inline constexpr std::size_t lane_count = hn::MaxLanes(lane_tag<T>());

/// Lanes of 32 bits hold every sum of a job; narrower ones saturate.
template <class V>
HWY_INLINE V sum(V a, V b) {
    if constexpr (sizeof(hn::TFromD<hn::DFromV<V>>) < 4)
        return hn::SaturatedAdd(a, b);
    else
        return hn::Add(a, b);
}
template <class V>
HWY_INLINE V difference(V a, V b) {
    if constexpr (sizeof(hn::TFromD<hn::DFromV<V>>) < 4)
        return hn::SaturatedSub(a, b);
    else
        return hn::Sub(a, b);
}

/// A vector's count of bytes as lanes of T.
template <class T>
HWY_INLINE lane_vector<T> promoted(const std::int8_t* from) {
    const lane_tag<T> d;
    if constexpr (sizeof(T) == 1)
        return hn::Load(d, from);
    else
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int8_t, lane_tag<T>>(), from));
}
#endif

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
