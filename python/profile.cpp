// profile - position-specific scores in the place of queries. The GIL is released around every computation.
#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <wale/profile.hpp>
#include <wale/search.hpp>

namespace wale::python {
namespace {

alignment_result alignment(const place& p, const score_profile& profile, const input& target,
                           const alignment_options& o) {
    const sequence_view text = sequence(p.where, "target", target);
    const released_gil release;
    return align(p.where, profile, text, o);
}

report scores(const place& p, const score_profile& profile, const input& data, const input& offsets,
              const output& answers, const alignment_options& o) {
    const sequence_batch targets = batch(p.where, "targets", data, offsets);
    const std::span<std::int64_t> to(elements<std::int64_t>(p.where, "scores", answers), answers.size());
    const released_gil release;
    return align(p.where, profile, targets, to, o).run;
}

using searched = std::tuple<index_t, index_t, std::vector<std::vector<search_hit>>, report>;

searched hits(const place& p, const std::vector<score_profile>& profiles,
              const std::optional<std::tuple<input, input>>& records, const std::string& file,
              const search_options& o) {
    const sequence_batch targets =
        records ? batch(p.where, "database", std::get<0>(*records), std::get<1>(*records)) : sequence_batch{};
    const released_gil release;
    search_result r =
        records ? wale::search(p.where, profiles, targets, o) : wale::search(p.where, profiles, file, o);
    return {r.targets, r.letters, std::move(r.hits), std::move(r.run)};
}

}  // namespace

void bind_profile(nb::module_& m) {
    nb::class_<score_profile>(m, "ScoreProfile")
        .def(nb::init<std::string, std::vector<std::int32_t>, std::string>(), nb::arg("letters"),
             nb::arg("scores"), nb::arg("consensus"))
        .def_static("read", &score_profile::read, nb::arg("path"))
        .def_prop_ro("letters", &score_profile::letters)
        .def_prop_ro("scores", &score_profile::scores)
        .def_prop_ro("consensus", &score_profile::consensus)
        .def_rw("scaled_as", &score_profile::scaled_as);
    m.def("align_profile", &alignment, nb::arg("where"), nb::arg("profile"), nb::arg("target"),
          nb::arg("options"));
    m.def("profile_scores", &scores, nb::arg("where"), nb::arg("profile"), nb::arg("data"),
          nb::arg("offsets"), nb::arg("scores"), nb::arg("options"));
    m.def("search_profiles", &hits, nb::arg("where"), nb::arg("profiles"), nb::arg("records").none(),
          nb::arg("file"), nb::arg("options"));
}

}  // namespace wale::python
