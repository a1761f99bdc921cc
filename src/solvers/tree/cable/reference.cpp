// reference - defines the step of cables: one cell after the other, written as the method is. Read this
// first.
//   C dV/dt = g_leak (e_leak - V) + g_na m^3 h (e_na - V) + g_k n^4 (e_k - V) + sum of axial (V_other - V) +
//   I
// Backward in V with the gates as they are, in one stage or two, then the gates with the new V.
#include <utility>

#include "solvers/tree/cable/job.hpp"
#include "solvers/tree/cable/problem.hpp"

namespace wale::tree {
namespace {

class plain_session final : public cable_session {
public:
    explicit plain_session(const cable_job& job) : system_(*job.system), state_(*job.state) {}

    void step(const cable_steps& steps) override {
        for (index_t cell = 0; cell < system_.cells; ++cell)
            for (index_t k = 0; k < steps.count; ++k) {
                const std::vector<double> before = watched();
                step(cell, steps.first + k);
                const std::vector<double> now = watched();
                for (std::size_t p = 0; p < before.size(); ++p)
                    if (system_.probes[p].cell == cell)
                        steps.note(static_cast<index_t>(p), steps.first + k + 1, before[p], now[p]);
            }
        for (std::size_t at = state_.v.size(); at-- > 0;)
            if (!std::isfinite(state_.v[at]))
                steps.result->diverged = static_cast<index_t>(at) / system_.size;
    }
    void fetch(cable_state& state) override { state = state_; }

private:
    /// The voltages at all probes.
    [[nodiscard]] std::vector<double> watched() const {
        std::vector<double> out;
        for (const cable_probe& p : system_.probes)
            out.push_back(state_.v[static_cast<std::size_t>(p.cell * system_.size + p.compartment)]);
        return out;
    }

    void step(index_t cell, index_t number) {
        for (int stage = 0; stage < system_.stages; ++stage) solve(cell, number, system_.stretch[stage]);
        const std::size_t size = static_cast<std::size_t>(system_.size);
        const std::size_t begin = static_cast<std::size_t>(cell) * size;
        for (std::size_t i = 0; i < size; ++i)
            if (system_.active[i]) move_gates(begin + i, state_.v[begin + i]);
    }

    /// A stage: the system is solved and the voltages go `stretch` times as far as its solution.
    void solve(index_t cell, index_t number, double stretch) {
        const auto size = static_cast<std::size_t>(system_.size);
        const std::size_t begin = static_cast<std::size_t>(cell) * size;
        std::vector<double> diagonal(size), x(size);
        for (std::size_t i = 0; i < size; ++i) std::tie(diagonal[i], x[i]) = row(cell, i);
        for (const cable_clamp& c : system_.clamps)
            if (c.cell == cell) x[static_cast<std::size_t>(c.compartment)] += system_.current(c, number);
        for (std::size_t i = size; i-- > 1;) {
            const auto p = static_cast<std::size_t>(system_.parent[i]);
            const double factor = system_.axial[i] / diagonal[i];
            diagonal[p] -= factor * system_.axial[i];
            x[p] += factor * x[i];
        }
        x[0] /= diagonal[0];
        for (std::size_t i = 1; i < size; ++i)
            x[i] = (x[i] + system_.axial[i] * x[static_cast<std::size_t>(system_.parent[i])]) / diagonal[i];
        for (std::size_t i = 0; i < size; ++i)
            state_.v[begin + i] = stretched(state_.v[begin + i], x[i], stretch);
    }

    /// Diagonal and right side of a compartment's row.
    [[nodiscard]] std::pair<double, double> row(index_t cell, std::size_t i) const {
        const std::size_t at = static_cast<std::size_t>(cell * system_.size) + i;
        const patch& p = system_.patches_of(cell)[system_.region[i]];
        double conductance = p.charge + p.g_leak, current = p.charge * state_.v[at] + p.i_leak;
        if (system_.active[i]) {
            const double m = state_.gates[0][at], h = state_.gates[1][at], n = state_.gates[2][at];
            const double na = p.g_na * m * m * m * h, k = p.g_k * n * n * n * n;
            conductance += na + k;
            current += na * system_.e_na + k * system_.e_k;
        }
        return {system_.area[i] * conductance + system_.joined[i], system_.area[i] * current};
    }

    void move_gates(std::size_t at, double v) {
        const gate_rates r = rates_at(v);
        for (int g = 0; g < 3; ++g)
            state_.gates[g][at] =
                gate_after(state_.gates[g][at], r.open[g], r.close[g], system_.dt * system_.speed);
    }

    const cable_system& system_;
    cable_state state_;
};

}  // namespace

extern constinit const cable_row cable_reference_plain{
    "reference/plain", "assemble, eliminate from the leaves, substitute, move the gates: the reference",
    create_session<plain_session>};

}  // namespace wale::tree
