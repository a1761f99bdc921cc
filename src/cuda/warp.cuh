// warp - the largest, the least, the sum, the union and the intersection of a warp's words: one instruction
// from sm_80 on, shuffles before.
#pragma once

namespace wale::cuda {

inline constexpr unsigned whole_warp = 0xffffffffu;

/// All lanes of the warp take part and get the answer.
__device__ inline unsigned largest_of_warp(unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int step = 16; step > 0; step /= 2) x = max(x, __shfl_xor_sync(whole_warp, x, step));
    return x;
#else
    return __reduce_max_sync(whole_warp, x);
#endif
}

__device__ inline unsigned least_of_warp(unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return ~largest_of_warp(~x);
#else
    return __reduce_min_sync(whole_warp, x);
#endif
}

__device__ inline unsigned sum_of_warp(unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(whole_warp, x, step);
    return x;
#else
    return __reduce_add_sync(whole_warp, x);
#endif
}

/// The bits that any lane has.
__device__ inline unsigned union_of_warp(unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int step = 16; step > 0; step /= 2) x |= __shfl_xor_sync(whole_warp, x, step);
    return x;
#else
    return __reduce_or_sync(whole_warp, x);
#endif
}

/// The bits that all lanes have.
__device__ inline unsigned intersection_of_warp(unsigned x) {
    return ~union_of_warp(~x);
}

}  // namespace wale::cuda
