// krylov - see krylov.cuh. Sums go over as many pieces as the number of cells says, each piece in a fixed
// order: neither the order of blocks nor the device changes a bit.
#include "solvers/euler/advance/cuda/colours/krylov.cuh"

#include <algorithm>

#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {
namespace {

constexpr int warps_of_block = colours_block / 32;

/// A block's part of all entries of a direction.
struct piece {
    index_t first, last;
    __device__ explicit piece(index_t entries) {
        const index_t size = (entries + gridDim.x - 1) / gridDim.x;
        first = min(size * blockIdx.x, entries);
        last = min(first + size, entries);
    }
};
[[nodiscard]] unsigned pieces_of(const colours_task& t) {
    return std::min(blocks_of(variables * t.grid.cells, 2 * colours_block),
                    static_cast<unsigned>(colours_most_blocks));
}

__global__ void set_rule(const __grid_constant__ colours_task t, int most, double fall, double cfl) {
    t.words->most = most;
    t.words->fall = fall;
    t.words->cfl = cfl;
}

/// Thread 0 of the last block: the first direction has this length.
__device__ void begin_words(krylov_words& w, double length) {
    w.first = length;
    w.taken = 0;
    w.right[0] = length;
    w.inverse[0] = length > 0 ? 1 / length : 1;
    w.done = length > 0 && w.most > 0 ? 0 : 1;
}

__global__ void __launch_bounds__(colours_block) first_direction(const __grid_constant__ colours_task t) {
    double square = 0;
    const piece mine(t.entries());
    for (index_t e = mine.first + threadIdx.x; e < mine.last; e += colours_block) {
        const index_t cell = e / variables;
        const double x = t.balance[e] / t.unit(cell, static_cast<int>(e - variables * cell));
        t.basis[e] = x;
        t.swept[e] = 0;
        square += x * x;
    }
    const double sum = sum_of_block(square);
    if (threadIdx.x == 0) t.parts[blockIdx.x] = sum;
    if (!is_last_block(t.words)) return;
    const double all = sum_of_parts(t.parts, gridDim.x);
    if (threadIdx.x == 0) begin_words(*t.words, sqrt(all));
}

/// The product of the latest with each direction before it; a warp a direction.
__global__ void __launch_bounds__(colours_block) find_products(const __grid_constant__ colours_task t) {
    krylov_words& w = *t.words;
    if (w.done != 0) return;
    const int taken = w.taken, lane = static_cast<int>(threadIdx.x % 32);
    const piece mine(t.entries());
    const double* const next = t.direction(taken + 1);
    for (int d = static_cast<int>(threadIdx.x / 32); d <= taken; d += warps_of_block) {
        const double* const before = t.direction(d);
        double sum = 0;
#pragma unroll 4
        for (index_t e = mine.first + lane; e < mine.last; e += 32) sum += next[e] * before[e];
        sum = sum_of_lanes(sum);
        if (lane == 0) t.parts[static_cast<index_t>(d) * gridDim.x + blockIdx.x] = sum;
    }
    if (!is_last_block(t.words)) return;
    for (int d = static_cast<int>(threadIdx.x / 32); d <= taken; d += warps_of_block) {
        const double* const parts = t.parts + static_cast<index_t>(d) * gridDim.x;
        double sum = 0;
#pragma unroll 4
        for (unsigned p = static_cast<unsigned>(lane); p < gridDim.x; p += 32) sum += parts[p];
        sum = sum_of_lanes(sum);
        if (lane > 0) continue;
        w.column[d] = sum * w.inverse[d];
        w.part[d] = w.column[d] * w.inverse[d];
    }
}

/// The last block: the column of Hessenberg's matrix through Givens's rotations; whether that is enough.
__device__ void take_column(krylov_words& w, double length) {
    __shared__ double h[krylov_words::room + 1], cosine[krylov_words::room], sine[krylov_words::room];
    const int j = w.taken;
    for (int l = static_cast<int>(threadIdx.x); l <= j; l += colours_block) {
        h[l] = w.column[l];
        cosine[l] = w.cosine[l];
        sine[l] = w.sine[l];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        h[j + 1] = length;
        for (int l = 0; l < j; ++l) {
            const double upper = cosine[l] * h[l] + sine[l] * h[l + 1];
            h[l + 1] = cosine[l] * h[l + 1] - sine[l] * h[l];
            h[l] = upper;
        }
        const double both = hypot(h[j], h[j + 1]);
        const double c = both > 0 ? h[j] / both : 1, s = both > 0 ? h[j + 1] / both : 0;
        h[j] = both;
        const double right = w.right[j], left = -s * right;
        w.cosine[j] = c;
        w.sine[j] = s;
        w.right[j] = c * right;
        w.right[j + 1] = left;
        w.inverse[j + 1] = length > 0 ? 1 / length : 1;
        w.taken = j + 1;
        w.done = j + 1 < w.most && fabs(left) > w.fall * w.first ? 0 : 1;
    }
    __syncthreads();
    for (int l = static_cast<int>(threadIdx.x); l <= j; l += colours_block) w.triangle[j][l] = h[l];
}

__global__ void __launch_bounds__(colours_block) next_direction(const __grid_constant__ colours_task t) {
    krylov_words& w = *t.words;
    if (w.done != 0) return;
    __shared__ double part[krylov_words::room];
    const int taken = w.taken;
    for (int l = static_cast<int>(threadIdx.x); l <= taken; l += colours_block) part[l] = w.part[l];
    __syncthreads();
    double square = 0;
    double* const next = t.direction(taken + 1);
    const piece mine(t.entries());
    for (index_t e = mine.first + threadIdx.x; e < mine.last; e += colours_block) {
        double x = next[e];
#pragma unroll 8
        for (int l = 0; l <= taken; ++l) x -= part[l] * t.basis[l * t.entries() + e];
        next[e] = x;
        t.swept[e] = 0;
        square += x * x;
    }
    const double sum = sum_of_block(square);
    if (threadIdx.x == 0) t.parts[blockIdx.x] = sum;
    if (!is_last_block(t.words)) return;
    const double all = sum_of_parts(t.parts, gridDim.x);
    take_column(w, sqrt(all));
}

/// One block: back through the triangle, a thread a direction.
__global__ void __launch_bounds__(colours_block) solve_triangle(const __grid_constant__ colours_task t) {
    __shared__ double right[krylov_words::room];
    krylov_words& w = *t.words;
    const int taken = w.taken;
    for (int l = static_cast<int>(threadIdx.x); l < taken; l += colours_block) right[l] = w.right[l];
    __syncthreads();
    for (int c = taken - 1; c >= 0; --c) {
        const double pivot = w.triangle[c][c], y = pivot != 0 ? right[c] / pivot : 0;
        for (int l = static_cast<int>(threadIdx.x); l < c; l += colours_block)
            right[l] -= w.triangle[c][l] * y;
        if (threadIdx.x == 0) w.part[c] = y * w.inverse[c];
        __syncthreads();
    }
}

__global__ void __launch_bounds__(colours_block) add_directions(const __grid_constant__ colours_task t) {
    __shared__ double part[krylov_words::room];
    const int taken = t.words->taken;
    for (int l = static_cast<int>(threadIdx.x); l < taken; l += colours_block) part[l] = t.words->part[l];
    __syncthreads();
    double* const all = t.direction(newton_rule::most_directions + 1);
    const piece mine(t.entries());
    for (index_t e = mine.first + threadIdx.x; e < mine.last; e += colours_block) {
        double x = 0;
#pragma unroll 8
        for (int l = 0; l < taken; ++l) x += part[l] * t.basis[l * t.entries() + e];
        all[e] = x;
        t.swept[e] = 0;
    }
}

}  // namespace

void queue_rule(const cuda::context& on, const colours_task& t, const newton_rule& rule) {
    set_rule<<<1, 1, 0, on.stream()>>>(t, rule.directions, rule.fall, rule.cfl);
    cuda::check_launch();
}
void queue_first_direction(const cuda::context& on, const colours_task& t) {
    first_direction<<<pieces_of(t), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}
void queue_next_direction(const cuda::context& on, const colours_task& t) {
    find_products<<<pieces_of(t), colours_block, 0, on.stream()>>>(t);
    next_direction<<<pieces_of(t), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}
void queue_sum_of_directions(const cuda::context& on, const colours_task& t) {
    solve_triangle<<<1, colours_block, 0, on.stream()>>>(t);
    add_directions<<<pieces_of(t), colours_block, 0, on.stream()>>>(t);
    cuda::check_launch();
}

}  // namespace wale::euler
