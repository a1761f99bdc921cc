// planes - the vector code of cpu/small for complex matrices that are alone or not very small: row by row, a
// few columns at a time, then their product from all columns right of them in registers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/factor/cpu/small/planes.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/small/planes-inl.hpp"
#include "solvers/lu/small/small.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

/// Column k, of a panel that ends before column `end`; whether its pivot was moved.
template <class T>
index_t factor_column(const small_factor& one, const complex_rows<T>& a, index_t k, index_t end) {
    index_t pivot = k, moved = 0;
    for (auto [i, best] = std::pair(k + 1, pivot_size(a.at(k, k))); one.pivoting && i < one.a.rows; ++i) {
        const auto size = pivot_size(a.at(i, k));
        if (size > best) pivot = i, best = size;
    }
    if (one.pivots) one.pivots[k] = static_cast<std::int32_t>(pivot);
    a.exchange(k, pivot);
    if (one.smallest_pivot > 0) {
        const T was = a.at(k, k), next = perturbed_pivot(was, static_cast<real_of<T>>(one.smallest_pivot));
        a.set(k, k, next);
        moved = next != was && next == next;
    }
    const T by = a.at(k, k);
    if (HWY_LIKELY(a.is_regular(by))) {
        const T over = base::reciprocal(by);
        for (index_t i = k + 1; i < one.a.rows; ++i) a.eliminate(i, base::product(a.at(i, k), over), k, end);
    } else {
        for (index_t i = k + 1; i < one.a.rows; ++i) a.eliminate(i, multiplier(a.at(i, k), by), k, end);
    }
    return moved;
}

template <class T>
index_t factor_planes(const small_factor& one) {
    const complex_rows<T> a(one.scratch, one.a.rows, one.a.columns);
    a.fetch(one.a, false);
    index_t moved = 0;
    for (index_t first = 0; first < one.a.diagonal(); first += a.block) {
        const index_t last = HWY_MIN(first + a.block, one.a.diagonal()), right = first + a.block;
        for (index_t k = first; k < last; ++k)
            moved += factor_column(one, a, k, HWY_MIN(right, one.a.columns));
        for (index_t k = first + 1; k < last; ++k)
            for (index_t l = first; l < k; ++l) a.subtract(k, a.at(k, l), l, right, one.a.columns);
        a.subtract_product(a, last, one.a.rows, first, last, right);
    }
    a.put(one.a);
    return moved;
}
index_t factor_c64(const small_factor& one) {
    return factor_planes<std::complex<float>>(one);
}
index_t factor_c128(const small_factor& one) {
    return factor_planes<std::complex<double>>(one);
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {
HWY_EXPORT(factor_c64);
HWY_EXPORT(factor_c128);
index_t factor_small_complex(const small_factor& one) {
    return one.a.type == scalar::c64 ? HWY_DYNAMIC_DISPATCH(factor_c64)(one)
                                     : HWY_DYNAMIC_DISPATCH(factor_c128)(one);
}
}  // namespace wale::lu
#endif
