// search - which records of a database a sequence resembles: local alignment with each of them, the best
// ones with their E-values. Exact: no index, no heuristic. Background: src/solvers/wavefront/README.md.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <wale/alignment.hpp>
#include <wale/profile.hpp>
#include <wale/ranks.hpp>

namespace wale {

struct search_options {
    std::string variant = "automatic";
    alignment_mode mode = alignment_mode::local;
    free_ends ends{};  // of semi_global
    substitution_matrix matrix = substitution_matrix::named("blosum62");
    index_t open = 12, extend = 1;     // as in alignment_options; NCBI calls these costs 11 and 1
    index_t top = 10;                  // records kept a query, 1 to 10^9
    double evalue = 10;                // larger E-values are left out, where E-values are known
    bool path = true;                  // align what is found: places and operations
    index_t block = index_t{1} << 26;  // letters of a database file in memory at a time, at least 1
    /// The ranks that search together: the same queries and the same database on each, of which each scores a
    /// part; all get the answer of one rank. The call is collective.
    ranks group{};
};

struct search_hit {
    index_t target = 0;         // the record's number, from 0
    std::string name, symbols;  // of the record; the name only of a file
    index_t score = 0;
    /// Alignments of this score or a better one that chance alone would give, and the score in bits. NaN
    /// where no parameters are published for the matrix and the costs, and in modes that are not local.
    double evalue = std::numeric_limits<double>::quiet_NaN();
    double bits = std::numeric_limits<double>::quiet_NaN();
    alignment_result alignment;  // of options.path
};

struct search_result {
    std::vector<std::vector<search_hit>> hits;  // a query: by descending score, then by target
    index_t targets = 0, letters = 0;           // of the database
    report run;
};

/// The `top` best targets of each query. O(m n) time a pair, vectors across targets (Rognes 2011); memory:
/// the scores of a block, 128 bytes for each letter of the longest target and each thread, and the hits.
/// Local alignments of score 0 are no hits. Host memory, on CUDA too: blocks are copied to the device, or in
/// parts to on_cuda::devices. Throws bad_argument as align() does for a batch, and for options outside of
/// their ranges.
[[nodiscard]] search_result search(const execution& where, const sequence_batch& queries,
                                   const sequence_batch& targets, const search_options& = {});
/// The same for the records of a FASTA or FASTQ file (plain or gzip; "-" is standard input), which is read
/// block by block while the block before is searched. Throws cannot_open and bad_input as read_sequences.
[[nodiscard]] search_result search(const execution& where, const sequence_batch& queries,
                                   const std::string& database_file, const search_options& = {});

/// The same with profiles as queries; options.matrix is not used. E-values take the parameters of the matrix
/// that a profile is scaled as: profile.scaled_as. Host memory, not on CUDA.
[[nodiscard]] search_result search(const execution& where, std::span<const score_profile> queries,
                                   const sequence_batch& targets, const search_options& = {});
[[nodiscard]] search_result search(const execution& where, std::span<const score_profile> queries,
                                   const std::string& database_file, const search_options& = {});

/// Karlin & Altschul (1990): E = K m n exp(-lambda score) of a query of m and a database of n letters less
/// what the ends of an alignment take (Altschul et al. 2001: alpha, beta).
struct score_statistics {
    double lambda = 0, k = 0, alpha = 0, beta = 0;
    [[nodiscard]] double bits(index_t score) const;
    [[nodiscard]] double evalue(index_t score, index_t query_letters, index_t database_letters,
                                index_t database_records) const;
};
/// Of local alignments with gaps: NCBI's published parameters (Altschul & Gish 1996; the tables of BLAST) for
/// blosum45, 50, 62 and 90, pam30, 70 and 250; not for blosum80, as NCBI's parameters are of another scaling
/// of it. `open` and `extend` as in alignment_options. No value: not published.
[[nodiscard]] std::optional<score_statistics> published_statistics(const substitution_matrix& matrix,
                                                                   index_t open, index_t extend);

}  // namespace wale
