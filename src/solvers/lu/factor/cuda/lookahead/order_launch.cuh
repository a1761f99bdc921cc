// order_launch - how the kernels that exchange, reorder and transpose are launched; cuda/lookahead and
// cuda/block_cyclic have them in common.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/lu/factor/cuda/lookahead/exchange.cuh"
#include "solvers/lu/factor/cuda/lookahead/panel_job.cuh"
#include "solvers/lu/factor/cuda/lookahead/reorder.cuh"

namespace wale::lu {

/// Of a lookahead_policy, or of what has one as `panels`: what the exchange and the places of panels are made
/// for.
template <class Policy, std::size_t N>
[[nodiscard]] consteval bool all_fit(const tuning::row<Policy> (&rows)[N]) {
    for (const auto& row : rows) {
        const lookahead_policy* p = nullptr;
        if constexpr (requires { row.policy.panels; })
            p = &row.policy.panels;
        else
            p = &row.policy;
        const int widest = std::max(p->block, p->wide_block);
        if (p->block % tile_rows != 0 || p->wide_block % tile_rows != 0 || widest > largest_block)
            return false;
        if (p->joined < 1 || p->joined * widest > largest_join) return false;
    }
    return true;
}

/// The panels of so many rows and pivots.
[[nodiscard]] inline panel_grid grid_of_panels(const lookahead_policy& p, index_t rows, int diagonal) {
    const index_t most = diagonal / p.wide_block;
    const index_t wanted = rows < p.wide_from ? 0 : (rows - p.wide_from) / p.wide_block + 1;
    panel_grid grid{p.wide_block, static_cast<int>(std::min(most, wanted)), p.block, 1, 0};
    if (p.joined < 2) return grid;
    int rows_enough = 0;
    const int count = grid.count(diagonal);
    while (rows_enough < count && rows - grid.first(rows_enough) >= p.joined_from) ++rows_enough;
    grid.joined = p.joined;
    grid.joined_count = rows_enough / grid.joined * grid.joined;
    return grid;
}

template <class T, int Groups>
void launch_exchange_as(const exchange_job<T>& job, cudaStream_t stream) {
    const auto kernel = exchange_kernel<T, Groups>;
    constexpr int rows = Groups > deep_groups ? deep_exchange : largest_join;
    constexpr int most = rows * exchange_stride(Groups) * static_cast<int>(sizeof(T));
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(job.above + exchange_depth(job.block)) *
                              static_cast<std::size_t>(exchange_stride(Groups));
    const index_t width = Groups * tile_columns;
    kernel<<<static_cast<unsigned>((job.count + width - 1) / width), exchange_threads, bytes, stream>>>(job);
    cuda::check_launch();
}
/// Few columns are on the critical path: more blocks.
template <class T>
void launch_exchange(const exchange_job<T>& job, cudaStream_t stream, bool few) {
    if (few)
        launch_exchange_as<T, 1>(job, stream);
    else if (job.above + exchange_depth(job.block) > deep_exchange)
        launch_exchange_as<T, deep_groups>(job, stream);
    else
        launch_exchange_as<T, exchange_groups>(job, stream);
}

inline void launch_compose(const compose_job& job, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((job.rows + reorder_threads - 1) / reorder_threads);
    compose_kernel<reorder_threads><<<blocks, reorder_threads, 0, stream>>>(job);
    cuda::check_launch();
}

template <class T>
inline constexpr index_t column_in_shared = 200 * 1024 / static_cast<index_t>(sizeof(T));

/// Elements of reorder_job::spare: columns of so many rows are too long for shared memory, or none.
template <class T>
[[nodiscard]] index_t reorder_spare(const cuda::context& c, index_t rows) {
    return rows > column_in_shared<T> ? rows * c.multiprocessors() : 0;
}
/// job.spare: of reorder_spare() elements.
template <class T>
void launch_reorder(const cuda::context& c, reorder_job<T> job) {
    const int columns = job.columns - job.begin;
    if (columns <= 0) return;
    if (job.rows <= column_in_shared<T>) job.spare = nullptr;
    const auto kernel = reorder_kernel<T>;
    const std::size_t bytes = job.spare ? 0 : static_cast<std::size_t>(job.rows) * sizeof(T);
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(column_in_shared<T>) * static_cast<int>(sizeof(T))));
    const int grid = job.spare ? std::min(columns, c.multiprocessors()) : columns;
    kernel<<<static_cast<unsigned>(grid), reorder_threads, bytes, c.stream()>>>(job);
    cuda::check_launch();
}

template <class T>
void launch_transpose(const cuda::context& c, const transpose_job<T>& job) {
    if (job.lines == 0 || job.length == 0) return;
    const auto blocks = static_cast<unsigned>(64 * c.multiprocessors());
    transpose_kernel<T><<<blocks, dim3(transpose_tile, transpose_rows), 0, c.stream()>>>(job);
    cuda::check_launch();
}

}  // namespace wale::lu
