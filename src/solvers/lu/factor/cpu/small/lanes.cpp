// lanes - the vector code of cpu/small for batches of very small matrices: one in each lane, so that no time
// goes into waiting for a pivot. Rows are exchanged by masks, for each lane has its own pivot.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/factor/cpu/small/lanes.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/small/lanes-inl.hpp"
#include "solvers/lu/small/small.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
class lane_factoring {
    using R = real_of<T>;
    using D = hn::ScalableTag<R>;
    using V = hn::Vec<D>;
    using number = lanes_of_type<T>;
    static constexpr bool is_complex = is_complex_type<T>;
    static constexpr index_t lanes = tile_traits<R>::lanes;
    static constexpr int some = is_complex ? 2 : 4;  // columns that are updated at once

public:
    explicit lane_factoring(const small_group& group)
        : group_(group), rows_(group.a.rows), columns_(group.a.columns), a_(group.scratch, group.a) {}

    index_t factor() {
        a_.fetch_square(group_.a);
        HWY_ALIGN R chosen[lanes];
        index_t moved = 0;
        const index_t steps = group_.a.diagonal();
        for (index_t k = 0; k < steps; ++k) {
            const V pivot_row = group_.pivoting ? row_of_largest(k) : hn::Set(D(), static_cast<R>(k));
            if (group_.pivots) {
                hn::Store(pivot_row, D(), chosen);
                for (index_t w = 0; w < group_.a.count; ++w)
                    group_.pivots[w * steps + k] = static_cast<std::int32_t>(chosen[w]);
            }
            if (group_.smallest_pivots) moved += perturb(k);
            divide_column(k, pivot_row);
            if (group_.pivoting) exchange_all<false>(k, 0, k, pivot_row);
            exchange_all<true>(k, k + 1, columns_, pivot_row);
        }
        a_.put(group_.a);
        return moved;
    }

private:
    V row_of_largest(index_t k) const {
        const D d;
        V best = size_of(a_.load(k, k)), row = hn::Set(d, static_cast<R>(k));
        for (index_t i = k + 1; i < rows_; ++i) {
            const V magnitude = size_of(a_.load(i, k));
            const auto larger = hn::Gt(magnitude, best);
            best = hn::IfThenElse(larger, magnitude, best);
            row = hn::IfThenElse(larger, hn::Set(d, static_cast<R>(i)), row);
        }
        return row;
    }

    index_t perturb(index_t k) const {
        index_t moved = 0;
        for (index_t w = 0; w < group_.a.count; ++w) {
            const T was = a_.element(w, k, k);
            const T next = perturbed_pivot(was, static_cast<R>(group_.smallest_pivots[w]));
            a_.set_element(next, w, k, k);
            moved += next != was && was == was;
        }
        return moved;
    }

    static HWY_INLINE auto here(index_t i, V pivot_row) {
        return hn::Eq(pivot_row, hn::Set(D(), static_cast<R>(i)));
    }
    /// Of N columns from j on, the elements that the pivot's row of each matrix holds.
    template <int N>
    HWY_INLINE void pick(index_t k, index_t j, V pivot_row, number (&picked)[N]) const {
        for (int c = 0; c < N; ++c) picked[c] = a_.load(k, j + c);
        for (index_t i = k + 1; i < rows_; ++i) {
            const auto found = here(i, pivot_row);
            for (int c = 0; c < N; ++c) picked[c] = select(found, a_.load(i, j + c), picked[c]);
        }
    }

    /// Exchanges the rows of N columns; with `Update` they are right of the pivot and updated.
    template <int N, bool Update>
    HWY_INLINE void exchange(index_t k, index_t j, V pivot_row) const {
        number old[N], upper[N];
        for (int c = 0; c < N; ++c) old[c] = a_.load(k, j + c);
        pick<N>(k, j, pivot_row, upper);
        for (int c = 0; c < N; ++c) a_.store(upper[c], k, j + c);
        for (index_t i = k + 1; i < rows_; ++i) {
            const auto found = here(i, pivot_row);
            const number lower = Update ? a_.load(i, k) : old[0];
            for (int c = 0; c < N; ++c) {
                const number before = select(found, old[c], a_.load(i, j + c));
                a_.store(Update ? minus_product(lower, upper[c], before) : before, i, j + c);
            }
        }
    }
    template <bool Update>
    HWY_INLINE void exchange_all(index_t k, index_t begin, index_t end, V pivot_row) const {
        index_t j = begin;
        for (; j + some <= end; j += some) exchange<some, Update>(k, j, pivot_row);
        for (; j < end; ++j) exchange<1, Update>(k, j, pivot_row);
    }

    void divide_column(index_t k, V pivot_row) const {
        exchange<1, false>(k, k, pivot_row);
        if constexpr (is_complex)
            divide_complex(k);
        else
            divide_real(k);
    }
    /// By the reciprocal of the pivot; lanes that have none as the reference does.
    void divide_complex(index_t k) const {
        const number pivot = a_.load(k, k);
        if (HWY_LIKELY(in_range<R>(pivot))) {
            const number scale = by_one_division<R>(pivot);
            for (index_t i = k + 1; i < rows_; ++i) a_.store(product(a_.load(i, k), scale), i, k);
            return;
        }
        for (index_t i = k + 1; i < rows_; ++i)
            for (index_t w = 0; w < group_.a.count; ++w)
                a_.set_element(multiplier(a_.element(w, i, k), a_.element(w, k, k)), w, i, k);
    }
    void divide_real(index_t k) const {
        const D d;
        const V one = hn::Set(d, R(1)), pivot = a_.load(k, k), magnitude = hn::Abs(pivot);
        const V least = hn::Set(d, sizeof(R) == 4 ? R(FLT_MIN) : R(DBL_MIN));
        if (hn::AllTrue(d, hn::Ge(magnitude, least))) {
            const V scale = hn::Div(one, pivot);
            for (index_t i = k + 1; i < rows_; ++i) a_.store(hn::Mul(a_.load(i, k), scale), i, k);
            return;
        }
        const auto divides = hn::Lt(magnitude, least);  // by 1 instead of 0, by what is subnormal
        const auto zero = hn::Eq(pivot, hn::Zero(d));
        const V divisor = hn::IfThenElse(divides, hn::IfThenElse(zero, one, pivot), one);
        const V scale = hn::IfThenElse(divides, one, hn::Div(one, pivot));
        for (index_t i = k + 1; i < rows_; ++i)
            a_.store(hn::Mul(hn::Div(a_.load(i, k), divisor), scale), i, k);
    }

    const small_group& group_;
    const index_t rows_, columns_;
    const lane_matrices<T> a_;
};

template <class T>
index_t factor_lanes(const small_group& group) {
    return lane_factoring<T>(group).factor();
}
index_t factor_lanes_f32(const small_group& group) {
    return factor_lanes<float>(group);
}
index_t factor_lanes_f64(const small_group& group) {
    return factor_lanes<double>(group);
}
index_t factor_lanes_c64(const small_group& group) {
    return factor_lanes<std::complex<float>>(group);
}
index_t factor_lanes_c128(const small_group& group) {
    return factor_lanes<std::complex<double>>(group);
}
index_t lanes_of(scalar type) {
    return is_single(type) ? tile_traits<float>::lanes : tile_traits<double>::lanes;
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {
HWY_EXPORT(factor_lanes_f32);
HWY_EXPORT(factor_lanes_f64);
HWY_EXPORT(factor_lanes_c64);
HWY_EXPORT(factor_lanes_c128);
HWY_EXPORT(lanes_of);
index_t factor_small_group(const small_group& group) {
    switch (group.a.type) {
        case scalar::f32:
            return HWY_DYNAMIC_DISPATCH(factor_lanes_f32)(group);
        case scalar::f64:
            return HWY_DYNAMIC_DISPATCH(factor_lanes_f64)(group);
        case scalar::c64:
            return HWY_DYNAMIC_DISPATCH(factor_lanes_c64)(group);
        case scalar::c128:
            return HWY_DYNAMIC_DISPATCH(factor_lanes_c128)(group);
    }
    return 0;
}
index_t small_lanes(scalar type) {
    return HWY_DYNAMIC_DISPATCH(lanes_of)(type);
}
}  // namespace wale::lu
#endif
