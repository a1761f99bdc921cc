// task - what the kernels of cuda/colours share: the arrays of a flow and of its linear system, the words
// that stay on the device from kernel to kernel, and sums over all blocks in a fixed order.
#pragma once

#include "cuda/stream.cuh"
#include "cuda/warp.cuh"
#include "solvers/euler/advance/cuda/colours/links.hpp"
#include "solvers/euler/advance/cuda/colours/tuning.hpp"
#include "solvers/euler/advance/shared/newton/face_blocks.hpp"
#include "solvers/euler/advance/shared/newton/newton_rule.hpp"

namespace wale::euler {

inline constexpr int block_entries = variables * variables;
inline constexpr int colours_block = colours_policies[0].policy.block;
inline constexpr int colours_most_blocks = colours_policies[0].policy.most_blocks;

/// Numbers of one linear system that only the device needs.
struct krylov_words {
    static constexpr int room = newton_rule::most_directions + 1;
    // What the host reads, in this order.
    double norm;  // of the residual that was found last
    int taken;    // directions so far
    int done;     // not 0: no direction is wanted any more

    int most;              // directions
    double fall, cfl;      // newton_rule
    double first;          // norm of the right-hand side
    double difference;     // the step of a difference of two residuals
    double inverse[room];  // 1 / length of each direction, which memory holds as it was found
    double column[room];   // of Hessenberg's matrix, the latest
    double cosine[room], sine[room], right[room];
    double triangle[room][room];  // columns, after Givens's rotations
    double part[room];  // of each direction as memory holds it: in the latest product, or in the answer
    unsigned arrived;   // blocks of the pass that is on its way
};

/// A cell in the order of the sweeps.
struct swept_cell {
    index_t row;  // its first
    std::int32_t cell;
    std::int32_t rows;
};

/// A face between two cells, or of a cell and a patch: by the cell of the lower number.
struct listed_face {
    std::int32_t row, turned;  // its row in the cell, and in the cell behind it; -1 at a patch
    std::int32_t cell;
};

struct colours_task {
    plain_grid<double> grid;
    constants<double> k;
    double units[variables];  // of changes of the state
    double total_volume;
    index_t faces, ghosts;
    const std::int32_t* cell_of_row;  // [rows]
    const swept_cell* sweep;          // [cells] colour after colour
    const listed_face* face;          // [faces]
    const index_t* first_link;  // [cells + 1], or null where gradients are limited by neighbours' values
    const gradient_links::link* link;
    const std::int32_t* row_of_ghost;    // [ghosts]
    const double* root;                  // [cells] square root of its part of all volume
    double *state, *moved;               // [cells][5]; as it is, and as a change would make it
    double *balance, *next_balance;      // [cells][5] the residuals of both
    gas_point<double>* points;           // [cells + ghosts] of the state whose residual is asked for
    gradient_of<double>* gradients;      // [cells] of the same, at second order
    double* shocks;                      // [cells] shock_part() of the same, or null where none is blended
    double* flux;                        // [rows][5] of the same, into the row's cell
    double* waves;                       // [cells] waves_for()
    float *beside, *diagonal, *inverse;  // [rows], [cells], [cells] blocks of the linear system
    double* basis;                       // [most_directions + 2][5 cells] directions; the last is their sum
    double* swept;                       // [cells][5]
    double* parts;                       // sums of each block of a pass
    krylov_words* words;

    [[nodiscard]] __device__ index_t entries() const { return variables * grid.cells; }
    [[nodiscard]] __device__ double* direction(int which) const { return basis + which * entries(); }
    /// The part of the time step in a cell's balance.
    [[nodiscard]] __device__ double of_time(index_t cell) const { return waves[cell] / words->cfl; }
    /// What a balance is divided by before norms are taken of it.
    [[nodiscard]] __device__ double unit(index_t cell, int v) const { return units[v] * root[cell]; }
};

/// Five threads a cell, one a variable; two of 32 have no cell.
inline constexpr int cells_of_warp = 32 / variables;
inline constexpr int cells_of_block = colours_block / 32 * cells_of_warp;
[[nodiscard]] inline index_t blocks_by_fives(index_t cells) {
    return (cells + cells_of_block - 1) / cells_of_block;
}
/// Where such a thread stands.
struct five_place {
    index_t at;  // of all cells of the launch; -1 without a cell
    int v;       // the variable, or the row of a block
    int first;   // lane of the cell's first thread
    __device__ five_place() {
        const int lane = static_cast<int>(threadIdx.x % 32);
        v = lane % variables;
        first = lane - v;
        at = (static_cast<index_t>(blockIdx.x) * colours_block + threadIdx.x) / 32 * cells_of_warp +
             lane / variables;
        if (lane >= cells_of_warp * variables) at = -1;
    }
    /// x of one of the cell's threads; all threads of the warp ask.
    [[nodiscard]] __device__ double of(double x, int which) const {
        return __shfl_sync(cuda::whole_warp, x, min(first + which, 31));
    }
};

/// For the templates that all backends share.
struct stored_points {
    const gas_point<double>* at;
    [[nodiscard]] __device__ const gas_point<double>& point(index_t cell, const constants<double>&) const {
        return at[cell];
    }
};

/// The sum over a warp, in a tree.
__device__ inline double sum_of_lanes(double x) {
    for (int lane = 16; lane > 0; lane /= 2) x += __shfl_xor_sync(cuda::whole_warp, x, lane);
    return x;
}

/// The sum over a block's threads, in a tree; all threads get it.
__device__ inline double sum_of_block(double x) {
    __shared__ double of_warp[colours_block / 32];
    x = sum_of_lanes(x);
    __syncthreads();  // a sum before may still be read
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    double sum = 0;
    for (const double part : of_warp) sum += part;
    return sum;
}

/// Whether this is the last block of the launch to come here; it sees what all others wrote before.
__device__ inline bool is_last_block(krylov_words* words) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(&words->arrived, 1u) == gridDim.x - 1;
        if (last) words->arrived = 0;
    }
    __syncthreads();
    if (last) __threadfence();
    return last;
}

/// The sum of what the blocks of a pass left: by all threads of one block, which all get it.
__device__ inline double sum_of_parts(const double* parts, index_t count) {
    double sum = 0;
    for (index_t p = threadIdx.x; p < count; p += blockDim.x) sum += parts[p];
    return sum_of_block(sum);
}

}  // namespace wale::euler
