// api - a flow's calls: which row computes, and what a caller may ask of the flow between runs.
#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "base/argument.hpp"
#include "cuda/spread.hpp"
#include "solvers/euler/forces.hpp"
#include "solvers/euler/runner.hpp"
#include "variants/run.hpp"

namespace wale {
namespace euler {

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
