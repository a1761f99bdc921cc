// euler_colours_test - Newton's method with the preconditioner by colours, on the host and on the device:
// both take the same steps but for rounding, and come to the flow of the reference; neither threads nor
// pieces change a bit.
#include <gtest/gtest.h>

#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/flow_rows.hpp"
#include "thinned.hpp"

namespace wale {
namespace {

using namespace agreement;

[[nodiscard]] std::vector<row_here> coloured_rows() {
    std::vector<row_here> rows = flow_rows();
    std::erase_if(rows, [](const row_here& r) { return !r.name.ends_with("/colours"); });
    return rows;
}

class euler_colours : public flow_row_test {};
INSTANTIATE_TEST_SUITE_P(rows, euler_colours, testing::ValuesIn(coloured_rows()), name_of_row);

[[nodiscard]] euler_options steady(double mach, double alpha, double decades) {
    euler_options o;
    o.stream.mach = mach;
    o.stream.alpha = alpha;
    o.stop_decades = decades;
    o.scheme.time = euler_time::newton;
    return o;
}
[[nodiscard]] mesh bump(cell_shape shape, index_t size) {
    return generate_mesh({.kind = mesh_kind::bump, .size = size, .shape = shape});
}

/// Nine decades below the first residual, the flow is that of the reference's order of cells: the least
/// decade of these flows moves a state by less than 1e-7.
TEST_P(euler_colours, come_to_the_flow_of_the_reference) {
    WALE_ASKS_FOR_NUMBERS();
    for (const auto& [m, mach, alpha] :
         {std::tuple{naca_0012(24, 10), 0.8, 1.25}, std::tuple{naca_0012(24, 10), 1.2, 7.0},
          std::tuple{bump(cell_shape::triangle, 200), 0.5, 0.0},
          std::tuple{bump(cell_shape::quadrilateral, 200), 0.3, 0.0},
          std::tuple{bump(cell_shape::quadrilateral, 200), 2.0, 0.0}, std::tuple{shell(300), 0.5, 1.0}})
        for (const int order : {1, 2}) {
            SCOPED_TRACE(std::to_string(m.cells()) + " cells, order " + std::to_string(order));
            euler_options o = steady(mach, alpha, 9);
            o.scheme.order = order;
            euler_case truth(m, o), c(m, o);
            ASSERT_EQ(truth.run(on_cpu{1}, 150, "cpu/levels").end, euler_end::residual);
            ASSERT_TRUE(advance(c, 150));
            EXPECT_LE(c.history().back().residual[0], 1e-8 * truth.history().front().residual[0]);
            EXPECT_LE(difference(c.state(), truth.state()), 1e-6);
        }
}

/// The device keeps the blocks of the linear system in floats, whose rounding (6e-8) moves a step by as much
/// of it, and takes sums in another order: some steps on, states are alike to 1e-5 of themselves.
TEST_P(euler_colours, take_the_steps_of_the_host) {
    using enum euler_boundary;
    const mesh foil = naca_0012(16, 6, 5);
    std::vector<std::pair<mesh, euler_options>> cases{{foil, steady(0.6, 1, 0)},
                                                      {bump(cell_shape::triangle, 60), steady(0.5, 0, 0)},
                                                      {bump(cell_shape::quadrilateral, 60), steady(2, 0, 0)},
                                                      {shell(300), steady(0.5, 1, 0)}};
    cases.emplace_back(foil, steady(0.5, 2, 0));
    cases.back().second.patches = {{.name = "farfield", .kind = vortex_far_field}};
    cases.emplace_back(bump(cell_shape::triangle, 60), steady(0.5, 0, 0));
    cases.back().second.patches = {{.name = "inflow", .kind = mass_inlet},
                                   {.name = "outflow", .kind = pressure_outlet}};
    for (auto& [m, o] : cases)
        for (const euler_flux flux :
             {euler_flux::central, euler_flux::rusanov, euler_flux::hllc, euler_flux::roe})
            for (const euler_limiter limiter : {euler_limiter::none, euler_limiter::barth_jespersen,
                                                euler_limiter::venkatakrishnan, euler_limiter::smooth}) {
                o.scheme.flux = flux;
                o.scheme.limiter = limiter;
                SCOPED_TRACE(label(o) + ", " + std::to_string(m.cells()) + " cells, " + name_of(limiter));
                euler_case host(m, o), c(m, o);
                (void)host.run(on_cpu{1}, 3, "cpu/colours");
                ASSERT_TRUE(advance(c, 3));
                EXPECT_LE(difference(c.state(), host.state()), 1e-5);
            }
}

TEST_P(euler_colours, repeat_bits_however_a_run_is_cut) {
    const mesh m = naca_0012(32, 12);
    const euler_options o = steady(0.8, 1.25, 6);
    euler_case whole(m, o), pieces(m, o);
    ASSERT_TRUE(advance(whole, 10));
    for (const index_t part : {1, 4, 2, 3}) {
        ASSERT_TRUE(advance(pieces, part));
        (void)pieces.state();  // ends the session
    }
    EXPECT_EQ(pieces.state(), whole.state());
    EXPECT_EQ(pieces.history().back().residual, whole.history().back().residual);
    if (!std::holds_alternative<on_cpu>(GetParam().where)) return;
    for (const int threads : {1, 3}) {
        euler_case c(m, o);
        ASSERT_TRUE(advance(c, on_cpu{threads}, 10));
        EXPECT_EQ(c.state(), whole.state()) << threads << " threads";
    }
}

TEST_P(euler_colours, take_cells_without_neighbours_and_no_cells) {
    euler_options o = steady(0.5, 1, 0);
    o.scheme.order = 1;
    for (const mesh& m : {one_cell(), mesh{}}) {
        euler_case c(m, o), truth(m, o);
        (void)truth.run(on_reference{}, 3);
        ASSERT_TRUE(advance(c, 3));
        EXPECT_LE(difference(c.state(), truth.state()), 1e-6);
    }
}

/// Steady flows on a device take Newton's method by default, as on the host.
TEST(euler_colours_device, is_the_default_of_steady_flows) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << "no device";
    const mesh m = naca_0012(60, 22);
    euler_options o = steady(0.8, 1.25, 6);
    o.scheme.time = euler_time::automatic;
    euler_case device(m, o), host(m, o);
    const euler_result r = device.run(on_cuda{}, 100);
    EXPECT_EQ(r.run.variant, std::string("cuda/colours"));
    ASSERT_EQ(r.end, euler_end::residual);
    (void)host.run(on_cpu{2}, 100);
    EXPECT_NEAR(r.history.back().drag, host.history().back().drag, 1e-5);
    EXPECT_NEAR(r.history.back().lift, host.history().back().lift, 1e-4);
}

}  // namespace
}  // namespace wale
