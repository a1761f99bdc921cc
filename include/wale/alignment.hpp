// alignment - scores, places and paths of the best alignment of two sequences: global, semi-global with any
// free ends, local; linear or affine gaps; match and mismatch or a substitution matrix.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/sequence.hpp>

namespace wale {

enum class alignment_mode {
    global,       // both sequences whole (Needleman-Wunsch; edlib's NW)
    semi_global,  // gaps at the ends that `ends` names cost nothing
    local         // the best pair of substrings (Smith-Waterman)
};

/// Where an end gap is free: query_begin says that leading symbols of the query may stay unaligned.
struct free_ends {
    bool query_begin = false, query_end = false, target_begin = false, target_end = false;
};
inline constexpr free_ends infix_ends{.target_begin = true, .target_end = true};  // edlib's HW
inline constexpr free_ends prefix_ends{.target_end = true};                       // edlib's SHW

/// What is wanted; each includes those before it.
enum class alignment_task {
    score,
    ends,    // where the best alignment ends, in memory O(m n / 500)
    starts,  // and where it starts
    path     // and the alignment itself
};

/// The score of each pair of symbols. By equality for symbols of any width, or a table for letters.
class substitution_matrix {
public:
    /// Match 0, mismatch -1: with open = extend = 1 the score is minus the edit distance.
    substitution_matrix() = default;
    /// Scores within +-1000000.
    substitution_matrix(int match, int mismatch);
    /// scores: letters.size() rows of as many columns, row: letter of the query, within +-1000000. Letters
    /// are distinct bytes. Where all are upper case, lower case counts as upper case; a byte that is no
    /// letter counts as '*' where the matrix has one, and is refused otherwise.
    substitution_matrix(std::string letters, std::vector<std::int32_t> scores);

    /// NCBI's "blosum30" to 100, "pam10" to 500, "nuc44" (IUPAC, U as T): names(); case does not matter.
    [[nodiscard]] static substitution_matrix named(std::string_view name);
    [[nodiscard]] static std::vector<std::string> names();
    /// A matrix file of NCBI: comments after '#', a row of letters, then a letter and its scores a line.
    /// Throws cannot_open, and bad_input with file:line.
    [[nodiscard]] static substitution_matrix read(const std::string& path);
    [[nodiscard]] static substitution_matrix parse(std::string_view text, const std::string& name);

    [[nodiscard]] bool by_equality() const noexcept { return letters_.empty(); }
    [[nodiscard]] const std::string& letters() const noexcept { return letters_; }
    [[nodiscard]] const std::vector<std::int32_t>& scores() const noexcept { return scores_; }
    [[nodiscard]] int match() const noexcept { return match_; }
    [[nodiscard]] int mismatch() const noexcept { return mismatch_; }

private:
    int match_ = 0, mismatch_ = -1;
    std::string letters_;
    std::vector<std::int32_t> scores_;
};

struct alignment_options {
    std::string variant = "automatic";
    alignment_mode mode = alignment_mode::global;
    free_ends ends{};  // of semi_global
    alignment_task task = alignment_task::score;
    substitution_matrix matrix{};
    /// A gap of k symbols costs open + (k - 1) * extend (parasail's words), within 0..1000000. Where extend
    /// exceeds open, k gaps of one symbol are cheaper: the gap then costs k * open.
    index_t open = 1, extend = 1;
    /// Heuristics, below 0: none. The result says `heuristic`; one pair, host memory, O(band * m) memory.
    /// band: only cells at most so many diagonals beyond those of the two corners (0 and n - m).
    index_t band = -1;
    /// x_drop: the alignment begins as `mode` says (not local) and ends at the best cell of all; a cell that
    /// is more than this below the best one of the rows above is left out (Zhang et al. 2000, by rows).
    index_t x_drop = -1;
};

/// `length` columns of an alignment: '=' equal symbols, 'X' unequal ones, 'I' symbols of the query alone,
/// 'D' symbols of the target alone.
struct alignment_run {
    char operation = '=';
    index_t length = 0;
};

struct alignment_end {
    index_t query = 0, target = 0;  // one past the last aligned symbol
};

/// Positions count from 0, ends are one past the last symbol; -1 where the task did not ask.
struct alignment_result {
    index_t score = 0;
    index_t query_begin = -1, query_end = -1, target_begin = -1, target_end = -1;
    /// Where alignments of this score end, by ascending target, then query; [0] is the one above. Of a local
    /// alignment only that one.
    std::vector<alignment_end> best_ends;
    std::vector<alignment_run> path;  // from the beginning; task path
    bool heuristic = false;           // options.band or x_drop: a better alignment may exist
    report run;

    [[nodiscard]] std::string cigar() const;  // "5=1X2D"
    [[nodiscard]] double identity() const;    // '=' columns over all columns of the path; 1 of an empty one
    [[nodiscard]] index_t edits() const;      // columns of the path that are not '='
};

/// The best alignment (Gotoh 1982): O(mn) time, any length; O(mn / 500) memory for ends, starts and path
/// (checkpoints at the edges of tiles, of which only those that the path crosses are computed again). On CUDA
/// both sequences are device memory; at most 1 GB is used beside them and 32 bytes a symbol.
/// Of several best alignments every variant gives the same: the one that ends first in the target, then first
/// in the query; from there backwards a pair of symbols before a gap, 'D' before 'I', a gap as short as
/// possible. As edlib does, an alignment of the query with nothing counts, and ends at 0. A local alignment
/// of score 0 is empty, at 0 of both.
[[nodiscard]] alignment_result align(const execution& where, sequence_view query, sequence_view target,
                                     const alignment_options& = {});

/// scores[k] of pair k; options.task is score (the others: align_pairs). On CUDA everything is device memory.
struct alignment_batch_result {
    report run;
};
alignment_batch_result align(const execution& where, const sequence_batch& query,
                             const sequence_batch& target, std::span<std::int64_t> scores,
                             const alignment_options& = {});

}  // namespace wale
