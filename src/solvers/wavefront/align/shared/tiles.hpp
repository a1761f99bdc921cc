// tiles - a table of any size as tiles whose cells are narrow: relative to the tile's upper left corner,
// whose own score has 64 bits. What enters a tile is kept where a path is wanted: a tile can then be computed
// again.
//
//        corner  top      H of the row above, and F that enters below it
//        left    cells    H of the column before, and E that enters right of it
#pragma once

#include <functional>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "solvers/wavefront/align/problem.hpp"

namespace wale::wavefront {

/// The rows of a tile as a kernel reads them. Row `lane * depth + r` is in lane `lane` at depth r.
template <class T>
struct tile_rows {
    index_t depth = 0;  // rows a lane
    index_t lanes = 1;
    base::aligned_vector<T> codes;         // by equality: [depth][lane], -1 below the last row
    base::aligned_vector<T> profile;       // by a table: [letter][depth][lane]
    base::aligned_vector<T> h, e, scores;  // the kernel's state
};

template <class T>
struct tile {
    index_t rows = 0, columns = 0;
    std::int64_t open = 0, extend = 0;
    bool by_equality = true, local = false;
    T match{}, mismatch{};                         // clamped as clamped_score() says
    const T* backwards = nullptr;                  // by equality: the code of column j is backwards[-j]
    const std::uint32_t* columns_codes = nullptr;  // by a table
    T corner{}, zero{};  // zero: the floor of local alignment, relative to the corner
    const T *top = nullptr, *top_gap = nullptr, *left = nullptr, *left_gap = nullptr;
    T *bottom = nullptr, *bottom_gap = nullptr, *right = nullptr,
      *right_gap = nullptr;                    // out; null: not wanted
    T best{};                                  // out, local: the largest cell
    T *h_cells = nullptr, *e_cells = nullptr;  // out: [step][depth][lane], step = column + lane; null: none
};

template <class T>
struct tile_kernel {
    index_t lanes = 1;
    index_t most_depth = 1;
    void (*run)(tile_rows<T>&, tile<T>&) = nullptr;
    /// null, or fills the profile for scores of a byte; codes: one a cell, columns: 32 scores a letter.
    void (*fill_profile)(const std::uint8_t* codes, std::size_t cells, const std::int8_t* columns,
                         std::size_t letters, T* profile) = nullptr;
};

/// Symbols before the first and after the last that a kernel may read.
inline constexpr index_t code_margin = 128;

struct tile_shape_chosen {
    index_t rows = 0, columns = 0;
};

/// Sets the result of a problem with the kernels of a row. `narrow` is tried first where it is allowed.
struct tile_kernels {
    tile_kernel<std::int8_t> narrow;  // run = nullptr: none
    tile_kernel<std::int16_t> middle;
    tile_kernel<std::int32_t> wide;
};

/// The policy that ran: "cells=16 bits, tile=512x1024".
std::string align_in_tiles(const alignment_problem& p, const tile_kernels& kernels, alignment_task task,
                           alignment_result& out);

}  // namespace wale::wavefront
