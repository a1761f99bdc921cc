// api - cables that live: a state, and the engine that holds it while a variant goes on.
#include <cmath>
#include <utility>
#include <wale/host_memory.hpp>

#include "solvers/tree/cable/job.hpp"
#include "variants/run.hpp"

namespace wale {
namespace tree {

struct cable_core {
    cable_core(cable_model m, cable_options o)
        : model(std::move(m)), options(std::move(o)), system(model, options) {
        state = system.resting(std::span(&options.initial, 1));
    }

    /// Brings the state home.
    void settle() {
        if (!engine) return;
        engine->fetch(state);
        engine.reset();
        settled_step = step;
    }

    cable_model model;
    cable_options options;
    cable_system system;
    cable_state state;  // as it is, or while there is an engine as that began
    std::unique_ptr<cable_engine> engine;
    std::string made_by;                 // the engine's row and device
    index_t step = 0, settled_step = 0;  // of the cable, of `state`
};

}  // namespace tree

namespace {

std::string maker(const execution& where, const char* row) {
    const auto* cuda = std::get_if<on_cuda>(&where);
    return row + std::string(cuda ? " on device " + std::to_string(cuda->device) : "");
}

/// What a run of `steps` steps will find out.
void prepare(cable_result& r, const tree::cable_core& core, index_t steps) {
    const index_t every = core.options.sample_every, first = core.step / every;
    r.steps = steps;
    r.samples = (core.step + steps) / every - first;
    const auto probes = static_cast<double>(core.options.probes.size());
    demand_host_memory("cable: " + std::to_string(r.samples) + " samples of " +
                           std::to_string(core.options.probes.size()) +
                           " probes (a larger sample_every takes fewer)",
                       static_cast<double>(r.samples) * (1 + probes) * sizeof(double));
    r.times.reserve(static_cast<std::size_t>(r.samples));
    for (index_t k = 1; k <= r.samples; ++k)
        r.times.push_back(static_cast<double>((first + k) * every) * core.options.dt);
    r.voltages.assign(static_cast<std::size_t>(r.samples) * core.options.probes.size(), 0);
    r.spikes.resize(core.options.probes.size());
    r.run.work = static_cast<double>(core.system.size) * static_cast<double>(core.system.cells) *
                 static_cast<double>(steps);
    r.run.bytes = r.run.work * (core.system.any_active ? 8 : 2) * sizeof(double);  // state in and out
}

}  // namespace

cable::cable(cable_model model, cable_options options)
    : core_(std::make_unique<tree::cable_core>(std::move(model), std::move(options))) {}
cable::cable(cable&&) noexcept = default;
cable& cable::operator=(cable&&) noexcept = default;
cable::~cable() = default;

cable_result cable::run(const execution& where, index_t steps, const std::string& variant) {
    if (steps < 0) throw bad_argument("steps: is " + std::to_string(steps) + ", expected 0 or more");
    cable_result result;
    prepare(result, *core_, steps);
    tree::cable_job job{.where = where,
                        .system = &core_->system,
                        .state = &core_->state,
                        .first_step = core_->step,
                        .steps = steps,
                        .result = &result};
    const auto& row = catalogue::chosen(tree::cable_variants(), variant, job);
    result.run.variant = row.name;
    if (core_->made_by != maker(where, row.name)) core_->settle();
    core_->made_by = maker(where, row.name);
    if (steps == 0 || core_->system.cells == 0) {
        core_->step += steps;
        return result;
    }
    job.engine = std::move(core_->engine);
    const index_t end = core_->step + steps;
    core_->step = core_->settled_step;  // where the row throws, its engine and what that had done are gone
    const base::stopwatch watch;
    row.run(job);
    core_->engine = std::move(job.engine);
    core_->step = end;
    if (result.run.compute_seconds == 0) result.run.compute_seconds = watch.seconds();
    return result;
}

index_t cable::steps_until(double time) const {
    const double steps = std::round(time / core_->options.dt) - static_cast<double>(core_->step);
    if (!(steps < 9e15))
        throw bad_argument("time: is " + std::to_string(time) + ", expected fewer steps of dt");
    return steps > 0 ? static_cast<index_t>(steps) : 0;
}

double cable::time() const noexcept {
    return static_cast<double>(core_->step) * core_->options.dt;
}
const cable_model& cable::model() const noexcept {
    return core_->model;
}
const cable_options& cable::options() const noexcept {
    return core_->options;
}

std::vector<double> cable::voltages() {
    core_->settle();
    return core_->state.v;
}

std::vector<double> cable::gates() {
    core_->settle();
    std::vector<double> out;
    for (const auto& g : core_->state.gates) out.insert(out.end(), g.begin(), g.end());
    return out;
}

void cable::reset(std::span<const double> voltages) {
    const std::size_t all = core_->state.v.size();
    if (!voltages.empty() && voltages.size() != all)
        throw bad_argument("voltages: has " + std::to_string(voltages.size()) + " elements, expected " +
                           std::to_string(all));
    core_->engine.reset();
    core_->step = core_->settled_step = 0;
    core_->state = core_->system.resting(
        voltages.empty() ? std::span<const double>(&core_->options.initial, 1) : voltages);
}

}  // namespace wale
