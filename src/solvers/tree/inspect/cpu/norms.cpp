// norms - cpu/norms: the reference's numbers, of the rows in turn and of right sides that lie side by side at
// once. They take less time than the solution that they check.
#include <algorithm>
#include <array>
#include <optional>

#include "solvers/tree/inspect/residual.hpp"
#include "solvers/tree/problem.hpp"

namespace wale::tree {
namespace {

/// What grows as the magnitude does, without a root: the square of a complex one.
double grown(double x) {
    return std::fabs(x);
}
double grown(const std::complex<double>& z) {
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class W>
double magnitude(double grown) {
    return base::is_complex_type<W> ? std::sqrt(grown) : grown;
}

/// No less than the magnitude, and at most 1.09 times it: the circle lies inside the octagon with its tops.
double at_most(double x) {
    return std::fabs(x);
}
double at_most(const std::complex<double>& z) {
    const double re = std::fabs(z.real()), im = std::fabs(z.imag());
    return std::max(re, im) + 0.41421357 * std::min(re, im);
}

/// A number whose products with others of the kind, and the squares of these, stay in double's range: the
/// reference scales by powers of two, which then change nothing. NaN and infinite ones are not.
bool is_moderate(double x) {
    return x == 0 || (x > 1e-70 && x < 1e70);
}

/// Vectors that lie side by side: element i of vector v is data[i step + v].
template <class T>
struct beside {
    const T* data;
    index_t step;
};

/// The largest numbers of `Most` right sides at most, each in an element of its own.
template <class W, std::size_t Most>
struct largest {
    std::array<double, Most> unknown{}, right{}, difference{}, sum{};
    double matrix = 0;

    static void raise(double& most, double value) { most = value > most ? value : most; }
    void see(std::size_t v, W x, W b, W less) {
        const double of_x = grown(x), of_b = grown(b), of_less = grown(less);
        raise(unknown[v], of_x);
        raise(right[v], of_b);
        raise(difference[v], of_less);
        sum[v] += of_x + of_b + of_less;  // NaN stays here alone
    }
    /// The error of side v; nothing where the reference must scale.
    [[nodiscard]] std::optional<double> error(std::size_t v) const {
        const double x = magnitude<W>(unknown[v]), b = magnitude<W>(right[v]);
        if (!is_moderate(matrix) || !is_moderate(x) || !is_moderate(b) || !(sum[v] < 1e300))
            return std::nullopt;
        const double less = magnitude<W>(difference[v]);
        return less == 0 ? 0 : less / (matrix * x + b);
    }
};

/// The largest error of `sides` right sides of one system.
template <std::size_t Most, class T>
std::optional<double> error_of(const bands<T>& a, beside<T> b, beside<T> x, std::size_t sides) {
    using W = base::wide_of<T>;
    largest<W, Most> all;
    for (index_t i = 0; i < a.size; ++i) {
        const W low(a.low(i)), middle(a.middle(i)), up(a.up(i));
        const double most = at_most(low) + at_most(middle) + at_most(up);
        if (!(most < 1e70)) return std::nullopt;
        if (most > all.matrix)  // else the roots would change nothing
            all.matrix = std::max(all.matrix, length_of(low) + length_of(middle) + length_of(up));
        const T* const here = x.data + i * x.step;
        const T* const before = x.data + (i == 0 ? a.size - 1 : i - 1) * x.step;
        const T* const after = x.data + (i == a.size - 1 ? 0 : i + 1) * x.step;
        const T* const right = b.data + i * b.step;
        for (std::size_t v = 0; v < sides; ++v) {
            const W value(here[v]), wanted(right[v]);
            const W sum = product(low, W(before[v])) + product(middle, value) + product(up, W(after[v]));
            all.see(v, value, wanted, wanted - sum);
        }
    }
    double most = 0;
    for (std::size_t v = 0; v < sides; ++v) {
        const auto one = all.error(v);
        if (!one) return std::nullopt;
        most = std::max(most, *one);
    }
    return most;
}

/// The same of all right sides of system s.
template <class T>
std::optional<double> error_of_system(const chain_residual_job& job, index_t s, index_t sides) {
    constexpr index_t at_once = 32;
    const bands<T> a = bands_of<T>(job.a, s);
    const index_t first = s * sides, last = first + sides - 1;
    const auto are_beside = [&](const vector_shape& v) {
        return sides > 1 && v.begin_of(last) - v.begin_of(first) == sides - 1;
    };
    const index_t tile = are_beside(job.rhs) && are_beside(job.solution) ? at_once : 1;
    double most = 0;
    for (index_t v = first; v <= last; v += tile) {
        const line<const T> b = line_of<T>(job.rhs, v), x = line_of<T>(job.solution, v);
        const beside<T> right{b.data, b.step}, unknown{x.data, x.step};
        const auto found = tile == 1
                               ? error_of<1>(a, right, unknown, 1)
                               : error_of<at_once>(a, right, unknown,
                                                   static_cast<std::size_t>(std::min(tile, last + 1 - v)));
        if (!found) return std::nullopt;
        most = std::max(most, *found);
    }
    return most;
}

void chain_norms(chain_residual_job& job) {
    const index_t systems = job.a.systems(), sides = systems == 0 ? 1 : job.rhs.count / systems;
    double most = 0;
    for (index_t s = 0; s < systems; ++s) {
        if (sides == 0 || job.a.shape().size_of(s) == 0) continue;
        const auto found = with_any_type(
            job.rhs.type, [&](auto zero) { return error_of_system<decltype(zero)>(job, s, sides); });
        if (!found) return chain_residual_host(job);
        most = std::max(most, *found);
    }
    job.residual = most;
}

}  // namespace

extern constinit const catalogue::row<chain_residual_job> chain_residual_cpu_norms{
    "cpu/norms", "row by row in double precision, right sides side by side", chain_norms, nullptr, nullptr,
    true};

extern constinit const catalogue::row<hines_residual_job> hines_residual_cpu_norms{
    "cpu/norms", "row by row in double precision", hines_residual_host};

}  // namespace wale::tree
