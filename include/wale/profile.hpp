// profile - position-specific scores: what PSI-BLAST makes of a family of sequences. A profile is aligned in
// the place of a query: its positions are the query's symbols.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wale/alignment.hpp>

namespace wale {

class score_profile {
public:
    /// scores: a row of letters.size() scores for each position, within +-1000000. Letters of the target as
    /// in substitution_matrix: where all are upper case, lower case counts as upper case; a byte that is no
    /// letter counts as '*' where the profile has it, and is refused otherwise. consensus: a byte for each
    /// position, which a path compares with the target for '=' and 'X'; empty: the letter of the best score,
    /// of equal ones the first.
    score_profile(std::string letters, std::vector<std::int32_t> scores, std::string consensus = {});

    /// A file of one profile: what `psiblast -out_ascii_pssm` writes, or a plain table: comments after '#', a
    /// line of letters, then a line for each position, which has the scores, or a letter and the scores, or a
    /// number, a letter and the scores. Of PSI-BLAST's files the scores are taken, not the percentages, and
    /// the 20 amino acids get company, as databases have more letters: B and Z have the larger score of D and
    /// N, of E and Q; X has -1, and '*', which all other bytes count as, -4, as they have in BLOSUM62. Throws
    /// cannot_open, and bad_input with file:line.
    [[nodiscard]] static score_profile read(const std::string& path);
    [[nodiscard]] static score_profile parse(std::string_view text, const std::string& name);

    [[nodiscard]] index_t size() const noexcept { return std::ssize(consensus_); }  // positions
    [[nodiscard]] const std::string& letters() const noexcept { return letters_; }
    [[nodiscard]] const std::vector<std::int32_t>& scores() const noexcept { return scores_; }
    [[nodiscard]] const std::string& consensus() const noexcept { return consensus_; }

    /// The matrix whose scale the scores have, "blosum62": E-values of a search take the parameters of that
    /// matrix (Altschul et al. 1997). Empty, as it is unless a file of PSI-BLAST has the matrix's parameters:
    /// searches have no E-values.
    std::string scaled_as;

private:
    std::string letters_, consensus_;
    std::vector<std::int32_t> scores_;
};

/// align() with a profile in the place of the query; options.matrix is not used. Every variant of the CPU
/// gives the same; there is none on CUDA.
[[nodiscard]] alignment_result align(const execution& where, const score_profile& query, sequence_view target,
                                     const alignment_options& = {});
/// scores[k] of the profile and target k; options.task is score.
alignment_batch_result align(const execution& where, const score_profile& query,
                             const sequence_batch& targets, std::span<std::int64_t> scores,
                             const alignment_options& = {});

}  // namespace wale
