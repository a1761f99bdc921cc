// lanes - the vector code of cpu/small for batches of very small matrices: one in each lane, so that no time
// goes into waiting for a pivot. Rows are exchanged by masks, for each lane has its own pivot.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/factor/cpu/small/lanes.cpp"
#include "solvers/lu/small/targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/small/lanes-inl.hpp"
#include "solvers/lu/small/small.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
class lane_factoring {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;
    static constexpr index_t lanes = tile_traits<T>::lanes;

public:
    explicit lane_factoring(const small_group& group)
        : group_(group),
          rows_(group.a.rows),
          columns_(group.a.columns),
          a_(static_cast<T*>(group.scratch), group.a) {}

    index_t factor() {
        a_.fetch(group_.a);
        HWY_ALIGN T chosen[lanes];
        index_t moved = 0;
        const index_t steps = group_.a.diagonal();
        for (index_t k = 0; k < steps; ++k) {
            const V pivot_row = group_.pivoting ? row_of_largest(k) : hn::Set(D(), static_cast<T>(k));
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
        V best = hn::Abs(a_.load(k, k)), row = hn::Set(d, static_cast<T>(k));
        for (index_t i = k + 1; i < rows_; ++i) {
            const V magnitude = hn::Abs(a_.load(i, k));
            const auto larger = hn::Gt(magnitude, best);
            best = hn::IfThenElse(larger, magnitude, best);
            row = hn::IfThenElse(larger, hn::Set(d, static_cast<T>(i)), row);
        }
        return row;
    }

    index_t perturb(index_t k) const {
        index_t moved = 0;
        T* pivots = a_.at(k, k);
        for (index_t w = 0; w < group_.a.count; ++w) {
            const T was = pivots[w];
            pivots[w] = perturbed_pivot(was, static_cast<T>(group_.smallest_pivots[w]));
            moved += pivots[w] != was && was == was;
        }
        return moved;
    }

    static HWY_INLINE auto here(index_t i, V pivot_row) {
        return hn::Eq(pivot_row, hn::Set(D(), static_cast<T>(i)));
    }
    /// Of N columns from j on, the elements that the pivot's row of each matrix holds.
    template <int N>
    HWY_INLINE void pick(index_t k, index_t j, V pivot_row, V (&picked)[N]) const {
        for (int c = 0; c < N; ++c) picked[c] = a_.load(k, j + c);
        for (index_t i = k + 1; i < rows_; ++i) {
            const auto found = here(i, pivot_row);
            for (int c = 0; c < N; ++c) picked[c] = hn::IfThenElse(found, a_.load(i, j + c), picked[c]);
        }
    }

    /// Exchanges the rows of N columns; with `Update` they are right of the pivot and updated.
    template <int N, bool Update>
    HWY_INLINE void exchange(index_t k, index_t j, V pivot_row) const {
        V old[N], upper[N];
        for (int c = 0; c < N; ++c) old[c] = a_.load(k, j + c);
        pick<N>(k, j, pivot_row, upper);
        for (int c = 0; c < N; ++c) a_.store(upper[c], k, j + c);
        for (index_t i = k + 1; i < rows_; ++i) {
            const auto found = here(i, pivot_row);
            const V lower = Update ? a_.load(i, k) : old[0];
            for (int c = 0; c < N; ++c) {
                const V before = hn::IfThenElse(found, old[c], a_.load(i, j + c));
                a_.store(Update ? hn::NegMulAdd(lower, upper[c], before) : before, i, j + c);
            }
        }
    }
    template <bool Update>
    HWY_INLINE void exchange_all(index_t k, index_t begin, index_t end, V pivot_row) const {
        index_t j = begin;
        for (; j + 4 <= end; j += 4) exchange<4, Update>(k, j, pivot_row);
        for (; j < end; ++j) exchange<1, Update>(k, j, pivot_row);
    }

    void divide_column(index_t k, V pivot_row) const {
        const D d;
        exchange<1, false>(k, k, pivot_row);
        const V one = hn::Set(d, T(1)), pivot = a_.load(k, k), magnitude = hn::Abs(pivot);
        const V least = hn::Set(d, sizeof(T) == 4 ? T(FLT_MIN) : T(DBL_MIN));
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

index_t factor_lanes_f32(const small_group& group) {
    return lane_factoring<float>(group).factor();
}
index_t factor_lanes_f64(const small_group& group) {
    return lane_factoring<double>(group).factor();
}
index_t lanes_of(scalar type) {
    return type == scalar::f32 ? tile_traits<float>::lanes : tile_traits<double>::lanes;
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {
HWY_EXPORT(factor_lanes_f32);
HWY_EXPORT(factor_lanes_f64);
HWY_EXPORT(lanes_of);
index_t factor_small_group(const small_group& group) {
    return group.a.type == scalar::f32 ? HWY_DYNAMIC_DISPATCH(factor_lanes_f32)(group)
                                       : HWY_DYNAMIC_DISPATCH(factor_lanes_f64)(group);
}
index_t small_lanes(scalar type) {
    return HWY_DYNAMIC_DISPATCH(lanes_of)(type);
}
}  // namespace wale::lu
#endif
