// pair_alignments - alignments of many pairs: scores, ends, starts and paths in columns.
#pragma once

#include <cstdint>
#include <wale/alignment.hpp>
#include <wale/column.hpp>

namespace wale {

/// Entry k of a column is pair k's, as alignment_result has it. A column that the task does not ask for is
/// empty. Of several best ends the first one counts.
struct pair_alignments {
    column<std::int64_t> score;
    column<index_t> query_begin, query_end, target_begin, target_end;
    /// Paths: pair k has runs[first_run[k]] to runs[first_run[k + 1]], from the beginning, as BAM has them:
    /// length * 16 + 7 for '=', 8 for 'X', 1 for 'I', 2 for 'D'.
    column<index_t> first_run;  // pairs + 1
    column<std::uint32_t> runs;
    report run;

    [[nodiscard]] index_t size() const noexcept { return std::ssize(score); }  // pairs
    /// Pair k as align() of one pair gives it, with its first best end alone. k is within 0..size() - 1.
    [[nodiscard]] alignment_result pair(index_t k) const;
};

/// The best alignment of query k and target k, for all k: each the one that align() gives of the pair, by the
/// same rule where several are best (Gotoh 1982). O(m n) time a pair; on the CPU memory of O(m n / 500) a
/// thread. On CUDA sequences are device memory and the answer is host memory; beside both at most 4 GB are
/// used and 2 bytes a symbol, or what the longest pair needs: a row of its table for each 1024 rows, 4 bytes
/// a cell (for each 256, 16 bytes a cell, where scores need 32 bits). No band, no x_drop; with a path
/// sequences are shorter than 2^28. Throws as align() does, and out_of_memory.
[[nodiscard]] pair_alignments align_pairs(const execution& where, const sequence_batch& query,
                                          const sequence_batch& target, const alignment_options& = {});

}  // namespace wale
