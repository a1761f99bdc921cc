// lanes - groups of cells, each group on one thread for all steps of a run.
#include "solvers/tree/cable/cpu/lanes/group.hpp"

#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/cable/shared/host_session.hpp"
#include "solvers/tree/cable/shared/tuning.hpp"

namespace wale::tree {
namespace {

struct attached_group : lane_group {
    index_t first = 0;  // cell; those beyond the last are copies of it
    std::vector<attached> probes, clamps;
};

/// Two vectors hide latencies, if that leaves every thread a group.
index_t group_width(const cable_job& job) {
    const index_t lanes = lane_count();
    const int threads = cpu::team_size(std::get<on_cpu>(job.where).threads, job.system->cells);
    const index_t vectors = chosen_lanes().vectors;
    return job.system->cells >= vectors * lanes * threads ? vectors * lanes : lanes;
}

class lanes_session final : public cable_session {
public:
    explicit lanes_session(const cable_job& job) : system_(*job.system), walk_(system_) {
        const index_t lanes = lane_count(), widest = group_width(job);
        for (index_t first = 0; first < system_.cells; first += groups_.back().width) {
            attached_group& g = groups_.emplace_back();
            g.first = first;
            g.width = system_.cells - first <= lanes ? lanes : widest;  // a last group may be narrower
            fill(g, *job.state);
        }
        attach(widest);
    }

    void step(const cable_steps& steps) override {
        const int threads = cpu::team_size(std::get<on_cpu>(steps.where).threads, std::ssize(groups_));
        cpu::run_team(threads, [&](int rank) {
            for (std::size_t g = static_cast<std::size_t>(rank); g < groups_.size();
                 g += static_cast<std::size_t>(threads))
                step(groups_[g], steps);
        });
        for (const attached_group& g : groups_) find_trouble(g, *steps.result);
        steps.result->run.threads = threads;
        steps.result->run.device = cpu::instruction_set();
        steps.result->run.policy = "cells=" + std::to_string(groups_.front().width);
        steps.result->run.iterations = steps.count;
    }

    void fetch(cable_state& state) override {
        for (attached_group& g : groups_)
            each_number(g, state, [](double lane, double& cell) { cell = lane; });
    }

private:
    [[nodiscard]] index_t cells_of(const attached_group& g) const {
        return std::min(g.width, system_.cells - g.first);
    }

    /// f(number of the group, number of the state) for all voltages and gates of the cells that are there.
    template <class State, class F>
    void each_number(attached_group& g, State& state, F&& f) const {
        for (index_t k = 0; k < cells_of(g); ++k)
            for (index_t i = 0; i < system_.size; ++i) {
                const auto at = static_cast<std::size_t>((g.first + k) * system_.size + i);
                f(g.v[static_cast<std::size_t>(i * g.width + k)], state.v[at]);
                const index_t gates = walk_.nodes[static_cast<std::size_t>(i)].gates;
                for (index_t n = 0; gates >= 0 && n < 3; ++n)
                    f(g.gates[static_cast<std::size_t>((3 * gates + n) * g.width + k)], state.gates[n][at]);
            }
    }

    void fill(attached_group& g, const cable_state& state) const {
        const auto width = static_cast<std::size_t>(g.width), n = static_cast<std::size_t>(system_.size);
        g.order = &walk_;
        g.in_place = system_.in_place();
        g.gate_time = system_.dt * system_.speed;
        g.e_na = system_.e_na;
        g.e_k = system_.e_k;
        g.v.assign(n * width, 0);
        g.gates.assign(3 * static_cast<std::size_t>(walk_.gated) * width, 0);
        g.factor.assign(n * width, 0);
        g.given.assign(2 * static_cast<std::size_t>(walk_.places) * width, 0);
        if (!g.in_place) g.solved.assign(n * width, 0);
        each_number(g, state, [](double& lane, double cell) { lane = cell; });
        g.patches.resize(5 * cable_regions * width);
        for (std::size_t r = 0; r < cable_regions; ++r)
            for (std::size_t k = 0; k < width; ++k) {
                const index_t cell = std::min(g.first + static_cast<index_t>(k), system_.cells - 1);
                const patch& p = system_.patches_of(cell)[r];
                double* to = g.patches.data() + 5 * r * width + k;
                to[0] = p.charge;
                to[width] = p.g_leak;
                to[2 * width] = p.i_leak;
                to[3 * width] = p.g_na;
                to[4 * width] = p.g_k;
            }
        if (walk_.gated > 0) return;
        g.pivot.assign(n * width, 0);
        factor_group(g);
    }

    void attach(index_t widest) {
        const auto group_of = [&](index_t cell) -> attached_group& {
            return groups_[static_cast<std::size_t>(cell / widest)];  // all but the last have this width
        };
        for (std::size_t p = 0; p < system_.probes.size(); ++p) {
            const cable_probe& probe = system_.probes[p];
            attached_group& g = group_of(probe.cell);
            g.probes.push_back({static_cast<index_t>(p), probe.compartment * g.width + probe.cell - g.first});
        }
        for (std::size_t c = 0; c < system_.clamps.size(); ++c) {
            const cable_clamp& clamp = system_.clamps[c];
            attached_group& g = group_of(clamp.cell);
            const index_t place = walk_.nodes[static_cast<std::size_t>(clamp.compartment)].place;
            g.clamps.push_back({static_cast<index_t>(c), (2 * place + 1) * g.width + clamp.cell - g.first});
        }
    }

    void step(attached_group& g, const cable_steps& steps) const {
        for (attached& p : g.probes) p.before = g.v[static_cast<std::size_t>(p.at)];
        for (index_t k = 0; k < steps.count; ++k) {
            for (int stage = 0; stage < system_.stages; ++stage) {
                for (const attached& c : g.clamps)
                    g.given[static_cast<std::size_t>(c.at)] +=
                        system_.current(system_.clamps[static_cast<std::size_t>(c.number)], steps.first + k);
                g.stretch = system_.stretch[stage];
                step_group(g, k == 0 || stage > 0);
            }
            for (attached& p : g.probes) {
                const double now = g.v[static_cast<std::size_t>(p.at)];
                steps.note(p.number, steps.first + k + 1, p.before, now);
                p.before = now;
            }
        }
        finish_group(g);
    }

    void find_trouble(const attached_group& g, cable_result& result) const {
        if (result.diverged >= 0 || all_finite(g.v)) return;
        for (index_t k = 0; k < cells_of(g); ++k)
            for (index_t i = 0; i < system_.size; ++i)
                if (!std::isfinite(g.v[static_cast<std::size_t>(i * g.width + k)])) {
                    result.diverged = g.first + k;
                    return;
                }
    }

    const cable_system& system_;
    walk walk_;
    std::vector<attached_group> groups_;
};

bool lanes_suit(const cable_job& job) {
    return job.system->cells >= chosen_lanes().fewest_cells(lane_count());
}

}  // namespace

extern constinit const cable_row cable_cpu_lanes{
    "cpu/lanes", "cells side by side in the lanes of vectors; the tree is eliminated as it is assembled",
    create_session<lanes_session>, refuses_scalars, lanes_suit};

}  // namespace wale::tree
