// runner - asks the session for iterations up to each measurement, and the caller whether to go on.
#include "solvers/euler/runner.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "cpu/poll.hpp"

namespace wale::euler {
namespace {

/// Of density, in the history.
double largest_residual(const case_core& core) {
    double most = 0;
    for (const euler_sample& s : core.history) most = std::max(most, s.residual[0]);
    return most;
}

}  // namespace

double decades_of(const case_core& core) {
    const double most = largest_residual(core);
    return most > 0 ? std::log10(most / core.history.back().residual[0]) : 0;
}

bool runner::rests_at_measurement() {
    if (!kept_ || !core_.system.options.group.empty()) return false;
    go_back();
    core_.settle();
    return true;
}

void runner::go(index_t iterations, const euler_case::watcher& watch) {
    step(0);
    keep();
    const euler_options& asked = core_.system.options;
    const bool each = asked.scheme.time == euler_time::newton && stops_at_rest(asked);
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
    if (iterations > 0 && stops_at_rest(asked)) end(euler_end::not_converged);
}

void runner::take(index_t piece) {
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

void runner::keep() {
    core_.session->keep();
    kept_ = true;
    kept_time_ = core_.time;
    kept_iteration_ = result_.iterations;
}

void runner::step(index_t piece) {
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

bool runner::asked_to_end(const euler_case::watcher& watch, const euler_sample& sample) {
    if (!watch) return false;
    watching_ = true;
    const bool asked = !watch(sample);
    watching_ = false;
    return asked;
}

bool runner::note(const euler_case::watcher& watch) {
    measured m = core_.session->measure();
    if (m.bad_cell >= 0) return find_bad(m.bad_cell), false;
    m.sample.iteration = core_.iteration;
    m.sample.time = core_.time.now;
    core_.history.push_back(m.sample);
    result_.history.push_back(m.sample);
    core_.follow_lift();
    // Where several ranks compute, one that wants to end ends all.
    if (core_.system.options.group.any(asked_to_end(watch, m.sample))) return end(euler_end::asked), false;
    if (residual_fell()) return end(euler_end::residual), false;
    if (drag_rests()) return end(euler_end::force), false;
    return true;
}

bool runner::residual_fell() const {
    const double decades = core_.system.options.stop_decades;
    return decades > 0 && core_.history.size() > 1 &&
           core_.history.back().residual[0] <= largest_residual(core_) * std::pow(10, -decades);
}

bool runner::drag_rests() const {
    constexpr std::size_t window = 10;
    const double part = core_.system.options.stop_force;
    const auto& h = core_.history;
    if (!(part > 0) || h.size() <= window) return false;
    for (std::size_t i = h.size() - window; i < h.size(); ++i)
        if (!(std::fabs(h[i].drag - h[i - 1].drag) < part * std::fabs(h[i].drag))) return false;
    return true;
}

void runner::find_bad(index_t bad) {
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

void runner::go_back() {
    core_.session->go_back();
    core_.iteration -= result_.iterations - kept_iteration_;
    result_.iterations = kept_iteration_;
    core_.time = kept_time_;
}

}  // namespace wale::euler
