// lu - the solver's functions over arrays. The GIL is released around every computation.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <thread>

#include "plain_arrays.hpp"

#include <utility>

namespace wale::python {
namespace {

constexpr index_t few_elements = 256;  // of a few microseconds, for which the GIL is kept

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
    s.leading = s.lines() > 1 ? (row_major ? down : right) : s.line_size();
    if (s.leading < s.line_size())
        throw bad_argument(std::string(name) + ": rows or columns overlap, or run backwards");
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
    const released_gil release(m.rows * m.columns * m.count > few_elements);
    lu_result r = lu_factor(p.where, m, out, options);
    remember(r.run);
    return r;
}

void solve(const place& p, const input& lu, const input& pivots, const output& b, int trans,
           const std::string& variant) {
    const const_matrices factors = seen(p, "lu", lu);
    const std::int32_t* piv = pivots_of(p, pivots, factors);
    const matrices right = written(p, "b", b);
    const released_gil release(factors.rows * factors.rows * factors.count * right.columns > few_elements);
    remember(lu_solve(p.where, factors, piv, right,
                      {.variant = variant, .transposed = trans != 0, .conjugated = trans == 2})
                 .run);
}

/// Parts of a large batch, each of which is factored and solved while it is in cache; of so many matrices
/// that a part is treated as the batch would be.
index_t parts_of_batch(const place& p, index_t bytes, index_t count) {
    constexpr index_t bytes_a_thread = 1 << 19, fewest = 64;
    const auto* cpu = std::get_if<on_cpu>(&p.where);
    if (cpu == nullptr || bytes == 0) return 1;
    const index_t threads = cpu->threads > 0 ? cpu->threads : std::thread::hardware_concurrency();
    const index_t matrices_a_part = std::max(fewest * threads, bytes_a_thread * threads / bytes);
    return std::max<index_t>(1, count / matrices_a_part);
}

/// The outcome of the matrices from `first` on, and what their factorisation took.
void add_outcome(lu_result& all, const lu_result& part, index_t first) {
    if (all.singular == 0 && part.singular > 0) {
        all.first_singular = part.first_singular + first;
        all.first_zero = part.first_zero;
    }
    all.singular += part.singular;
    all.not_finite += part.not_finite;
    all.run.compute_seconds += part.run.compute_seconds;
    all.run.work += part.run.work;
    all.run.bytes += part.run.bytes;
    all.run.threads = std::max(all.run.threads, part.run.threads);
}

/// A X = B without a trace of the factors: `a` stays as it is, `x` holds B and then X. On the host.
lu_result solve_system(const place& p, const input& a, const output& x, const std::string& variant,
                       const std::string& solve_variant) {
    const const_matrices from = seen(p, "a", a);
    const matrices right = written(p, "b", x);
    matrices factors{nullptr, static_cast<matrix_shape>(from)};
    factors.leading = factors.line_size();
    factors.stride = factors.lines() * factors.leading;
    const index_t item = bytes_of(from.type), line = factors.leading * item, each = line * factors.lines();
    const released_gil release(from.rows * from.columns * from.count > few_elements);
    const index_t parts = right.count == from.count ? parts_of_batch(p, each, from.count) : 1;
    const memory copy(checked_bytes(each, (from.count + parts - 1) / parts), memory_space::host);
    std::vector<std::int32_t> pivots(
        static_cast<std::size_t>((from.count + parts - 1) / parts * from.diagonal()));
    lu_result all;
    for (index_t part = 0; part < parts; ++part) {
        const index_t first = from.count * part / parts, end = from.count * (part + 1) / parts;
        factors.data = copy.data();
        factors.count = end - first;
        auto* to = static_cast<char*>(copy.data());
        for (index_t k = first; k < end; ++k)
            for (index_t l = 0; l < from.lines(); ++l, to += line)
                std::memcpy(to,
                            static_cast<const char*>(from.data) + (k * from.stride + l * from.leading) * item,
                            static_cast<std::size_t>(line));
        lu_result r = lu_factor(p.where, factors, pivots.data(), {.variant = variant});
        matrices some = right;
        if (parts > 1) {
            some.data = static_cast<char*>(right.data) + first * right.stride * item;
            some.count = factors.count;
        }
        (void)lu_solve(p.where, factors, pivots.data(), some, {.variant = solve_variant});
        if (part == 0)
            all = std::move(r);
        else
            add_outcome(all, r, first);
    }
    remember(all.run);
    return all;
}

/// Right sides of as many axes as the matrices, or one vector for one matrix; none of another array.
std::optional<matrices> columns_of(const plain_array& x, const matrix_shape& a, int axes) {
    std::optional<matrices> right;
    if (x.view.ndim == axes)
        right = x.whole();
    else if (x.view.ndim == 1 && axes == 2 && x.type)
        right = matrices{x.view.buf, {.type = *x.type, .rows = x.view.shape[0], .columns = 1, .leading = 1}};
    return right && right->rows == a.rows && right->count == a.count ? right : std::nullopt;
}

/// x = A^-1 x of NumPy's arrays on the host; false for all that needs a closer look, singular matrices too.
bool plain_solve(nb::handle a, nb::handle x, int threads) {
    const plain_array from(a), to(x, true);
    plain_copy m(from);
    if (!m.good || from.type != to.type) return false;
    const auto right = columns_of(to, m.of, from.view.ndim);
    if (!right) return false;
    const released_gil release(from.view.len / from.view.itemsize > few_elements);
    std::int32_t* const pivots = m.pivots();
    lu_result r = lu_factor(host(threads), m.of, pivots);
    if (r.singular) return false;
    (void)lu_solve(host(threads), m.of, pivots, *right);
    remember(std::move(r.run));
    return true;
}

/// Factors NumPy's array in place on the host, its last two axes exchanged where `columns` says that the
/// caller's matrix lies by columns; nothing for all that needs a closer look.
std::optional<lu_result> plain_factor(nb::handle a, bool columns, nb::handle piv, int threads) {
    const plain_array to(a, true), pivots(piv, true);
    auto m = to.whole();
    if (!m) return std::nullopt;
    if (columns) {
        m->order = storage_order::column_major;
        std::swap(m->rows, m->columns);
    }
    std::int32_t* const exchanged = pivots.integers(m->count * m->diagonal());
    if (exchanged == nullptr) return std::nullopt;
    const released_gil release(to.view.len / to.view.itemsize > few_elements);
    lu_result r = lu_factor(host(threads), *m, exchanged);
    remember(r.run);
    return r;
}

/// x = A^-1 x from factors in NumPy's arrays on the host; false for all that needs a closer look.
bool plain_lu_solve(nb::handle lu, nb::handle piv, nb::handle x, int trans, int threads) {
    const plain_array from(lu), pivots(piv), to(x, true);
    const auto factors = from.in_place();
    if (!factors || factors->rows != factors->columns || from.type != to.type) return false;
    const auto right = columns_of(to, *factors, from.view.ndim);
    const std::int32_t* const exchanged = pivots.integers(factors->count * factors->rows);
    if (!right || exchanged == nullptr) return false;
    const released_gil release(from.view.len / from.view.itemsize > few_elements);
    remember(lu_solve(host(threads), *factors, exchanged, *right,
                      {.transposed = trans != 0, .conjugated = trans == 2})
                 .run);
    return true;
}

/// The same of x = x^-1.
bool plain_inverse(nb::handle x, int threads) {
    const plain_array to(x, true);
    const auto whole = to.whole();
    if (!whole || whole->rows != whole->columns) return false;
    const released_gil release(to.view.len / to.view.itemsize > few_elements);
    std::int32_t few[256];
    std::vector<std::int32_t> many;
    if (whole->count * whole->rows > std::ssize(few))
        many.resize(static_cast<std::size_t>(whole->count * whole->rows));
    std::int32_t* const pivots = many.empty() ? few : many.data();
    lu_result r = lu_factor(host(threads), *whole, pivots);
    if (r.singular) return false;
    (void)lu_inverse(host(threads), *whole, pivots);
    remember(std::move(r.run));
    return true;
}

template <class T>
auto larger_part(T x) {
    return std::max(std::fabs(std::real(x)), std::fabs(std::imag(x)));
}

/// The product of the diagonal of U, kept near 1, its power of two beside.
template <class T>
T scaled_product(const T* at, index_t n, index_t step, const std::int32_t* pivots) {
    std::complex<double> product = 1;
    int exponent = 0;
    for (index_t k = 0; k < n; ++k) {
        const std::complex<double> u(at[k * step]), by = pivots[k] == k ? u : -u;
        product = {product.real() * by.real() - product.imag() * by.imag(),
                   product.real() * by.imag() + product.imag() * by.real()};
        const double size = larger_part(product);
        if (!(size > 0 && std::isfinite(size))) continue;  // stays so, or becomes NaN
        const int e = std::ilogb(size);
        product = {std::ldexp(product.real(), -e), std::ldexp(product.imag(), -e)};
        exponent += e;
    }
    using real = decltype(std::real(T{}));
    const auto part = [&](double x) { return static_cast<real>(std::ldexp(x, exponent)); };
    if constexpr (std::is_floating_point_v<T>)
        return part(product.real());
    else
        return {part(product.real()), part(product.imag())};
}

/// det = product of the diagonal of U, its sign that of the exchanges. Where a product on the way is no
/// normal number of T, it has lost digits or the range that the whole may have.
template <class T>
void multiply_diagonals(const const_matrices& factors, const std::int32_t* pivots, T* to) {
    using limits = std::numeric_limits<decltype(std::real(T{}))>;
    const auto* at = static_cast<const T*>(factors.data);
    const index_t n = factors.rows;
    for (index_t i = 0; i < factors.count; ++i, at += factors.stride, pivots += n) {
        T product = 1;
        bool normal = true;
        for (index_t k = 0; k < n; ++k) {
            const T u = at[k * (factors.leading + 1)], by = pivots[k] == k ? u : -u;
            if constexpr (!std::is_floating_point_v<T>)  // without the look for NaN that std::complex takes
                product = T(product.real() * by.real() - product.imag() * by.imag(),
                            product.real() * by.imag() + product.imag() * by.real());
            else
                product *= by;
            const auto size = larger_part(product);
            normal &= size >= limits::min() && size <= limits::max();
        }
        to[i] = normal ? product : scaled_product(at, n, factors.leading + 1, pivots);
    }
}
void multiply_diagonals(const const_matrices& factors, const std::int32_t* pivots, void* to) {
    switch (factors.type) {
        case scalar::f32:
            return multiply_diagonals(factors, pivots, static_cast<float*>(to));
        case scalar::f64:
            return multiply_diagonals(factors, pivots, static_cast<double*>(to));
        case scalar::c64:
            return multiply_diagonals(factors, pivots, static_cast<std::complex<float>*>(to));
        case scalar::c128:
            return multiply_diagonals(factors, pivots, static_cast<std::complex<double>*>(to));
    }
}

/// Determinants from factors on the host.
void determinants(const input& lu, const input& pivots, const output& det) {
    const place here{host(1)};
    const const_matrices factors = seen(here, "lu", lu);
    const std::int32_t* piv = pivots_of(here, pivots, factors);
    if (det.dtype() != lu.dtype() || static_cast<index_t>(det.size()) != factors.count)
        throw bad_argument("det: is " + name_of(det.dtype()) + " of " + std::to_string(det.size()) +
                           " elements, expected " + std::to_string(factors.count) + " of " +
                           name_of(lu.dtype()));
    multiply_diagonals(factors, piv, det.data());
}

/// Fills `sign` and `logabsdet`, or `det` where that is not None, of NumPy's arrays on the host; false for
/// all that needs a closer look.
bool plain_determinants(nb::handle a, nb::handle sign, nb::handle log, nb::handle det, int threads) {
    const plain_array from(a);
    plain_copy m(from);
    if (!m.good) return false;
    std::int32_t* const pivots = m.pivots();
    const bool released = from.view.len / from.view.itemsize > few_elements;
    if (!det.is_none()) {
        const plain_array to(det, true);
        void* const values = to.numbers(m.of.type, m.of.count);
        if (values == nullptr) return false;
        const released_gil release(released);
        lu_result r = lu_factor(host(threads), m.of, pivots);
        multiply_diagonals(m.of, pivots, values);
        remember(std::move(r.run));
        return true;
    }
    const plain_array signs(sign, true), logs(log, true);
    const scalar kind = is_complex(m.of.type) ? scalar::c128 : scalar::f64;
    lu_outputs out{.pivots = pivots,
                   .sign = static_cast<double*>(signs.numbers(kind, m.of.count)),
                   .log_magnitude = static_cast<double*>(logs.numbers(scalar::f64, m.of.count))};
    if (out.sign == nullptr || out.log_magnitude == nullptr) return false;
    const released_gil release(released);
    remember(lu_factor(host(threads), m.of, out).run);
    return true;
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
    m.def("plain_solve", &plain_solve, nb::arg("a"), nb::arg("x"), nb::arg("threads") = 0);
    m.def("plain_factor", &plain_factor, nb::arg("a"), nb::arg("columns"), nb::arg("piv"),
          nb::arg("threads"));
    m.def("plain_lu_solve", &plain_lu_solve, nb::arg("lu"), nb::arg("piv"), nb::arg("x"), nb::arg("trans"),
          nb::arg("threads"));
    m.def("plain_inverse", &plain_inverse, nb::arg("x"), nb::arg("threads") = 0);
    m.def("plain_determinants", &plain_determinants, nb::arg("a"), nb::arg("sign").none(),
          nb::arg("logabsdet").none(), nb::arg("det").none(), nb::arg("threads") = 0);
    bind_result<lu_result>(m, "LuOutcome", "What became of a factorisation.");
    bind_result<lu_refined_result>(m, "RefinedOutcome", "What became of a refined solve.");
    m.def("lu_factor", &factor, nb::arg("where"), nb::arg("a"), nb::arg("piv"), nb::arg("sign").none(),
          nb::arg("logabsdet").none(), nb::arg("options"));
    m.def("lu_solve", &solve, nb::arg("where"), nb::arg("lu"), nb::arg("piv"), nb::arg("b"), nb::arg("trans"),
          nb::arg("variant"));
    m.def("solve", &solve_system, nb::arg("where"), nb::arg("a"), nb::arg("x"), nb::arg("variant"),
          nb::arg("solve_variant"));
    m.def("lu_inverse", &invert, nb::arg("where"), nb::arg("lu"), nb::arg("piv"), nb::arg("variant"));
    m.def("determinants", &determinants, nb::arg("lu"), nb::arg("piv"), nb::arg("det"));
    m.def("lu_residual_ratio", &residual, nb::arg("where"), nb::arg("a"), nb::arg("lu"), nb::arg("piv"));
    m.def("lu_solve_refined", &refined, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("x"),
          nb::arg("options"));
}

}  // namespace wale::python
