// sweeper - runs the kernels on a table or a part of it, and keeps lines of it on the device.
#pragma once

#include <memory>
#include <vector>

#include "cuda/queued_read.cuh"
#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/cuda/strips/plan.cuh"
#include "solvers/wavefront/align/shared/codes.hpp"

namespace wale::wavefront::strips {

/// Scores as the kernels add them. Two gaps of one symbol cost less than any score below clamped(), so that
/// no path uses a pair of such a score.
struct scores_of_call {
    std::int64_t open, extend, highest = 0, lowest = 0;

    explicit scores_of_call(const alignment_options& o);
    [[nodiscard]] std::int64_t clamped(std::int64_t score) const { return std::max(score, -(2 * open + 1)); }
    /// A column's part, which cells are stored with, included.
    [[nodiscard]] int stored(std::int64_t score) const { return static_cast<int>(clamped(score) + extend); }
    [[nodiscard]] bool are_bytes() const { return highest + extend <= 127 && lowest + extend >= -128; }
    /// Whether cells of a strip and a block fit 16 bits.
    [[nodiscard]] bool fit(const sweep_policy& policy) const;
};

/// Rows row + 1 to row + rows of the table, and columns likewise.
struct part {
    index_t row = 0, column = 0, rows = 0, columns = 0;
};

/// Lines of a part after each `step` rows and columns, a multiple of the strips' rows and of the panels.
class kept_part {
public:
    kept_part(const cuda::context& c, const part& of, index_t step, const sweep_policy& policy,
              index_t panel);

    [[nodiscard]] const kept_lines& lines() const { return lines_; }
    [[nodiscard]] bool has_row(index_t row) const { return row > of.row && row < of.row + of.rows; }
    [[nodiscard]] bool has_column(index_t column) const {
        return column > of.column && column < of.column + of.columns;
    }
    // What was kept below row `row` from column `column` on, and right of column `column` from row `row` on.
    [[nodiscard]] const word* row_words(index_t row, index_t column) const;
    [[nodiscard]] const std::int64_t* row_corners(index_t row, index_t column) const;
    [[nodiscard]] const word* state_words(index_t row, index_t column) const;
    [[nodiscard]] const std::int64_t* state_corners(index_t row, index_t column) const;

    const part of;
    const index_t step, panel;  // columns of a panel
    const int words, block;     // of the policy

private:
    [[nodiscard]] index_t strip_rows() const { return index_t{2} * warp_size * words; }
    [[nodiscard]] index_t strips() const { return (of.rows + strip_rows() - 1) / strip_rows(); }
    [[nodiscard]] index_t lines_of(index_t size) const { return (size - 1) / step; }
    cuda::scratch<word> rows_, states_;
    cuda::scratch<std::int64_t> row_corners_, state_corners_;
    kept_lines lines_;
};

/// Where a table's best alignments end.
struct swept {
    std::int64_t score = 0;
    std::vector<alignment_end> ends;
};

class sweeper {
public:
    /// Throws unsupported_variant for too many different symbols.
    sweeper(const cuda::context& c, const alignment_problem& p, const alignment_options& o);

    /// The whole table; `keep` may be null.
    [[nodiscard]] swept run(const kept_part* keep, index_t panel);
    /// A part that begins below a line that `above` kept and right of one that `left` kept; null: at the
    /// table's border.
    void run(const part& of, const kept_part* above, const kept_part* left, const kept_part& keep);

    [[nodiscard]] const sweep_policy& policy() const { return shapes[row_].policy; }
    [[nodiscard]] std::string described() const;
    [[nodiscard]] index_t bytes() const { return bytes_; }  // of the longest launch

private:
    struct memory;
    [[nodiscard]] bool few() const { return letters_ <= 4 && scores_.are_bytes(); }
    [[nodiscard]] bool by_table() const { return letters_ <= binned::most_letters && scores_.are_bytes(); }
    void number_letters();
    [[nodiscard]] std::vector<word> table() const;
    void choose_row();
    template <class Code>
    [[nodiscard]] std::vector<Code> codes(std::span<const std::uint32_t> from) const;
    [[nodiscard]] sweep_job job_of(const part& of, index_t panel) const;
    struct entering {
        const kept_part *above = nullptr, *left = nullptr;
    };
    void enter(const sweep_job& w, const part& of, const entering& from, std::uint64_t* top) const;
    void launch(sweep_job& w, const part& of, const entering& from, const kept_part* keep);
    [[nodiscard]] swept take_best(const cuda::scratch<best_cell>& best) const;

    const cuda::context& c_;
    const alignment_problem& p_;
    const scores_of_call scores_;
    std::vector<std::int32_t> number_;      // of a code; -1: does not occur
    std::vector<std::uint32_t> occurring_;  // codes by number
    int letters_ = 0, row_ = 0, blocks_ = 0;
    index_t bytes_ = 0, panel_ = 0;
    double seconds_ = 0;
    std::unique_ptr<cuda::uploaded<std::uint8_t>> bytes_of_[2];
    std::unique_ptr<cuda::uploaded<std::uint16_t>> wide_of_[2];
    std::unique_ptr<cuda::uploaded<word>> table_;
};

/// Walks back from the end of `found` through the parts between kept lines; fills in where the path begins,
/// and the path.
void trace(sweeper& s, const cuda::context& c, const alignment_problem& p, const kept_part& whole,
           const swept& found, bool with_path, alignment_result& out);

}  // namespace wale::wavefront::strips
