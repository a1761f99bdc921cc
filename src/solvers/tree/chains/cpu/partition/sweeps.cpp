// sweeps - the vector code of cpu/partition, once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/chains/cpu/partition/sweeps.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/chains/cpu/partition/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

template <class T>
bool reduce_any(const pt::bundle<T>& b, pt::segment<T>* segments) {
    return b.pivoted ? reduce_lanes<T, true>(b, segments) : reduce_lanes<T, false>(b, segments);
}
template <class T, bool Pivoted>
void solve_lanes(const pt::bundle<T>& b, const pt::ends<T>* about, T* kept, bool stream) {
    lane_solver<T, Pivoted> lanes(b, about, kept);
    lanes.down();
    lanes.up(stream);
}
template <class T>
void solve_any(const pt::bundle<T>& b, const pt::ends<T>* about, T* kept, bool stream) {
    b.pivoted ? solve_lanes<T, true>(b, about, kept, stream) : solve_lanes<T, false>(b, about, kept, stream);
}
bool reduce_bundle_f32(const pt::bundle<float>& b, pt::segment<float>* s) {
    return reduce_any(b, s);
}
bool reduce_bundle_f64(const pt::bundle<double>& b, pt::segment<double>* s) {
    return reduce_any(b, s);
}
void solve_bundle_f32(const pt::bundle<float>& b, const pt::ends<float>* x, float* kept, bool stream) {
    solve_any(b, x, kept, stream);
}
void solve_bundle_f64(const pt::bundle<double>& b, const pt::ends<double>* x, double* kept, bool stream) {
    solve_any(b, x, kept, stream);
}
index_t bundle_lanes_f32() {
    return vector_size<float>;
}
index_t bundle_lanes_f64() {
    return vector_size<double>;
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(reduce_bundle_f32);
HWY_EXPORT(reduce_bundle_f64);
HWY_EXPORT(solve_bundle_f32);
HWY_EXPORT(solve_bundle_f64);
HWY_EXPORT(bundle_lanes_f32);
HWY_EXPORT(bundle_lanes_f64);
namespace partition {

index_t bundle_lanes(scalar type) {
    return type == scalar::f32 ? HWY_DYNAMIC_DISPATCH(bundle_lanes_f32)()
                               : HWY_DYNAMIC_DISPATCH(bundle_lanes_f64)();
}
bool reduce_bundle(const bundle<float>& b, segment<float>* segments) {
    return HWY_DYNAMIC_DISPATCH(reduce_bundle_f32)(b, segments);
}
bool reduce_bundle(const bundle<double>& b, segment<double>* segments) {
    return HWY_DYNAMIC_DISPATCH(reduce_bundle_f64)(b, segments);
}
void solve_bundle(const bundle<float>& b, const ends<float>* about, float* kept, bool stream) {
    HWY_DYNAMIC_DISPATCH(solve_bundle_f32)(b, about, kept, stream);
}
void solve_bundle(const bundle<double>& b, const ends<double>* about, double* kept, bool stream) {
    HWY_DYNAMIC_DISPATCH(solve_bundle_f64)(b, about, kept, stream);
}

}  // namespace partition
}  // namespace wale::tree
#endif
