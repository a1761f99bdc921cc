// euler_advance_test - every row of flows against the reference: schemes, orders, layouts, constants, meshes
// of every kind, both precisions; bits that no number of threads, no order of cells and no cut of a run
// changes; and what happens where a flow diverges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/rows_here.hpp"

namespace wale {
namespace {

using agreement::row_here;

std::vector<row_here> rows() {
    return agreement::rows_here("euler", "advance");
}

/// A mesh, and the options that say what its patches are and what is joined.
struct subject {
    const char* name;
    mesh grid;
    euler_options options;
};

const std::vector<subject>& subjects() {
    static const std::vector<subject> all = [] {
        const auto box = [](cell_shape shape, index_t size) {
            return generate_mesh({.kind = mesh_kind::box, .size = size, .shape = shape, .distortion = 0.2});
        };
        euler_options flat;
        flat.periodic = {{"left", "right"}, {"bottom", "top"}};
        euler_options deep = flat;
        deep.periodic.push_back({"front", "back"});
        euler_options angled;
        angled.stream.alpha = 3;
        angled.stream.beta = 1;
        euler_options pushed;
        pushed.stream.mach = 2;
        std::vector<subject> s;
        s.push_back({"shell", generate_mesh({.size = 900}), angled});
        s.push_back({"shuffled_shell", generate_mesh({.size = 700, .shuffled = true}), {}});
        s.push_back({"triangles", box(cell_shape::triangle, 300), flat});
        s.push_back({"quadrilaterals", box(cell_shape::quadrilateral, 225), flat});
        s.push_back({"hexahedra", box(cell_shape::hexahedron, 343), deep});
        s.push_back({"wedge",
                     generate_mesh({.kind = mesh_kind::wedge, .size = 400, .shape = cell_shape::triangle}),
                     pushed});
        euler_options slow;  // its ends are a pressure_inlet and a pressure_outlet
        slow.stream.mach = 0.5;
        const auto bump = [](cell_shape shape, index_t size) {
            return generate_mesh({.kind = mesh_kind::bump, .size = size, .shape = shape});
        };
        s.push_back({"bump", bump(cell_shape::quadrilateral, 200), slow});
        s.push_back({"bump_of_tetrahedra", bump(cell_shape::tetrahedron, 400), slow});
        s.push_back({"one_cell", agreement::one_cell(), {}});
        s.push_back({"no_cells", build_mesh({}), {}});
        return s;
    }();
    return all;
}

/// The free stream with waves in it, by centres: so that something happens everywhere.
std::vector<euler_state> waves(const mesh& m, const euler_stream& stream) {
    std::vector<euler_state> out(static_cast<std::size_t>(m.cells()), stream.state());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double x = m.centre[3 * i], y = m.centre[3 * i + 1], z = m.centre[3 * i + 2];
        const double swell = 1 + 0.1 * std::sin(1.3 * x + 0.4) * std::cos(0.9 * y - 0.2 + 0.7 * z);
        for (double& v : out[i]) v *= swell;
    }
    return out;
}

euler_case begun(const subject& s, const euler_options& o) {
    euler_case c(s.grid, o);
    c.set_state(waves(c.grid(), o.stream));
    return c;
}

/// Largest difference over the largest magnitude of each variable.
double difference(const std::vector<euler_state>& a, const std::vector<euler_state>& b) {
    double worst = 0;
    for (std::size_t v = 0; v < 5; ++v) {
        double most = 0, apart = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            most = std::max(most, std::fabs(b[i][v]));
            apart = std::max(apart, std::fabs(a[i][v] - b[i][v]));
            if (std::isnan(a[i][v]) != std::isnan(b[i][v])) return HUGE_VAL;
        }
        // Momenta across the flow may vanish: beside the whole momentum they are nothing.
        if (v == 2 || v == 3)
            for (const euler_state& s : b) most = std::max(most, std::fabs(s[1]));
        if (apart > 0) worst = std::max(worst, apart / most);
    }
    return worst;
}

/// Runs a case on a row; false where the row refuses it.
bool advance(euler_case& c, const row_here& row, index_t iterations) {
    try {
        (void)c.run(row.where, iterations, row.name);
    } catch (const unsupported_variant&) {
        return false;
    }
    return true;
}

std::string label(const row_here& row, const subject& s, const euler_scheme& scheme, scalar precision) {
    return row.name + " " + s.name + " " + name_of(scheme.flux) + " order " + std::to_string(scheme.order) +
           " " + name_of(scheme.time) + " " + name_of(scheme.step) + " " + name_of(precision);
}

std::vector<euler_scheme> schemes() {
    std::vector<euler_scheme> all{euler_scheme::rodinia()};
    for (const euler_flux f : {euler_flux::central, euler_flux::rusanov, euler_flux::hllc, euler_flux::roe})
        for (const int order : {1, 2}) {
            euler_scheme s;
            s.flux = f;
            s.order = order;
            s.cfl = 0.5;
            all.push_back(s);
        }
    all[2].limiter = euler_limiter::barth_jespersen;
    all[3].step = euler_step::global;
    all[4].time = euler_time::ssp_rk3;
    all[5].time = euler_time::rodinia;
    all[6].fixed_step = 1e-4;
    all.push_back(euler_scheme::rodinia());
    all.back().time = euler_time::ssp_rk3;
    all.push_back({.flux = euler_flux::rusanov, .order = 1, .cfl = 0.5, .smoothing = 2});
    return all;
}

class euler_rows : public testing::TestWithParam<std::size_t> {};

/// Every scheme on one kind of mesh.
TEST_P(euler_rows, agree_with_the_reference) {
    const subject& s = subjects()[GetParam()];
    constexpr index_t iterations = 23;  // more than a recorded graph's
    std::map<std::string, int> ran;
    for (const euler_scheme& scheme : schemes())
        for (const scalar precision : {scalar::f64, scalar::f32}) {
            euler_options o = s.options;
            o.scheme = scheme;
            o.precision = precision;
            euler_case truth = begun(s, o);
            (void)truth.run(on_reference{}, iterations, "reference/plain");
            const std::vector<euler_state> wanted = truth.state();
            const euler_sample sample = truth.measure();
            for (const row_here& row : rows()) {
                euler_case c = begun(s, o);
                if (!advance(c, row, iterations)) continue;
                ++ran[row.name];
                SCOPED_TRACE(label(row, s, scheme, precision));
                EXPECT_LE(difference(c.state(), wanted), precision == scalar::f64 ? 2e-13 : 5e-5);
                // Powers at a far field are the processor's own: they may differ in the last bit.
                EXPECT_NEAR(c.time(), truth.time(), (precision == scalar::f64 ? 1e-13 : 1e-5) * truth.time());
                ASSERT_FALSE(c.history().empty());
                const double room = precision == scalar::f64 ? 1e-9 : 1e-2;
                EXPECT_NEAR(c.history().back().residual[0], sample.residual[0],
                            room * (sample.residual[0] + 1e-3));
                EXPECT_NEAR(c.history().back().drag, sample.drag, room * (std::fabs(sample.drag) + 1e-3));
                EXPECT_NEAR(c.history().back().total[4], sample.total[4], room * std::fabs(sample.total[4]));
            }
        }
    // Rows that take every case must not have hidden behind a refusal.
    const auto all = static_cast<int>(2 * schemes().size());
    for (const char* row : {"reference/plain", "cpu/one_pass"}) EXPECT_EQ(ran[row], all) << row;
    if (!is_available(backend::cuda)) return;
    for (const char* row : {"cuda/fused", "cuda/graph"}) EXPECT_EQ(ran[row], all) << row;
}
INSTANTIATE_TEST_SUITE_P(meshes, euler_rows, testing::Range<std::size_t>(0, subjects().size()),
                         [](const auto& p) { return subjects()[p.param].name; });

/// The published scheme in every layout and with constants in every place.
TEST(euler_advance, layouts_and_constants_agree) {
    const subject s{"shell", generate_mesh({.size = 2500}), {}};
    std::map<std::string, int> ran;
    for (const scalar precision : {scalar::f64, scalar::f32}) {
        euler_options o;
        o.scheme = euler_scheme::rodinia();
        o.precision = precision;
        euler_case truth = begun(s, o);
        (void)truth.run(on_reference{}, 41, "reference/plain");
        for (const euler_layout l : {euler_layout::automatic, euler_layout::cell_major,
                                     euler_layout::variable_major, euler_layout::packed})
            for (const euler_constants k : {euler_constants::automatic, euler_constants::constant_memory,
                                            euler_constants::parameters, euler_constants::compiled})
                for (const row_here& row : rows()) {
                    o.layout = l;
                    o.constants = k;
                    euler_case c = begun(s, o);
                    if (!advance(c, row, 41)) continue;
                    ++ran[row.name];
                    SCOPED_TRACE(row.name + " " + name_of(l) + " " + name_of(k) + " " + name_of(precision));
                    EXPECT_LE(difference(c.state(), truth.state()), precision == scalar::f64 ? 2e-13 : 5e-5);
                }
    }
    if (!is_available(backend::cuda)) return;
    EXPECT_EQ(ran["cuda/fused"], 2 * (2 * 4 + 2 * 2));  // packed everywhere; the others with parameters
    EXPECT_EQ(ran["cuda/one_pass"], 2 * 3 * 4);         // all but packed
    EXPECT_EQ(ran["cuda/five_passes"], 2 * 3 * 2);      // all but packed, parameters
}

euler_options published(scalar precision) {
    euler_options o;
    o.scheme = euler_scheme::rodinia();
    o.precision = precision;
    return o;
}

/// Both schemes of a case, for what must hold bit for bit.
std::vector<euler_options> both_schemes() {
    euler_options second;
    second.scheme.cfl = 0.5;
    return {published(scalar::f64), published(scalar::f32), second};
}

TEST(euler_advance, bits_repeat_however_a_run_is_cut_or_threaded) {
    const subject s{"shell", generate_mesh({.size = 1500}), {}};
    for (const euler_options& o : both_schemes())
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name + " order " + std::to_string(o.scheme.order) + " " + name_of(o.precision));
            euler_case whole = begun(s, o);
            if (!advance(whole, row, 45)) continue;
            euler_options often = o;
            often.check_every = 7;
            euler_case cut = begun(s, often);
            for (const index_t part : {20, 1, 3, 21}) ASSERT_TRUE(advance(cut, row, part));
            EXPECT_TRUE(cut.state() == whole.state());
            euler_case restarted(s.grid, o);
            restarted.set_state(begun(s, o).state());
            ASSERT_TRUE(advance(restarted, row, 22));
            euler_case resumed(s.grid, o);
            resumed.set_state(restarted.state(), 22);
            ASSERT_TRUE(advance(resumed, row, 23));
            EXPECT_EQ(resumed.iteration(), 45);
            EXPECT_TRUE(resumed.state() == whole.state());
            if (!std::holds_alternative<on_cpu>(row.where)) continue;
            for (const int threads : {1, 5}) {
                euler_case c = begun(s, o);
                ASSERT_TRUE(advance(c, {row.name, on_cpu{threads}}, 45));
                EXPECT_TRUE(c.state() == whole.state()) << threads << " threads";
            }
        }
}

TEST(euler_advance, no_order_of_cells_changes_a_bit) {
    const subject s{"shell", generate_mesh({.size = 1500}), {}};
    for (const euler_options& o : both_schemes())
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name + " order " + std::to_string(o.scheme.order) + " " + name_of(o.precision));
            euler_case natural = begun(s, o);
            if (!advance(natural, row, 21)) continue;
            for (const cell_order order :
                 {cell_order::random, cell_order::reverse_cuthill_mckee, cell_order::hilbert}) {
                euler_options other = o;
                other.order = order;
                euler_case c = begun(s, other);
                ASSERT_TRUE(advance(c, row, 21));
                EXPECT_TRUE(c.state() == natural.state()) << name_of(order);
                EXPECT_EQ(c.history().back().residual, natural.history().back().residual) << name_of(order);
                EXPECT_EQ(c.history().back().drag, natural.history().back().drag) << name_of(order);
            }
        }
}

TEST(euler_advance, every_row_measures_what_the_reference_measures_of_the_same_state) {
    const subject s{"shell", generate_mesh({.size = 2000}), {}};
    for (const euler_options& o : both_schemes())
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name + " order " + std::to_string(o.scheme.order) + " " + name_of(o.precision));
            euler_case c = begun(s, o);
            if (!advance(c, row, 5)) continue;
            const euler_sample by_row = c.history().back(), plain = c.measure();
            // Some rows compute residuals with fewer roundings than the reference.
            for (std::size_t v = 0; v < 5; ++v)
                EXPECT_NEAR(by_row.residual[v], plain.residual[v],
                            (o.precision == scalar::f64 ? 1e-12 : 1e-4) * plain.residual[v]);
            EXPECT_EQ(by_row.drag, plain.drag);
            EXPECT_EQ(by_row.lift, plain.lift);
            EXPECT_EQ(by_row.moment, plain.moment);
            for (int v = 0; v < 5; ++v) EXPECT_EQ(by_row.total[v], plain.total[v]);
        }
}

TEST(euler_advance, a_flow_that_diverges_is_found_and_left_as_it_was) {
    const subject s{"shell", generate_mesh({.size = 1000}), {}};
    for (euler_options o : both_schemes()) {
        o.scheme.cfl = 40;
        o.check_every = 25;
        std::optional<euler_result> truth;
        for (const row_here& row : rows()) {
            if (row.name == "reference/plain") {
                euler_case c = begun(s, o);
                truth = c.run(on_reference{}, 200, row.name);
            }
        }
        ASSERT_TRUE(truth);
        ASSERT_EQ(truth->end, euler_end::diverged);
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name + " order " + std::to_string(o.scheme.order) + " " + name_of(o.precision));
            euler_case c = begun(s, o);
            if (!advance(c, row, 0)) continue;
            const std::vector<euler_state> before = c.state();  // in the case's precision
            const euler_result r = c.run(row.where, 200, row.name);
            EXPECT_EQ(r.end, euler_end::diverged);
            EXPECT_EQ(r.bad_iteration, truth->bad_iteration);
            EXPECT_EQ(r.bad_cell, truth->bad_cell);
            EXPECT_EQ(r.iterations, truth->iterations);
            EXPECT_EQ(c.iteration(), truth->iterations);
            if (c.iteration() == 0) {
                EXPECT_TRUE(c.state() == before);
            }
        }
    }
}

TEST(euler_advance, a_run_in_time_ends_where_it_shall) {
    const subject& s = subjects()[2];
    euler_options o = s.options;
    o.scheme.step = euler_step::global;
    o.scheme.order = 1;
    o.end_time = 0.5;
    euler_case truth = begun(s, o);
    const euler_result wanted = truth.run(on_reference{}, 100000, "reference/plain");
    ASSERT_EQ(wanted.end, euler_end::time);
    for (const row_here& row : rows()) {
        SCOPED_TRACE(row.name);
        euler_case c = begun(s, o);
        euler_result r;
        try {
            r = c.run(row.where, 100000, row.name);
        } catch (const unsupported_variant&) {
            continue;
        }
        EXPECT_EQ(r.end, euler_end::time);
        EXPECT_EQ(c.time(), 0.5);
        EXPECT_EQ(r.iterations, wanted.iterations);
        EXPECT_LE(difference(c.state(), truth.state()), 1e-12);
        const std::size_t measured = c.history().size();
        EXPECT_EQ(c.run(row.where, 10, row.name).end, euler_end::time);
        EXPECT_EQ(c.history().size(), measured) << "nothing happened, nothing is measured";
    }
}

TEST(euler_advance, a_run_in_time_without_cells_has_a_time) {
    for (const double end : {0.0, 0.5})
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name);
            euler_options o;
            o.scheme.step = euler_step::global;
            o.scheme.order = 1;
            o.end_time = end;
            euler_case c(mesh{}, o);
            euler_result r;
            try {
                r = c.run(row.where, 3, row.name);
            } catch (const unsupported_variant&) {
                continue;
            }
            EXPECT_EQ(r.end, end > 0 ? euler_end::time : euler_end::iterations);
            EXPECT_EQ(r.iterations, end > 0 ? 1 : 3);
            EXPECT_EQ(c.time(), end);
            for (const euler_sample& at : c.history()) EXPECT_EQ(at.residual[0], 0);
            EXPECT_EQ(c.largest_residual().cell, -1);
        }
}

TEST(euler_advance, a_run_that_settles_too_little_says_so) {
    const subject s{"shell", generate_mesh({.size = 900}), {}};
    for (const row_here& row : rows()) {
        SCOPED_TRACE(row.name);
        euler_options o = s.options;
        o.scheme = euler_scheme::rodinia();
        o.check_every = 5;
        o.stop_decades = 12;
        euler_case c(s.grid, o);
        if (!advance(c, row, 0)) continue;
        EXPECT_EQ(c.run(row.where, 0, row.name).end, euler_end::iterations) << "no iteration was asked for";
        const euler_result r = c.run(row.where, 20, row.name);
        EXPECT_EQ(r.end, euler_end::not_converged);
        double most = 0;
        for (const euler_sample& at : c.history()) most = std::max(most, at.residual[0]);
        EXPECT_DOUBLE_EQ(r.decades, std::log10(most / c.history().back().residual[0]));
        const euler_place worst = c.largest_residual();
        const std::vector<euler_state> residual = c.residual();
        for (std::size_t i = 0; i < residual.size(); ++i)
            EXPECT_LE(std::fabs(residual[i][0] / s.grid.volume[i]), std::fabs(worst.residual));
        for (std::size_t d = 0; d < 3; ++d)
            EXPECT_EQ(worst.at[d], s.grid.centre[3 * static_cast<std::size_t>(worst.cell) + d]);
        o.stop_decades = 0;
        o.stop_force = 1e-12;
        euler_case drag(s.grid, o);
        EXPECT_EQ(drag.run(row.where, 20, row.name).end, euler_end::not_converged);
    }
}

TEST(euler_advance, a_watcher_that_throws_loses_no_iteration) {
    const subject s{"shell", generate_mesh({.size = 900}), {}};
    for (euler_options o : both_schemes()) {
        o.check_every = 10;
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name + " order " + std::to_string(o.scheme.order) + " " + name_of(o.precision));
            euler_case whole = begun(s, o);
            if (!advance(whole, row, 30)) continue;
            euler_case c = begun(s, o);
            const auto interrupt = [](const euler_sample& at) -> bool {
                if (at.iteration == 20) throw std::runtime_error("enough");
                return true;
            };
            EXPECT_THROW((void)c.run(row.where, 30, row.name, interrupt), std::runtime_error);
            EXPECT_EQ(c.iteration(), 20);
            EXPECT_EQ(c.history().size(), 3U);
            ASSERT_TRUE(advance(c, row, 10));
            EXPECT_TRUE(c.state() == whole.state());
        }
    }
}

TEST(euler_advance, a_watcher_sees_the_flow_as_it_is_and_changes_nothing) {
    const subject s{"shell", generate_mesh({.size = 900}), {}};
    for (euler_options o : both_schemes()) {
        o.check_every = 10;
        for (const row_here& row : rows()) {
            SCOPED_TRACE(row.name + " order " + std::to_string(o.scheme.order) + " " + name_of(o.precision));
            euler_case half = begun(s, o), whole = begun(s, o), c = begun(s, o);
            if (!advance(half, row, 10) || !advance(whole, row, 20)) continue;
            bool looked = false;
            (void)c.run(row.where, 20, row.name, [&](const euler_sample& at) {
                if (at.iteration != 10) return true;
                EXPECT_TRUE(c.state() == half.state());
                EXPECT_THROW((void)c.run(row.where, 1, row.name), bad_argument);
                EXPECT_THROW(c.set_state(half.state()), bad_argument);
                EXPECT_THROW((void)c.measure(), bad_argument);
                return looked = true;
            });
            EXPECT_TRUE(looked);
            EXPECT_TRUE(c.state() == whole.state());
        }
    }
}

TEST(euler_advance, a_state_of_no_time_is_refused) {
    euler_case c = begun(subjects()[0], {});
    const std::vector<euler_state> state = c.state();
    EXPECT_THROW(c.set_state(state, -1), bad_argument);
    EXPECT_THROW(c.set_state(state, 0, std::nan("")), bad_argument);
    EXPECT_EQ(c.iteration(), 0);
}

TEST(euler_advance, meshes_that_lead_nowhere_are_refused) {
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
