// strips - tables of pairs, cut into strips of rows and panels of columns, and what warps hand on: a warp
// does a strip of a panel at a time, and a panel is the whole table where the rows between strips have room.
#pragma once

#include "solvers/wavefront/align/cuda/strips/order.hpp"
#include "solvers/wavefront/warping/cuda/tuning.hpp"
#include "solvers/wavefront/warping/shared/series.cuh"

namespace wale::wavefront::warping {

using strips::no_task;

/// A strip of a panel of pair number `pair`.
struct strip_task : strips::task {
    std::uint32_t pair;
};

/// Lines of one table that are kept for those who walk back: each `row_step`-th strip's lowest row, and each
/// `column_step`-th tile's last column. Columns are counted with those before the first point. Null: none.
template <class T>
struct kept_lines {
    T *rows = nullptr, *columns = nullptr;
    int row_step = 0, column_step = 0;
    index_t row_pitch = 0, column_pitch = 0;
};

template <class Cell>
struct strips_job {
    using T = typename Cell::number;
    Cell cell;
    const packed_pair<T>* pairs;
    const strip_task* tasks;
    std::uint32_t task_count;
    std::uint32_t *ticket, *failed, *done;  // done: one a task
    /// [ring][hand_pitch]: the lowest rows of tasks, all bits set where there is none yet.
    T* hand;
    index_t hand_pitch;
    int ring;
    int panel;  // tiles
    T* states;  // of each strip of each pair, between panels: (rows of a lane + 1) x lanes
    kept_lines<T> kept;
};

/// Blocks of the shape that the device holds at a time.
template <class Cell, bool One>
int resident_blocks(const cuda::context&, int shape);
template <class Cell, bool One>
void launch_strips(const cuda::context&, const strips_job<Cell>&, int shape, unsigned blocks);

}  // namespace wale::wavefront::warping
