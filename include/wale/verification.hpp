// verification - what shows that an answer is wrong, at a small part of the cost of the answer. An empty text
// means that nothing was found; for images see reconstruction_flaw(), for systems lu_residual.
#pragma once

#include <string>
#include <wale/alignment.hpp>
#include <wale/euler.hpp>
#include <wale/infix.hpp>
#include <wale/search.hpp>
#include <wale/wavefront.hpp>

namespace wale {

/// Of an answer of align() with the same options and the task path: its places are those that the mode
/// allows, '=' and 'X' columns are what they say, and the path has the score. Shows that the score can be
/// had, not that none is better: the score of another variant does. Host memory; O(m + n) time. Throws
/// bad_argument for an answer without a beginning.
[[nodiscard]] std::string alignment_flaw(sequence_view query, sequence_view target,
                                         const alignment_result& answer, const alignment_options& = {});

/// Of an answer of lcs_string(): positions ascend and symbols are equal. The length of another variant shows
/// whether a longer one exists. Host memory; O(length) time.
[[nodiscard]] std::string lcs_flaw(sequence_view a, sequence_view b, const lcs_string_result& answer);

/// Of the answer of one query: each part is as far from the query as said, the reference finds no nearer part
/// in a window of three lengths of the query round the part, and the path has as many edits. The `bounds` of
/// the options are not looked at. Host memory; O(m^2) time a part.
[[nodiscard]] std::string infix_flaw(sequence_view query, sequence_view text, const infix_match& answer,
                                     const infix_options& = {});

/// Of a hit of search() with the same options, path among them: its path has its score, and while `cells` are
/// left, from which those of this pair are taken, the plain loops find no better one. Host memory; O(m + n),
/// and O(mn) for the plain loops.
[[nodiscard]] std::string hit_flaw(sequence_view query, const search_hit& hit, const search_options&,
                                   double& cells);

/// Of a flow as it is.
struct euler_verdict {
    std::string flaw;                  // the first thing that is wrong; empty: none was found
    double mass_in = 0, mass_out = 0;  // through all patches, a second
    double mass_change = 0;            // of what the mesh holds, a second: in less out; 0 of a steady flow
};

/// Every state is a gas; the last measurement, where it is of this iteration, is that of the plain loops; and
/// mass, momentum and energy that the cells gain are what the patches let in, to the roundings of the
/// precision. A state is checked, not how it came about. With ranks a collective call. O(cells), on one
/// thread.
[[nodiscard]] euler_verdict verdict_of(euler_case& flow);

}  // namespace wale
