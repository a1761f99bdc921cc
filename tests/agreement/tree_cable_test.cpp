// tree_cable_test - every row of cables against the reference: voltages, gates, probes and spikes, on forms
// and membranes of every kind, however a run is cut and whatever instruction set is at hand.
#include <gtest/gtest.h>

#include <cmath>
#include <wale/wale.hpp>

#include "agreement/instruction_sets.hpp"
#include "agreement/rows.hpp"
#include "solvers/tree/cable/shared/host_session.hpp"
#include "solvers/tree/cable/shared/tuning.hpp"

namespace wale {
namespace {

using agreement::row_here;

cable_model grown() {
    neuron_options o;
    o.stems = 3;
    o.levels = 2;
    return cable_model(grow_neuron(o), {.axial_resistivity = 100, .max_length = 25});
}

/// parent[i] is the parent of compartment i; two compartments have no membrane.
cable_model by_hand(const std::vector<std::int32_t>& parent) {
    std::vector<cable_compartment> all;
    for (std::size_t i = 0; i < parent.size(); ++i) {
        const auto k = static_cast<double>(i);
        const auto region = static_cast<cable_region>(i % cable_regions);
        all.push_back({parent[i], region, i % 7 == 3 ? 0 : 50 + 13 * k, 0.01 + 0.003 * k, 0, 0.5});
    }
    return cable_model(std::move(all));
}

cable_options on(const cable_model& model, index_t cells, int kind, cable_method method) {
    cable_options o;
    o.cells = cells;
    o.method = method;
    o.sample_every = 3;
    o.membranes.clear();
    const index_t sets = kind % 2 == 0 ? 1 : cells;
    for (index_t k = 0; k < sets; ++k) {
        const auto x = static_cast<double>(k);
        cable_membranes m;
        m.fill(cable_membrane::passive(0.0003 + 0.00002 * x, -65));
        if (kind >= 2) m[0] = m[1] = cable_membrane::squid();
        if (kind >= 4) m.fill(cable_membrane::squid());
        m[0].g_na += 0.001 * x;
        o.membranes.push_back(m);
    }
    o.clamps = {{every_cell, 0, 1, 20, 1.5},
                {cells - 1, model.size() / 3, 0.5, 3, 0.4},
                {cells - 1, model.size() / 3, 0.5, 3, 0.4},
                {0, model.size() - 1, 2, 1, -0.3}};
    for (index_t k = 0; k < cells; ++k)
        for (const index_t i : {index_t{0}, model.size() - 1, model.size() / 3}) o.probes.push_back({k, i});
    return o;
}

double deviation(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (!(std::fabs(a[k] - b[k]) <= most)) most = std::fabs(a[k] - b[k]);
    return most;
}

/// Rounding errors of 2^-52 a number and step, which the rise of a spike may multiply by thousands.
constexpr double tolerance = 1e-8;  // [mV], [ms], of gates absolute

void expect_row_agrees(const row_here& row, const cable_model& model, const cable_options& options,
                       index_t steps) {
    cable truth(model, options), cells(model, options);
    const cable_result expected = truth.run(on_reference{}, steps);
    cable_result found;
    try {
        found = cells.run(row.where, steps, row.name);
    } catch (const unsupported_variant& e) {
        EXPECT_TRUE(row.name.starts_with("cpu/") && tree::lane_count() == 1) << e.what();
        return;
    }
    EXPECT_EQ(found.run.variant, row.name);
    EXPECT_EQ(found.steps, steps);
    EXPECT_EQ(found.diverged, -1);
    EXPECT_EQ(found.times, expected.times);
    EXPECT_LE(deviation(expected.voltages, found.voltages), tolerance) << row.name;
    EXPECT_LE(deviation(truth.voltages(), cells.voltages()), tolerance) << row.name;
    EXPECT_LE(deviation(truth.gates(), cells.gates()), tolerance) << row.name;
    ASSERT_EQ(found.spikes.size(), expected.spikes.size());
    for (std::size_t p = 0; p < found.spikes.size(); ++p)
        EXPECT_LE(deviation(expected.spikes[p], found.spikes[p]), tolerance) << row.name;
}

class cable_rows : public testing::TestWithParam<row_here> {};

TEST_P(cable_rows, agree_on_membranes_and_methods) {
    const cable_model model = grown();
    for (int kind = 0; kind < 6; ++kind)
        for (const cable_method method :
             {cable_method::backward_euler, cable_method::crank_nicolson, cable_method::sdirk2})
            expect_row_agrees(GetParam(), model, on(model, 5, kind, method), 300);
}

TEST_P(cable_rows, do_not_ring_where_there_is_no_membrane) {
    // A current into the place where two compartments meet: its voltage jumps, then rises with theirs.
    cable_model model(std::vector<cable_compartment>{
        {-1, {}, 300, 0, 0, 0}, {0, {}, 0, 0.02, 0, 0}, {1, {}, 200, 0.03, 0, 0}});
    cable_options o;
    o.membranes[0].fill(cable_membrane::passive(0.001, -65));  // at rest in the beginning
    o.clamps = {{every_cell, 1, 0, 1e9, 0.02}};
    o.probes = {{0, 1}};
    const auto falls = [&](cable_method method) {
        o.method = method;
        cable c(model, o);
        const std::vector<double> v = c.run(GetParam().where, 40, GetParam().name).voltages;
        int count = 0;
        for (std::size_t k = 1; k < v.size(); ++k) count += v[k] < v[k - 1] ? 1 : 0;
        return count;
    };
    EXPECT_EQ(falls(cable_method::sdirk2), 0);
    EXPECT_EQ(falls(cable_method::backward_euler), 0);
    EXPECT_GE(falls(cable_method::crank_nicolson), 19);  // every other step
}

TEST_P(cable_rows, agree_on_any_number_of_cells) {
    const cable_model model = by_hand({-1, 0, 1, 1, 3, 4, 0, 6, 6, 8});
    for (const index_t cells : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 65})
        expect_row_agrees(GetParam(), model,
                          on(model, cells, cells % 2 == 0 ? 3 : 2, cable_method::backward_euler), 60);
}

TEST_P(cable_rows, agree_on_any_form) {
    std::vector<std::vector<std::int32_t>> forms{{-1}, {-1, 0}};
    std::vector<std::int32_t> path{-1}, star{-1}, comb{-1}, binary{-1}, outwards{-1};
    for (std::int32_t i = 1; i < 60; ++i) {
        path.push_back(i - 1);
        star.push_back(0);
        comb.push_back(i % 2 == 1 ? std::max(i - 2, 0) : i - 1);
        binary.push_back((i - 1) / 2);
        outwards.push_back(i * 7 % 11 % i);
    }
    for (auto& f : {path, star, comb, binary, outwards}) forms.push_back(f);
    for (const auto& f : forms) {
        const cable_model model = by_hand(f);
        for (const int kind : {0, 4}) expect_row_agrees(GetParam(), model, on(model, 9, kind, {}), 100);
    }
}

/// Cut anywhere, read in between, gone on elsewhere: the same bits on one row.
TEST_P(cable_rows, have_the_same_bits_however_a_run_is_cut) {
    const cable_model model = grown();
    for (const int kind : {0, 3}) {
        const cable_options options = on(model, 11, kind, cable_method::backward_euler);
        cable whole(model, options), cut(model, options);
        cable_result expected, found;
        std::vector<double> pieces;
        std::vector<std::vector<double>> spikes(options.probes.size());
        expected = whole.run(GetParam().where, 200, GetParam().name);
        for (const index_t steps : {1, 0, 2, 97, 100}) {
            found = cut.run(GetParam().where, steps, GetParam().name);
            pieces.insert(pieces.end(), found.voltages.begin(), found.voltages.end());
            for (std::size_t p = 0; p < spikes.size(); ++p)
                spikes[p].insert(spikes[p].end(), found.spikes[p].begin(), found.spikes[p].end());
            if (steps == 2) {
                EXPECT_EQ(cut.voltages().size(), 11 * static_cast<std::size_t>(model.size()));
            }
        }
        EXPECT_EQ(pieces, expected.voltages);
        EXPECT_EQ(spikes, expected.spikes);
        EXPECT_EQ(cut.voltages(), whole.voltages());
        EXPECT_EQ(cut.gates(), whole.gates());
        EXPECT_DOUBLE_EQ(cut.time(), 200 * options.dt);
    }
}

TEST_P(cable_rows, say_which_cell_is_no_longer_finite) {
    const cable_model model = by_hand({-1, 0, 1, 1, 2});
    cable_options options;
    options.cells = 19;
    options.membranes[0].fill(cable_membrane::squid());
    cable cells(model, options);
    std::vector<double> start(19 * 5, -65);
    start[13 * 5 + 2] = std::numeric_limits<double>::quiet_NaN();
    start[17 * 5] = std::numeric_limits<double>::infinity();
    cells.reset(start);
    EXPECT_EQ(cells.run(GetParam().where, 10, GetParam().name).diverged, 13);
    const std::vector<double> after = cells.voltages();
    for (std::size_t k = 0; k < after.size(); ++k)
        EXPECT_EQ(std::isfinite(after[k]), k / 5 != 13 && k / 5 != 17) << k;
    start.assign(start.size(), 1e5);  // far beyond any rate, and yet finite
    cells.reset(start);
    EXPECT_EQ(cells.run(GetParam().where, 100, GetParam().name).diverged, -1);
}

/// A passive cable is linear: four times the current is four times the voltage, bit for bit.
TEST_P(cable_rows, scale_bit_for_bit) {
    const cable_model model = grown();
    std::vector<std::vector<double>> ends;
    for (const double scale : {1.0, 4.0}) {
        cable_options options;
        options.cells = 3;
        options.initial = 0;
        options.membranes[0].fill(cable_membrane::passive(0.0002, 0));
        options.clamps = {{every_cell, model.size() / 2, 0, 5, 0.3 * scale}};
        cable cells(model, options);
        (void)cells.run(GetParam().where, 250, GetParam().name);
        ends.push_back(cells.voltages());
        for (double& v : ends.back()) v /= scale;
    }
    EXPECT_EQ(ends[0], ends[1]);
}

TEST_P(cable_rows, take_no_cells_and_no_steps) {
    cable_options options;
    options.cells = 0;
    cable none(by_hand({-1, 0}), options);
    EXPECT_EQ(none.run(GetParam().where, 7, GetParam().name).steps, 7);
    options.cells = 2;
    options.probes = {{1, 0}};
    cable still(by_hand({-1, 0}), options);
    const cable_result r = still.run(GetParam().where, 0, GetParam().name);
    EXPECT_EQ(r.samples, 0);
    EXPECT_EQ(still.voltages(), std::vector<double>(4, -65));
}

INSTANTIATE_TEST_SUITE_P(all, cable_rows, testing::ValuesIn(agreement::rows_here("tree", "cable")),
                         [](const auto& one) { return agreement::word_of(one.param.name); });

/// Rows with every row of their tuning tables.
agreement::named_rows every_tuning() {
    agreement::named_rows all;
    agreement::add_tunings(all, "cpu/lanes", "tree/cable/lanes", tree::cable_lanes_policies);
    agreement::add_tunings(all, "cuda/cells", "tree/cable/cells", tree::cable_cells_policies, {8});
    agreement::add_tunings(all, "cuda/resident", "tree/cable/resident", tree::cable_resident_policies);
    return all;
}

class tuned_cable_rows : public agreement::row_test {};

TEST_P(tuned_cable_rows, agree) {
    const row_here tuned{GetParam().name, where(2)};
    const cable_model grows = grown(), small = by_hand({-1, 0, 1, 1, 3, 4, 0, 6, 6, 8});
    for (const index_t cells : {1, 5, 33, 130})
        for (const int kind : {0, 3, 5}) {
            expect_row_agrees(tuned, grows, on(grows, cells, kind, cable_method::sdirk2), 60);
            expect_row_agrees(tuned, small, on(small, cells, kind, cable_method::backward_euler), 60);
        }
}

INSTANTIATE_TEST_SUITE_P(all, tuned_cable_rows, testing::ValuesIn(every_tuning()), agreement::test_name);

TEST(cable_bits, do_not_depend_on_threads) {
    const cable_model model = grown();
    for (const char* row : {"lanes", "compartments"}) {
        std::vector<std::vector<double>> ends;
        for (const int threads : {1, 2, 3, 7}) {
            cable cells(model, on(model, 37, 5, cable_method::crank_nicolson));
            (void)cells.run(on_cpu{threads}, 80, row);
            ends.push_back(cells.voltages());
        }
        for (const auto& e : ends) EXPECT_EQ(e, ends[0]) << row;
    }
}

TEST(cable_bits, a_state_goes_on_elsewhere) {
    const cable_model model = grown();
    const cable_options options = on(model, 4, 5, cable_method::backward_euler);
    cable truth(model, options), wanders(model, options);
    (void)truth.run(on_reference{}, 300);
    (void)wanders.run(on_cpu{1}, 100, "lanes");
    (void)wanders.run(on_reference{}, 100);
    (void)wanders.run(on_cpu{1}, 100, "compartments");
    EXPECT_LE(deviation(truth.voltages(), wanders.voltages()), tolerance);
}

/// Every instruction set of this CPU, down to plain words.
TEST(cable_targets, agree) {
    const cable_model model = grown();
    for (const std::int64_t target : {HWY_SSSE3, HWY_SSE4, HWY_AVX2, HWY_AVX3}) {
        if ((hwy::SupportedTargets() & target) == 0) continue;
        const agreement::chosen_instruction_set set(target);
        for (const char* row : {"cpu/lanes", "cpu/compartments"})
            expect_row_agrees({row, on_cpu{1}}, model, on(model, 5, 5, cable_method::backward_euler), 300);
    }
}

}  // namespace
}  // namespace wale
