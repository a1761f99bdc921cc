// reference - the residual |b - A x| / (|A| |x| + |b|) in the maximum norm, in double precision, the largest
// of all systems.
#include <vector>

#include "solvers/tree/inspect/residual.hpp"
#include "solvers/tree/problem.hpp"
#include "solvers/tree/topology.hpp"

namespace wale::tree {
namespace {

/// Norms of one system, gathered row by row; NaN stays.
struct norms {
    double matrix = 0, unknown = 0, right = 0, difference = 0;
    static void raise(double& most, double value) {
        if (!(value <= most)) most = std::isnan(most) ? most : value;
    }
    [[nodiscard]] residual_scale scale() const { return {matrix, unknown, right}; }
    /// matrix, difference: of scaled rows. unknown, right: as they are.
    [[nodiscard]] double error(const residual_scale& s) const {
        const double size = s.product(matrix * s.unknown(unknown)) + s.right(right);
        return difference == 0 ? 0 : difference / size;
    }
};

template <class T>
norms largest_of(const line<const T>& b, const line<const T>& x, index_t size) {
    norms n;
    for (index_t i = 0; i < size; ++i) {
        norms::raise(n.unknown, length_of(base::wide_of<T>(x[i])));
        norms::raise(n.right, length_of(base::wide_of<T>(b[i])));
    }
    return n;
}

template <class T>
double chain_error(const chain_residual_job& job, index_t number, index_t each) {
    using W = base::wide_of<T>;
    const bands<T> a = bands_of<T>(job.a, number / each);
    const line<const T> b = line_of<T>(job.rhs, number), x = line_of<T>(job.solution, number);
    norms n = largest_of(b, x, a.size);
    for (index_t i = 0; i < a.size; ++i)
        for (const T e : {a.low(i), a.middle(i), a.up(i)}) norms::raise(n.matrix, length_of(W(e)));
    const residual_scale s = n.scale();
    n.matrix = 0;
    for (index_t i = 0; i < a.size; ++i) {
        const W low = s.matrix(W(a.low(i))), middle = s.matrix(W(a.middle(i))), up = s.matrix(W(a.up(i)));
        const W before = low == W(0) ? W(0) : s.unknown(W(x[i == 0 ? a.size - 1 : i - 1]));
        const W after = up == W(0) ? W(0) : s.unknown(W(x[i == a.size - 1 ? 0 : i + 1]));
        const W sum = low * before + middle * s.unknown(W(x[i])) + up * after;
        norms::raise(n.matrix, length_of(low) + length_of(middle) + length_of(up));
        norms::raise(n.difference, length_of(W(s.right(W(b[i])) - s.product(sum))));
    }
    return n.error(s);
}

template <class T>
double hines_error(const hines_residual_job& job, index_t number) {
    const topology& t = *job.tree;
    const auto size = static_cast<std::size_t>(t.size());
    const line<const T> d = line_of<T>(job.diagonal, number), u = line_of<T>(job.upper, number),
                        l = line_of<T>(job.lower, number), b = line_of<T>(job.rhs, number),
                        x = line_of<T>(job.solution, number);
    norms n = largest_of(b, x, t.size());
    for (index_t i = 0; i < t.size(); ++i) {
        norms::raise(n.matrix, std::fabs(double{d[i]}));
        if (t.parent[static_cast<std::size_t>(i)] < 0) continue;
        norms::raise(n.matrix, std::fabs(double{l[i]}));
        norms::raise(n.matrix, std::fabs(double{u[i]}));
    }
    const residual_scale s = n.scale();
    std::vector<double> sum(size), row(size);
    const auto add = [&](index_t to, double element, double value) {
        sum[static_cast<std::size_t>(to)] += s.matrix(element) * s.unknown(value);
        row[static_cast<std::size_t>(to)] += std::fabs(s.matrix(element));
    };
    for (index_t i = 0; i < t.size(); ++i) {
        const std::int32_t p = t.parent[static_cast<std::size_t>(i)];
        add(i, d[i], x[i]);
        if (p < 0) continue;
        add(i, l[i], x[p]);
        add(p, u[i], x[i]);
    }
    n.matrix = 0;
    for (std::size_t k = 0; k < size; ++k) {
        norms::raise(n.matrix, row[k]);
        norms::raise(n.difference,
                     std::fabs(s.right(double{b[static_cast<index_t>(k)]}) - s.product(sum[k])));
    }
    return n.error(s);
}

}  // namespace

void chain_residual_host(chain_residual_job& job) {
    const index_t each = job.a.systems() == 0 ? 1 : job.rhs.count / job.a.systems();
    for (index_t v = 0; v < job.rhs.count; ++v)
        norms::raise(job.residual, with_any_type(job.rhs.type, [&](auto zero) {
                         return chain_error<decltype(zero)>(job, v, each);
                     }));
}

void hines_residual_host(hines_residual_job& job) {
    for (index_t v = 0; v < job.rhs.count; ++v)
        norms::raise(job.residual,
                     with_type(job.rhs.type, [&](auto zero) { return hines_error<decltype(zero)>(job, v); }));
}

extern constinit const catalogue::row<chain_residual_job> chain_residual_reference_norms{
    "reference/norms", "row by row in double precision", chain_residual_host, nullptr, nullptr, true};

extern constinit const catalogue::row<hines_residual_job> hines_residual_reference_norms{
    "reference/norms", "row by row in double precision", hines_residual_host};

}  // namespace wale::tree
