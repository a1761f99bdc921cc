// search - where queries lie in a text, each sequence against each, and the records of a database that
// resemble queries. The GIL is released around every computation.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <wale/distance_matrix.hpp>
#include <wale/infix.hpp>
#include <wale/search.hpp>
#include <wale/verification.hpp>

namespace wale::python {
namespace {

using located = std::tuple<index_t, index_t, bool>;
using found = std::tuple<index_t, std::vector<located>, std::string>;  // distance, locations, operations

std::tuple<std::vector<found>, report> search(const place& p, const input& data, const input& offsets,
                                              const input& text, const infix_options& o) {
    const sequence_batch queries = batch(p.where, "query", data, offsets);
    const sequence_view subject = sequence(p.where, "target", text);
    infix_result r;
    {
        const released_gil release;
        r = infix_align(p.where, queries, subject, o);
    }
    std::vector<found> out;
    for (infix_match& m : r.matches) {
        std::vector<located> at;
        for (const infix_location& l : m.locations) at.emplace_back(l.begin, l.end, l.reverse);
        out.emplace_back(m.distance, std::move(at), std::move(m.cigar));
    }
    return {std::move(out), r.run};
}

report matrix(const place& p, const std::tuple<input, input, input, input>& sides, const output& answers,
              bool edit, const matrix_options& o) {
    const auto& [a_data, a_offsets, b_data, b_offsets] = sides;
    const sequence_batch a = batch(p.where, "queries", a_data, a_offsets);
    const sequence_batch b = batch(p.where, "targets", b_data, b_offsets);
    const matrix_view<std::int32_t> to(elements<std::int32_t>(p.where, "answers", answers, a.count * b.count),
                                       extents<2>{{a.count, b.count}});
    const released_gil release;
    // One array given twice: each against each.
    const bool symmetric = a.offsets == b.offsets && a.data == b.data && a.count == b.count;
    if (edit)
        return (symmetric ? edit_distances(p.where, a, to, o) : edit_distances(p.where, a, b, to, o)).run;
    return (symmetric ? lcs_lengths(p.where, a, to, o) : lcs_lengths(p.where, a, b, to, o)).run;
}

/// Of a database: its records and letters, the hits of each query, and the report.
using searched = std::tuple<index_t, index_t, std::vector<std::vector<search_hit>>, report>;

searched search_records(const place& p, const std::tuple<input, input>& sequences,
                        const std::optional<std::tuple<input, input>>& records, const std::string& file,
                        const search_options& o, bool verify) {
    const auto packed = [&p](const char* name, const std::tuple<input, input>& of) {
        return batch(p.where, name, std::get<0>(of), std::get<1>(of));
    };
    const sequence_batch queries = packed("queries", sequences);
    const sequence_batch targets = records ? packed("database", *records) : sequence_batch{};
    const released_gil release;
    search_result r =
        records ? wale::search(p.where, queries, targets, o) : wale::search(p.where, queries, file, o);
    double cells = verify ? 1e9 : 0;
    for (index_t q = 0; verify && q < queries.count; ++q) {
        const index_t begin = queries.offsets[q], width = queries.symbol_bytes;
        const sequence_view query(static_cast<const char*>(queries.data) + begin * width,
                                  queries.offsets[q + 1] - begin, queries.symbol_bytes);
        for (const search_hit& hit : r.hits[static_cast<std::size_t>(q)])
            if (const std::string flaw = hit_flaw(query, hit, o, cells); !flaw.empty())
                throw error("verification: query " + std::to_string(q) + ", record " +
                            std::to_string(hit.target) + ": " + flaw);
    }
    return {r.targets, r.letters, std::move(r.hits), std::move(r.run)};
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_options<infix_options>(m, "InfixOptions");
    m.def("infix_align", &search, nb::arg("where"), nb::arg("data"), nb::arg("offsets"), nb::arg("text"),
          nb::arg("options"));
    m.def(
        "distance_matrix",
        [](const place& p, const std::tuple<input, input, input, input>& sides, const output& answers,
           bool edit, index_t cutoff, const std::string& variant) {
            return matrix(p, sides, answers, edit, {.variant = variant, .cutoff = cutoff});
        },
        nb::arg("where"), nb::arg("sides"), nb::arg("answers"), nb::arg("edit"), nb::arg("cutoff"),
        nb::arg("variant"));
    nb::class_<search_options>(m, "SearchOptions")
        .def(nb::init<>())
        .def_rw("variant", &search_options::variant)
        .def_rw("matrix", &search_options::matrix)
        .def_rw("open", &search_options::open)
        .def_rw("extend", &search_options::extend)
        .def_rw("top", &search_options::top)
        .def_rw("evalue", &search_options::evalue)
        .def_rw("path", &search_options::path);
    nb::class_<search_hit>(m, "SearchHit")
        .def_ro("target", &search_hit::target)
        .def_ro("name", &search_hit::name)
        .def_ro("score", &search_hit::score)
        .def_ro("evalue", &search_hit::evalue)
        .def_ro("bits", &search_hit::bits)
        .def_prop_ro("query",
                     [](const search_hit& h) {
                         return std::tuple{h.alignment.query_begin, h.alignment.query_end};
                     })
        .def_prop_ro("place",
                     [](const search_hit& h) {
                         return std::tuple{h.alignment.target_begin, h.alignment.target_end};
                     })
        .def_prop_ro("cigar", [](const search_hit& h) { return h.alignment.cigar(); })
        .def_prop_ro("identity", [](const search_hit& h) { return h.alignment.identity(); });
    m.def("search_records", &search_records, nb::arg("where"), nb::arg("queries"), nb::arg("records").none(),
          nb::arg("file"), nb::arg("options"), nb::arg("verify"));
}

}  // namespace wale::python
