// groups - which pairs share the lanes of a vector, and how wide their cells are: as narrow as a bound on the
// scores proves safe. Local alignments begin narrow, and those whose best cell is the largest that cells can
// hold are computed again with wider ones.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "solvers/wavefront/align/cpu/lanes/kernel.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"

namespace wale::wavefront {

/// Pair k: sequence k of both sides; with shared rows sequence `shared` of `rows` and k of `columns`.
struct lane_pairs {
    batch_side rows, columns;
    const char *rows_name = "query", *columns_name = "target";
    index_t count = 0, shared = -1;
    std::span<const index_t> order{};  // of shared rows: all pairs by their columns
    std::int64_t* scores = nullptr;

    [[nodiscard]] index_t size_of_rows(index_t k) const {
        const index_t r = shared < 0 ? k : shared;
        return rows.offsets[r + 1] - rows.offsets[r];
    }
    [[nodiscard]] index_t size_of_columns(index_t k) const {
        return columns.offsets[k + 1] - columns.offsets[k];
    }
};

/// The prices of a call as lanes take them.
class lane_scoring {
public:
    /// Lanes with rows of their own. `swapped`: queries are the columns.
    lane_scoring(const alignment_options& o, bool swapped);
    /// All lanes have the rows of one query, or of a profile, unless null.
    lane_scoring(const alignment_options& o, const score_profile* profile);
    /// Numbers the bytes of both sides, where scores are by equality.
    void number_bytes(const lane_pairs& pairs);
    /// The same of sequences first to last - 1 of both.
    void number_bytes(const batch_side& rows, index_t first_row, index_t last_row, const batch_side& columns,
                      index_t first_column, index_t last_column);

    /// Why lanes of narrow cells cannot have these scores; empty: they can.
    [[nodiscard]] static std::string refusal(const alignment_options& o,
                                             const score_profile* profile = nullptr);
    /// Which of 8, 16 and 32 bits (0, 1, 2) to begin with; -1: none.
    [[nodiscard]] int width(index_t rows, index_t columns) const;
    /// Whether cells of 16 bits hold every value for sure: local ones, too.
    [[nodiscard]] bool fits_16_bits(index_t rows, index_t columns) const {
        return most(rows, columns) - least(rows, columns) < (1 << 16) - 2;
    }
    /// The largest score of a pair, or 0.
    [[nodiscard]] std::int64_t best_pair() const { return best_pair_; }
    /// What is subtracted from the values of a pair, so that the least of them is the least cell.
    template <class T>
    [[nodiscard]] std::int64_t base(index_t rows, index_t columns) const;
    /// The best of alignments with nothing: of an empty sequence, or what `found` must beat.
    [[nodiscard]] std::int64_t with_nothing(index_t rows, index_t columns) const;
    /// The code of byte `at` of a sequence; throws bad_argument where it is no letter.
    [[nodiscard]] std::uint8_t code(const char* name, std::span<const std::uint8_t> text,
                                    std::size_t at) const {
        const std::int16_t found = codes[text[at]];
        if (found < 0) letter_codes::refuse(name, text[at], at);
        return static_cast<std::uint8_t>(found);
    }

    lane_scores kind;
    bool local;
    bool top_is_free, left_is_free, last_row_ends, last_column_ends;
    std::int64_t match = 0, mismatch = 0, open, extend;
    std::array<std::int16_t, 256> codes{};  // of bytes; profile: of the columns alone
    std::size_t letters = 0;
    base::aligned_vector<std::int8_t> table;  // as score_group has it

private:
    lane_scoring(const alignment_options& o, lane_scores of_table, bool swapped);
    void take_table(const alignment_options& o, const std::string& of, std::span<const std::int32_t> scores,
                    bool queries_first);
    std::int64_t counted(const alignment_options& o, std::int64_t score);
    [[nodiscard]] std::int64_t border(bool is_free, index_t size) const {
        return is_free || size == 0 ? 0 : -(open + (size - 1) * extend);
    }
    [[nodiscard]] std::int64_t most(index_t rows, index_t columns) const;
    [[nodiscard]] std::int64_t least(index_t rows, index_t columns) const;
    template <class T>
    [[nodiscard]] bool fits(index_t rows, index_t columns) const;

    std::int64_t best_pair_ = 0, worst_pair_ = 0;  // worst: how much a pair may cost
};

/// Sets all scores on `threads` threads (0: all).
void score_in_lanes(const lane_scoring& scoring, const lane_pairs& pairs, int threads, report& run);

/// Lanes of the narrowest cells; 0 where the machine has no vectors.
[[nodiscard]] index_t most_lanes();

}  // namespace wale::wavefront
