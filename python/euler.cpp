// euler - meshes and flows. Python says a case in the words of its TOML file; the GIL is released while it
// runs.
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <tuple>

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

template <class Enum>
Enum word_of(const std::string& word, int count, const char* what) {
    std::string list;
    for (int i = 0; i < count; ++i) {
        const auto e = static_cast<Enum>(i);
        if (word == name_of(e)) return e;
        list += (i > 0 ? ", " : "") + std::string(name_of(e));
    }
    throw bad_argument(std::string(what) + ": is '" + word + "', expected one of " + list);
}

/// Cells of one shape, and patches of name, corners [elements, corners].
std::unique_ptr<mesh> built(const doubles& points, const std::string& shape, const integers& cells,
                            const std::vector<std::pair<std::string, integers>>& patches) {
    const auto s = word_of<cell_shape>(shape, 6, "shape");
    mesh_elements e{.name = "the arrays", .dimensions = dimensions_of(s)};
    const auto wide = size_of(corners_of(s));
    if (points.ndim() != 2 || points.shape(1) != 3) throw bad_argument("points: expected shape [points, 3]");
    if (cells.ndim() != 2 || cells.shape(1) != wide)
        throw bad_argument("cells: expected shape [cells, " + std::to_string(wide) + "]");
    e.points.assign(points.data(), points.data() + points.size());
    e.corners.assign(cells.data(), cells.data() + cells.size());
    e.shapes.assign(cells.shape(0), s);
    for (std::size_t i = 1; i <= cells.shape(0); ++i)
        e.first_corner.push_back(static_cast<index_t>(i * wide));
    for (const auto& [name, corners] : patches) {
        if (corners.ndim() != 2) throw bad_argument("patches: expected shape [elements, corners]");
        mesh_elements::patch& p = e.patches.emplace_back();
        p.name = name;
        p.corners.assign(corners.data(), corners.data() + corners.size());
        for (std::size_t i = 1; i <= corners.shape(0); ++i)
            p.first_corner.push_back(static_cast<index_t>(i * corners.shape(1)));
    }
    const nb::gil_scoped_release release;
    return std::make_unique<mesh>(build_mesh(e));
}

void save_mesh(const mesh& m, const std::string& path, const std::string& format) {
    const nb::gil_scoped_release release;
    output_file out(path);
    if (format == "vtu")
        write_vtu(out, m, {});
    else
        write_mesh(out, m, word_of<mesh_format>(format, 5, "format"));
    out.commit();
}

using report_words =
    std::tuple<std::string, index_t, index_t, index_t, double, double, double, double, index_t>;

void bind_mesh(nb::module_& m) {
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
                     renumbered(g, order_cells(g, word_of<cell_order>(order, 4, "order"))));
             })
        .def("partition",
             [](const mesh& g, int parts) { return array_of(partition(g, parts), {size_of(g.cells())}); })
        .def("inspect",
             [](const mesh& g) {
                 const mesh_report r = inspect(g);
                 return report_words{r.verdict,     r.open_cells, r.not_mutual,  r.not_positive, r.closure,
                                     r.reciprocity, r.volume,     r.area_factor, r.bandwidth};
             })
        .def("save", &save_mesh, nb::arg("path"), nb::arg("format"));
    m.def(
        "read_flow_mesh",
        [](const std::string& path, bool open_ends) {
            const nb::gil_scoped_release release;
            return std::make_unique<mesh>(read_mesh(path, {.open_ends = open_ends}));
        },
        nb::arg("path"), nb::arg("open_ends"));
    m.def("build_flow_mesh", &built, nb::arg("points"), nb::arg("shape"), nb::arg("cells"),
          nb::arg("patches"));
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
    nb::class_<euler_setup>(m, "FlowSetup", "A case as its file says it.")
        .def_ro("iterations", &euler_setup::iterations)
        .def("mesh", [](const euler_setup& s) {
            const nb::gil_scoped_release release;
            return std::make_unique<mesh>(mesh_of(s));
        });
    m.def("parse_flow_setup",
          [](const std::string& text, const std::string& name) { return parse_euler_setup(text, name); });
    m.def("read_flow_setup", [](const std::string& path) { return read_euler_setup(path); });
    nb::class_<euler_result>(m, "FlowOutcome", "What some iterations of a flow found out.")
        .def_ro("run", &euler_result::run, "Report of what ran.")
        .def_ro("iterations", &euler_result::iterations, "Iterations that were taken.")
        .def_ro("decades", &euler_result::decades, "Powers of ten by which the residual of density fell.")
        .def_ro("bad_cell", &euler_result::bad_cell, "The first cell that is no gas; -1: none.")
        .def_ro("bad_iteration", &euler_result::bad_iteration, "The iteration that made it so; -1: none.")
        .def_prop_ro("end", [](const euler_result& r) { return std::string(name_of(r.end)); });
    nb::class_<euler_case>(m, "LivingFlow", "A flow at some iteration.")
        .def("__init__",
             [](euler_case* at, const mesh& grid, const euler_setup& setup) {
                 // Made whole before it is Python's, who forgets what a constructor leaves half done.
                 euler_case flow(grid, setup.options);
                 if (!setup.start_path.empty())
                     restore(flow, read_checkpoint(setup.start_path));
                 else if (setup.start != euler_start::stream)
                     flow.set_state(starting_state(flow.grid(), setup.options.stream, setup.start));
                 new (at) euler_case(std::move(flow));
             })
        .def(
            "run",
            [](euler_case& c, const place& p, index_t iterations, const std::string& variant,
               const std::function<bool(index_t, double)>& watch) {
                const nb::gil_scoped_release release;
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
        .def("residual", [](euler_case& c) { return states_array(c.residual()); })
        .def("warnings", &euler_case::warnings)
        .def("largest_residual",
             [](euler_case& c) {
                 const euler_place p = c.largest_residual();
                 return std::tuple(p.cell, p.at, p.residual);
             })
        .def("quantity",
             [](euler_case& c, const std::string& name) {
                 const auto values =
                     quantity(word_of<euler_quantity>(name, 7, "quantity"), c.state(), c.options().stream);
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
