// api - a state, and the session that holds it from call to call of one row; measurements, ends, and the way
// back when a state is nonphysical.
#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>
#include <wale/host_memory.hpp>

#include "base/argument.hpp"
#include "cpu/poll.hpp"
#include "cuda/spread.hpp"
#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/checks.hpp"
#include "solvers/euler/forces.hpp"
#include "variants/run.hpp"

namespace wale {
namespace euler {

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
        if (o.check_every == 0 || o.stop_decades > 0 || o.stop_force > 0 || o.end_time > 0) return;
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

namespace {

std::string maker(const execution& where, const char* row, const euler_scheme& scheme) {
    const auto* cuda = std::get_if<on_cuda>(&where);
    std::string made = row + std::string(scheme.time == euler_time::newton ? " by newton" : "");
    if (cuda == nullptr) return made;
    for (const int device : cuda->devices) made += " part on device " + std::to_string(device);
    return cuda->devices.empty() ? made + " on device " + std::to_string(cuda->device) : made;
}

/// The row, where several devices take parts: there is one.
std::string row_for(const execution& where, const std::string& variant) {
    constexpr const char* parts = "cuda/parts";
    if (cuda::several(where) == nullptr) return variant;
    if (variant == "automatic" || catalogue::names(parts, variant)) return parts;
    throw unsupported_variant(variant +
                              ": computes on one device, and where.devices names several, expected " + parts);
}

/// Explicit stages where the backend, or the row that is named, has no Newton's method.
void choose_scheme(flow_system& system, const advance_job& job, const std::string& variant) {
    system.choose_scheme(true);
    if (system.options.scheme.time != euler_time::newton) return;
    for (const flow_row& r : advance_rows().rows)
        if (r.where == backend_of(job.where) &&
            (variant == "automatic" || catalogue::names(r.name, variant)) &&
            catalogue::refusal_of(r, job).empty())
            return;
    system.choose_scheme(false);
}

/// Of density, in the history.
double largest_residual(const case_core& core) {
    double most = 0;
    for (const euler_sample& s : core.history) most = std::max(most, s.residual[0]);
    return most;
}
double decades_of(const case_core& core) {
    const double most = largest_residual(core);
    return most > 0 ? std::log10(most / core.history.back().residual[0]) : 0;
}

/// One run: pieces between measurements.
class runner {
public:
    runner(case_core& core, const execution& where, euler_result& result)
        : core_(core), where_(where), result_(result) {}

    /// Whether it was the watcher who threw: then the session is sound, and the flow as it was measured.
    [[nodiscard]] bool was_watching() const noexcept { return watching_; }

    /// After an interruption: brings home the flow as it was at the last measurement. The session, which may
    /// have ended amid an iteration, is dropped. False where nothing was kept.
    [[nodiscard]] bool rests_at_measurement() {
        if (!kept_ || !core_.system.options.group.empty()) return false;
        go_back();
        core_.settle();
        return true;
    }

    void go(index_t iterations, const euler_case::watcher& watch) {
        step(0);
        keep();
        const euler_options& asked = core_.system.options;
        const bool each = asked.scheme.time == euler_time::newton && asked.stop_decades > 0;
        const index_t every = each ? std::min(asked.check_every, index_t{1}) : asked.check_every;
        if (core_.history.empty() && !note(watch)) return;
        if (core_.time.at_end()) return end(euler_end::time);
        while (result_.iterations < iterations) {
            const index_t left = iterations - result_.iterations;
            const index_t piece = every > 0 ? std::min(left, every - core_.iteration % every) : left;
            take(piece);
            const bool timed_out = core_.time.at_end();
            if (!note(watch)) return;
            if (timed_out) return end(euler_end::time);
            keep();
        }
        const euler_options& o = core_.system.options;
        if (iterations > 0 && (o.stop_decades > 0 || o.stop_force > 0)) end(euler_end::not_converged);
    }

private:
    /// Iterations up to a measurement: on the host in parts, between which the caller may end the call.
    void take(index_t piece) {
        constexpr index_t at_once = 1 << 18;  // cells times iterations, half a second at most
        const index_t part = backend_of(where_) == backend::cuda
                                 ? piece
                                 : std::max(index_t{1}, at_once / std::max(index_t{1}, core_.system.cells()));
        for (index_t left = piece; left > 0 && !core_.time.at_end();) {
            const index_t before = result_.iterations;
            step(std::min(part, left));
            left -= std::max(index_t{1}, result_.iterations - before);
            cpu::poll();
        }
    }

    void keep() {
        core_.session->keep();
        kept_ = true;
        kept_time_ = core_.time;
        kept_iteration_ = result_.iterations;
    }

    void step(index_t piece) {
        flow_steps steps{.where = where_, .iterations = piece, .time = core_.time, .run = &result_.run};
        const base::stopwatch watch;
        const double before = result_.run.compute_seconds;
        core_.session->step(steps);
        // What the first call prepares is no part of computing.
        if (piece == 0)
            result_.run.compute_seconds = before;
        else if (result_.run.compute_seconds == before)
            result_.run.compute_seconds += watch.seconds();
        core_.time = steps.time;
        core_.iteration += steps.done;
        result_.iterations += steps.done;
    }

    void end(euler_end why) { result_.end = why; }

    bool asked_to_end(const euler_case::watcher& watch, const euler_sample& sample) {
        if (!watch) return false;
        watching_ = true;
        const bool asked = !watch(sample);
        watching_ = false;
        return asked;
    }

    /// Measures; whether to go on.
    bool note(const euler_case::watcher& watch) {
        measured m = core_.session->measure();
        if (m.bad_cell >= 0) return find_bad(m.bad_cell), false;
        m.sample.iteration = core_.iteration;
        m.sample.time = core_.time.now;
        core_.history.push_back(m.sample);
        result_.history.push_back(m.sample);
        core_.follow_lift();
        // Where several ranks compute, one that wants to end ends all.
        if (core_.system.options.group.any(asked_to_end(watch, m.sample)))
            return end(euler_end::asked), false;
        if (residual_fell()) return end(euler_end::residual), false;
        if (drag_rests()) return end(euler_end::force), false;
        return true;
    }

    [[nodiscard]] bool residual_fell() const {
        const double decades = core_.system.options.stop_decades;
        return decades > 0 && core_.history.size() > 1 &&
               core_.history.back().residual[0] <= largest_residual(core_) * std::pow(10, -decades);
    }
    [[nodiscard]] bool drag_rests() const {
        constexpr std::size_t window = 10;
        const double part = core_.system.options.stop_force;
        const auto& h = core_.history;
        if (!(part > 0) || h.size() <= window) return false;
        for (std::size_t i = h.size() - window; i < h.size(); ++i)
            if (!(std::fabs(h[i].drag - h[i - 1].drag) < part * std::fabs(h[i].drag))) return false;
        return true;
    }

    /// Goes back to the last measurement and on, an iteration at a time, until the bad one is found; then
    /// back again.
    void find_bad(index_t bad) {
        const index_t last = result_.iterations;
        index_t at = kept_iteration_;
        for (go_back(); at < last; ++at) {
            step(1);
            if (const index_t found = core_.session->measure().bad_cell; found >= 0) {
                bad = found;
                break;
            }
        }
        const index_t bad_iteration = core_.iteration;
        go_back();
        result_.bad_cell = bad;
        result_.bad_iteration = bad_iteration;
        result_.bad_place = core_.system.centre_of(bad);
        end(euler_end::diverged);
    }
    void go_back() {
        core_.session->go_back();
        core_.iteration -= result_.iterations - kept_iteration_;
        result_.iterations = kept_iteration_;
        core_.time = kept_time_;
    }
    case_core& core_;
    const execution& where_;
    euler_result& result_;
    bool kept_ = false;
    index_t kept_iteration_ = 0;  // of this run
    flow_time kept_time_;
    bool watching_ = false;
};

}  // namespace
}  // namespace euler

euler_case::euler_case(mesh m, euler_options options)
    : core_(std::make_unique<euler::case_core>(std::move(m), options)) {}
euler_case::euler_case(euler_case&&) noexcept = default;
euler_case& euler_case::operator=(euler_case&&) noexcept = default;
euler_case::~euler_case() = default;

euler_result euler_case::run(const execution& where, index_t iterations, const std::string& variant,
                             const watcher& watch) {
    if (iterations < 0) base::refuse("iterations", "is " + std::to_string(iterations), "0 or more");
    core_->demand_history(iterations);
    euler_result result;
    euler::advance_job job{.where = where, .system = &core_->system, .state = &core_->state};
    core_->demand_rest();
    catalogue::check_available(backend_of(where));  // a device's rows are in the table afterwards
    base::check_threads(where);
    const std::string wanted = euler::row_for(where, variant);
    euler::choose_scheme(core_->system, job, wanted);
    const euler::flow_row& row = catalogue::select(euler::advance_rows(), backend_of(where), wanted, job);
    result.run.variant = row.name;
    const std::string maker = euler::maker(where, row.name, core_->system.options.scheme);
    if (core_->made_by != maker) core_->settle();
    core_->made_by = maker;
    core_->outer_is_old = true;
    core_->at_work = true;
    core_->worker = std::this_thread::get_id();
    euler::runner runner(*core_, where, result);
    try {
        if (!core_->session) core_->session = row.run(job);
        runner.go(iterations, watch);
    } catch (const interrupted&) {
        core_->at_work = false;
        core_->system.options.group.abandon();
        if (!runner.was_watching() && !runner.rests_at_measurement()) core_->fall_back();
        throw;
    } catch (...) {
        core_->at_work = false;
        core_->system.options.group.abandon();  // the other ranks must not wait
        if (!runner.was_watching() || !core_->system.options.group.empty()) core_->fall_back();
        throw;
    }
    core_->at_work = false;
    result.run.iterations = result.iterations;
    result.decades = euler::decades_of(*core_);
    result.run.work = static_cast<double>(core_->system.cells()) * static_cast<double>(result.iterations);
    return result;
}

const mesh& euler_case::grid() const noexcept {
    return core_->system.own_grid();
}
const euler_options& euler_case::options() const noexcept {
    return core_->system.options;
}
index_t euler_case::iteration() const noexcept {
    return core_->iteration;
}
double euler_case::time() const noexcept {
    return core_->time.now;
}
const std::vector<euler_sample>& euler_case::history() const noexcept {
    return core_->history;
}

const std::vector<euler_state>& euler_case::state() {
    if (core_->at_work && core_->worker == std::this_thread::get_id()) {
        std::vector<euler_state> now(core_->state.size());
        core_->session->fetch(now);
        return core_->outer = core_->system.to_mesh_order(now);
    }
    core_->demand_rest();
    core_->settle();
    if (core_->outer_is_old) core_->outer = core_->system.to_mesh_order(core_->state);
    core_->outer_is_old = false;
    return core_->outer;
}

void euler_case::set_state(std::span<const euler_state> state, index_t iteration, double time) {
    if (static_cast<index_t>(state.size()) != core_->system.cells())
        base::refuse("state", "has " + std::to_string(state.size()) + " cells",
                     std::to_string(core_->system.cells()));
    core_->demand_rest();
    if (iteration < 0 || !(time >= 0) || !std::isfinite(time))
        base::refuse("iteration, time", "are " + std::to_string(iteration) + ", " + std::to_string(time),
                     "0 or more");
    core_->session.reset();
    core_->state = core_->system.to_computed(state);
    core_->outer_is_old = true;
    core_->iteration = iteration;
    core_->time.now = time;
    core_->mark_settled();
}

void euler_case::set_history(std::vector<euler_sample> history) {
    core_->demand_rest();
    core_->history = std::move(history);
    core_->follow_lift();
    core_->settled_history = core_->history.size();
}

euler_sample euler_case::measure() {
    core_->demand_rest();
    core_->settle();
    euler_sample s = euler::measured_by_reference(core_->system, core_->state).sample;
    s.iteration = core_->iteration;
    s.time = core_->time.now;
    return s;
}

std::vector<euler_state> euler_case::residual() {
    core_->demand_rest();
    core_->settle();
    return core_->system.to_mesh_order(euler::residuals_of(core_->system, core_->state));
}

std::vector<std::string> euler_case::warnings() {
    core_->demand_rest();
    core_->settle();
    return euler::warnings_of(core_->system, core_->state);
}

std::vector<euler_force> euler_case::forces() {
    core_->demand_rest();
    core_->settle();
    return euler::forces_of(core_->system, core_->state);
}

euler_place euler_case::largest_residual() {
    euler_place most;
    const mesh& m = grid();
    const std::vector<euler_state> all = residual();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double change = all[i][0] / m.volume[i];
        if (most.cell < 0 || std::fabs(change) > std::fabs(most.residual))
            most = {.cell = static_cast<index_t>(i),
                    .at = core_->system.centre_of(static_cast<index_t>(i)),
                    .residual = change};
    }
    return most;
}

}  // namespace wale
