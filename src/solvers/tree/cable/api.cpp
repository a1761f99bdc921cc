// api - cables: a state, and the session that holds the state while a row steps it.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <wale/host_memory.hpp>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"
#include "cpu/poll.hpp"
#include "solvers/tree/cable/job.hpp"
#include "variants/run.hpp"

namespace wale {
namespace tree {

struct cable_core {
    cable_core(cable_model m, cable_options o)
        : model(std::move(m)), options(std::move(o)), system(model, options) {
        state = system.resting(std::span(&options.initial, 1));
    }

    /// Fetches the state and ends the session.
    void settle() {
        if (!session) return;
        session->fetch(state);
        session.reset();
        settled_step = step;
    }

    cable_model model;
    cable_options options;
    cable_system system;
    cable_state state;  // now, or where there is a session at the session's start
    std::unique_ptr<cable_session> session;
    std::string made_by;                 // the session's row and device
    index_t step = 0, settled_step = 0;  // of the cable, of `state`
    std::atomic<bool> in_use = false;    // a call is on its way
};

/// The one call that uses the cable now; throws where there is another.
class sole_use {
public:
    explicit sole_use(cable_core& core) : core_(core) {
        if (core.in_use.exchange(true, std::memory_order_acquire))
            base::refuse("cable", "is in use by another thread", "one call at a time");
    }
    sole_use(const sole_use&) = delete;
    sole_use& operator=(const sole_use&) = delete;
    ~sole_use() { core_.in_use.store(false, std::memory_order_release); }

private:
    cable_core& core_;
};

}  // namespace tree

namespace {

std::string maker(const execution& where, const char* row) {
    const auto* cuda = std::get_if<on_cuda>(&where);
    return row + std::string(cuda ? " on device " + std::to_string(cuda->device) : "");
}

/// Sizes of what a run of `steps` steps measures.
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

constexpr index_t first_slice = 16;       // steps
constexpr double seconds_a_slice = 0.05;  // shorter slices grow

/// The steps of `all` in slices, between which a caller may interrupt. `done`: the steps so far.
void step_in_slices(const tree::cable_steps& all, tree::cable_session& session, index_t& done) {
    cable_result& whole = *all.result;
    const index_t every = all.system->sample_every;
    for (index_t slice = first_slice; done < all.count;) {
        cpu::poll();
        const base::stopwatch watch;
        tree::cable_steps now = all;
        cable_result part;
        now.first = all.first + done;
        now.count = std::min(slice, all.count - done);
        now.result = &part;
        const index_t before = now.first / every - all.first / every,
                      samples = (now.first + now.count) / every - now.first / every;
        part.voltages.resize(static_cast<std::size_t>(samples) * all.system->probes.size());
        part.spikes.resize(all.system->probes.size());
        session.step(now);
        done += now.count;
        std::ranges::copy(part.voltages, whole.voltages.begin() + before * std::ssize(all.system->probes));
        for (std::size_t p = 0; p < part.spikes.size(); ++p)
            whole.spikes[p].insert(whole.spikes[p].end(), part.spikes[p].begin(), part.spikes[p].end());
        whole.diverged = part.diverged;
        whole.run.threads = part.run.threads;
        whole.run.device = part.run.device;
        whole.run.policy = part.run.policy;
        whole.run.iterations += part.run.iterations;
        if (watch.seconds() < seconds_a_slice) slice *= 2;
    }
}

}  // namespace

cable::cable(cable_model model, cable_options options)
    : core_(std::make_unique<tree::cable_core>(std::move(model), std::move(options))) {}
cable::cable(cable&&) noexcept = default;
cable& cable::operator=(cable&&) noexcept = default;
cable::~cable() = default;

cable_result cable::run(const execution& where, index_t steps, const std::string& variant) {
    if (steps < 0) base::refuse("steps", "is " + std::to_string(steps), "0 or more");
    const tree::sole_use use(*core_);
    cable_result result;
    prepare(result, *core_, steps);
    tree::cable_job job{.where = where, .system = &core_->system, .state = &core_->state};
    const tree::cable_row& row = catalogue::chosen(tree::cable_rows(), variant, job);
    result.run.variant = row.name;
    if (core_->made_by != maker(where, row.name)) core_->settle();
    core_->made_by = maker(where, row.name);
    if (steps == 0 || core_->system.cells == 0) {
        core_->step += steps;
        return result;
    }
    // If the row throws, the session is lost with the steps since it was created.
    std::unique_ptr<tree::cable_session> session = std::move(core_->session);
    const index_t first = std::exchange(core_->step, core_->settled_step);
    const base::stopwatch watch;
    if (!session) session = row.run(job);
    index_t done = 0;
    try {
        if (backend_of(where) == backend::cuda)
            session->step({.where = where,
                           .system = &core_->system,
                           .first = first,
                           .count = steps,
                           .result = &result});
        else
            step_in_slices({where, &core_->system, first, steps, &result}, *session, done);
    } catch (const interrupted&) {  // the cable goes on from the last slice
        core_->session = std::move(session);
        core_->step = first + done;
        throw;
    }
    core_->session = std::move(session);
    core_->step = first + steps;
    if (result.run.compute_seconds == 0) result.run.compute_seconds = watch.seconds();
    return result;
}

index_t cable::steps_until(double time) const {
    const double steps = std::round(time / core_->options.dt) - static_cast<double>(core_->step);
    if (!(steps < 9e15)) base::refuse("time", "is " + base::decimal_text(time), "fewer steps of dt");
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
    const tree::sole_use use(*core_);
    core_->settle();
    return core_->state.v;
}

std::vector<double> cable::gates() {
    const tree::sole_use use(*core_);
    core_->settle();
    std::vector<double> out;
    for (const auto& g : core_->state.gates) out.insert(out.end(), g.begin(), g.end());
    return out;
}

void cable::reset(std::span<const double> voltages) {
    const tree::sole_use use(*core_);
    const std::size_t all = core_->state.v.size();
    if (!voltages.empty() && voltages.size() != all)
        base::refuse("voltages", "has " + std::to_string(voltages.size()) + " elements", std::to_string(all));
    core_->session.reset();
    core_->step = core_->settled_step = 0;
    core_->state = core_->system.resting(
        voltages.empty() ? std::span<const double>(&core_->options.initial, 1) : voltages);
}

}  // namespace wale
