// row_column_copy - as row_column, but every launch writes a fresh matrix, as a language whose arrays are
// assigned once compiles a step where it does not see that the old matrix is dead.
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/factor/shared/row_column.cuh"

namespace wale::lu {
namespace {

using namespace ladder;

/// The whole of f.a to `to`, with row or column k made new.
template <class T>
__global__ void copy_kernel(factoring<T> f, strided<T> to, index_t k, bool row) {
    const index_t line = blockIdx.y + index_t{gridDim.y} * blockIdx.z;
    const index_t at = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    const index_t i = f.row_major() ? line : at, j = f.row_major() ? at : line;
    if (i >= f.rows || j >= f.columns) return;
    T v = f.a(i, j);
    if (row && i == k && j >= k) v = row_element(f, k, j);
    if (!row && j == k && i > k) v = column_element(f, i, k);
    to(i, j) = v;
}

template <class T>
index_t by_copies(const cuda::context& c, const policy& p, const factoring<T>& f) {
    constexpr index_t most = 65535;
    const index_t lines = f.row_major() ? f.rows : f.columns, size = f.row_major() ? f.columns : f.rows;
    const cuda::scratch<T> other(c, f.rows * f.columns);
    const strided<T> fresh{other.data(), f.row_major() ? size : 1, f.row_major() ? 1 : size};
    const dim3 grid(blocks_of(size, p.copy_threads), static_cast<unsigned>(std::min(lines, most)),
                    blocks_of(lines, most));
    factoring<T> now = f;
    strided<T> next = fresh;
    index_t launches = 0;
    const auto launch = [&](index_t k, bool row) {
        copy_kernel<<<grid, p.copy_threads, 0, c.stream()>>>(now, next, k, row);
        cuda::check_launch();
        std::swap(now.a, next);
        ++launches;
    };
    for (index_t k = 0; k < f.diagonal(); ++k) {
        launch(k, true);
        launch(k, false);
    }
    return launches;  // an even number: the last copy is in the caller's matrix
}

void run(factor_job& job) {
    run_each(job, "cuda/row_column_copy", [](const cuda::context& c, std::size_t row, const auto& f) {
        return by_copies(c, policies[row].policy, f);
    });
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_row_column_copy{
    "cuda/row_column_copy", "the same with a fresh copy of the matrix each time, as single assignment has it",
    run, refuses_pivoting};

}  // namespace wale::lu
