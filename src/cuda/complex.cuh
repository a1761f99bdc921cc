// complex - complex numbers on the device: thrust's, which have the layout of the host's.
#pragma once

#include <thrust/complex.h>

#include "base/scalar.hpp"
#include "cuda/warp.cuh"

namespace wale::cuda {

/// f(T{}) with the device's type of any scalar.
template <class F>
decltype(auto) with_device_type(scalar s, F&& f) {
    return s == scalar::c64    ? f(thrust::complex<float>{})
           : s == scalar::c128 ? f(thrust::complex<double>{})
                               : base::with_type(s, f);
}

/// sum - a b, in fused operations.
template <class T>
__device__ T less_product(T sum, T a, T b) {
    if constexpr (base::is_complex_type<T>)
        return {fma(a.imag(), b.imag(), fma(-a.real(), b.real(), sum.real())),
                fma(-a.imag(), b.real(), fma(-a.real(), b.imag(), sum.imag()))};
    else
        return fma(-a, b, sum);
}
/// What `lane` of the warp has in x. Whole warps.
template <class T>
__device__ T of_lane(T x, int lane) {
    if constexpr (base::is_complex_type<T>)
        return {__shfl_sync(whole_warp, x.real(), lane), __shfl_sync(whole_warp, x.imag(), lane)};
    else
        return __shfl_sync(whole_warp, x, lane);
}
/// |factor x| in f64.
template <class T>
__device__ double magnitude_of(double factor, T x) {
    if constexpr (base::is_complex_type<T>)
        return hypot(factor * x.real(), factor * x.imag());
    else
        return fabs(factor * static_cast<double>(x));
}

}  // namespace wale::cuda
