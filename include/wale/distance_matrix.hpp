// distance_matrix - each of many sequences against each of others: edit distances and lengths of longest
// common subsequences. Background: src/solvers/wavefront/README.md.
#pragma once

#include <string>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/sequence.hpp>
#include <wale/view.hpp>

namespace wale {

struct matrix_options {
    std::string variant = "automatic";
    index_t cutoff = -1;  // edit distance, >= 0: larger distances show as cutoff + 1; faster
};

struct matrix_result {
    report run;
};

/// answers(q, t): unit-cost edit distance (Levenshtein) of query q and target t; answers has a row for each
/// query. Each sequence is read and encoded once. O(m n / word) time a pair, bit-parallel (Myers 1999);
/// memory linear in the sequences and the answers. On a device the sequences, their offsets and the answers
/// lie there; with on_cuda::devices all of these lie on the host, and the queries are split over the devices.
/// The result does not depend on where. Throws bad_argument for another shape, descending offsets, widths
/// that differ, or sequences of 2^31 symbols and more.
matrix_result edit_distances(const execution& where, const sequence_batch& queries,
                             const sequence_batch& targets, matrix_view<std::int32_t> answers,
                             const matrix_options& = {});
/// Each of `sequences` against each: half of the pairs are computed, the other half is its mirror image.
matrix_result edit_distances(const execution& where, const sequence_batch& sequences,
                             matrix_view<std::int32_t> answers, const matrix_options& = {});

/// The same for the length of the longest common subsequence (Hyyro 2004). A cut-off is refused.
matrix_result lcs_lengths(const execution& where, const sequence_batch& queries,
                          const sequence_batch& targets, matrix_view<std::int32_t> answers,
                          const matrix_options& = {});
matrix_result lcs_lengths(const execution& where, const sequence_batch& sequences,
                          matrix_view<std::int32_t> answers, const matrix_options& = {});

}  // namespace wale
