// lines - norms on the device: a warp a line, or 32 columns a block.
#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/inspect/shared/ordered.cuh"

namespace wale::lu {
namespace {

constexpr int lanes = 32, warps = 8;  // of a block
constexpr index_t most_blocks = 65535;

/// The measure of the lines that this warp takes, a line a warp: rows or columns, whichever are contiguous.
/// Elements count from `begins` on.
template <class T>
__device__ double over_lines(const device_matrix<T>& m, measure what, double factor) {
    const bool row_major = m.column_step == 1;
    const index_t lines = row_major ? m.rows : m.columns, size = row_major ? m.columns : m.rows;
    const index_t step = row_major ? m.row_step : m.column_step;
    double most = 0;
    for (index_t line = blockIdx.x * index_t{warps} + threadIdx.y; line < lines;
         line += gridDim.x * index_t{warps}) {
        const T* p = m.data + line * step;
        const bool upper = what == measure::max_magnitude_upper;
        const index_t first = upper && row_major ? line : 0;
        const index_t last = upper && !row_major ? min(size, line + 1) : size;
        double found = 0;
        for (index_t i = first + threadIdx.x; i < last; i += lanes) {
            const double v = cuda::magnitude_of(factor, p[i]);
            found = what == measure::one_norm ? found + v : larger(found, v);
        }
        most = larger(most, what == measure::one_norm ? warp_sum(found) : found);
    }
    return warp_largest(most);
}

/// The largest column sum of a row-major matrix, 32 columns a block; every row's part is contiguous.
template <class T>
__device__ double over_column_strips(const device_matrix<T>& m, double factor) {
    __shared__ double sums[warps][lanes];
    double most = 0;
    for (index_t first = blockIdx.x * index_t{lanes}; first < m.columns;
         first += gridDim.x * index_t{lanes}) {
        const index_t column = first + threadIdx.x;
        double sum = 0;
        if (column < m.columns)
            for (index_t i = threadIdx.y; i < m.rows; i += warps)
                sum += cuda::magnitude_of(factor, m.data[i * m.row_step + column]);
        sums[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        sum = 0;
        for (int w = 0; w < warps; ++w) sum += sums[w][threadIdx.x];
        most = larger(most, sum);
        __syncthreads();
    }
    return warp_largest(most);
}

template <class T>
__global__ void measure_kernel(device_batch<T> all, measure what, double factor, double* values) {
    for (index_t i = blockIdx.y; i < all.count; i += gridDim.y) {
        const device_matrix<T> m = all[i];
        const bool strips = what == measure::one_norm && m.column_step == 1;
        const double most = strips ? over_column_strips(m, factor) : over_lines(m, what, factor);
        if (threadIdx.x == 0) raise(values + i, most);
    }
}

void measure_on_device(measure_job& job) {
    const index_t count = job.a.count();
    if (count == 0) return;
    const cuda::context c(job.where);
    cuda::check(cudaMemsetAsync(job.values, 0, static_cast<std::size_t>(count) * sizeof(double), c.stream()));
    const index_t lines = job.a.largest([](const const_matrices& m) { return std::max(m.rows, m.columns); });
    if (lines == 0) return;
    const dim3 grid(static_cast<unsigned>(std::min((lines + warps - 1) / warps, most_blocks)),
                    static_cast<unsigned>(std::min(count, most_blocks)));
    cuda::with_device_type(job.a.type(), [&](auto zero) {
        const batch_on_device<const decltype(zero)> all(c, job.a);
        measure_kernel<<<grid, dim3(lanes, warps), 0, c.stream()>>>(all.get(), job.what, job.factor,
                                                                    job.values);
        cuda::check_launch();
    });
    if (!job.asynchronous) c.synchronize();
}

}  // namespace

extern constinit const catalogue::row<measure_job> measure_cuda_lines{
    "cuda/lines", "a warp a line, or 32 columns a block", measure_on_device, nullptr, nullptr, true};

}  // namespace wale::lu
