// any_cells - the session that takes every case: any cells, fluxes, orders, steps (compact.hpp). And the
// choice between that session and the one for tetrahedra.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <wale/mesh_tools.hpp>

#include "solvers/euler/advance/shared/device/published.hpp"
#include "solvers/euler/advance/shared/device/stage.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/compact_passes.cuh"
#include "solvers/euler/advance/shared/fused/fused.hpp"
#include "solvers/euler/advance/shared/fused/fused_parts.cuh"
#include "solvers/euler/advance/shared/fused/launched.cuh"
#include "solvers/euler/advance/shared/ranks/part.hpp"

namespace wale::euler {
namespace {

/// Of each record the five numbers, on the device; `packed`: in eight words.
template <class Real>
class record_arrays {
public:
    record_arrays() = default;
    record_arrays(const cuda::context& on, index_t records, bool packed)
        : words_((packed ? 8 : 5) * records, on.device()), records_(records), packed_(packed) {}
    [[nodiscard]] value_records<Real> view() const {
        Real* const first = words_.data();
        value_records<Real> v;
        v.moving = first;
        v.pressure = first + (packed_ ? 4 : 4 * records_);
        v.packed = packed_;
        return v;
    }

private:
    cuda::device_array<Real> words_;
    index_t records_ = 0;
    bool packed_ = false;
};

/// [rows] The record behind each face that a gradient sees: a cell's, or a ghost's behind those of the cells;
/// -1: none.
std::vector<std::int32_t> seen_records(const flow_system& system) {
    const wale::mesh& m = system.grid;
    std::vector<std::int32_t> seen;
    auto ghost = static_cast<std::int32_t>(m.cells());
    for (const std::int32_t other : m.neighbour)
        seen.push_back(!is_patch(other)                                                   ? other
                       : is_seen(system.kinds[static_cast<std::size_t>(patch_of(other))]) ? ghost++
                                                                                          : -1);
    return seen;
}

/// With a cell go its ghosts.
void lend_ghosts(const flow_system& system, part_share& share) {
    if (system.options.scheme.order == 1) return;
    const wale::mesh& m = system.grid;
    const std::vector<std::int32_t> seen = seen_records(system);
    for (std::vector<std::int32_t>& list : share.lent)
        for (std::size_t i = 0, cells = list.size(); i < cells; ++i) {
            const auto cell = static_cast<std::size_t>(list[i]);
            for (index_t row = m.first_face[cell]; row < m.first_face[cell + 1]; ++row)
                if (const std::int32_t record = seen[static_cast<std::size_t>(row)]; record >= m.cells())
                    list.push_back(record);
        }
}

/// The case with its cells in another order.
std::unique_ptr<flow_system> in_order(const flow_system& system, const std::vector<std::int32_t>& order) {
    mesh_part all;
    all.cells = order;
    euler_options options = options_of_part(system.options);
    options.order = cell_order::natural;
    auto own = std::make_unique<flow_system>(mesh_of_part(system.grid, all), options);
    for (const std::int32_t cell : order)
        own->number.push_back(static_cast<std::int32_t>(system.number_of(cell)));
    return own;
}

template <class Real>
class any_cells_session final : public launched_session<Real>, public flow_part<Real> {
    using kernels = compact_passes<Real>;

public:
    any_cells_session(const advance_job& job, bool recorded)
        : any_cells_session(job, recorded, cuda::context(job.where)) {}
    /// The share of one device.
    any_cells_session(const advance_job& job, const part_share& share)
        : any_cells_session(job, false, cuda::context(job.where)) {
        share_ = {share.first, share.first + share.border, share.last};
        numbering_ =
            cuda::device_array<std::int32_t>(cuda::context(job.where), numbers_to(job.system->cells()));
    }

    [[nodiscard]] int passes() const override { return stages * static_cast<int>(passes_.size()); }
    void queue_pass(const cuda::context& on, index_t number, int pass, bool border) override {
        const index_t first = border ? share_.first : share_.border,
                      last = border ? share_.border : share_.last;
        if (first < last) queue(on, number, pass, first, last);
    }
    [[nodiscard]] written_records written(index_t, int pass) const override {
        const auto at = [](auto* first) { return reinterpret_cast<char*>(first); };
        const compact_task<Real> t = task_of(stage_of(pass), 0);
        constexpr index_t size = sizeof(Real);
        const auto values = [&](const value_records<Real>& v, bool by_row) {
            return written_records{{{{at(v.moving), 4 * size}, {at(v.pressure), size}}}, by_row};
        };
        switch (kind_of(pass)) {
            case pass_kind::shocks:
                return {{{{at(shocks_.data()), size}}}};
            case pass_kind::carry:
                return values(t.faces, true);
            case pass_kind::residual:
                return {{{{at(residual_after(0)), variables * size}}}};
            case pass_kind::sweep:
                return {{{{at(residual_after(sweep_of(pass) + 1)), variables * size}}}};
            default:
                return values(t.next, false);
        }
    }
    void queue_store(const cuda::context& on, index_t, Real* states) override { store(on, states); }
    void queue_load(const cuda::context& on, index_t, const Real* states) override { load(on, states); }
    void follow(const device_time* clock) override { clock_ = clock; }
    [[nodiscard]] const device_mesh<Real>& grid() const override { return this->mesh(); }
    [[nodiscard]] const std::int32_t* numbering() const override { return numbering_.data(); }
    [[nodiscard]] std::string choices() const override { return policy(); }

    [[nodiscard]] static std::vector<std::int32_t> numbers_to(index_t cells) {
        std::vector<std::int32_t> all(static_cast<std::size_t>(cells));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }

protected:
    void queue_iteration(const cuda::context& on, index_t number) override {
        this->time().queue_step(on, this->mesh().grid(), this->numbers(), state_.data());
        for (int pass = 0; pass < passes(); ++pass) queue(on, number, pass, 0, this->system().cells());
    }
    void store(const cuda::context& on, Real* to) override { this->copy_states(on, to, state_.data()); }
    void load(const cuda::context& on, const Real* from) override {
        this->copy_states(on, state_.data(), from);
        kernels::queue_publish(on, task_of(stages - 1, 0));
    }
    [[nodiscard]] std::string policy() const override {
        return std::string("layout=records_of_4_and_1 block=") +
               std::to_string(compact_policies[sizeof(Real) == 8 ? 0 : 1].policy.block) + this->how();
    }

private:
    any_cells_session(const advance_job& job, bool recorded, const cuda::context& on)
        : launched_session<Real>(job, recorded),
          passes_(passes_of(this->system().options)),
          clock_(this->time().time()) {
        const flow_system& system = this->system();
        const index_t cells = system.cells();
        tetrahedra_ = system.grid.dimensions == 3 && system.all_have_four_faces();
        state_ = cuda::device_array<Real>(variables * cells, on.device());
        step_ = cuda::device_array<Real>(cells, on.device());
        if (this->numbers().from_now[1] != 0)
            between_stages_ = cuda::device_array<Real>(variables * cells, on.device());
        areas_ = cuda::device_array<row_vector<Real>>(on, areas_of(system));
        index_t records = cells;
        if (scheme().order == 2) records += make_second_order(on, system);
        // What is written by cell has room for ghosts, which travel with their cells.
        if (blends_shocks(system.options)) shocks_ = cuda::device_array<Real>(records, on.device());
        if (scheme().smoothing > 0)
            for (auto& r : residuals_) r = cuda::device_array<flux_of<Real>>(records, on.device());
        const auto last = records_.begin() + (scheme().order == 2 ? 1 : stages);
        for (auto r = records_.begin(); r != last; ++r)
            *r = record_arrays<Real>(on, records, sizeof(Real) == 8 && tetrahedra_ && scheme().order == 2);
        if (scheme().order == 2 && cells > 0) kernels::queue_places(on, task_of(0, 0));
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
        const std::vector<std::int32_t> records = seen_records(system);
        for (std::size_t row = 0; row < seen.size(); ++row) seen[row].id = records[row];
        index_t last = m.cells();
        for (const std::int32_t record : records) last = std::max(last, index_t{record} + 1);
        seen_ = cuda::device_array<row_vector<Real>>(on, seen);
        own_ = cuda::device_array<cell_geometry<Real>>(m.cells(), on.device());
        faces_ = record_arrays<Real>(on, m.rows(), false);
        return last - m.cells();
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
        t.time = clock_;
        t.volumes = this->time().volumes();
        t.rule = scheme().step;
        t.stage = stage;
        t.backwards = !second && (stages * number + stage) % 2 == 1;
        t.first = 0;
        t.last = t.grid.cells;
        return t;
    }

    /// What a stage is made of.
    enum class pass_kind { shocks, carry, move, residual, sweep, update };
    [[nodiscard]] static std::vector<pass_kind> passes_of(const euler_options& o) {
        std::vector<pass_kind> all;
        if (blends_shocks(o)) all.push_back(pass_kind::shocks);
        if (o.scheme.order == 2) all.push_back(pass_kind::carry);
        if (o.scheme.smoothing == 0) {
            all.push_back(pass_kind::move);
        } else {
            all.push_back(pass_kind::residual);
            all.insert(all.end(), static_cast<std::size_t>(o.scheme.smoothing), pass_kind::sweep);
            all.push_back(pass_kind::update);
        }
        return all;
    }
    [[nodiscard]] int stage_of(int pass) const { return pass / static_cast<int>(passes_.size()); }
    [[nodiscard]] pass_kind kind_of(int pass) const {
        return passes_[static_cast<std::size_t>(pass) % passes_.size()];
    }
    /// Of a pass that is a sweep, how many came before.
    [[nodiscard]] int sweep_of(int pass) const {
        const int first = static_cast<int>(std::ranges::find(passes_, pass_kind::sweep) - passes_.begin());
        return pass % static_cast<int>(passes_.size()) - first;
    }
    /// Residuals after so many sweeps.
    [[nodiscard]] flux_of<Real>* residual_after(int sweeps) const {
        return residuals_[sweeps == 0 ? 0 : sweeps % 2 != 0 ? 1 : 2].data();
    }

    /// A pass, of cells first <= cell < last.
    void queue(const cuda::context& on, index_t number, int pass, index_t first, index_t last) const {
        compact_task<Real> t = task_of(stage_of(pass), number);
        t.first = first;
        t.last = last;
        const pass_kind kind = kind_of(pass);
        if (kind == pass_kind::shocks) return kernels::queue_shocks(on, t);
        if (kind == pass_kind::carry) return kernels::queue_carry(on, t);
        if (kind == pass_kind::sweep) return queue_sweep(on, t, sweep_of(pass));
        if (scheme().order == 2) t.backwards = true;  // the cache still has what the carry wrote last
        if (kind == pass_kind::update)
            return kernels::queue_update(on, t, residual_after(scheme().smoothing));
        kernels::queue_move(on, scheme(), t, kind == pass_kind::residual ? residual_after(0) : nullptr);
    }
    void queue_sweep(const cuda::context& on, const compact_task<Real>& t, int sweep) const {
        stage_task<Real> task{};
        task.grid = t.grid;
        task.grid.cells = t.last;
        task.first = t.first;
        task.k = t.k;
        task.time = t.time;
        queue_smoothing(on, task, residual_after(0), residual_after(sweep), residual_after(sweep + 1));
    }

    const std::vector<pass_kind> passes_;  // of a stage
    const device_time* clock_;
    struct {
        index_t first, border, last;  // at the border, and behind
    } share_{};
    cuda::device_array<std::int32_t> numbering_;
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

std::string why_no_fused_parts(const advance_job& job) {
    const flow_system& system = *job.system;
    if (const std::string why = why_not_fused(job); !why.empty()) return why;
    const euler_options& o = system.options;
    if (is_published_on_tetrahedra(system)) return "leaves the published scheme on tetrahedra to cuda/tiled";
    const bool tetrahedra = system.grid.dimensions == 3 && system.all_have_four_faces();
    return tetrahedra && o.scheme.order == 2 && o.precision == scalar::f64
               ? "leaves second order on tetrahedra in float64 to cuda/second_order"
               : "";
}

template <class Real>
flow_parts<Real> fused_parts_of(const advance_job& job, std::span<const on_cuda> devices) {
    const flow_system& system = *job.system;
    const auto count = static_cast<int>(devices.size());
    // A gradient looks one layer less far than a residual, and residuals read states at faces, which travel.
    const int layers = std::max(layers_of(system) - 1, 1);
    dealt_cells dealt = deal_cells(system.grid, partition(system.grid, count), layers, count);
    flow_parts<Real> parts;
    parts.renumbered = in_order(system, dealt.order);
    std::vector<euler_state> states;
    for (const std::int32_t cell : dealt.order)
        states.push_back((*job.state)[static_cast<std::size_t>(cell)]);
    for (std::size_t d = 0; d < devices.size(); ++d) {
        lend_ghosts(*parts.renumbered, dealt.shares[d]);
        parts.of.push_back(std::make_unique<any_cells_session<Real>>(
            advance_job{devices[d], parts.renumbered.get(), &states}, dealt.shares[d]));
    }
    parts.order = any_cells_session<Real>::numbers_to(system.cells());
    parts.origin = std::move(dealt.order);
    parts.shares = std::move(dealt.shares);
    return parts;
}
template flow_parts<float> fused_parts_of<float>(const advance_job&, std::span<const on_cuda>);
template flow_parts<double> fused_parts_of<double>(const advance_job&, std::span<const on_cuda>);

std::unique_ptr<flow_session> create_fused(const advance_job& job, bool recorded) {
    const bool tetrahedra = is_published_on_tetrahedra(*job.system);
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        if (tetrahedra) return create_on_tetrahedra<Real>(job, recorded);
        return std::make_unique<any_cells_session<Real>>(job, recorded);
    });
}

}  // namespace wale::euler
