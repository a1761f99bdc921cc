// tuning - the measured choices of the row cuda/lookahead with pivots.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu {

/// A cluster of blocks factors a panel of `block` columns, `width` of them at a time in registers: a thread
/// holds `rows` rows. The product of what lies right of a panel has the inner dimension `block`.
struct lookahead_policy {
    int block;        // columns of a panel of a matrix of at most `wide_from` rows
    int wide_from;    // rows of the matrix from which panels have
    int wide_block;   // columns
    int first_shape;  // the first row of panel_shapes that is used
};
inline constexpr tuning::row<lookahead_policy> lookahead_policies[] = {
    {90, 8, {128, 6144, 256, 0}, "untuned"},     // 0
    {90, 4, {128, 6144, 256, 0}, "untuned"},     // 1
    {90, 0, {128, 6144, 256, 1}, "untuned"},     // 2: fewer blocks a cluster
    {90, 0, {128, 1 << 30, 128, 0}, "untuned"},  // 3
    {90, 0, {256, 1 << 30, 256, 0}, "untuned"},  // 4
    {90, 0, {64, 6144, 256, 0}, "untuned"},      // 5
    {0, 0, {128, 6144, 256, 0}, "untuned"},
};

/// Registers hold width * rows elements a thread: as many as leave the compiler room.
struct panel_shape {
    int width;  // columns in registers at a time
    int rows;   // of a thread
};
inline constexpr int panel_threads = 256;
inline constexpr int panel_cluster = 16;  // blocks at most; 8 are portable, 16 need a kernel's consent
inline constexpr panel_shape panel_shapes_f64[] = {{32, 1}, {32, 2}, {16, 4}, {8, 8}, {4, 16}};
inline constexpr panel_shape panel_shapes_f32[] = {{32, 1}, {32, 2}, {32, 4}, {16, 8}, {8, 16}, {4, 32}};

inline constexpr int exchange_threads = 256;
inline constexpr int exchange_groups = 4;  // of 8 columns a block, where there are many columns

inline constexpr int reorder_threads = 512;

}  // namespace wale::lu
