// tuning - the measured choices of the row cuda/lookahead with pivots.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu {

/// A cluster of blocks factors a panel, some columns at a time in registers. Panels that are joined bring
/// each other up to date as soon as they can; the product of what lies right of them all has their columns
/// together as inner dimension, so that it reads and writes the matrix less often.
struct lookahead_policy {
    int block;        // columns of a panel
    int wide_from;    // but while so many rows are left, panels have
    int wide_block;   // columns: the product matters more than the panel
    int first_shape;  // the first row of panel_shapes that is used
    int joined;       // so many panels are joined,
    int joined_from;  // while so many rows are left
};
// 0: products of depth 512, then 256, then 128. 1: joined to the end, for the tests.
inline constexpr tuning::row<lookahead_policy> lookahead_policies[] = {
    {90, 0, {128, 12000, 256, 0, 2, 5000}, "bench/results/h200/lu.csv:29"},
    {90, 0, {128, 12000, 256, 0, 2, 0}, "untuned"},
    {0, 0, {128, 7500, 256, 0, 1, 0}, "untuned"},
};

/// Registers hold width * rows elements a thread: as many as leave the compiler registers.
struct panel_shape {
    int width;    // columns in registers at a time
    int rows;     // of a thread
    int threads;  // of a block
};
inline constexpr int panel_cluster = 16;  // blocks at most; 8 are portable, 16 need a kernel's consent
inline constexpr panel_shape panel_shapes_f64[] = {panel_shape{32, 1, 128}, panel_shape{32, 1, 256},
                                                   panel_shape{32, 2, 256}, panel_shape{16, 4, 256},
                                                   panel_shape{8, 8, 256},  panel_shape{4, 16, 256}};
inline constexpr panel_shape panel_shapes_f32[] = {
    panel_shape{32, 1, 128}, panel_shape{32, 1, 256}, panel_shape{32, 2, 256}, panel_shape{32, 4, 256},
    panel_shape{16, 8, 256}, panel_shape{8, 16, 256}, panel_shape{4, 32, 256}};

inline constexpr int exchange_threads = 256;
inline constexpr int exchange_groups = 4;  // of 8 columns a block, where there are many columns,
inline constexpr int deep_groups = 2;      // and where more than so many rows of them are held:
inline constexpr int deep_exchange = 512;

inline constexpr int reorder_threads = 512;

}  // namespace wale::lu
