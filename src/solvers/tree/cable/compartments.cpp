// compartments - cells one by one, each on one thread for all steps of a run.
#include "solvers/tree/cable/compartments.hpp"

#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/cable/cpu.hpp"
#include "solvers/tree/cable/engine.hpp"
#include "solvers/tree/cable/lanes.hpp"

namespace wale::tree {

level_order::level_order(const cable_system& s) : size(s.size) {
    const auto n = static_cast<std::size_t>(size), lanes = static_cast<std::size_t>(lane_count());
    // Breadth first: levels one after the other, and the children of one parent together.
    std::vector<std::vector<std::int32_t>> children(n);
    for (std::size_t i = 1; i < n; ++i)
        children[static_cast<std::size_t>(s.parent[i])].push_back(static_cast<std::int32_t>(i));
    caller.assign(n > 0 ? 1 : 0, 0);
    for (std::size_t k = 0; k < caller.size(); ++k) {
        const std::vector<std::int32_t>& own = children[static_cast<std::size_t>(caller[k])];
        caller.insert(caller.end(), own.begin(), own.end());
    }
    place.resize(n);
    for (std::size_t k = 0; k < n; ++k)
        place[static_cast<std::size_t>(caller[k])] = static_cast<std::int32_t>(k);
    padded = static_cast<index_t>((n + lanes - 1) / lanes * lanes);
    axial.assign(static_cast<std::size_t>(padded), 0);
    parent.assign(n, 0);
    std::vector<char> channels(static_cast<std::size_t>(padded), 0);
    for (std::size_t k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(caller[k]);
        if (k > 0) parent[k] = place[static_cast<std::size_t>(s.parent[i])];
        axial[k] = s.axial[i];
        channels[k / lanes * lanes] |= static_cast<char>(s.active[i]);
    }
    for (std::size_t k = 0; k < channels.size(); ++k)
        if (channels[k]) active.push_back(static_cast<std::int32_t>(k));
}

namespace {

struct attached_cell : level_cell {
    std::vector<attached> probes, clamps;
};

class compartments_engine final : public cable_engine {
public:
    explicit compartments_engine(const cable_job& job) : system_(*job.system), order_(system_) {
        cells_.resize(static_cast<std::size_t>(system_.cells));
        for (index_t k = 0; k < system_.cells; ++k) fill(k, *job.state);
        for (std::size_t p = 0; p < system_.probes.size(); ++p)
            cell(system_.probes[p].cell)
                .probes.push_back({static_cast<index_t>(p), place_of(system_.probes[p].compartment)});
        for (std::size_t c = 0; c < system_.clamps.size(); ++c)
            cell(system_.clamps[c].cell)
                .clamps.push_back({static_cast<index_t>(c), place_of(system_.clamps[c].compartment)});
    }

    void advance(cable_job& job) override {
        const int threads = cpu::team_size(std::get<on_cpu>(job.where).threads, system_.cells);
        cpu::run_team(threads, [&](int rank) {
            for (std::size_t k = static_cast<std::size_t>(rank); k < cells_.size();
                 k += static_cast<std::size_t>(threads))
                advance(cells_[k], job);
        });
        for (index_t k = 0; k < system_.cells && job.result->diverged < 0; ++k)
            if (!all_finite(cell(k).v)) job.result->diverged = k;
        job.result->run.threads = threads;
        job.result->run.device = cpu::instruction_set();
        job.result->run.policy = "lanes=" + std::to_string(lane_count());
        job.result->run.iterations = job.steps;
    }

    void fetch(cable_state& state) override {
        for (index_t k = 0; k < system_.cells; ++k)
            for (index_t i = 0; i < system_.size; ++i) {
                const auto to = static_cast<std::size_t>(k * system_.size + i);
                const auto from = static_cast<std::size_t>(place_of(i));
                state.v[to] = cell(k).v[from];
                for (int g = 0; g < 3 && system_.active[static_cast<std::size_t>(i)]; ++g)
                    state.gates[g][to] = cell(k).gates[g][from];
            }
    }

private:
    [[nodiscard]] attached_cell& cell(index_t k) { return cells_[static_cast<std::size_t>(k)]; }
    [[nodiscard]] index_t place_of(index_t compartment) const {
        return order_.place[static_cast<std::size_t>(compartment)];
    }

    void fill(index_t number, const cable_state& state) {
        attached_cell& c = cell(number);
        c.order = &order_;
        c.stages = system_.stages;
        std::copy_n(system_.stretch, 2, c.stretch);
        c.gate_time = system_.dt * system_.speed;
        c.e_na = system_.e_na;
        c.e_k = system_.e_k;
        for (auto* x : {&c.charge, &c.leak_current, &c.na, &c.k, &c.injected, &c.fixed, &c.v, &c.gates[0],
                        &c.gates[1], &c.gates[2], &c.diagonal, &c.right, &c.factor, &c.pivot, &c.solved})
            x->assign(static_cast<std::size_t>(order_.padded), 0);
        for (std::size_t k = 0; k < order_.caller.size(); ++k) {
            const auto i = static_cast<std::size_t>(order_.caller[k]);
            const auto from = static_cast<std::size_t>(number * system_.size) + i;
            const patch& p = system_.patches_of(number)[system_.region[i]];
            const double area = system_.area[i];
            c.charge[k] = area * p.charge;
            c.leak_current[k] = area * p.i_leak;
            c.na[k] = area * p.g_na;
            c.k[k] = area * p.g_k;
            c.fixed[k] = area * (p.charge + p.g_leak) + system_.joined[i];
            c.v[k] = state.v[from];
            for (int g = 0; g < 3; ++g) c.gates[g][k] = state.gates[g][from];
        }
        if (!system_.any_active) factor_cell(c);
    }

    void advance(attached_cell& c, cable_job& job) const {
        for (attached& p : c.probes) p.before = c.v[static_cast<std::size_t>(p.at)];
        for (index_t k = 0; k < job.steps; ++k) {
            for (const attached& a : c.clamps) c.injected[static_cast<std::size_t>(a.at)] = 0;
            for (const attached& a : c.clamps)
                c.injected[static_cast<std::size_t>(a.at)] +=
                    system_.current(system_.clamps[static_cast<std::size_t>(a.number)], job.first_step + k);
            step_cell(c);
            for (attached& p : c.probes) {
                const double now = c.v[static_cast<std::size_t>(p.at)];
                job.note(p.number, job.first_step + k + 1, p.before, now);
                p.before = now;
            }
        }
    }

    const cable_system& system_;
    level_order order_;
    std::vector<attached_cell> cells_;
};

}  // namespace

void step_cable_compartments(cable_job& job) {
    if (!job.engine) job.engine = std::make_unique<compartments_engine>(job);
    job.engine->advance(job);
}

}  // namespace wale::tree
