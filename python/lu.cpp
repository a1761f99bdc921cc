// lu - the solver's functions over arrays. The GIL is released around every computation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// What Python says of a factorisation.
struct factor_call {
    std::string variant = "automatic";
    std::string pivoting = "partial";
    double perturbation = 0;
    bool growth = false;
    bool condition = false;
};

lu_options options_of(const factor_call& c) {
    lu_options o;
    o.variant = c.variant;
    o.perturbation = c.perturbation;
    o.growth = c.growth;
    o.condition = c.condition;
    for (const auto& [name, kind] :
         {std::pair{"none", pivoting::none}, std::pair{"partial", pivoting::partial},
          std::pair{"tournament", pivoting::tournament}})
        if (c.pivoting == name) {
            o.pivoting = kind;
            return o;
        }
    throw bad_argument("pivoting: is '" + c.pivoting + "', expected none, partial or tournament");
}

/// The array's axes as [matrices,] rows, columns; rows or columns are contiguous.
template <class Array>
matrix_shape shape_of(const execution& where, const char* name, const Array& array) {
    check_place(where, name, array.device_type(), array.device_id());
    if (array.ndim() != 2 && array.ndim() != 3)
        throw bad_argument(std::string(name) + ": has " + std::to_string(array.ndim()) +
                           " dimensions, expected 2 or 3");
    matrix_shape s;
    if (holds<float>(array))
        s.type = scalar::f32;
    else if (!holds<double>(array))
        throw bad_argument(std::string(name) + ": expected float32 or float64");
    const std::size_t last = array.ndim() - 1;
    s.rows = static_cast<index_t>(array.shape(last - 1));
    s.columns = static_cast<index_t>(array.shape(last));
    if (last == 2) s.count = static_cast<index_t>(array.shape(0));
    s.leading = s.columns;
    s.stride = s.rows * s.columns;
    if (array.size() == 0) return s;  // strides of nothing mean nothing
    const index_t down = array.stride(last - 1), right = array.stride(last);
    if (s.columns > 1 && right != 1) s.order = storage_order::column_major;
    const bool row_major = s.order == storage_order::row_major;
    if (!row_major && s.rows > 1 && down != 1)
        throw bad_argument(std::string(name) + ": expected contiguous rows or columns");
    s.leading = std::max<index_t>(s.line_size(), s.lines() > 1 ? (row_major ? down : right) : 0);
    s.stride = s.lines() * s.leading;
    if (s.count > 1) s.stride = array.stride(0);
    return s;
}

const_matrices seen(const place& p, const char* name, const input& array) {
    return {array.data(), shape_of(p.where, name, array)};
}
matrices written(const place& p, const char* name, const output& array) {
    return {array.data(), shape_of(p.where, name, array)};
}

/// The elements of a one-dimensional array of results; null for None.
template <class T>
T* results(const place& p, const char* name, const std::optional<output>& array, index_t size) {
    if (!array) return nullptr;
    check_place(p.where, name, array->device_type(), array->device_id());
    if (!holds<T>(*array) || static_cast<index_t>(array->size()) != size)
        throw bad_argument(std::string(name) + ": has " + std::to_string(array->size()) +
                           " elements, expected " + std::to_string(size) + " of its type");
    return static_cast<T*>(array->data());
}
const std::int32_t* pivots_of(const place& p, const input& array, const matrix_shape& factors) {
    check_place(p.where, "piv", array.device_type(), array.device_id());
    if (!holds<std::int32_t>(array) ||
        static_cast<index_t>(array.size()) != factors.count * factors.diagonal())
        throw bad_argument("piv: expected int32, one for each row of lu");
    return static_cast<const std::int32_t*>(array.data());
}

lu_result factor(const place& p, const output& a, const output& pivots, const std::optional<output>& sign,
                 const std::optional<output>& log_magnitude, const factor_call& call) {
    const matrices m = written(p, "a", a);
    lu_outputs out;
    out.pivots = results<std::int32_t>(p, "piv", pivots, m.count * m.diagonal());
    out.sign = results<double>(p, "sign", sign, m.count);
    out.log_magnitude = results<double>(p, "logabsdet", log_magnitude, m.count);
    const lu_options options = options_of(call);
    const nb::gil_scoped_release release;
    return lu_factor(p.where, m, out, options);
}

report solve(const place& p, const input& lu, const input& pivots, const output& b, bool transposed,
             const std::string& variant) {
    const const_matrices factors = seen(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const matrices right = written(p, "b", b);
    const nb::gil_scoped_release release;
    return lu_solve(p.where, factors, piv, right, {.variant = variant, .transposed = transposed}).run;
}

report invert(const place& p, const output& lu, const input& pivots, const std::string& variant) {
    const matrices factors = written(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const nb::gil_scoped_release release;
    return lu_inverse(p.where, factors, piv, {.variant = variant}).run;
}

double residual(const place& p, const input& a, const input& lu, const input& pivots) {
    const const_matrices original = seen(p, "a", a), factors = seen(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const nb::gil_scoped_release release;
    return lu_residual_ratio(p.where, original, factors, piv);
}

lu_refined_result refined(const place& p, const input& a, const input& b, const output& x,
                          const std::string& precision, int max_iterations, const std::string& variant) {
    lu_refined_options options{.variant = variant, .max_iterations = max_iterations};
    std::string names;
    bool known = false;
    for (const factor_precision f : {factor_precision::automatic, factor_precision::f16,
                                     factor_precision::tf32, factor_precision::f32, factor_precision::f64}) {
        names += std::string(names.empty() ? "" : ", ") + name_of(f);
        if (precision != name_of(f)) continue;
        options.precision = f;
        known = true;
    }
    if (!known) throw bad_argument("precision: is '" + precision + "', expected one of " + names);
    const const_matrices left = seen(p, "a", a), right = seen(p, "b", b);
    const matrices to = written(p, "x", x);
    const nb::gil_scoped_release release;
    return lu_solve_refined(p.where, left, right, to, options);
}

void bind_results(nb::module_& m) {
    nb::class_<factor_call>(m, "LuCall")
        .def(nb::init<>())
        .def_rw("variant", &factor_call::variant)
        .def_rw("pivoting", &factor_call::pivoting)
        .def_rw("perturbation", &factor_call::perturbation)
        .def_rw("growth", &factor_call::growth)
        .def_rw("condition", &factor_call::condition);
    nb::class_<lu_result>(m, "LuOutcome", "What became of a factorisation.")
        .def_ro("run", &lu_result::run, "Report of what ran.")
        .def_ro("singular", &lu_result::singular, "Matrices with a pivot that is exactly 0.")
        .def_ro("first_singular", &lu_result::first_singular, "The first such matrix; -1: none.")
        .def_ro("first_zero", &lu_result::first_zero, "Its first k with U[k, k] == 0; -1: none.")
        .def_ro("not_finite", &lu_result::not_finite, "Matrices with an infinite or NaN pivot.")
        .def_ro("perturbed", &lu_result::perturbed, "Pivots that were moved.")
        .def_ro("growth", &lu_result::growth, "max|U| / max|A|, the largest of all; -1: not measured.")
        .def_ro("reciprocal_condition", &lu_result::reciprocal_condition,
                "In the 1-norm, the smallest of all; -1: not asked.")
        .def_ro("diverged", &lu_result::diverged, "Unpivoted, and half of the digits or more are gone.");
    nb::class_<lu_refined_result>(m, "RefinedOutcome", "What became of a refined solve.")
        .def_ro("run", &lu_refined_result::run, "Report of what ran.")
        .def_prop_ro(
            "factored", [](const lu_refined_result& r) { return std::string(name_of(r.factored)); },
            "The precision of the factors that the answer came from.")
        .def_ro("fell_back", &lu_refined_result::fell_back, "The lower precision did not converge.")
        .def_ro("outcome", &lu_refined_result::outcome, "In words.")
        .def_ro("iterations", &lu_refined_result::iterations, "Of refinement.")
        .def_ro("backward_error", &lu_refined_result::backward_error, "max |b - A x| / (|A| |x| + |b|).")
        .def_ro("first_zero", &lu_refined_result::first_zero, "Of the f64 factors; -1: none.");
}

}  // namespace

void bind_lu(nb::module_& m) {
    bind_results(m);
    m.def("lu_factor", &factor, nb::arg("where"), nb::arg("a"), nb::arg("piv"), nb::arg("sign").none(),
          nb::arg("logabsdet").none(), nb::arg("call"));
    m.def("lu_solve", &solve, nb::arg("where"), nb::arg("lu"), nb::arg("piv"), nb::arg("b"),
          nb::arg("transposed"), nb::arg("variant"));
    m.def("lu_inverse", &invert, nb::arg("where"), nb::arg("lu"), nb::arg("piv"), nb::arg("variant"));
    m.def("lu_residual_ratio", &residual, nb::arg("where"), nb::arg("a"), nb::arg("lu"), nb::arg("piv"));
    m.def("lu_solve_refined", &refined, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("x"),
          nb::arg("precision"), nb::arg("max_iterations"), nb::arg("variant"));
}

}  // namespace wale::python
