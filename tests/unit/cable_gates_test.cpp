// cable_gates_test - the vector code's exponential and gates against the C library's, number by number.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/cable_gates_test.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cmath>
#include <vector>

#include "solvers/tree/cable/shared/gates-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // the rows refuse such a machine
void decays(std::vector<double>& x) {
    for (double& v : x) v = std::exp(std::fmax(v, -700));
}
void move(double* gates, double v, double time) {
    const gate_rates r = rates_at(v);
    for (int g = 0; g < 3; ++g) gates[g] = gate_after(gates[g], r.open[g], r.close[g], time);
}
#else
void decays(std::vector<double>& x) {
    const hn::ScalableTag<double> d;
    for (double& v : x) v = hn::GetLane(decay(d, hn::Set(d, v)));
}
void move(double* gates, double v, double time) {
    const hn::ScalableTag<double> d;
    using V = hn::Vec<hn::ScalableTag<double>>;
    const gate_values<V> before{hn::Set(d, gates[0]), hn::Set(d, gates[1]), hn::Set(d, gates[2])};
    const auto after = moved_gates(d, before, hn::Set(d, v), hn::Set(d, -time));
    gates[0] = hn::GetLane(after.m);
    gates[1] = hn::GetLane(after.h);
    gates[2] = hn::GetLane(after.n);
}
#endif

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

namespace wale::tree {
HWY_EXPORT(decays);
HWY_EXPORT(move);

namespace {

TEST(cable_gates, the_exponential_is_good_to_rounding) {
    std::vector<double> x;
    for (double v = 0; v < 700; v += 0.0137 + v / 5000) x.push_back(-v);
    for (double v = 1e-300; v < 1; v *= 1.7) x.push_back(-v);
    std::vector<double> found = x;
    HWY_DYNAMIC_DISPATCH(decays)(found);
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double exact = std::exp(x[k]);
        EXPECT_LE(std::fabs(found[k] - exact), std::fmin(1e-15, exact * (1e-15 - 1e-16 * x[k]))) << x[k];
    }
    std::vector<double> far{-1e300, -701, -std::numeric_limits<double>::infinity()};
    HWY_DYNAMIC_DISPATCH(decays)(far);
    for (const double v : far) EXPECT_NEAR(v, 0, 1e-300);
}

TEST(cable_gates, gates_move_as_the_formulas_say) {
    for (const double time : {1e-6, 0.025, 1.0, 50.0})
        for (double v = -500; v < 400; v += 0.61803)
            for (const double start : {0.0, 0.3, 1.0}) {
                double found[3] = {start, start, start};
                HWY_DYNAMIC_DISPATCH(move)(found, v, time);
                const gate_rates r = rates_at(v);
                for (int g = 0; g < 3; ++g)
                    EXPECT_NEAR(found[g], gate_after(start, r.open[g], r.close[g], time), 3e-13)
                        << v << " " << time << " " << g;
            }
}

/// Where a rate is 0 / 0 on paper: e^x - 1 has few digits there.
TEST(cable_gates, ramps_are_smooth) {
    for (const double centre : {-40.0, -55.0})
        for (const double off : {0.0, 1e-12, -1e-9, 1e-6, 0.009999, 0.010001, -0.009999, -0.010001}) {
            double found[3] = {0.1, 0.5, 0.4};
            HWY_DYNAMIC_DISPATCH(move)(found, centre + off, 0.025);
            const gate_rates r = rates_at(centre + off);
            EXPECT_NEAR(found[0], gate_after(0.1, r.open[0], r.close[0], 0.025), 1e-12) << off;
            EXPECT_NEAR(found[2], gate_after(0.4, r.open[2], r.close[2], 0.025), 1e-12) << off;
        }
}

}  // namespace
}  // namespace wale::tree
#endif
