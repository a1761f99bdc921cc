// euler_gas - random gas and the constants of air, for the tests of the flow solver's parts.
#pragma once

#include <array>
#include <random>

#include "solvers/euler/advance/problem.hpp"

namespace wale::euler {

class numbers {
public:
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(source_()) / 4294967295.0);
    }
    template <class Real>
    gas_point<Real> gas(const constants<Real>& k) {
        const auto r = [&](double a, double b) { return static_cast<Real>(between(a, b)); };
        return point_from(r(0.1, 4), r(-3, 3), r(-3, 3), r(-3, 3), r(0.1, 4), k);
    }
    template <class Real>
    std::array<Real, 3> vector() {
        const auto r = [&] { return static_cast<Real>(between(-1, 1)); };
        return {r(), r(), r()};
    }

private:
    std::mt19937 source_{20};
};

template <class Real>
[[nodiscard]] constants<Real> air() {
    constants<Real> k;
    k.gamma = Real(1.4);
    k.gamma_1 = Real(0.4);
    k.dissipation = Real(0.2);
    k.entropy_fix = Real(0.1);
    k.inverse_length = 1;
    for (Real& u : k.unit_squares) u = 1;
    return k;
}

}  // namespace wale::euler
