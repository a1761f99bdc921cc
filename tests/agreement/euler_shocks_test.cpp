// euler_shocks_test - strong bow shocks: what stands between them and carbuncles.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <wale/wale.hpp>

#include "agreement/flow_rows.hpp"
#include "thinned.hpp"
#include "unit/thrown.hpp"

namespace wale {
namespace {

using namespace agreement;

/// Quadrilaterals round the windward side of a cylinder of radius 1: layer by layer from the wall, in each
/// from one end to the other. The nose is at (-1, 0).
mesh round_a_cylinder(index_t columns, index_t layers) {
    constexpr double half = 75 * std::numbers::pi / 180, stand_off = 0.9, opening = 1.3;
    mesh_elements e;
    e.dimensions = 2;
    const auto point = [&](index_t i, index_t j) { return static_cast<std::int32_t>(j * (columns + 1) + i); };
    for (index_t j = 0; j <= layers; ++j)
        for (index_t i = 0; i <= columns; ++i) {
            // From the middle out, so that both halves are mirror images to the bit.
            const double angle = half * static_cast<double>(2 * i - columns) / static_cast<double>(columns);
            const double outer = 1 + stand_off + opening * (1 - std::cos(angle));
            const double r = 1 + (outer - 1) * static_cast<double>(j) / static_cast<double>(layers);
            e.points.insert(e.points.end(), {-r * std::cos(angle), r * std::sin(angle), 0.0});
        }
    for (index_t j = 0; j < layers; ++j)
        for (index_t i = 0; i < columns; ++i) {
            e.shapes.push_back(cell_shape::quadrilateral);
            e.corners.insert(e.corners.end(),
                             {point(i, j), point(i, j + 1), point(i + 1, j + 1), point(i + 1, j)});
            e.first_corner.push_back(std::ssize(e.corners));
        }
    e.patches.resize(3);
    e.patches[0].name = "wall";
    e.patches[1].name = "inflow";
    e.patches[2].name = "outflow";
    const auto face = [&e](std::size_t patch, std::int32_t a, std::int32_t b) {
        e.patches[patch].corners.insert(e.patches[patch].corners.end(), {a, b});
        e.patches[patch].first_corner.push_back(std::ssize(e.patches[patch].corners));
    };
    for (index_t i = 0; i < columns; ++i) {
        face(0, point(i, 0), point(i + 1, 0));
        face(1, point(i, layers), point(i + 1, layers));
    }
    for (const index_t i : {index_t{0}, columns})
        for (index_t j = 0; j < layers; ++j) face(2, point(i, j), point(i, j + 1));
    return build_mesh(e);
}

/// Lord Rayleigh 1910: the pressure that a pitot tube in a supersonic stream shows, over the stream's.
double pitot(double mach, double gamma) {
    const double square = mach * mach, up = gamma + 1, down = gamma - 1;
    return std::pow(up / 2 * square, gamma / down) / std::pow((2 * gamma * square - down) / up, 1 / down);
}

/// Pressures of the cells at the wall, from one end to the other: at the nose Rayleigh's, alike on both
/// sides.
void expect_bow_shock(euler_case& c, double mach, index_t columns) {
    SCOPED_TRACE(std::string(name_of(c.options().scheme.flux)) + " at Mach " + std::to_string(mach));
    const std::vector<double> p = quantity(euler_quantity::pressure, c.state(), c.options().stream);
    const auto at = [&](index_t i) { return p[static_cast<std::size_t>(i)]; };
    const double nose = 0.5 * (at(columns / 2 - 1) + at(columns / 2));
    EXPECT_NEAR(nose, pitot(mach, 1.4), 0.01 * pitot(mach, 1.4));
    for (index_t i = 0; i < columns / 2; ++i) EXPECT_NEAR(at(i), at(columns - 1 - i), 1e-3 * nose) << i;
}

TEST(euler_shocks, a_cylinder_at_mach_3_and_6_keeps_its_bow_shock) {
    WALE_ASKS_FOR_NUMBERS();
    EXPECT_NEAR(pitot(6, 1.4), 46.815, 1e-3);
    constexpr index_t columns = 32;
    const mesh m = round_a_cylinder(columns, 26);
    for (const double mach : {3.0, 6.0})
        for (const euler_flux flux : {euler_flux::hllc, euler_flux::roe}) {
            euler_options o;
            o.stream.mach = mach;
            o.scheme.flux = flux;
            o.scheme.time = euler_time::jameson;
            o.stop_decades = 3;
            euler_case c(m, o);
            ASSERT_EQ(c.run(on_cpu{1}, 4000).end, euler_end::residual) << mach << ' ' << name_of(flux);
            expect_bow_shock(c, mach, columns);
        }
}

/// By Newton's method, which the defaults choose: the start, an impulse, overturns the cells at the nose.
TEST(euler_shocks, a_cylinder_at_mach_3_to_12_settles_by_defaults) {
    WALE_ASKS_FOR_NUMBERS();
    constexpr index_t columns = 32;
    const mesh m = round_a_cylinder(columns, 26);
    for (const double mach : {3.0, 6.0, 12.0}) {
        euler_options o;
        o.stream.mach = mach;
        o.stop_decades = 6;
        euler_case c(m, o);
        ASSERT_EQ(c.run(on_cpu{1}, 250).end, euler_end::residual) << mach;
        EXPECT_EQ(c.options().scheme.time, euler_time::newton);
        expect_bow_shock(c, mach, columns);
    }
}

/// The device takes the same cycles but for the rounding of its blocks, and comes to the same flow.
TEST(euler_shocks_device, a_cylinder_at_mach_3_to_12_settles_as_on_the_host) {
    WALE_ASKS_FOR_NUMBERS();
    if (!is_available(backend::cuda)) GTEST_SKIP() << "no device";
    constexpr index_t columns = 32;
    const mesh m = round_a_cylinder(columns, 26);
    for (const double mach : {3.0, 6.0, 12.0}) {
        SCOPED_TRACE(mach);
        euler_options o;
        o.stream.mach = mach;
        o.stop_decades = 8;
        euler_case host(m, o), device(m, o);
        const euler_result truth = host.run(on_cpu{1}, 300), r = device.run(on_cuda{}, 300);
        EXPECT_EQ(r.run.variant, std::string("cuda/colours"));
        ASSERT_EQ(r.end, euler_end::residual);
        EXPECT_NEAR(static_cast<double>(r.iterations), static_cast<double>(truth.iterations), 30);
        expect_bow_shock(device, mach, columns);
        EXPECT_LE(difference(device.state(), host.state()), 1e-4);
    }
}

class euler_row_shocks : public flow_row_test {};
INSTANTIATE_TEST_SUITE_P(rows, euler_row_shocks, testing::ValuesIn(flow_rows()), name_of_row);

/// Bits are the reference's on the host, whose rows call the same functions.
TEST_P(euler_row_shocks, agree_with_the_reference) {
    const mesh m = round_a_cylinder(17, 9);
    for (const scalar precision : {scalar::f32, scalar::f64})
        for (const euler_flux flux : {euler_flux::hllc, euler_flux::roe})
            for (const int order : {1, 2}) {
                euler_options o;
                o.stream.mach = 6;
                o.scheme.flux = flux;
                o.scheme.order = order;
                o.precision = precision;
                euler_case c(m, o), truth(m, o);
                if (!advance(c, 50)) continue;
                (void)truth.run(on_reference{}, 50);
                SCOPED_TRACE(label(o));
                if (std::holds_alternative<on_cuda>(GetParam().where)) {
                    EXPECT_LE(difference(c.state(), truth.state()), tolerance(precision));
                    const double slack = precision == scalar::f64 ? 1e-9 : 1e-2;
                    const double residual = truth.history().back().residual[0];
                    EXPECT_NEAR(c.history().back().residual[0], residual, slack * residual);
                } else {
                    EXPECT_TRUE(c.state() == truth.state());
                    EXPECT_EQ(c.history().back().residual, truth.history().back().residual);
                }
                o.scheme.shocks = euler_shocks::plain;
                euler_case plain(m, o);
                (void)plain.run(on_reference{}, 50);
                EXPECT_FALSE(plain.state() == truth.state()) << "the shock is strong enough to be blended";
            }
}

TEST(euler_shocks, are_blended_where_a_stream_is_fast_or_one_asks) {
    const mesh m = round_a_cylinder(12, 6);
    const auto flow = [&](double mach, euler_shocks shocks) {
        euler_options o;
        o.stream.mach = mach;
        o.scheme.shocks = shocks;
        euler_case c(m, o);
        (void)c.run(on_cpu{1}, 30);
        return c.state();
    };
    using enum euler_shocks;
    EXPECT_TRUE(flow(2.4, automatic) == flow(2.4, plain));
    EXPECT_FALSE(flow(2.4, blended) == flow(2.4, plain));
    EXPECT_TRUE(flow(2.5, automatic) == flow(2.5, blended));
    EXPECT_FALSE(flow(2.5, automatic) == flow(2.5, plain));
    EXPECT_EQ(thrown<bad_argument>([&] {
                  euler_options o;
                  o.scheme.flux = euler_flux::rusanov;
                  o.scheme.shocks = blended;
                  (void)euler_case(m, o);
              }),
              "scheme.shocks: blended is for the fluxes hllc and roe");
}

}  // namespace
}  // namespace wale
