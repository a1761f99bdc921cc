// ordered - the larger of two numbers that are not negative, NaN above all: as integers, so that the order
// of the threads does not matter.
#pragma once

namespace wale::lu {

/// Magnitudes as f64 order like their bits, and the bits of NaN lie above infinity's.
__device__ inline unsigned long long ordered_bits(double magnitude) {
    return static_cast<unsigned long long>(__double_as_longlong(fabs(magnitude)));
}
__device__ inline double larger(double a, double b) {
    return __longlong_as_double(static_cast<long long>(max(ordered_bits(a), ordered_bits(b))));
}
__device__ inline void raise(double* to, double magnitude) {
    atomicMax(reinterpret_cast<unsigned long long*>(to), ordered_bits(magnitude));
}

/// Over the lanes of a full warp, in a fixed order; every lane gets it.
__device__ inline double warp_sum(double v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
__device__ inline double warp_largest(double v) {
    for (int d = 16; d > 0; d /= 2) v = larger(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}

}  // namespace wale::lu
