// euler_numerics_test - the flow solver's parts one by one: fluxes, boundaries, gradients, limiters, steps,
// smoothing, and the sums that measurements are made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "base/order_free_sum.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {
namespace {

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
constants<Real> air() {
    constants<Real> k;
    k.gamma = Real(1.4);
    k.gamma_1 = Real(0.4);
    k.dissipation = Real(0.2);
    k.entropy_fix = Real(0.1);
    k.inverse_length = 1;
    for (Real& u : k.unit_squares) u = 1;
    return k;
}

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
    int choked = 0, calm = 0;
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
        EXPECT_GE(out.p, said.p * (1 - 1e-12));
        const bool slow = q < out.c * (1 - 1e-9);
        ++(slow ? calm : choked);
        if (slow) {
            EXPECT_EQ(out.p, said.p);
        }
        if (q > 1e-9) {
            EXPECT_NEAR(forth(out), forth(inside), 1e-12 * (std::fabs(forth(inside)) + out.c));
        }
    }
    EXPECT_GT(choked, 100);
    EXPECT_GT(calm, 100);
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

mesh box_of(cell_shape shape, index_t size) {
    return generate_mesh({.kind = mesh_kind::box, .size = size, .shape = shape, .distortion = 0.25});
}
euler_options all_far(const mesh& m) {
    euler_options o;
    for (const std::string& p : m.patches) o.patches.push_back({p, euler_boundary::far_field});
    return o;
}
std::vector<double> states_of(const flow_system& s, const auto& primitive) {
    const auto k = constants_of<double>(s);
    std::vector<double> all;
    for (index_t i = 0; i < s.cells(); ++i) {
        const double* x = &s.grid.centre[static_cast<std::size_t>(3 * i)];
        const auto g = point_from(primitive(0, x), primitive(1, x), primitive(2, x), primitive(3, x),
                                  primitive(4, x), k);
        all.insert(all.end(), {g.rho, g.rho * g.u, g.rho * g.v, g.rho * g.w, g.energy});
    }
    return all;
}
/// Whether a cell has no boundary within two rings.
bool is_inner(const mesh& m, index_t cell, int rings = 2) {
    for (index_t r = m.first_face[static_cast<std::size_t>(cell)];
         r < m.first_face[static_cast<std::size_t>(cell) + 1]; ++r) {
        const std::int32_t other = m.neighbour[static_cast<std::size_t>(r)];
        if (is_patch(other) || (rings > 1 && !is_inner(m, other, rings - 1))) return false;
    }
    return true;
}

class euler_gradients : public testing::TestWithParam<cell_shape> {};
INSTANTIATE_TEST_SUITE_P(shapes, euler_gradients,
                         testing::Values(cell_shape::triangle, cell_shape::quadrilateral,
                                         cell_shape::tetrahedron, cell_shape::prism, cell_shape::hexahedron),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(euler_gradients, of_linear_fields_are_exact) {
    const mesh m = box_of(GetParam(), dimensions_of(GetParam()) == 2 ? 400 : 3000);
    euler_options o = all_far(m);
    o.scheme.limiter = euler_limiter::none;
    const flow_system s(m, o);
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    const bool flat = m.dimensions == 2;
    const auto slope = [&](int v, int d) {
        return flat && (d == 2 || v == 3) ? 0 : 0.01 * (v + 1) - 0.02 * d;
    };
    const auto value = [&](int v, const double* x) {
        return (v == 3 && flat ? 0 : 2.0) + slope(v, 0) * x[0] + slope(v, 1) * x[1] + slope(v, 2) * x[2];
    };
    const std::vector<double> states = states_of(s, value);
    int inner = 0;
    for (index_t i = 0; i < s.cells(); ++i) {
        if (!is_inner(s.grid, i)) continue;
        ++inner;
        const auto g = cell_gradient(arrays.grid, cell_major_states<double>{states.data()}, i, k);
        for (int v = 0; v < variables; ++v)
            for (int d = 0; d < 3; ++d)
                ASSERT_NEAR(g.at[v][d], slope(v, d), 1e-12) << i << ' ' << v << ' ' << d;
    }
    EXPECT_GT(inner, 100);
}

TEST_P(euler_gradients, that_are_limited_make_no_new_extremes) {
    const mesh m = box_of(GetParam(), 500);
    numbers random;
    const auto value = [&](int v, const double*) {
        return m.dimensions == 2 && v == 3 ? 0.0 : random.between(0.5, 2);
    };
    for (const euler_limiter limiter : {euler_limiter::barth_jespersen, euler_limiter::venkatakrishnan}) {
        euler_options o = all_far(m);
        o.scheme.limiter = limiter;
        o.scheme.limiter_k = 0;
        const flow_system s(m, o);
        const host_arrays<double> arrays(s);
        const auto k = constants_of<double>(s);
        const std::vector<double> raw = states_of(s, value);
        const cell_major_states<double> states{raw.data()};
        for (index_t i = 0; i < s.cells(); ++i) {
            const auto own = states.point(i, k);
            const auto g = cell_gradient(arrays.grid, states, i, k);
            value_range<double> range(primitives_of(own));
            for (index_t r = arrays.grid.begin(i); r < arrays.grid.end(i); ++r)
                range.add(behind(arrays.grid, states, own, r, k).values);
            for (index_t r = arrays.grid.begin(i); r < arrays.grid.end(i); ++r) {
                double x[3];
                arrays.grid.offset(r, x);
                const auto p = primitives_of(carried_to(own, g, x, k));
                for (int v = 0; v < variables; ++v) {
                    ASSERT_GE(p.at[v], range.least[v] - 1e-13);
                    ASSERT_LE(p.at[v], range.most[v] + 1e-13);
                }
            }
        }
    }
}

TEST(euler_gradients, along_a_direction_without_neighbours_are_zero) {
    normal_equations<double> e;
    const primitives<double> own{{1, 1, 1, 1, 1}}, other{{2, 3, 4, 5, 6}};
    const double d[3] = {0, 3, 4};
    e.add(d, own, other);
    const auto g = e.solved();
    for (int v = 0; v < variables; ++v) {
        EXPECT_EQ(g.at[v][0], 0);
        EXPECT_NEAR(along(g.at[v], d), v + 1, 1e-14);  // what it can know, it knows
    }
    const auto none = normal_equations<double>().solved();
    for (const auto& v : none.at)
        for (const double x : v) EXPECT_EQ(x, 0);
}

TEST(euler_gradients, that_would_make_no_gas_are_left_out) {
    const auto k = air<double>();
    const auto g = point_from<double>(1, 1, 0, 0, 1, k);
    gradient_of<double> slope{};
    slope.at[1][0] = 1;
    const double x[3] = {1, 0, 0};
    EXPECT_EQ(carried_to(g, slope, x, k).u, 2);
    slope.at[4][0] = -1;  // the pressure would be 0
    EXPECT_EQ(carried_to(g, slope, x, k).u, 1);
    EXPECT_EQ(pressure_at(g, slope, x), 1);
    slope.at[4][0] = std::nan("");
    EXPECT_EQ(carried_to(g, slope, x, k).u, 1);
}

TEST(euler_steps, of_a_square_are_its_side_over_its_waves) {
    const mesh m = generate_mesh({.kind = mesh_kind::box, .size = 100, .shape = cell_shape::quadrilateral});
    euler_options o = all_far(m);
    o.scheme.cfl = 0.5;
    const flow_system s(m, o);
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    const auto g = point_from<double>(1.4, 3, -2, 0, 1, k);  // c = 1
    const double step = step_over_volume(euler_step::local, arrays.grid, g, 0, k) * arrays.volumes[0];
    EXPECT_NEAR(step, 0.5 * 1 / (3 + 2 + 1 + 1), 1e-14);  // sides are 1
    const double published = step_over_volume(euler_step::rodinia, arrays.grid, g, 0, k);
    EXPECT_NEAR(published, 0.5 / (std::sqrt(arrays.volumes[0]) * (std::sqrt(13.0) + 1)), 1e-14);
}

TEST(euler_smoothing, sums_to_the_same_and_solves_its_equation) {
    const mesh m = box_of(cell_shape::triangle, 200);
    euler_options o = all_far(m);
    o.scheme.smoothing_factor = 0.5;
    const flow_system s(m, o);
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    numbers random;
    std::vector<flux_of<double>> rough(static_cast<std::size_t>(s.cells()));
    for (auto& f : rough)
        for (double& v : f.at) v = random.between(-1, 1);
    auto smooth = rough, next = rough;
    for (int sweep = 0; sweep < 100; ++sweep) {
        for (index_t i = 0; i < s.cells(); ++i)
            next[static_cast<std::size_t>(i)] = smoothed(arrays.grid, rough.data(), smooth.data(), i, k);
        std::swap(smooth, next);
    }
    double before = 0, after = 0, swing = 0;
    for (std::size_t i = 0; i < rough.size(); ++i) {
        before += rough[i].at[0];
        after += smooth[i].at[0];
        swing += std::fabs(smooth[i].at[0]);
        double left = smooth[i].at[0];
        for (index_t r = s.grid.first_face[i]; r < s.grid.first_face[i + 1]; ++r) {
            const std::int32_t other = s.grid.neighbour[static_cast<std::size_t>(r)];
            if (!is_patch(other))
                left += 0.5 * (smooth[i].at[0] - smooth[static_cast<std::size_t>(other)].at[0]);
        }
        EXPECT_NEAR(left, rough[i].at[0], 1e-12);
    }
    EXPECT_NEAR(before, after, 1e-11);
    EXPECT_LT(swing, 0.6 * static_cast<double>(rough.size()) / 2);
}

TEST(euler_smoothing, is_refused_where_time_matters) {
    const mesh m = box_of(cell_shape::quadrilateral, 16);
    euler_options o = all_far(m);
    o.scheme.step = euler_step::global;
    o.scheme.smoothing = 2;
    EXPECT_NO_THROW(flow_system(m, o));
    o.end_time = 1;
    EXPECT_THROW(flow_system(m, o), bad_argument);
    o.scheme.smoothing = 0;
    EXPECT_NO_THROW(flow_system(m, o));
}

double sum_of(const std::vector<double>& terms) {
    double largest = 0;
    for (const double t : terms) largest = std::max(largest, std::fabs(t));
    base::order_free_sum s(largest);
    for (const double t : terms) s.add(t);
    return s.value();
}

TEST(order_free_sum, has_the_same_bits_in_any_order) {
    numbers random;
    std::vector<double> terms;
    for (int i = 0; i < 3000; ++i)
        terms.push_back(std::ldexp(random.between(-1, 1), static_cast<int>(random.between(-300, 300))));
    const double first = sum_of(terms);
    std::mt19937 shuffle(3);
    for (int i = 0; i < 5; ++i) {
        std::ranges::shuffle(terms, shuffle);
        EXPECT_EQ(sum_of(terms), first);
    }
    std::vector<double> turned;
    for (const double t : terms) turned.push_back(-t);
    EXPECT_EQ(sum_of(turned), -first);
}

TEST(order_free_sum, of_parts_is_the_sum_of_all) {
    base::order_free_sum all(8.0), left(8.0), right(8.0);
    for (const double t : {8.0, -3.25, 1e-9, -7.5}) all.add(t);
    for (const double t : {8.0, 1e-9}) left.add(t);
    for (const double t : {-3.25, -7.5}) right.add(t);
    left.add_part(right.part());
    EXPECT_EQ(left.value(), all.value());
}

TEST(order_free_sum, keeps_small_sums_of_both_signs) {
    // Cancels but for a hundred-millionth: that is left, whatever its sign.
    EXPECT_NEAR(sum_of({1, -1, 1e-8}), 1e-8, 1e-18);
    EXPECT_NEAR(sum_of({1, -1, -1e-8}), -1e-8, 1e-18);
    EXPECT_EQ(sum_of({1, -1, std::ldexp(-1.0, -61)}), std::ldexp(-1.0, -61));
}

TEST(order_free_sum, holds_the_ends_of_the_range_and_says_nan) {
    EXPECT_EQ(sum_of({}), 0);
    EXPECT_EQ(sum_of({0, 0}), 0);
    EXPECT_EQ(sum_of({1.5e308, -1.5e308, 1.5e308}), 1.5e308);
    EXPECT_EQ(sum_of({1.5e308, 1.5e308}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(sum_of({1e-250, 1e-250}), 2e-250);
    EXPECT_TRUE(std::isnan([] {
        base::order_free_sum s(std::nan(""));
        s.add(1);
        return s.value();
    }()));
    EXPECT_TRUE(std::isnan(sum_of({1, HUGE_VAL})));
}

TEST(order_free_sum, scales_with_the_units) {
    numbers random;
    std::vector<double> terms, scaled;
    for (int i = 0; i < 100; ++i) terms.push_back(random.between(-1, 1));
    for (const double t : terms) scaled.push_back(std::ldexp(t, 40));
    EXPECT_EQ(sum_of(scaled), std::ldexp(sum_of(terms), 40));
}

}  // namespace
}  // namespace wale::euler
