// compartments - cells one by one, each on one thread for all steps of a run.
#include "solvers/tree/cable/cpu/compartments/cell.hpp"

#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/cable/shared/host_session.hpp"

namespace wale::tree {
namespace {

struct attached_cell : level_cell {
    std::vector<attached> probes, clamps;
};

class compartments_session final : public cable_session {
public:
    explicit compartments_session(const cable_job& job) : system_(*job.system), order_(system_) {
        cells_.resize(static_cast<std::size_t>(system_.cells));
        for (index_t k = 0; k < system_.cells; ++k) fill(k, *job.state);
        for (std::size_t p = 0; p < system_.probes.size(); ++p)
            cell(system_.probes[p].cell)
                .probes.push_back({static_cast<index_t>(p), place_of(system_.probes[p].compartment)});
        for (std::size_t c = 0; c < system_.clamps.size(); ++c)
            cell(system_.clamps[c].cell)
                .clamps.push_back({static_cast<index_t>(c), place_of(system_.clamps[c].compartment)});
    }

    void step(const cable_steps& steps) override {
        const int threads = cpu::team_size(std::get<on_cpu>(steps.where).threads, system_.cells);
        cpu::run_team(threads, [&](int rank) {
            for (std::size_t k = static_cast<std::size_t>(rank); k < cells_.size();
                 k += static_cast<std::size_t>(threads))
                step(cells_[k], steps);
        });
        for (index_t k = 0; k < system_.cells && steps.result->diverged < 0; ++k)
            if (!all_finite(cell(k).v)) steps.result->diverged = k;
        steps.result->run.threads = threads;
        steps.result->run.device = cpu::instruction_set();
        steps.result->run.policy = "lanes=" + std::to_string(lane_count());
        steps.result->run.iterations = steps.count;
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

    void step(attached_cell& c, const cable_steps& steps) const {
        for (attached& p : c.probes) p.before = c.v[static_cast<std::size_t>(p.at)];
        for (index_t k = 0; k < steps.count; ++k) {
            for (const attached& a : c.clamps) c.injected[static_cast<std::size_t>(a.at)] = 0;
            for (const attached& a : c.clamps)
                c.injected[static_cast<std::size_t>(a.at)] +=
                    system_.current(system_.clamps[static_cast<std::size_t>(a.number)], steps.first + k);
            step_cell(c);
            for (attached& p : c.probes) {
                const double now = c.v[static_cast<std::size_t>(p.at)];
                steps.note(p.number, steps.first + k + 1, p.before, now);
                p.before = now;
            }
        }
    }

    const cable_system& system_;
    level_order order_;
    std::vector<attached_cell> cells_;
};

}  // namespace

extern constinit const cable_row cable_cpu_compartments{
    "cpu/compartments",
    "one cell at a time, vectors along its compartments; solved level by level, so that branches overlap",
    create_session<compartments_session>, refuses_scalars};

}  // namespace wale::tree
