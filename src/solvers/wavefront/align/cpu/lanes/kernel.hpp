// kernel - pairs side by side, one a lane: what the kernel of cpu/lanes gets. All lanes are in the same cell
// at the same time. A cell holds its value less the lane's `base`.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

#include "base/aligned.hpp"

namespace wale::wavefront {

enum class lane_scores {
    equality,     // match and mismatch of codes
    own_rows,     // a table; every lane has rows of its own
    shared_rows,  // a table; all lanes have the same rows
    positions     // all lanes have the rows of a profile
};

/// Letters of a table are 0..letters - 1; the letter `letters` stands where a lane has no row or no column.
inline constexpr std::size_t table_letters = 32;
inline constexpr std::size_t strip_rows = 16;  // own_rows: rows of a lane that a strip has

template <class T>
struct lane_workspace {
    base::aligned_vector<T> h, e, top_h, top_f, profile;  // of a strip of rows; what enters it from above
    base::aligned_vector<T> last_row, real_row;           // masks of a strip's rows
    base::aligned_vector<std::int8_t> own_profile, scores;
};

template <class T>
struct score_group {
    lane_scores kind = lane_scores::equality;
    index_t rows = 0, columns = 0;        // of the longest lane
    const index_t* row_counts = nullptr;  // a lane, at least 1
    const index_t* column_counts = nullptr;
    T match{}, mismatch{};
    const T *row_codes = nullptr, *column_codes = nullptr;  // equality: [row][lane], [column][lane]
    const std::uint8_t* row_letters = nullptr;     // [lane][row], to a multiple of strip_rows; shared: [row]
    const std::uint8_t* column_letters = nullptr;  // [column][lane]
    /// own_rows: [letter of a column][letter of a row]; shared_rows: [letter of a row][letter of a column];
    /// positions: [row][letter of a column]. table_letters each.
    const std::int8_t* table = nullptr;
    std::size_t letters = 0;
    std::int64_t open = 0, extend = 0;
    bool local = false;
    bool top_is_free = false, left_is_free = false;        // the border above, the border at the left
    bool last_row_ends = false, last_column_ends = false;  // in any column, in any row
    const T* base = nullptr;                               // a lane, modulo 2^bits
    T zero{};                                              // local: the floor
    T* best = nullptr;                                     // out, a lane: the best cell that may end
};

template <class T>
struct score_kernel {
    std::size_t lanes = 1;
    void (*run)(const score_group<T>&, lane_workspace<T>&) = nullptr;
};

/// Of the vectors of this machine; `run` is null where it has none.
struct score_kernels {
    score_kernel<std::int8_t> narrow;
    score_kernel<std::int16_t> middle;
    score_kernel<std::int32_t> wide;
};
[[nodiscard]] score_kernels lane_kernels();

}  // namespace wale::wavefront
