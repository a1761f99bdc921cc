// tuning - cpu/small of all operations: panels, tiles and limits in one core's cache.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::lu {

/// What the vector code is compiled for, by element size. `many`: targets with 32 vector registers; `few`:
/// with 16.
struct small_tile_policy {
    int panel_many, panel_few;  // columns of a panel, rows of a block of U: held in registers
    int rows_many, rows_few;    // of a tile of the product below the diagonal
    int direct;                 // matrices with at most so many columns are one panel
    int step;                   // columns of a panel that are updated one by one
};
inline constexpr tuning::row<small_tile_policy> small_tile_policies[] = {
    {0, 4, {16, 8, 16, 8, 32, 4}, "untuned"},
    {0, 0, {8, 8, 16, 6, 32, 4}, "untuned"},
};
static_assert(tuning::well_formed(small_tile_policies));

/// What decides where `automatic` takes these rows.
struct small_limits_policy {
    index_t largest;          // rows or columns of a matrix
    index_t tall, narrow;     // or rows of a matrix of so few columns, which is one panel
    index_t lanes_largest;    // of matrices that share vectors, one a lane
    index_t lanes_batch;      // matrices of a batch, at least, for that
    double thread_work;       // operations that are worth a thread
    index_t at_once;          // matrices that are factored before they are looked at again
    index_t complex_largest;  // rows or columns of a complex matrix
    index_t complex_lanes;    // of complex matrices that share vectors
};
inline constexpr tuning::row<small_limits_policy> small_limits_policies[] = {
    {0, 4, {320, 16384, 32, 28, 8, 4e5, 32, 160, 24}, "untuned"},
    {0, 0, {320, 16384, 32, 20, 8, 4e5, 32, 160, 24}, "untuned"},
};
static_assert(tuning::well_formed(small_limits_policies));

/// Right-hand sides that are solved for at once along the lines of the factors, and rows whose scalar
/// products are taken at once: 4 x 4 sums fill 16 registers. "untuned"
inline constexpr int small_solve_rows = 4;

struct small_solve_policy {
    index_t few;  // right-hand sides that are solved for one by one, along the columns of the factors
    index_t lanes_largest;    // rows of systems that share vectors, one a lane
    index_t lanes_columns;    // right-hand sides of such systems, or more while
    index_t lanes_elements;   // factors and sides of a lane have at most these elements
    index_t lanes_inverse;    // rows of matrices that are inverted so
    index_t columns_many;     // right-hand sides beyond which products pay more, unless
    index_t elements_many;    // b has no more elements than these,
    index_t rows_many;        // and this many rows or more,
    bool rows_side_by_side;   // and columns of adjacent elements, unless this
    index_t largest_inverse;  // rows of a matrix that is inverted: its triangles alone are a smaller job
    index_t inverse_batch, largest_inverses;  // and of so many, which threads share
    index_t rows_few, columns_few;   // larger matrices whose right-hand sides are this few: no product pays
    index_t rows_largest;            // and those of at most `few`
    index_t cache_bytes, few_large;  // factors beyond so many bytes: instead of `few`
};
inline constexpr tuning::row<small_solve_policy> small_solve_policies[] = {
    {0,
     4,
     {4, 24, 24, 304, 16, 128, 32768, 8, false, 400, 4, 560, 2048, 16, 1 << 14, 1 << 19, 16},
     "untuned"},
    {0,
     0,
     {4, 16, 16, 304, 12, 128, 131072, 4, true, 400, 4, 560, 2048, 16, 1 << 14, 1 << 19, 16},
     "untuned"},
};
static_assert(tuning::well_formed(small_solve_policies));

}  // namespace wale::lu
