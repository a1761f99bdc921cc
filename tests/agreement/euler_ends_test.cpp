// euler_ends_test - the ends of channels: total pressure where gas comes in, static pressure where it leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/flow_rows.hpp"
#include "thinned.hpp"
#include "unit/thrown.hpp"

namespace wale {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

mesh channel(double height, index_t size, cell_shape shape = cell_shape::quadrilateral) {
    return generate_mesh({.kind = mesh_kind::bump, .size = size, .shape = shape, .height = height});
}

/// Mean over cells of |values|, by volume.
double mean(const mesh& m, const std::vector<double>& values) {
    double sum = 0, volume = 0;
    for (index_t i = 0; i < m.cells(); ++i) {
        sum += m.volume[at(i)] * std::fabs(values[at(i)]);
        volume += m.volume[at(i)];
    }
    return sum / volume;
}

/// A flow through a flat channel stays what it is but for rounding: the ends take the very state that they
/// are made for. Residuals round by a few units in the last place of c^2 rho / h; 60 steps add them up.
class euler_row_ends : public agreement::flow_row_test {};
INSTANTIATE_TEST_SUITE_P(rows, euler_row_ends, testing::ValuesIn(agreement::flow_rows()),
                         agreement::name_of_row);

TEST_P(euler_row_ends, leave_a_uniform_flow_alone) {
    for (const cell_shape shape : {cell_shape::quadrilateral, cell_shape::triangle, cell_shape::tetrahedron})
        for (const double mach : {0.01, 0.3, 0.9})
            for (const int order : {1, 2}) {
                euler_options o;
                o.stream.mach = mach;
                o.scheme.order = order;
                for (const euler_boundary inlet :
                     {euler_boundary::pressure_inlet, euler_boundary::mass_inlet}) {
                    o.patches = {{.name = "inflow", .kind = inlet}};
                    euler_case c(channel(0, 150, shape), o);
                    if (!advance(c, 60)) continue;
                    const euler_state stream = o.stream.state();
                    double apart = 0;
                    for (const euler_state& s : c.state())
                        for (std::size_t v = 0; v < 5; ++v)
                            apart = std::max(apart, std::fabs(s[v] - stream[v]));
                    EXPECT_LT(apart, 1e-12) << name_of(inlet) << " Mach " << mach << " order " << order;
                    EXPECT_EQ(c.warnings().size(), mach < 0.05 ? 1U : 0U);  // of the slow stream
                }
            }
}

TEST(euler_ends, the_bump_settles_below_the_speed_of_sound) {
    WALE_ASKS_FOR_NUMBERS();
    for (const double mach : {0.5, 0.3}) {
        double entropy[2];
        for (const int finer : {0, 1}) {
            euler_options o;
            o.stream.mach = mach;
            o.scheme.levels = 4;
            o.stop_decades = 6;
            euler_case c(channel(0.1, finer ? 768 : 192), o);
            ASSERT_EQ(c.run(on_cpu{2}, 1500).end, euler_end::residual) << mach;
            entropy[finer] = mean(c.grid(), quantity(euler_quantity::entropy, c.state(), o.stream));
            EXPECT_LT(std::fabs(c.measure().drag), finer ? 0.015 : 0.04) << "d'Alembert: none";
            EXPECT_GT(c.measure().lift, 0) << "suction over the bump";
            EXPECT_LT(c.measure().lift, 0.2);
            EXPECT_TRUE(c.warnings().empty());
            std::vector<double> heat = quantity(euler_quantity::total_enthalpy, c.state(), o.stream);
            const double wanted = 1 / (o.stream.gamma - 1) + 0.5 * mach * mach;  // of c^2 = 1
            for (double& h : heat) h = h / wanted - 1;
            EXPECT_LT(mean(c.grid(), heat), finer ? 2e-4 : 6e-4) << "all gas comes from the same rest";
        }
        EXPECT_LT(entropy[1], 4e-4);
        EXPECT_LT(entropy[1], 0.5 * entropy[0]);
    }
}

TEST(euler_ends, a_mass_inlet_lets_in_what_it_says) {
    const mesh m = channel(0.1, 192);
    euler_options o;
    o.stream.mach = 0.4;
    o.scheme.levels = 4;
    o.stop_decades = 6;
    constexpr double flux = 0.45, warm = 0.8;  // 0.56 and 0.7371 are the stream's
    o.patches = {
        {.name = "inflow", .kind = euler_boundary::mass_inlet, .total_temperature = warm, .mass_flux = flux}};
    euler_case c(m, o);
    ASSERT_EQ(c.run(on_cpu{1}, 2000).end, euler_end::residual);
    EXPECT_TRUE(c.warnings().empty());
    const auto heat = quantity(euler_quantity::total_enthalpy, c.state(), o.stream);
    const double wanted = warm * o.stream.gamma / (o.stream.gamma - 1);
    for (const double h : heat) EXPECT_NEAR(h, wanted, 5e-3 * wanted);
    // In a straight part of the channel, 1 high: each column of cells carries the flux said.
    double through = 0, width = 0;
    for (index_t i = 0; i < m.cells(); ++i) {
        if (m.centre[at(3 * i)] > -1) continue;
        through += m.volume[at(i)] * c.state()[at(i)][1];
        width += m.volume[at(i)];
    }
    EXPECT_NEAR(through / width, flux, 1e-3 * flux);
}

/// A wave that comes in through an outflow is unknown: what rounds there must not grow.
TEST_P(euler_row_ends, keep_rounding_small_at_outflows_that_no_gas_leaves) {
    const mesh m = generate_mesh({.kind = mesh_kind::tube, .size = 100, .shape = cell_shape::quadrilateral});
    for (const euler_limiter limiter : {euler_limiter::none, euler_limiter::venkatakrishnan}) {
        euler_options o;
        o.stream.mach = 0;
        o.scheme.step = euler_step::global;
        o.scheme.limiter = limiter;
        o.patches = {{"left", euler_boundary::outflow}, {"right", euler_boundary::outflow}};
        euler_case c(m, o);
        std::vector<euler_state> begin(at(m.cells()), o.stream.state());
        for (index_t i = 0; i < m.cells(); ++i)
            begin[at(i)][4] *= 1 + 1e-13 * std::sin(static_cast<double>(i * i));
        c.set_state(begin);
        if (!advance(c, 400)) continue;
        for (const euler_state& s : c.state()) EXPECT_NEAR(s[0], o.stream.density, 1e-12) << name_of(limiter);
    }
}

/// Gas that rests with the pressure of the outlet stays at rest, to the bit, until a wave arrives.
TEST_P(euler_row_ends, leave_a_tube_at_rest_where_no_wave_has_been) {
    const mesh m = generate_mesh({.kind = mesh_kind::tube, .size = 100, .shape = cell_shape::quadrilateral});
    euler_options o;
    o.scheme.order = 1;
    o.scheme.step = euler_step::global;
    o.patches = {{.name = "left", .kind = euler_boundary::pressure_outlet, .pressure = 1},
                 {.name = "right", .kind = euler_boundary::pressure_outlet, .pressure = 0.1}};
    o.end_time = 0.02;
    euler_case c(m, o);
    const euler_state left{1, 0, 0, 0, 2.5}, right{0.125, 0, 0, 0, 0.25};
    std::vector<euler_state> begin(at(m.cells()), right);
    for (index_t i = 0; i < m.cells(); ++i)
        if (m.centre[at(3 * i)] < 0.5) begin[at(i)] = left;
    c.set_state(begin);
    if (!advance(c, 0)) GTEST_SKIP() << "takes no global steps";
    const euler_result r = c.run(GetParam().where, 1000, GetParam().name);
    ASSERT_EQ(r.end, euler_end::time);
    ASSERT_LT(3 * r.iterations, 30) << "a stage carries numbers by one cell";
    for (index_t i = 0; i < m.cells(); ++i) {
        const double x = m.centre[at(3 * i)];
        if (x > 0.2 && x < 0.8) continue;
        const euler_state& rest = x < 0.5 ? left : right;
        for (std::size_t v = 0; v < 5; ++v) EXPECT_NEAR(c.state()[at(i)][v], rest[v], 1e-15) << "at " << x;
    }
}

/// The walls' own forces sum to those that a measurement gives.
void expect_forces_to_add_up(euler_case& c) {
    const std::vector<euler_force> each = c.forces();
    ASSERT_EQ(each.size(), 2U);
    EXPECT_NE(each[0].patch, each[1].patch);
    const euler_sample all = c.measure();
    EXPECT_NEAR(each[0].lift + each[1].lift, all.lift, 1e-14);
    EXPECT_NEAR(each[0].drag + each[1].drag, all.drag, 1e-14);
    for (std::size_t d = 0; d < 3; ++d)
        EXPECT_NEAR(each[0].moment[d] + each[1].moment[d], all.moment[d], 1e-14);
    EXPECT_GT(std::fabs(each[0].lift - each[1].lift), 0.001) << "floor and roof";
}

TEST(euler_ends, forces_of_walls_add_up) {
    for (const int order : {1, 2}) {
        euler_options o;
        o.stream.mach = 0.4;
        o.stream.alpha = 1;
        o.scheme.order = order;
        o.moment_centre = {0.25, 0.5, 0};
        o.patches = {{"top", euler_boundary::wall}};
        euler_case c(channel(0.1, 192, cell_shape::triangle), o);
        (void)c.run(on_cpu{1}, 30);
        expect_forces_to_add_up(c);
    }
}

/// Each limiter shortens the gradients that carry the pressure to the walls.
TEST(euler_ends, forces_of_walls_add_up_with_each_limiter) {
    for (const euler_limiter limiter : {euler_limiter::none, euler_limiter::barth_jespersen,
                                        euler_limiter::venkatakrishnan, euler_limiter::smooth}) {
        SCOPED_TRACE(static_cast<int>(limiter));
        euler_options o;
        o.stream.mach = 2;
        o.scheme.limiter = limiter;
        o.patches = {{"top", euler_boundary::wall}};
        euler_case c(channel(0.1, 192, cell_shape::triangle), o);
        (void)c.run(on_reference{}, 5);
        expect_forces_to_add_up(c);
    }
}

TEST(euler_ends, kinds_that_do_not_suit_the_flow_are_named) {
    euler_options o;
    o.stream.mach = 0.5;
    o.patches = {{"inflow", euler_boundary::inflow}, {"outflow", euler_boundary::outflow}};
    const mesh m = channel(0.1, 75);
    const std::vector<std::string> said = euler_case(m, o).warnings();
    ASSERT_EQ(said.size(), 2U);
    EXPECT_TRUE(said[0].starts_with("patch 'inflow': inflow is for gas that comes in faster than sound"));
    EXPECT_TRUE(said[1].starts_with("patch 'outflow': outflow is for gas that leaves faster than sound"));
    EXPECT_NE(said[0].find("5 of its 5 faces"), std::string::npos);
    o.stream.mach = 1.5;
    EXPECT_TRUE(euler_case(m, o).warnings().empty());
    euler_case choked(m, o);  // as where a shock went upstream
    o.stream.mach = 0.4;
    choked.set_state(std::vector<euler_state>(at(m.cells()), o.stream.state()));
    EXPECT_TRUE(choked.warnings().front().starts_with(
        "patch 'inflow': a shock has reached this inflow; at 5 of its 5"));
    o.stream.mach = 0.01;
    EXPECT_TRUE(euler_case(m, o).warnings().front().starts_with("stream.mach: is 0.01"));
    o.stream.mach = 0;
    EXPECT_TRUE(euler_case(m, o).warnings().front().starts_with("patch 'inflow'"));
    o.patches = {{"inflow", euler_boundary::pressure_outlet}, {"outflow", euler_boundary::pressure_inlet}};
    o.patches[1].direction = std::array<double, 3>{-1, 0, 0};
    o.stream.mach = 0.5;
    EXPECT_EQ(euler_case(m, o).warnings().size(), 2U) << "gas goes the other way";
}

TEST(euler_ends, what_makes_no_end_is_refused) {
    const mesh m = channel(0.1, 75);
    const auto refused = [&](const euler_patch& p) {
        return thrown<bad_argument>([&] {
            euler_options o;
            o.stream.mach = 0.5;
            o.patches = {p};
            (void)euler_case(m, o);
        });
    };
    using enum euler_boundary;
    const std::string name = "inflow";
    EXPECT_NE(thrown<bad_argument>([&] {
                  euler_options o;
                  o.scheme = euler_scheme::rodinia();
                  o.patches = {{"outflow", pressure_outlet}};
                  (void)euler_case(m, o);
              }).find("flux rodinia has no"),
              std::string::npos);
    EXPECT_NE(refused({.name = name, .kind = pressure_inlet, .total_pressure = -1})
                  .find("total_pressure of 'inflow'"),
              std::string::npos);
    EXPECT_NE(
        refused({.name = name, .kind = pressure_inlet, .total_temperature = 0}).find("total_temperature"),
        std::string::npos);
    EXPECT_NE(refused({.name = name, .kind = pressure_inlet, .direction = {{0, 0, 0}}}).find("direction"),
              std::string::npos);
    EXPECT_EQ(refused({.name = name, .kind = pressure_inlet, .direction = {{-1, 0, 0}}}),
              "patches: direction of 'inflow' does not lead into cell 0");
    EXPECT_NE(
        refused({.name = name, .kind = pressure_outlet, .pressure = INFINITY}).find("pressure of 'inflow'"),
        std::string::npos);
}

/// A wall whose lift is known bends the far field: a vortex of that circulation is the far flow, to the
/// square of the distance. Section of 12%, 2 degrees, Mach 0.5: the lift of far fields 5 and 10 chords away,
/// beside that of one 150 chords away.
TEST(euler_vortex, brings_the_far_field_nearer) {
    const auto lift = [](double outer, euler_boundary kind) {
        euler_options o;
        o.stream.mach = 0.5;
        o.stream.alpha = 2;
        o.stop_decades = 6;
        o.moment_centre = {0.25, 0, 0};
        o.patches = {{.name = "farfield", .kind = kind}};
        const int layers = outer > 100 ? 40 : outer > 7 ? 25 : 21;
        euler_case c(agreement::naca_0012(60, layers, outer), o);
        EXPECT_EQ(c.run(on_cpu{}, 200).end, euler_end::residual) << outer << ' ' << name_of(kind);
        return c.history().back().lift;
    };
    using enum euler_boundary;
    const double truth = lift(150, far_field);
    const double plain = std::fabs(lift(5, far_field) - truth),
                 bent = std::fabs(lift(5, vortex_far_field) - truth);
    EXPECT_LT(bent, 0.4 * plain);
    EXPECT_GT(plain, 0.002);
}

TEST(euler_vortex, goes_on_and_is_refused_where_there_is_none) {
    euler_options o;
    o.stream.mach = 0.5;
    o.stream.alpha = 2;
    o.check_every = 5;
    o.patches = {{.name = "farfield", .kind = euler_boundary::vortex_far_field}};
    const mesh foil = agreement::naca_0012(24, 10, 5);
    for (const euler_time time : {euler_time::jameson, euler_time::newton}) {
        o.scheme.time = time;
        o.scheme.limiter = euler_limiter::smooth;
        // The row that has the reference's bits.
        const std::string variant = time == euler_time::newton ? "levels" : "automatic";
        euler_case whole(foil, o), pieces(foil, o), plain(foil, o);
        (void)whole.run(on_cpu{2}, 10, variant);
        (void)pieces.run(on_cpu{1}, 5, variant);
        euler_case later(foil, o);
        later.set_state(pieces.state(), 5);
        later.set_history(pieces.history());
        (void)later.run(on_cpu{1}, 5, variant);
        EXPECT_EQ(later.state(), whole.state());
        (void)plain.run(on_reference{}, 10);
        EXPECT_EQ(plain.state(), whole.state()) << name_of(time);
        EXPECT_NE(whole.history().back().lift, 0);
    }
    o.scheme = {};
    euler_case c(foil, o);
    EXPECT_THROW((void)c.run(on_cpu{}, 1, "cpu/vectors"), unsupported_variant);
    o.stream.mach = 1.2;
    EXPECT_THROW(euler_case(foil, o), bad_argument);
    o.stream.mach = 0.5;
    o.patches = {{"inflow", euler_boundary::vortex_far_field}};
    EXPECT_THROW(euler_case(channel(0.1, 100, cell_shape::prism), o), bad_argument);
}

}  // namespace
}  // namespace wale
