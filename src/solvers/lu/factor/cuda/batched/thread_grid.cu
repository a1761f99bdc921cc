// thread_grid - matrices of at most 128 rows and columns, no pivots: a block of 16 x 16 threads a matrix,
// each with every 16th row and column in registers.
#include <algorithm>

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

// A matrix over a grid of threads, and its elimination column by column: the pivot's column and row reach
// the other threads through shared memory, one barrier a column.
constexpr int warp_lanes = 32;
constexpr int grid_threads = grid_edge * grid_edge;

/// Part * Part elements of a thread.
template <class T, int Part>
struct grid_memory {
    T column[2][grid_edge * Part], row[2][grid_edge * Part];  // of a pivot, in turn
    T pivot[2], inverse[2];                                   // 0: divide
    T pivots[grid_edge * Part];
    int moved;
};

/// The same address, of which the compiler knows nothing: else it keeps the place of each element in a
/// register from the load to the store.
template <class T>
__device__ T* unknown(T* p) {
    asm volatile("" : "+l"(p));
    return p;
}

template <class T>
__device__ __noinline__ T divided(T below, T pivot) {
    return multiplier(below, pivot);
}

/// The constructor loads the matrix, factors and stores it.
///
/// Who does what: the threads of column k and of row k lay them into shared memory, all threads subtract the
/// product. What they wait for: column and row, at a barrier. Why it cannot deadlock: all threads of the
/// block pass the same barriers. Why this memory order: the barrier; memory is written again two columns
/// later, when the barrier between has been reached by all who read it.
template <class T, int Part>
class grid_matrix {
public:
    __device__ grid_matrix(const device_matrix<T>& m, bool by_row, grid_memory<T, Part>& shared,
                           const double* smallest, index_t number)
        : shared_(shared), diagonal_(static_cast<int>(m.diagonal())) {
        const int near = static_cast<int>(threadIdx.x) % grid_edge;
        const int far = static_cast<int>(threadIdx.x) / grid_edge;
        row_ = by_row ? far : near;
        column_ = by_row ? near : far;
        moves_ = smallest != nullptr;
        smallest_ = moves_ ? static_cast<T>(smallest[number]) : T(0);
        if (threadIdx.x == 0) shared.moved = 0;
        each(m, m.data, [&](T& here, T& there, bool inside) { here = inside ? there : T(0); });
        eliminate_all<0>();
        __syncthreads();  // what became of the pivots is there for all
        each(m, unknown(m.data), [&](T& here, T& there, bool inside) {
            if (inside) there = here;
        });
    }

private:
    template <class F>
    __device__ void each(const device_matrix<T>& m, T* data, const F& f) {
        data += row_ * m.row_step + column_ * m.column_step;
#pragma unroll
        for (int j = 0; j < Part; ++j)
#pragma unroll
            for (int r = 0; r < Part; ++r) {
                const int row = row_ + r * grid_edge, column = column_ + j * grid_edge;
                f(a_[r][j], data[r * grid_edge * m.row_step + j * grid_edge * m.column_step],
                  row < m.rows && column < m.columns);
            }
    }
    /// The columns of part C and those behind it.
    template <int C>
    __device__ void eliminate_all() {
#pragma unroll 1
        for (int k = 0; k < grid_edge; ++k) {
            if (C * grid_edge + k >= diagonal_) return;
            eliminate<C>(k);
        }
        if constexpr (C + 1 < Part) eliminate_all<C + 1>();
    }
    template <int C>
    __device__ void eliminate(int k) {
        const int turn = k % 2;
        if (column_ == k) {
            if (row_ == k) publish_pivot(a_[C][C], C * grid_edge + k, turn);
#pragma unroll
            for (int r = C; r < Part; ++r) shared_.column[turn][row_ + r * grid_edge] = a_[r][C];
        }
        if (row_ == k)
#pragma unroll
            for (int j = C; j < Part; ++j) shared_.row[turn][column_ + j * grid_edge] = a_[C][j];
        __syncthreads();
        const T inverse = shared_.inverse[turn];
        T below[Part];
#pragma unroll
        for (int r = C; r < Part; ++r) {
            const T element = shared_.column[turn][row_ + r * grid_edge];
            below[r] = inverse != T(0) ? element * inverse : divided(element, shared_.pivot[turn]);
        }
        const bool row_open = row_ > k, column_open = column_ > k;  // in part C; behind it all are
#pragma unroll
        for (int j = C; j < Part; ++j) {
            if (j == C && !column_open) continue;
            const T right = shared_.row[turn][column_ + j * grid_edge];
#pragma unroll
            for (int r = C; r < Part; ++r)
                if (r > C || row_open) a_[r][j] = fma(-below[r], right, a_[r][j]);
        }
        if (column_ == k)
#pragma unroll
            for (int r = C; r < Part; ++r)
                if (r > C || row_open) a_[r][C] = below[r];
    }
    __device__ void publish_pivot(T& pivot, int k, int turn) {
        if (moves_) {
            const T moved = perturbed_pivot(pivot, smallest_);
            shared_.moved += moved != pivot && moved == moved;
            pivot = moved;
        }
        shared_.pivot[turn] = shared_.pivots[k] = pivot;
        shared_.inverse[turn] = has_reciprocal(pivot) ? T(1) / pivot : T(0);
    }

    grid_memory<T, Part>& shared_;
    T a_[Part][Part];
    T smallest_;
    int row_, column_, diagonal_;
    bool moves_;
};

template <class T, int Part>
__global__ void __launch_bounds__(grid_threads, blocks_of_grid(sizeof(T), Part))
    factor_thread_grid(const __grid_constant__ factor_work<T> work, bool by_row) {
    __shared__ grid_memory<T, Part> shared;
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) {
        const index_t number = work.number(i);
        const device_matrix<T> m = work.all[number];
        const grid_matrix<T, Part> h(m, by_row, shared, work.smallest_pivot, number);
        if (threadIdx.x < warp_lanes) {
            constexpr int rows = (grid_edge * Part + warp_lanes - 1) / warp_lanes;
            findings<T, warp_lanes, rows> out{};
            out.lane = static_cast<int>(threadIdx.x);
            out.group = cuda::whole_warp;
            out.perturbed = shared.moved;
#pragma unroll
            for (int r = 0; r < rows; ++r) {
                const int k = out.lane + r * warp_lanes;
                out.pivot[r] = k < m.diagonal() ? shared.pivots[k] : T(1);
                out.from[r] = k;
                out.place[r] = k < m.rows ? k : -1;
            }
            report_findings(work, number, m, out);
        }
        __syncthreads();  // before the next matrix takes the memory
    }
}

template <int Part, class T>
void launch(const cuda::context& c, const factor_work<T>& work, int size, bool by_row) {
    if constexpr (Part < grid_largest / grid_edge)
        if (size > grid_edge * Part) return launch<Part + 2>(c, work, size, by_row);
    const auto blocks = static_cast<unsigned>(std::min<index_t>(work.count, INT_MAX));
    factor_thread_grid<T, Part><<<blocks, grid_threads, 0, c.stream()>>>(work, by_row);
    cuda::check_launch();
}

}  // namespace

template <class T>
void launch_thread_grid(const cuda::context& c, const factor_work<T>& work, int size, bool by_row) {
    if (work.count > 0) launch<2>(c, work, size, by_row);
}

template void launch_thread_grid(const cuda::context&, const factor_work<float>&, int, bool);
template void launch_thread_grid(const cuda::context&, const factor_work<double>&, int, bool);

}  // namespace wale::lu::batched
