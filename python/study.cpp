// study - wale::study with its rows as Python objects.
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

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
    const nb::gil_scoped_release release;
    return wale::study(solver, options);
}

std::vector<std::string> study_operations_of(const std::string& solver) {
    return study_operations(solver);
}

void bind_rows(nb::module_& m) {
    nb::class_<study_row>(m, "StudyRow", "One variant at one size, verified and timed.")
        .def_ro("variant", &study_row::variant)
        .def_ro("size", &study_row::size, "Symbols or pixels a side, or pairs of a batch.")
        .def_ro("seconds", &study_row::seconds, "Median.")
        .def_ro("rate", &study_row::rate, "Cells or pixels a second.")
        .def_ro("ceiling", &study_row::ceiling, "The rate that the binding resource allows; 0: unknown.")
        .def_ro("binds", &study_row::binds, "That resource.")
        .def_ro("of_ceiling", &study_row::of_ceiling)
        .def_ro("over_slowest", &study_row::over_slowest)
        .def_ro("of_fastest", &study_row::of_fastest)
        .def_ro("iterations", &study_row::iterations)
        .def_ro("verified", &study_row::verified)
        .def_ro("policy", &study_row::policy)
        .def_ro("device", &study_row::device)
        .def("__repr__", [](const study_row& r) {
            return "StudyRow(variant='" + r.variant + "', size=" + std::to_string(r.size) +
                   ", seconds=" + std::to_string(r.seconds) + ")";
        });
    nb::class_<study_claim>(m, "StudyClaim", "A statement of the literature beside what was measured.")
        .def_ro("claim", &study_claim::claim)
        .def_ro("measured", &study_claim::measured)
        .def("__repr__", [](const study_claim& c) { return c.claim + ": " + c.measured; });
}

}  // namespace

void bind_study(nb::module_& m) {
    bind_rows(m);
    nb::class_<study_options>(m, "StudyOptions")
        .def(nb::init<>())
        .def_rw("operation", &study_options::operation)
        .def_rw("sizes", &study_options::sizes)
        .def_rw("variant", &study_options::variant)
        .def_rw("repeats", &study_options::repeats)
        .def_rw("threads", &study_options::threads)
        .def_rw("cpu", &study_options::cpu)
        .def_rw("cuda", &study_options::cuda)
        .def_rw("seconds_each", &study_options::seconds_each);
    nb::class_<study_result>(m, "StudyResult")
        .def_ro("unit", &study_result::unit, "Of the work: cell, pixel, operation.")
        .def_ro("rows", &study_result::rows)
        .def_ro("skipped", &study_result::skipped)
        .def_ro("failed", &study_result::failed)
        .def_ro("claims", &study_result::claims);
    m.def("study_operations", &study_operations_of, nb::arg("solver") = "");
    m.def("study", &run, nb::arg("solver"), nb::arg("options"), nb::arg("progress") = nb::none());
}

}  // namespace wale::python
