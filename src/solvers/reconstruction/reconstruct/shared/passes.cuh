// passes - the first and the last pass over the images for rows that keep packed keys: a warp for a stretch
// of a row. Floors for u8: start reads 1 or 2 bytes and writes 1 a pixel, finish reads 2 and writes 1.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction {

/// The images of a job as kernels see them. T is never bits.
template <class T>
struct typed_job {
    raster mask_at, marker_at, out_at;
    const T* mask;
    const T* marker;  // start_rule::given only
    void* out;        // T, or bytes of 0 and 1 where the finish is `flag`
    recipe<T> rule;

    explicit typed_job(const reconstruct_job& job)
        : mask_at(job.mask),
          marker_at(job.marker),
          out_at(job.out),
          mask(static_cast<const T*>(job.mask.data)),
          marker(static_cast<const T*>(job.marker.data)),
          out(job.out.data),
          rule(job) {}

    [[nodiscard]] __device__ T mask_key(index_t image, index_t plane, index_t row, index_t column) const {
        return rule.key(mask[mask_at.offset(image, plane, row) + column]);
    }
    [[nodiscard]] __device__ T marker_key(index_t image, index_t plane, index_t row, index_t column) const {
        const T given =
            rule.start == start_rule::given ? marker[marker_at.offset(image, plane, row) + column] : T{};
        return rule.marker(mask_key(image, plane, row, column), given,
                           at_border(mask_at, plane, row, column));
    }
    __device__ void finish(index_t image, index_t plane, index_t row, index_t column, T risen) const {
        const index_t at = out_at.offset(image, plane, row) + column;
        const T under = mask_key(image, plane, row, column);
        if (rule.finish == finish_rule::flag)
            static_cast<std::uint8_t*>(out)[at] = risen < under;
        else
            static_cast<T*>(out)[at] = rule.finished(risen, under);
    }
    /// Of a pixel in images without gaps.
    [[nodiscard]] __device__ index_t packed(index_t image, index_t plane, index_t row, index_t column) const {
        return ((image * mask_at.planes + plane) * mask_at.rows + row) * mask_at.columns + column;
    }
};

template <class T>
__global__ void __launch_bounds__(chunk.threads) start_keys(typed_job<T> job, row_chunks all, T* keys) {
    all.for_each([&](const row_chunk& c, index_t column) {
        keys[job.packed(c.image, c.plane, c.row, column)] = job.marker_key(c.image, c.plane, c.row, column);
    });
}

template <class T>
__global__ void __launch_bounds__(chunk.threads)
    finish_keys(typed_job<T> job, row_chunks all, const T* keys) {
    all.for_each([&](const row_chunk& c, index_t column) {
        job.finish(c.image, c.plane, c.row, column, keys[job.packed(c.image, c.plane, c.row, column)]);
    });
}

/// Queues the marker's keys, packed.
template <class T>
void queue_start(const cuda::context& on, const typed_job<T>& job, T* keys) {
    const row_chunks all(job.mask_at);
    start_keys<<<all.blocks(on.multiprocessors()), chunk.threads, 0, on.stream()>>>(job, all, keys);
    cuda::check_launch();
}

/// Queues the answer from keys J.
template <class T>
void queue_finish(const cuda::context& on, const typed_job<T>& job, const T* keys) {
    const row_chunks all(job.mask_at);
    finish_keys<<<all.blocks(on.multiprocessors()), chunk.threads, 0, on.stream()>>>(job, all, keys);
    cuda::check_launch();
}

}  // namespace wale::reconstruction
