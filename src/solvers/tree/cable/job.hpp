// job - what creates a session of a cable, what a session does, and the table of sessions' rows.
#pragma once

#include <memory>
#include <vector>
#include <wale/cable.hpp>

#include "solvers/tree/cable/system.hpp"
#include "variants/table.hpp"

namespace wale::tree {

/// What a row needs to create a session. `state`: where the session starts; read by run() alone.
struct cable_job {
    execution where;
    const cable_system* system = nullptr;
    const cable_state* state = nullptr;
};

/// Some time steps of all cells. `where`: as when the session was created, but for threads and stream.
struct cable_steps {
    execution where;
    const cable_system* system = nullptr;
    index_t first = 0, count = 0;
    cable_result* result = nullptr;  // voltages and spikes have their sizes

    /// Notes probe `p` after step `done` (counted from 1 since the last reset), which took it from `before`
    /// to `now`. Different probes may be noted by different threads.
    void note(index_t p, index_t done, double before, double now) const {
        const cable_system& s = *system;
        const auto probe = static_cast<std::size_t>(p);
        if (before < s.threshold && now >= s.threshold)
            result->spikes[probe].push_back(
                (static_cast<double>(done - 1) + (s.threshold - before) / (now - before)) * s.dt);
        if (done % s.sample_every != 0) return;
        const index_t row = done / s.sample_every - first / s.sample_every - 1;
        result->voltages[static_cast<std::size_t>(row) * s.probes.size() + probe] = now;
    }
};

/// The state of a cable in the layout of one row, between the calls that step it. It ends with the cable, or
/// when the cable goes on with another row or device.
class cable_session {
public:
    cable_session() = default;
    cable_session(const cable_session&) = delete;
    cable_session& operator=(const cable_session&) = delete;
    virtual ~cable_session() = default;
    /// Steps, and writes samples and spikes of the probes to the result.
    virtual void step(const cable_steps& steps) = 0;
    /// The state as it is now; `state` has its size.
    virtual void fetch(cable_state& state) = 0;
};

/// run() creates the session.
using cable_row = catalogue::row<cable_job, std::unique_ptr<cable_session>>;
using cable_table = catalogue::table<cable_job, std::unique_ptr<cable_session>>;
/// The table. The CUDA plugin appends its rows to it when it is loaded.
[[nodiscard]] cable_table& cable_rows();

template <class Session>
std::unique_ptr<cable_session> create_session(cable_job& job) {
    return std::make_unique<Session>(job);
}

}  // namespace wale::tree
