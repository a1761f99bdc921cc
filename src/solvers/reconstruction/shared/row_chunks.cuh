// row_chunks - cuts images into stretches of a row, one for a warp: any stride and alignment, coalesced.
#pragma once

#include <algorithm>

#include "cuda/stream.cuh"
#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

struct chunk_policy {
    int threads;        // a block
    int elements;       // of a row, for a warp
    int blocks_per_sm;  // resident, at most; they stride over the chunks
};

inline constexpr chunk_policy chunk{256, 512, 8};  // not tuned

/// A stretch of elements [first, last) of one row of one plane of one image.
struct row_chunk {
    index_t image, plane, row, first, last;
};

struct row_chunks {
    index_t planes, rows, elements, chunks_a_row, count;  // count: of chunks

    explicit row_chunks(const raster& r)
        : planes(r.planes),
          rows(r.rows),
          elements(r.row_elements()),
          chunks_a_row((elements + chunk.elements - 1) / chunk.elements),
          count(r.images * r.planes * r.rows * chunks_a_row) {}

    [[nodiscard]] unsigned blocks(int multiprocessors) const {
        const index_t warps = chunk.threads / 32;
        return static_cast<unsigned>(
            std::min<index_t>((count + warps - 1) / warps, index_t{chunk.blocks_per_sm} * multiprocessors));
    }
    [[nodiscard]] __device__ row_chunk at(index_t i) const {
        const index_t line = i / chunks_a_row, first = i % chunks_a_row * chunk.elements;
        return {line / rows / planes, line / rows % planes, line % rows, first,
                first + chunk.elements < elements ? first + chunk.elements : elements};
    }
    /// Calls f(row_chunk) for every chunk, a warp for each.
    template <class F>
    __device__ void for_each_chunk(const F& f) const {
        const index_t warp = (index_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
        const index_t warps = index_t{gridDim.x} * blockDim.x / 32;
        for (index_t i = warp; i < count; i += warps) f(at(i));
    }
    /// Calls f(row_chunk, element) for every element, the lanes of a warp on neighbours.
    template <class F>
    __device__ void for_each(const F& f) const {
        for_each_chunk([&](const row_chunk& c) {
#pragma unroll 4
            for (index_t e = c.first + threadIdx.x % 32; e < c.last; e += 32) f(c, e);
        });
    }
};

template <class F>
__global__ void __launch_bounds__(chunk.threads) each_element(row_chunks all, F f) {
    all.for_each(f);
}

/// Queues f(row_chunk, element) for every element of images of this shape; f is a __device__ lambda.
template <class F>
void queue_each(const cuda::context& on, const raster& shape, const F& f) {
    const row_chunks all(shape);
    if (all.count == 0) return;
    each_element<<<all.blocks(on.multiprocessors()), chunk.threads, 0, on.stream()>>>(all, f);
    cuda::check_launch();
}

}  // namespace wale::reconstruction
