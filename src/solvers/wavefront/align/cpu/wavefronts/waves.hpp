// waves - alignment by cost (Marco-Sola et al. 2021): how far each diagonal gets for a cost of 0, 1, 2 ...
// O(n s) for a cost of s, whatever the lengths.
//
// A score becomes a cost that equal symbols do not raise (Eizenga & Paten 2022), for every cell (i, j):
//     cost(i, j) = match * (i + j) - 2 * H(i, j), with prices
//     unequal 2 * (match - mismatch), open 2 * open + match, extend 2 * extend + match, all over their
//     divisor.
// Along a diagonal the costs of H and of E do not fall, so that "at most s" is one place a diagonal.
#pragma once

#include "solvers/wavefront/align/problem.hpp"
#include "solvers/wavefront/align/shared/scratch.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

struct wave_costs {
    explicit wave_costs(const alignment_options& o);
    /// Why these options have no such costs; empty if they have.
    [[nodiscard]] static std::string refusal(const alignment_options& o);

    /// Of unequal symbols: a pair that costs more than two gaps is never used.
    [[nodiscard]] static std::int64_t least_mismatch(const alignment_options& o);

    std::int64_t match = 0, unit = 1;  // of H, and the divisor
    index_t unequal = 0, open = 0, extend = 0;
    free_ends ends{};

    [[nodiscard]] index_t window() const { return std::max(unequal, open); }  // rows that a row depends on
    /// How many diagonals a cost leads away from one.
    [[nodiscard]] index_t reach(index_t cost) const { return cost < open ? 0 : (cost - open) / extend + 1; }
};

/// Rows of costs [first - window, first + count), the earlier ones from the block before.
struct wave_block {
    index_t first = 0, count = 0, low = 0, stride = 0;
    index_t done = 0;  // of `count`
    scratch memory;    // of 32-bit elements
};

class waves {
public:
    /// limit >= 0: global alignments of larger costs are not found. `keeps`: rows for a walk back. band > 0:
    /// only so many diagonals at both sides of the one that is farthest: costs are upper bounds.
    waves(const symbols& query, const symbols& target, const wave_costs& costs, bool keeps,
          index_t limit = -1, index_t band = 0);

    /// The next cost; false beyond the limit.
    bool advance();
    [[nodiscard]] index_t cost() const { return cost_; }
    /// The end of diagonal d in the table's last row or column if this cost is the first to get there, else
    /// -1.
    [[nodiscard]] index_t new_end(index_t diagonal);
    /// Symbols of both that a band has behind it.
    [[nodiscard]] index_t farthest() const { return farthest_; }
    [[nodiscard]] index_t first_diagonal() const { return range(cost_, cost_).first; }
    [[nodiscard]] index_t last_diagonal() const { return range(cost_, cost_).last; }

    /// Whether H (E) of the cell costs `cost` at most. Costs asked for descend, but by no more than a window.
    [[nodiscard]] bool has_h(index_t i, index_t j, index_t cost) { return reached(i, j, cost, 0); }
    [[nodiscard]] bool has_e(index_t i, index_t j, index_t cost) { return reached(i, j, cost, 1); }
    /// Rows that are computed again need only what leads to the end of a global alignment of this cost.
    void end_here() { limit_ = cost_; }
    [[nodiscard]] index_t bytes() const;  // of all rows kept

private:
    struct span_of_diagonals {
        index_t first, last;
    };
    [[nodiscard]] span_of_diagonals range(index_t cost, index_t most) const;
    [[nodiscard]] std::int32_t* row(wave_block& b, index_t cost, int part) const;
    [[nodiscard]] index_t rows_of_block(index_t first) const;
    void begin_block();
    void follow();
    void compute(wave_block& b, index_t cost) const;
    void begin_diagonals(wave_block& b, index_t cost) const;
    void make_room();
    static void move_rows(wave_block& b, index_t room, index_t rows);
    [[nodiscard]] static index_t size_of(const wave_block& b, index_t rows) { return rows * 3 * b.stride; }
    [[nodiscard]] static scratch memory_of(const wave_block& b, index_t rows) {
        return scratch(size_of(b, rows) * index_t{sizeof(std::int32_t)});
    }
    [[nodiscard]] bool reached(index_t i, index_t j, index_t cost, int part);

    const wave_costs costs_;
    const index_t query_size_, target_size_, band_;
    const bool keeps_;
    index_t limit_;
    index_t centre_ = 0, farthest_ = 0;         // of the band
    std::vector<std::uint8_t> query_, target_;  // with a margin
    std::vector<wave_block> blocks_;
    std::size_t oldest_whole_ = 0;  // blocks before have lost all but their first rows
    index_t whole_ = 0;             // bytes of the others
    index_t cost_ = -1;
};

/// A cost that some global alignment has, found near the diagonals that are farthest; -1: above the limit.
[[nodiscard]] index_t wave_bound(const symbols& query, const symbols& target, const wave_costs& costs,
                                 index_t limit);

}  // namespace wale::wavefront
