// cable_physics_test - cables against what is known of them: charging, steady states, charge, the squid's
// spike; and that step size and compartments converge in the orders that the methods have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <wale/wale.hpp>

namespace wale {
namespace {

constexpr double pi = std::numbers::pi;

swc_tree cylinder(double length, double radius, int type = swc_point::basal_dendrite) {
    swc_tree t;
    t.points = {{1, type, 0, 0, 0, radius, -1, 0}, {2, type, length, 0, 0, radius, 0, 0}};
    return t;
}

/// 20 um long and thick, as in NEURON's first example: 1256.6 um2.
cable_model ball() {
    swc_tree t;
    t.points = {{1, swc_point::soma, 0, 0, 0, 10, -1, 0}};
    return cable_model(t);
}

cable_options with(const cable_membrane& m, double dt = 0.025) {
    cable_options o;
    o.dt = dt;
    o.membranes[0].fill(m);
    return o;
}

/// |V - exact| after 5 ms of a ball that relaxes: tau = C / g = 1 ms.
double charging_error(double dt, cable_method method) {
    cable_options o = with(cable_membrane::passive(0.001, -70), dt);
    o.initial = -50;
    o.method = method;
    cable c(ball(), o);
    (void)c.run(on_reference{}, c.steps_until(5));
    return std::fabs(c.voltages()[0] - (-70 + 20 * std::exp(-5.0)));
}

TEST(cable_physics, a_ball_relaxes_exponentially) {
    const double coarse = charging_error(0.1, cable_method::backward_euler),
                 fine = charging_error(0.05, cable_method::backward_euler);
    EXPECT_LT(coarse, 0.05);
    EXPECT_NEAR(coarse / fine, 2, 0.15);  // first order
    const double coarse2 = charging_error(0.1, cable_method::crank_nicolson),
                 fine2 = charging_error(0.05, cable_method::crank_nicolson);
    EXPECT_LT(coarse2, 0.002);
    EXPECT_NEAR(coarse2 / fine2, 4, 0.3);  // second order
    const double coarse3 = charging_error(0.1, cable_method::sdirk2),
                 fine3 = charging_error(0.05, cable_method::sdirk2);
    EXPECT_LT(coarse3, 0.002);
    EXPECT_NEAR(coarse3 / fine3, 4, 0.3);
}

TEST(cable_physics, backward_euler_is_a_geometric_series) {
    cable_options o = with(cable_membrane::passive(0.001, -70));
    o.initial = -50;
    o.probes = {{0, 0}};
    cable c(ball(), o);
    const cable_result r = c.run(on_cpu{1}, 400);
    for (std::size_t k = 0; k < 400; ++k)
        EXPECT_NEAR(r.voltages[k], -70 + 20 * std::pow(1 + 0.025, -static_cast<double>(k + 1)), 1e-11);
}

/// A step of z = -dt / tau multiplies by (1 + (1 - 2 g) z) / (1 - g z)^2, g = 1 - 1/sqrt 2: towards 0 as dt
/// grows.
TEST(cable_physics, sdirk2_is_a_geometric_series_that_dies_out) {
    const double g = 1 - std::numbers::sqrt2 / 2;
    for (const double dt : {0.025, 1.0, 50.0, 1e6}) {  // tau is 1 ms
        const double factor = (1 - (1 - 2 * g) * dt) / ((1 + g * dt) * (1 + g * dt));
        cable_options o = with(cable_membrane::passive(0.001, -70), dt);
        o.initial = -50;
        o.method = cable_method::sdirk2;
        o.probes = {{0, 0}};
        cable c(ball(), o);
        const cable_result r = c.run(on_cpu{1}, 8);
        for (std::size_t k = 0; k < 8; ++k)
            EXPECT_NEAR(r.voltages[k], -70 + 20 * std::pow(factor, static_cast<double>(k + 1)), 1e-11);
    }
}

/// Differences between runs with steps of dt, dt / 2 and dt / 4, as parts of each other: 4 where the order
/// is 2.
double falling_of_errors(cable_method method) {
    const cable_model model(grow_neuron({.levels = 2}));
    std::vector<std::vector<double>> ends;
    for (const double dt : {0.02, 0.01, 0.005}) {
        cable_options o = with(cable_membrane::squid(), dt);  // gates at rest, so that half a step moves none
        o.membranes[0][2] = cable_membrane::passive(0.0002, -65);
        o.clamps = {{0, 0, 0, 1e9, 0.5}};
        o.method = method;
        cable c(model, o);
        (void)c.run(on_cpu{1}, c.steps_until(1));
        ends.push_back(c.voltages());
    }
    double first = 0, second = 0;
    for (std::size_t i = 0; i < ends[0].size(); ++i) {
        first = std::max(first, std::fabs(ends[0][i] - ends[1][i]));
        second = std::max(second, std::fabs(ends[1][i] - ends[2][i]));
    }
    return first / second;
}

TEST(cable_physics, orders_hold_with_channels_and_branches) {
    EXPECT_NEAR(falling_of_errors(cable_method::backward_euler), 2, 0.2);
    EXPECT_NEAR(falling_of_errors(cable_method::sdirk2), 4, 0.4);
}

/// The steady voltage of a sealed cable of length l with a current at its beginning:
/// V(x) = I R cosh((l - x) / lambda) / sinh(l / lambda), R = sqrt(r_m r_i).
double steady_error(double piece) {
    const double length = 1000, radius = 1, ra = 100, g = 0.0002, current = 0.1;
    const double lambda = std::sqrt(radius / 2 * 1e4 / (ra * g));           // [um]
    const double resistance = 1e-2 * ra * lambda / (pi * radius * radius);  // [MOhm]
    const cable_model model(cylinder(length, radius), {.axial_resistivity = ra, .max_length = piece});
    cable_options o = with(cable_membrane::passive(g, 0), 1e6);
    o.initial = 0;
    o.clamps = {{0, 0, 0, 1e12, current}};
    cable c(model, o);
    (void)c.run(on_cpu{1}, 50);
    const std::vector<double> v = c.voltages();
    double most = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double x = model.compartments[i].at * length;
        const double exact =
            current * resistance * std::cosh((length - x) / lambda) / std::sinh(length / lambda);
        most = std::max(most, std::fabs(v[i] / exact - 1));
    }
    return most;
}

TEST(cable_physics, a_sealed_cable_settles_as_hyperbolic_cosine) {
    const double coarse = steady_error(40), fine = steady_error(1000.0 / 75);
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(coarse / fine, 9, 0.5);  // second order: 25 and 75 compartments
}

TEST(cable_physics, charge_is_kept) {
    neuron_options n;
    n.levels = 3;
    const cable_model model(grow_neuron(n));
    cable_options o = with({false, 0.8, 0, 0, 0, 0});  // no leak
    o.clamps = {{0, model.size() / 2, 0, 2, 0.25}, {0, 0, 1, 1, -0.1}};
    for (const cable_method method :
         {cable_method::backward_euler, cable_method::crank_nicolson, cable_method::sdirk2}) {
        o.method = method;
        cable c(model, o);
        (void)c.run(on_cpu{1}, 160);
        const std::vector<double> v = c.voltages();
        double charge = 0;  // [pC]: nF mV
        for (std::size_t i = 0; i < v.size(); ++i)
            charge += 1e-5 * 0.8 * model.compartments[i].area * (v[i] + 65);
        EXPECT_NEAR(charge, 0.25 * 2 - 0.1 * 1, 1e-10);
    }
}

TEST(cable_physics, the_squid_rests_at_minus_65) {
    cable c(ball(), with(cable_membrane::squid()));
    (void)c.run(on_cpu{1}, 4000);
    EXPECT_NEAR(c.voltages()[0], -65, 0.05);
}

TEST(cable_physics, the_squid_spikes) {
    cable_options o = with(cable_membrane::squid(), 0.005);
    o.clamps = {{0, 0, 5, 60, 0.2}};  // 16 uA/cm2
    o.probes = {{0, 0}};
    cable c(ball(), o);
    const cable_result r = c.run(on_cpu{1}, c.steps_until(60));
    const auto [least, most] = std::minmax_element(r.voltages.begin(), r.voltages.end());
    EXPECT_NEAR(*most, 40, 5);
    EXPECT_NEAR(*least, -75, 3);
    ASSERT_GE(r.spikes[0].size(), 3u);
    EXPECT_GT(r.spikes[0][0], 5);
    EXPECT_LT(r.spikes[0][0], 8);
    const double period = r.spikes[0][2] - r.spikes[0][1];
    EXPECT_GT(period, 8);  // 60 to 100 spikes a second at 6.3 degrees
    EXPECT_LT(period, 17);
    // Warmer: faster.
    o.celsius = 16.3;
    cable warm(ball(), o);
    EXPECT_GT(warm.run(on_cpu{1}, 12000).spikes[0].size(), r.spikes[0].size());
}

TEST(cable_physics, a_spike_travels) {
    const cable_model model(cylinder(4000, 5, swc_point::axon), {.max_length = 20});
    cable_options o = with(cable_membrane::squid(), 0.01);
    o.celsius = 18.5;
    o.clamps = {{0, 0, 0, 0.5, 30}};
    o.probes = {{0, model.size() / 4}, {0, 3 * model.size() / 4}};
    cable c(model, o);
    const cable_result r = c.run(on_cpu{1}, 1500);
    ASSERT_EQ(r.spikes[0].size(), 1u);
    ASSERT_EQ(r.spikes[1].size(), 1u);
    const double speed = 2 / (r.spikes[1][0] - r.spikes[0][0]);  // [m/s]
    // Hodgkin and Huxley: 18.8 m/s at 238 um radius and 35.4 ohm cm, as the root of the radius: 2.7 m/s.
    EXPECT_NEAR(speed, 18.8 * std::sqrt(5.0 / 238), 0.3);
}

double total_area(const cable_model& m) {
    double sum = 0;
    for (const cable_compartment& c : m.compartments) sum += c.area;
    return sum;
}

TEST(cable_form, areas_and_resistances_are_those_of_cones) {
    swc_tree t = cylinder(100, 2);
    t.points[1].radius = 1;
    t.points.push_back({3, 3, 130, 40, 0, 0.5, 1, 0});
    const double area = pi * 3 * std::hypot(100, 1) + pi * 1.5 * std::hypot(50, 0.5);
    const auto resistance = [](double x) {  // [MOhm] of the first x um: two cones, of radius 2 to 1 to 0.5 um
        const double beyond = std::max(x - 100, 0.0), first = x - beyond;
        return 1e-2 * 35.4 / pi * (first / (2 * (2 - first / 100)) + beyond / (1 - beyond / 100));
    };
    for (const double piece : {1e3, 60.0, 7.0, 0.1}) {
        const cable_model m(t, {.max_length = piece});
        EXPECT_NEAR(total_area(m), area, 1e-9 * area);
        EXPECT_EQ(m.size() % 2, 0);  // the root has no membrane, the rest is odd
        EXPECT_GE(m.sections[0].count * piece, 150);
        double sum = 0;  // no link holds the half of the last compartment that lies at the tip
        for (std::size_t i = 1; i < m.compartments.size(); ++i) sum += 1 / m.compartments[i].axial;
        const double reached = resistance(150 - 75.0 / m.sections[0].count);
        EXPECT_NEAR(sum, reached, 1e-9 * reached);
    }
}

TEST(cable_form, balls_are_told_from_three_notations) {
    const auto with_dendrite = [](std::vector<swc_point> soma) {
        const auto last = static_cast<std::int64_t>(soma.size());
        soma.push_back({last + 1, 3, 30, 0, 0, 1, 0, 0});
        soma.push_back({last + 2, 3, 130, 0, 0, 1, static_cast<std::int32_t>(last), 0});
        swc_tree t;
        t.points = std::move(soma);
        return cable_model(t);
    };
    const cable_model one = with_dendrite({{1, 1, 0, 0, 0, 8, -1, 0}});
    const cable_model three =
        with_dendrite({{1, 1, 0, 0, 0, 8, -1, 0}, {2, 1, 0, -8, 0, 8, 0, 0}, {3, 1, 0, 8, 0, 8, 0, 0}});
    std::vector<swc_point> outline;
    for (std::int32_t k = 0; k < 24; ++k)
        outline.push_back({k + 1, 1, 8 * std::cos(pi * k / 12), 8 * std::sin(pi * k / 12), 0, 0.5, k - 1, 0});
    const cable_model contour = with_dendrite(outline);
    for (const cable_model* m : {&one, &three, &contour}) {
        EXPECT_NEAR(m->compartments[0].area, 4 * pi * 64, 1e-9);
        EXPECT_EQ(m->sections.size(), 2u);
        EXPECT_EQ(m->compartments[1].parent, 0);
        EXPECT_NEAR(total_area(*m), 4 * pi * 64 + pi * 2 * 100, 1e-9);
    }
    // Drawn by its points: a chain that does not close.
    const cable_model chain = with_dendrite({{1, 1, 0, 0, 0, 8, -1, 0}, {2, 1, 0, 10, 0, 8, 0, 0}});
    EXPECT_EQ(chain.compartments[0].area, 0);
    EXPECT_NEAR(total_area(chain), pi * 16 * 10 + pi * 2 * 130, 1e-9);
}

TEST(cable_form, places_of_points_are_where_the_points_are) {
    const swc_tree t = grow_neuron({.levels = 2});
    const cable_model m(t);
    ASSERT_EQ(m.compartment_of_point.size(), t.points.size());
    for (std::size_t i = 0; i < t.points.size(); ++i) {
        const auto& c = m.compartments[static_cast<std::size_t>(m.compartment_of_point[i])];
        EXPECT_GT(c.area, 0);
        EXPECT_EQ(c.region == cable_region::axon, t.points[i].type == swc_point::axon);
    }
}

}  // namespace
}  // namespace wale
