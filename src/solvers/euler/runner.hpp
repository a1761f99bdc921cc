// runner - one run of a flow: pieces between measurements, ends, and the way back when a state is
// nonphysical.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include <wale/host_memory.hpp>

#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/checks.hpp"

namespace wale::euler {

/// Whether a run is to stop where the flow comes to rest.
[[nodiscard]] inline bool stops_at_rest(const euler_options& o) {
    return o.stop_decades > 0 || o.stop_force > 0;
}

/// What a flow keeps from call to call: the state, the session that holds it, and the history.
struct case_core {
    case_core(mesh m, const euler_options& o)
        : system((check_mesh(m), std::move(m)), o),
          state(system.free_stream()),
          outer(system.to_mesh_order(state)) {
        time.end = o.end_time;
        settled_time = time;
    }

    /// Throws while a run is on its way: then a watcher asks, or another thread.
    void demand_rest() const {
        if (at_work)
            throw bad_argument("flow: is being computed; a watcher may ask for its state, nothing else");
    }

    /// Refuses a run whose measurements cannot be kept. A run that may stop by itself takes fewer.
    void demand_history(index_t iterations) const {
        const euler_options& o = system.options;
        if (o.check_every == 0 || stops_at_rest(o) || o.end_time > 0) return;
        const index_t samples = iterations / o.check_every;
        try {  // once in the case, once in the result
            demand_host_memory(
                "flow: " + std::to_string(samples) + " measurements (a larger check_every takes fewer)",
                2.0 * sizeof(euler_sample) * static_cast<double>(samples));
        } catch (...) {
            o.group.abandon();  // the other ranks must not wait
            throw;
        }
    }

    /// Brings the state home.
    void settle() {
        if (!session) return;
        session->fetch(state);
        session.reset();
        outer_is_old = true;
        mark_settled();
    }
    /// Patches vortex_far_field follow the lift of the last measurement.
    void follow_lift() {
        system.lift = history.empty() ? 0 : history.back().lift;
        if (session) session->follow_lift();
    }
    void mark_settled() {
        settled_iteration = iteration;
        settled_time = time;
        settled_history = history.size();
    }
    /// Where a row threw, its session is dropped, with what the session had computed.
    void fall_back() {
        session.reset();
        iteration = settled_iteration;
        time = settled_time;
        history.resize(settled_history);
    }

    flow_system system;
    std::vector<euler_state> state;  // in the system's numbering; as it is, or as the session began
    std::vector<euler_state> outer;  // in the mesh's
    bool outer_is_old = false;
    std::unique_ptr<flow_session> session;
    std::string made_by;     // the session's row and device
    bool at_work = false;    // while a run is on its way
    std::thread::id worker;  // whose run that is
    index_t iteration = 0;
    flow_time time;
    std::vector<euler_sample> history;
    index_t settled_iteration = 0;  // of `state`, and so on
    flow_time settled_time;
    std::size_t settled_history = 0;
};

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
