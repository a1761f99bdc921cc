// lanes - the vector code of cpu/small for batches of very small matrices: one in each lane, so that no time
// goes into waiting for a pivot. Rows are exchanged by masks, for each lane has its own pivot.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/factor/small/lanes.cpp"
#include "solvers/lu/factor/small/targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/factor/small/lanes-inl.hpp"
#include "solvers/lu/factor/small/small.hpp"

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
            for (index_t j = 0; j < k; ++j) exchange(k, j, pivot_row);
            for (index_t j = k + 1; j < columns_; ++j) update_column(k, j, pivot_row);
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

    /// Of column j, the element that the pivot's row of each matrix holds.
    HWY_INLINE V pick(index_t k, index_t j, V pivot_row) const {
        V picked = a_.load(k, j);
        for (index_t i = k + 1; i < rows_; ++i)
            picked = hn::IfThenElse(here(i, pivot_row), a_.load(i, j), picked);
        return picked;
    }
    static HWY_INLINE auto here(index_t i, V pivot_row) {
        return hn::Eq(pivot_row, hn::Set(D(), static_cast<T>(i)));
    }

    HWY_INLINE void exchange(index_t k, index_t j, V pivot_row) const {
        const V old = a_.load(k, j), picked = pick(k, j, pivot_row);
        a_.store(picked, k, j);
        for (index_t i = k + 1; i < rows_; ++i)
            a_.store(hn::IfThenElse(here(i, pivot_row), old, a_.load(i, j)), i, j);
    }

    void divide_column(index_t k, V pivot_row) const {
        const D d;
        exchange(k, k, pivot_row);
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

    HWY_INLINE void update_column(index_t k, index_t j, V pivot_row) const {
        const V old = a_.load(k, j), upper = pick(k, j, pivot_row);
        a_.store(upper, k, j);
        for (index_t i = k + 1; i < rows_; ++i) {
            const V before = hn::IfThenElse(here(i, pivot_row), old, a_.load(i, j));
            a_.store(hn::NegMulAdd(a_.load(i, k), upper, before), i, j);
        }
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
