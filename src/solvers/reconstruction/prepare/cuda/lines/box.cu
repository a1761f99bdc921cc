// box - the least (or largest) value of a box round each pixel, one axis after the other. Windows grow: a
// window of radius R is the union of smaller ones round pixels at most R - r away, r their radius, and a few
// of those suffice. Where such a pixel would lie beyond the end of the axis, the pixel at the end serves: its
// window lies in the wanted one too, and holds what the other would have held of the image.
// Floor: an axis reads and writes each pixel once, 2 bytes for u8; a pass does, and is bound by its loads
// from the L1 cache.
#include <vector>

#include "solvers/reconstruction/prepare/cuda/lines/lines.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction {
namespace {

/// Pixels that one pass compares: an axis of a box takes log(size) / log(taps) passes. Not tuned.
constexpr index_t taps = 9;

enum class axis { column, row, plane };

struct growth {
    axis along;
    index_t away;  // of the farthest windows' pixels: new radius - old radius
    index_t step;  // between such pixels: the old windows' size
};

/// The passes of all axes, in order.
struct plan {
    explicit plan(int rank, index_t size) {
        for (const axis along : {axis::column, axis::row, axis::plane}) {
            if (along == axis::plane && rank == 2) continue;
            for (index_t radius = 0; radius < size / 2;) {
                const index_t window = 2 * radius + 1;
                const index_t away = smaller(taps / 2 * window, size / 2 - radius);
                steps.push_back({along, away, window});
                radius += away;
            }
        }
        if (steps.empty()) steps.push_back({axis::column, 0, 1});  // a box of one pixel: a copy
    }
    std::vector<growth> steps;
};

template <bool Largest, class T>
__device__ T extreme_of(const T* pixel, index_t position, index_t extent, index_t stride, growth g) {
    T v = *pixel;
    for (index_t k = -g.away;; k += g.step) {
        const index_t wanted = position + smaller(k, g.away);
        const index_t there = smaller(larger(wanted, index_t{0}), extent - 1);
        const T other = pixel[(there - position) * stride];
        v = Largest ? larger(v, other) : smaller(v, other);
        if (k >= g.away) return v;
    }
}

template <bool Largest, class T>
void queue_growth(const cuda::context& on, const elements<const T>& from, const elements<T>& to, growth g) {
    queue_each(on, from.at, [=] __device__(const row_chunk& c, index_t column) {
        const raster& r = from.at;
        const T* pixel = from.row(c) + column;
        T v;
        if (g.along == axis::column)
            v = extreme_of<Largest>(pixel, column, r.columns, 1, g);
        else if (g.along == axis::row)
            v = extreme_of<Largest>(pixel, c.row, r.rows, r.row_stride, g);
        else
            v = extreme_of<Largest>(pixel, c.plane, r.planes, r.plane_stride, g);
        to.row(c)[column] = v;
    });
}

template <bool Largest, class T>
void queue_all(const prepare_job& job, const cuda::context& on) {
    const plan passes(job.image.rank, job.size);
    raster packed = job.image;
    packed.pack();
    const cuda::scratch<T> between(on, passes.steps.size() > 1 ? packed.pixels() : 0);
    const elements<T> spare(packed, between.data()), out(job.marker);
    elements<const T> from(job.image);
    for (std::size_t left = passes.steps.size(); left > 0; --left) {
        const elements<T>& to = left % 2 == 1 ? out : spare;  // the last one writes the answer
        queue_growth<Largest>(on, from, to, passes.steps[passes.steps.size() - left]);
        from = elements<const T>(to.at, to.data);
    }
}

}  // namespace

void queue_box(const prepare_job& job, const cuda::context& on) {
    visit(job.image.type,
          [&]<class T>() { job.largest ? queue_all<true, T>(job, on) : queue_all<false, T>(job, on); });
}

}  // namespace wale::reconstruction
