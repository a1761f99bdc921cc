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
    using R = real_of<T>;
    using D = hn::ScalableTag<R>;
    using V = hn::Vec<D>;
    using number = lanes_of_type<T>;
    static constexpr bool is_complex = is_complex_type<T>;

public:
    /// `factors` are those of a copy: complex pivots become their reciprocals.
    lane_systems(const lane_matrices<T>& factors, index_t n, const std::int32_t* pivots, index_t count)
        : a_(factors), n_(n), pivots_(pivots), count_(count) {
        if constexpr (is_complex) {
            for (index_t k = 0; k < n; ++k) divides_ = divides_ || !in_range<R>(a_.load(k, k));
            for (index_t k = 0; !divides_ && k < n; ++k) a_.store(by_one_division<R>(a_.load(k, k)), k, k);
        }
    }

    /// Some columns of x at a time: what a lane needs stays in the nearest cache.
    void solve(const lane_matrices<T>& x, index_t columns, bool transposed) const {
        constexpr int some = is_complex ? 2 : 4;
        index_t j = 0;
        if (!transposed) exchange(x, columns, false);
        for (; j + some <= columns; j += some) solve_some<some>(x, j, transposed);
        for (; j < columns; ++j) solve_some<1>(x, j, transposed);
        if (transposed) exchange(x, columns, true);
    }

private:
    template <int N>
    HWY_INLINE void solve_some(const lane_matrices<T>& x, index_t j, bool transposed) const {
        if (!transposed) {
            substitute<N, true, true>(a_, x, j);
            substitute<N, false, false>(a_, x, j);
            return;
        }
        lane_matrices<T> a = a_;
        std::swap(a.row_step, a.column_step);
        substitute<N, true, false>(a, x, j);
        substitute<N, false, true>(a, x, j);
    }

    template <int N, bool Lower, bool Unit>
    HWY_INLINE void substitute(const lane_matrices<T>& a, const lane_matrices<T>& x, index_t j) const {
        for (index_t step = 0; step < n_; ++step) {
            const index_t k = Lower ? step : n_ - 1 - step;
            number sum[N];
            for (int c = 0; c < N; ++c) sum[c] = x.load(k, j + c);
            for (index_t l = Lower ? 0 : k + 1; l < (Lower ? k : n_); ++l) {
                const number factor = a.load(k, l);
                for (int c = 0; c < N; ++c) sum[c] = minus_product(factor, x.load(l, j + c), sum[c]);
            }
            for (int c = 0; c < N; ++c) x.store(Unit ? sum[c] : quotient(sum[c], a.load(k, k)), k, j + c);
        }
    }
    HWY_INLINE number quotient(number x, number by) const {
        if constexpr (!is_complex) {
            return hn::Div(x, by);
        } else {
            if (HWY_LIKELY(!divides_)) return product(x, by);
            HWY_ALIGN R parts[4][lane_matrices<T>::lanes];
            const D d;
            hn::Store(x.re, d, parts[0]), hn::Store(x.im, d, parts[1]);
            hn::Store(by.re, d, parts[2]), hn::Store(by.im, d, parts[3]);
            for (index_t w = 0; w < lane_matrices<T>::lanes; ++w) {
                const T q = T(parts[0][w], parts[1][w]) / T(parts[2][w], parts[3][w]);
                parts[0][w] = q.real(), parts[1][w] = q.imag();
            }
            return {hn::Load(d, parts[0]), hn::Load(d, parts[1])};
        }
    }

    /// Rows of x, each lane by its own pivots.
    void exchange(const lane_matrices<T>& x, index_t columns, bool backwards) const {
        HWY_ALIGN R chosen[lane_matrices<T>::lanes] = {};
        for (index_t step = 0; pivots_ && step < n_; ++step) {
            const index_t k = backwards ? n_ - 1 - step : step;
            for (index_t w = 0; w < count_; ++w) chosen[w] = static_cast<R>(pivots_[w * n_ + k]);
            const V row = hn::Load(D(), chosen);
            for (index_t j = 0; j < columns; ++j) {
                const number old = x.load(k, j);
                number picked = old;
                for (index_t i = k + 1; i < n_; ++i) {
                    const auto here = hn::Eq(row, hn::Set(D(), static_cast<R>(i)));
                    const number other = x.load(i, j);
                    picked = select(here, other, picked);
                    x.store(select(here, old, other), i, j);
                }
                x.store(picked, k, j);
            }
        }
    }

    const lane_matrices<T> a_;
    const index_t n_;
    const std::int32_t* pivots_;
    const index_t count_;
    bool divides_ = false;  // complex: by pivots, one of whose reciprocals needs more than a division
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
