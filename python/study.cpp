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

}  // namespace

void bind_study(nb::module_& m) {
    bind_result<study_row>(m, "StudyRow", "One variant at one size, verified and timed.")
        .def("__repr__", [](const study_row& r) {
            return "StudyRow(variant='" + r.variant + "', size=" + std::to_string(r.size) +
                   ", seconds=" + std::to_string(r.seconds) + ")";
        });
    bind_result<study_claim>(m, "StudyClaim", "A statement of the literature beside what was measured.")
        .def("__repr__", [](const study_claim& c) { return c.claim + ": " + c.measured; });
    bind_options<study_options>(m, "StudyOptions");
    bind_result<study_result>(m, "StudyResult", "The rows of a study, and what they say of the claims.");
    m.def(
        "study_operations", [](const std::string& solver) { return study_operations(solver); },
        nb::arg("solver") = "");
    m.def("study", &run, nb::arg("solver"), nb::arg("options"), nb::arg("progress") = nb::none());
}

}  // namespace wale::python
