// systems - the vector code of cpu/small. Many right-hand sides: rows of them in vectors, block by block.
// Few: down the columns of the factors. Very small systems of a batch: one in each lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/solve/cpu/small/systems.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/small/lane_systems-inl.hpp"
#include "solvers/lu/small/planes-inl.hpp"
#include "solvers/lu/small/substitution-inl.hpp"
#include "solvers/lu/small/systems.hpp"
#include "solvers/lu/solve/cpu/small/few-inl.hpp"
#include "solvers/lu/solve/cpu/small/few_complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
void solve_many(const small_system& one) {
    const index_t n = one.factors.rows, columns = one.b.columns;
    const auto layout = small_system_scratch::of(n, columns, one.b.type);
    T* scratch = static_cast<T*>(one.scratch);
    const small_triangles<T> factors(one.factors, one.transposed, scratch, layout);
    const rows_at<T> x{scratch + layout.right_at(), layout.right_pitch};
    fetch<T>(one.b, x, false);
    for (index_t i = 0; i < n; ++i) std::fill(x.row(i) + columns, x.row(i) + x.pitch, T(0));
    const auto exchange = [&](index_t k) HWY_ATTR {
        if (one.pivots && one.pivots[k] != k) exchange_rows(x, k, one.pivots[k], columns);
    };
    if (one.transposed) {
        factors.forward(x, columns, false);
        factors.backward(x, columns, true);
        for (index_t k = n - 1; k >= 0; --k) exchange(k);
    } else {
        for (index_t k = 0; k < n; ++k) exchange(k);
        factors.forward(x, columns, true);
        factors.backward(x, columns, false);
    }
    put<T>({x.data, x.pitch}, one.b, false);
}

template <class T>
void solve_one(const small_system& one) {
    if (few_sides(one.factors.rows, one.b.columns, one.b.type))
        few_right_sides<T>(one).solve();
    else
        solve_many<T>(one);
}

/// Column j of b, as a row of x.
template <class T>
void solve_column(const small_system& one, const complex_rows<T>& a, const complex_rows<T>& x, index_t j) {
    const index_t n = one.factors.rows;
    const auto b = elements<T>(one.b);
    for (index_t k = 0; k < n; ++k) x.set(0, k, b(k, j));
    const auto exchange = [&](index_t k) HWY_ATTR {
        const T other = x.at(0, one.pivots[k]);
        x.set(0, one.pivots[k], x.at(0, k));
        x.set(0, k, other);
    };
    if (one.transposed) {
        substitute_one<true>(a, x, false);
        substitute_one<false>(a, x, true);
        for (index_t k = n - 1; one.pivots && k >= 0; --k) exchange(k);
    } else {
        for (index_t k = 0; one.pivots && k < n; ++k) exchange(k);
        substitute_one<true>(a, x, true);
        substitute_one<false>(a, x, false);
    }
    for (index_t k = 0; k < n; ++k) b(k, j) = x.at(0, k);
}

template <class T>
void solve_planes(const small_system& one) {
    const index_t n = one.factors.rows;
    if (few_complex_sides(n, one.b.columns)) return few_complex<T>(one).solve();
    const complex_rows<T> a(one.scratch, n, n);
    a.fetch(one.factors, one.transposed, one.conjugated);
    T* const right = static_cast<T*>(one.scratch) + n * small_plane(n);
    if (one.b.columns <= small_solves(one.b.type).few) {
        const complex_rows<T> x(right, 1, n);
        x.clear();
        for (index_t j = 0; j < one.b.columns; ++j) solve_column(one, a, x, j);
        return;
    }
    const complex_rows<T> x(right, n, one.b.columns);
    x.fetch(one.b, false);
    if (one.transposed) {
        substitute<true>(a, x, false);
        substitute<false>(a, x, true);
        for (index_t k = n - 1; one.pivots && k >= 0; --k) x.exchange(k, one.pivots[k]);
    } else {
        for (index_t k = 0; one.pivots && k < n; ++k) x.exchange(k, one.pivots[k]);
        substitute<true>(a, x, true);
        substitute<false>(a, x, false);
    }
    x.put(one.b);
}

template <class T>
void conjugate_all(const lane_matrices<T>& a, index_t n) {
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            auto x = a.load(i, j);
            x.im = hn::Neg(x.im);
            a.store(x, i, j);
        }
}

template <class T>
void solve_group(const small_system& group) {
    using R = real_of<T>;
    const index_t n = group.factors.rows;
    R* scratch = static_cast<R*>(group.scratch);
    const lane_matrices<T> a(scratch, group.factors);
    const lane_matrices<T> x(scratch + n * n * lane_matrices<T>::step, group.b);
    a.fetch_square(group.factors);
    if constexpr (is_complex_type<T>)
        if (group.conjugated) conjugate_all(a, n);
    x.fetch(group.b);
    lane_systems<T>(a, n, group.pivots, group.b.count).solve(x, group.b.columns, group.transposed);
    x.put(group.b);
}

void solve_f32(const small_system& one) {
    solve_one<float>(one);
}
void solve_f64(const small_system& one) {
    solve_one<double>(one);
}
void solve_c64(const small_system& one) {
    solve_planes<std::complex<float>>(one);
}
void solve_c128(const small_system& one) {
    solve_planes<std::complex<double>>(one);
}
void solve_lanes_f32(const small_system& group) {
    solve_group<float>(group);
}
void solve_lanes_f64(const small_system& group) {
    solve_group<double>(group);
}
void solve_lanes_c64(const small_system& group) {
    solve_group<std::complex<float>>(group);
}
void solve_lanes_c128(const small_system& group) {
    solve_group<std::complex<double>>(group);
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {
HWY_EXPORT(solve_f32);
HWY_EXPORT(solve_f64);
HWY_EXPORT(solve_c64);
HWY_EXPORT(solve_c128);
HWY_EXPORT(solve_lanes_f32);
HWY_EXPORT(solve_lanes_f64);
HWY_EXPORT(solve_lanes_c64);
HWY_EXPORT(solve_lanes_c128);
void small_solve(const small_system& one) {
    if (one.b.type == scalar::f32) return HWY_DYNAMIC_DISPATCH(solve_f32)(one);
    HWY_DYNAMIC_DISPATCH(solve_f64)(one);
}
void small_solve_complex(const small_system& one) {
    if (one.b.type == scalar::c64) return HWY_DYNAMIC_DISPATCH(solve_c64)(one);
    HWY_DYNAMIC_DISPATCH(solve_c128)(one);
}
void small_solve_lanes(const small_system& group) {
    switch (group.b.type) {
        case scalar::f32:
            return HWY_DYNAMIC_DISPATCH(solve_lanes_f32)(group);
        case scalar::f64:
            return HWY_DYNAMIC_DISPATCH(solve_lanes_f64)(group);
        case scalar::c64:
            return HWY_DYNAMIC_DISPATCH(solve_lanes_c64)(group);
        case scalar::c128:
            return HWY_DYNAMIC_DISPATCH(solve_lanes_c128)(group);
    }
}
}  // namespace wale::lu
#endif
