// eliminate - a small matrix whole in the shared memory of a block: pivot, exchange, divide, subtract.
#pragma once

#include "solvers/lu/factor/cuda/panels/rules.cuh"

namespace wale::lu::panels {

/// What a step needs to know of its pivot.
template <class T>
struct chosen_pivot {
    divisor<T> under;
    int row;
};

extern __shared__ __align__(16) unsigned char panels_memory[];

/// Factors a matrix that lies by columns in panels_memory, one barrier a step. Who does what: a warp has
/// every so many-th column; in step k the warp of column k + 1 updates that column before its others and
/// chooses the pivot, so that the way to the next step does not lead through the rest of the matrix. Columns
/// are not divided by their pivot while other warps read them: each warp takes the multipliers it needs, and
/// step k + 1 divides column k, after the exchange of step k in it. A pivot is kept for three steps: that of
/// step k + 1 is written while others read those of k and k - 1.
template <class T>
class small_elimination {
    using R = real_of<T>;

public:
    __device__ small_elimination(int pitch, int rows, int columns, const rules& by,
                                 chosen_pivot<T> (&pivots)[3])
        : by_(by),
          pivots_(pivots),
          pitch_(pitch),
          rows_(rows),
          columns_(columns),
          steps_(min(rows, columns)),
          lane_(static_cast<int>(threadIdx.x) % 32),
          warp_(static_cast<int>(threadIdx.x) / 32),
          warps_(static_cast<int>(blockDim.x) / 32) {}

    /// Thread 0 has the tally. The block has whole warps.
    __device__ tally run() {
        tally found;
        if (warp_ == 0 && steps_ > 0) {
            candidate<R> best;
            for (int i = lane_; i < rows_; i += 32)
                best.meet(candidate<R>::of(pivot_size(column(0)[i]), i, 0));
            choose(best, 0);
        }
        for (int k = 0; k < steps_; ++k) {
            __syncthreads();
            const chosen_pivot<T> now = pivots_[k % 3];
            if (threadIdx.x == 0) {
                found.add(now.under.pivot, k, now.row != k);
                if (by_.to) by_.to[k] = now.row;
            }
            subtract(now, k);
            if (k > 0 && warp_ == (k - 1) % warps_) finish_column(pivots_[(k - 1) % 3], k - 1);
            if (k > 0) exchange_left(now.row, k);
        }
        __syncthreads();
        if (steps_ > 0 && warp_ == 0) finish_column(pivots_[(steps_ - 1) % 3], steps_ - 1);
        __syncthreads();
        return found;
    }

private:
    static constexpr int kept = 4;  // rows of a lane that are under way at once

    [[nodiscard]] __device__ T* column(int j) const {
        return reinterpret_cast<T*>(panels_memory) + j * pitch_;
    }
    /// By a warp, whose lanes have looked at the rows from k on.
    __device__ void choose(const candidate<R>& mine, int k) {
        const int row = by_.pivots ? best_of_lanes<32>(mine).row : k;
        __syncwarp();
        if (lane_ != 0) return;
        pivots_[k % 3] = {divisor<T>(ruled_pivot(column(k)[row], by_, true)), row};
    }
    __device__ void subtract(const chosen_pivot<T>& now, int k) {
        const int first = k + 1 + lane_, left = rows_ - k - 1;  // rows below the pivot
        T multipliers[kept];
        fetch(multipliers, now, k, first, left);
        int j = k + 1 + (warp_ + warps_ - (k + 1) % warps_) % warps_;
        if (j == k + 1 && j < columns_) {
            candidate<R> best;
            update<1>(now, multipliers, k, j, [&](T x, int i) {
                if (by_.pivots) best.meet(candidate<R>::of(pivot_size(x), i, k + 1));
            });
            if (k + 1 < steps_) choose(best, k + 1);
            j += warps_;
        }
        const auto nothing = [](T, int) {};
        for (; j + warps_ < columns_; j += 2 * warps_) update<2>(now, multipliers, k, j, nothing);
        if (j < columns_) update<1>(now, multipliers, k, j, nothing);
    }
    /// The multipliers of rows i, i + 32, ... Column k is as it was before the exchange.
    __device__ void fetch(T (&multipliers)[kept], const chosen_pivot<T>& now, int k, int i, int left) const {
        const T* const from = column(k);
#pragma unroll
        for (int m = 0; m < kept; ++m)
            if (32 * m < left && i + 32 * m < rows_)
                multipliers[m] = now.under.of(from[i + 32 * m == now.row ? k : i + 32 * m]);
    }
    /// Exchanges rows k and now.row in columns j, j + warps, and subtracts. By a warp.
    template <int Columns, class F>
    __device__ void update(const chosen_pivot<T>& now, const T (&multipliers)[kept], int k, int j,
                           const F& look) {
        T* of[Columns];
        T right[Columns], upper[Columns];
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            of[c] = column(j + c * warps_);
            right[c] = of[c][now.row];
            upper[c] = of[c][k];
        }
        __syncwarp();
        if (lane_ == 0)
#pragma unroll
            for (int c = 0; c < Columns; ++c) of[c][k] = right[c];
        const int left = rows_ - k - 1;
        part(now.row, multipliers, k + 1 + lane_, left, of, right, upper, look);
        for (int done = 32 * kept; done < left; done += 32 * kept) {
            T more[kept];
            fetch(more, now, k, k + 1 + lane_ + done, left - done);
            part(now.row, more, k + 1 + lane_ + done, left - done, of, right, upper, look);
        }
    }
    /// Rows i, i + 32, ... of the `left` rows from lane 0's on: all are loaded before the first is stored.
    template <int Columns, class F>
    __device__ void part(int exchanged, const T (&multipliers)[kept], int i, int left, T* (&of)[Columns],
                         const T (&right)[Columns], const T (&upper)[Columns], const F& look) const {
        T x[kept][Columns];
#pragma unroll
        for (int m = 0; m < kept; ++m) {
            if (32 * m >= left) break;
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                if (i + 32 * m < rows_) x[m][c] = i + 32 * m == exchanged ? upper[c] : of[c][i + 32 * m];
        }
#pragma unroll
        for (int m = 0; m < kept; ++m) {
            if (32 * m >= left) break;
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                if (i + 32 * m < rows_) {
                    const T y = cuda::less_product(x[m][c], multipliers[m], right[c]);
                    of[c][i + 32 * m] = y;
                    look(y, i + 32 * m);
                }
        }
    }
    /// The exchange of step k in column k, and the division. By a warp.
    __device__ void finish_column(const chosen_pivot<T>& with, int k) {
        T* const of = column(k);
        if (lane_ == 0) {
            if (with.row != k) of[with.row] = of[k];
            of[k] = with.under.pivot;
        }
        __syncwarp();
        for (int i = k + 1 + lane_; i < rows_; i += 32) of[i] = with.under.of(of[i]);
        __syncwarp();
    }
    /// The exchange of step k in the columns left of it. Column k - 1 is its warp's, which has divided it.
    __device__ void exchange_left(int row, int k) {
        if (row == k) return;
        const bool last = warp_ == (k - 1) % warps_ && lane_ == 0;
        const auto exchange = [&](T* of) {
            const T x = of[k];
            of[k] = of[row];
            of[row] = x;
        };
        if (last) exchange(column(k - 1));
        for (int j = static_cast<int>(threadIdx.x); j < k - 1; j += 32 * warps_) exchange(column(j));
    }

    rules by_;
    chosen_pivot<T> (&pivots_)[3];
    int pitch_, rows_, columns_, steps_, lane_, warp_, warps_;
};

template <class T>
__global__ void __launch_bounds__(small_threads)
    panels_small(const __grid_constant__ device_batch<T> all, const __grid_constant__ all_rules by) {
    __shared__ chosen_pivot<T> pivots[3];
    for (index_t i = blockIdx.x; i < all.count; i += gridDim.x) {
        const device_matrix<T> m = all[i];
        const int rows = static_cast<int>(m.rows), columns = static_cast<int>(m.columns);
        const strided<T> far = m.elements(), here{reinterpret_cast<T*>(panels_memory), 1, rows | 1};
        const bool by_rows = far.column_step == 1;
        const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
        const auto carry = [&](const strided<T>& from, const strided<T>& to) {
            for (int line = warp; line < (by_rows ? rows : columns);
                 line += static_cast<int>(blockDim.x) / 32)
                for (int e = lane; e < (by_rows ? columns : rows); e += 32) {
                    const int r = by_rows ? line : e, c = by_rows ? e : line;
                    to(r, c) = from(r, c);
                }
            __syncthreads();
        };
        carry(far, here);
        const tally found = small_elimination<T>(rows | 1, rows, columns, by.of(i, m), pivots).run();
        if (threadIdx.x == 0) found.note_as(by, i);
        carry(here, far);  // ends at a barrier: the next matrix takes the place
    }
}

}  // namespace wale::lu::panels
