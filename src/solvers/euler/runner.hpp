// runner - one run of a flow: pieces between measurements, ends, and the way back when a state is
// nonphysical.
#pragma once

#include "solvers/euler/case_core.hpp"

namespace wale::euler {

/// By how many decades the residual of density has fallen from the history's largest.
double decades_of(const case_core& core);

/// One run: pieces between measurements.
class runner {
public:
    runner(case_core& core, const execution& where, euler_result& result)
        : core_(core), where_(where), result_(result) {}

    /// Whether it was the watcher who threw: then the session is sound, and the flow as it was measured.
    [[nodiscard]] bool was_watching() const noexcept { return watching_; }

    /// After an interruption: brings home the flow as it was at the last measurement. The session, which may
    /// have ended amid an iteration, is dropped. False where nothing was kept.
    [[nodiscard]] bool rests_at_measurement();

    void go(index_t iterations, const euler_case::watcher& watch);

private:
    /// Iterations up to a measurement: on the host in parts, between which the caller may end the call.
    void take(index_t piece);

    void keep();

    void step(index_t piece);

    void end(euler_end why) { result_.end = why; }

    bool asked_to_end(const euler_case::watcher& watch, const euler_sample& sample);

    /// Measures; whether to go on.
    bool note(const euler_case::watcher& watch);

    [[nodiscard]] bool residual_fell() const;
    [[nodiscard]] bool drag_rests() const;

    /// Goes back to the last measurement and on, an iteration at a time, until the bad one is found; then
    /// back again.
    void find_bad(index_t bad);
    void go_back();
    case_core& core_;
    const execution& where_;
    euler_result& result_;
    bool kept_ = false;
    index_t kept_iteration_ = 0;  // of this run
    flow_time kept_time_;
    bool watching_ = false;
};

}  // namespace wale::euler
