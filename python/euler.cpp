// euler - meshes and flows: options, runs and what they found. The GIL is released while a flow runs.
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <wale/verification.hpp>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// A copy for NumPy to own.
template <class T>
nb::ndarray<nb::numpy, T> array_of(const std::vector<T>& from, std::vector<std::size_t> shape) {
    auto copy = std::make_unique<T[]>(from.size());
    std::copy(from.begin(), from.end(), copy.get());
    T* data = copy.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

std::size_t size_of(index_t n) {
    return static_cast<std::size_t>(n);
}

using doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using integers = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;

std::vector<euler_state> states_of(const doubles& a) {
    if (a.ndim() != 2 || a.shape(1) != 5) throw bad_argument("state: expected an array of shape [cells, 5]");
    std::vector<euler_state> s(a.shape(0));
    for (std::size_t i = 0; i < s.size(); ++i) std::copy_n(a.data() + 5 * i, 5, s[i].begin());
    return s;
}

using named_integers = std::vector<std::pair<std::string, integers>>;

/// Rows of `corners`, each a cell or an element of a patch.
template <class Elements>
void append_rows(Elements& to, const char* name, const integers& corners, std::size_t expected) {
    if (corners.ndim() != 2 || (expected != 0 && corners.shape(1) != expected))
        throw bad_argument(std::string(name) +
                           (expected != 0 ? ": expected shape [cells, " + std::to_string(expected) + "]"
                                          : ": expected shape [elements, corners]"));
    to.corners.insert(to.corners.end(), corners.data(), corners.data() + corners.size());
    for (std::size_t i = 0; i < corners.shape(0); ++i)
        to.first_corner.push_back(to.first_corner.back() + static_cast<index_t>(corners.shape(1)));
}

/// Cells [cells, corners] of each shape, and patches of name, corners [elements, corners]; those of one name
/// are one patch.
std::unique_ptr<mesh> built(const doubles& points, const named_integers& blocks,
                            const named_integers& patches) {
    mesh_elements e{.name = "the arrays", .dimensions = 2};
    if (points.ndim() != 2 || points.shape(1) != 3) throw bad_argument("points: expected shape [points, 3]");
    e.points.assign(points.data(), points.data() + points.size());
    for (const auto& [shape, cells] : blocks) {
        const auto s = named<cell_shape>("shape", shape);
        e.dimensions = dimensions_of(s);
        append_rows(e, "cells", cells, size_of(corners_of(s)));
        e.shapes.resize(e.shapes.size() + cells.shape(0), s);
    }
    for (const auto& [name, corners] : patches) {
        const auto same = [&word = name](const mesh_elements::patch& p) { return p.name == word; };
        const auto known = std::find_if(e.patches.begin(), e.patches.end(), same);
        mesh_elements::patch& p = known == e.patches.end() ? e.patches.emplace_back() : *known;
        p.name = name;
        append_rows(p, "patches", corners, 0);
    }
    const released_gil release;
    return std::make_unique<mesh>(build_mesh(e));
}

void save_mesh(const mesh& m, const std::string& path, const std::string& format) {
    const released_gil release;
    output_file out(path);
    if (format == "vtu")
        write_vtu(out, m, {});
    else
        write_mesh(out, m, named<mesh_format>("format", format));
    out.commit();
}

void bind_mesh(nb::module_& m) {
    bind_result<mesh_report>(m, "MeshReport", "What a check of a mesh found.");
    bind_options<mesh_recipe>(m, "MeshRecipe");
    m.def(
        "generate_flow_mesh",
        [](const mesh_recipe& recipe) {
            const released_gil release;
            return std::make_unique<mesh>(generate_mesh(recipe));
        },
        nb::arg("recipe"));
    nb::class_<mesh>(m, "FlowMesh", "Cells and the faces between them.")
        .def_prop_ro("cells", &mesh::cells)
        .def_prop_ro("rows", &mesh::rows)
        .def_ro("dimensions", &mesh::dimensions)
        .def_ro("patches", &mesh::patches)
        .def_ro("normal_scale", &mesh::normal_scale)
        .def_prop_ro("has_points", &mesh::has_points)
        .def("first_face", [](const mesh& g) { return array_of(g.first_face, {g.first_face.size()}); })
        .def("neighbour", [](const mesh& g) { return array_of(g.neighbour, {size_of(g.rows())}); })
        .def("normal",
             [](const mesh& g) {
                 return array_of(g.normal, {size_of(g.rows()), 3});
             })
        .def("volume", [](const mesh& g) { return array_of(g.volume, {size_of(g.cells())}); })
        .def("centre",
             [](const mesh& g) {
                 return array_of(g.centre, {g.centre.size() / 3, 3});
             })
        .def("points",
             [](const mesh& g) {
                 return array_of(g.points, {g.points.size() / 3, 3});
             })
        .def("first_corner", [](const mesh& g) { return array_of(g.first_corner, {g.first_corner.size()}); })
        .def("corners", [](const mesh& g) { return array_of(g.corners, {g.corners.size()}); })
        .def("recover", [](mesh& g) { return recover_points(g).mismatch; })
        .def("renumbered",
             [](const mesh& g, const std::string& order) {
                 return std::make_unique<mesh>(
                     renumbered(g, order_cells(g, named<cell_order>("order", order))));
             })
        .def("partition",
             [](const mesh& g, int parts) { return array_of(partition(g, parts), {size_of(g.cells())}); })
        .def("inspect", [](const mesh& g) { return inspect(g); })
        .def("save", &save_mesh, nb::arg("path"), nb::arg("format"));
    m.def(
        "read_flow_mesh",
        [](const std::string& path, bool open_ends) {
            const released_gil release;
            return std::make_unique<mesh>(read_mesh(path, {.open_ends = open_ends}));
        },
        nb::arg("path"), nb::arg("open_ends"));
    m.def("build_flow_mesh", &built, nb::arg("points"), nb::arg("blocks"), nb::arg("patches"));
}

std::vector<std::vector<double>> table_of(const std::vector<euler_sample>& history) {
    std::vector<std::vector<double>> rows;
    for (const euler_sample& s : history) {
        std::vector<double>& r = rows.emplace_back();
        r = {static_cast<double>(s.iteration), s.time};
        r.insert(r.end(), s.residual.begin(), s.residual.end());
        r.insert(r.end(), {s.drag, s.lift, s.side});
        r.insert(r.end(), s.moment.begin(), s.moment.end());
        r.insert(r.end(), std::begin(s.total), std::end(s.total));
    }
    return rows;
}

auto states_array(const std::vector<euler_state>& state) {
    std::vector<double> flat;
    flat.reserve(5 * state.size());
    for (const euler_state& s : state) flat.insert(flat.end(), s.begin(), s.end());
    return array_of(flat, {state.size(), 5});
}

void bind_case(nb::module_& m) {
    bind_options<euler_stream>(m, "FlowStream");
    bind_options<euler_scheme>(m, "FlowScheme").def_static("rodinia", [] { return euler_scheme::rodinia(); });
    bind_options<euler_patch>(m, "FlowPatch");
    bind_options<euler_options>(m, "FlowOptions")
        .def_rw("stream", &euler_options::stream)
        .def_rw("scheme", &euler_options::scheme)
        .def_rw("patches", &euler_options::patches)
        .def("set_order",
             [](euler_options& o, const std::string& order) { o.order = named<cell_order>("order", order); });
    nb::class_<euler_setup>(m, "FlowSetup", "A case from its file.")
        .def_ro("iterations", &euler_setup::iterations)
        .def_ro("options", &euler_setup::options)
        .def_prop_ro("start", [](const euler_setup& s) { return std::string(name_of(s.start)); })
        .def_ro("restart", &euler_setup::start_path)
        .def("mesh", [](const euler_setup& s) {
            const released_gil release;
            return std::make_unique<mesh>(mesh_of(s));
        });
    m.def("read_flow_setup", [](const std::string& path) { return read_euler_setup(path); });
    bind_result<euler_result>(m, "FlowOutcome", "What some iterations of a flow found out.");
    nb::class_<euler_case>(m, "FlowCase", "A flow at some iteration.")
        .def("__init__",
             [](euler_case* at, const mesh& grid, const euler_options& options) {
                 // Complete before Python owns the object: Python does not destroy what a constructor left
                 // half done.
                 euler_case flow(grid, options);
                 new (at) euler_case(std::move(flow));
             })
        .def(
            "start",
            [](euler_case& c, const std::string& start) {
                c.set_state(starting_state(c.grid(), c.options().stream, named<euler_start>("start", start)));
            })
        .def(
            "run",
            [](euler_case& c, const place& p, index_t iterations, const std::string& variant,
               const std::function<bool(index_t, double)>& watch) {
                const released_gil release;
                return c.run(p.where, iterations, variant, [&](const euler_sample& s) {
                    const nb::gil_scoped_acquire acquire;
                    if (PyErr_CheckSignals() != 0) throw nb::python_error();
                    return !watch || watch(s.iteration, s.residual[0]);
                });
            },
            nb::arg("where"), nb::arg("iterations"), nb::arg("variant"), nb::arg("watch").none())
        .def_prop_ro("iteration", &euler_case::iteration)
        .def_prop_ro("time", &euler_case::time)
        .def("state", [](euler_case& c) { return states_array(c.state()); })
        .def("set_state",
             [](euler_case& c, const doubles& state) {
                 c.set_state(states_of(state), c.iteration(), c.time());
             })
        .def("take_over",
             [](euler_case& c, euler_case& from) {
                 c.set_state(from.state(), from.iteration(), from.time());
                 c.set_history(from.history());
             })
        .def("residual", [](euler_case& c) { return states_array(c.residual()); })
        .def("warnings", &euler_case::warnings)
        .def("verdict",
             [](euler_case& c) {
                 const released_gil release;
                 const euler_verdict v = verdict_of(c);
                 return std::tuple(v.flaw, v.mass_in, v.mass_out, v.mass_change);
             })
        .def("forces",
             [](euler_case& c) {
                 const released_gil release;
                 std::vector<std::tuple<std::string, double, double, double, std::array<double, 3>>> all;
                 for (const euler_force& f : c.forces())
                     all.emplace_back(f.patch, f.drag, f.lift, f.side, f.moment);
                 return all;
             })
        .def("largest_residual",
             [](euler_case& c) {
                 const euler_place p = c.largest_residual();
                 return std::tuple(p.cell, p.at, p.residual);
             })
        .def("quantity",
             [](euler_case& c, const std::string& name) {
                 const auto values =
                     quantity(named<euler_quantity>("quantity", name), c.state(), c.options().stream);
                 return array_of(values, {values.size()});
             })
        .def("history", [](const euler_case& c) { return table_of(c.history()); })
        .def("save",
             [](euler_case& c, const std::string& path) {
                 output_file out(path);
                 write_checkpoint(out, checkpoint_of(c));
                 out.commit();
             })
        .def("restore", [](euler_case& c, const std::string& path) { restore(c, read_checkpoint(path)); })
        .def("write_vtu", [](euler_case& c, const std::string& path, bool surface) {
            output_file out(path);
            write_flow(out, c, surface);
            out.commit();
        });
}

}  // namespace

void bind_euler(nb::module_& m) {
    bind_mesh(m);
    bind_case(m);
    m.def(
        "flow_slice",
        [](const mesh& grid, const doubles& values, int axis, double at, index_t columns, index_t rows) {
            const slice s = cut(grid, {values.data(), values.size()},
                                {.axis = axis, .at = at, .columns = columns, .rows = rows});
            return array_of(s.values, {size_of(rows), size_of(columns)});
        },
        nb::arg("mesh"), nb::arg("values"), nb::arg("axis"), nb::arg("at"), nb::arg("columns"),
        nb::arg("rows"));
}

}  // namespace wale::python
