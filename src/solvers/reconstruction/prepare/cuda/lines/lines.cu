// lines - the CUDA row of the preparations: a warp for a stretch of a line; one pass, but for boxes.
// Floors for u8, in bytes a pixel: drain and impose 3, threshold 3, restore 3, widen 1, points 1, area 1.
#include <algorithm>

#include "solvers/reconstruction/prepare/cuda/lines/lines.cuh"
#include "solvers/reconstruction/prepare/problem.hpp"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction {
namespace {

template <class T>
void drain(const prepare_job& job, const cuda::context& on) {
    const outlet_rule<T> rule(job);
    const elements<const T> image(job.image);
    const elements<T> marker(job.marker), mask(job.mask);
    queue_each(on, job.image, [=] __device__(const row_chunk& c, index_t column) {
        const T v = image.row(c)[column];
        mask.row(c)[column] = rule.mask(v);
        marker.row(c)[column] = rule.marker(v, at_border(image.at, c.plane, c.row, column));
    });
}

template <class T>
void restore(const prepare_job& job, const cuda::context& on) {
    const outlet_rule<T> rule(job);
    const elements<const T> image(job.image);
    const elements<T> marker(job.marker);
    queue_each(on, job.image, [=] __device__(const row_chunk& c, index_t column) {
        const T v = image.row(c)[column];
        if (rule.is_outlet(v)) marker.row(c)[column] = v;
    });
}

template <class T>
void impose(const prepare_job& job, const cuda::context& on) {
    const elements<const T> image(job.image);
    const elements<const std::uint8_t> minima(job.minima);
    const elements<T> marker(job.marker), mask(job.mask);
    queue_each(on, job.image, [=] __device__(const row_chunk& c, index_t column) {
        const bool minimum = minima.row(c)[column] != 0;
        mask.row(c)[column] = minimum ? lowest_key<T>() : successor(image.row(c)[column]);
        marker.row(c)[column] = minimum ? lowest_key<T>() : highest_key<T>();
    });
}

void widen(const prepare_job& job, const cuda::context& on) {
    const elements<const std::uint32_t> words(job.image);
    const elements<std::uint8_t> flags(job.marker);
    queue_each(on, job.marker, [=] __device__(const row_chunk& c, index_t column) {
        flags.row(c)[column] = words.row(c)[column / 32] >> column % 32 & 1;
    });
}

void clear_words(const prepare_job& job, const cuda::context& on) {
    const elements<std::uint32_t> words(job.marker);
    queue_each(on, job.marker, [=] __device__(const row_chunk& c, index_t element) {
        const index_t count = words.at.columns - 32 * element;
        std::uint32_t& word = words.row(c)[element];
        word = count < 32 ? with_padding(0, word, count) : 0;
    });
}
void clear_flags(const prepare_job& job, const cuda::context& on) {
    const elements<std::uint8_t> flags(job.marker);
    queue_each(on, job.marker,
               [=] __device__(const row_chunk& c, index_t column) { flags.row(c)[column] = 0; });
}

/// Points that travel with the launch.
struct few_points {
    static constexpr index_t most = 64;
    pixel_position at[most];
};

/// Points may repeat and bits share words: hence the atomic. `points`: null where they are in `few`.
__global__ void set_points(elements<std::uint32_t> words, elements<std::uint8_t> flags, bool bits,
                           const __grid_constant__ few_points few, const pixel_position* points,
                           index_t count) {
    const index_t step = index_t{gridDim.x} * blockDim.x;
    for (index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
        const pixel_position p = points == nullptr ? few.at[i] : points[i];
        if (bits)
            atomicOr(words.row(0, p.plane, p.row) + p.column / 32, 1u << p.column % 32);
        else
            flags.row(0, p.plane, p.row)[p.column] = 1;
    }
}

void points(const prepare_job& job, const cuda::context& on) {
    const bool bits = job.marker.type == pixel::bit;
    bits ? clear_words(job, on) : clear_flags(job, on);
    const auto count = static_cast<index_t>(job.points.size());
    if (count == 0) return;
    few_points few{};
    const bool many = count > few_points::most;
    const cuda::scratch<pixel_position> there(on, many ? count : 0);
    if (many)
        cuda::check(cudaMemcpyAsync(there.data(), job.points.data(), job.points.size_bytes(),
                                    cudaMemcpyHostToDevice, on.stream()));
    else
        std::copy(job.points.begin(), job.points.end(), few.at);
    const auto blocks = static_cast<unsigned>(smaller<index_t>((count + chunk.threads - 1) / chunk.threads,
                                                               chunk.blocks_per_sm * on.multiprocessors()));
    set_points<<<blocks, chunk.threads, 0, on.stream()>>>(job.marker, job.marker, bits, few, there.data(),
                                                          count);
    cuda::check_launch();
    if (many) on.synchronize();  // the points are the caller's for this call only
}

void queue(prepare_job& job, const cuda::context& on) {
    const auto typed = [&](auto&& f) { visit(job.image.type, f); };
    switch (job.kind) {
        case preparation::drain:
            return typed([&]<class T>() { drain<T>(job, on); });
        case preparation::restore:
            return typed([&]<class T>() { restore<T>(job, on); });
        case preparation::impose:
            return typed([&]<class T>() { impose<T>(job, on); });
        case preparation::threshold:
            return queue_threshold(job, on);
        case preparation::clear_constant:
            return queue_clear_constant(job, on);
        case preparation::widen:
            return widen(job, on);
        case preparation::points:
            return points(job, on);
        case preparation::box:
            return queue_box(job, on);
        case preparation::area:
            return measure_area(job, on);
    }
}

void run(prepare_job& job) {
    const raster& shape =
        job.kind == preparation::points ? static_cast<const raster&>(job.marker) : job.image;
    if (shape.pixels() == 0) return;
    const cuda::context on(job.where);
    if (job.asynchronous) return queue(job, on);
    cuda::timer watch(on);
    queue(job, on);
    job.seconds = watch.stop();
}

}  // namespace

extern constinit const catalogue::row<prepare_job> prepare_cuda_lines{
    "cuda/lines", "one pass, a warp for a stretch of a line", run};

}  // namespace wale::reconstruction
