// tree - chains and trees over arrays. Python says where their vectors lie (VectorShape); the GIL is released
// around every computation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// Where the vectors lie in an array.
struct said_shape {
    std::string layout = "flat";
    index_t size = 0, count = 1, stride = 0, width = 1;
};

/// What Python says of a call.
struct chain_call {
    std::string variant = "automatic";
    std::string pivoting = "partial";
    bool periodic = false;
    bool transposed = false;
};

tridiagonal_options options_of(const chain_call& c) {
    tridiagonal_options o;
    o.variant = c.variant;
    o.periodic = c.periodic;
    o.transposed = c.transposed;
    if (c.pivoting != "none" && c.pivoting != "partial")
        throw bad_argument("pivoting: is '" + c.pivoting + "', expected none or partial");
    o.pivoting = c.pivoting == "none" ? pivoting::none : pivoting::partial;
    return o;
}

/// The shape for one array: its type, and whether all of the vectors are in it.
template <class Array>
vector_shape shape_of(const place& p, const char* name, const Array& array, const said_shape& said) {
    check_place(p.where, name, array.device_type(), array.device_id());
    vector_shape s;
    if (holds<float>(array))
        s.type = scalar::f32;
    else if (!holds<double>(array))
        throw bad_argument(std::string(name) + ": expected float32 or float64");
    if (said.layout == "interleaved")
        s.layout = vector_layout::interleaved;
    else if (said.layout == "block_interleaved")
        s.layout = vector_layout::block_interleaved;
    s.size = said.size;
    s.count = said.count;
    s.stride = said.stride;
    s.width = said.width;
    if (s.size < 0 || s.count < 0 || s.stride < 0 || s.width < 1 ||
        s.span_elements() > static_cast<index_t>(array.size()))
        throw bad_argument(std::string(name) + ": has " + std::to_string(array.size()) +
                           " elements, expected " + std::to_string(s.span_elements()));
    return s;
}
const_vectors seen(const place& p, const char* name, const input& array, const said_shape& said) {
    return {array.data(), shape_of(p, name, array, said)};
}
vectors written(const place& p, const char* name, const output& array, const said_shape& said) {
    return {array.data(), shape_of(p, name, array, said)};
}

tridiagonal_result solve_chains(const place& p, const input& dl, const input& d, const input& du,
                                const output& x, const said_shape& matrix, const said_shape& rhs,
                                const chain_call& call) {
    const const_vectors lower = seen(p, "dl", dl, matrix), diagonal = seen(p, "d", d, matrix),
                        upper = seen(p, "du", du, matrix);
    const vectors solution = written(p, "b", x, rhs);
    const tridiagonal_options options = options_of(call);
    const nb::gil_scoped_release release;
    return tridiagonal_solve(p.where, lower, diagonal, upper, solution, options);
}

double chain_residual(const place& p, const input& dl, const input& d, const input& du, const input& b,
                      const input& x, const said_shape& matrix, const said_shape& rhs,
                      const chain_call& call) {
    const const_vectors lower = seen(p, "dl", dl, matrix), diagonal = seen(p, "d", d, matrix),
                        upper = seen(p, "du", du, matrix), right = seen(p, "b", b, rhs),
                        solution = seen(p, "x", x, rhs);
    const tridiagonal_options options = options_of(call);
    const nb::gil_scoped_release release;
    return tridiagonal_residual(p.where, lower, diagonal, upper, right, solution, options);
}

tridiagonal_factors factor_chains(const place& p, const input& dl, const input& d, const input& du,
                                  const said_shape& matrix, const chain_call& call) {
    const const_vectors lower = seen(p, "dl", dl, matrix), diagonal = seen(p, "d", d, matrix),
                        upper = seen(p, "du", du, matrix);
    const tridiagonal_options options = options_of(call);
    const nb::gil_scoped_release release;
    return {p.where, lower, diagonal, upper, options};
}

tridiagonal_result solve_factored(const tridiagonal_factors& f, const place& p, const output& x,
                                  const said_shape& rhs, bool transposed) {
    const vectors solution = written(p, "b", x, rhs);
    const nb::gil_scoped_release release;
    return f.solve(solution, {.transposed = transposed});
}

/// LAPACK's form: flat arrays.
struct lapack_arrays {
    output dl, d, du, du2, pivots;
    index_t size = 0, count = 0;
};
tridiagonal_lu lapack_form(const place& p, const lapack_arrays& a) {
    const auto part = [&](const char* name, const output& array, index_t less) {
        const index_t size = std::max<index_t>(a.size - less, 0);
        return written(p, name, array, {.size = size, .count = a.count, .stride = size});
    };
    if (!holds<std::int32_t>(a.pivots) || static_cast<index_t>(a.pivots.size()) != a.size * a.count)
        throw bad_argument("ipiv: expected int32, " + std::to_string(a.size * a.count) + " elements");
    return {part("dl", a.dl, 1), part("d", a.d, 0), part("du", a.du, 1), part("du2", a.du2, 2),
            static_cast<std::int32_t*>(a.pivots.data())};
}

tridiagonal_result factor_lapack(const place& p, const lapack_arrays& arrays, const output& status,
                                 const std::string& variant) {
    const tridiagonal_lu a = lapack_form(p, arrays);
    if (!holds<std::int64_t>(status) || static_cast<index_t>(status.size()) != arrays.count)
        throw bad_argument("info: expected int64, " + std::to_string(arrays.count) + " elements");
    const nb::gil_scoped_release release;
    return tridiagonal_factor(p.where, a,
                              {.variant = variant, .status = static_cast<std::int64_t*>(status.data())});
}

tridiagonal_result solve_lapack(const place& p, const lapack_arrays& arrays, const output& x,
                                const said_shape& rhs, bool transposed, const std::string& variant) {
    const tridiagonal_lu a = lapack_form(p, arrays);
    const vectors solution = written(p, "b", x, rhs);
    const nb::gil_scoped_release release;
    return tridiagonal_solve(p.where, a, solution, {.variant = variant, .transposed = transposed});
}

hines_plan plan_of(const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& parent,
                   bool forest) {
    const nb::gil_scoped_release release;
    return hines_plan({parent.data(), parent.size()}, {.forest = forest});
}

hines_result solve_trees(const place& p, const hines_plan& plan, const input& d, const input& u,
                         const input& l, const output& x, const std::optional<output>& eliminated,
                         const said_shape& shape, const std::string& variant, bool transposed) {
    const const_vectors diagonal = seen(p, "diagonal", d, shape), upper = seen(p, "upper", u, shape),
                        lower = seen(p, "lower", l, shape);
    const vectors solution = written(p, "rhs", x, shape);
    hines_options options{.variant = variant, .transposed = transposed};
    if (eliminated) options.eliminated = written(p, "eliminated", *eliminated, shape);
    const nb::gil_scoped_release release;
    return hines_solve(p.where, plan, diagonal, upper, lower, solution, options);
}

double trees_residual(const place& p, const hines_plan& plan, const input& d, const input& u, const input& l,
                      const input& b, const input& x, const said_shape& shape, bool transposed) {
    const const_vectors diagonal = seen(p, "diagonal", d, shape), upper = seen(p, "upper", u, shape),
                        lower = seen(p, "lower", l, shape), right = seen(p, "rhs", b, shape),
                        solution = seen(p, "x", x, shape);
    const nb::gil_scoped_release release;
    return hines_residual(p.where, plan, diagonal, upper, lower, right, solution, transposed);
}

template <class Result>
void bind_outcome(nb::module_& m, const char* name, const char* row) {
    nb::class_<Result>(m, name, "What became of a solve.")
        .def_ro("run", &Result::run, "Report of what ran.")
        .def_ro("first_bad_system", &Result::first_bad_system,
                "The first system with a pivot that was 0 or not finite; -1: none.")
        .def_ro("first_bad_row", &Result::first_bad_row, row);
}

}  // namespace

void bind_tree(nb::module_& m) {
    nb::class_<said_shape>(m, "VectorShape")
        .def(nb::init<std::string, index_t, index_t, index_t, index_t>(), nb::arg("layout"), nb::arg("size"),
             nb::arg("count"), nb::arg("stride"), nb::arg("width"));
    nb::class_<chain_call>(m, "ChainCall")
        .def(nb::init<>())
        .def_rw("variant", &chain_call::variant)
        .def_rw("pivoting", &chain_call::pivoting)
        .def_rw("periodic", &chain_call::periodic)
        .def_rw("transposed", &chain_call::transposed);
    bind_outcome<tridiagonal_result>(m, "ChainOutcome", "Its lowest such row.");
    bind_outcome<hines_result>(m, "HinesOutcome", "Its lowest such node.");
    m.def("solve_chains", &solve_chains, nb::arg("where"), nb::arg("dl"), nb::arg("d"), nb::arg("du"),
          nb::arg("x"), nb::arg("matrix"), nb::arg("rhs"), nb::arg("call"));
    m.def("chain_residual", &chain_residual, nb::arg("where"), nb::arg("dl"), nb::arg("d"), nb::arg("du"),
          nb::arg("b"), nb::arg("x"), nb::arg("matrix"), nb::arg("rhs"), nb::arg("call"));
    nb::class_<tridiagonal_factors>(m, "ChainFactors")
        .def_prop_ro("outcome", &tridiagonal_factors::result)
        .def_prop_ro("bytes", &tridiagonal_factors::bytes)
        .def("solve", &solve_factored, nb::arg("where"), nb::arg("x"), nb::arg("rhs"), nb::arg("transposed"));
    m.def("factor_chains", &factor_chains, nb::arg("where"), nb::arg("dl"), nb::arg("d"), nb::arg("du"),
          nb::arg("matrix"), nb::arg("call"));
    nb::class_<lapack_arrays>(m, "LapackArrays")
        .def(nb::init<output, output, output, output, output, index_t, index_t>(), nb::arg("dl"),
             nb::arg("d"), nb::arg("du"), nb::arg("du2"), nb::arg("ipiv"), nb::arg("size"), nb::arg("count"));
    m.def(
        "good_backward_error",
        [](bool single) { return good_backward_error(single ? scalar::f32 : scalar::f64); },
        nb::arg("single"));
    m.def("gttrf", &factor_lapack, nb::arg("where"), nb::arg("arrays"), nb::arg("status"),
          nb::arg("variant"));
    m.def("gttrs", &solve_lapack, nb::arg("where"), nb::arg("arrays"), nb::arg("x"), nb::arg("rhs"),
          nb::arg("transposed"), nb::arg("variant"));
    nb::class_<hines_plan>(m, "HinesPlan")
        .def_prop_ro("size", &hines_plan::size)
        .def_prop_ro("trees", &hines_plan::trees)
        .def_prop_ro("branches", &hines_plan::branches)
        .def_prop_ro("depth", &hines_plan::depth)
        .def_prop_ro("depth_first", &hines_plan::depth_first);
    m.def("hines_plan", &plan_of, nb::arg("parent"), nb::arg("forest"));
    m.def("solve_trees", &solve_trees, nb::arg("where"), nb::arg("plan"), nb::arg("diagonal"),
          nb::arg("upper"), nb::arg("lower"), nb::arg("x"), nb::arg("eliminated").none(), nb::arg("shape"),
          nb::arg("variant"), nb::arg("transposed"));
    m.def("trees_residual", &trees_residual, nb::arg("where"), nb::arg("plan"), nb::arg("diagonal"),
          nb::arg("upper"), nb::arg("lower"), nb::arg("rhs"), nb::arg("x"), nb::arg("shape"),
          nb::arg("transposed"));
}

}  // namespace wale::python
