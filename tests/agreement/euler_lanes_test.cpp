// euler_lanes_test - what is special of cpu/vectors: numbers of cells that fill no vector, every kind of
// boundary in a lane, every instruction set that this CPU has, and runs cut anywhere. Its agreement with the
// reference on whole meshes is tested with that of all rows (euler_advance_test).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/instruction_sets.hpp"

namespace wale {
namespace {

using agreement::first_cells;

constexpr const char* row = "cpu/vectors";

/// The free stream with a ripple of its own in each cell.
std::vector<euler_state> ripples(index_t cells, const euler_stream& stream) {
    std::vector<euler_state> s(static_cast<std::size_t>(cells), stream.state());
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto k = static_cast<double>(i);
        for (double& v : s[i]) v *= 1 + 0.05 * std::sin(1.7 * k);
        s[i][2] += 0.02 * std::cos(0.9 * k);
        s[i][3] -= 0.02 * std::sin(2.3 * k);
    }
    return s;
}

euler_case begun(const mesh& m, const euler_options& o) {
    euler_case c(m, o);
    c.set_state(ripples(m.cells(), o.stream));
    return c;
}

/// The published scheme and what else is of first order.
std::vector<euler_options> all_options() {
    std::vector<euler_options> all;
    for (const scalar precision : {scalar::f64, scalar::f32})
        for (const euler_flux flux : {euler_flux::rodinia, euler_flux::central, euler_flux::rusanov,
                                      euler_flux::hllc, euler_flux::roe})
            for (const euler_step step : {euler_step::rodinia, euler_step::local, euler_step::global}) {
                euler_options o;
                o.precision = precision;
                o.scheme = euler_scheme::rodinia();
                o.scheme.flux = flux;
                o.scheme.step = step;
                o.scheme.cfl = 0.1;
                if (step == euler_step::local) o.scheme.time = euler_time::ssp_rk3;
                if (step == euler_step::global)
                    o.scheme.fixed_step = 1e-4;  // of which this is an ordinary case
                all.push_back(o);
            }
    return all;
}

/// Second order with every flux and limiter.
std::vector<euler_options> second_order() {
    std::vector<euler_options> all;
    for (const scalar precision : {scalar::f64, scalar::f32})
        for (const euler_flux flux :
             {euler_flux::central, euler_flux::rusanov, euler_flux::hllc, euler_flux::roe})
            for (const euler_limiter limiter :
                 {euler_limiter::none, euler_limiter::barth_jespersen, euler_limiter::venkatakrishnan}) {
                euler_options o;
                o.precision = precision;
                o.scheme.flux = flux;
                o.scheme.limiter = limiter;
                o.scheme.cfl = 0.1;
                o.stream.alpha = 3;
                all.push_back(o);
            }
    return all;
}

std::string label(const euler_options& o) {
    return std::string(name_of(o.scheme.flux)) + " " + name_of(o.scheme.step) + " " +
           name_of(o.scheme.limiter) + " " + name_of(o.precision);
}

void expect_agreement(const mesh& m, const euler_options& o) {
    SCOPED_TRACE(label(o) + ", cells: " + std::to_string(m.cells()));
    euler_case truth = begun(m, o), ours = begun(m, o);
    ASSERT_EQ(truth.run(on_reference{}, 7).end, euler_end::iterations);
    (void)ours.run(on_cpu{2}, 7, row);
    const double most = o.precision == scalar::f64 ? 1e-13 : 2e-5;
    for (std::size_t i = 0; i < truth.state().size(); ++i)
        for (std::size_t v = 0; v < 5; ++v)
            ASSERT_NEAR(ours.state()[i][v], truth.state()[i][v], most) << i << " " << v;
}

mesh shell() {
    return generate_mesh({.size = 1200, .shuffled = true});
}

TEST(euler_lanes, vectors_that_cells_do_not_fill) {
    const mesh whole = shell();
    for (const euler_options& o : all_options())
        for (const index_t cells : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 129})
            expect_agreement(first_cells(whole, cells), o);
}

TEST(euler_lanes, every_kind_of_boundary) {
    const mesh m = shell();
    for (euler_options o : all_options())
        for (const euler_boundary wall :
             {euler_boundary::wall, euler_boundary::symmetry, euler_boundary::inflow})
            for (const euler_boundary far : {euler_boundary::far_field, euler_boundary::outflow}) {
                o.patches = {{"wall", wall}, {"farfield", far}};
                if (wall == euler_boundary::inflow) o.patches[0].state = euler_state{1.5, 1.7, 0.2, -0.1, 4};
                expect_agreement(m, o);
            }
}

TEST(euler_lanes, runs_cut_anywhere) {
    const mesh m = first_cells(shell(), 1000);
    for (const euler_options& o : all_options()) {
        euler_case whole = begun(m, o), cut = begun(m, o), other = begun(m, o);
        EXPECT_EQ(whole.run(on_cpu{1}, 12, row).end, euler_end::iterations);
        for (const index_t piece : {1, 0, 4, 7}) {
            (void)cut.run(on_cpu{3}, piece, row);
            (void)cut.state();  // the engine goes, and its records with it
        }
        (void)other.run(on_cpu{7}, 12, row);
        EXPECT_TRUE(whole.state() == cut.state()) << label(o);
        EXPECT_TRUE(whole.state() == other.state()) << label(o);
    }
}

TEST(euler_lanes, a_cell_that_is_no_gas_is_found) {
    for (const index_t cells : {17, 100, 129}) {
        const mesh m = first_cells(shell(), cells);
        euler_options o;
        o.scheme = euler_scheme::rodinia();
        euler_case c(m, o);
        std::vector<euler_state> s = ripples(cells, o.stream);
        s.back()[0] = std::numeric_limits<double>::quiet_NaN();  // its copies fill the last vector
        c.set_state(s);
        const euler_result r = c.run(on_cpu{2}, 3, row);
        EXPECT_EQ(r.end, euler_end::diverged);
        EXPECT_EQ(r.bad_cell, cells - 1);
    }
}

class euler_targets : public agreement::instruction_set_test {
    void SetUp() override {
        if (GetParam() == HWY_SCALAR || GetParam() == HWY_EMU128) GTEST_SKIP() << "see no_vectors";
    }
};

TEST_P(euler_targets, agree) {
    const mesh m = first_cells(shell(), 333);
    for (const euler_options& o : all_options()) expect_agreement(m, o);
    const mesh flat = generate_mesh({.kind = mesh_kind::wedge, .size = 150, .shape = cell_shape::triangle});
    const mesh deep = generate_mesh({.size = 300});
    for (euler_options o : second_order()) {
        expect_agreement(deep, o);
        o.stream.alpha = 0;
        o.stream.mach = 2;
        expect_agreement(flat, o);
    }
}

INSTANTIATE_TEST_SUITE_P(cpu, euler_targets, agreement::every_instruction_set(), agreement::name_of_set);

/// Without vectors the row says so, and `automatic` takes another.
TEST(euler_lanes, no_vectors) {
    if ((hwy::SupportedTargets() & HWY_TARGETS & HWY_SCALAR) == 0)
        GTEST_SKIP() << "this build has vector code of one processor only";
    const agreement::chosen_instruction_set plain_words(HWY_SCALAR);
    const mesh m = first_cells(shell(), 20);
    euler_case c(m, all_options()[0]);
    EXPECT_EQ(c.run(on_cpu{1}, 1).run.variant, "cpu/one_pass");
    EXPECT_THROW((void)c.run(on_cpu{1}, 1, row), unsupported_variant);
}

}  // namespace
}  // namespace wale
