// box - the least (or largest) value of a box round each pixel, one axis after the other. Windows grow: a
// window of radius R is the union of smaller ones round pixels at most R - r away, r their radius, and a few
// of those suffice. Where such a pixel would lie beyond the end of the axis, the pixel at the end serves: its
// window lies in the wanted one too, and holds what the other would have held of the image.
// Floor: an axis reads and writes each pixel once, 2 bytes for u8. A pass is bound by the instructions of its
// taps: 7 a tap and pixel along columns; along rows and planes 4 a tap and word, which holds four pixels of
// u8.
#include <vector>

#include "solvers/reconstruction/prepare/cuda/lines/lines.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction {
namespace {

/// Pixels that one pass compares: an axis of a box takes log(size) / log(taps) passes. Not tuned.
constexpr int taps = 9;

enum class axis { column, row, plane };

struct growth {
    axis along;
    index_t away;  // of the farthest windows' pixels: new radius - old radius
    index_t step;  // between such pixels: the old windows' size

    /// Pixels that are compared: at 0, step, 2 step, ... up to 2 away, counted from the first.
    [[nodiscard]] int count() const { return static_cast<int>((2 * away + step - 1) / step) + 1; }
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

/// Pixels of a row in a word of four bytes, where a pixel has fewer.
template <bool Largest, class T>
struct in_words {
    using word = std::conditional_t<(sizeof(T) < 4), std::uint32_t, T>;
    static constexpr int pixels = static_cast<int>(sizeof(word) / sizeof(T));

    __device__ static word extreme(word a, word b) {
        if constexpr (sizeof(T) == 1)
            return Largest ? __vmaxu4(a, b) : __vminu4(a, b);
        else if constexpr (sizeof(T) == 2)
            return Largest ? __vmaxu2(a, b) : __vminu2(a, b);
        else
            return Largest ? larger(a, b) : smaller(a, b);
    }
};

/// A pass along rows or planes: all pixels of a chunk have their taps in the same lines. `words`: all lines
/// begin at whole words.
template <bool Largest, class T>
__global__ void __launch_bounds__(chunk.threads)
    grow_lines(row_chunks all, elements<const T> from, elements<T> to, growth g, int count, bool words) {
    using w = in_words<Largest, T>;
    using word = typename w::word;
    const bool rows = g.along == axis::row;
    const index_t extent = rows ? from.at.rows : from.at.planes;
    const index_t stride = rows ? from.at.row_stride : from.at.plane_stride;
    const int lane = static_cast<int>(threadIdx.x % 32);
    all.for_each_chunk([&](const row_chunk& c) {
        const index_t here = rows ? c.row : c.plane;
        const T* tap[taps];
#pragma unroll
        for (int t = 0; t < taps; ++t) {
            const index_t wanted = here + smaller(t * g.step - g.away, g.away);
            const index_t there = smaller(larger(wanted, index_t{0}), extent - 1);
            tap[t] = from.row(c) + (there - here) * stride;
        }
        T* const out = to.row(c);
        index_t single = c.first;  // from here on pixel by pixel
        if (w::pixels > 1 && words) {
            single += (c.last - c.first) / w::pixels * w::pixels;
            for (index_t i = c.first / w::pixels + lane; i < single / w::pixels; i += 32) {
                word v = reinterpret_cast<const word*>(tap[0])[i];
#pragma unroll
                for (int t = 1; t < taps; ++t)
                    if (t < count) v = w::extreme(v, reinterpret_cast<const word*>(tap[t])[i]);
                reinterpret_cast<word*>(out)[i] = v;
            }
        }
        for (index_t i = single + lane; i < c.last; i += 32) {
            T v = tap[0][i];
#pragma unroll
            for (int t = 1; t < taps; ++t)
                if (t < count) v = Largest ? larger(v, tap[t][i]) : smaller(v, tap[t][i]);
            out[i] = v;
        }
    });
}

/// A pass along columns. A box is no larger than the image's least extent, so that 32 bits hold its size.
template <bool Largest, class T>
__global__ void __launch_bounds__(chunk.threads)
    grow_columns(row_chunks all, elements<const T> from, elements<T> to, growth g, int count) {
    constexpr index_t far = 1 << 30;
    int offset[taps];
#pragma unroll
    for (int t = 0; t < taps; ++t) offset[t] = static_cast<int>(smaller(t * g.step - g.away, g.away));
    all.for_each_chunk([&](const row_chunk& c) {
        const T* const line = from.row(c) + c.first;
        T* const out = to.row(c) + c.first;
        const int low = -static_cast<int>(smaller(c.first, far));
        const int high = static_cast<int>(smaller(from.at.columns - 1 - c.first, far));
        const int size = static_cast<int>(c.last - c.first);
#pragma unroll 2
        for (int i = static_cast<int>(threadIdx.x % 32); i < size; i += 32) {
            T v = line[larger(i + offset[0], low)];
#pragma unroll
            for (int t = 1; t < taps; ++t)
                if (t < count) {
                    const T other = line[smaller(larger(i + offset[t], low), high)];
                    v = Largest ? larger(v, other) : smaller(v, other);
                }
            out[i] = v;
        }
    });
}

template <class T>
bool begins_at_words(const raster& r, const T* data) {
    const auto whole = [](index_t elements) { return elements * index_t{sizeof(T)} % 4 == 0; };
    return reinterpret_cast<std::uintptr_t>(data) % 4 == 0 && whole(r.row_stride) && whole(r.plane_stride) &&
           whole(r.image_stride);
}

template <bool Largest, class T>
void queue_growth(const cuda::context& on, const elements<const T>& from, const elements<T>& to,
                  const growth& g) {
    const row_chunks all(from.at);
    const unsigned blocks = all.blocks(on.multiprocessors());
    if (g.along == axis::column)
        grow_columns<Largest, T><<<blocks, chunk.threads, 0, on.stream()>>>(all, from, to, g, g.count());
    else
        grow_lines<Largest, T><<<blocks, chunk.threads, 0, on.stream()>>>(
            all, from, to, g, g.count(),
            begins_at_words(from.at, from.data) && begins_at_words(to.at, to.data));
    cuda::check_launch();
}

template <bool Largest, class T>
void queue_all(const prepare_job& job, const cuda::context& on) {
    const plan passes(job.image.rank, job.size);
    raster between = job.image;
    between.row_stride = (between.columns + 15) / 16 * 16;
    between.plane_stride = between.rows * between.row_stride;
    between.image_stride = between.planes * between.plane_stride;
    const cuda::scratch<T> memory(on, passes.steps.size() > 1 ? between.images * between.image_stride : 0);
    const elements<T> spare(between, memory.data()), out(job.marker);
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
