// staged - small systems: a block brings some of them to shared memory, neighbours of memory by neighbouring
// threads, then a thread solves for one right-hand side, and the solutions go back the same way.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "cuda/complex.cuh"
#include "solvers/lu/cuda/solve_work.cuh"
#include "solvers/lu/cuda/staged_tuning.hpp"
#include "solvers/lu/cuda/substitute.cuh"

namespace wale::lu::batched {

/// Shared memory of a block. Odd distances between systems and between right-hand sides: few bank conflicts.
template <class T>
struct staged_memory {
    int rows, systems, sides;  // of the largest system; of a block; of a system that are solved at once
    [[nodiscard]] WALE_HD int area() const { return rows * rows | 1; }
    [[nodiscard]] WALE_HD int pitch() const { return rows | 1; }
    [[nodiscard]] WALE_HD int of_system() const {
        return static_cast<int>(sizeof(T)) * (area() + sides * pitch() + rows) +
               static_cast<int>(sizeof(std::int32_t)) * rows;
    }
    [[nodiscard]] WALE_HD int bytes() const { return systems * of_system(); }
};

/// e / extent for 0 <= e < 128 * extent, extent <= 64, without the instructions of a division.
class divisor {
public:
    __device__ explicit divisor(int extent)
        : extent_(static_cast<unsigned>(extent)), factor_((1u << 20) / extent_ + 1) {}
    struct parts {
        int slow, fast;
    };
    [[nodiscard]] __device__ parts operator()(int e) const {
        const unsigned slow = static_cast<unsigned>(e) * factor_ >> 20;
        return {static_cast<int>(slow), static_cast<int>(static_cast<unsigned>(e) - slow * extent_)};
    }

private:
    unsigned extent_, factor_;
};

/// A lower triangle in shared memory; with negative steps an upper one, from its last row and column on.
template <class T>
struct staged_triangle {
    const T* a;
    int row_step, column_step;
    const T* inverse;  // of the diagonal; 0: divide. Null: the diagonal is 1
    int inverse_step;
    int size;
};

template <class T>
__device__ __noinline__ T quotient(T x, T y) {
    return x / y;
}

/// x <- T^-1 x, some rows at a time, so that a thread has as many sums under way.
template <class T>
__device__ void substitute_staged(const staged_triangle<T>& t, T* x, int step) {
    constexpr int together = 4;
    for (int first = 0; first < t.size; first += together) {
        T sum[together];
        int row[together];  // a row beyond the last is the last, and its sum is not stored
#pragma unroll
        for (int i = 0; i < together; ++i) {
            const int r = min(first + i, t.size - 1);
            sum[i] = x[r * step];
            row[i] = r * t.row_step;
        }
        const T* column = t.a;
#pragma unroll 2
        for (int k = 0; k < first; ++k) {
            const T known = x[k * step];
#pragma unroll
            for (int i = 0; i < together; ++i) sum[i] = cuda::less_product(sum[i], column[row[i]], known);
            column += t.column_step;
        }
#pragma unroll
        for (int i = 0; i < together; ++i) {
            if (first + i >= t.size) break;
            if (t.inverse != nullptr) {
                const T inverse = t.inverse[(first + i) * t.inverse_step];
                sum[i] = inverse != T(0) ? sum[i] * inverse : quotient(sum[i], column[row[i]]);
            }
            x[(first + i) * step] = sum[i];
#pragma unroll
            for (int j = i + 1; j < together; ++j)
                sum[j] = cuda::less_product(sum[j], column[row[j]], sum[i]);
            column += t.column_step;
        }
    }
}

template <class T>
__device__ void exchange_staged(T* x, const std::int32_t* pivots, int n, bool backwards) {
    for (int step = 0; step < n; ++step) {
        const int k = backwards ? n - 1 - step : step, with = pivots[k];
        const T kept = x[k];
        x[k] = x[with];
        x[with] = kept;
    }
}

template <class T>
__device__ void conjugate_staged(T* x, int n) {
    if constexpr (is_complex_type<T>)
        for (int k = 0; k < n; ++k) x[k] = T(x[k].real(), -x[k].imag());
}

/// One right-hand side, by one thread. conjugated: conj(A) x = b is A conj(x) = conj(b).
template <class T>
__device__ void solve_side(const T* a, const T* inverse, const std::int32_t* pivots, T* x, int n, bool by_row,
                           bool transposed, bool conjugated) {
    if (conjugated) conjugate_staged(x, n);
    const int row_step = by_row != transposed ? n : 1, column_step = by_row != transposed ? 1 : n;
    if (pivots != nullptr && !transposed) exchange_staged(x, pivots, n, false);
    for (const bool upper : {false, true}) {
        const int last = upper ? n - 1 : 0, sign = upper ? -1 : 1;
        const bool unit = upper == transposed;
        substitute_staged(staged_triangle<T>{a + last * (row_step + column_step), sign * row_step,
                                             sign * column_step, unit ? nullptr : inverse + last, sign, n},
                          x + last, sign);
    }
    if (pivots != nullptr && transposed) exchange_staged(x, pivots, n, true);
    if (conjugated) conjugate_staged(x, n);
}

/// Inverse: the right-hand sides are the unit vectors, and the solutions take the place of the factors.
template <class T, bool Inverse>
class staged_systems {
public:
    __device__ staged_systems(const solve_work<T>& work, const staged_memory<T>& memory, unsigned char* base)
        : work_(work), memory_(memory), thread_(static_cast<int>(threadIdx.x)) {
        first_ = index_t{blockIdx.x} * memory.systems;
        count_ = static_cast<int>(min(index_t{memory.systems}, work.count - first_));
        side_ = work.first_side + index_t{blockIdx.y} * memory.sides;
        group_ = 32;
        while (group_ > 2 && group_ / 2 >= memory.rows * memory.rows) group_ /= 2;
        a_ = reinterpret_cast<T*>(base);
        x_ = a_ + memory.systems * memory.area();
        inverse_ = x_ + memory.systems * memory.sides * memory.pitch();
        pivots_ = reinterpret_cast<std::int32_t*>(inverse_ + memory.systems * memory.rows);
    }
    __device__ void run() const {
        bring();
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        if (count_ * memory_.rows > 0) invert_diagonals();
        __syncthreads();
        solve();
        __syncthreads();
        carry<false>();
    }

private:
    [[nodiscard]] __device__ index_t number(int i) const {
        return work_.order ? work_.order[first_ + i] : first_ + i;
    }
    [[nodiscard]] __device__ int sides_of(const device_matrix<T>& b) const {
        return static_cast<int>(max(index_t{0}, min(b.columns - side_, index_t{memory_.sides})));
    }
    /// Some lanes of a warp a system.
    template <class F>
    __device__ void each_system(const F& f) const {
        for (int i = thread_ / group_; i < count_; i += static_cast<int>(blockDim.x) / group_)
            f(i, number(i));
    }
    __device__ void bring() const {
        const int lane = thread_ % group_;
        each_system([&](int i, index_t matrix) {
            const device_matrix<const T> m = work_.factors[matrix];
            const int n = static_cast<int>(m.rows);
            const index_t line = m.row_step == 1 ? m.column_step : m.row_step;
            T* const to = a_ + i * memory_.area();
            const divisor by(n == 0 ? 1 : n);
            for (int e = lane; e < n * n; e += group_) {
                const auto at = by(e);
                __pipeline_memcpy_async(to + e, m.data + at.slow * line + at.fast, sizeof(T));
            }
            if (work_.pivots != nullptr)
                for (int k = lane; k < n; k += group_)
                    __pipeline_memcpy_async(pivots_ + i * memory_.rows + k, work_.pivots + m.pivot_start + k,
                                            sizeof(std::int32_t));
        });
        carry<true>();
    }
    /// The right-hand sides of the strip, to shared memory, or the solutions back.
    template <bool In>
    __device__ void carry() const {
        const int lane = thread_ % group_;
        each_system([&](int i, index_t matrix) {
            const device_matrix<T> b = work_.b[matrix];
            const int n = static_cast<int>(b.rows), sides = sides_of(b);
            if (n == 0 || sides == 0) return;
            const bool by_row = b.row_step != 1;
            T* const own = x_ + i * memory_.sides * memory_.pitch();
            const divisor by(by_row ? sides : n);
            for (int e = lane; e < n * sides; e += group_) {
                const auto at = by(e);
                const int row = by_row ? at.slow : at.fast, side = by_row ? at.fast : at.slow;
                T* const near = own + side * memory_.pitch() + row;
                T* const far = b.data + row * b.row_step + (side_ + side) * b.column_step;
                if constexpr (In && Inverse)
                    *near = row == side_ + side ? T(1) : T(0);
                else if constexpr (In)
                    __pipeline_memcpy_async(near, far, sizeof(T));
                else
                    *far = *near;
            }
        });
    }
    __device__ void invert_diagonals() const {
        const divisor by(memory_.rows);
        for (int e = thread_; e < count_ * memory_.rows; e += static_cast<int>(blockDim.x)) {
            const auto at = by(e);
            const int n = static_cast<int>(work_.factors[number(at.slow)].rows);
            if (at.fast >= n) continue;
            const T pivot = a_[at.slow * memory_.area() + at.fast * (n + 1)];
            inverse_[e] = may_multiply(pivot) ? T(1) / pivot : T(0);
        }
    }
    __device__ void solve() const {
        const int i = thread_ / memory_.sides, side = thread_ % memory_.sides;
        if (i >= count_) return;
        const index_t matrix = number(i);
        const device_matrix<const T> m = work_.factors[matrix];
        if (side >= sides_of(work_.b[matrix])) return;
        solve_side<T>(a_ + i * memory_.area(), inverse_ + i * memory_.rows,
                      work_.pivots ? pivots_ + i * memory_.rows : nullptr,
                      x_ + (i * memory_.sides + side) * memory_.pitch(), static_cast<int>(m.rows),
                      m.row_step != 1, work_.transposed, work_.conjugated);
    }

    const solve_work<T>& work_;
    const staged_memory<T>& memory_;
    int thread_, count_, group_;  // group: lanes that bring a system
    index_t first_, side_;
    T *a_, *x_, *inverse_;  // [systems][area], [systems][sides][pitch], [systems][rows]
    std::int32_t* pivots_;  // [systems][rows]
};

/// Blocks: x over the systems, y over the strips of right-hand sides. A thread of the first systems * sides
/// has a right-hand side.
template <class T, bool Inverse>
__global__ void __launch_bounds__(staged_threads)
    staged_kernel(const __grid_constant__ solve_work<T> work,
                  const __grid_constant__ staged_memory<T> memory) {
    extern __shared__ __align__(16) unsigned char base[];
    staged_systems<T, Inverse>(work, memory, base).run();
}

}  // namespace wale::lu::batched
