// study - wale::study with its rows as Python objects.
#include <nanobind/stl/function.h>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// Before every row the caller hears of it, and Ctrl-C is noticed.
std::function<void(const std::string&)> guarded(std::function<void(const std::string&)> progress) {
    return [progress = std::move(progress)](const std::string& text) {
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (progress) progress(text);
    };
}

study_result run(const std::string& solver, study_options& options,
                 std::function<void(const std::string&)> progress) {
    options.progress = guarded(std::move(progress));
    const released_gil release;
    return wale::study(solver, options);
}

atlas_result run_atlas(const std::string& solver, atlas_options& options,
                       std::function<void(const std::string&)> progress) {
    options.progress = guarded(std::move(progress));
    const nb::gil_scoped_release release;
    return wale::atlas(solver, options);
}

void bind_atlas(nb::module_& m) {
    bind_result<atlas_time>(m, "AtlasTime", "One variant on one cell.");
    bind_result<atlas_cell>(m, "AtlasCell", "A cell of the problem space, and what its variants took.");
    bind_result<atlas_map>(m, "AtlasMap", "The worst regret of each operation and size of work.");
    bind_options<atlas_options>(m, "AtlasOptions");
    bind_result<atlas_result>(m, "AtlasResult", "Random cells of a solver's problem space.")
        .def("csv", &atlas_csv, "A line for each cell and variant, under a line of names.")
        .def("regret_at", &regret_at, nb::arg("part"),
             "Regret at a part of all cells: 0.5 the median, 1 the worst.")
        .def("worst", &worst_cells, nb::arg("count") = 10, "The cells of greatest regret, worst first.")
        .def("map", &map_of,
             "A row for each operation and backend, a column for each half power of ten of work.");
    m.def(
        "atlas_operations", [](const std::string& solver) { return atlas_operations(solver); },
        nb::arg("solver"));
    m.def("atlas", &run_atlas, nb::arg("solver"), nb::arg("options"), nb::arg("progress") = nb::none());
}

}  // namespace

void bind_study(nb::module_& m) {
    bind_result<study_row>(m, "StudyRow", "One variant at one size, verified and timed.");
    bind_result<study_claim>(m, "StudyClaim", "A statement of the literature beside what was measured.");
    bind_options<study_options>(m, "StudyOptions");
    bind_result<study_result>(m, "StudyResult", "The rows of a study, and what they say of the claims.");
    m.def(
        "study_operations", [](const std::string& solver) { return study_operations(solver); },
        nb::arg("solver") = "");
    bind_atlas(m);
    m.def("study", &run, nb::arg("solver"), nb::arg("options"), nb::arg("progress") = nb::none());
}

}  // namespace wale::python
