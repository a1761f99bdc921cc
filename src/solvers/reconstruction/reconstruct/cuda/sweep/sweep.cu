// sweep - queues iterations of four sweeps, some at a time, until one changes nothing.
#include "solvers/reconstruction/reconstruct/cuda/sweep/sweep.cuh"

#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace sweep {
namespace {

[[nodiscard]] index_t parts(index_t size, index_t part) {
    return (size + part - 1) / part;
}

template <int Row, class T>
class sweeper {
    static constexpr policy p = policies[Row].policy;
    using word = typename cell<T>::word;

public:
    sweeper(const cuda::context& on, const reconstruct_job& job)
        : on_(on),
          job_(job),
          reach_(job.reach),
          lines_(job.mask.images * job.mask.rows),
          pitch_(parts(job.mask.columns, 32 * cell<T>::pixels) * 32),
          keys_(on, 2 * lines_ * pitch_),
          changed_(on, p.check_every + 1) {
        all_ = {keys_.data(), keys_.data() + lines_ * pitch_, pitch_, job.mask.rows, job.mask.images, nullptr,
                nullptr};
    }

    /// The number of iterations, the last of which changed nothing.
    [[nodiscard]] index_t run() {
        start_sweeps<<<edge_grid(), edge_pass_threads, 0, on_.stream()>>>(job_, pitch_ * cell<T>::pixels,
                                                                          reinterpret_cast<T*>(keys_.data()),
                                                                          reinterpret_cast<T*>(all_.rising));
        cuda::check_launch();
        const index_t iterations = settle();
        finish_sweeps<<<edge_grid(), edge_pass_threads, 0, on_.stream()>>>(
            job_, pitch_ * cell<T>::pixels, reinterpret_cast<const T*>(all_.rising));
        cuda::check_launch();
        return iterations;
    }

private:
    [[nodiscard]] dim3 edge_grid() const {
        return {static_cast<unsigned>(
                    smaller(parts(pitch_ * cell<T>::pixels, edge_pass_threads), index_t{1} << 20)),
                static_cast<unsigned>(smaller(lines_, index_t{65535}))};
    }

    [[nodiscard]] index_t settle() {
        // Every iteration but the last raises a pixel, and a path visits a pixel once.
        const index_t most = job_.mask_at.rows * job_.mask_at.columns + 1;
        for (index_t done = 0; done <= most; done += p.check_every) {
            // Word k: whether iteration k - 1 of these changed anything; the first of them must run.
            cuda::check(cudaMemsetAsync(changed_.data(), 0xff, sizeof(std::uint32_t), on_.stream()));
            cuda::check(
                cudaMemsetAsync(changed_.data() + 1, 0, p.check_every * sizeof(std::uint32_t), on_.stream()));
            for (int k = 0; k < p.check_every; ++k) queue_iteration(k);
            std::uint32_t changed[p.check_every + 1];
            changed_.to_host(changed);
            for (int k = 0; k < p.check_every; ++k)
                if (changed[k + 1] == 0) return done + k + 1;
        }
        throw device_error("cuda/sweep: pixels still rise after as many sweeps as there are pixels");
    }

    void queue_iteration(int k) {
        all_.changed_before = changed_.data() + k;
        all_.changed = changed_.data() + k + 1;
        queue_x<true>();
        queue_x<false>();
        if (reach_ == 1) {
            queue_y<1, true>();
            queue_y<1, false>();
        } else {
            queue_y<2, true>();
            queue_y<2, false>();
        }
    }
    template <bool Forward>
    void queue_x() {
        const index_t segments = parts(pitch_ / 32, p.tiles);
        const index_t warps = parts(lines_, p.rows) * segments;
        sweep_x<Row, T, Forward><<<blocks_of(warps), 32 * p.warps, 0, on_.stream()>>>(all_, segments);
        cuda::check_launch();
    }
    template <int Reach, bool Down>
    void queue_y() {
        const index_t segments = parts(all_.rows, p.lines);
        const index_t warps = pitch_ / 32 * segments * all_.images;
        sweep_y<Row, T, Reach, Down><<<blocks_of(warps), 32 * p.warps, 0, on_.stream()>>>(all_, segments);
        cuda::check_launch();
    }
    [[nodiscard]] static unsigned blocks_of(index_t warps) {
        return static_cast<unsigned>(parts(warps, p.warps));
    }

    const cuda::context& on_;
    const typed_job<T> job_;
    const int reach_;
    const index_t lines_, pitch_;
    cuda::scratch<word> keys_;
    cuda::scratch<std::uint32_t> changed_;
    planes<T> all_{};
};

[[nodiscard]] std::string text_of(const policy& p) {
    return "tile=" + std::to_string(p.rows) + "x32 stride=" + std::to_string(p.stride) +
           " warps=" + std::to_string(p.warps) + " tiles=" + std::to_string(p.tiles) +
           " lines=" + std::to_string(p.lines);
}

}  // namespace
}  // namespace sweep

namespace {

std::string refusal(const reconstruct_job& job) {
    if (job.asynchronous) return "the host decides when nothing rises any more: it cannot only queue";
    if (job.mask.images * job.mask.rows / 8 * (job.mask.columns / 32 + 1) > index_t{1} << 31)
        return "has 31-bit numbers for its blocks";
    const std::string bits = refuses_bits(job);
    return bits.empty() ? refuses_volumes(job) : bits;
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    using namespace sweep;
    const cuda::context on(job.where);
    visit(job.mask.type, [&]<class T>() {
        const std::size_t row =
            tuning::choose("reconstruction/reconstruct/sweep", policies, on.sm(), sizeof(T));
        tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
            sweeper<Row, T> s(on, job);
            cuda::timer watch(on);
            job.result->run.iterations = s.run();
            job.result->run.compute_seconds = watch.stop();
        });
        job.result->run.policy = text_of(policies[row].policy);
    });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_sweep{
    "cuda/sweep", "x and y sweeps of the whole image, there and back, by warps in shared tiles", run,
    refusal};

}  // namespace wale::reconstruction
