// job - some iterations of a case, as the variants see them; and their table. A variant makes an engine at
// its first call, which keeps the flow in the variant's own layout for the calls that follow.
#pragma once

#include <memory>
#include <vector>
#include <wale/euler.hpp>

#include "solvers/euler/system.hpp"
#include "variants/table.hpp"

namespace wale::euler {

struct advance_job;

/// The lesser of two cells' numbers, where -1 is none.
[[nodiscard]] constexpr index_t lesser(index_t a, index_t b) noexcept {
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/// The time that a flow has reached, and where it shall end; 0: nowhere. Local steps have no time.
struct flow_clock {
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

class engine {
public:
    engine() = default;
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;
    virtual ~engine() = default;
    /// job.iterations iterations, or as many as the clock allows; says in job.done how many, and moves the
    /// clock.
    virtual void advance(advance_job& job) = 0;
    [[nodiscard]] virtual measured measure() = 0;
    /// Remembers the state as it is; comes back to what was remembered.
    virtual void keep() = 0;
    virtual void go_back() = 0;
    /// The state as it is now, in the system's numbering; `state` has its size.
    virtual void fetch(std::vector<euler_state>& state) = 0;
};

struct advance_job {
    execution where;
    const flow_system* system = nullptr;
    const std::vector<euler_state>* state = nullptr;  // what an engine starts from, in the system's numbering
    index_t iterations = 0;                           // 0: only make the engine
    flow_clock clock{};
    std::unique_ptr<euler::engine>
        engine{};  // of an earlier call of the same row on the same backend, or null
    report* run = nullptr;
    index_t done = 0;
};

using advance_table = catalogue::table<advance_job>;
/// The table. The CUDA plugin appends its rows to it when it is loaded.
[[nodiscard]] advance_table& advance_variants();

}  // namespace wale::euler
