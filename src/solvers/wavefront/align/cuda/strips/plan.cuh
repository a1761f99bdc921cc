// plan - one table, or a part of it, as strips of rows times panels of columns, and what warps hand on.
//
// A strip is 32 lanes of 2 * words rows. A word has two cells of 16 bits: the low half and the high half of
// lane g have `words` rows each, rows 2g * words and (2g + 1) * words on, and each half is one column behind
// the half above (binned/plan.cuh has the picture). A warp does a strip of a panel; a panel keeps the rows
// that are handed on short, so that their memory does not grow with the table's width.
//
// Cells are relative to a corner: H at the row above the strip and the column before the block. A cell of
// column j of a block that begins after column j0 is stored as
//
//     H(i, j) - corner + extend * (j - j0)
//
// so that extending a gap along a row costs nothing. When a half enters a block, what it holds is moved to
// the new corner; the corner has 64 bits. E of the next column is stored like a cell of that column.
#pragma once

#include "solvers/wavefront/align/cuda/binned/plan.cuh"
#include "solvers/wavefront/align/cuda/strips/order.hpp"

namespace wale::wavefront::strips {

using binned::warp_size;
using binned::word;

inline constexpr int code_margin = 64;  // codes before the first and after the last that a warp may read

/// Rows and columns from 1; column 0: no cell.
struct best_cell {
    std::int64_t score;
    std::int32_t column, row;
};

/// Words (H in the low half, F that enters below in the high half) of the columns of a panel, then two words
/// a block: its corner.
struct hand_shape {
    int panel, block;  // columns
    [[nodiscard]] __host__ __device__ index_t pitch() const {
        return index_t{panel} + index_t{2} * (panel / block);
    }
};

struct sweep_job {
    const void *query, *target;  // codes; `code_margin` more on both sides of the target
    int rows, columns;
    int strips, panels;
    hand_shape hand;
    binned::prices price;
    const word* table;     // few: a byte a letter of the query, for each letter of the target; else as binned
    int letters;           // of the table
    word match, mismatch;  // by equality: both halves, what is added for a column included
    const task* tasks;
    std::uint32_t task_count;
    std::uint32_t *ticket, *failed;
    std::uint32_t* done;       // one a task
    std::uint64_t* rows_out;   // [ring][pitch] tagged words: number of the task + 1
    const std::uint64_t* top;  // [panels][pitch], tag 0
    int ring;
    // What enters a panel at the left, of each strip: [h, e][words][lane]. Overwritten as the panels go on.
    word* state;
    std::int64_t* state_corner;
    best_cell* best;                       // local: of each strip
    unsigned long long* best_score;        // local: of all tasks that are done
    std::int64_t *last_row, *last_column;  // H; null: not wanted
    std::int64_t* last_cell;
};

/// Launches. `blocks` of `policy.warps` warps.
struct launch_shape {
    int row;  // of `shapes`
    unsigned blocks;
    cudaStream_t stream;
};
void launch_few(const sweep_job&, const launch_shape&);
void launch_table(const sweep_job&, const launch_shape&);
void launch_equal(const sweep_job&, const launch_shape&);
/// Blocks that the device holds at a time.
int resident_few(const cuda::context&, const sweep_job&, int row);
int resident_table(const cuda::context&, const sweep_job&, int row);
int resident_equal(const cuda::context&, const sweep_job&, int row);

/// What enters the table at its upper and left border.
void fill_border(const cuda::context&, const sweep_job&, std::uint64_t* top, int words);

}  // namespace wale::wavefront::strips
