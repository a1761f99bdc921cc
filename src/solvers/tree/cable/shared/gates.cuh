// gates - exponentials and gates on the device, the arithmetic of gates-inl.hpp.
#pragma once

#include "solvers/tree/cable/problem.hpp"

namespace wale::tree {

/// e^r for |r| <= ln 2 / 2.
__device__ inline double small_exponential(double r) {
    const auto pair = [&](double low, double high) { return fma(r, 1 / high, 1 / low); };
    const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const double low = fma(r4, fma(r2, pair(720, 5040), pair(24, 120)), fma(r2, pair(2, 6), r + 1));
    const double high =
        fma(r4, pair(479001600, 6227020800), fma(r2, pair(3628800, 39916800), pair(40320, 362880)));
    return fma(r8, high, low);
}

/// e^x for x <= 0 within 2 units in the last place; below -700 as there.
__device__ inline double decay(double x) {
    const double inside = fmax(x, -700.0);
    const double shifted = fma(inside, 1.4426950408889634, 6755399441055744.0);
    const double k = shifted - 6755399441055744.0;
    const double r = fma(-k, 0x1.ef35793c7673p-45, fma(-k, 0x1.62e42fefa38p-1, inside));
    const double p = small_exponential(r);
    return __hiloint2double(__double2hiint(p) + (__double2loint(shifted) << 20), __double2loint(p));
}

struct gate_triple {
    double m, h, n;
};

/// As in gates-inl.hpp.
struct gate_motion {
    double z, d, n, product;
    __device__ gate_motion(double numerator, double denominator, double close)
        : z(numerator), d(denominator), n(fma(close, denominator, numerator)), product(d * n) {}
    __device__ double after(double gate, double reciprocal, double time) const {
        const double sum = n * n * reciprocal, rest = z * d * reciprocal;
        return fma(gate - rest, decay(-(time * sum)), rest);
    }
};

/// x / (e^x - 1) as z / d; e is e^x.
__device__ inline void ramp(double x, double e, double& z, double& d) {
    const double square = x * x;
    double series = fma(-square, 1.0 / 42, 1.0);
    series = fma(-(square * (1.0 / 60)), series, 1.0);
    series = fma(square * (1.0 / 12), series, fma(-x, 0.5, 1.0));
    const bool near = fabs(x) <= 0.02;
    z = near ? series : x;
    d = near ? 1.0 : e - 1;
}

__device__ inline gate_triple moved_gates(gate_triple g, double v, double time) {
    const double rise = fmin(fmax(v + 65, -most_excursion), most_excursion);
    const double u = small_exponential(rise * (-1.0 / 720));
    const double u2 = u * u, u4 = u2 * u2, u8 = u4 * u4, u16 = u8 * u8;
    const double w18 = u16 * u16 * u8, w80 = u8 * u, w40 = w80 * w80, w20 = w40 * w40, w10 = w20 * w20;
    const double tenth = rise * -0.1;
    double z, d;
    ramp(tenth + 2.5, w10 * 12.182493960703473, z, d);
    const gate_motion m(z, d, w18 * 4);
    const gate_motion closed(1.0, fma(w10, 20.085536923187668, 1.0), w20 * 0.07);
    ramp(tenth + 1, w10 * 2.718281828459045, z, d);
    const gate_motion n(z * 0.1, d, w80 * 0.125);
    const double both = m.product * closed.product, reciprocal = 1 / (both * n.product);
    const double of_both = reciprocal * n.product;
    g.m = m.after(g.m, of_both * closed.product, time);
    g.h = 1 - closed.after(1 - g.h, of_both * m.product, time);
    g.n = n.after(g.n, reciprocal * both, time);
    return g;
}

/// What the open channels add to a compartment's conductance and current, for 1 um2.
__device__ inline void add_channels(const gate_triple& g, double g_na, double g_k,
                                    const double (&reversal)[2], double& conductance, double& current) {
    const double na = g_na * (g.m * g.m * (g.m * g.h)), square = g.n * g.n, k = g_k * (square * square);
    conductance += na + k;
    current += fma(na, reversal[0], k * reversal[1]);
}

}  // namespace wale::tree
