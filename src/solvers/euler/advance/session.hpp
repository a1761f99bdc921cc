// session - a flow that goes on: a row creates the session, which keeps the state in the row's own layout
// from call to call.
#pragma once

#include <memory>
#include <vector>
#include <wale/euler.hpp>

#include "solvers/euler/advance/system.hpp"
#include "variants/table.hpp"

namespace wale::euler {

/// The lesser of two cells' numbers, where -1 is none.
[[nodiscard]] constexpr index_t lesser(index_t a, index_t b) noexcept {
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/// The time that a flow has reached, and where it shall end; 0: nowhere. Local steps have no time.
struct flow_time {
    double now = 0;
    double end = 0;
    [[nodiscard]] WALE_HD bool at_end() const noexcept { return end > 0 && now >= end; }
    /// Moves on by `step`, or by less to the end; by how much. No cells allow a step without bound: time then
    /// jumps to the end, or rests where there is none.
    WALE_HD double take(double step) noexcept {
        if (!(end > 0) && step - step != 0) return 0;
        const bool last = end > 0 && now + step >= end;
        const double taken = last ? end - now : step;
        now = last ? end : now + step;
        return taken;
    }
};

struct measured {
    euler_sample sample;    // iteration and time are the caller's to fill in
    index_t bad_cell = -1;  // the mesh's number, the least of all bad ones
};

/// Some iterations of a session; the backend is that of the job, the number of threads may differ.
struct flow_steps {
    execution where;
    index_t iterations = 0;  // 0: only reports how the session computes
    flow_time time{};
    report* run = nullptr;
    index_t done = 0;
};

class flow_session {
public:
    flow_session() = default;
    flow_session(const flow_session&) = delete;
    flow_session& operator=(const flow_session&) = delete;
    virtual ~flow_session() = default;
    /// steps.iterations iterations, or as many as the end time allows; sets steps.done to how many, and moves
    /// steps.time on.
    virtual void step(flow_steps& steps) = 0;
    [[nodiscard]] virtual measured measure() = 0;
    /// Keeps a copy of the state; returns to the copy.
    virtual void keep() = 0;
    virtual void go_back() = 0;
    /// flow_system::lift has changed; of rows that take vortex_far_field.
    virtual void follow_lift() {}
    /// The state as it is now, in the system's numbering; `state` has its size.
    virtual void fetch(std::vector<euler_state>& state) = 0;
};

struct advance_job {
    execution where;
    const flow_system* system = nullptr;
    const std::vector<euler_state>* state = nullptr;  // at the session's start, in the system's numbering
};

using flow_row = catalogue::row<advance_job, std::unique_ptr<flow_session>>;
using flow_table = catalogue::table<advance_job, std::unique_ptr<flow_session>>;
/// The table. The CUDA plugin appends its rows to it when it is loaded.
[[nodiscard]] flow_table& advance_rows();

/// By the reference: the measurement of a state, and what flows into each cell a second.
[[nodiscard]] measured measured_by_reference(const flow_system& system,
                                             const std::vector<euler_state>& state);
[[nodiscard]] std::vector<euler_state> residuals_of(const flow_system& system,
                                                    const std::vector<euler_state>& state);

}  // namespace wale::euler
