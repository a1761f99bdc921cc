// panel_job - what a panel is given and leaves.
#pragma once

#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"

namespace wale::lu {

inline constexpr int largest_block = 256;  // columns of a panel
inline constexpr int largest_join = 1024;  // and of panels that are joined
inline constexpr int inverse_size = 32;    // of the blocks on the diagonal that are inverted

/// Rows are counted from the panel's first.
template <class T>
struct panel_job {
    T* a;  // the panel's first element
    index_t leading;
    int rows, columns;
    std::int32_t first;    // row of the matrix
    std::int32_t* from;    // [columns] which row ends as row k
    std::int32_t* to;      // [columns] where row k ends
    std::int32_t* source;  // [rows] which row ends as row i, and
    std::int32_t* pivots;  // [columns] which row was exchanged with row k: both of the matrix
    T* inverse;            // [columns / 32, upwards][32][32] of L's blocks on the diagonal, by columns
    T* solved;             // [32][columns] scratch: rows of U right of a strip
    outcome* report;
};

/// Best first for few rows.
template <class T>
constexpr auto& panel_shapes() {
    if constexpr (sizeof(T) == 4)
        return panel_shapes_f32;
    else
        return panel_shapes_f64;
}
constexpr index_t rows_held(const panel_shape& s) {
    return index_t{s.rows} * s.threads * panel_cluster;
}

/// Queues the factorisation of a panel by the first shape from `first_shape` on that holds its rows.
template <class T>
void launch_panel(const panel_job<T>& job, int first_shape, cudaStream_t stream);

}  // namespace wale::lu
