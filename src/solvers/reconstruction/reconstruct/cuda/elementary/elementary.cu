// elementary - geodesic dilations of the whole image until nothing rises: the scheme of today's GPU
// libraries (cuCIM), with dilation, minimum and comparison fused into one kernel.
#include <utility>

#include "solvers/reconstruction/reconstruct/cuda/elementary/tuning.hpp"
#include "solvers/reconstruction/reconstruct/shared/passes.cuh"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace elementary {
namespace {

/// The largest of the pixels of one row whose neighbours, in planes and columns, differ in at most
/// `Differing` coordinates: a point, a cross or a square, so that no shape is ever looked at pixel by pixel
/// twice.
template <int Differing, bool Volume, class T>
__device__ T largest_of_row(const T* pixel, index_t plane_step, bool below, bool above, bool left,
                            bool right) {
    T v = *pixel;
    if constexpr (Differing >= 1) {
        if (left) v = larger(v, pixel[-1]);
        if (right) v = larger(v, pixel[1]);
    }
    if constexpr (Volume && Differing >= 1) {
        constexpr int wide = Differing - 1;
        if (below)
            v = larger(
                v, largest_of_row<wide, false>(pixel - plane_step, plane_step, false, false, left, right));
        if (above)
            v = larger(
                v, largest_of_row<wide, false>(pixel + plane_step, plane_step, false, false, left, right));
    }
    return v;
}

/// What a block does: `threads` columns of `rows` rows. 32-bit: kernels divide by them.
struct grid_cut {
    std::uint32_t columns, rows, planes, blocks;
};

/// A thread walks down its column and keeps what it learnt of the last three rows. Reads 2 and writes 1
/// byte a pixel of u8; 3 (planes) or 9 (volumes) cached loads of J a pixel.
template <int Row, int Reach, bool Volume, class T>
__global__ void __launch_bounds__(policies[Row].policy.threads)
    dilate(typed_job<T> job, grid_cut cut, const T* __restrict__ from, T* __restrict__ to, unsigned* risen) {
    constexpr policy p = policies[Row].policy;
    const raster& r = job.mask_at;
    bool rose = false;
    for (std::uint32_t block = blockIdx.x; block < cut.blocks; block += gridDim.x) {
        const index_t column = index_t{block % cut.columns} * p.threads + threadIdx.x;
        const index_t strip = block / cut.columns % cut.rows;
        const std::uint32_t z = block / cut.columns / cut.rows;
        const index_t plane = z % cut.planes, image = z / cut.planes;
        if (column >= r.columns) continue;
        const index_t first = strip * p.rows, last = smaller(first + p.rows, r.rows);
        const index_t top = job.packed(image, plane, 0, column), plane_step = r.rows * r.columns;
        const bool left = column > 0, right = column + 1 < r.columns;
        const bool below = plane > 0, above = plane + 1 < r.planes;
        const auto narrow = [&](index_t row) {  // what a neighbouring row gives
            return largest_of_row<Reach - 1, Volume>(from + top + row * r.columns, plane_step, below, above,
                                                     left, right);
        };
        T before = first > 0 ? narrow(first - 1) : lowest_key<T>(), here = narrow(first);
#pragma unroll 4
        for (index_t row = first; row < last; ++row) {
            const index_t at = top + row * r.columns;
            const T after = row + 1 < r.rows ? narrow(row + 1) : lowest_key<T>();
            T wide = here;
            if constexpr (Reach < (Volume ? 3 : 2))
                wide = largest_of_row<Reach, Volume>(from + at, plane_step, below, above, left, right);
            const T largest = larger(wide, larger(before, after));
            const T now = smaller(job.mask_key(image, plane, row, column), largest);
            if (risen != nullptr) rose = rose || now != from[at];
            to[at] = now;
            before = here;
            here = after;
        }
    }
    if (risen != nullptr && __syncthreads_or(rose) && threadIdx.x == 0) *risen = 1;
}

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

namespace {

std::string refusal(const reconstruct_job& job) {
    if (job.asynchronous) return "the host decides when nothing rises any more: it cannot only queue";
    return refuses_bits(job);
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    using namespace elementary;
    const cuda::context on(job.where);
    visit(job.mask.type, [&]<class T>() {
        const std::size_t row =
            tuning::choose("reconstruction/reconstruct/elementary", policies, on.sm(), sizeof(T));
        tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() { elementary::run<Row, T>(job, on); });
    });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_elementary{
    "cuda/elementary", "3 x 3 (x 3) geodesic dilations until nothing rises, one kernel each", run, refusal};

}  // namespace wale::reconstruction
