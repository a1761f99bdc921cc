// flags - preparations that make, count or clear flags.
#include "solvers/reconstruction/prepare/cuda/lines/lines.cuh"
#include "solvers/reconstruction/prepare/problem.hpp"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction {
namespace {

/// A warp's 32 flags at once.
__device__ void set_flags(const elements<std::uint8_t>& flags, const row_chunk& c, index_t column, bool flag,
                          bool) {
    if (column < c.last) flags.row(c)[column] = flag;
}
__device__ void set_flags(const elements<std::uint32_t>& words, const row_chunk& c, index_t column, bool flag,
                          bool keep_padding) {
    const std::uint32_t word = __ballot_sync(~0u, flag);
    if (column % 32 != 0) return;
    std::uint32_t& to = words.row(c)[column / 32];
    const index_t count = c.last - column;
    to = keep_padding && count < 32 ? with_padding(word, to, count) : word;
}

template <class T, class Flags>
__global__ void __launch_bounds__(chunk.threads)
    threshold(row_chunks all, elements<const T> image, above_rule<T> high, above_rule<T> low,
              elements<Flags> marker, elements<Flags> mask, bool keep_padding) {
    static_assert(chunk.elements % 32 == 0, "words do not straddle chunks");
    const index_t warps = index_t{gridDim.x} * blockDim.x / 32;
    for (index_t i = (index_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; i < all.count; i += warps) {
        const row_chunk c = all.at(i);
        for (index_t base = c.first; base < c.last; base += 32) {  // all lanes go through the loop
            const index_t column = base + threadIdx.x % 32;
            const bool inside = column < c.last;
            const T v = inside ? image.row(c)[column] : T{};
            set_flags(marker, c, column, inside && high(v), keep_padding);
            set_flags(mask, c, column, inside && low(v), false);
        }
    }
}

template <class T, class Flags>
void queue_threshold_into(const prepare_job& job, const cuda::context& on) {
    const row_chunks all(job.image);
    threshold<T, Flags><<<all.blocks(on.multiprocessors()), chunk.threads, 0, on.stream()>>>(
        all, job.image, above_rule<T>(job.high), above_rule<T>(job.low), job.marker, job.mask,
        job.keep_padding);
    cuda::check_launch();
}

using count_t = unsigned long long;  // what atomicAdd takes

__global__ void __launch_bounds__(chunk.threads)
    count_set(row_chunks all, elements<const std::uint32_t> words, elements<const std::uint8_t> flags,
              bool bits, count_t* area) {
    count_t mine = 0;
    all.for_each([&](const row_chunk& c, index_t element) {
        if (bits) {
            const index_t valid = words.at.columns - 32 * element;
            const std::uint32_t word = words.row(c)[element];
            mine += __popc(valid < 32 ? word & ((1u << valid) - 1) : word);
        } else {
            mine += flags.row(c)[element] != 0;
        }
    });
    __syncwarp();
    for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);
    if (threadIdx.x % 32 == 0 && mine != 0) atomicAdd(area, mine);
}

/// found[image] = 1 where some pixel differs from the image's first one. Chunks of an image that is known to
/// differ are not read.
template <class T>
__global__ void __launch_bounds__(chunk.threads)
    find_difference(row_chunks all, elements<const T> image, std::uint8_t* found) {
    all.for_each_chunk([&](const row_chunk& c) {
        if (*static_cast<volatile std::uint8_t*>(found + c.image) != 0) return;
        const T first = *image.row(c.image, 0, 0);
        bool differs = false;
        for (index_t e = c.first + threadIdx.x % 32; e < c.last; e += 32)
            differs = differs || image.row(c)[e] != first;
        if (differs) found[c.image] = 1;  // many may store, all of them 1
    });
}

__global__ void __launch_bounds__(chunk.threads)
    clear_flags_of(row_chunks all, elements<std::uint8_t> flags, const std::uint8_t* found) {
    all.for_each_chunk([&](const row_chunk& c) {
        if (found[c.image] != 0) return;
        for (index_t e = c.first + threadIdx.x % 32; e < c.last; e += 32) flags.row(c)[e] = 0;
    });
}

/// A block an image, of few pixels: the first ones that it looks at nearly always differ.
inline constexpr int block_threads = 1024;
inline constexpr index_t block_pixels = 1 << 16;

template <class T>
__global__ void __launch_bounds__(block_threads)
    clear_if_constant(elements<const T> image, elements<std::uint8_t> flags) {
    constexpr std::uint32_t at_once = 8;  // pixels of a thread between two looks at what others found
    const auto columns = static_cast<std::uint32_t>(image.at.columns);
    const auto rows = static_cast<std::uint32_t>(image.at.rows);
    const std::uint32_t pixels = columns * rows * static_cast<std::uint32_t>(image.at.planes);
    const auto in = [&](const auto& images, std::uint32_t i) {
        const std::uint32_t line = i / columns;
        return images.row(blockIdx.x, line / rows, line % rows) + i % columns;
    };
    const T first = *image.row(blockIdx.x, 0, 0);
    for (std::uint32_t from = threadIdx.x; from < pixels + threadIdx.x; from += at_once * block_threads) {
        bool differs = false;
#pragma unroll
        for (std::uint32_t k = 0; k < at_once; ++k)
            if (const std::uint32_t i = from + k * block_threads; i < pixels)
                differs = differs || *in(image, i) != first;
        if (__syncthreads_or(differs)) return;
    }
    for (std::uint32_t i = threadIdx.x; i < pixels; i += block_threads) *in(flags, i) = 0;
}

template <class T>
void clear_constant(const prepare_job& job, const cuda::context& on) {
    const raster& r = job.image;
    if (r.planes * r.rows * r.columns <= block_pixels && r.images < (index_t{1} << 31)) {
        clear_if_constant<T>
            <<<static_cast<unsigned>(r.images), block_threads, 0, on.stream()>>>(job.image, job.marker);
        return cuda::check_launch();
    }
    const cuda::scratch<std::uint8_t> differs(on, job.image.images);
    differs.fill_bytes(0);
    const row_chunks all(job.image);
    const unsigned blocks = all.blocks(on.multiprocessors());
    find_difference<T><<<blocks, chunk.threads, 0, on.stream()>>>(all, job.image, differs.data());
    cuda::check_launch();
    clear_flags_of<<<blocks, chunk.threads, 0, on.stream()>>>(all, job.marker, differs.data());
    cuda::check_launch();
}

}  // namespace

void queue_threshold(const prepare_job& job, const cuda::context& on) {
    visit(job.image.type, [&]<class T>() {
        job.marker.type == pixel::bit ? queue_threshold_into<T, std::uint32_t>(job, on)
                                      : queue_threshold_into<T, std::uint8_t>(job, on);
    });
}

void measure_area(prepare_job& job, const cuda::context& on) {
    const cuda::scratch<count_t> area(on, 1);
    count_t there = 0;
    area.fill_bytes(0);
    const row_chunks all(job.image);
    count_set<<<all.blocks(on.multiprocessors()), chunk.threads, 0, on.stream()>>>(
        all, job.image, job.image, job.image.type == pixel::bit, area.data());
    cuda::check_launch();
    area.to_host(&there);
    job.area = static_cast<index_t>(there);
}

void queue_clear_constant(const prepare_job& job, const cuda::context& on) {
    visit(job.image.type, [&]<class T>() { clear_constant<T>(job, on); });
}

}  // namespace wale::reconstruction
