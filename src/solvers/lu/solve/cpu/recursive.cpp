// recursive - strips of right-hand sides, each by one thread: triangles by halves.
#include <string>

#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "solvers/lu/cpu/rows.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// Right-hand sides of one matrix go in strips. Up to `together` groups (cpu::blas::columns_together) have a
/// strip each, which reads the factors where they are, or fewer columns where there are more threads. Strips
/// of more columns are up to `wide`, and pack the factors.
struct solving_policy {
    index_t together, wide;
    double operations_a_thread;   // of real numbers; fewer are not worth a thread
    double of_element, of_strip;  // operations in the time of a copied element, and of a strip's begin
};

constexpr solving_policy chosen_solving{8, 512, 1e6, 32, 2e4};  // untuned

/// Where the strips of each matrix begin among all. An element's bits do not depend on the strips
/// (subtract_product), unless a strip has one column in memory: then the matrix has no other.
struct strips {
    struct part {
        index_t matrix, first, columns;
        index_t in_memory;  // columns, with those of zeros that fill the last vector
    };
    std::vector<part> parts;

    strips(const batch& b, const solving_policy& p, cpu::blas::column_group group, int threads) {
        const index_t a_matrix = (threads + b.count() - 1) / std::max<index_t>(1, b.count());
        for (index_t i = 0; i < b.count(); ++i) {
            const index_t all = b[i].columns;
            const index_t even = base::round_up((all + a_matrix - 1) / a_matrix, group.vector);
            const index_t width = std::min(even, all <= p.together * group.most ? group.most : p.wide);
            for (index_t first = 0; first < all; first += width) {
                const index_t columns = std::min(width, all - first);
                parts.push_back({i, first, columns, all == 1 ? 1 : base::round_up(columns, group.vector)});
            }
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
    const index_t n = f.rows, columns = part.in_memory, pitch = strip_pitch<T>(columns);
    const auto order =
        permutation_of(job.pivots ? job.pivots + job.factors.pivot_start(part.matrix) : nullptr, n, n);
    const block<const T> a{static_cast<const T*>(f.data), f.leading, f.order};
    const block<T> right = block<T>{static_cast<T*>(b.data), b.leading, b.order}.from(0, part.first);
    if (job.conjugated) conjugate(strip_of(b, part));  // conj(A) x = b: A conj(x) = conj(b)
    const block<T> x{memory.take(n * pitch), pitch, storage_order::row_major};
    clear_columns(x, n, part.columns, columns);
    if (job.transposed) {  // A^T = U^T L^T P
        copy_block<T>(right, x, n, part.columns);
        solve_triangle(triangle<T>{a.transposed(), n, true, false}, x, columns);
        solve_triangle(triangle<T>{a.transposed(), n, false, true}, x, columns);
        put_rows<T>(order, right, x, part.columns);
    } else {
        take_rows<T>(order, right, x, part.columns);
        solve_triangle(triangle<T>{a, n, true, true}, x, columns);
        solve_triangle(triangle<T>{a, n, false, false}, x, columns);
        copy_block<T>(x, right, n, part.columns);
    }
    if (job.conjugated) conjugate(strip_of(b, part));
}

void solve_recursive(solve_job& job) {
    const solving_policy& policy = chosen_solving;
    double work = job.result->run.work * (job.is_complex() ? 4 : 1) +
                  policy.of_strip * static_cast<double>(job.b.count());
    for (index_t i = 0; i < job.b.count(); ++i)
        work += policy.of_element * static_cast<double>(job.b[i].rows * job.b[i].columns);
    const int useful = cpu::team_size(job.where, static_cast<long long>(work / policy.operations_a_thread));
    int threads = 1;
    with_any_type(job.b.type(), [&](auto zero) {
        using T = decltype(zero);
        const strips all(job.b, policy, cpu::blas::columns_together<T>(), useful);
        const auto tasks = std::ssize(all.parts);
        threads = static_cast<int>(std::clamp<index_t>(useful, 1, std::max<index_t>(1, tasks)));
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
