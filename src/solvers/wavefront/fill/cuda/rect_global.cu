// rect_global - rectangular tiles straight in global memory.
#include "solvers/wavefront/fill/shared/rect.cuh"

namespace wale::wavefront {
namespace {

/// Thread k does rows k, k + threads, ... of the tile, one cell a level.
template <class R, class T>
__global__ void rect_global(R r, grid_of_tiles<T> g) {
    const auto tile = g.of(blockIdx.x);
    for (index_t level = 0; level < tile.rows + tile.columns - 1; ++level) {
        for (index_t k = threadIdx.x; k < tile.rows && k <= level; k += blockDim.x) {
            if (level - k >= tile.columns) continue;
            const index_t i = tile.i + k;
            const index_t j = tile.j + level - k;
            g.table[i * g.pitch + j] =
                r.cell(at(r, g, i - 1, j - 1), at(r, g, i - 1, j), at(r, g, i, j - 1), i, j);
        }
        __syncthreads();
    }
}

tile_shape global_tile(const fill_job& job, int sm) {
    const auto row =
        tuning::choose("wavefront/fill/rect_global", rect_global_policies, sm, size_of(job.type));
    return chosen_tile(job, rect_global_policies[row].policy);
}

void run(fill_job& job) {
    if (job.rows == 0 || job.columns == 0) return;
    const cuda::context on(job.where);
    const tile_shape tile = global_tile(job, on.sm());
    const wide_inputs inputs(on, job);
    cuda::timer time(on);
    inputs.copy(on, job);
    visit_wide(job, inputs, [&](const auto& r) {
        using T = typename std::decay_t<decltype(r)>::value_type;
        job.run->iterations = over_antidiagonals(grid_for<T>(job, tile), [&](unsigned tiles, const auto& g) {
            rect_global<<<tiles, threads_for(tile), 0, on.stream()>>>(r, g);
        });
    });
    job.run->policy = text_of(tile);
    job.run->bytes = 2 * job.run->work * size_of(job.type);  // each cell is read back once, at the least
    finish(job, on, time, nullptr);
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_rect_global{
    "cuda/rect_global", "rectangular tiles in global memory, a launch for each antidiagonal of tiles", run};

}  // namespace wale::wavefront
