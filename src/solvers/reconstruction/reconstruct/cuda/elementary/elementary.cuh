// elementary - one geodesic dilation of every pixel: J' = min(I, largest of J and its neighbours).
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/elementary/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/passes.cuh"

namespace wale::reconstruction::elementary {

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

}  // namespace wale::reconstruction::elementary
