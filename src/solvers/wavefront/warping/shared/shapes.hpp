// shapes - which rows of the tuning tables a call on CUDA takes: estimates of cycles from the lengths of its
// series. Pure arithmetic.
#pragma once

#include <wale/layout.hpp>

#include "solvers/wavefront/warping/cuda/tuning.hpp"

namespace wale::wavefront::warping {

/// What is asked of a processor, on average and at most.
struct sweep_work {
    double pairs, rows, columns;     // of a pair: means
    double most_rows, most_columns;  // of the largest pair
    index_t window;                  // below 0: none
    int element_bytes, multiprocessors;
};

/// Cycles of a scheduler for a pair of many, in strips: what it issues, or, where more, what its warps wait
/// for rows of the strips above.
[[nodiscard]] double cycles_of_pair(const sweep_policy&, const sweep_work&);
/// Warps of a scheduler with which strips take least time: more than can go on at a time make those slower
/// that others wait for.
[[nodiscard]] int warps_beside(const sweep_policy&, const sweep_work&);
/// Cycles until all strips of all pairs are done.
[[nodiscard]] double cycles_of_strips(const sweep_policy&, const sweep_work&);

/// The row of `sweeps` that takes least time.
[[nodiscard]] int best_sweep(const sweep_work&);

struct pack_choice {
    int shape = 0, lanes = 32;
    double cycles = 0;  // of a warp for one pair
    bool along_diagonals = false;
};
/// The row of `table` and the lanes that take least time for pairs of so many rows; cycles 0: none holds
/// them.
[[nodiscard]] pack_choice best_pack(const tuning::row<sweep_policy>* table, int count, index_t rows,
                                    const sweep_work&);

/// The row of `bands` and the lanes that take least time for pairs of so many rows with columns from
/// `least_columns` to `most_columns` in a window; cycles 0: none holds their diagonals.
[[nodiscard]] pack_choice best_band(index_t rows, index_t least_columns, index_t most_columns,
                                    const sweep_work&);

}  // namespace wale::wavefront::warping
