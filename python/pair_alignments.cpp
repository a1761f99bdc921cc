// pair_alignments - alignments of many pairs as columns that NumPy owns.
#include <wale/pair_alignments.hpp>

#include "owned_array.hpp"

namespace wale::python {
namespace {

/// None for a column that is not there.
template <class Vector>
nb::object handed(Vector&& values, bool is_there) {
    return is_there ? owned_column(std::forward<Vector>(values)) : nb::none();
}

/// Score, begin and end of the query, begin and end of the target, first runs, runs, report.
nb::tuple aligned(const place& p, const input& a, const input& a_offsets, const input& b,
                  const input& b_offsets, const alignment_options& o) {
    const sequence_batch query = batch(p.where, "query", a, a_offsets);
    const sequence_batch target = batch(p.where, "target", b, b_offsets);
    pair_alignments found;
    {
        const released_gil release;
        found = align_pairs(p.where, query, target, o);
    }
    const bool ends = o.task >= alignment_task::ends, starts = o.task >= alignment_task::starts,
               paths = o.task == alignment_task::path;
    return nb::make_tuple(
        handed(std::move(found.score), true), handed(std::move(found.query_begin), starts),
        handed(std::move(found.query_end), ends), handed(std::move(found.target_begin), starts),
        handed(std::move(found.target_end), ends), handed(std::move(found.first_run), paths),
        handed(std::move(found.runs), paths), found.run);
}

/// Of pairs first to last - 1.
std::vector<std::string> cigars(const input& first_run, const input& runs, index_t first, index_t last) {
    const execution here = on_cpu{};
    const auto* const at = elements<index_t>(here, "first_run", first_run);
    const auto* const all = elements<std::uint32_t>(here, "runs", runs);
    std::vector<std::string> texts;
    for (index_t k = first; k < last; ++k) {
        std::string& text = texts.emplace_back();
        for (index_t r = at[k]; r < at[k + 1]; ++r) {
            text += std::to_string(all[r] >> 4);
            text += "MIDNSHP=X"[all[r] & 15u];
        }
    }
    return texts;
}

}  // namespace

void bind_pair_alignments(nb::module_& m) {
    m.def("align_pairs", &aligned, nb::arg("where"), nb::arg("query"), nb::arg("query_offsets"),
          nb::arg("target"), nb::arg("target_offsets"), nb::arg("options"));
    m.def("cigars", &cigars, nb::arg("first_run"), nb::arg("runs"), nb::arg("first"), nb::arg("last"));
}

}  // namespace wale::python
