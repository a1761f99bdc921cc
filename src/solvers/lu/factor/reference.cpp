// reference - defines the result: one column after the other, from the left: find the pivot, exchange the
// rows, divide, subtract from what lies right and below. Read this first.
#include <utility>

#include "cpu/poll.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

template <class T>
index_t row_of_largest(const strided<T>& a, index_t k, index_t rows) {
    index_t best = k;
    for (index_t i = k + 1; i < rows; ++i)
        if (pivot_size(a(i, k)) > pivot_size(a(best, k))) best = i;
    return best;
}

template <class T>
void factor_one(const factor_job& job, index_t number) {
    const matrices m = job.a[number];
    const strided<T> a = elements<T>(m);
    std::int32_t* pivots = job.out.pivots ? job.out.pivots + job.a.pivot_start(number) : nullptr;
    for (index_t k = 0; k < m.diagonal(); ++k) {
        const index_t pivot = job.pivoting == pivoting::none ? k : row_of_largest(a, k, m.rows);
        if (pivots) pivots[k] = static_cast<std::int32_t>(pivot);
        if (pivot != k)
            for (index_t j = 0; j < m.columns; ++j) std::swap(a(k, j), a(pivot, j));
        if (job.smallest_pivot) {
            const T moved = perturbed_pivot(a(k, k), static_cast<real_of<T>>(job.smallest_pivot[number]));
            job.result->perturbed += moved != a(k, k) && moved == moved;
            a(k, k) = moved;
        }
        for (index_t i = k + 1; i < m.rows; ++i) a(i, k) = multiplier(a(i, k), a(k, k));
        for (index_t i = k + 1; i < m.rows; ++i) {
            cpu::poll();
            for (index_t j = k + 1; j < m.columns; ++j) a(i, j) -= a(i, k) * a(k, j);
        }
    }
}

void factor_reference(factor_job& job) {
    for (index_t i = 0; i < job.a.count(); ++i)
        with_any_type(job.a.type(), [&](auto zero) { factor_one<decltype(zero)>(job, i); });
    finish(job);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_reference_plain{
    "reference/plain", "column by column, right-looking: the reference",
    factor_reference,  refuses_tournament,
    nullptr,           true};

}  // namespace wale::lu
