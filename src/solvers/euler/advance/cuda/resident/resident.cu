// resident - the plan made, its numbers brought to the device, iterations launched.
#include <algorithm>
#include <cmath>

#include "cuda/withheld.cuh"
#include "solvers/euler/advance/cuda/resident/kernel.cuh"
#include "solvers/euler/advance/shared/device/session.cuh"
#include "solvers/euler/advance/shared/device/tuning.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace resident {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Which constant state a patch's faces see: 0 is the far field, then those of inflows.
std::vector<int> constants_of_patches(const flow_system& s) {
    std::vector<int> constant;
    int inflows = 0;
    for (const euler_boundary kind : s.kinds)
        constant.push_back(kind == euler_boundary::inflow ? ++inflows : 0);
    return constant;
}

/// What the kernel asks of the mesh, from double.
template <class Real>
class shapes {
public:
    explicit shapes(const flow_system& s) : s_(s), m_(s.own_grid()) {}

    [[nodiscard]] face_shape<Real> face(index_t row) const {
        if (row == no_row) return {};
        const std::int32_t behind = m_.neighbour[at(row)];
        double scale = 1, spread = s_.options.scheme.dissipation;
        if (is_patch(behind)) {
            const euler_boundary kind = s_.kinds[at(patch_of(behind))];
            if (kind != euler_boundary::far_field && kind != euler_boundary::inflow) return {};
            if (kind == euler_boundary::inflow) scale = 2;  // all of it from outside
            spread = 0;
        }
        double n[3], length;
        half_inward(row, n, length);
        return {static_cast<Real>(scale * n[0]), static_cast<Real>(scale * n[1]),
                static_cast<Real>(scale * n[2]), static_cast<Real>(spread * length)};
    }

    /// Zero for a cell that closes, to some roundings, and has no walls.
    [[nodiscard]] own_shape<Real> own(std::int32_t cell) const {
        double sum[3]{}, flow[3]{}, pressure[3]{}, lengths = 0;
        for (index_t r = m_.first_face[at(cell)]; r < m_.first_face[at(cell) + 1]; ++r) {
            const std::int32_t behind = m_.neighbour[at(r)];
            const euler_boundary kind =
                is_patch(behind) ? s_.kinds[at(patch_of(behind))] : euler_boundary::far_field;
            const double of_flow = kind == euler_boundary::far_field ? 0
                                   : kind == euler_boundary::outflow ? 1
                                                                     : -1;
            const double of_pressure = kind == euler_boundary::far_field ? 0
                                       : kind == euler_boundary::inflow  ? -1
                                                                         : 1;
            double n[3], length;
            half_inward(r, n, length);
            lengths += length;
            for (int d = 0; d < 3; ++d) {
                sum[d] += n[d];
                flow[d] += of_flow * n[d];
                pressure[d] += of_pressure * n[d];
            }
        }
        constexpr double roundings = 8 * std::numeric_limits<Real>::epsilon();
        const double most = std::max({std::fabs(sum[0]), std::fabs(sum[1]), std::fabs(sum[2])});
        own_shape<Real> o;
        for (int d = 0; d < 3; ++d) {
            const double open = most > roundings * lengths ? sum[d] : 0;
            o.flow[d] = static_cast<Real>(open + flow[d]);
            o.pressure[d] = static_cast<Real>(open + pressure[d]);
        }
        return o;
    }

private:
    void half_inward(index_t row, double (&n)[3], double& length) const {
        for (std::size_t d = 0; d < 3; ++d) n[d] = -0.5 * s_.normal_scale * m_.normal[3 * at(row) + d];
        length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    const flow_system& s_;
    const mesh& m_;
};

template <class Real>
bool is_zero(const own_shape<Real>& o) {
    bool zero = true;
    for (int d = 0; d < 3; ++d) zero = zero && o.flow[d] == 0 && o.pressure[d] == 0;
    return zero;
}

/// Between [cells][5] and [parts][2][5][pairs]; threads without a cell hold the far field.
template <class Real, bool In>
__global__ void __launch_bounds__(cell_kernels[0].policy.block)
    move_states(const std::int32_t* cell, index_t count, int pairs, Real* mine, Real* theirs,
                flux_of<Real> far) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Real* const own = mine + (i / pairs * variables * pairs + i % pairs);
    const index_t c = cell[i];
    for (int v = 0; v < variables; ++v) {
        if (In) own[v * pairs] = c < 0 ? far.at[v] : theirs[variables * c + v];
        if (!In && c >= 0) theirs[variables * c + v] = own[v * pairs];
    }
}

template <class Real>
class resident_session final : public device_session<Real> {
public:
    explicit resident_session(const advance_job& job) : device_session<Real>(job) {
        const cuda::context on(job.where);
        row_ = tuning::choose("euler/advance/resident", resident_policies, on.sm(), sizeof(Real));
        if (this->system().cells() == 0) return;
        const resident_policy policy = resident_policies[row_].policy;
        const flow_system& s = this->system();
        // In the mesh's numbering, so that options.order changes no bit.
        const mesh& m = s.own_grid();
        const std::vector<int> constant = constants_of_patches(s);
        const index_t parts = std::clamp<index_t>(s.cells() / policy.least, 1, on.multiprocessors());
        std::vector<std::int32_t> part = partition(m, static_cast<int>(parts));
        const index_t most = std::min<index_t>(policy.cells, s.cells() / parts + s.cells() / parts / 64 + 1);
        level(m, part, static_cast<int>(parts), static_cast<int>(most));
        const int constants = constant.empty() ? 1 : 1 + *std::ranges::max_element(constant);
        plan_ =
            make_plan(m, part, constant, {static_cast<int>(parts), policy.pairs, (constants + 15) / 16 * 16});
        bring(on, constant);
    }

protected:
    void iterate(const cuda::context& on, index_t count) override {
        for (index_t done = 0; done < count; done += resident_iterations) {
            const auto now = static_cast<int>(std::min(count - done, resident_iterations));
            launch(on, {now, next_tags(on, stages * static_cast<std::uint32_t>(now))});
        }
    }
    void store(const cuda::context& on, Real* states) override { move<false>(on, states); }
    void load(const cuda::context& on, const Real* states) override {
        move<true>(on, const_cast<Real*>(states));
    }
    void finish(const cuda::context& on) override {
        if (this->system().cells() == 0) return;
        std::uint32_t failed = 0;
        cuda::check(
            cudaMemcpyAsync(&failed, failed_.data(), sizeof failed, cudaMemcpyDeviceToHost, on.stream()));
        on.synchronize();
        if (failed != 0) throw device_error("cuda/resident: a part's wait for another one ran out");
    }
    [[nodiscard]] std::string policy() const override {
        const resident_policy& p = resident_policies[row_].policy;
        return "parts=" + std::to_string(plan_.shape.parts) + " pairs=" + std::to_string(p.pairs) +
               " ask_after=" + std::to_string(p.ask_after) + " take_after=" + std::to_string(p.take_after);
    }

private:
    template <class T>
    using array = cuda::device_array<T>;

    void bring(const cuda::context& on, const std::vector<int>& constant_of_patch) {
        const flow_system& s = this->system();
        const shapes<Real> shape(s);
        const int pairs = plan_.shape.pairs;
        std::vector<face_shape<Real>> faces;
        for (const index_t row : plan_.row) faces.push_back(shape.face(row));
        std::vector<own_shape<Real>> own;
        std::vector<Real> factor;
        std::vector<unsigned char> traits(plan_.cell.size() / 2, 0);
        for (std::size_t i = 0; i < plan_.cell.size(); ++i) {
            const std::int32_t c = plan_.cell[i];
            own.push_back(c < 0 ? own_shape<Real>{} : shape.own(c));
            factor.push_back(c < 0 ? Real(0)
                                   : this->numbers().cfl /
                                         static_cast<Real>(std::sqrt(s.own_grid().volume[at(c)])));
            const std::size_t thread = i / at(2 * pairs) * at(pairs) + i % at(pairs);
            if (!is_zero(own.back())) traits[thread] |= open_cell;
            const bool first = i / at(pairs) % 2 == 0;
            if (first && c >= 0 && plan_.cell[i + at(pairs)] < 0) traits[thread] |= lone_cell;
        }
        std::vector<point<Real>> constant(at(plan_.shape.constants), seen(s.options.stream.state()));
        for (std::size_t p = 0; p < constant_of_patch.size(); ++p)
            if (constant_of_patch[p] > 0) constant[at(constant_of_patch[p])] = seen(s.said[p]);
        faces_ = array<face_shape<Real>>(on, faces);
        slot_ = array<std::uint16_t>(on, plan_.slot);
        own_ = array<own_shape<Real>>(on, own);
        traits_ = array<unsigned char>(on, traits);
        factor_ = array<Real>(on, factor);
        constant_ = array<point<Real>>(on, constant);
        halo_ = array<std::int32_t>(on, plan_.halo);
        post_ = array<std::int32_t>(on, plan_.post);
        posted_ = array<std::int32_t>(on, plan_.posted);
        cell_ = array<std::int32_t>(on, computed_cells());
        state_ = array<Real>(variables * std::ssize(plan_.cell), on.device());
        mailbox_ = array<packet_word>(2 * packet<Real>::words * plan_.places(), on.device());
        failed_ = array<std::uint32_t>(1, on.device());
        mailbox_.zero(on);
        failed_.zero(on);
    }

    /// The plan's cells in the numbering that states come in.
    [[nodiscard]] std::vector<std::int32_t> computed_cells() const {
        const std::vector<std::int32_t>& number = this->system().number;
        if (number.empty()) return plan_.cell;
        std::vector<std::int32_t> computed(number.size()), cells;
        for (std::size_t i = 0; i < number.size(); ++i)
            computed[at(number[i])] = static_cast<std::int32_t>(i);
        for (const std::int32_t c : plan_.cell) cells.push_back(c < 0 ? c : computed[at(c)]);
        return cells;
    }

    [[nodiscard]] point<Real> seen(const euler_state& state) const {
        Real s[variables];
        for (int v = 0; v < variables; ++v) s[v] = static_cast<Real>(state[at(v)]);
        const gas_point<Real> g = point_of(s, this->numbers());
        return {g.rho, g.u, g.v, g.w, g.p, speed(g) + g.c};
    }

    template <bool In>
    void move(const cuda::context& on, Real* states) {
        if (this->system().cells() == 0) return;
        const index_t count = std::ssize(plan_.cell);
        constexpr int block = cell_kernels[0].policy.block;
        flux_of<Real> far;
        const euler_state stream = this->system().options.stream.state();
        for (int v = 0; v < variables; ++v) far.at[v] = static_cast<Real>(stream[at(v)]);
        move_states<Real, In><<<static_cast<unsigned>((count + block - 1) / block), block, 0, on.stream()>>>(
            cell_.data(), count, plan_.shape.pairs, state_.data(), states, far);
        cuda::check_launch();
    }

    /// Epochs that grow from launch to launch; where 32 bits end, mailboxes begin anew.
    epochs next_tags(const cuda::context& on, std::uint32_t steps) {
        if (next_epoch_ > std::numeric_limits<std::uint32_t>::max() - steps - 1) {
            mailbox_.zero(on);
            next_epoch_ = 1;
        }
        const epochs tags{next_epoch_};
        next_epoch_ += steps + 1;  // the states after the last step were posted too
        return tags;
    }

    void launch(const cuda::context& on, span_of_steps span) {
        tuning::with_row<resident_policies, sizeof(Real)>(row_, [&]<int Row>() {
            constexpr resident_policy policy = resident_policies[Row].policy;
            const auto kernel = run_resident<Real, Row>;
            const std::size_t bytes = 2 * at(plan_.slots) * point_store<Real>::bytes_a_slot;
            cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)));
            device_plan<Real> p = on_device();
            gas<Real> k = gas_of();
            void* arguments[] = {&p, &k, &span};
            // WALE_TUNING="euler/resident/withhold=1": the last part is not there.
            const auto parts = static_cast<unsigned>(plan_.shape.parts);
            const unsigned missing = std::min(cuda::withheld("euler/resident"), parts - 1);
            cuda::check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(parts - missing),
                                                    dim3(policy.pairs), arguments, bytes, on.stream()));
        });
    }

    [[nodiscard]] gas<Real> gas_of() const {
        const constants<Real>& k = this->numbers();
        gas<Real> g{k.gamma, k.gamma_1, Real(1) / k.gamma_1, {}};
        for (int s = 0; s < stages; ++s) g.part[s] = k.from_flux[s];
        return g;
    }

    [[nodiscard]] device_plan<Real> on_device() const {
        device_plan<Real> p{};
        p.pairs = plan_.shape.pairs;
        p.places = static_cast<int>(plan_.places());
        p.slots = plan_.slots;
        p.halo_slot = plan_.halo_slot;
        p.constants = plan_.shape.constants;
        p.faces = faces_.data();
        p.slot = slot_.data();
        p.own = own_.data();
        p.traits = traits_.data();
        p.factor = factor_.data();
        p.constant = constant_.data();
        p.halo = halo_.data();
        p.post = post_.data();
        p.posted = posted_.data();
        p.state = state_.data();
        p.mailbox = mailbox_.data();
        p.failed = failed_.data();
        return p;
    }

    plan plan_;
    std::size_t row_ = 0;
    std::uint32_t next_epoch_ = 1;
    array<face_shape<Real>> faces_;
    array<own_shape<Real>> own_;
    array<point<Real>> constant_;
    array<Real> factor_, state_;
    array<std::uint16_t> slot_;
    array<unsigned char> traits_;
    array<std::int32_t> halo_, post_, posted_, cell_;
    array<packet_word> mailbox_;
    array<std::uint32_t> failed_;
};

int attribute(const advance_job& job, cudaDeviceAttr which) {
    int value = 0;
    cuda::check(cudaDeviceGetAttribute(&value, which, std::get<on_cuda>(job.where).device));
    return value;
}

}  // namespace
}  // namespace resident

namespace {

std::string refusal(const advance_job& job) {
    const euler_options& o = job.system->options;
    const euler_scheme& s = o.scheme;
    if (s.flux != euler_flux::rodinia && s.flux != euler_flux::central)
        return std::string("has no flux ") + name_of(s.flux);
    if (s.flux == euler_flux::central &&
        std::ranges::find(job.system->kinds, euler_boundary::far_field) != job.system->kinds.end())
        return "has the published far field only";
    using enum euler_boundary;
    if (job.system->has({pressure_inlet, pressure_outlet, mass_inlet, vortex_far_field}))
        return "has no inlets and outlets of slow gas, and no vortex_far_field";
    if (s.order != 1) return "is of first order";
    if (s.step != euler_step::rodinia || s.fixed_step > 0) return "takes the published step only";
    if (s.time == euler_time::ssp_rk3) return "has no stages that mix two states";
    if (s.smoothing > 0 || s.levels > 1) return "has no smoothing and no multigrid";
    if (o.layout != euler_layout::automatic && o.layout != euler_layout::packed) return "keeps states packed";
    if (o.constants != euler_constants::automatic && o.constants != euler_constants::parameters)
        return "takes constants as parameters";
    const index_t many = resident::first_cell_with_many_faces(job.system->grid);
    if (many >= 0) return "takes cells of up to 4 faces, cell " + std::to_string(many) + " has more";
    if (resident::attribute(job, cudaDevAttrCooperativeLaunch) == 0)
        return "needs a device that starts all blocks together";
    const index_t fit =
        resident_policies[0].policy.cells * index_t{resident::attribute(job, cudaDevAttrMultiProcessorCount)};
    if (job.system->cells() > fit)
        return "holds up to " + std::to_string(fit) + " cells on this device, the mesh has " +
               std::to_string(job.system->cells());
    return "";
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<resident::resident_session<Real>>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_resident{
    "cuda/resident",
    "states and geometry stay on the chip for many iterations; parts hand each other tagged packets, without "
    "a barrier of the grid",
    create, refusal};

}  // namespace wale::euler
