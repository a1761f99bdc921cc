// vectors - passes over images without gaps: 16 bytes of the widest image a thread.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/row_chunks.cuh"

namespace wale::reconstruction::parts {

/// Pixels that a thread takes at a time.
template <class T>
inline constexpr int at_once = 16 / sizeof(T);

/// Up to at_once<T> pixels from `first` on, which is a multiple of it.
template <class T, class U = T>
struct vector {
    alignas(sizeof(U) * at_once<T>) U pixel[at_once<T>];
    using block = std::conditional_t<
        sizeof(pixel) == 16, uint4,
        std::conditional_t<sizeof(pixel) == 8, uint2,
                           std::conditional_t<sizeof(pixel) == 4, std::uint32_t, std::uint16_t>>>;

    __device__ void load(const U* image, index_t first, index_t count) {
        if (count == at_once<T>)
            *reinterpret_cast<block*>(pixel) = *reinterpret_cast<const block*>(image + first);
        else
            for (int k = 0; k < count; ++k) pixel[k] = image[first + k];
    }
    __device__ void store(U* image, index_t first, index_t count) const {
        if (count == at_once<T>)
            *reinterpret_cast<block*>(image + first) = *reinterpret_cast<const block*>(pixel);
        else
            for (int k = 0; k < count; ++k) image[first + k] = pixel[k];
    }
};

/// f(first pixel, pixels)
template <class T, class F>
__global__ void __launch_bounds__(chunk.threads) each_vector(index_t count, F f) {
    const index_t step = index_t{gridDim.x} * blockDim.x * at_once<T>;
    for (index_t i = (index_t{blockIdx.x} * blockDim.x + threadIdx.x) * at_once<T>; i < count; i += step)
        f(i, smaller(count - i, index_t{at_once<T>}));
}

template <class T, class F>
void queue_vectors(const cuda::context& on, index_t count, const F& f) {
    const index_t threads = (count + at_once<T> - 1) / at_once<T>;
    const index_t blocks = smaller((threads + chunk.threads - 1) / chunk.threads,
                                   index_t{chunk.blocks_per_sm} * on.multiprocessors());
    each_vector<T><<<static_cast<unsigned>(blocks), chunk.threads, 0, on.stream()>>>(count, f);
    cuda::check_launch();
}

/// Copies the pixels at which the whole image ends; a warp a row. `first`: of these lines in the whole image.
template <class T>
__global__ void __launch_bounds__(chunk.threads)
    copy_border(raster part, raster whole, index_t first, const T* from, T* to) {
    const index_t step = index_t{gridDim.x} * blockDim.x / 32, last = part.columns - 1;
    for (index_t i = (index_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; i < part.planes * part.rows;
         i += step) {
        const bool volume = part.rank == 3;
        const index_t plane = i / part.rows + (volume ? first : 0),
                      row = i % part.rows + (volume ? 0 : first);
        const bool all =
            row == 0 || row == whole.rows - 1 || (volume && (plane == 0 || plane == whole.planes - 1));
        const index_t at = i * part.columns;
        for (index_t c = threadIdx.x % 32; c <= last; c += all ? 32 : larger(last, index_t{1})) {
            if (!all && c != 0 && c != last) break;
            to[at + c] = from[at + c];
        }
    }
}

}  // namespace wale::reconstruction::parts
