// columns - residuals of complex factors on the device: a block a column, sums in f64.
#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/inspect/shared/ordered.cuh"

namespace wale::lu {
namespace {

constexpr int threads = 256;
constexpr index_t most_blocks = 65535;

/// errors[i] is raised to the largest column sum of |P A - L U| of matrix i, all times scale.
template <class T>
__global__ void __launch_bounds__(threads)
    residual_columns(const device_batch<const T> originals, const device_batch<const T> factors,
                     const std::int32_t* permutation, double scale, double* errors) {
    using W = std::conditional_t<is_complex_type<T>, thrust::complex<double>, double>;
    __shared__ double sums[threads / 32];
    for (index_t number = blockIdx.y; number < factors.count; number += gridDim.y) {
        const device_matrix<const T> f = factors[number];
        const strided<const T> a = originals[number].elements(), lu = f.elements();
        const std::int32_t* const from = permutation + f.row_start;
        for (index_t j = blockIdx.x; j < f.columns; j += gridDim.x) {
            double sum = 0;
            for (index_t i = threadIdx.x; i < f.rows; i += threads) {
                W rest = W(a(from[i], j)) * scale;
                for (index_t k = 0; k <= min(i, j); ++k)
                    rest = cuda::less_product(rest, k == i ? W(1) : W(lu(i, k)), W(lu(k, j)) * scale);
                sum += cuda::magnitude_of(1, rest);
            }
            sum = warp_sum(sum);
            if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
            __syncthreads();
            if (threadIdx.x == 0) {
                for (int w = 1; w < threads / 32; ++w) sum += sums[w];
                raise(errors + number, sum);
            }
            __syncthreads();
        }
    }
}

/// One number for each matrix, on the host.
std::vector<double> measured_there(const cuda::context& c, const residual_job& job, const const_batch& a,
                                   measure what, double factor) {
    const cuda::scratch<double> values(c, a.count());
    measure_job m{.where = job.where, .a = a, .what = what, .factor = factor, .values = values.data()};
    run_measure(m);
    std::vector<double> found(static_cast<std::size_t>(a.count()));
    values.to_host(found.data());
    return found;
}

void residual_by_columns(residual_job& job) {
    const index_t count = job.factors.count(), rows = job.factors.largest_rows(),
                  columns = job.factors.largest_columns();
    if (count == 0 || rows == 0 || columns == 0) return;
    const cuda::context c(job.where);
    double largest = 0;
    for (const const_batch* side : {&job.a, &job.factors})
        for (const double v : measured_there(
                 c, job, *side, side == &job.a ? measure::max_magnitude : measure::max_magnitude_upper, 1))
            largest = std::fmax(largest, v);
    const double scale = residual_scale(largest);
    const cuda::scratch<double> errors(c, count);
    const cuda::scratch<std::int32_t> permutation(c, count * rows);
    errors.fill_bytes(0);
    queue_permutations(c, job.factors, job.pivots, permutation.data());
    cuda::with_device_type(job.factors.type(), [&](auto zero) {
        using T = decltype(zero);
        const batch_on_device<const T> a(c, job.a), factors(c, job.factors);
        const dim3 blocks(static_cast<unsigned>(std::min(columns, most_blocks)),
                          static_cast<unsigned>(std::min(count, most_blocks)));
        residual_columns<<<blocks, threads, 0, c.stream()>>>(a.get(), factors.get(), permutation.data(),
                                                             scale, errors.data());
        cuda::check_launch();
        const std::vector<double> norms = measured_there(c, job, job.a, measure::one_norm, scale);
        std::vector<double> found(static_cast<std::size_t>(count));
        errors.to_host(found.data());
        for (index_t i = 0; i < count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            // In this order no quotient of small norms loses digits below the normal range.
            const double eps = std::numeric_limits<real_of<T>>::epsilon(),
                         size = static_cast<double>(std::max(job.a[i].rows, job.a[i].columns)),
                         ratio = found[k] == 0 ? 0 : found[k] / norms[k] / (size * eps);
            if (!(ratio <= job.ratio) && !std::isnan(job.ratio)) job.ratio = ratio;
        }
    });
}

}  // namespace

extern constinit const catalogue::row<residual_job> residual_cuda_columns{
    "cuda/columns",
    "complex numbers too: a block a column, in f64",
    residual_by_columns,
    nullptr,
    nullptr,
    true};

}  // namespace wale::lu
