// kernel - what the kernels of cpu/striped get: one query in vectors against one target, column by column.
//
//   rows of a query of 8 with 4 lanes      vector 0: rows 0 2 4 6, vector 1: rows 1 3 5 7      (Farrar 2007)
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "solvers/wavefront/align/cpu/lanes/kernel.hpp"

namespace wale::wavefront {

/// Row r of the query is in lane r / depth of vector r % depth. Scores of the query's rows with a letter are
/// made when a target first has the letter.
template <class T>
struct striped_query {
    index_t rows = 0;
    std::size_t depth = 0, lanes = 0;          // vectors of a column; lanes of a vector
    bool by_equality = false;                  // else by a table
    std::int8_t match = 0, mismatch = 0;       // by equality
    const std::int8_t* table = nullptr;        // else: table_letters scores a letter of the target
    base::aligned_vector<std::uint8_t> codes;  // below `letters`; with a margin of a vector
    T* scores = nullptr;                       // memory for depth * lanes a letter
    std::vector<const T*> rows_of_letters;     // null: not made yet
    std::size_t made = 0;                      // letters
};

/// Prices and borders of a table, as cells: minus the base.
template <class T>
struct striped_prices {
    T open, extend;
    T top_first, top_step;    // H of row 0 in column 1, and what each further column adds
    T left_first, left_step;  // the same of column 0
    T corner;                 // H of (0, 0)
    std::int64_t best_pair;   // the largest score of a pair, or 0
};

/// One target.
template <class T>
struct striped_target {
    const std::uint8_t* codes;
    index_t columns;
    T* last_row = nullptr;            // out: H of the last row, a column each; not of local tables
    T* last_column = nullptr;         // out: H of the last column, a row each; not of local tables
    T* cells = nullptr;               // out: H of all columns, depth * lanes each
    std::uint8_t* is_gap = nullptr;   // out, beside cells, with 8 bytes more: bits of those whose H is E,
    bool swapped = false;             // or F, where the query is that of the target
    T best = 0;                       // out: of a local table; else H of the last row and column
    index_t* best_columns = nullptr;  // out: columns that have the best cell of a local table
    index_t best_count = 0;           // out
};

/// What a thread keeps between targets.
template <class T>
struct striped_columns {
    base::aligned_vector<T> h, e;
};

template <class T>
struct striped_kernel {
    std::size_t lanes = 0;
    void (*run)(striped_query<T>&, const striped_prices<T>&, bool local, striped_target<T>&,
                striped_columns<T>&) = nullptr;
};

struct striped_kernels {
    striped_kernel<std::int8_t> narrow;  // local tables alone
    striped_kernel<std::int16_t> middle;
};

/// Of the chosen instruction set; without vectors there are none.
[[nodiscard]] striped_kernels kernels_of_stripes();

}  // namespace wale::wavefront
