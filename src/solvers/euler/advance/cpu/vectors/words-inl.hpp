// words-inl - a record's five words in few vectors. Included once for each instruction set.
#if defined(WALE_EULER_WORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_EULER_WORDS_INL
#undef WALE_EULER_WORDS_INL
#else
#define WALE_EULER_WORDS_INL
#endif

#include <hwy/highway.h>

#include "solvers/euler/advance/cell.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::euler::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET != HWY_SCALAR

/// The five words of a record that mean something, in as few vectors as hold them; stores write whole
/// records.
template <class Real>
struct words_of {
    using D = hn::CappedTag<Real, 8>;
    using V = hn::Vec<D>;
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    static constexpr int parts = (variables + lanes - 1) / lanes;
    V part[parts];

    static HWY_INLINE words_of load(const Real* from) {
        words_of w;
        for (int i = 0; i < parts; ++i) w.part[i] = hn::LoadU(D(), from + i * lanes);
        return w;
    }
    static HWY_INLINE words_of all(Real x) {
        words_of w;
        for (int i = 0; i < parts; ++i) w.part[i] = hn::Set(D(), x);
        return w;
    }
    /// Up to eight words from `to`.
    HWY_INLINE void store(Real* to) const {
        for (int i = 0; i < parts; ++i) hn::StoreU(part[i], D(), to + i * lanes);
    }
};
/// f(vector of a, of b, ...) for every part.
template <class Real, class F, class... Rest>
HWY_INLINE words_of<Real> each(const F& f, const words_of<Real>& a, const Rest&... rest) {
    words_of<Real> out;
    for (int i = 0; i < words_of<Real>::parts; ++i) out.part[i] = f(a.part[i], rest.part[i]...);
    return out;
}
template <class Real>
HWY_INLINE words_of<Real> plus_product(const words_of<Real>& a, const words_of<Real>& b,
                                       const words_of<Real>& sum) {
    return each<Real>([](auto x, auto y, auto z) HWY_ATTR { return hn::MulAdd(x, y, z); }, a, b, sum);
}
template <class Real>
HWY_INLINE words_of<Real> difference(const words_of<Real>& a, const words_of<Real>& b) {
    return each<Real>([](auto x, auto y) HWY_ATTR { return hn::Sub(x, y); }, a, b);
}
template <class Real>
HWY_INLINE words_of<Real> least(const words_of<Real>& a, const words_of<Real>& b) {
    return each<Real>([](auto x, auto y) HWY_ATTR { return hn::Min(x, y); }, a, b);
}
template <class Real>
HWY_INLINE words_of<Real> most(const words_of<Real>& a, const words_of<Real>& b) {
    return each<Real>([](auto x, auto y) HWY_ATTR { return hn::Max(x, y); }, a, b);
}
template <class Real>
HWY_INLINE words_of<Real> product(const words_of<Real>& a, const words_of<Real>& b) {
    return each<Real>([](auto x, auto y) HWY_ATTR { return hn::Mul(x, y); }, a, b);
}

#endif
}  // namespace wale::euler::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // WALE_EULER_WORDS_INL
