// residual - |b - A x| / (|A| |x| + |b|) in the maximum norm, in double precision, the largest of all
// systems.
#include <algorithm>
#include <vector>

#include "solvers/tree/hines/topology.hpp"
#include "solvers/tree/problem.hpp"

namespace wale::tree {
namespace {

/// Norms of one system, gathered row by row; NaN stays.
struct norms {
    double matrix = 0, unknown = 0, right = 0, difference = 0;
    static void raise(double& most, double value) {
        if (!(value <= most)) most = std::isnan(most) ? most : value;
    }
    [[nodiscard]] double error() const {
        const double scale = matrix * unknown + right;
        return difference == 0 ? 0 : difference / scale;
    }
};

template <class T>
double chain_error(const chain_residual_job& job, index_t number, index_t each) {
    const bands<T> a = bands_of<T>(job.a, number / each);
    const line<const T> b = line_of<T>(job.rhs, number), x = line_of<T>(job.solution, number);
    norms n;
    for (index_t i = 0; i < a.size; ++i) {
        const double low = a.low(i), middle = a.middle(i), up = a.up(i);
        const double before = low == 0 ? 0 : x[i == 0 ? a.size - 1 : i - 1];
        const double after = up == 0 ? 0 : x[i == a.size - 1 ? 0 : i + 1];
        norms::raise(n.matrix, std::fabs(low) + std::fabs(middle) + std::fabs(up));
        norms::raise(n.unknown, std::fabs(double{x[i]}));
        norms::raise(n.right, std::fabs(double{b[i]}));
        norms::raise(n.difference, std::fabs(b[i] - (low * before + middle * x[i] + up * after)));
    }
    return n.error();
}

template <class T>
double hines_error(const hines_residual_job& job, index_t number) {
    const topology& t = *job.tree;
    const auto size = static_cast<std::size_t>(t.size());
    const line<const T> d = line_of<T>(job.diagonal, number), u = line_of<T>(job.upper, number),
                        l = line_of<T>(job.lower, number), b = line_of<T>(job.rhs, number),
                        x = line_of<T>(job.solution, number);
    std::vector<double> sum(size), row(size);
    for (std::size_t k = 0; k < size; ++k) {
        const auto i = static_cast<index_t>(k);
        const std::int32_t p = t.parent[k];
        sum[k] += double{d[i]} * x[i];
        row[k] += std::fabs(double{d[i]});
        if (p < 0) continue;
        sum[k] += double{l[i]} * x[p];
        row[k] += std::fabs(double{l[i]});
        sum[static_cast<std::size_t>(p)] += double{u[i]} * x[i];
        row[static_cast<std::size_t>(p)] += std::fabs(double{u[i]});
    }
    norms n;
    for (std::size_t k = 0; k < size; ++k) {
        const auto i = static_cast<index_t>(k);
        norms::raise(n.matrix, row[k]);
        norms::raise(n.unknown, std::fabs(double{x[i]}));
        norms::raise(n.right, std::fabs(double{b[i]}));
        norms::raise(n.difference, std::fabs(b[i] - sum[k]));
    }
    return n.error();
}

void chain_residual_host(chain_residual_job& job) {
    const index_t each = job.a.systems() == 0 ? 1 : job.rhs.count / job.a.systems();
    for (index_t v = 0; v < job.rhs.count; ++v)
        norms::raise(job.residual, with_type(job.rhs.type, [&](auto zero) {
                         return chain_error<decltype(zero)>(job, v, each);
                     }));
}

void hines_residual_host(hines_residual_job& job) {
    for (index_t v = 0; v < job.rhs.count; ++v)
        norms::raise(job.residual,
                     with_type(job.rhs.type, [&](auto zero) { return hines_error<decltype(zero)>(job, v); }));
}

}  // namespace

chain_residual_table& chain_residual_variants() {
    static chain_residual_table table{
        "tree",
        "tridiagonal_residual",
        {{"cpu/rows", backend::cpu, "row by row in double precision", catalogue::never_refuses, nullptr,
          chain_residual_host},
         {"reference/rows", backend::reference, "row by row in double precision", catalogue::never_refuses,
          nullptr, chain_residual_host}}};
    return table;
}

hines_residual_table& hines_residual_variants() {
    static hines_residual_table table{
        "tree",
        "hines_residual",
        {{"cpu/rows", backend::cpu, "row by row in double precision", catalogue::never_refuses, nullptr,
          hines_residual_host},
         {"reference/rows", backend::reference, "row by row in double precision", catalogue::never_refuses,
          nullptr, hines_residual_host}}};
    return table;
}

}  // namespace wale::tree
