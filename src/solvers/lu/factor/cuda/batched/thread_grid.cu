// thread_grid - matrices of at most 128 rows and columns, no pivots: a block of 16 x 16 threads a matrix,
// each with every 16th row and column in registers.
#include <algorithm>

#include "solvers/lu/factor/cuda/batched/thread_grid.cuh"

namespace wale::lu::batched {
namespace {

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
