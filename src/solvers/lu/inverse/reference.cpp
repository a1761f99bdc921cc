// reference - defines the result: the columns of the inverse are the solutions for the unit vectors.
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

template <class T>
void invert_one(const inverse_job& job, index_t number) {
    const matrices m = job.a[number];
    const index_t n = m.rows;
    std::vector<T> columns(static_cast<std::size_t>(n * n));
    for (index_t i = 0; i < n; ++i) columns[static_cast<std::size_t>(i * n + i)] = T(1);
    const matrices x{columns.data(), matrix_shape::of(matrix_view<T>(columns.data(), {n, n}))};
    solve_job solve{.where = job.where,
                    .factors = const_matrices(m),
                    .pivots = job.pivots ? job.pivots + job.a.pivot_start(number) : nullptr,
                    .b = x};
    run_solve(solve, "reference/plain");
    const auto to = elements<T>(m);
    const auto from = elements<T>(x);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) to(i, j) = from(i, j);
}

void inverse_reference(inverse_job& job) {
    for (index_t i = 0; i < job.a.count(); ++i)
        with_any_type(job.a.type(), [&](auto zero) { invert_one<decltype(zero)>(job, i); });
}

}  // namespace

extern constinit const catalogue::row<inverse_job> inverse_reference_plain{
    "reference/plain", "solves with every unit vector: the reference",
    inverse_reference, nullptr,
    nullptr,           true};

}  // namespace wale::lu
