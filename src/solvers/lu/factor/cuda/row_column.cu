// row_column - each step one row of U in parallel, then one column of L: two launches a step and n of n^2
// elements at work.
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/factor/shared/row_column.cuh"

namespace wale::lu {
namespace {

using namespace ladder;

template <class T>
__global__ void row_kernel(factoring<T> f, index_t k) {
    const index_t j = k + blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (j < f.columns) f.a(k, j) = row_element(f, k, j);
}
template <class T>
__global__ void column_kernel(factoring<T> f, index_t k) {
    const index_t i = k + 1 + blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i < f.rows) f.a(i, k) = column_element(f, i, k);
}

template <class T>
index_t in_place(const cuda::context& c, const policy& p, const factoring<T>& f) {
    index_t launches = 0;
    for (index_t k = 0; k < f.diagonal(); ++k, launches += 2) {
        row_kernel<<<blocks_of(f.columns - k, p.threads), p.threads, 0, c.stream()>>>(f, k);
        cuda::check_launch();
        const index_t below = f.rows - k - 1;
        if (below == 0) {
            --launches;
            continue;
        }
        column_kernel<<<blocks_of(below, p.threads), p.threads, 0, c.stream()>>>(f, k);
        cuda::check_launch();
    }
    return launches;
}

void run(factor_job& job) {
    run_each(job, "cuda/row_column", [](const cuda::context& c, std::size_t row, const auto& f) {
        return in_place(c, policies[row].policy, f);
    });
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_row_column{
    "cuda/row_column", "one row of U, then one column of L a step, in place", run, refuses_pivoting};

}  // namespace wale::lu
