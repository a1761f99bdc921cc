// tuning - the measured choices of the row cuda/lookahead with pivots.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu {

/// A cluster of blocks factors a panel, some columns at a time in registers. The product of what lies right
/// of a panel has its columns as inner dimension.
struct lookahead_policy {
    int block;        // columns of a panel
    int wide_from;    // but while so many rows are left, panels have
    int wide_block;   // columns: the product matters more than the panel
    int first_shape;  // the first row of panel_shapes that is used
};
inline constexpr tuning::row<lookahead_policy> lookahead_policies[] = {
    {90, 8, {128, 7500, 256, 0}, "untuned"},     // 0
    {90, 4, {128, 7500, 256, 0}, "untuned"},     // 1
    {90, 0, {128, 7500, 256, 1}, "untuned"},     // 2: wider blocks of threads
    {90, 0, {128, 1 << 30, 128, 0}, "untuned"},  // 3
    {90, 0, {64, 3000, 128, 0}, "untuned"},      // 4
    {90, 0, {128, 5000, 256, 0}, "untuned"},     // 5
    {0, 0, {128, 7500, 256, 0}, "untuned"},
};

/// Registers hold width * rows elements a thread: as many as leave the compiler room.
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
inline constexpr int exchange_groups = 4;  // of 8 columns a block, where there are many columns

inline constexpr int reorder_threads = 512;

}  // namespace wale::lu
