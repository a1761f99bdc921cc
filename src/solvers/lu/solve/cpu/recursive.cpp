// recursive - strips of right-hand sides, each by one thread: triangles by halves.
#include <string>

#include "cpu/instruction_set.hpp"
#include "solvers/lu/cpu/rows.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// Right-hand sides of one matrix go in strips, not wider than `wide`, and for a team not narrower than
/// `narrow`: every strip packs the factors anew.
struct solving_policy {
    index_t narrow, wide;         // columns
    double operations_a_thread;   // fewer are not worth a thread
    double of_element, of_strip;  // operations in the time of a copied element, and of a strip's begin
};

constexpr solving_policy chosen_solving{8, 512, 1e6, 32, 2e4};  // untuned

/// Where the strips of each matrix begin among all. An element's bits do not depend on the strips
/// (subtract_product), unless a strip has one column: then the matrix has no other.
struct strips {
    struct part {
        index_t matrix, first, columns;
    };
    std::vector<part> parts;

    strips(const batch& b, const solving_policy& p, int threads) {
        const index_t a_matrix = (threads + b.count() - 1) / std::max<index_t>(1, b.count());
        for (index_t i = 0; i < b.count(); ++i) {
            const index_t all = b[i].columns;
            const index_t even = (all + a_matrix * p.narrow - 1) / (a_matrix * p.narrow) * p.narrow;
            const index_t width = std::clamp(even, p.narrow, p.wide),
                          count = std::max<index_t>(1, all / width);
            for (index_t k = 0; k < count && all > 0; ++k)
                parts.push_back({i, k * width, (k + 1 < count ? width : all - k * width)});
        }
    }
};

/// Its columns alone.
matrices strip_of(matrices b, const strips::part& part) {
    b.data = static_cast<char*>(b.data) + part.first * b.column_step() * bytes_of(b.type);
    b.columns = part.columns;
    return b;
}

template <class T>
void solve_strip(const solve_job& job, const strips::part& part, scratch<T>& memory) {
    const const_matrices f = job.factors[part.matrix];
    const matrices b = job.b[part.matrix];
    const index_t n = f.rows, pitch = padded<T>(part.columns);
    const auto order =
        permutation_of(job.pivots ? job.pivots + job.factors.pivot_start(part.matrix) : nullptr, n, n);
    const block<const T> a{static_cast<const T*>(f.data), f.leading, f.order};
    const block<T> right = block<T>{static_cast<T*>(b.data), b.leading, b.order}.from(0, part.first);
    if (job.conjugated) conjugate(strip_of(b, part));  // conj(A) x = b: A conj(x) = conj(b)
    const block<T> x{memory.take(n * pitch), pitch, storage_order::row_major};
    if (job.transposed) {  // A^T = U^T L^T P
        copy_block<T>(right, x, n, part.columns);
        solve_triangle(triangle<T>{a.transposed(), n, true, false}, x, part.columns);
        solve_triangle(triangle<T>{a.transposed(), n, false, true}, x, part.columns);
        put_rows<T>(order, right, x, part.columns);
    } else {
        take_rows<T>(order, right, x, part.columns);
        solve_triangle(triangle<T>{a, n, true, true}, x, part.columns);
        solve_triangle(triangle<T>{a, n, false, false}, x, part.columns);
        copy_block<T>(x, right, n, part.columns);
    }
    if (job.conjugated) conjugate(strip_of(b, part));
}

void solve_recursive(solve_job& job) {
    const solving_policy& policy = chosen_solving;
    double work = job.result->run.work + policy.of_strip * static_cast<double>(job.b.count());
    for (index_t i = 0; i < job.b.count(); ++i)
        work += policy.of_element * static_cast<double>(job.b[i].rows * job.b[i].columns);
    const int useful = cpu::team_size(job.where, static_cast<long long>(work / policy.operations_a_thread));
    const strips all(job.b, policy, useful);
    const auto tasks = std::ssize(all.parts);
    const int threads = static_cast<int>(std::clamp<index_t>(useful, 1, std::max<index_t>(1, tasks)));
    with_any_type(job.b.type(), [&](auto zero) {
        using T = decltype(zero);
        for_tasks<T>(threads, tasks, [&](index_t t, scratch<T>& memory) {
            solve_strip(job, all.parts[static_cast<std::size_t>(t)], memory);
        });
    });
    report& run = job.result->run;
    run.threads = threads;
    run.device = cpu::instruction_set();
    run.policy = "columns=" + std::to_string(policy.wide);
}

}  // namespace

extern constinit const catalogue::row<solve_job> solve_cpu_recursive{
    "cpu/recursive", "strips of right-hand sides, triangles by halves",
    solve_recursive, nullptr,
    nullptr,         true};

}  // namespace wale::lu
