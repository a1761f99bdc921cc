// ranks - the engine of cuda/ranks: this rank's share of a case that several compute, on a device that it may
// share with other ranks of its host. Each stage, a kernel computes the cells that others look at; while
// their states travel, another computes the rest.
#include <array>

#include "solvers/euler/cuda/clock.cuh"
#include "solvers/euler/cuda/measure.cuh"
#include "solvers/euler/cuda/ranks/device_halo.cuh"
#include "solvers/euler/cuda/rows.hpp"
#include "solvers/euler/cuda/stage.cuh"
#include "solvers/euler/dispatch.hpp"
#include "solvers/euler/ranks/together.hpp"

namespace wale::euler {
namespace {

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
class ranks_engine final : public engine {
public:
    explicit ranks_engine(const advance_job& job)
        : ranks_engine(job, cut_together(job), cuda::context(device_of(job))) {}
    ~ranks_engine() override { (void)cudaEventDestroy(ready_); }

    void advance(advance_job& job) override {
        const cuda::context on(where_);
        job.run->device = device_name_;
        job.run->policy =
            "ranks=" + std::to_string(transport_.size()) + " block=" + std::to_string(threads_of_block);
        timekeeper_.begin(on, job.clock);
        cuda::timer watch(on);
        for (index_t i = 0; i < job.iterations; ++i) iterate(on);
        job.run->compute_seconds += watch.stop();
        job.done = job.iterations;
        if (timekeeper_.keeps()) job.done = timekeeper_.end(on, job.clock);
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
    ranks_engine(const advance_job& job, cut_case cut, const cuda::context& on)
        : system_(*job.system),
          transport_(*system_.options.group.transport()),
          where_(device_of(job)),
          cut_(std::move(cut)),
          own_(mesh_of_part(system_.grid, cut_.part), options_of_part(system_.options)),
          k_(constants_of<Real>(system_)),
          mesh_(on, numbered(own_)),
          timekeeper_(on, own_),
          halo_(on, transport_, cut_.part),
          scope_{together(transport_, cut_.part.owned), cut_.part.near} {
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
        cuda::check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
        cudaDeviceProp facts{};
        cuda::check(cudaGetDeviceProperties(&facts, on.device()));
        device_name_ = facts.name;
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
                           timekeeper_.clock(),
                           timekeeper_.volumes(),
                           scheme().step,
                           stage};
        t.first = first;
        t.grid.cells = last;
        return t;
    }
    void iterate(const cuda::context& on) {
        timekeeper_.queue_step(on, task_of(0, 0, cut_.part.owned).grid, k_, buffers_[0].data(),
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
        cuda::check(cudaEventRecord(ready_, on.stream()));
        halo_.start(seen.next, ready_);
        if (cut_.part.owned > cut_.part.sent)
            queue_stage(on, scheme(), task_of(stage, cut_.part.sent, cut_.part.owned));
        cuda::check(cudaStreamWaitEvent(on.stream(), halo_.finish(seen.next)));
    }
    void exchange(const cuda::context& on, Real* records) {
        cuda::check(cudaEventRecord(ready_, on.stream()));
        halo_.start(records, ready_);
        cuda::check(cudaStreamWaitEvent(on.stream(), halo_.finish(records)));
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
    timekeeper<Real> timekeeper_;
    device_halo<Real> halo_;
    rank_scope scope_;
    std::array<cuda::device_array<Real>, stages> buffers_;  // [cells][5]; the state is in the first
    cuda::device_array<Real> kept_, step_;
    cuda::device_array<gradient_of<Real>> gradients_;
    std::array<cuda::device_array<flux_of<Real>>, 3> residuals_;  // rough; two that sweeps go between
    cudaEvent_t ready_{};
    std::string device_name_;
};

}  // namespace

std::string why_not_ranks(const advance_job& job) {
    const euler_options& o = job.system->options;
    if (o.group.empty()) return "needs ranks: euler_options::group is nobody";
    if (o.scheme.levels > 1) return "has no multigrid";
    if (o.layout != euler_layout::automatic && o.layout != euler_layout::cell_major)
        return "keeps states cell-major";
    if (o.constants != euler_constants::automatic && o.constants != euler_constants::parameters)
        return "takes constants as parameters";
    return "";
}
bool suits_ranks_on_cuda(const advance_job& job) {
    return !job.system->options.group.empty();
}

void advance_ranks_on_cuda(advance_job& job) {
    if (!job.engine)
        job.engine =
            with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<engine> {
                return std::make_unique<ranks_engine<Real>>(job);
            });
    job.engine->advance(job);
}

}  // namespace wale::euler
