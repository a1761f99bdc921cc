// group - a group of systems that the vector code (sweeps.cpp) takes at a time, and the layout of its scratch
// memory. Words are rows of [pitch] lanes.
#pragma once

#include "solvers/tree/elimination/lanes/lane_set.hpp"

namespace wale::tree {

struct chain_group : lane_set {
    lane_array diagonal, lower, upper, rhs, solution;
    void* to = nullptr;  // the solution's elements
    bool transposed = false;
    bool stream = false;  // the solution should bypass the caches
    factor_form form;
    bool woven = false;  // the four words of a row are consecutive: `weave` has all, [4 rows], step 1
    lane_array weave;
    int word_of[4] = {};      // diagonal, rhs, lower, upper: which word of a row
    index_t ahead = 0;        // rows to prefetch ahead where lanes lie side by side
    void* scratch = nullptr;  // scratch_bytes(), on a cache line
    bool* poor = nullptr;  // [pitch], out: lanes with a pivot that has no reciprocal, or an unstable border
};

/// Down the rows: reads the job. Up: writes the solution, which may be the right side's memory.
void lanes_down(scalar type, const chain_group& g);
void lanes_up(scalar type, const chain_group& g);

/// A record a row of the chain, so that what is written together and read together lies together; before
/// the first a record of zeros, which is the row before the first and after the last.
struct lane_layout {
    factor_form form;
    index_t rows, pitch, vector;

    [[nodiscard]] constexpr int y() const { return 0; }
    [[nodiscard]] constexpr int right() const { return 1; }
    [[nodiscard]] constexpr int beyond() const { return 2; }
    [[nodiscard]] constexpr int column() const { return form.pivoted ? 3 : 2; }
    [[nodiscard]] constexpr index_t record_words() const {
        return 2 + (form.pivoted ? 1 : 0) + (form.periodic ? 1 : 0);
    }
    /// The row that is being eliminated, and the last row of a ring: one of each lane.
    enum state {
        pivot,
        across,
        moving,
        across_column,  // of the carried row
        corner,
        closing,
        border,
        ahead,  // of the last row
        first_column,
        last_column,
        first_border,
        last_border,
        growth,  // of the last row with pivoting: most_border_growth has the reason
        largest_growth,
        states
    };
    [[nodiscard]] constexpr index_t record_at(index_t row) const {
        return (row + 1) * record_words() * pitch;
    }
    [[nodiscard]] constexpr index_t state_at(state s) const { return record_at(rows) + s * pitch; }
    [[nodiscard]] constexpr index_t tile_at(int number) const {
        return record_at(rows) + (states + number * vector) * pitch;
    }
    [[nodiscard]] constexpr index_t elements() const { return tile_at(4); }
};

}  // namespace wale::tree
