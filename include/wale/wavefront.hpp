// wavefront - tables whose cells depend on their left, upper and diagonal neighbours, and the longest common
// subsequence and the edit distance of sequences. Background: src/solvers/wavefront/README.md.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/sequence.hpp>
#include <wale/view.hpp>

namespace wale {

/// What a cell of the table holds. a indexes rows, b columns; row and column "-1" are the border.
enum class recurrence {
    lcs,         // longest common subsequence of the prefixes; border 0
    edit,        // unit-cost edit distance (Levenshtein); border i+1, j+1
    global,      // global alignment score, linear gaps (Needleman-Wunsch); border gap*(i+1), gap*(j+1)
    dtw,         // dynamic time warping cost of two series of numbers; border infinity, corner 0
    summed_area  // sum of all pixels above and to the left; border 0
};

/// Scores of recurrence::global; all are added, the result is maximised.
struct scoring {
    int match = 1;
    int mismatch = -1;
    int gap = -1;  // per symbol
};

enum class dtw_cost { absolute, squared };

struct tile_shape {
    index_t rows = 0;     // 0: the tuning table's
    index_t columns = 0;  // 0: the tuning table's
};

struct wavefront_options {
    std::string variant = "automatic";  // "cuda/strips", or "strips" on the backend of `where`
    recurrence kind = recurrence::lcs;
    scoring score{};                     // recurrence::global
    dtw_cost cost = dtw_cost::absolute;  // recurrence::dtw
    tile_shape tile{};                   // for variants that work in tiles
};

struct wavefront_result {
    report run;
};

/// Writes the whole table of a recurrence over two sequences (lcs, edit, global).
/// table: a.size() x b.size(), cell (i, j) is the value of the prefixes a[0..i] and b[0..j]; the border is
/// not stored. int16 tables are refused unless every value provably fits. O(mn) time; no memory but the table
/// is written.
wavefront_result wavefront_fill(const execution& where, sequence_view a, sequence_view b,
                                matrix_view<std::int32_t> table, const wavefront_options& = {});
wavefront_result wavefront_fill(const execution& where, sequence_view a, sequence_view b,
                                matrix_view<std::int16_t> table, const wavefront_options& = {});

/// Dynamic time warping (Sakoe & Chiba 1978, no window): table(i, j) = cost(a_i, b_j) + min of three.
/// NaN and Inf in a series are refused with their position; a series in device memory is copied to the host
/// for this check. Float64 series are computed in float64. A cell is a sum along a path of at most p = i + j
/// + 1 costs of one rounding each (two if squared): its relative error is at most (p + 1) u to first order, u
/// the unit roundoff of the type (Higham 2002, section 4.2), and every variant gives the same bits.
wavefront_result wavefront_fill(const execution& where, std::span<const float> a, std::span<const float> b,
                                matrix_view<float> table,
                                const wavefront_options& = {.kind = recurrence::dtw});
wavefront_result wavefront_fill(const execution& where, std::span<const double> a, std::span<const double> b,
                                matrix_view<double> table,
                                const wavefront_options& = {.kind = recurrence::dtw});

/// Summed-area table (Crow 1984) of 8-bit pixels. The int32 form is refused where 255*m*n exceeds it.
wavefront_result wavefront_fill(const execution& where, matrix_view<const std::uint8_t> image,
                                matrix_view<std::int32_t> table,
                                const wavefront_options& = {.kind = recurrence::summed_area});
wavefront_result wavefront_fill(const execution& where, matrix_view<const std::uint8_t> image,
                                matrix_view<std::int64_t> table,
                                const wavefront_options& = {.kind = recurrence::summed_area});

struct tile_range {
    index_t row_begin, row_end, column_begin, column_end;
};

/// Calls `fill(tile)` for every tile of an m x n table such that the tiles above, to the left and diagonal
/// are done before; on several threads where `where` has them. Variants: reference/plain, cpu/hyperlane,
/// cpu/tiles, cpu/rows; not CUDA.
wavefront_result wavefront_schedule(const execution& where, extents<2> shape,
                                    const std::function<void(tile_range)>& fill,
                                    const wavefront_options& = {});

/// Writes the table of a recurrence of the caller. R has, for a value type T:
///   T corner(), T top(index_t j), T left(index_t i)            the border
///   T cell(T diagonal, T up, T left, index_t i, index_t j)     everything else
/// and is called from several threads at once. examples/own_recurrence.cpp.
template <class T, class R>
    requires requires(const R& r, T v, index_t i) {
        { r.corner() } -> std::convertible_to<T>;
        { r.top(i) } -> std::convertible_to<T>;
        { r.left(i) } -> std::convertible_to<T>;
        { r.cell(v, v, v, i, i) } -> std::convertible_to<T>;
    }
wavefront_result wavefront_fill(const execution& where, const R& r, matrix_view<T> table,
                                const wavefront_options& options = {}) {
    const auto at = [&](index_t i, index_t j) -> T {
        if (i >= 0 && j >= 0) return table(i, j);
        return i >= 0 ? r.left(i) : j >= 0 ? r.top(j) : r.corner();
    };
    const auto fill = [&](tile_range tile) {
        for (index_t i = tile.row_begin; i < tile.row_end; ++i) {
            T left = at(i, tile.column_begin - 1);
            T diagonal = at(i - 1, tile.column_begin - 1);
            for (index_t j = tile.column_begin; j < tile.column_end; ++j) {
                const T up = at(i - 1, j);
                table(i, j) = left = r.cell(diagonal, up, left, i, j);
                diagonal = up;
            }
        }
    };
    return wavefront_schedule(where, table.shape(), fill, options);
}

struct length_options {
    std::string variant = "automatic";
};

struct lcs_length_result {
    index_t length = 0;
    report run;
};

/// Length of the longest common subsequence, O(m + n) memory, O(mn / word) time (Hyyro 2004, bit-parallel).
[[nodiscard]] lcs_length_result lcs_length(const execution& where, sequence_view a, sequence_view b,
                                           const length_options& = {});

struct edit_options {
    std::string variant = "automatic";
    index_t bound = -1;  // >= 0: distances above the bound are reported as bound + 1 (Ukkonen's band)
};

struct edit_distance_result {
    index_t distance = 0;  // exact where within_bound, else bound + 1
    bool within_bound = true;
    report run;
};

/// Unit-cost edit distance (Levenshtein), O(m + n) memory, O(mn / word) time (Myers 1999, Hyyro 2003);
/// with a bound k or similar inputs O(k * max(m, n) / word) (Ukkonen 1985).
[[nodiscard]] edit_distance_result edit_distance(const execution& where, sequence_view a, sequence_view b,
                                                 const edit_options& = {});

struct lcs_string_result {
    std::vector<index_t> in_a;  // positions in a of the common symbols, ascending
    std::vector<index_t> in_b;  // the same symbols' positions in b
    report run;
};

/// A longest common subsequence itself, in memory linear in m + n on the CPU (Hirschberg 1975 over bit
/// vectors).
[[nodiscard]] lcs_string_result lcs_string(const execution& where, sequence_view a, sequence_view b,
                                           const length_options& = {});

struct batch_result {
    report run;
};

/// answers[k] of pair k: sequence k of a against sequence k of b. On CUDA everything is device memory.
batch_result lcs_length(const execution& where, const sequence_batch& a, const sequence_batch& b,
                        std::span<std::int32_t> answers, const length_options& = {});
batch_result edit_distance(const execution& where, const sequence_batch& a, const sequence_batch& b,
                           std::span<std::int32_t> answers, const edit_options& = {});

}  // namespace wale
