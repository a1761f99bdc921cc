// cells - the operations of warping_cell on the device, in the same order and none fused (-fmad=false), so
// that costs without the soft minimum are the reference's bit for bit.
#pragma once

#include <cmath>
#include <limits>

#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront::warping {

template <class T>
[[nodiscard]] __host__ __device__ constexpr T infinity() {
    return std::numeric_limits<T>::infinity();
}

/// The least of numbers of which none is negative: floats are then in the order of their bits, and three of
/// them one instruction from sm_90 on.
[[nodiscard]] __device__ __forceinline__ float least_of(float x, float y, float z) {
    return __int_as_float(__vimin3_s32(__float_as_int(x), __float_as_int(y), __float_as_int(z)));
}
[[nodiscard]] __device__ __forceinline__ double least_of(double x, double y, double z) {
    const double least = x < y ? x : y;
    return least < z ? least : z;
}

/// What the cells of one call are made of.
template <class T, bool Squared, bool Soft>
struct cell_of {
    using number = T;
    index_t dimensions;
    T gamma;

    /// The part of a cost that one number of two points adds.
    [[nodiscard]] __device__ __forceinline__ T part(T a, T b) const {
        const T difference = a - b;
        return Squared ? difference * difference : std::abs(difference);
    }
    [[nodiscard]] __device__ __forceinline__ T least(T diagonal, T up, T left) const {
        if constexpr (!Soft) {
            return least_of(diagonal, up, left);
        } else {  // costs may be negative
            const T least = std::fmin(std::fmin(up, left), diagonal);
            if (least == infinity<T>()) return least;
            const auto share = [&](T x) { return std::exp((least - x) / gamma); };
            return least - gamma * std::log(share(left) + share(up) + share(diagonal));
        }
    }
};

}  // namespace wale::wavefront::warping
