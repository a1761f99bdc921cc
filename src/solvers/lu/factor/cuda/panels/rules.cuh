// rules - what the kernels of cuda/panels are given beside the matrices, and what they note of the pivots.
#pragma once

#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"

namespace wale::lu::panels {

/// What one matrix is factored by.
struct rules {
    bool pivots = true;
    std::int32_t* to = nullptr;              // null: not wanted, only without pivoting
    const double* smallest_pivot = nullptr;  // null: pivots stay as they are
    outcome* noted = nullptr;                // may be null
    bool tells = true;                       // whether the kernel notes zeros and signs there
};
/// The same of all matrices. Passed to kernels by value.
struct all_rules {
    bool pivots;
    std::int32_t* to;
    const double* smallest_pivot;
    outcome* noted;
    bool tells;
    template <class T>
    [[nodiscard]] __device__ rules of(index_t i, const device_matrix<T>& m) const {
        return {pivots, to ? to + m.pivot_start : nullptr, smallest_pivot ? smallest_pivot + i : nullptr,
                noted, tells};
    }
};

/// The magnitude of a candidate as it counts: NaN in the first row wins, elsewhere it loses, as in the
/// reference.
template <class R>
struct candidate {
    R size = R(-2);
    int row = INT_MAX;
    __device__ static candidate of(R size, int row, int first) {
        if (size == size) return {size, row};
        return {row == first ? static_cast<R>(INFINITY) : R(-1), row};
    }
    [[nodiscard]] __device__ bool is_behind(const candidate& other) const {
        return other.size > size || (other.size == size && other.row < row);
    }
    __device__ void meet(const candidate& other) {
        if (is_behind(other)) *this = other;
    }
};
/// Over `Lanes` neighbouring lanes of a whole warp, for all of them.
template <int Lanes, class R>
__device__ candidate<R> best_of_lanes(candidate<R> best) {
#pragma unroll
    for (int d = Lanes / 2; d > 0; d /= 2)
        best.meet({__shfl_xor_sync(cuda::whole_warp, best.size, d),
                   __shfl_xor_sync(cuda::whole_warp, best.row, d)});
    return best;
}

/// The pivot as the rules have it; `noting`: one thread a pivot.
template <class T>
__device__ T ruled_pivot(T found, const rules& by, bool noting) {
    if (by.smallest_pivot == nullptr) return found;
    const T moved = perturbed_pivot(found, static_cast<real_of<T>>(*by.smallest_pivot));
    if (noting && moved != found && moved == moved) note_perturbed(by.noted, 1);
    return moved;
}

/// What multiplies the elements below a pivot.
template <class T>
struct divisor {
    T pivot, reciprocal;
    bool multiplies;
    __device__ explicit divisor(T p)
        : pivot(p), reciprocal(T(0)), multiplies(p != T(0) && has_reciprocal(p)) {
        if (multiplies) reciprocal = T(1) / p;
    }
    [[nodiscard]] __device__ T of(T below) const {
        return multiplies ? base::product(below, reciprocal) : multiplier(below, pivot);
    }
};

/// One thread gathers it over the pivots of a matrix.
struct tally {
    int first_zero = -1;
    bool finite = true, exchanged = false;
    template <class T>
    __device__ void add(T pivot, int k, bool exchanges) {
        if (pivot == T(0) && first_zero < 0) first_zero = k;
        if constexpr (is_complex_type<T>)
            finite = finite && isfinite(pivot.real()) && isfinite(pivot.imag());
        else
            finite = finite && isfinite(pivot);
        exchanged = exchanged != exchanges;
    }
    __device__ void note_as(const all_rules& by, index_t matrix) const {
        if (!by.tells) return;
        note(by.noted, matrix, first_zero, finite);
        note_sign(by.noted, matrix, exchanged ? -1 : 1);
    }
};

}  // namespace wale::lu::panels
