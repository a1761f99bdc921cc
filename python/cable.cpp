// cable - cables of neurons: forms, options and runs. The GIL is released while a cable runs.
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// A form and its compartments.
struct cable_form {
    swc_tree points;
    cable_model model;
};

/// Copies numbers into an array of their size.
void put(const char* name, const std::vector<double>& from, const output& to) {
    std::copy(from.begin(), from.end(),
              elements<double>(on_reference{}, name, to, static_cast<index_t>(from.size())));
}

index_t compartment_of(const cable_form& f, std::int64_t number) {
    for (std::size_t i = 0; i < f.points.points.size(); ++i)
        if (f.points.points[i].number == number) return f.model.compartment_of_point[i];
    throw bad_argument("at: point " + std::to_string(number) + " is not of this tree");
}

/// One number of each compartment.
template <class Get>
auto each(const cable_form& f, Get&& get) {
    std::vector<decltype(get(f.model.compartments[0]))> out;
    for (const cable_compartment& c : f.model.compartments) out.push_back(get(c));
    return out;
}

void bind_form(nb::module_& m) {
    nb::class_<cable_form>(m, "CableForm", "A tree of points and the compartments that it becomes.")
        .def_prop_ro("size", [](const cable_form& f) { return f.model.size(); })
        .def_prop_ro("points", [](const cable_form& f) { return f.points.points.size(); })
        .def_prop_ro("thickened", [](const cable_form& f) { return f.points.thickened; })
        .def_prop_ro("first_thickened",
                     [](const cable_form& f) {
                         return f.points.name + ":" + std::to_string(f.points.first_thickened);
                     })
        .def("compartment_of", &compartment_of, nb::arg("number"))
        .def("parents", [](const cable_form& f) { return each(f, [](const auto& c) { return c.parent; }); })
        .def("areas", [](const cable_form& f) { return each(f, [](const auto& c) { return c.area; }); })
        .def("axials", [](const cable_form& f) { return each(f, [](const auto& c) { return c.axial; }); })
        .def("sections", [](const cable_form& f) { return each(f, [](const auto& c) { return c.section; }); })
        .def("places", [](const cable_form& f) { return each(f, [](const auto& c) { return c.at; }); })
        .def("regions", [](const cable_form& f) {
            return each(f, [](const auto& c) { return std::string(name_of(c.region)); });
        });
    m.def(
        "read_cable_form",
        [](const std::string& path, const std::optional<std::string>& text, const cable_geometry& geometry) {
            const released_gil release;
            swc_tree points = text ? parse_swc(*text, path) : read_swc(path);
            cable_model model(points, geometry);
            return std::make_unique<cable_form>(cable_form{std::move(points), std::move(model)});
        },
        nb::arg("path"), nb::arg("text").none(), nb::arg("geometry"));
    m.def(
        "grow_neuron",
        [](const std::string& path, std::uint64_t seed, int stems, int levels) {
            const released_gil release;
            output_file out(path);
            write_swc(out, grow_neuron({.seed = seed, .stems = stems, .levels = levels}));
            out.commit();
        },
        nb::arg("path"), nb::arg("seed"), nb::arg("stems"), nb::arg("levels"));
}

void bind_cable_options(nb::module_& m) {
    bind_options<cable_geometry>(m, "CableGeometry");
    bind_options<cable_membrane>(m, "Membrane")
        .def_static("passive", [] { return cable_membrane::passive(); })
        .def_static("hh", [] { return cable_membrane::squid(); });
    bind_options<cable_clamp>(m, "Clamp");
    bind_options<cable_options>(m, "CableOptions")
        .def_rw("membranes", &cable_options::membranes)
        .def_rw("clamps", &cable_options::clamps)
        .def("add_clamp", [](cable_options& o, const cable_clamp& clamp) { o.clamps.push_back(clamp); })
        .def(
            "add_probe",
            [](cable_options& o, index_t cell, index_t compartment) {
                o.probes.push_back({cell, compartment});
            },
            nb::arg("cell"), nb::arg("compartment"));
}

}  // namespace

void bind_cable(nb::module_& m) {
    bind_form(m);
    bind_cable_options(m);
    bind_result<cable_result>(m, "CableOutcome", "What some steps of a cable found out.")
        .def_ro("times", &cable_result::times, "Of the samples [ms].")
        .def_ro("spikes", &cable_result::spikes, "Times of each probe [ms].")
        .def("put_voltages",
             [](const cable_result& r, const output& to) { put("voltages", r.voltages, to); });
    nb::class_<cable>(m, "CableCells", "Cells at some time.")
        .def("__init__", [](cable* at, const cable_form& form,
                            const cable_options& options) { new (at) cable(form.model, options); })
        .def("run",
             [](cable& c, const place& p, index_t steps, const std::string& variant) {
                 const released_gil release;
                 return c.run(p.where, steps, variant);
             })
        .def("steps_until", &cable::steps_until, nb::arg("time"))
        .def_prop_ro("time", &cable::time)
        .def("put_state", [](cable& c, const output& voltages) { put("voltages", c.voltages(), voltages); })
        .def("put_gates", [](cable& c, const output& gates) { put("gates", c.gates(), gates); })
        .def("reset", [](cable& c) { c.reset(); });
}

}  // namespace wale::python
