// unpivoted_tuning - the choices of cuda/lookahead without pivots.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::unpivoted {

/// A diagonal block of `width` columns is factored with the inverses of its triangles while the product of
/// the step before runs; what is left at the end goes to cuda/tile_dag's kernel in one piece.
struct policy {
    int width;       // columns of a step, a multiple of 64
    int wide_from;   // diagonal left from which steps are wider
    int wide_width;  // columns
    int strips;      // that the triangular products are cut into, so as to skip most of the zeros
    int tail;        // diagonal left that one launch finishes
    int blocks;      // that factor a diagonal block; more take multiprocessors from the product
};
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {512, 12288, 1024, 4, 2560, 16}, "bench/results/h200/lu.csv:28"},
    {90, 0, {64, 192, 128, 2, 64, 8}, "untuned"},  // many steps of a small matrix, for the tests
    {0, 0, {512, 12288, 1024, 4, 2560, 16}, "untuned"},
};
static_assert(tuning::well_formed(policies));

inline constexpr int copy_rows = 256;         // of a panel that goes to its place, a block
inline constexpr int most_copy_blocks = 128;  // side by side

}  // namespace wale::lu::unpivoted
