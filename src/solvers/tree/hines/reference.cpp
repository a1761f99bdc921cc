// reference - defines the solution of trees (Hines 1984): from the leaves to the roots every node is taken
// out of its parent's row, then from the roots back every unknown is found. Read this first.
#include <vector>

#include "solvers/tree/jobs.hpp"
#include "solvers/tree/problem.hpp"
#include "solvers/tree/topology.hpp"

namespace wale::tree {
namespace {

template <class T>
void solve_one(const hines_job& job, index_t number, verdict& bad) {
    const topology& t = *job.tree;
    const auto size = static_cast<std::size_t>(t.size());
    const line<const T> u = line_of<T>(job.upper, number), l = line_of<T>(job.lower, number);
    const line<T> x = line_of<T>(job.solution, number);
    std::vector<T> d(size), b(size);
    for (std::size_t i = 0; i < size; ++i) {
        d[i] = line_of<T>(job.diagonal, number)[static_cast<index_t>(i)];
        b[i] = line_of<T>(job.rhs, number)[static_cast<index_t>(i)];
    }
    for (std::size_t k = size; k-- > 0;) {
        const auto node = static_cast<std::size_t>(t.order[k]);
        if (is_bad(d[node])) bad.note(number, static_cast<index_t>(node));
        if (t.parent[node] < 0) continue;
        const auto p = static_cast<std::size_t>(t.parent[node]);
        const auto i = static_cast<index_t>(node);
        const T factor = u[i] / d[node];
        d[p] -= factor * l[i];
        b[p] -= factor * b[node];
    }
    for (const std::int32_t node : t.order) {
        const auto k = static_cast<std::size_t>(node);
        const std::int32_t p = t.parent[k];
        b[k] = p < 0 ? b[k] / d[k] : (b[k] - l[node] * b[static_cast<std::size_t>(p)]) / d[k];
    }
    for (std::size_t i = 0; i < size; ++i) x[static_cast<index_t>(i)] = b[i];
    if (job.eliminated.data == nullptr) return;
    const line<T> out = line_of<T>(job.eliminated, number);
    for (std::size_t i = 0; i < size; ++i) out[static_cast<index_t>(i)] = d[i];
}

void solve_hines_reference(hines_job& job) {
    verdict bad{job.status};
    for (index_t v = 0; v < job.rhs.count; ++v) {
        bad.begin(v);
        with_type(job.rhs.type, [&](auto zero) { solve_one<decltype(zero)>(job, v, bad); });
    }
    bad.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_reference_plain{
    "reference/plain", "leaves into their parents, then from the roots back: the reference",
    solve_hines_reference};

}  // namespace wale::tree
