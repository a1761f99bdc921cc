// tuning - who factors a matrix of a batch, by its size. A thread: up to 4 rows and columns. Strips: a matrix
// in the registers of some lanes or warps, 8 columns at a time. Fragments: `lanes` lanes of a warp keep all
// of it in registers. Thread rows: the same by two warps. Thread grid: by 8 warps, no pivots. Panels: a block
// takes `width` columns at a time into registers, a thread the rows.
#pragma once

#include <cstddef>

#include "tuning/table.hpp"

namespace wale::lu {

inline constexpr int most_by_thread = 4;  // rows and columns of a matrix that one thread keeps

struct fragment_policy {
    int lanes;    // a matrix, a row each; the others of the warp take other matrices
    int threads;  // a block
    int blocks;   // of a multiprocessor, at least: bounds the registers
};
/// By growing size.
inline constexpr tuning::row<fragment_policy> fragment_policies[] = {
    {0, 8, {4, 128, 8}, "untuned"},
    {0, 8, {8, 128, 7}, "untuned"},
    {0, 8, {16, 128, 5}, "untuned"},
    {0, 8, {32, 128, 4}, "bench/results/h200/lu.csv:46"},
};

inline constexpr int thread_row_count = 64;  // threads of a block, rows of a matrix at most

struct thread_row_policy {
    int columns;  // at most: registers of a thread
    int blocks;   // of a multiprocessor, at least: bounds the registers
};
/// By growing size; behind the fragments.
inline constexpr tuning::row<thread_row_policy> thread_row_policies[] = {
    {0, 8, {48, 6}, "untuned"},
    {0, 8, {64, 5}, "untuned"},
};

inline constexpr int grid_edge = 16;      // threads of a block, across and down
inline constexpr int grid_largest = 128;  // rows and columns of a matrix at most

/// Blocks of a multiprocessor, at least, whose threads have part * part elements each: bounds the registers.
constexpr int blocks_of_grid(std::size_t element_size, int part) {
    if (part <= 2) return element_size == 8 ? 4 : 6;
    if (part <= 4) return element_size == 8 ? 2 : 3;
    return part <= 6 && element_size == 4 ? 2 : 1;
}

/// Matrices without pivots that a grid of threads takes: from `least` to `most` rows and columns; alone or
/// few, since many are faster where a warp has one.
struct thread_grid_policy {
    int least, most;
    int most_count;
};
inline constexpr tuning::row<thread_grid_policy> thread_grid_policies[] = {
    {0, 8, {65, 128, 1 << 30}, "untuned"},  // 0
    {0, 4, {17, 24, 100}, "untuned"},       // 1
    {0, 0, {1 << 20, 0, 0}, "untuned"},     // 2: none
    {0, 0, {1, 128, 1 << 30}, "untuned"},   // 3: wherever possible
};

inline constexpr int strip_columns = 8;

struct strip_policy {
    int lanes;          // a matrix, of each of its warps
    int rows_per_lane;  // lanes * rows_per_lane rows at most
    int warps;          // a matrix; if more than one, it has the block for itself
    int strips;         // of strip_columns columns, a warp, at most
    int threads;        // a block
    int blocks;         // of a multiprocessor, at least: bounds the registers
};
/// The first row that holds the matrix is taken; what no row holds is for fragments or panels.
inline constexpr tuning::row<strip_policy> strip_policies[] = {
    {0, 4, {8, 1, 1, 1, 128, 8}, "untuned"},   // 0
    {0, 4, {8, 2, 1, 2, 128, 6}, "untuned"},   // 1
    {0, 4, {8, 3, 1, 3, 64, 7}, "untuned"},    // 2
    {0, 4, {32, 1, 1, 4, 64, 12}, "untuned"},  // 3
    {0, 4, {32, 2, 1, 6, 32, 12}, "untuned"},  // 4
    {0, 4, {32, 2, 2, 4, 64, 8}, "untuned"},   // 5
    {0, 4, {32, 3, 3, 4, 96, 4}, "untuned"},   // 6
    {0, 4, {32, 4, 4, 4, 128, 3}, "untuned"},  // 7
};

struct panel_policy {
    int rows_per_thread;  // while a panel is factored, by as few warps as hold its rows
    int width;            // columns of a panel
    int threads;          // a block
    int blocks;           // of a multiprocessor, at least
    bool in_shared;       // the whole matrix; else it stays where it is and panels alone are in shared memory
};
inline constexpr tuning::row<panel_policy> panel_policies[] = {
    {0, 4, {1, 32, 256, 2, false}, "bench/results/h200/lu.csv:42"},
    {0, 4, {2, 32, 256, 2, false}, "bench/results/h200/lu.csv:44"},
    {0, 4, {2, 32, 512, 1, false}, "untuned"},
    {0, 8, {2, 16, 128, 2, true}, "bench/results/h200/lu.csv:47"},
    {0, 8, {2, 16, 256, 2, false}, "untuned"},
    {0, 8, {2, 16, 512, 1, false}, "untuned"},
};

/// Which panels for which matrices: the first row whose element size fits and that holds the matrix.
struct panel_choice {
    int largest_rows;
    int most_shared_bytes;  // in shared memory, all of the matrix must fit; 0: not asked
    int policy;             // number in panel_policies
};
inline constexpr tuning::row<panel_choice> panel_choices[] = {
    {0, 4, {256, 0, 0}, "untuned"},         {0, 4, {512, 0, 1}, "untuned"}, {0, 4, {1024, 0, 2}, "untuned"},
    {0, 8, {128, 112 << 10, 3}, "untuned"}, {0, 8, {512, 0, 4}, "untuned"}, {0, 8, {1024, 0, 5}, "untuned"},
};

/// To which extent `automatic` takes a matrix alone, without pivots and with them: the others are left to
/// rows that give the whole device to one matrix.
struct lone_policy {
    int largest, largest_pivoted;
};
inline constexpr tuning::row<lone_policy> lone_policies[] = {
    {0, 4, {48, 64}, "untuned"},
    {0, 8, {96, 40}, "untuned"},
    {0, 0, {16, 16}, "untuned"},
};

/// From how many matrices on `automatic` takes several. The first row that holds the matrix.
struct batch_policy {
    int largest;  // extent
    int least_count;
};
inline constexpr tuning::row<batch_policy> batch_policies[] = {
    {0, 0, {256, 2}, "untuned"},
    {0, 0, {512, 3}, "untuned"},
    {0, 0, {1024, 8}, "untuned"},
};

}  // namespace wale::lu
