// inverse - the vector code of cpu/small: U^-1 L^-1, then the columns in their order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/inverse/cpu/small/inverse.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/small/lane_systems-inl.hpp"
#include "solvers/lu/small/planes-inl.hpp"
#include "solvers/lu/small/substitution-inl.hpp"
#include "solvers/lu/small/systems.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
void invert_one(const matrices& a, const std::int32_t* pivots, void* memory) {
    const index_t n = a.rows;
    const auto layout = small_system_scratch::of(n, n, a.type);
    T* scratch = static_cast<T*>(memory);
    const small_triangles<T> factors(a, false, scratch, layout);
    const rows_at<T> x{scratch + layout.right_at(), layout.right_pitch};
    std::fill(x.data, x.row(n), T(0));
    for (index_t i = 0; i < n; ++i) x.row(i)[i] = T(1);
    factors.forward(x, n, true, true);
    factors.backward(x, n, false);
    for (index_t i = 0; pivots && i < n; ++i)
        for (index_t k = n - 1; k >= 0; --k) std::swap(x.row(i)[k], x.row(i)[pivots[k]]);
    put<T>({x.data, x.pitch}, a, false);
}

template <class T>
void invert_planes(const matrices& a, const std::int32_t* pivots, void* memory) {
    const index_t n = a.rows;
    const complex_rows<T> factors(memory, n, n), x(static_cast<T*>(memory) + n * small_plane(n), n, n);
    factors.fetch(a, false);
    x.clear();
    for (index_t i = 0; i < n; ++i) x.set(i, i, T(1));
    for (index_t k = 0; pivots && k < n; ++k) x.exchange(k, pivots[k]);
    substitute<true>(factors, x, true);
    substitute<false>(factors, x, false);
    x.put(a);
}

template <class T>
void invert_group(const matrices& a, const std::int32_t* pivots, void* memory) {
    const index_t n = a.rows;
    using R = real_of<T>;
    R* scratch = static_cast<R*>(memory);
    const lane_matrices<T> factors(scratch, a), x(scratch + n * n * lane_matrices<T>::step, a);
    factors.fetch_square(a);
    std::fill(x.data, x.data + n * n * x.step, R(0));
    for (index_t i = 0; i < n; ++i) std::fill(x.at(i, i), x.at(i, i) + x.lanes, R(1));
    lane_systems<T>(factors, n, pivots, a.count).solve(x, n, false);
    x.put(a);
}

void invert_f32(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_one<float>(a, pivots, scratch);
}
void invert_f64(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_one<double>(a, pivots, scratch);
}
void invert_c64(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_planes<std::complex<float>>(a, pivots, scratch);
}
void invert_c128(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_planes<std::complex<double>>(a, pivots, scratch);
}
void invert_lanes_f32(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_group<float>(a, pivots, scratch);
}
void invert_lanes_f64(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_group<double>(a, pivots, scratch);
}
void invert_lanes_c64(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_group<std::complex<float>>(a, pivots, scratch);
}
void invert_lanes_c128(const matrices& a, const std::int32_t* pivots, void* scratch) {
    invert_group<std::complex<double>>(a, pivots, scratch);
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {
HWY_EXPORT(invert_f32);
HWY_EXPORT(invert_f64);
HWY_EXPORT(invert_c64);
HWY_EXPORT(invert_c128);
HWY_EXPORT(invert_lanes_f32);
HWY_EXPORT(invert_lanes_f64);
HWY_EXPORT(invert_lanes_c64);
HWY_EXPORT(invert_lanes_c128);
void small_invert(const matrices& a, const std::int32_t* pivots, void* scratch) {
    if (a.type == scalar::f32) return HWY_DYNAMIC_DISPATCH(invert_f32)(a, pivots, scratch);
    HWY_DYNAMIC_DISPATCH(invert_f64)(a, pivots, scratch);
}
void small_invert_complex(const matrices& a, const std::int32_t* pivots, void* scratch) {
    if (a.type == scalar::c64) return HWY_DYNAMIC_DISPATCH(invert_c64)(a, pivots, scratch);
    HWY_DYNAMIC_DISPATCH(invert_c128)(a, pivots, scratch);
}
void small_invert_lanes(const matrices& a, const std::int32_t* pivots, void* scratch) {
    switch (a.type) {
        case scalar::f32:
            return HWY_DYNAMIC_DISPATCH(invert_lanes_f32)(a, pivots, scratch);
        case scalar::f64:
            return HWY_DYNAMIC_DISPATCH(invert_lanes_f64)(a, pivots, scratch);
        case scalar::c64:
            return HWY_DYNAMIC_DISPATCH(invert_lanes_c64)(a, pivots, scratch);
        case scalar::c128:
            return HWY_DYNAMIC_DISPATCH(invert_lanes_c128)(a, pivots, scratch);
    }
}
}  // namespace wale::lu
#endif
