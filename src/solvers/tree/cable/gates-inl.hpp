// gates - exponentials and the gates of Hodgkin and Huxley for a vector of compartments. Once for each
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

/// e^x within 2 units in the last place (measured: tests/unit/cable_gates_test.cpp); x is taken between -700
/// and 700. Reduced to |r| <= ln 2 / 2, where Taylor's polynomial of degree 13 is exact to rounding.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exponential(D d, V x) {
    const auto constant = [&](double c) HWY_ATTR { return hn::Set(d, c); };
    const V inside = hn::Min(hn::Max(x, constant(-700)), constant(700));
    const V shift = constant(6755399441055744.0);  // 1.5 * 2^52: the sum's last bits are the rounded integer
    const V shifted = hn::MulAdd(inside, constant(1.4426950408889634), shift);
    const V k = hn::Sub(shifted, shift);
    V r = hn::NegMulAdd(k, constant(0x1.62e42fefa38p-1), inside);
    r = hn::NegMulAdd(k, constant(0x1.ef35793c7673p-45), r);
    const V r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2), r8 = hn::Mul(r4, r4);
    const auto pair = [&](double low, double high)
                          HWY_ATTR { return hn::MulAdd(r, constant(1 / high), constant(1 / low)); };
    const V p01 = hn::Add(r, constant(1)), p23 = pair(2, 6), p45 = pair(24, 120), p67 = pair(720, 5040),
            p89 = pair(40320, 362880), p1011 = pair(3628800, 39916800), p1213 = pair(479001600, 6227020800);
    const V low = hn::MulAdd(r4, hn::MulAdd(r2, p67, p45), hn::MulAdd(r2, p23, p01));
    const V high = hn::MulAdd(r4, p1213, hn::MulAdd(r2, p1011, p89));
    const V p = hn::MulAdd(r8, high, low);
    const hn::RebindToSigned<D> bits;
    return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), hn::ShiftLeft<52>(hn::BitCast(bits, shifted))));
}

/// The gates of a vector of compartments.
template <class V>
struct gate_values {
    V m, h, n;
};

/// A rate open = z / d and a closing rate: the gate after `time`. One division: the common reciprocal of d
/// and of n = z + close d gives both open + close = n / d and open / (open + close) = z / n.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V moved_gate(D d, V gate, V z, V denominator, V close, V time) {
    const V n = hn::MulAdd(close, denominator, z);
    const V reciprocal = hn::Div(hn::Set(d, 1.0), hn::Mul(denominator, n));
    const V sum = hn::Mul(hn::Mul(n, n), reciprocal), rest = hn::Mul(hn::Mul(z, denominator), reciprocal);
    const V decay = exponential(d, hn::Neg(hn::Mul(time, sum)));
    return hn::MulAdd(hn::Sub(gate, rest), decay, rest);
}

/// x / (e^x - 1) as numerator and denominator; near 0 the series over 1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void ramp(D d, V x, V e, V& z, V& denominator) {
    const auto constant = [&](double c) HWY_ATTR { return hn::Set(d, c); };
    const V square = hn::Mul(x, x);
    V series = hn::NegMulAdd(square, constant(1.0 / 42), constant(1));
    series = hn::NegMulAdd(hn::Mul(square, constant(1.0 / 60)), series, constant(1));
    series =
        hn::MulAdd(hn::Mul(square, constant(1.0 / 12)), series, hn::NegMulAdd(x, constant(0.5), constant(1)));
    const auto near = hn::Le(hn::Abs(x), constant(0.02));
    z = hn::IfThenElse(near, series, x);
    denominator = hn::IfThenElse(near, constant(1), hn::Sub(e, constant(1)));
}

/// All gates after `time` at voltage v. All exponentials of v / 10, v / 20, v / 80 are powers of one.
template <class D, class V = hn::Vec<D>>
HWY_INLINE gate_values<V> moved_gates(D d, gate_values<V> g, V v, V time) {
    const auto constant = [&](double c) HWY_ATTR { return hn::Set(d, c); };
    const V rise =
        hn::Min(hn::Max(hn::Add(v, constant(65)), constant(-most_excursion)), constant(most_excursion));
    const V w80 = exponential(d, hn::Mul(rise, constant(-1.0 / 80))), w40 = hn::Mul(w80, w80),
            w20 = hn::Mul(w40, w40), w10 = hn::Mul(w20, w20);
    const V w18 = exponential(d, hn::Mul(rise, constant(-1.0 / 18)));
    const V tenth = hn::Mul(rise, constant(-0.1));
    V z = w10, below = w10;
    ramp(d, hn::Add(tenth, constant(2.5)), hn::Mul(w10, constant(12.182493960703473)), z, below);
    g.m = moved_gate(d, g.m, z, below, hn::Mul(w18, constant(4)), time);
    // h: opening 0.07 w20, closing 1 / (e^3 w10 + 1): the roles of the two rates change places.
    const V closed = hn::Sub(constant(1), g.h);
    below = hn::MulAdd(w10, constant(20.085536923187668), constant(1));
    g.h = hn::Sub(constant(1), moved_gate(d, closed, constant(1), below, hn::Mul(w20, constant(0.07)), time));
    ramp(d, hn::Add(tenth, constant(1)), hn::Mul(w10, constant(2.718281828459045)), z, below);
    // 0.1 z / below + 0.125 w80
    g.n = moved_gate(d, g.n, hn::Mul(z, constant(0.1)), below, hn::Mul(w80, constant(0.125)), time);
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
