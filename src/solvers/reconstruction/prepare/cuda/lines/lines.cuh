// lines - the steps of cuda/lines: what each queues on the stream of `on`.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/reconstruction/prepare/problem.hpp"

namespace wale::reconstruction {

/// preparation::box
void queue_box(const prepare_job& job, const cuda::context& on);
/// preparation::threshold
void queue_threshold(const prepare_job& job, const cuda::context& on);
/// preparation::area; waits for it.
void measure_area(prepare_job& job, const cuda::context& on);
/// preparation::clear_constant
void queue_clear_constant(const prepare_job& job, const cuda::context& on);

/// Where the elements of some images lie, as kernels see them.
template <class T>
struct elements {
    raster at;
    T* data;

    elements(const const_image_view& p) requires std::is_const_v<T> : at(p), data(static_cast<T*>(p.data)) {}
    elements(const image_view& p) : at(p), data(static_cast<T*>(p.data)) {}
    elements(const raster& where, T* first) : at(where), data(first) {}
    [[nodiscard]] __device__ T* row(index_t image, index_t plane, index_t row) const {
        return data + at.offset(image, plane, row);
    }
    template <class Chunk>
    [[nodiscard]] __device__ T* row(const Chunk& c) const {
        return row(c.image, c.plane, c.row);
    }
};

}  // namespace wale::reconstruction
