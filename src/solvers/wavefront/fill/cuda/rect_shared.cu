// rect_shared - rectangular tiles with their halo in shared memory.
#include "solvers/wavefront/fill/shared/rect.cuh"

namespace wale::wavefront {
namespace {

extern __shared__ __align__(16) unsigned char shared_bytes[];

/// Row k, column c of the tile at (k + 1) * pitch + c + 1, row 0 and column 0 are the halo. An even pitch
/// puts the cells of an antidiagonal an odd number of words apart: 32 banks.
template <class R, class T>
__device__ void load_halo(const R& r, const grid_of_tiles<T>& g, T* cells, index_t pitch) {
    const auto tile = g.of(blockIdx.x);
    for (index_t c = threadIdx.x; c <= tile.columns; c += blockDim.x)
        cells[c] = at(r, g, tile.i - 1, tile.j + c - 1);
    for (index_t k = threadIdx.x; k < tile.rows; k += blockDim.x)
        cells[(k + 1) * pitch] = at(r, g, tile.i + k, tile.j - 1);
}

/// The recurrence with the tile's corner as (0, 0); sequences are copied to `symbols`: the tile's rows, then
/// columns.
template <class R, class T>
__device__ R aim_at_tile(R r, const grid_of_tiles<T>& g, symbol_of<R>* symbols) {
    const auto tile = g.of(blockIdx.x);
    if constexpr (over_sequences<R>) {
        for (index_t k = threadIdx.x; k < tile.rows; k += blockDim.x) symbols[k] = r.a[tile.i + k];
        for (index_t c = threadIdx.x; c < tile.columns; c += blockDim.x)
            symbols[g.tile_rows + c] = r.b[tile.j + c];
        return over(r, symbols, symbols + g.tile_rows);
    } else {
        return over(r, r.image + tile.i * r.pitch + tile.j, r.pitch);
    }
}

template <class R, class T>
__global__ void rect_shared(R from, grid_of_tiles<T> g, int pitch) {
    T* cells = reinterpret_cast<T*>(shared_bytes);
    const auto tile = g.of(blockIdx.x);
    const auto rows = static_cast<int>(tile.rows);
    const auto columns = static_cast<int>(tile.columns);
    load_halo(from, g, cells, pitch);
    const R r = aim_at_tile(from, g, reinterpret_cast<symbol_of<R>*>(cells + (g.tile_rows + 1) * pitch));
    __syncthreads();
    for (int level = 0; level < rows + columns - 1; ++level) {
        for (int k = static_cast<int>(threadIdx.x); k < rows && k <= level;
             k += static_cast<int>(blockDim.x)) {
            const int c = level - k;
            if (c >= columns) continue;
            T* cell = cells + (k + 1) * pitch + c + 1;
            *cell = r.cell(cell[-pitch - 1], cell[-pitch], cell[-1], k, c);
        }
        __syncthreads();
    }
    for (int k = static_cast<int>(threadIdx.x / 32); k < rows; k += static_cast<int>(blockDim.x / 32)) {
        T* row = g.table + (tile.i + k) * g.pitch + tile.j;
        for (int c = static_cast<int>(threadIdx.x % 32); c < columns; c += 32)
            row[c] = cells[(k + 1) * pitch + c + 1];
    }
}

index_t shared_pitch(index_t columns) {
    return (columns + 2) / 2 * 2;
}

/// Cells with their halo, and the symbols of the tile's rows and columns.
double shared_bytes_of(const tile_shape& t, int cell_bytes) {
    const auto rows = static_cast<double>(t.rows);
    const auto columns = static_cast<double>(t.columns);
    return (rows + 1) * static_cast<double>(shared_pitch(t.columns)) * cell_bytes +
           std::max(4, cell_bytes) * (rows + columns);
}

tile_shape shared_tile(const fill_job& job, int sm) {
    const auto row =
        tuning::choose("wavefront/fill/rect_shared", rect_shared_policies, sm, size_of(job.type));
    return chosen_tile(job, rect_shared_policies[row].policy);
}

std::string refusal(const fill_job& job) {
    const cuda::context on(job.where);
    const tile_shape tile = shared_tile(job, on.sm());
    const double bytes = shared_bytes_of(tile, size_of(job.type));
    const index_t limit = shared_limit(on);
    if (bytes <= static_cast<double>(limit)) return {};
    return text_of(tile) + " needs " + std::to_string(static_cast<index_t>(bytes)) +
           " bytes of shared memory, a block has " + std::to_string(limit);
}

void run(fill_job& job) {
    if (job.rows == 0 || job.columns == 0) return;
    const cuda::context on(job.where);
    const tile_shape tile = shared_tile(job, on.sm());
    const auto bytes = static_cast<std::size_t>(shared_bytes_of(tile, size_of(job.type)));
    const wide_inputs inputs(on, job);
    cuda::timer time(on);
    inputs.copy(on, job);
    visit_wide(job, inputs, [&](const auto& r) {
        using R = std::decay_t<decltype(r)>;
        using T = typename R::value_type;
        (void)resident_blocks(on, rect_shared<R, T>, static_cast<int>(threads_for(tile)), bytes);
        job.run->iterations = over_antidiagonals(grid_for<T>(job, tile), [&](unsigned tiles, const auto& g) {
            rect_shared<<<tiles, threads_for(tile), bytes, on.stream()>>>(
                r, g, static_cast<int>(shared_pitch(tile.columns)));
        });
    });
    job.run->policy = text_of(tile);
    finish(job, on, time, nullptr);
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_rect_shared{
    "cuda/rect_shared", "rectangular tiles in shared memory, a launch for each antidiagonal of tiles", run,
    refusal, is_small};

}  // namespace wale::wavefront
