// packs - short series: a pair has 1 to 32 lanes, and so many pairs share a warp. One strip holds all rows.
#pragma once

#include "solvers/wavefront/warping/cuda/tuning.hpp"
#include "solvers/wavefront/warping/shared/series.cuh"

namespace wale::wavefront::warping {

/// Packed series as a kernel sees them; of place x the points are those of series which[x].
template <class T>
struct packed_view {
    const T* numbers;
    const index_t *begins, *which, *offsets;
    [[nodiscard]] __device__ int size(index_t place) const {
        return static_cast<int>(offsets[which[place] + 1] - offsets[which[place]]);
    }
};

/// Where costs go. swapped: rows are targets and columns are queries.
template <class T>
struct answer_table {
    T* answers;
    index_t pitch;
    bool swapped, symmetric;
    [[nodiscard]] __host__ __device__ T* of(index_t row, index_t column) const {
        return swapped ? answers + column * pitch + row : answers + row * pitch + column;
    }
    [[nodiscard]] __host__ __device__ T* mirror_of(index_t row, index_t column) const {
        return symmetric ? answers + column * pitch + row : nullptr;
    }
};

/// Each row series with each column series; where both are the same series, row series x is place
/// `first_place` + x of the columns, and is paired with the places up to its own.
template <class Cell>
struct packs_job {
    using T = typename Cell::number;
    Cell cell;
    packed_view<T> rows, columns;
    index_t row_count, column_count, first_place;
    index_t pairs;
    index_t window;
    int lanes;
    answer_table<T> to;
    unsigned long long* ticket;
};

template <class Cell, bool One>
void launch_packs(const cuda::context&, const packs_job<Cell>&, int shape);

}  // namespace wale::wavefront::warping
