// infix - where many short sequences (reads) lie in one long text (a genome): unit-cost alignment of a whole
// query to any part of the text. Background: src/solvers/wavefront/README.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/sequence.hpp>

namespace wale {

/// Which parts of the text a query may be aligned to.
enum class infix_mode {
    infix,  // any part; what lies before and after costs nothing (edlib's HW)
    prefix  // a part that begins where the text begins (edlib's SHW)
};

/// How much is computed; each contains what stands before.
enum class infix_task {
    distance,   // the least distance, and all ends of parts that have it
    locations,  // where these parts begin
    path        // the operations along the first of these parts
};

struct infix_options {
    std::string variant = "automatic";
    infix_mode mode = infix_mode::infix;
    infix_task task = infix_task::path;
    bool both_strands = false;          // also align the query's reverse complement (symbols of one byte)
    index_t bound = -1;                 // >= 0: larger distances are not wanted, and are not computed
    std::span<const index_t> bounds{};  // one a query, instead of `bound`
};

/// The part text[begin, end).
struct infix_location {
    index_t begin = -1;    // -1: not computed
    index_t end = 0;       // 0: the part is empty
    bool reverse = false;  // the query's reverse complement is aligned
};

struct infix_match {
    index_t distance = -1;                  // -1: above the bound
    std::vector<infix_location> locations;  // forward strand first, then by end; the longest part of each end
    std::string cigar;  // along locations[0]; = equal, X replaced, I only in the query, D only in the text
};

struct infix_result {
    std::vector<infix_match> matches;  // one a query
    report run;
};

/// Aligns each query to `text`: the least unit-cost distance to any part of it (Sellers 1980), bit-parallel
/// (Myers 1999), only in the words of a column that may hold a distance within the bound (Ukkonen 1985); the
/// bound rises until it is met. O(rows of these words / word) a query and symbol of the text, O(n) memory
/// beside the answers; a path takes memory linear in its part. Host memory only: there is no variant on CUDA.
/// Throws bad_argument for offsets that descend, widths that differ, bounds that are fewer than the queries,
/// and for both_strands with symbols of more than one byte.
[[nodiscard]] infix_result infix_align(const execution& where, const sequence_batch& queries,
                                       sequence_view text, const infix_options& = {});

/// One query.
[[nodiscard]] infix_match infix_align(const execution& where, sequence_view query, sequence_view text,
                                      const infix_options& = {});

/// The other strand of DNA or RNA: IUPAC letters in either case are complemented (U as T), other bytes kept.
[[nodiscard]] std::string reverse_complement(std::string_view symbols);

}  // namespace wale
