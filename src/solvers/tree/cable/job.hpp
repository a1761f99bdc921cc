// job - some steps of all cells, as the variants see them; and their table. A variant makes an engine at its
// first call, which keeps the state in the variant's own layout for the calls that follow.
#pragma once

#include <memory>
#include <vector>
#include <wale/cable.hpp>

#include "solvers/tree/cable/system.hpp"
#include "variants/table.hpp"

namespace wale::tree {

struct cable_job;

class cable_engine {
public:
    cable_engine() = default;
    cable_engine(const cable_engine&) = delete;
    cable_engine& operator=(const cable_engine&) = delete;
    virtual ~cable_engine() = default;
    virtual void advance(cable_job& job) = 0;
    /// The state as it is now; `state` has its size.
    virtual void fetch(cable_state& state) = 0;
};

struct cable_job {
    execution where;
    const cable_system* system = nullptr;
    const cable_state* state = nullptr;  // what an engine starts from
    index_t first_step = 0, steps = 0;
    std::unique_ptr<cable_engine>
        engine{};                    // of an earlier call of the same row on the same backend, or null
    cable_result* result = nullptr;  // voltages and spikes have their sizes

    /// Notes probe `p` after step `done` (counted from 1 over the cable's life), which took it from `before`
    /// to `now`. Different probes may be noted by different threads.
    void note(index_t p, index_t done, double before, double now) const {
        const cable_system& s = *system;
        const auto probe = static_cast<std::size_t>(p);
        if (before < s.threshold && now >= s.threshold)
            result->spikes[probe].push_back(
                (static_cast<double>(done - 1) + (s.threshold - before) / (now - before)) * s.dt);
        if (done % s.sample_every != 0) return;
        const index_t row = done / s.sample_every - first_step / s.sample_every - 1;
        result->voltages[static_cast<std::size_t>(row) * s.probes.size() + probe] = now;
    }
};

using cable_table = catalogue::table<cable_job>;
/// The table. The CUDA plugin appends its rows to it when it is loaded.
[[nodiscard]] cable_table& cable_variants();

}  // namespace wale::tree
