// gates-inl - exponentials and the gates of Hodgkin and Huxley for a vector of compartments. Once for each
// Highway target.
#if defined(WALE_TREE_GATES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_TREE_GATES_INL
#undef WALE_TREE_GATES_INL
#else
#define WALE_TREE_GATES_INL
#endif

#include <hwy/highway.h>

#include "solvers/tree/cable/problem.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// e^r for |r| <= 0.3473 as 1 + r + r^2 q(r); q interpolates at ten Chebyshev points: exact to 2e-17 before
/// rounding.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V small_exponential(D d, V r) {
    constexpr double q[] = {0.5000000000000001,     0.16666666666666669,   0.04166666666662348,
                            0.008333333333330011,   0.0013888888917538296, 0.00019841269863303223,
                            2.4801520792572694e-05, 2.75572680728901e-06,  2.762032742826824e-07,
                            2.5100569275813683e-08};
    V sum = hn::Set(d, q[9]);
    for (int k = 8; k >= 0; --k) sum = hn::MulAdd(sum, r, hn::Set(d, q[k]));
    return hn::MulAdd(hn::Mul(r, r), sum, hn::Add(r, hn::Set(d, 1.0)));
}

/// e^x for x <= 0 within 1e-15 (tests/unit/cable_gates_test.cpp); below -700 as there. What is added to a
/// gate needs no more digits than the gate has: one constant for ln 2 serves.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V decay(D d, V x) {
    const V inside = hn::Max(x, hn::Set(d, -700.0));
    const V shift =
        hn::Set(d, 6755399441055744.0);  // 1.5 * 2^52: the sum's last bits are the rounded integer
    const V shifted = hn::MulAdd(inside, hn::Set(d, 1.4426950408889634), shift);
    const V r = hn::NegMulAdd(hn::Sub(shifted, shift), hn::Set(d, 0.6931471805599453), inside);
    const hn::RebindToSigned<D> bits;
    return hn::BitCast(d, hn::Add(hn::BitCast(bits, small_exponential(d, r)),
                                  hn::ShiftLeft<52>(hn::BitCast(bits, shifted))));
}

/// The gates of a vector of compartments.
template <class V>
struct gate_values {
    V m, h, n;
};

/// A gate that opens at the rate z / d and closes at `close`: with n = z + close d the sum of the rates is n
/// / d and their rest z / n, so that the reciprocal of d n gives both.
template <class V>
struct gate_motion {
    V z, d, n, product;
    HWY_INLINE gate_motion(V numerator, V denominator, V close)
        : z(numerator),
          d(denominator),
          n(hn::MulAdd(close, denominator, numerator)),
          product(hn::Mul(d, n)) {}
    template <class D>
    HWY_INLINE V after(D tag, V gate, V reciprocal, V minus_time) const {
        const V sum = hn::Mul(hn::Mul(n, n), reciprocal), rest = hn::Mul(hn::Mul(z, d), reciprocal);
        const V left = decay(tag, hn::Mul(minus_time, sum));
        return hn::MulAdd(hn::Sub(gate, rest), left, rest);
    }
};

/// x / (e^x - 1) as numerator and denominator; near 0 the series over 1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void ramp(D d, V x, V e, V& z, V& denominator) {
    const auto constant = [&](double c) HWY_ATTR { return hn::Set(d, c); };
    const V series = hn::MulAdd(hn::MulAdd(x, constant(1.0 / 12), constant(-0.5)), x, constant(1));
    const auto near = hn::Le(hn::Abs(x), constant(0.001));  // the next term is below 2e-15
    z = hn::IfThenElse(near, series, x);
    denominator = hn::IfThenElse(near, constant(1), hn::Sub(e, constant(1)));
}

/// All gates after a time, given with a minus, at voltage v. Every exponential of v is a power of one, of v /
/// 720, and one division serves all three gates: within the most excursion no product leaves its range.
template <class D, class V = hn::Vec<D>>
HWY_INLINE gate_values<V> moved_gates(D d, gate_values<V> g, V v, V minus_time) {
    const auto constant = [&](double c) HWY_ATTR { return hn::Set(d, c); };
    static_assert(most_excursion / 720 <= 0.34722222222222224);
    const V rise =
        hn::Min(hn::Max(hn::Add(v, constant(65)), constant(-most_excursion)), constant(most_excursion));
    const V u = small_exponential(d, hn::Mul(rise, constant(-1.0 / 720)));
    const V u2 = hn::Mul(u, u), u4 = hn::Mul(u2, u2), u8 = hn::Mul(u4, u4), u16 = hn::Mul(u8, u8);
    const V w18 = hn::Mul(hn::Mul(u16, u16), u8), w80 = hn::Mul(u8, u);
    const V w40 = hn::Mul(w80, w80), w20 = hn::Mul(w40, w40), w10 = hn::Mul(w20, w20);
    const V tenth = hn::Mul(rise, constant(-0.1));
    V z = w10, below = w10;
    ramp(d, hn::Add(tenth, constant(2.5)), hn::Mul(w10, constant(12.182493960703473)), z, below);
    const gate_motion<V> m(z, below, hn::Mul(w18, constant(4)));
    // h opens at 0.07 w20 and closes at 1 / (e^3 w10 + 1): 1 - h with the rates exchanged.
    const V closing = hn::MulAdd(w10, constant(20.085536923187668), constant(1));
    const gate_motion<V> closed(constant(1), closing, hn::Mul(w20, constant(0.07)));
    ramp(d, hn::Add(tenth, constant(1)), hn::Mul(w10, constant(2.718281828459045)), z, below);
    const gate_motion<V> n(hn::Mul(z, constant(0.1)), below, hn::Mul(w80, constant(0.125)));
    const V both = hn::Mul(m.product, closed.product);
    const V reciprocal = hn::Div(constant(1), hn::Mul(both, n.product)),
            of_both = hn::Mul(reciprocal, n.product);
    g.m = m.after(d, g.m, hn::Mul(of_both, closed.product), minus_time);
    g.h = hn::Sub(constant(1),
                  closed.after(d, hn::Sub(constant(1), g.h), hn::Mul(of_both, m.product), minus_time));
    g.n = n.after(d, g.n, hn::Mul(reciprocal, both), minus_time);
    return g;
}

/// Conductances of sodium and potassium for 1 uS of each.
template <class V>
HWY_INLINE void open_parts(const gate_values<V>& g, V& na, V& k) {
    na = hn::Mul(hn::Mul(g.m, g.m), hn::Mul(g.m, g.h));
    const V square = hn::Mul(g.n, g.n);
    k = hn::Mul(square, square);
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
