// cable - neurons that live. Python says what they are made of in plain lists; the GIL is released while they
// run.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// A form and its compartments.
struct cable_form {
    swc_tree points;
    cable_model model;
};

/// hodgkin_huxley, capacitance, g_leak, e_leak, g_na, g_k
using membrane_words = std::tuple<bool, double, double, double, double, double>;
/// cell, compartment, delay, duration, amplitude
using clamp_words = std::tuple<index_t, index_t, double, double, double>;

/// What Python says of the cells.
struct cable_call {
    index_t cells = 1;
    double dt = 0.025, initial = -65, celsius = 6.3, q10 = 3, e_na = 50, e_k = -77, threshold = 0;
    std::string method = "backward_euler";
    index_t sample_every = 1;
    std::vector<std::array<membrane_words, cable_regions>> membranes;
    std::vector<clamp_words> clamps;
    std::vector<std::pair<index_t, index_t>> probes;
};

cable_options options_of(const cable_call& c) {
    cable_options o;
    o.cells = c.cells;
    o.dt = c.dt;
    o.initial = c.initial;
    o.celsius = c.celsius;
    o.q10 = c.q10;
    o.e_na = c.e_na;
    o.e_k = c.e_k;
    o.threshold = c.threshold;
    o.sample_every = c.sample_every;
    if (c.method == "crank_nicolson")
        o.method = cable_method::crank_nicolson;
    else if (c.method == "sdirk2")
        o.method = cable_method::sdirk2;
    else if (c.method != "backward_euler")
        throw bad_argument("method: is '" + c.method +
                           "', expected backward_euler, crank_nicolson or sdirk2");
    o.membranes.clear();
    for (const auto& words : c.membranes) {
        cable_membranes& m = o.membranes.emplace_back();
        for (std::size_t r = 0; r < words.size(); ++r)
            std::tie(m[r].hodgkin_huxley, m[r].capacitance, m[r].g_leak, m[r].e_leak, m[r].g_na, m[r].g_k) =
                words[r];
    }
    for (const auto& [cell, compartment, delay, duration, amplitude] : c.clamps)
        o.clamps.push_back({cell, compartment, delay, duration, amplitude});
    for (const auto& [cell, compartment] : c.probes) o.probes.push_back({cell, compartment});
    return o;
}

/// Copies numbers into an array of their size.
void put(const char* name, const std::vector<double>& from, const output& to) {
    check_place(on_reference{}, name, to.device_type(), to.device_id());
    if (!holds<double>(to) || to.size() != from.size())
        throw bad_argument(std::string(name) + ": has " + std::to_string(to.size()) + " elements, expected " +
                           std::to_string(from.size()) + " of float64");
    std::copy(from.begin(), from.end(), static_cast<double*>(to.data()));
}

std::unique_ptr<cable_form> formed(swc_tree points, double ra, double cm, double max_length, double d_lambda,
                                   double frequency) {
    cable_geometry g{ra, cm, max_length, d_lambda, frequency};
    cable_model model(points, g);
    return std::make_unique<cable_form>(cable_form{std::move(points), std::move(model)});
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
        [](const std::string& path, double ra, double cm, double max_length, double d_lambda,
           double frequency) {
            const nb::gil_scoped_release release;
            return formed(read_swc(path), ra, cm, max_length, d_lambda, frequency);
        },
        nb::arg("path"), nb::arg("ra"), nb::arg("cm"), nb::arg("max_length"), nb::arg("d_lambda"),
        nb::arg("frequency"));
    m.def(
        "grow_neuron",
        [](const std::string& path, std::uint64_t seed, int stems, int levels) {
            const nb::gil_scoped_release release;
            output_file out(path);
            write_swc(out, grow_neuron({.seed = seed, .stems = stems, .levels = levels}));
            out.commit();
        },
        nb::arg("path"), nb::arg("seed"), nb::arg("stems"), nb::arg("levels"));
}

void bind_call(nb::module_& m) {
    nb::class_<cable_call>(m, "CableCall")
        .def(nb::init<>())
        .def_rw("cells", &cable_call::cells)
        .def_rw("dt", &cable_call::dt)
        .def_rw("initial", &cable_call::initial)
        .def_rw("celsius", &cable_call::celsius)
        .def_rw("q10", &cable_call::q10)
        .def_rw("e_na", &cable_call::e_na)
        .def_rw("e_k", &cable_call::e_k)
        .def_rw("threshold", &cable_call::threshold)
        .def_rw("method", &cable_call::method)
        .def_rw("sample_every", &cable_call::sample_every)
        .def_rw("membranes", &cable_call::membranes)
        .def_rw("clamps", &cable_call::clamps)
        .def_rw("probes", &cable_call::probes);
}

}  // namespace

void bind_cable(nb::module_& m) {
    bind_form(m);
    bind_call(m);
    nb::class_<cable_result>(m, "CableOutcome", "What some steps of a cable found out.")
        .def_ro("run", &cable_result::run, "Report of what ran.")
        .def_ro("steps", &cable_result::steps, "Steps that were taken.")
        .def_ro("samples", &cable_result::samples, "Samples of each probe.")
        .def_ro("times", &cable_result::times, "Of the samples [ms].")
        .def_ro("spikes", &cable_result::spikes, "Times of each probe [ms].")
        .def_ro("diverged", &cable_result::diverged, "The first cell that is not finite; -1: none.")
        .def("put_voltages",
             [](const cable_result& r, const output& to) { put("voltages", r.voltages, to); });
    nb::class_<cable>(m, "LivingCable", "Cells at some time.")
        .def("__init__", [](cable* at, const cable_form& form,
                            const cable_call& call) { new (at) cable(form.model, options_of(call)); })
        .def("run",
             [](cable& c, const place& p, index_t steps, const std::string& variant) {
                 const nb::gil_scoped_release release;
                 return c.run(p.where, steps, variant);
             })
        .def("steps_until", &cable::steps_until, nb::arg("time"))
        .def_prop_ro("time", &cable::time)
        .def("put_state", [](cable& c, const output& voltages) { put("voltages", c.voltages(), voltages); })
        .def("put_gates", [](cable& c, const output& gates) { put("gates", c.gates(), gates); })
        .def("reset", [](cable& c) { c.reset(); });
}

}  // namespace wale::python
