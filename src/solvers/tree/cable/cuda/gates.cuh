// gates - exponentials and gates on the device, the arithmetic of gates-inl.hpp.
#pragma once

#include "solvers/tree/cable/problem.hpp"

namespace wale::tree {

/// e^x within 2 units in the last place for -700 <= x <= 700, and there beyond.
__device__ inline double exponential(double x) {
    const double inside = fmin(fmax(x, -700.0), 700.0);
    const double shifted = fma(inside, 1.4426950408889634, 6755399441055744.0);
    const double k = shifted - 6755399441055744.0;
    double r = fma(-k, 0x1.62e42fefa38p-1, inside);
    r = fma(-k, 0x1.ef35793c7673p-45, r);
    const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const auto pair = [&](double low, double high) { return fma(r, 1 / high, 1 / low); };
    const double low = fma(r4, fma(r2, pair(720, 5040), pair(24, 120)), fma(r2, pair(2, 6), r + 1));
    const double high =
        fma(r4, pair(479001600, 6227020800), fma(r2, pair(3628800, 39916800), pair(40320, 362880)));
    const double p = fma(r8, high, low);
    return __hiloint2double(__double2hiint(p) + (__double2loint(shifted) << 20), __double2loint(p));
}

struct gate_triple {
    double m, h, n;
};

/// As in gates-inl.hpp: one division for the sum of the rates z / d + close and for the rest.
__device__ inline double moved_gate(double gate, double z, double d, double close, double time) {
    const double n = fma(close, d, z), reciprocal = 1 / (d * n);
    const double sum = n * n * reciprocal, rest = z * d * reciprocal;
    return fma(gate - rest, exponential(-(time * sum)), rest);
}

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
    const double w80 = exponential(rise * (-1.0 / 80)), w40 = w80 * w80, w20 = w40 * w40, w10 = w20 * w20;
    const double w18 = exponential(rise * (-1.0 / 18)), tenth = rise * -0.1;
    double z, d;
    ramp(tenth + 2.5, w10 * 12.182493960703473, z, d);
    g.m = moved_gate(g.m, z, d, w18 * 4, time);
    g.h = 1 - moved_gate(1 - g.h, 1.0, fma(w10, 20.085536923187668, 1.0), w20 * 0.07, time);
    ramp(tenth + 1, w10 * 2.718281828459045, z, d);
    g.n = moved_gate(g.n, z * 0.1, d, w80 * 0.125, time);
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
