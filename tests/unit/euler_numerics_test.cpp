// euler_numerics_test - fluxes and boundaries of the flow solver, one face at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/system.hpp"
#include "unit/euler_gas.hpp"

namespace wale::euler {
namespace {

constexpr euler_flux all_fluxes[] = {euler_flux::rodinia, euler_flux::central, euler_flux::rusanov,
                                     euler_flux::hllc, euler_flux::roe};

template <class Real>
flux_of<Real> flux(euler_flux which, const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                   const constants<Real>& k) {
    return with_flux(which, [&]<euler_flux Flux>() { return face_flux<Flux>(l, r, n, k); });
}

template <class Real>
class euler_fluxes : public testing::Test {};
using precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(euler_fluxes, precisions);

TYPED_TEST(euler_fluxes, are_the_negative_of_what_the_other_side_sees_to_the_bit) {
    const auto k = air<TypeParam>();
    numbers random;
    for (int i = 0; i < 2000; ++i) {
        const auto l = random.gas(k), r = random.gas(k);
        const auto n = random.template vector<TypeParam>();
        const TypeParam turned[3] = {-n[0], -n[1], -n[2]};
        for (const euler_flux which : all_fluxes) {
            const auto a = flux(which, l, r, n.data(), k), b = flux(which, r, l, turned, k);
            for (int v = 0; v < variables; ++v) ASSERT_EQ(a.at[v], -b.at[v]) << name_of(which) << ' ' << v;
        }
    }
}

TYPED_TEST(euler_fluxes, of_equal_sides_are_the_flux_of_the_gas) {
    const auto k = air<TypeParam>();
    numbers random;
    for (int i = 0; i < 2000; ++i) {
        const auto g = random.gas(k);
        const auto n = random.template vector<TypeParam>();
        const auto truth = physical_flux(g, n.data());
        const TypeParam wave = length_of(n.data()) * (speed(g) + g.c);
        const TypeParam scale[variables] = {g.rho * wave, g.rho * wave * wave, g.rho * wave * wave,
                                            g.rho * wave * wave, (g.energy + g.p) * wave};
        for (const euler_flux which : all_fluxes) {
            const auto f = flux(which, g, g, n.data(), k);
            for (int v = 0; v < variables; ++v)
                ASSERT_LE(std::fabs(f.at[v] - truth.at[v]), 16 * std::numeric_limits<TypeParam>::epsilon() *
                                                                (scale[v] + g.p * length_of(n.data())))
                    << name_of(which) << ' ' << v;
        }
    }
}

/// The same gas in units of 2^a of density, 2^b of speed.
template <class Real>
gas_point<Real> in_units(const gas_point<Real>& g, int a, int b) {
    const auto s = [](Real x, int e) { return std::ldexp(x, e); };
    return {s(g.rho, a), s(g.u, b), s(g.v, b), s(g.w, b), s(g.p, a + 2 * b), s(g.energy, a + 2 * b),
            s(g.c, b)};
}

TYPED_TEST(euler_fluxes, do_not_feel_powers_of_two_in_the_units) {
    const auto k = air<TypeParam>();
    numbers random;
    constexpr int a = 5, b = -3, area = 7;
    for (int i = 0; i < 500; ++i) {
        const auto l = random.gas(k), r = random.gas(k);
        const auto n = random.template vector<TypeParam>();
        const TypeParam large[3] = {std::ldexp(n[0], area), std::ldexp(n[1], area), std::ldexp(n[2], area)};
        const int powers[variables] = {a + b, a + 2 * b, a + 2 * b, a + 2 * b, a + 3 * b};
        for (const euler_flux which : all_fluxes) {
            const auto f = flux(which, l, r, n.data(), k);
            const auto g = flux(which, in_units(l, a, b), in_units(r, a, b), large, k);
            for (int v = 0; v < variables; ++v)
                ASSERT_EQ(std::ldexp(f.at[v], powers[v] + area), g.at[v]) << name_of(which);
        }
        const auto f = far_point(l, r, n.data(), k);
        const auto g = far_point(in_units(l, a, b), in_units(r, a, b), large, k);
        ASSERT_EQ(std::ldexp(f.rho, a), g.rho);
        ASSERT_EQ(std::ldexp(f.p, a + 2 * b), g.p);
        ASSERT_EQ(std::ldexp(f.u, b), g.u);
    }
}

TYPED_TEST(euler_fluxes, stay_finite_near_vacuum_and_in_strong_jumps) {
    const auto k = air<TypeParam>();
    const auto thin = [&](double rho, double u, double p) {
        return point_from(TypeParam(rho), TypeParam(u), TypeParam(0), TypeParam(0), TypeParam(p), k);
    };
    const std::vector<gas_point<TypeParam>> states = {thin(1e-12, 0, 1e-15), thin(1e-12, -50, 1e-15),
                                                      thin(1, -20, 0.4),     thin(1, 20, 0.4),
                                                      thin(1, 0, 1000),      thin(10, 0, 1e-6)};
    const TypeParam n[3] = {1, 0, 0};
    for (const auto& l : states)
        for (const auto& r : states)
            for (const euler_flux which : all_fluxes)
                for (const TypeParam f : flux(which, l, r, n, k).at)
                    ASSERT_TRUE(std::isfinite(f)) << name_of(which);
}

TYPED_TEST(euler_fluxes, of_hllc_keep_a_resting_contact) {
    const auto k = air<TypeParam>();
    const auto heavy = point_from<TypeParam>(7, 0, 0, 0, 1, k),
               light = point_from<TypeParam>(1, 0, 0, 0, 1, k);
    const TypeParam n[3] = {0, 2, 0};
    const auto f = hllc_flux(heavy, light, n);
    EXPECT_EQ(f.at[0], 0);
    EXPECT_EQ(f.at[2], 2);
    EXPECT_EQ(f.at[4], 0);
}

TYPED_TEST(euler_fluxes, of_hllc_and_roe_take_the_side_that_all_waves_come_from) {
    const auto k = air<TypeParam>();
    const auto l = point_from<TypeParam>(1, 3, 0, 0, 1, k), r = point_from<TypeParam>(2, 4, 1, 0, 1.5, k);
    const TypeParam n[3] = {1, 0, 0};
    const auto truth = physical_flux(l, n), hllc = hllc_flux(l, r, n), roe = roe_flux(l, r, n, k);
    for (int v = 0; v < variables; ++v) {
        EXPECT_EQ(hllc.at[v], truth.at[v]);
        EXPECT_NEAR(roe.at[v], truth.at[v], 40 * std::numeric_limits<TypeParam>::epsilon() * 20);
    }
}

TEST(euler_boundaries, take_each_invariant_from_the_side_that_its_wave_comes_from) {
    const auto k = air<double>();
    numbers random;
    int mixed = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto in = random.gas(k), far = random.gas(k);
        const auto v = random.vector<double>();
        const auto face = facing_of(v.data());
        const auto b = far_point(in, far, v.data(), k);
        const double qi = through(in, face.at), qf = through(far, face.at), qb = through(b, face.at);
        if (qi + in.c <= 0) {
            EXPECT_EQ(b.p, far.p);
        } else if (qf - far.c >= 0) {
            EXPECT_EQ(b.p, in.p);
        } else if (qi + 5 * in.c > qf - 5 * far.c) {
            ++mixed;
            const auto& from = qb > 0 ? in : far;
            EXPECT_NEAR(qb + 5 * b.c, qi + 5 * in.c, 1e-12);
            EXPECT_NEAR(qb - 5 * b.c, qf - 5 * far.c, 1e-12);
            EXPECT_NEAR(b.p / std::pow(b.rho, 1.4) / (from.p / std::pow(from.rho, 1.4)), 1, 1e-12);
            EXPECT_NEAR(b.u - qb * face.at[0], from.u - through(from, face.at) * face.at[0], 1e-12);
        }
        EXPECT_TRUE(b.rho > 0 && b.p > 0);
    }
    EXPECT_GT(mixed, 500);
}

/// Through an inlet the inner gas's outgoing invariant, the total enthalpy and the entropy of the gas at
/// rest; through an outlet the inner gas's invariant and entropy, and the pressure said.
TEST(euler_boundaries, of_slow_flow_keep_what_their_waves_carry) {
    const auto k = air<double>();
    numbers some;
    int choked = 0, calm = 0, stopped = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto n = some.vector<double>();
        const auto face = facing_of(n.data());
        auto inside = some.gas(k);
        const auto said = some.gas(k);
        const auto forth = [&](const gas_point<double>& g) {
            return through(g, face.at) + 2 / k.gamma_1 * g.c;
        };
        const auto entropy = [&](const gas_point<double>& g) { return g.p / std::pow(g.rho, k.gamma); };

        auto rest = point_from(said.rho, 0.0, 0.0, 0.0, said.p, k);
        const double tilt = some.between(0, 1);  // the direction: inward, but not straight
        double way[3] = {-face.at[0] + tilt * face.at[1], -face.at[1] - tilt * face.at[0], -face.at[2]};
        const double length = length_of(way);
        rest.u = rest.c * way[0] / length, rest.v = rest.c * way[1] / length,
        rest.w = rest.c * way[2] / length;
        const auto in = inlet_point(inside, rest, n.data(), k);
        const double v = speed(in);
        EXPECT_NEAR(in.c * in.c + 0.5 * k.gamma_1 * v * v, rest.c * rest.c, 1e-13 * rest.c * rest.c);
        EXPECT_NEAR(entropy(in), entropy(rest), 1e-12 * entropy(rest));
        EXPECT_NEAR(in.u * rest.c, v * rest.u, 1e-13 * v * rest.c);
        EXPECT_LE(through(in, face.at), 0);
        EXPECT_LE(v, in.c * (1 + 1e-12));
        if (v > 1e-9 && v < in.c * (1 - 1e-9)) {
            EXPECT_NEAR(forth(in), forth(inside), 1e-12 * (std::fabs(forth(inside)) + rest.c));
        }

        const auto out = outlet_point(inside, said, n.data(), k);
        const double q = through(out, face.at);
        EXPECT_NEAR(entropy(out), entropy(inside), 1e-12 * entropy(inside));
        if (through(inside, face.at) >= inside.c) {
            EXPECT_EQ(out.p, inside.p);
            EXPECT_EQ(out.rho, inside.rho);
            continue;
        }
        EXPECT_GE(q, -1e-14);
        EXPECT_LE(q, out.c * (1 + 1e-12));
        const bool slow = q < out.c * (1 - 1e-9), comes = through(inside, face.at) < 0 && out.p < said.p;
        ++(comes ? stopped : slow ? calm : choked);
        if (comes) {
            EXPECT_NEAR(q, 0, 1e-14) << "the face is a wall, which the wave unloads";
            EXPECT_LT(out.p, inside.p);
        } else if (slow) {
            EXPECT_EQ(out.p, said.p);
        } else {
            EXPECT_GE(out.p, said.p * (1 - 1e-12));
        }
        if (out.c > 0.07 * inside.c) {
            EXPECT_NEAR(forth(out), forth(inside), 1e-12 * (std::fabs(forth(inside)) + out.c));
        }
    }
    EXPECT_GT(choked, 100);
    EXPECT_GT(calm, 100);
    EXPECT_GT(stopped, 100);
}

TEST(euler_boundaries, give_walls_pressure_alone) {
    const auto k = air<double>();
    const auto g = point_from<double>(1, 2, 3, 4, 5, k);
    const double n[3] = {1, -2, 0.5};
    for (const euler_boundary kind : {euler_boundary::wall, euler_boundary::symmetry}) {
        const auto f = boundary_flux<euler_flux::hllc>(kind, g, g, n, k);
        EXPECT_EQ(f.at[0], 0);
        EXPECT_EQ(f.at[1], 5);
        EXPECT_EQ(f.at[2], -10);
        EXPECT_EQ(f.at[3], 2.5);
        EXPECT_EQ(f.at[4], 0);
    }
}

}  // namespace
}  // namespace wale::euler
