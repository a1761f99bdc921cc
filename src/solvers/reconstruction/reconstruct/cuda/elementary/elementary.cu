// elementary - geodesic dilations of the whole image until nothing rises: the scheme of today's GPU
// libraries (cuCIM), with dilation, minimum and comparison fused into one kernel.
#include <utility>

#include "solvers/reconstruction/reconstruct/cuda/elementary/elementary.cuh"
#include "solvers/reconstruction/reconstruct/cuda/rows.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace elementary {
namespace {

/// Calls f.template operator()<Reach, Volume>().
template <class F>
void with_shape(const reconstruct_job& job, F&& f) {
    if (job.mask.rank == 2)
        return job.reach == 1 ? f.template operator()<1, false>() : f.template operator()<2, false>();
    if (job.reach == 1) return f.template operator()<1, true>();
    if (job.reach == 2) return f.template operator()<2, true>();
    return f.template operator()<3, true>();
}

template <int Row, int Reach, bool Volume, class T>
class stepper {
public:
    stepper(const cuda::context& on, const typed_job<T>& job) : on_(on), job_(job), risen_(on, 1) {
        const raster& r = job.mask_at;
        const index_t columns = (r.columns + p.threads - 1) / p.threads,
                      rows = (r.rows + p.rows - 1) / p.rows;
        const index_t blocks = columns * rows * r.planes * r.images;
        if (blocks > most_blocks)
            throw bad_argument("cuda/elementary: the images need more than 2^30 blocks");
        cut_ = {static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows),
                static_cast<std::uint32_t>(r.planes), static_cast<std::uint32_t>(blocks)};
    }
    void queue(const T* from, T* to, bool look) const {
        dilate<Row, Reach, Volume><<<cut_.blocks, p.threads, 0, on_.stream()>>>(
            job_, cut_, from, to, look ? risen_.data() : nullptr);
        cuda::check_launch();
    }
    /// Dilates until nothing rises; returns how often. The keys end up in `keys`.
    index_t run(T*& keys, T*& other) const {
        const raster& r = job_.mask_at;
        // A path visits a pixel once, so that more dilations than pixels cannot be needed.
        const index_t most = r.planes * r.rows * r.columns + p.check_every;
        for (index_t done = 0; done <= most; done += p.check_every) {
            risen_.fill_bytes(0);
            for (int k = 1; k <= p.check_every; ++k) {
                queue(keys, other, k == p.check_every);
                std::swap(keys, other);
            }
            unsigned risen = 0;
            risen_.to_host(&risen);
            if (risen == 0) return done + p.check_every;
        }
        throw device_error("cuda/elementary: pixels still rise after as many dilations as there are pixels");
    }

private:
    static constexpr policy p = policies[Row].policy;
    static constexpr index_t most_blocks = 1 << 30;
    const cuda::context& on_;
    const typed_job<T>& job_;
    cuda::scratch<unsigned> risen_;
    grid_cut cut_{};
};

template <int Row, class T>
void run(reconstruct_job& job, const cuda::context& on) {
    constexpr policy p = policies[Row].policy;
    const typed_job<T> typed(job);
    const cuda::scratch<T> ping(on, job.mask.pixels()), pong(on, job.mask.pixels());
    cuda::timer watch(on);
    T *keys = ping.data(), *other = pong.data();
    queue_start(on, typed, keys);
    with_shape(job, [&]<int Reach, bool Volume>() {
        job.result->run.iterations = stepper<Row, Reach, Volume, T>(on, typed).run(keys, other);
    });
    queue_finish(on, typed, keys);
    job.result->run.compute_seconds = watch.stop();
    job.result->run.policy = "block=" + std::to_string(p.threads) + "x" + std::to_string(p.rows) +
                             " check_every=" + std::to_string(p.check_every);
}

}  // namespace
}  // namespace elementary

std::string refuses_elementary(const reconstruct_job& job) {
    if (job.asynchronous) return "the host decides when nothing rises any more: it cannot only queue";
    return refuses_bits(job);
}

void reconstruct_elementary(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    using namespace elementary;
    const cuda::context on(job.where);
    visit(job.mask.type, [&]<class T>() {
        const std::size_t row =
            tuning::choose("reconstruction/reconstruct/elementary", policies, on.sm(), sizeof(T));
        tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() { run<Row, T>(job, on); });
    });
}

}  // namespace wale::reconstruction
