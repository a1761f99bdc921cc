// euler_advance_test - every row of flows against the reference: schemes, orders, layouts, constants, meshes
// of every kind and size, both precisions, every tuning row; and bits that no order of cells changes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <wale/wale.hpp>

#include "agreement/flow_rows.hpp"
#include "agreement/rows.hpp"
#include "solvers/euler/advance/cuda/resident/tuning.hpp"
#include "solvers/euler/advance/cuda/second_order/tuning.hpp"
#include "solvers/euler/advance/cuda/tiled/tuning.hpp"
#include "solvers/euler/advance/shared/device/tuning.hpp"
#include "thinned.hpp"
#include "tuning/override.hpp"

namespace wale {
namespace {

using namespace agreement;

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
        // Angled: along a face of the far field rounding decides from which side the gas comes.
        s.push_back({"one_cell", agreement::one_cell(), angled});
        s.push_back({"no_cells", build_mesh({}), {}});
        return s;
    }();
    return all;
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
    all.push_back({.flux = euler_flux::hllc, .limiter = euler_limiter::smooth, .cfl = 0.5});
    all.push_back({.flux = euler_flux::roe, .time = euler_time::ssp_rk3, .cfl = 0.5, .smoothing = 1});
    return all;
}

/// What the reference says of a case, computed once for all rows of this process.
struct advanced {
    std::vector<euler_state> state;
    double time;
    euler_sample sample;
};
const advanced& truth_of(const std::tuple<std::size_t, std::size_t, scalar>& which, const auto& compute) {
    static std::map<std::tuple<std::size_t, std::size_t, scalar>, advanced> known;
    const auto at = known.find(which);
    return at != known.end() ? at->second : known.emplace(which, compute()).first->second;
}

/// Every scheme on one kind of mesh.
class euler_rows : public testing::TestWithParam<std::tuple<row_here, std::size_t>> {};

TEST_P(euler_rows, agree_with_the_reference) {
    const row_here row = std::get<0>(GetParam());
    const subject& s = subjects()[std::get<1>(GetParam())];
    constexpr index_t iterations = 23;  // more than a recorded graph's
    const std::vector<euler_scheme> all = schemes();
    bool ran = false;
    for (const euler_scheme& scheme : all)
        for (const scalar precision : {scalar::f64, scalar::f32}) {
            if (!asked_here(4)) continue;
            euler_options o = s.options;
            o.scheme = scheme;
            o.precision = precision;
            SCOPED_TRACE(label(o));
            euler_case c = begun(s.grid, o);
            try {
                (void)c.run(row.where, iterations, row.name);
            } catch (const unsupported_variant& e) {
                EXPECT_TRUE(may_refuse(row.name, c.grid(), o)) << e.what();
                continue;
            }
            ran = true;
            const advanced& truth =
                truth_of({std::get<1>(GetParam()), std::size_t(&scheme - all.data()), precision}, [&] {
                    euler_case r = begun(s.grid, o);
                    (void)r.run(on_reference{}, iterations, "reference/plain");
                    return advanced{r.state(), r.time(), r.measure()};
                });
            EXPECT_LE(difference(c.state(), truth.state), tolerance(precision));
            // Powers at a far field are the processor's own: they may differ in the last bit.
            EXPECT_NEAR(c.time(), truth.time, (precision == scalar::f64 ? 1e-13 : 1e-5) * truth.time);
            const euler_sample& sample = truth.sample;
            ASSERT_FALSE(c.history().empty());
            const double slack = precision == scalar::f64 ? 1e-9 : 1e-2;
            EXPECT_NEAR(c.history().back().residual[0], sample.residual[0],
                        slack * (sample.residual[0] + 1e-3));
            EXPECT_NEAR(c.history().back().drag, sample.drag, slack * (std::fabs(sample.drag) + 1e-3));
            EXPECT_NEAR(c.history().back().total[4], sample.total[4], slack * std::fabs(sample.total[4]));
        }
    if (!ran) GTEST_SKIP() << row.name << " takes none of these cases";
}
INSTANTIATE_TEST_SUITE_P(rows, euler_rows,
                         testing::Combine(testing::ValuesIn(flow_rows()),
                                          testing::Range<std::size_t>(0, subjects().size())),
                         [](const auto& p) {
                             return word_of(std::get<0>(p.param).name) + "_on_" +
                                    subjects()[std::get<1>(p.param)].name;
                         });

class euler_advance : public flow_row_test {
protected:
    static void compare(const mesh& m, euler_options o, index_t iterations) {
        SCOPED_TRACE(std::to_string(m.cells()) + " cells, " + name_of(o.scheme.flux));
        o.precision = scalar::f64;
        o.check_every = 0;
        euler_case truth(m, o);
        ASSERT_EQ(truth.run(on_reference{}, iterations).end, euler_end::iterations) << "the case is bad";
        for (const scalar precision : {scalar::f64, scalar::f32}) {
            o.precision = precision;
            euler_case c(m, o);
            if (!advance(c, iterations)) continue;
            EXPECT_LE(difference(c.state(), truth.state()), precision == scalar::f64 ? 1e-12 : 5e-5)
                << name_of(precision);
        }
    }
};
INSTANTIATE_TEST_SUITE_P(rows, euler_advance, testing::ValuesIn(flow_rows()), name_of_row);

/// The published scheme in every layout and with constants in every place.
TEST_P(euler_advance, agrees_in_every_layout_with_constants_in_every_place) {
    const mesh m = shell(2500);
    for (const scalar precision : {scalar::f64, scalar::f32}) {
        euler_options o = published(precision);
        euler_case truth = begun(m, o);
        (void)truth.run(on_reference{}, 41, "reference/plain");
        for (const euler_layout l : {euler_layout::automatic, euler_layout::cell_major,
                                     euler_layout::variable_major, euler_layout::packed})
            for (const euler_constants k : {euler_constants::automatic, euler_constants::constant_memory,
                                            euler_constants::parameters, euler_constants::compiled}) {
                if (!asked_here(4)) continue;
                o.layout = l;
                o.constants = k;
                euler_case c = begun(m, o);
                SCOPED_TRACE(std::string(name_of(l)) + " " + name_of(k) + " " + name_of(precision));
                if (advance(c, 41)) {
                    EXPECT_LE(difference(c.state(), truth.state()), tolerance(precision));
                }
            }
    }
}

/// One cell, and numbers of cells about warps, vectors and the parts of cuda/resident.
TEST_P(euler_advance, agrees_for_any_number_of_cells) {
    const mesh m = shell(3000);
    for (const index_t cells :
         {0, 1, 2, 3, 5, 31, 32, 33, 63, 95, 96, 97, 191, 192, 193, 500, 767, 1000, 2000})
        compare(first_cells(m, cells), published(scalar::f64, 0.05), 20);
    compare(one_cell({{"wall", {0, 3}, {0, 1, 2}}}), published(scalar::f64), 50);
}

/// One block and many; cells in no order.
TEST_P(euler_advance, agrees_on_shells_of_any_size) {
    compare(shell(24), published(scalar::f64), 2);  // the published step is too long for more iterations
    for (const index_t size : {100, 190, 700, 5000}) compare(shell(size), published(scalar::f64, 0.05), 60);
    compare(generate_mesh({.size = 8000, .shuffled = true}), published(scalar::f64, 0.05), 40);
}

/// Faces a little larger than closed cells have, alike from both sides.
TEST_P(euler_advance, agrees_on_cells_that_do_not_close) {
    mesh m = shell(3000);
    for (index_t row = 0; row < m.rows(); ++row) {
        const std::int32_t n = m.neighbour[static_cast<std::size_t>(row)];
        if (is_patch(n) || (row / 4 + n) % 7 != 0) continue;
        for (index_t i = 3 * row; i < 3 * row + 3; ++i) m.normal[static_cast<std::size_t>(i)] *= 1.00005;
    }
    euler_options o = published(scalar::f64);
    o.stream.alpha = 2;
    o.stream.beta = 1;
    compare(m, o, 30);
}

TEST_P(euler_advance, agrees_in_a_channel_with_a_wedge) {
    for (const cell_shape shape : {cell_shape::triangle, cell_shape::quadrilateral})
        for (const euler_flux flux : {euler_flux::rodinia, euler_flux::central}) {
            euler_options o = published(scalar::f64, 0.05);
            o.stream.mach = 2;
            o.scheme.flux = flux;
            if (flux == euler_flux::central) o.scheme.time = euler_time::jameson;
            compare(generate_mesh({.kind = mesh_kind::wedge, .size = 1500, .shape = shape}), o, 50);
        }
}

TEST_P(euler_advance, has_the_same_bits_for_any_order_of_cells) {
    const mesh m = shell(1500);
    for (const euler_options& o : both_schemes()) {
        SCOPED_TRACE(label(o));
        euler_case natural = begun(m, o);
        if (!advance(natural, 21)) continue;
        for (const cell_order order :
             {cell_order::random, cell_order::reverse_cuthill_mckee, cell_order::hilbert}) {
            euler_options other = o;
            other.order = order;
            euler_case c = begun(m, other);
            ASSERT_TRUE(advance(c, 21));
            EXPECT_TRUE(c.state() == natural.state()) << name_of(order);
            EXPECT_EQ(c.history().back().residual, natural.history().back().residual) << name_of(order);
            EXPECT_EQ(c.history().back().drag, natural.history().back().drag) << name_of(order);
        }
    }
}

TEST_P(euler_advance, measures_what_the_reference_measures_of_the_same_state) {
    const mesh m = shell(2000);
    for (const euler_options& o : both_schemes()) {
        SCOPED_TRACE(label(o));
        euler_case c = begun(m, o);
        if (!advance(c, 5)) continue;
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

/// Rows of the device on meshes that fill it.
class euler_large_meshes : public euler_advance {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(euler_large_meshes);
INSTANTIATE_TEST_SUITE_P(rows, euler_large_meshes, testing::ValuesIn(device_flow_rows()), name_of_row);

TEST_P(euler_large_meshes, agree_with_the_reference) {
    compare(generate_mesh({.size = 40000, .shuffled = true}), published(scalar::f64), 20);
    compare(shell(97200), published(scalar::f64), 100);
}

/// A row with a row of its tuning table, and the precisions that the tuning row is compiled for.
struct tuned_flow : named_row {
    bool f32, f64;
};

template <class Policy, std::size_t N>
void append_tuned(std::vector<tuned_flow>& all, const char* name, const char* table,
                  const tuning::row<Policy> (&rows)[N]) {
    for (std::size_t i = 0; i < N; ++i)
        if (tuning::compiled(rows, i, 4) || tuning::compiled(rows, i, 8))
            all.push_back(
                {row_with(name, table, i), tuning::compiled(rows, i, 4), tuning::compiled(rows, i, 8)});
}
std::vector<tuned_flow> tuned_flows() {
    std::vector<tuned_flow> all;
    append_tuned(all, "cuda/tiled", "euler/advance/tiled", euler::tiled_policies);
    append_tuned(all, "cuda/second_order", "euler/advance/second_order", euler::second_order_policies);
    append_tuned(all, "cuda/resident", "euler/advance/resident", euler::resident_policies);
    append_tuned(all, "cuda/fused", "euler/advance/fused", euler::fused_policies);
    append_tuned(all, "cuda/graph", "euler/advance/fused", euler::fused_policies);
    return all;
}

class euler_tuning : public row_test_of<tuned_flow> {};
INSTANTIATE_TEST_SUITE_P(rows, euler_tuning, testing::ValuesIn(tuned_flows()), test_name);

TEST_P(euler_tuning, agrees_with_the_reference) {
    const mesh m = shell(12000);
    for (const scalar precision : {scalar::f32, scalar::f64}) {
        if (!(precision == scalar::f32 ? GetParam().f32 : GetParam().f64)) continue;
        euler_options o = published(precision);
        if (row().name == "cuda/second_order") o.scheme = {.cfl = 0.5};
        euler_case c = begun(m, o), truth = begun(m, o);
        (void)c.run(where(), 25, row().name);
        (void)truth.run(on_reference{}, 25);
        EXPECT_LE(difference(c.state(), truth.state()), tolerance(precision)) << name_of(precision);
    }
}

}  // namespace
}  // namespace wale
