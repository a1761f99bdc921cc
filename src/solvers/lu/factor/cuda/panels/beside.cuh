// beside - what a panel means for the columns beside it: its exchanges of rows in all of them, and in some of
// those right of it the rows of U. A thread a column.
#pragma once

#include "solvers/lu/factor/cuda/panels/rules.cuh"
#include "solvers/lu/factor/cuda/panels/tuning.hpp"

namespace wale::lu::panels {

template <class T>
struct beside_call {
    device_batch<T> all;
    const std::int32_t* pivots;  // null: no exchanges
    int first, width;            // of the panel
    index_t begin, end;          // columns; those of the panel are left out
    index_t solved;              // columns from the panel up to this one get their rows of U
    const T* triangles;          // of panels_plain, to be stored in the matrices; null: they are there
};

/// Where the rows come from that the exchanges of a panel bring to its rows and to others, all counted from
/// the panel's first.
struct moves {
    int to[2 * most_width], from[2 * most_width], count;
};

/// Exchange k moves rows k and pivots[k] >= k alone, so that the last exchange is followed first. By a warp.
__device__ inline void follow(moves& all, const std::int32_t* pivots, int first, int width) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int own = lane < width ? pivots[lane] - first : lane;
    const auto came_from = [&](int at) {
        for (int k = width - 1; k >= 0; --k) {
            const int p = __shfl_sync(cuda::whole_warp, own, k);
            if (p == at)
                at = k;
            else if (k == at)
                at = p;
        }
        return at;
    };
    all.to[lane] = lane;
    all.from[lane] = came_from(lane);
    bool goes = lane < width && own >= width;  // a row below the panel: once, by its last exchange
    for (int k = 0; k < width; ++k) {
        const int p = __shfl_sync(cuda::whole_warp, own, k);
        if (k > lane && p == own) goes = false;
    }
    const int from = came_from(own);
    const unsigned going = __ballot_sync(cuda::whole_warp, goes);
    const int place = width + __popc(going & ((1u << lane) - 1));
    __syncwarp();
    if (goes) {
        all.to[place] = own;
        all.from[place] = from;
    }
    if (lane == 0) all.count = width + __popc(going);
}

template <class T>
__global__ void __launch_bounds__(beside_threads) panels_beside(const __grid_constant__ beside_call<T> call) {
    __shared__ T l[most_width][most_width + 1];
    __shared__ moves all;
    const int thread = static_cast<int>(threadIdx.x), w = call.width;
    for (index_t i = blockIdx.y; i < call.all.count; i += gridDim.y) {
        const device_matrix<T> m = call.all[i];
        const strided<T> a = m.elements();
        const T* const triangle = call.triangles ? call.triangles + i * most_width * most_width : nullptr;
        __syncthreads();
        if (call.pivots && thread < 32) follow(all, call.pivots + m.pivot_start + call.first, call.first, w);
        for (int e = thread; e < most_width * most_width; e += beside_threads) {
            const int r = e % most_width, c = e / most_width;
            const bool there = r < w && c < w;
            l[r][c] = !there ? T(0) : triangle ? triangle[e] : a(call.first + r, call.first + c);
            if (triangle && there && blockIdx.x == 0) a(call.first + r, call.first + c) = l[r][c];
        }
        __syncthreads();
        for (index_t j = call.begin + blockIdx.x * index_t{beside_threads} + thread; j < call.end;
             j += gridDim.x * index_t{beside_threads}) {
            if (j >= call.first && j < call.first + w) continue;
            const strided<T> column = a.from(call.first, j);
            T x[most_width];
#pragma unroll
            for (int r = 0; r < most_width; ++r)
                x[r] = r < w ? column(call.pivots ? all.from[r] : r, 0) : T(0);
            if (call.pivots)
                for (int k = w; k < all.count; ++k) column(all.to[k], 0) = column(all.from[k], 0);
            const bool solves = j >= call.first && j < call.solved;
#pragma unroll
            for (int r = 0; r < most_width; ++r) {
                if (r >= w) break;
                if (solves)
#pragma unroll
                    for (int c = 0; c < r; ++c) x[r] = cuda::less_product(x[r], l[r][c], x[c]);
                column(r, 0) = x[r];
            }
        }
    }
}

}  // namespace wale::lu::panels
