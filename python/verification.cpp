// verification - second opinions on alignments, located queries and hits of a search. The GIL is released
// around every one.
#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <tuple>
#include <wale/search.hpp>
#include <wale/verification.hpp>

namespace wale::python {
namespace {

using places = std::tuple<index_t, index_t, index_t, index_t>;  // of the query, then of the target
using path = std::vector<std::pair<index_t, std::string>>;      // lengths and operations
using located = std::tuple<index_t, std::vector<std::tuple<index_t, index_t, bool>>, std::string>;

std::string flaw_of_path(const input& query, const input& target, index_t score, const places& at,
                         const path& columns, const alignment_options& o) {
    const execution where = on_cpu{1};
    const sequence_view x = sequence(where, "query", query), y = sequence(where, "target", target);
    alignment_result answer;
    answer.score = score;
    std::tie(answer.query_begin, answer.query_end, answer.target_begin, answer.target_end) = at;
    for (const auto& [length, operation] : columns) answer.path.push_back({operation.at(0), length});
    const released_gil release;
    return alignment_flaw(x, y, answer, o);
}

/// The first query whose answer has a flaw, and the flaw, while cells are left.
std::pair<index_t, std::string> flaw_of_places(const std::tuple<input, input>& queries, const input& text,
                                               const std::vector<located>& answers, const infix_options& o,
                                               double cells) {
    const execution where = on_cpu{1};
    const sequence_batch in = batch(where, "queries", std::get<0>(queries), std::get<1>(queries));
    const sequence_view subject = sequence(where, "text", text);
    if (std::ssize(answers) != in.count) throw bad_argument("answers: expected one a query");
    const released_gil release;
    for (index_t q = 0; q < in.count; ++q) {
        const auto& [distance, parts, cigar] = answers[static_cast<std::size_t>(q)];
        infix_match match{distance, {}, cigar};
        for (const auto& [begin, end, reverse] : parts) match.locations.push_back({begin, end, reverse});
        const index_t size = in.offsets[q + 1] - in.offsets[q];
        cells -=
            4 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(parts.size());
        if (cells < 0) break;
        const sequence_view query(
            static_cast<const char*>(in.data) + in.offsets[q] * static_cast<index_t>(in.symbol_bytes), size,
            in.symbol_bytes);
        if (std::string flaw = infix_flaw(query, subject, match, o); !flaw.empty()) return {q, flaw};
    }
    return {-1, {}};
}

}  // namespace

void bind_verification(nb::module_& m) {
    m.def("alignment_flaw", &flaw_of_path, nb::arg("query"), nb::arg("target"), nb::arg("score"),
          nb::arg("places"), nb::arg("path"), nb::arg("options"));
    m.def("infix_flaw", &flaw_of_places, nb::arg("queries"), nb::arg("text"), nb::arg("answers"),
          nb::arg("options"), nb::arg("cells"));
}

}  // namespace wale::python
