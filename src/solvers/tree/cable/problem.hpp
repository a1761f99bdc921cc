// problem - the channels of Hodgkin and Huxley (1952), as every backend has them. Voltages in mV, rates in
// 1/ms at 6.3 degrees Celsius; rest is at -65 mV.
#pragma once

#include <cmath>

#include "base/host_device.hpp"

namespace wale::tree {

/// Opening and closing rates of the gates m, h, n.
struct gate_rates {
    double open[3], close[3];
};

/// Beyond this distance from rest rates stay as they are there [mV]: no exponential leaves its range.
inline constexpr double most_excursion = 250;

/// x / (e^x - 1)
WALE_HD inline double exponential_ramp(double x) {
    if (fabs(x) > 0.02) return x / (exp(x) - 1);
    const double square = x * x;  // next term: x^8 / 1209600, below rounding
    return 1 - x / 2 + square / 12 * (1 - square / 60 * (1 - square / 42));
}

WALE_HD inline gate_rates rates_at(double v) {
    const double rise = fmin(fmax(v + 65, -most_excursion), most_excursion);
    gate_rates r;
    r.open[0] = exponential_ramp((25 - rise) / 10);
    r.close[0] = 4 * exp(-rise / 18);
    r.open[1] = 0.07 * exp(-rise / 20);
    r.close[1] = 1 / (exp((30 - rise) / 10) + 1);
    r.open[2] = 0.1 * exponential_ramp((10 - rise) / 10);
    r.close[2] = 0.125 * exp(-rise / 80);
    return r;
}

/// A gate after time dt (times the speed) at constant rates: exact for them.
WALE_HD inline double gate_after(double gate, double open, double close, double dt) {
    const double sum = open + close, rest = open / sum;
    return rest + (gate - rest) * exp(-dt * sum);
}

/// The voltage that goes from v `stretch` times as far as x. At 1 and 2 nothing but the result is rounded.
WALE_HD inline double stretched(double v, double x, double stretch) {
    return stretch * x - (stretch - 1) * v;
}

}  // namespace wale::tree
