// lu - the solver's functions over arrays. The GIL is released around every computation.
#include <complex>
#include <cstring>

#include "bindings.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

namespace wale::python {
namespace {

constexpr index_t short_work = 256;  // elements: of a few microseconds, for which the GIL is kept

/// The array's axes as [matrices,] rows, columns; rows or columns are contiguous.
template <class Array>
matrix_shape shape_of(const execution& where, const char* name, const Array& array) {
    matrix_shape s;
    s.type = scalar_of(where, name, array);
    if (array.ndim() == 1) {  // a vector: one column
        s.rows = static_cast<index_t>(array.shape(0));
        s.columns = s.leading = 1;
        s.stride = s.rows;
        if (s.rows > 1 && array.stride(0) != 1)
            throw bad_argument(std::string(name) + ": expected contiguous elements");
        return s;
    }
    if (array.ndim() != 2 && array.ndim() != 3)
        throw bad_argument(std::string(name) + ": has " + std::to_string(array.ndim()) +
                           " dimensions, expected 2 or 3");
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

/// The elements of an array of results; null for None.
template <class T>
T* results(const place& p, const char* name, const std::optional<output>& array, index_t size) {
    return array ? elements<T>(p.where, name, *array, size) : nullptr;
}
const std::int32_t* pivots_of(const place& p, const input& array, const matrix_shape& factors) {
    return elements<std::int32_t>(p.where, "piv", array, factors.count * factors.diagonal());
}

lu_result factor(const place& p, const output& a, const output& pivots, const std::optional<output>& sign,
                 const std::optional<output>& log_magnitude, const lu_options& options) {
    const matrices m = written(p, "a", a);
    lu_outputs out;
    out.pivots = results<std::int32_t>(p, "piv", pivots, m.count * m.diagonal());
    out.sign = is_complex(m.type)
                   ? reinterpret_cast<double*>(results<std::complex<double>>(p, "sign", sign, m.count))
                   : results<double>(p, "sign", sign, m.count);
    out.log_magnitude = results<double>(p, "logabsdet", log_magnitude, m.count);
    const released_gil release(m.rows * m.columns * m.count > short_work);
    lu_result r = lu_factor(p.where, m, out, options);
    remember(r.run);
    return r;
}

void solve(const place& p, const input& lu, const input& pivots, const output& b, int trans,
           const std::string& variant) {
    const const_matrices factors = seen(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const matrices right = written(p, "b", b);
    const released_gil release(factors.rows * factors.rows * factors.count * right.columns > short_work);
    remember(lu_solve(p.where, factors, piv, right,
                      {.variant = variant, .transposed = trans != 0, .conjugated = trans == 2})
                 .run);
}

/// A X = B without a trace of the factors: `a` stays as it is, `x` holds B and then X. On the host.
lu_result solve_system(const place& p, const input& a, const output& x, const std::string& variant,
                       const std::string& solve_variant) {
    const const_matrices from = seen(p, "a", a);
    const matrices right = written(p, "b", x);
    matrices factors{nullptr, static_cast<matrix_shape>(from)};
    factors.leading = factors.line_size();
    factors.stride = factors.lines() * factors.leading;
    const index_t item = bytes_of(from.type), line = factors.leading * item;
    const released_gil release(from.rows * from.columns * from.count > short_work);
    const memory copy(checked_bytes(checked_bytes(line, factors.lines()), factors.count), memory_space::host);
    factors.data = copy.data();
    auto* to = static_cast<char*>(copy.data());
    for (index_t k = 0; k < from.count; ++k)
        for (index_t l = 0; l < from.lines(); ++l, to += line)
            std::memcpy(to, static_cast<const char*>(from.data) + (k * from.stride + l * from.leading) * item,
                        static_cast<std::size_t>(line));
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(from.count * from.diagonal()));
    lu_result r = lu_factor(p.where, factors, pivots.data(), {.variant = variant});
    (void)lu_solve(p.where, factors, pivots.data(), right, {.variant = solve_variant});
    remember(r.run);
    return r;
}

/// A square matrix of float64 in host memory, by rows; none of another argument, which others look at.
class plain_matrix {
public:
    static constexpr index_t most = 32;  // rows: of a few microseconds

    explicit plain_matrix(nb::handle array) {
        Py_buffer seen;
        if (PyObject_GetBuffer(array.ptr(), &seen, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            return;
        }
        if (seen.ndim == 2 && seen.format != nullptr && std::strcmp(seen.format, "d") == 0 &&
            seen.shape[0] == seen.shape[1] && seen.shape[0] > 0 && seen.shape[0] <= most) {
            rows = seen.shape[0];
            for (index_t i = 0; i < rows; ++i)
                for (index_t j = 0; j < rows; ++j)
                    std::memcpy(
                        elements + i * rows + j,
                        static_cast<const char*>(seen.buf) + i * seen.strides[0] + j * seen.strides[1],
                        sizeof(double));
        }
        PyBuffer_Release(&seen);
    }
    double elements[most * most];
    index_t rows = 0;
};

/// Sign and logarithm of the determinant of a plain matrix, and the determinant; or None.
std::optional<std::tuple<double, double, double>> plain_determinant(nb::handle array) {
    plain_matrix m(array);
    if (m.rows == 0) return std::nullopt;
    static const execution host = on_cpu{};
    std::int32_t pivots[plain_matrix::most];
    double sign = 0, log_magnitude = 0;
    const matrices a{m.elements, {.rows = m.rows, .columns = m.rows, .leading = m.rows}};
    lu_result r = lu_factor(host, a, {.pivots = pivots, .sign = &sign, .log_magnitude = &log_magnitude});
    remember(std::move(r.run));
    double product = 1;
    for (index_t k = 0; k < m.rows; ++k)
        product *= pivots[k] == k ? m.elements[k * m.rows + k] : -m.elements[k * m.rows + k];
    return std::tuple{sign, log_magnitude, product};
}

report invert(const place& p, const output& lu, const input& pivots, const std::string& variant) {
    const matrices factors = written(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const released_gil release;
    return lu_inverse(p.where, factors, piv, {.variant = variant}).run;
}

double residual(const place& p, const input& a, const input& lu, const input& pivots) {
    const const_matrices original = seen(p, "a", a), factors = seen(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const released_gil release;
    return lu_residual_ratio(p.where, original, factors, piv);
}

lu_refined_result refined(const place& p, const input& a, const input& b, const output& x,
                          const lu_refined_options& options) {
    const const_matrices left = seen(p, "a", a), right = seen(p, "b", b);
    const matrices to = written(p, "x", x);
    const released_gil release;
    return lu_solve_refined(p.where, left, right, to, options);
}

}  // namespace

void bind_lu(nb::module_& m) {
    bind_options<lu_options>(m, "LuOptions");
    bind_options<lu_refined_options>(m, "RefinedOptions");
    m.def("plain_determinant", &plain_determinant, nb::arg("a"));
    bind_result<lu_result>(m, "LuOutcome", "What became of a factorisation.");
    bind_result<lu_refined_result>(m, "RefinedOutcome", "What became of a refined solve.");
    m.def("lu_factor", &factor, nb::arg("where"), nb::arg("a"), nb::arg("piv"), nb::arg("sign").none(),
          nb::arg("logabsdet").none(), nb::arg("options"));
    m.def("lu_solve", &solve, nb::arg("where"), nb::arg("lu"), nb::arg("piv"), nb::arg("b"), nb::arg("trans"),
          nb::arg("variant"));
    m.def("solve", &solve_system, nb::arg("where"), nb::arg("a"), nb::arg("x"), nb::arg("variant"),
          nb::arg("solve_variant"));
    m.def("lu_inverse", &invert, nb::arg("where"), nb::arg("lu"), nb::arg("piv"), nb::arg("variant"));
    m.def("lu_residual_ratio", &residual, nb::arg("where"), nb::arg("a"), nb::arg("lu"), nb::arg("piv"));
    m.def("lu_solve_refined", &refined, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("x"),
          nb::arg("options"));
}

}  // namespace wale::python
