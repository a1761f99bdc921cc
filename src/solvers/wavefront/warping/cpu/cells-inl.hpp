// cells-inl - the operations of warping_cell on vectors, for the kernels of the rows. Included once for each
// Highway target.
#if defined(WALE_WARPING_CELLS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_WARPING_CELLS_INL
#undef WALE_WARPING_CELLS_INL
#else
#define WALE_WARPING_CELLS_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "solvers/wavefront/warping/problem.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using tag = hn::CappedTag<T, 16>;
template <class T>
using vec = hn::Vec<tag<T>>;

template <class T>
struct hard_minimum {
    explicit hard_minimum(T) {}
    HWY_INLINE vec<T> operator()(vec<T> diagonal, vec<T> up, vec<T> left) const {
        return hn::Min(hn::Min(left, up), diagonal);
    }
};

template <class T>
struct soft_minimum {
    vec<T> gamma;
    explicit soft_minimum(T g) : gamma(hn::Set(tag<T>(), g)) {}
    HWY_INLINE vec<T> operator()(vec<T> diagonal, vec<T> up, vec<T> left) const {
        const tag<T> d;
        const vec<T> least = hn::Min(hn::Min(left, up), diagonal);
        const auto part = [&](vec<T> x) HWY_ATTR { return hn::Exp(d, hn::Div(hn::Sub(least, x), gamma)); };
        const vec<T> sum = hn::Add(hn::Add(part(left), part(up)), part(diagonal));
        const vec<T> soft = hn::Sub(least, hn::Mul(gamma, hn::Log(d, sum)));
        return hn::IfThenElse(hn::Eq(least, hn::Set(d, warping_cell<T>::infinity)), least, soft);
    }
};

template <bool Squared, class V>
HWY_INLINE V cost_of(V a, V b) {
    const V difference = hn::Sub(a, b);
    return Squared ? hn::Mul(difference, difference) : hn::Abs(difference);
}

/// f.template operator()<Squared, Minimum>() for the job's measure.
template <class T, class F>
HWY_INLINE void with_measure(bool squared, T gamma, const F& f) {
    if (gamma > 0)
        return squared ? f.template operator()<true, soft_minimum<T>>()
                       : f.template operator()<false, soft_minimum<T>>();
    squared ? f.template operator()<true, hard_minimum<T>>()
            : f.template operator()<false, hard_minimum<T>>();
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // for each target
