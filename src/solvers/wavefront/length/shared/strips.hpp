// strips - a whole pair of sequences as tiles of skewed strips: blocks of columns, each from the top strip
// down.
#pragma once

#include <string>
#include <vector>

#include "base/aligned.hpp"
#include "schedule/ready_rows.hpp"
#include "solvers/wavefront/length/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/length/shared/strip_tile.hpp"

namespace wale::wavefront {

/// The kernels are compiled for 2, 3, 5 and any number of planes.
[[nodiscard]] constexpr int compiled_planes(int planes) {
    return planes <= 2 ? 2 : planes == 4 ? 5 : planes;
}

/// Edit distance: what the rows of a strip add from the value above them to the value below, by its state.
[[nodiscard]] index_t vertical(const std::uint64_t* state, std::size_t words, index_t rows, int rows_a_word);

class strip_table {
public:
    /// Rows and columns in codes that `planes` bits distinguish.
    strip_table(const strip_recurrence& recurrence, code_span rows, code_span columns, int planes,
                strip_policy policy);
    /// The rows are the side of the pair that costs less: strips are of full height.
    strip_table(const strip_recurrence& recurrence, const coded_pair& pair, strip_policy policy);

    /// Threads for run(), 0 for all: fewer where the table is small. Several threads get narrower blocks.
    void share(int threads);

    /// Edit distance only: leave out the tiles that no path of at most `bound` edits touches (Ukkonen 1985).
    /// bottom() is then exact if it is at most `bound`, and never too small.
    void limit(index_t bound);

    void run();
    /// The same with the threads that the job asks for; the job's report states threads and policy.
    template <class Job>
    void run(Job& job) {
        share(threads_asked(job.where));
        job.run->threads = workers_;
        job.run->policy = policy_text();
        run();
    }

    /// LCS: the last column's values, the border's 0 first.
    [[nodiscard]] std::vector<std::int32_t> lengths() const;
    [[nodiscard]] index_t length() const;  // LCS: the last of them
    /// Edit distance: the value of the last cell.
    [[nodiscard]] index_t bottom() const { return bottom_.back(); }

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

    strip_table(const strip_recurrence& recurrence, const coded_pair& pair, strip_policy policy,
                bool upright);
    [[nodiscard]] std::string policy_text() const;
    void cut_strips();
    void build_row_planes(const strip& s);
    void start_state(const strip& s);
    [[nodiscard]] index_t block_columns(index_t block) const;
    [[nodiscard]] strip_range strips_of(index_t block) const;
    void expand(index_t block, block_buffers& buffers) const;
    [[nodiscard]] bool run_block(index_t block, block_buffers& buffers, const auto& ready);

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

/// The edit distance, tile by tile. With a bound only by the tiles near the diagonal: exact if at most
/// `bound`, never too small.
[[nodiscard]] index_t distance_by_strips(edit_distance_job& job, const coded_pair& pair, index_t bound = -1);

}  // namespace wale::wavefront
