// any_cells - the session that takes every case: any cells, fluxes, orders, steps (compact.hpp). And the
// choice between that session and the one for tetrahedra.
#include <array>
#include <limits>

#include "solvers/euler/advance/shared/device/published.hpp"
#include "solvers/euler/advance/shared/device/stage.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/compact_passes.cuh"
#include "solvers/euler/advance/shared/fused/fused.hpp"
#include "solvers/euler/advance/shared/fused/launched.cuh"

namespace wale::euler {
namespace {

/// Of each record the five numbers, on the device; `packed`: in eight words.
template <class Real>
class record_arrays {
public:
    record_arrays() = default;
    record_arrays(const cuda::context& on, index_t records, bool packed)
        : words_((packed ? 8 : 5) * records, on.device()), apart_(packed ? 0 : records) {}
    [[nodiscard]] value_records<Real> view() const {
        Real* const first = words_.data();
        return apart_ > 0 ? value_records<Real>{first, first + 4 * apart_}
                          : value_records<Real>{first, first + 4, 8, 8};
    }

private:
    cuda::device_array<Real> words_;
    index_t apart_ = 0;
};

template <class Real>
class any_cells_session final : public launched_session<Real> {
public:
    any_cells_session(const advance_job& job, bool recorded)
        : any_cells_session(job, recorded, cuda::context(job.where)) {}

protected:
    void queue_iteration(const cuda::context& on, index_t number) override {
        this->time().queue_step(on, this->mesh().grid(), this->numbers(), state_.data());
        for (int stage = 0; stage < stages; ++stage) queue(on, task_of(stage, number));
    }
    void store(const cuda::context& on, Real* to) override { this->copy_states(on, to, state_.data()); }
    void load(const cuda::context& on, const Real* from) override {
        this->copy_states(on, state_.data(), from);
        queue_publish(on, task_of(stages - 1, 0));
    }
    [[nodiscard]] std::string policy() const override {
        return std::string("layout=records_of_4_and_1 block=") +
               std::to_string(compact_policies[sizeof(Real) == 8 ? 0 : 1].policy.block) + this->how();
    }

private:
    any_cells_session(const advance_job& job, bool recorded, const cuda::context& on)
        : launched_session<Real>(job, recorded) {
        const flow_system& system = this->system();
        const index_t cells = system.cells();
        tetrahedra_ = system.grid.dimensions == 3 && system.all_have_four_faces();
        state_ = cuda::device_array<Real>(variables * cells, on.device());
        step_ = cuda::device_array<Real>(cells, on.device());
        if (this->numbers().from_now[1] != 0)
            between_stages_ = cuda::device_array<Real>(variables * cells, on.device());
        if (blends_shocks(system.options)) shocks_ = cuda::device_array<Real>(cells, on.device());
        if (scheme().smoothing > 0)
            for (auto& r : residuals_) r = cuda::device_array<flux_of<Real>>(cells, on.device());
        areas_ = cuda::device_array<row_vector<Real>>(on, areas_of(system));
        index_t records = cells;
        if (scheme().order == 2) records += make_second_order(on, system);
        const auto last = records_.begin() + (scheme().order == 2 ? 1 : stages);
        for (auto r = records_.begin(); r != last; ++r)
            *r = record_arrays<Real>(on, records, scheme().order == 2);
        if (scheme().order == 2 && cells > 0) queue_places(on, task_of(0, 0));
        on.synchronize();
    }
    [[nodiscard]] std::vector<row_vector<Real>> areas_of(const flow_system& system) const {
        const wale::mesh& m = system.grid;
        const std::vector<Real> normals = host_arrays<Real>(system).normals;
        std::vector<row_vector<Real>> out(m.neighbour.size());
        for (std::size_t row = 0; row < out.size(); ++row) {
            const std::int32_t other = m.neighbour[row];
            const bool by_row = !is_patch(other) && scheme().order == 2;
            out[row] = {{normals[3 * row], normals[3 * row + 1], normals[3 * row + 2]},
                        by_row ? static_cast<std::int32_t>(m.first_face[static_cast<std::size_t>(other)] +
                                                           m.opposite[row])
                               : other};
        }
        return out;
    }
    /// How many ghosts there are.
    index_t make_second_order(const cuda::context& on, const flow_system& system) {
        const wale::mesh& m = system.grid;
        std::vector<row_vector<Real>> seen(m.neighbour.size());
        auto ghost = static_cast<std::int32_t>(m.cells());
        for (std::size_t row = 0; row < seen.size(); ++row) {
            const std::int32_t other = m.neighbour[row];
            seen[row].id = !is_patch(other)                                                   ? other
                           : is_seen(system.kinds[static_cast<std::size_t>(patch_of(other))]) ? ghost++
                                                                                              : -1;
        }
        seen_ = cuda::device_array<row_vector<Real>>(on, seen);
        own_ = cuda::device_array<cell_geometry<Real>>(m.cells(), on.device());
        faces_ = record_arrays<Real>(on, m.rows(), false);
        return ghost - m.cells();
    }
    [[nodiscard]] const euler_scheme& scheme() const { return this->system().options.scheme; }

    /// First order goes from one of three copies of the records to the next; at second order no kernel reads
    /// a neighbour's record while records are written.
    [[nodiscard]] compact_task<Real> task_of(int stage, index_t number) const {
        compact_task<Real> t{};
        t.grid = this->mesh().grid();
        t.k = this->numbers();
        t.inverse_gamma_1 = Real(1) / t.k.gamma_1;
        t.tetrahedra = tetrahedra_;
        t.areas = areas_.data();
        t.seen = seen_.data();
        t.own = own_.data();
        t.faces = faces_.view();
        const auto from = static_cast<std::size_t>(stage);
        const bool second = scheme().order == 2;
        t.now = records_[second ? 0 : from].view();
        t.next = records_[second ? 0 : (from + 1) % records_.size()].view();
        t.old = state_.data();
        t.from = between_stages_.data();
        t.moved = stage == stages - 1 ? state_.data() : between_stages_.data();
        t.step = step_.data();
        t.shocks = shocks_.data();
        t.time = this->time().time();
        t.volumes = this->time().volumes();
        t.rule = scheme().step;
        t.stage = stage;
        t.backwards = !second && (stages * number + stage) % 2 == 1;
        return t;
    }

    void queue(const cuda::context& on, const compact_task<Real>& task) const {
        flux_of<Real>* const rough = residuals_[0].data();
        queue_compact_stage(on, scheme(), task, rough);
        if (rough == nullptr) return;
        const flux_of<Real>* smooth = rough;
        stage_task<Real> sweep_task{};
        sweep_task.grid = task.grid;
        sweep_task.k = task.k;
        sweep_task.time = task.time;
        for (int sweep = 0; sweep < scheme().smoothing; ++sweep) {
            flux_of<Real>* const to = residuals_[sweep % 2 == 0 ? 1 : 2].data();
            queue_smoothing(on, sweep_task, rough, smooth, to);
            smooth = to;
        }
        queue_compact_update(on, task, smooth);
    }

    cuda::device_array<Real> state_, step_, between_stages_, shocks_;
    cuda::device_array<row_vector<Real>> areas_, seen_;
    cuda::device_array<cell_geometry<Real>> own_;
    std::array<record_arrays<Real>, stages> records_;
    record_arrays<Real> faces_;
    bool tetrahedra_ = false;
    std::array<cuda::device_array<flux_of<Real>>, 3> residuals_;  // rough; two that sweeps go between
};

/// Whether the kernel for tetrahedra can do it.
bool is_published_on_tetrahedra(const flow_system& system) {
    const euler_scheme& s = system.options.scheme;
    if (!system.published || s.fixed_step > 0 || s.smoothing > 0 || !system.all_have_four_faces())
        return false;
    using enum euler_boundary;
    return !system.has({inflow, outflow, pressure_inlet, pressure_outlet, mass_inlet});
}

}  // namespace

std::string why_not_fused(const advance_job& job) {
    using layout = euler_layout;
    using place = euler_constants;
    const euler_options& o = job.system->options;
    if (const std::string why = why_not_unbent(o); !why.empty()) return why;
    if (o.scheme.levels > 1) return "has no multigrid";
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    if (job.system->grid.rows() > most - job.system->cells()) return "numbers faces in 32 bits";
    const bool plain = o.constants == place::automatic || o.constants == place::parameters;
    if (plain && (o.layout == layout::automatic || o.layout == layout::cell_major)) return "";
    if (!is_published_on_tetrahedra(*job.system))
        return "takes only the published flux on tetrahedra with other layouts than cell_major and other "
               "constants than parameters";
    if (!plain && o.layout != layout::automatic && o.layout != layout::packed)
        return "takes other constants than parameters only with packed states";
    return why_not_compiled(*job.system);
}

std::unique_ptr<flow_session> create_fused(const advance_job& job, bool recorded) {
    const bool tetrahedra = is_published_on_tetrahedra(*job.system);
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        if (tetrahedra) return create_on_tetrahedra<Real>(job, recorded);
        return std::make_unique<any_cells_session<Real>>(job, recorded);
    });
}

}  // namespace wale::euler
