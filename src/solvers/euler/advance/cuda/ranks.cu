// ranks - the session of cuda/ranks: this rank's share of a case that several compute, on a device that it
// may share with other ranks of its host. Each stage, a kernel computes the cells that others look at; while
// their states travel, another computes the rest. Halos are packed by a kernel and staged through page-locked
// memory of the host, on a stream of their own.
#include <array>
#include <vector>

#include "cuda/event.cuh"
#include "mpi/transport.hpp"
#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/device/measure.cuh"
#include "solvers/euler/advance/shared/device/stage.cuh"
#include "solvers/euler/advance/shared/device/time_step.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/ranks/collectives.hpp"

namespace wale::euler {
namespace {

/// packed[i] = records[cells[i]], or the other way round.
template <bool Unpacks, class Real>
__global__ void __launch_bounds__(threads_of_block)
    move_records(Real* records, const std::int32_t* cells, index_t count, Real* packed) {
    const index_t word = cell_of_thread();
    if (word >= count * variables) return;
    Real& record = records[variables * index_t{cells[word / variables]} + word % variables];
    if constexpr (Unpacks)
        record = packed[word];
    else
        packed[word] = record;
}

/// Records of five numbers a cell. start() queues behind what `ready` says is done; finish() waits for the
/// other ranks and queues what fills the halo, which `filled` says is done.
template <class Real>
class device_halo {
public:
    device_halo(const cuda::context& on, mpi::transport& t, const mesh_part& part)
        : transport_(t), out_(on, part, &mesh_part::peer::send), in_(on, part, &mesh_part::peer::receive) {
        for (const mesh_part::peer& p : part.peers) peers_.push_back(p.rank);
    }
    device_halo(const device_halo&) = delete;
    device_halo& operator=(const device_halo&) = delete;
    ~device_halo() { (void)cudaStreamSynchronize(stream_.get()); }

    void start(Real* records, const cuda::event& ready) {
        ready.wait(stream_.get());
        move<false>(out_, records);
        copy(out_.host(), out_.packed.data(), out_.bytes(), cudaMemcpyDeviceToHost);
    }
    [[nodiscard]] const cuda::event& finish(Real* records) {
        cuda::check(cudaStreamSynchronize(stream_.get()));
        constexpr auto size = static_cast<index_t>(sizeof(Real)) * variables;
        for (std::size_t p = 0; p < peers_.size(); ++p) {
            transport_.receive(peers_[p], in_.host() + variables * in_.first[p],
                               size * (in_.first[p + 1] - in_.first[p]));
            transport_.send(peers_[p], out_.host() + variables * out_.first[p],
                            size * (out_.first[p + 1] - out_.first[p]));
        }
        transport_.finish();
        copy(in_.packed.data(), in_.host(), in_.bytes(), cudaMemcpyHostToDevice);
        move<true>(in_, records);
        filled_.record(stream_.get());
        return filled_;
    }

private:
    /// The cells of all peers, one peer after the other.
    struct side {
        side(const cuda::context& on, const mesh_part& part, std::vector<std::int32_t> mesh_part::peer::*list)
            : first{0} {
            std::vector<std::int32_t> all;
            for (const mesh_part::peer& p : part.peers) {
                all.insert(all.end(), (p.*list).begin(), (p.*list).end());
                first.push_back(std::ssize(all));
            }
            cells = cuda::device_array<std::int32_t>(on, all);
            packed = cuda::device_array<Real>(variables * std::ssize(all), on.device());
            staged = memory(static_cast<index_t>(packed.bytes()), memory_space::pinned, on.device());
        }
        [[nodiscard]] Real* host() const { return static_cast<Real*>(staged.data()); }
        [[nodiscard]] std::size_t bytes() const { return packed.bytes(); }
        std::vector<index_t> first;  // [peers + 1]
        cuda::device_array<std::int32_t> cells;
        cuda::device_array<Real> packed;
        memory staged;
    };

    template <bool Unpacks>
    void move(const side& s, Real* records) const {
        const index_t count = s.first.back();
        if (count == 0) return;
        move_records<Unpacks><<<blocks_of(variables * count), threads_of_block, 0, stream_.get()>>>(
            records, s.cells.data(), count, s.packed.data());
        cuda::check_launch();
    }
    void copy(Real* to, const Real* from, std::size_t bytes, cudaMemcpyKind kind) const {
        if (bytes > 0) cuda::check(cudaMemcpyAsync(to, from, bytes, kind, stream_.get()));
    }

    mpi::transport& transport_;
    side out_, in_;
    std::vector<int> peers_;
    cuda::priority_stream stream_;  // what is sent goes before what is computed meanwhile
    cuda::event filled_;
};

/// The caller's device is the first rank's of a host; the others take those that follow, round and round.
on_cuda device_of(const advance_job& job) {
    on_cuda where = std::get<on_cuda>(job.where);
    int devices = 0;
    cuda::check(cudaGetDeviceCount(&devices));
    const int shift = job.system->options.group.rank_on_host();
    if (shift % devices == 0) return where;
    return {(where.device + shift) % devices, nullptr};
}

template <class Real>
class ranks_session final : public flow_session {
public:
    explicit ranks_session(const advance_job& job)
        : ranks_session(job, cut_for_ranks(job), cuda::context(device_of(job))) {}

    void step(flow_steps& steps) override {
        const cuda::context on(where_);
        steps.run->device = device_name_;
        steps.run->policy =
            "ranks=" + std::to_string(transport_.size()) + " block=" + std::to_string(threads_of_block);
        stepper_.begin(on, steps.time);
        cuda::timer watch(on);
        for (index_t i = 0; i < steps.iterations; ++i) iterate(on);
        steps.run->compute_seconds += watch.stop();
        steps.done = steps.iterations;
        if (stepper_.has_time()) steps.done = stepper_.end(on, steps.time);
    }

    [[nodiscard]] measured measure() override {
        return measured_on_device(cuda::context(where_), system_, mesh_, buffers_[0].data(), &scope_);
    }
    void keep() override { copy(kept_, buffers_[0]); }
    void go_back() override { copy(buffers_[0], kept_); }
    void fetch(std::vector<euler_state>& state) override {
        const cuda::context on(where_);
        on.synchronize();
        const std::vector<Real> all = buffers_[0].on_host();
        gather_part(transport_, cut_.owner, cut_.part, all.data(), variables, state);
    }

private:
    ranks_session(const advance_job& job, cut_case cut, const cuda::context& on)
        : system_(*job.system),
          transport_(*system_.options.group.transport()),
          where_(device_of(job)),
          cut_(std::move(cut)),
          own_(mesh_of_part(system_.grid, cut_.part), options_of_part(system_.options)),
          k_(constants_of<Real>(system_)),
          mesh_(on, numbered(own_)),
          stepper_(on, own_),
          halo_(on, transport_, cut_.part),
          scope_{rank_collectives(transport_, cut_.part.owned), cut_.part.near} {
        std::vector<Real> first;
        for (const std::int32_t cell : cut_.part.cells)
            for (const double v : (*job.state)[static_cast<std::size_t>(cell)])
                first.push_back(static_cast<Real>(v));
        const index_t cells = own_.cells();
        for (auto& b : buffers_) b = cuda::device_array<Real>(on, first);
        kept_ = cuda::device_array<Real>(on, first);
        step_ = cuda::device_array<Real>(cells, on.device());
        if (scheme().order == 2) gradients_ = cuda::device_array<gradient_of<Real>>(cells, on.device());
        if (scheme().smoothing > 0)
            for (auto& r : residuals_) r = cuda::device_array<flux_of<Real>>(cells, on.device());
        cudaDeviceProp properties{};
        cuda::check(cudaGetDeviceProperties(&properties, on.device()));
        device_name_ = properties.name;
    }
    /// Bad cells are found by the numbers of the whole mesh.
    const flow_system& numbered(flow_system& own) const {
        for (const std::int32_t cell : cut_.part.cells)
            own.number.push_back(static_cast<std::int32_t>(system_.number_of(cell)));
        return own;
    }
    [[nodiscard]] const euler_scheme& scheme() const { return system_.options.scheme; }
    void copy(const cuda::device_array<Real>& to, const cuda::device_array<Real>& from) const {
        const cuda::context on(where_);
        if (to.bytes() > 0)
            cuda::check(
                cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyDeviceToDevice, on.stream()));
    }

    /// Of cells first <= c < last.
    [[nodiscard]] stage_task<Real> task_of(int stage, index_t first, index_t last) const {
        const auto from = static_cast<std::size_t>(stage);
        stage_task<Real> t{mesh_.grid(),
                           k_,
                           buffers_[from].data(),
                           gradients_.data(),
                           buffers_[0].data(),
                           buffers_[(from + 1) % buffers_.size()].data(),
                           step_.data(),
                           stepper_.time(),
                           stepper_.volumes(),
                           scheme().step,
                           stage};
        t.first = first;
        t.grid.cells = last;
        return t;
    }
    void iterate(const cuda::context& on) {
        stepper_.queue_step(on, task_of(0, 0, cut_.part.owned).grid, k_, buffers_[0].data(),
                            [this](double own) { return least_of_all(transport_, own); });
        for (int stage = 0; stage < stages; ++stage) {
            if (scheme().order == 2)
                queue_gradients(on, task_of(stage, 0, cut_.part.near), gradients_.data());
            scheme().smoothing > 0 ? smoothed_stage(on, stage) : one_stage(on, stage);
        }
    }
    void one_stage(const cuda::context& on, int stage) {
        const stage_task<Real> seen = task_of(stage, 0, cut_.part.sent);
        if (cut_.part.sent > 0) queue_stage(on, scheme(), seen);
        ready_.record(on.stream());
        halo_.start(seen.next, ready_);
        if (cut_.part.owned > cut_.part.sent)
            queue_stage(on, scheme(), task_of(stage, cut_.part.sent, cut_.part.owned));
        halo_.finish(seen.next).wait(on.stream());
    }
    void exchange(const cuda::context& on, Real* records) {
        ready_.record(on.stream());
        halo_.start(records, ready_);
        halo_.finish(records).wait(on.stream());
    }
    void smoothed_stage(const cuda::context& on, int stage) {
        const stage_task<Real> t = task_of(stage, 0, cut_.part.owned);
        flux_of<Real>* const rough = residuals_[0].data();
        flux_of<Real>* smooth = rough;
        queue_residuals(on, scheme(), t, rough);
        for (int sweep = 0; sweep < scheme().smoothing; ++sweep) {
            exchange(on, smooth->at);
            flux_of<Real>* const to = residuals_[sweep % 2 == 0 ? 1 : 2].data();
            queue_smoothing(on, t, rough, smooth, to);
            smooth = to;
        }
        queue_update(on, t, smooth);
        exchange(on, t.next);
    }

    const flow_system& system_;
    mpi::transport& transport_;
    on_cuda where_;
    cut_case cut_;
    flow_system own_;
    constants<Real> k_;
    device_mesh<Real> mesh_;
    time_stepper<Real> stepper_;
    device_halo<Real> halo_;
    rank_scope scope_;
    std::array<cuda::device_array<Real>, stages> buffers_;  // [cells][5]; the state is in the first
    cuda::device_array<Real> kept_, step_;
    cuda::device_array<gradient_of<Real>> gradients_;
    std::array<cuda::device_array<flux_of<Real>>, 3> residuals_;  // rough; two that sweeps go between
    cuda::event ready_;
    std::string device_name_;
};

std::string refusal(const advance_job& job) {
    const euler_options& o = job.system->options;
    if (o.group.empty()) return "needs ranks: euler_options::group is empty";
    if (const std::string why = why_not_shared(o); !why.empty()) return why;
    if (o.scheme.levels > 1) return "has no multigrid";
    if (o.layout != euler_layout::automatic && o.layout != euler_layout::cell_major)
        return "keeps states cell-major";
    if (o.constants != euler_constants::automatic && o.constants != euler_constants::parameters)
        return "takes constants as parameters";
    return "";
}
bool suits(const advance_job& job) {
    return !job.system->options.group.empty();
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<ranks_session<Real>>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_ranks{
    "cuda/ranks",
    "several processes, a part of the mesh each, on the devices of their host; states of its border travel "
    "while the rest is computed",
    create, refusal, suits};

}  // namespace wale::euler
