// euler_session_test - what every row of flows does with a flow that goes on: runs cut anywhere, ends, new
// states, watchers, and a flow that diverges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <wale/wale.hpp>

#include "agreement/flow_rows.hpp"

namespace wale {
namespace {

using namespace agreement;

class euler_session : public flow_row_test {
protected:
    static euler_result run(euler_case& c, index_t iterations, const euler_case::watcher& watch = {}) {
        return c.run(GetParam().where, iterations, GetParam().name, watch);
    }
};
INSTANTIATE_TEST_SUITE_P(rows, euler_session, testing::ValuesIn(flow_rows()), name_of_row);

TEST_P(euler_session, repeats_bits_however_a_run_is_cut_or_threaded) {
    const mesh m = shell(1500);
    for (const euler_options& o : both_schemes()) {
        SCOPED_TRACE(label(o));
        euler_case whole = begun(m, o);
        if (!advance(whole, 45)) continue;
        euler_options often = o;
        often.check_every = 7;
        euler_case cut = begun(m, often);
        for (const index_t part : {20, 1, 3, 0, 21}) ASSERT_TRUE(advance(cut, part));
        EXPECT_TRUE(cut.state() == whole.state());
        euler_case restarted = begun(m, o), resumed(m, o);
        ASSERT_TRUE(advance(restarted, 22));
        resumed.set_state(restarted.state(), 22);
        ASSERT_TRUE(advance(resumed, 23));
        EXPECT_EQ(resumed.iteration(), 45);
        EXPECT_TRUE(resumed.state() == whole.state());
        if (!std::holds_alternative<on_cpu>(GetParam().where)) continue;
        for (const int threads : {1, 5}) {
            euler_case c = begun(m, o);
            ASSERT_TRUE(advance(c, on_cpu{threads}, 45));
            EXPECT_TRUE(c.state() == whole.state()) << threads << " threads";
        }
    }
}

TEST_P(euler_session, takes_a_new_state_for_the_old_one) {
    const mesh m = shell(3000);
    for (const euler_options& o : both_schemes()) {
        euler_case flow = begun(m, o), fresh(m, o);
        const std::vector<euler_state> start = fresh.state();
        if (!advance(flow, 3)) continue;
        flow.set_state(start);
        ASSERT_TRUE(advance(flow, 7) && advance(fresh, 7));
        EXPECT_TRUE(flow.state() == fresh.state());
    }
}

TEST_P(euler_session, finds_where_a_flow_diverges_and_goes_back) {
    const mesh m = shell(1000);
    for (euler_options o : both_schemes()) {
        SCOPED_TRACE(label(o));
        o.scheme.cfl = 40;
        o.check_every = 25;
        euler_case reference = begun(m, o), c = begun(m, o);
        const euler_result truth = reference.run(on_reference{}, 200);
        ASSERT_EQ(truth.end, euler_end::diverged);
        if (!advance(c, 0)) continue;
        const std::vector<euler_state> before = c.state();  // in the case's precision
        const euler_result r = run(c, 200);
        EXPECT_EQ(r.end, euler_end::diverged);
        EXPECT_EQ(r.bad_iteration, truth.bad_iteration);
        EXPECT_EQ(r.bad_cell, truth.bad_cell);
        EXPECT_EQ(r.iterations, truth.iterations);
        EXPECT_EQ(c.iteration(), truth.iterations);
        if (c.iteration() == 0) {
            EXPECT_TRUE(c.state() == before);
        }
    }
}

TEST_P(euler_session, ends_a_run_in_time_where_it_shall) {
    euler_options o;
    o.periodic = {{"left", "right"}, {"bottom", "top"}};
    o.scheme.step = euler_step::global;
    o.scheme.order = 1;
    o.end_time = 0.5;
    const mesh m = generate_mesh(
        {.kind = mesh_kind::box, .size = 300, .shape = cell_shape::triangle, .distortion = 0.2});
    euler_case truth = begun(m, o), c = begun(m, o);
    const euler_result wanted = truth.run(on_reference{}, 100000);
    ASSERT_EQ(wanted.end, euler_end::time);
    if (!advance(c, 0)) GTEST_SKIP() << "takes no global steps";
    const euler_result r = run(c, 100000);
    EXPECT_EQ(r.end, euler_end::time);
    EXPECT_EQ(c.time(), 0.5);
    EXPECT_EQ(r.iterations, wanted.iterations);
    EXPECT_LE(difference(c.state(), truth.state()), 1e-12);
    const std::size_t measured = c.history().size();
    EXPECT_EQ(run(c, 10).end, euler_end::time);
    EXPECT_EQ(c.history().size(), measured) << "nothing happened, nothing is measured";
}

TEST_P(euler_session, has_a_time_without_cells) {
    for (const double end : {0.0, 0.5}) {
        euler_options o;
        o.scheme.step = euler_step::global;
        o.scheme.order = 1;
        o.end_time = end;
        euler_case c(mesh{}, o);
        euler_result r;
        try {
            r = run(c, 3);
        } catch (const unsupported_variant& e) {
            EXPECT_TRUE(may_refuse(GetParam().name, c.grid(), o)) << e.what();
            continue;
        }
        ran_ = true;
        EXPECT_EQ(r.end, end > 0 ? euler_end::time : euler_end::iterations);
        EXPECT_EQ(r.iterations, end > 0 ? 1 : 3);
        EXPECT_EQ(c.time(), end);
        for (const euler_sample& at : c.history()) EXPECT_EQ(at.residual[0], 0);
        EXPECT_EQ(c.largest_residual().cell, -1);
    }
}

TEST_P(euler_session, says_that_a_run_settles_too_little) {
    const mesh m = shell(900);
    euler_options o = published(scalar::f64);
    o.check_every = 5;
    o.stop_decades = 12;
    euler_case c(m, o);
    if (!advance(c, 0)) GTEST_SKIP() << "does not take the published scheme";
    EXPECT_EQ(run(c, 0).end, euler_end::iterations) << "no iteration was asked for";
    const euler_result r = run(c, 20);
    EXPECT_EQ(r.end, euler_end::not_converged);
    double most = 0;
    for (const euler_sample& at : c.history()) most = std::max(most, at.residual[0]);
    EXPECT_DOUBLE_EQ(r.decades, std::log10(most / c.history().back().residual[0]));
    const euler_place worst = c.largest_residual();
    const std::vector<euler_state> residual = c.residual();
    for (std::size_t i = 0; i < residual.size(); ++i)
        EXPECT_LE(std::fabs(residual[i][0] / m.volume[i]), std::fabs(worst.residual));
    for (std::size_t d = 0; d < 3; ++d)
        EXPECT_EQ(worst.at[d], m.centre[3 * static_cast<std::size_t>(worst.cell) + d]);
    o.stop_decades = 0;
    o.stop_force = 1e-12;
    euler_case drag(m, o);
    EXPECT_EQ(run(drag, 20).end, euler_end::not_converged);
}

TEST_P(euler_session, loses_no_iteration_to_a_watcher_that_throws) {
    const mesh m = shell(900);
    for (euler_options o : both_schemes()) {
        o.check_every = 10;
        SCOPED_TRACE(label(o));
        euler_case whole = begun(m, o), c = begun(m, o);
        if (!advance(whole, 30)) continue;
        const auto interrupt = [](const euler_sample& at) -> bool {
            if (at.iteration == 20) throw std::runtime_error("enough");
            return true;
        };
        EXPECT_THROW((void)run(c, 30, interrupt), std::runtime_error);
        EXPECT_EQ(c.iteration(), 20);
        EXPECT_EQ(c.history().size(), 3U);
        ASSERT_TRUE(advance(c, 10));
        EXPECT_TRUE(c.state() == whole.state());
    }
}

TEST_P(euler_session, shows_a_watcher_the_flow_as_it_is) {
    const mesh m = shell(900);
    for (euler_options o : both_schemes()) {
        o.check_every = 10;
        SCOPED_TRACE(label(o));
        euler_case half = begun(m, o), whole = begun(m, o), c = begun(m, o);
        if (!advance(half, 10) || !advance(whole, 20)) continue;
        bool looked = false;
        (void)run(c, 20, [&](const euler_sample& at) {
            if (at.iteration != 10) return true;
            EXPECT_TRUE(c.state() == half.state());
            EXPECT_THROW((void)run(c, 1), bad_argument);
            EXPECT_THROW(c.set_state(half.state()), bad_argument);
            EXPECT_THROW((void)c.measure(), bad_argument);
            return looked = true;
        });
        EXPECT_TRUE(looked);
        EXPECT_TRUE(c.state() == whole.state());
    }
}

TEST(euler_case, a_state_of_no_time_is_refused) {
    euler_case c = begun(shell(900), {});
    const std::vector<euler_state> state = c.state();
    EXPECT_THROW(c.set_state(state, -1), bad_argument);
    EXPECT_THROW(c.set_state(state, 0, std::nan("")), bad_argument);
    EXPECT_EQ(c.iteration(), 0);
}

TEST(euler_case, meshes_that_lead_nowhere_are_refused) {
    const mesh good = generate_mesh({.size = 900});
    mesh dangling = good, unnamed = good, open = good, cut = good, foreign = good;
    dangling.neighbour[0] = static_cast<std::int32_t>(good.cells());
    unnamed.neighbour[0] = -100;
    open.normal[0] += 1;
    cut.normal.pop_back();
    foreign.opposite[static_cast<std::size_t>(
        std::ranges::find_if(good.neighbour, [](auto n) { return n >= 0; }) - good.neighbour.begin())] ^= 3;
    for (const mesh& m : {dangling, unnamed, open, cut, foreign}) EXPECT_THROW(euler_case{m}, bad_input);
}

}  // namespace
}  // namespace wale
