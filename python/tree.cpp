// tree - chains and trees over arrays. Python says where their vectors lie (VectorShape); the GIL is released
// around every computation.
#include "chains.hpp"
#include "few_or_many.hpp"
#include "plain_arrays.hpp"

namespace wale::python {
namespace {

/// The shape for one array: its type, and whether all of the vectors are in it.
template <class Array>
vector_shape shape_of(const place& p, const char* name, const Array& array, const vector_shape& wanted) {
    vector_shape s = wanted;
    s.type = scalar_of(p.where, name, array);
    if (s.size < 0 || s.count < 0 || s.stride < 0 || s.width < 1 ||
        s.span_elements() > static_cast<index_t>(array.size()))
        throw bad_argument(std::string(name) + ": has " + std::to_string(array.size()) +
                           " elements, expected " + std::to_string(s.span_elements()));
    return s;
}
const_vectors seen(const place& p, const char* name, const input& array, const vector_shape& wanted) {
    return {array.data(), shape_of(p, name, array, wanted)};
}
vectors written(const place& p, const char* name, const output& array, const vector_shape& wanted) {
    return {array.data(), shape_of(p, name, array, wanted)};
}

tridiagonal_result solve_chains(const place& p, const input& dl, const input& d, const input& du,
                                const output& x, const vector_shape& matrix, const vector_shape& rhs,
                                const tridiagonal_options& options) {
    const const_vectors lower = seen(p, "dl", dl, matrix), diagonal = seen(p, "d", d, matrix),
                        upper = seen(p, "du", du, matrix);
    const vectors solution = written(p, "b", x, rhs);
    const released_gil release;
    return tridiagonal_solve(p.where, lower, diagonal, upper, solution, options);
}

double chain_residual(const place& p, const input& dl, const input& d, const input& du, const input& b,
                      const input& x, const vector_shape& matrix, const vector_shape& rhs,
                      const tridiagonal_options& options) {
    const const_vectors lower = seen(p, "dl", dl, matrix), diagonal = seen(p, "d", d, matrix),
                        upper = seen(p, "du", du, matrix), right = seen(p, "b", b, rhs),
                        solution = seen(p, "x", x, rhs);
    const released_gil release;
    return tridiagonal_residual(p.where, lower, diagonal, upper, right, solution, options);
}

tridiagonal_factors factor_chains(const place& p, const input& dl, const input& d, const input& du,
                                  const vector_shape& matrix, const tridiagonal_options& options) {
    const const_vectors lower = seen(p, "dl", dl, matrix), diagonal = seen(p, "d", d, matrix),
                        upper = seen(p, "du", du, matrix);
    const released_gil release;
    return {p.where, lower, diagonal, upper, options};
}

tridiagonal_result solve_factored(const tridiagonal_factors& f, const place& p, const output& x,
                                  const vector_shape& rhs, bool transposed) {
    const vectors solution = written(p, "b", x, rhs);
    const released_gil release;
    return f.solve(solution, {.transposed = transposed});
}

/// The vectors of NumPy's array on the host: along its last axis, or `interleaved` along the first one; none
/// of another array.
std::optional<vector_shape> plain_shape(const plain_array& a, bool interleaved) {
    const Py_buffer& v = a.view;
    if (!a.type || v.ndim < 1 || v.ndim > 2 || v.len == 0 || !a.packed()) return std::nullopt;
    vector_shape s{.type = *a.type, .size = v.shape[interleaved ? 0 : v.ndim - 1]};
    s.count = v.len / v.itemsize / s.size;
    s.layout = interleaved ? vector_layout::interleaved : vector_layout::flat;
    s.stride = interleaved ? s.count : s.size;
    return s;
}
bool alike(const plain_array& a, const plain_array& b) {
    return a.type == b.type && a.view.ndim == b.view.ndim && b.packed() &&
           std::equal(a.view.shape, a.view.shape + a.view.ndim, b.view.shape);
}

/// The right sides beside vectors `d`: of the same axes, or of one more, columns of a system. None of another
/// array.
std::optional<vector_shape> right_shape(const plain_array& d, const vector_shape& of, const plain_array& b) {
    if (alike(d, b)) return of;
    const bool columns = of.layout == vector_layout::flat && b.type == d.type && b.packed() &&
                         b.view.ndim == d.view.ndim + 1 && b.view.len > 0 &&
                         std::equal(d.view.shape, d.view.shape + d.view.ndim, b.view.shape);
    if (!columns) return std::nullopt;
    const index_t sides = b.view.shape[d.view.ndim];
    if (sides == 1) return of;
    vector_shape s = of;
    s.layout = vector_layout::block_interleaved;
    s.count = of.count * sides;
    s.stride = 0;
    s.width = sides;
    return s;
}

/// Couplings beside `d`, or those without the elements that are not used, which `memory` gets.
const void* couplings_beside(const plain_array& d, const vector_shape& of, const plain_array& a,
                             index_t first, few_or_many<char, 1024>& memory) {
    if (alike(d, a)) return a.view.buf;
    const bool interleaved = of.layout == vector_layout::interleaved;
    const int axis = interleaved ? 0 : d.view.ndim - 1;
    if (a.type != d.type || a.view.ndim != d.view.ndim || !a.packed() || a.view.shape[axis] + 1 != of.size ||
        a.view.len + of.count * a.view.itemsize != d.view.len)
        return nullptr;
    memory.resize(static_cast<std::size_t>(d.view.len));
    std::fill(memory.begin(), memory.end(), 0);
    const index_t lines = interleaved ? 1 : of.count, line = a.view.len / lines;
    char* to = memory.data() + first * a.view.itemsize * (interleaved ? of.count : 1);
    for (index_t l = 0; line > 0 && l < lines; ++l, to += d.view.len / lines)
        std::memcpy(to, static_cast<const char*>(a.view.buf) + l * line, static_cast<std::size_t>(line));
    return memory.data();
}

constexpr index_t few_unknowns = 256;  // of a few microseconds, for which the GIL is kept

}  // namespace

bool plain_chains(nb::handle dl, nb::handle d, nb::handle du, nb::handle b, nb::handle x, bool interleaved,
                  const tridiagonal_options& options, bool verify, int threads, index_t most_elements) {
    const plain_array lower(dl), diagonal(d), upper(du), right(b), solution(x, true);
    const auto shape = plain_shape(diagonal, interleaved);
    if (!shape || !alike(right, solution)) return false;
    const auto sides = right_shape(diagonal, *shape, right);
    if (!sides || sides->elements() > most_elements) return false;
    const auto short_of_one = [&](const plain_array& a) { return a.view.len < diagonal.view.len; };
    if (options.periodic && (short_of_one(lower) || short_of_one(upper))) return false;
    few_or_many<char, 1024> few_below, few_above;
    const const_vectors below{couplings_beside(diagonal, *shape, lower, 1, few_below), *shape},
        middle{diagonal.view.buf, *shape},
        above{couplings_beside(diagonal, *shape, upper, 0, few_above), *shape};
    if (below.data == nullptr || above.data == nullptr) return false;
    const released_gil release(sides->elements() > few_unknowns);
    const vectors answer{solution.view.buf, *sides};
    const const_vectors given{right.view.buf, *sides};
    tridiagonal_result r = tridiagonal_solve(host(threads), below, middle, above, given, answer, options);
    if (r.first_bad_system >= 0) return false;
    if (verify && !(tridiagonal_residual(host(threads), below, middle, above, given, answer, options) <=
                    good_backward_error(shape->type)))
        return false;
    remember(std::move(r.run));
    return true;
}

namespace {

/// plain_chains() of trees.
bool plain_trees(const hines_plan& plan, nb::handle d, nb::handle u, nb::handle l, nb::handle b, nb::handle x,
                 bool interleaved, bool transposed, bool verify, int threads) {
    const plain_array diagonal(d), upper(u), lower(l), right(b), solution(x, true);
    const auto shape = plain_shape(diagonal, interleaved);
    if (!shape || is_complex(shape->type) || shape->size != plan.size()) return false;
    for (const plain_array* a : {&upper, &lower, &right, &solution})
        if (!alike(diagonal, *a)) return false;
    const const_vectors middle{diagonal.view.buf, *shape}, above{upper.view.buf, *shape},
        below{lower.view.buf, *shape};
    const released_gil release(shape->size * shape->count > few_unknowns);
    const vectors answer{solution.view.buf, *shape};
    hines_result r =
        hines_solve(host(threads), plan, middle, above, below, answer, {.transposed = transposed});
    if (r.first_bad_system >= 0) return false;
    if (verify &&
        !(hines_residual(host(threads), plan, middle, above, below, const_vectors{right.view.buf, *shape},
                         answer, transposed) <= good_backward_error(shape->type)))
        return false;
    remember(std::move(r.run));
    return true;
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
    return {part("dl", a.dl, 1), part("d", a.d, 0), part("du", a.du, 1), part("du2", a.du2, 2),
            elements<std::int32_t>(p.where, "ipiv", a.pivots, a.size * a.count)};
}

tridiagonal_result factor_lapack(const place& p, const lapack_arrays& arrays, const output& status,
                                 const std::string& variant) {
    const tridiagonal_lu a = lapack_form(p, arrays);
    auto* const info = elements<std::int64_t>(p.where, "info", status, arrays.count);
    const released_gil release;
    return tridiagonal_factor(p.where, a, {.variant = variant, .status = info});
}

tridiagonal_result solve_lapack(const place& p, const lapack_arrays& arrays, const output& x,
                                const vector_shape& rhs, bool transposed, const std::string& variant) {
    const tridiagonal_lu a = lapack_form(p, arrays);
    const vectors solution = written(p, "b", x, rhs);
    const released_gil release;
    return tridiagonal_solve(p.where, a, solution, {.variant = variant, .transposed = transposed});
}

hines_plan plan_of(const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& parent,
                   bool forest) {
    const released_gil release;
    return hines_plan({parent.data(), parent.size()}, {.forest = forest});
}

hines_result solve_trees(const place& p, const hines_plan& plan, const input& d, const input& u,
                         const input& l, const output& x, const std::optional<output>& eliminated,
                         const vector_shape& shape, const std::string& variant, bool transposed) {
    const const_vectors diagonal = seen(p, "diagonal", d, shape), upper = seen(p, "upper", u, shape),
                        lower = seen(p, "lower", l, shape);
    const vectors solution = written(p, "rhs", x, shape);
    hines_options options{.variant = variant, .transposed = transposed};
    if (eliminated) options.eliminated = written(p, "eliminated", *eliminated, shape);
    const released_gil release;
    return hines_solve(p.where, plan, diagonal, upper, lower, solution, options);
}

double trees_residual(const place& p, const hines_plan& plan, const input& d, const input& u, const input& l,
                      const input& b, const input& x, const vector_shape& shape, bool transposed) {
    const const_vectors diagonal = seen(p, "diagonal", d, shape), upper = seen(p, "upper", u, shape),
                        lower = seen(p, "lower", l, shape), right = seen(p, "rhs", b, shape),
                        solution = seen(p, "x", x, shape);
    const released_gil release;
    return hines_residual(p.where, plan, diagonal, upper, lower, right, solution, transposed);
}

}  // namespace

void bind_tree(nb::module_& m) {
    nb::class_<vector_shape>(m, "VectorShape")
        .def(
            "__init__",
            [](vector_shape* at, const std::string& layout, index_t size, index_t count, index_t stride,
               index_t width) {
                new (at) vector_shape{.layout = named<vector_layout>("layout", layout),
                                      .size = size,
                                      .count = count,
                                      .stride = stride,
                                      .width = width};
            },
            nb::arg("layout"), nb::arg("size"), nb::arg("count"), nb::arg("stride"), nb::arg("width"));
    bind_options<tridiagonal_options>(m, "ChainOptions");
    bind_result<tridiagonal_result>(m, "ChainOutcome", "What became of chains.");
    bind_result<hines_result>(m, "HinesOutcome", "What became of trees.");
    m.def("solve_chains", &solve_chains, nb::arg("where"), nb::arg("dl"), nb::arg("d"), nb::arg("du"),
          nb::arg("x"), nb::arg("matrix"), nb::arg("rhs"), nb::arg("options"));
    m.def(
        "plain_chains",
        [](nb::handle dl, nb::handle d, nb::handle du, nb::handle b, nb::handle x, bool interleaved,
           const tridiagonal_options& options, bool verify,
           int threads) { return plain_chains(dl, d, du, b, x, interleaved, options, verify, threads); },
        nb::arg("dl"), nb::arg("d"), nb::arg("du"), nb::arg("b"), nb::arg("x"), nb::arg("interleaved"),
        nb::arg("options"), nb::arg("verify"), nb::arg("threads"));
    m.def("plain_trees", &plain_trees, nb::arg("plan"), nb::arg("diagonal"), nb::arg("upper"),
          nb::arg("lower"), nb::arg("rhs"), nb::arg("x"), nb::arg("interleaved"), nb::arg("transposed"),
          nb::arg("verify"), nb::arg("threads"));
    m.def("chain_residual", &chain_residual, nb::arg("where"), nb::arg("dl"), nb::arg("d"), nb::arg("du"),
          nb::arg("b"), nb::arg("x"), nb::arg("matrix"), nb::arg("rhs"), nb::arg("options"));
    nb::class_<tridiagonal_factors>(m, "ChainFactors")
        .def_prop_ro("outcome", &tridiagonal_factors::result)
        .def_prop_ro("bytes", &tridiagonal_factors::bytes)
        .def("solve", &solve_factored, nb::arg("where"), nb::arg("x"), nb::arg("rhs"), nb::arg("transposed"));
    m.def("factor_chains", &factor_chains, nb::arg("where"), nb::arg("dl"), nb::arg("d"), nb::arg("du"),
          nb::arg("matrix"), nb::arg("options"));
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
