// lanes-inl - systems of one shape side by side, one in each lane of a vector. Once for each Highway target.
#if defined(WALE_LU_SMALL_SOLVE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_SOLVE_LANES_INL
#undef WALE_LU_SMALL_SOLVE_LANES_INL
#else
#define WALE_LU_SMALL_SOLVE_LANES_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/lanes-inl.hpp"
#include "solvers/lu/small/systems.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
class lane_systems {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;

public:
    lane_systems(const lane_matrices<T>& factors, index_t n, const std::int32_t* pivots, index_t count)
        : a_(factors), n_(n), pivots_(pivots), count_(count) {}

    /// Column by column of x: what a lane needs stays in the nearest cache.
    void solve(const lane_matrices<T>& x, index_t columns, bool transposed) const {
        if (!transposed) {
            exchange(x, columns, false);
            for (index_t j = 0; j < columns; ++j) {
                substitute<true, true>(a_, x, j);
                substitute<false, false>(a_, x, j);
            }
            return;
        }
        lane_matrices<T> a = a_;
        std::swap(a.row_step, a.column_step);
        for (index_t j = 0; j < columns; ++j) {
            substitute<true, false>(a, x, j);
            substitute<false, true>(a, x, j);
        }
        exchange(x, columns, true);
    }

private:
    template <bool Lower, bool Unit>
    HWY_INLINE void substitute(const lane_matrices<T>& a, const lane_matrices<T>& x, index_t j) const {
        for (index_t step = 0; step < n_; ++step) {
            const index_t k = Lower ? step : n_ - 1 - step;
            V sum = x.load(k, j);
            for (index_t l = Lower ? 0 : k + 1; l < (Lower ? k : n_); ++l)
                sum = hn::NegMulAdd(a.load(k, l), x.load(l, j), sum);
            x.store(Unit ? sum : hn::Div(sum, a.load(k, k)), k, j);
        }
    }

    /// Rows of x, each lane by its own pivots.
    void exchange(const lane_matrices<T>& x, index_t columns, bool backwards) const {
        HWY_ALIGN T chosen[lane_matrices<T>::lanes] = {};
        for (index_t step = 0; pivots_ && step < n_; ++step) {
            const index_t k = backwards ? n_ - 1 - step : step;
            for (index_t w = 0; w < count_; ++w) chosen[w] = static_cast<T>(pivots_[w * n_ + k]);
            const V row = hn::Load(D(), chosen);
            for (index_t j = 0; j < columns; ++j) {
                const V old = x.load(k, j);
                V picked = old;
                for (index_t i = k + 1; i < n_; ++i) {
                    const auto here = hn::Eq(row, hn::Set(D(), static_cast<T>(i)));
                    const V other = x.load(i, j);
                    picked = hn::IfThenElse(here, other, picked);
                    x.store(hn::IfThenElse(here, old, other), i, j);
                }
                x.store(picked, k, j);
            }
        }
    }

    const lane_matrices<T> a_;
    const index_t n_;
    const std::int32_t* pivots_;
    const index_t count_;
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
