// runs - the runs of all paths, from where kernels wrote them, one pair after the other.
#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "solvers/wavefront/align/cuda/binned/plan.cuh"

namespace wale::wavefront::binned {
namespace {

constexpr int warps_of_block = 8;

/// A warp a pair.
__global__ void __launch_bounds__(warps_of_block* warp_size)
    gather_kernel(pairs all, trace_work trace, const index_t* first_run, word* to) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const index_t warps = index_t{gridDim.x} * warps_of_block;
    for (index_t k = index_t{blockIdx.x} * warps_of_block + threadIdx.x / warp_size; k < all.count;
         k += warps) {
        const pair p = pair_at(all, k);
        const int count = static_cast<int>(trace.run_counts[k]);
        const word* const from =
            trace.runs + (p.query + p.rows + p.target + p.columns - trace.first_run - count);
        for (int r = lane; r < count; r += warp_size) to[first_run[k] + r] = from[r];
    }
}

}  // namespace

index_t scan_runs(const cuda::context& c, const word* run_counts, index_t count, index_t* first_run) {
    cuda::check(cudaMemsetAsync(first_run, 0, sizeof(index_t), c.stream()));
    const auto scan = [&](void* workspace, std::size_t& bytes) {
        cuda::check(cub::DeviceScan::InclusiveScanInit(workspace, bytes, run_counts, first_run + 1,
                                                       ::cuda::std::plus<>(), index_t{0}, count, c.stream()));
    };
    std::size_t bytes = 0;
    scan(nullptr, bytes);
    const cuda::scratch<char> workspace(c, static_cast<index_t>(bytes) + 1);
    scan(workspace.data(), bytes);
    index_t all = 0;
    cuda::read_back(c, &all, first_run + count, sizeof all);
    return all;
}

void gather_runs(const cuda::context& c, const pairs& all, const trace_work& trace, const index_t* first_run,
                 word* to) {
    const index_t wanted = (all.count + warps_of_block - 1) / warps_of_block;
    const auto blocks = static_cast<unsigned>(std::clamp<index_t>(wanted, 1, 16 * c.multiprocessors()));
    gather_kernel<<<blocks, warps_of_block * warp_size, 0, c.stream()>>>(all, trace, first_run, to);
    cuda::check_launch();
}

}  // namespace wale::wavefront::binned
