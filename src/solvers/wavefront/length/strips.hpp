// strips - a whole pair of sequences as tiles of skewed strips: blocks of columns, each from the top strip
// down.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/aligned.hpp"
#include "schedule/ready_rows.hpp"
#include "solvers/wavefront/length/cpu_tuning.hpp"
#include "solvers/wavefront/length/strip_tile.hpp"

namespace wale::wavefront {

using code_span = std::span<const std::uint32_t>;

/// Whether a as rows and b as columns costs less than the other way round: strips are of full height.
[[nodiscard]] bool fits_upright(const strip_recurrence& recurrence, index_t a, index_t b);

class strip_table {
public:
    /// Rows and columns in codes that `planes` bits tell apart.
    strip_table(const strip_recurrence& recurrence, code_span rows, code_span columns, int planes,
                strip_policy policy);

    /// Threads for run(), 0 for all: fewer where the table is small. Several threads get narrower blocks.
    void share(int threads);

    /// Edit distance only: leave out the tiles that no path of at most `bound` edits touches (Ukkonen 1985).
    /// bottom() is then exact if it is at most `bound`, and never too small.
    void limit(index_t bound);

    void run();

    /// LCS: whether the last column's value in this row is one more than in the row above.
    [[nodiscard]] bool raises(index_t row) const;
    [[nodiscard]] index_t length() const;  // LCS: of rows that do
    /// Edit distance: the value of the last cell.
    [[nodiscard]] index_t bottom() const { return bottom_.back(); }

    [[nodiscard]] int workers() const { return workers_; }  // threads of run()
    [[nodiscard]] std::string policy_text() const;

private:
    struct strip {
        index_t first_row, rows;
        int vectors;
        std::size_t first_word, words;
    };
    struct strip_range {
        index_t begin, end;
    };
    struct block_buffers;

    void cut_strips();
    void build_row_planes(const strip& s);
    void start_state(const strip& s);
    [[nodiscard]] index_t block_columns(index_t block) const;
    [[nodiscard]] strip_range strips_of(index_t block) const;
    void expand(index_t block, block_buffers& buffers) const;
    [[nodiscard]] bool run_block(index_t block, block_buffers& buffers, const auto& ready);
    [[nodiscard]] index_t vertical(const strip& s) const;

    strip_recurrence recurrence_;
    code_span rows_, columns_;
    int planes_;
    strip_policy policy_;
    index_t blocks_;
    int workers_ = 1;
    index_t first_diagonal_, last_diagonal_;          // column - row, of the cells that are wanted
    base::aligned_vector<std::uint64_t> row_planes_;  // strip by strip, plane by plane
    base::aligned_vector<std::uint64_t> state_;       // strip by strip, at the last block that is done
    std::vector<strip> strips_;
    std::vector<index_t> bottom_;  // value under each strip at the end of its last block
};

}  // namespace wale::wavefront
