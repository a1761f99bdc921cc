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

/// A magnitude as bits that order as it does.
__device__ inline std::uint32_t bits_of(float size) {
    return __float_as_uint(size);
}
__device__ inline std::uint64_t bits_of(double size) {
    return static_cast<std::uint64_t>(__double_as_longlong(size));
}

/// A row that might be the pivot's: the largest, of equals the first. NaN in the first row wins, elsewhere it
/// loses, as in the reference.
template <class R>
struct candidate {
    decltype(bits_of(R{})) key = 0;
    int row = INT_MAX;
    __device__ static candidate of(R size, int row, int first) {
        if (size == size) return {bits_of(size), row};
        return {row == first ? ~decltype(key){0} : 0, row};
    }
    [[nodiscard]] __device__ bool is_behind(const candidate& other) const {
        return other.key > key || (other.key == key && other.row < row);
    }
    __device__ void meet(const candidate& other) {
        if (is_behind(other)) *this = other;
    }
};
/// Over `Lanes` neighbouring lanes of a whole warp, for all of them.
template <int Lanes, class R>
__device__ candidate<R> best_of_lanes(candidate<R> best) {
    if constexpr (Lanes == 32) {
        const candidate<R> mine = best;
        if constexpr (sizeof(R) == 4) {
            best.key = cuda::largest_of_warp(mine.key);
        } else {
            const auto high = static_cast<unsigned>(mine.key >> 32);
            const unsigned most = cuda::largest_of_warp(high);
            const unsigned low = cuda::largest_of_warp(high == most ? static_cast<unsigned>(mine.key) : 0u);
            best.key = static_cast<std::uint64_t>(most) << 32 | low;
        }
        best.row = static_cast<int>(
            cuda::least_of_warp(static_cast<unsigned>(mine.key == best.key ? mine.row : INT_MAX)));
    } else {
#pragma unroll
        for (int d = Lanes / 2; d > 0; d /= 2)
            best.meet({__shfl_xor_sync(cuda::whole_warp, best.key, d),
                       __shfl_xor_sync(cuda::whole_warp, best.row, d)});
    }
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
    divisor() = default;
    __device__ explicit divisor(T p)
        : pivot(p), reciprocal(T(0)), multiplies(p != T(0) && has_reciprocal(p)) {
        if (multiplies) reciprocal = base::reciprocal(p);
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
