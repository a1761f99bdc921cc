// vectors - a block a column: the sums have one order, so that they have the same bits from run to run.
#include "solvers/lu/refined/cuda/iterative/vectors.cuh"

#include <algorithm>
#include <cub/block/block_reduce.cuh>

#include "solvers/lu/inspect/shared/ordered.cuh"

namespace wale::lu {
namespace {

constexpr int threads = 1024;

struct both {
    double squares, most;
};
struct merge {
    __device__ both operator()(const both& a, const both& b) const {
        return {a.squares + b.squares, larger(a.most, b.most)};
    }
};

/// Scaled by a power of two near the largest entry, so that no square over- or underflows.
__device__ double power_near(double most) {
    return most > 0 && isfinite(most) ? ldexp(1.0, min(max(ilogb(most), -1000), 1000)) : 1;
}

__global__ void __launch_bounds__(threads)
    norms_kernel(const double* x, index_t rows, double* two, double* infinity) {
    using reduce = cub::BlockReduce<both, threads>;
    __shared__ typename reduce::TempStorage storage;
    __shared__ double scale;
    const double* column = x + blockIdx.x * rows;
    both mine{0, 0};
    for (index_t i = threadIdx.x; i < rows; i += threads) mine.most = larger(mine.most, column[i]);
    const both first = reduce(storage).Reduce(mine, merge{});
    if (threadIdx.x == 0) scale = power_near(first.most);
    __syncthreads();
    for (index_t i = threadIdx.x; i < rows; i += threads) {
        const double v = column[i] / scale;
        mine.squares = fma(v, v, mine.squares);
    }
    const both all = reduce(storage).Reduce(mine, merge{});
    if (threadIdx.x != 0) return;
    two[blockIdx.x] = scale * sqrt(all.squares);
    infinity[blockIdx.x] = all.most;
}

__global__ void divide_kernel(const double* x, const double* by, index_t rows, double* to) {
    const index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x, at = blockIdx.y * rows + i;
    const double divisor = by[blockIdx.y];
    if (i < rows) to[at] = divisor == 0 ? 0 : x[at] / divisor;
}

__global__ void ldexp_kernel(const int* exponents, index_t rows, double* x) {
    const index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x, at = blockIdx.y * rows + i;
    if (i < rows) x[at] = ldexp(x[at], exponents[blockIdx.y]);
}

constexpr unsigned block = 256;
constexpr std::size_t most_columns = 65535;  // of a grid

}  // namespace

void norms_on_device::queue(const double* x, index_t rows, index_t columns) {
    columns_ = columns;
    norms_kernel<<<static_cast<unsigned>(columns), threads, 0, c_.stream()>>>(x, rows, norms_.data(),
                                                                              norms_.data() + columns);
    cuda::check_launch();
}

column_norms norms_on_device::read() const {
    std::vector<double> all(static_cast<std::size_t>(2 * columns_));
    cuda::check(cudaMemcpyAsync(all.data(), norms_.data(), all.size() * sizeof(double),
                                cudaMemcpyDeviceToHost, c_.stream()));
    c_.synchronize();
    return {{all.begin(), all.begin() + columns_}, {all.begin() + columns_, all.end()}};
}

void queue_divide(const cuda::context& c, const double* x, const double* by, index_t rows, index_t columns,
                  double* to) {
    divide_kernel<<<dim3(static_cast<unsigned>((rows + block - 1) / block), static_cast<unsigned>(columns)),
                    block, 0, c.stream()>>>(x, by, rows, to);
    cuda::check_launch();
}

void queue_ldexp(const cuda::context& c, const std::vector<int>& exponents, index_t rows, double* x) {
    const cuda::scratch<int> there(c, std::ssize(exponents));
    // From pageable memory: the copy has left `exponents` when the call returns.
    cuda::check(cudaMemcpyAsync(there.data(), exponents.data(), exponents.size() * sizeof(int),
                                cudaMemcpyHostToDevice, c.stream()));
    for (std::size_t first = 0; first < exponents.size(); first += most_columns) {
        const std::size_t columns = std::min(most_columns, exponents.size() - first);
        ldexp_kernel<<<dim3(static_cast<unsigned>((rows + block - 1) / block),
                            static_cast<unsigned>(columns)),
                       block, 0, c.stream()>>>(there.data() + first, rows,
                                               x + static_cast<index_t>(first) * rows);
        cuda::check_launch();
    }
}

}  // namespace wale::lu
