// blocked - how far P A is from L U, in f64: products of matrices, so that checking costs no more than
// factoring did. Small matrices in a block each, large ones by blocks of columns, so that the memory is
// bounded.
#include <limits>

#include "cuda/blas.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/inspect/shared/ordered.cuh"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

constexpr int lanes = 32, warps = 8;
constexpr index_t most_blocks = 65535;
constexpr index_t largest_small = 128;  // what the arrays of small_kernel hold

/// How P A - L U is cut for the products.
struct policy {
    index_t block_elements;  // of each of the three f64 blocks that a product works on
    index_t widest;          // columns of a block, at most
    index_t small;           // matrices up to so many rows and columns take one block of threads each
};

constexpr tuning::row<policy> policies[] = {
    {0, 0, {index_t{1} << 26, 2048, 128}, "untuned"},
};
static_assert(tuning::well_formed(policies));
static_assert(policies[0].policy.small <= largest_small);

template <class T>
double epsilon_of() {
    return static_cast<double>(std::numeric_limits<T>::epsilon());
}

__device__ double ratio_of(double error, double norm, double size, double epsilon) {
    return error == 0 ? 0 : error / norm / (size * epsilon);
}

/// The largest magnitudes of every A and U, where these may need a scale.
struct magnitudes {
    const double *a = nullptr, *u = nullptr;
    __device__ double scale(index_t matrix) const {
        return a == nullptr ? 1 : residual_scale(larger(a[matrix], u[matrix]));
    }
};

/// Row i of P A is row from[i] of A.
__device__ void apply_exchanges(int* from, const std::int32_t* pivots, int rows, int steps) {
    for (int i = threadIdx.y * lanes + threadIdx.x; i < rows; i += lanes * warps) from[i] = i;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && pivots)
        for (int k = 0; k < steps; ++k) {
            const int row = from[k];
            from[k] = from[pivots[k]];
            from[pivots[k]] = row;
        }
    __syncthreads();
}

template <class T>
struct column_sums {
    double error = 0, norm = 0;  // the largest of this warp's columns
    __device__ void take(const device_matrix<T>& a, const device_matrix<T>& factors, const int* from,
                         double scale) {
        const strided<T> x = a.elements(), lu = factors.elements();
        for (index_t j = threadIdx.y; j < a.columns; j += warps) {
            double error_sum = 0, norm_sum = 0;
            for (index_t i = threadIdx.x; i < a.rows; i += lanes) {
                const double original = scale * static_cast<double>(x(from[i], j));
                double r = i <= j ? original - scale * static_cast<double>(lu(i, j)) : original;
                const index_t last = min(i, j + 1);  // the unit diagonal of L is in r
                for (index_t k = 0; k < last; ++k)
                    r = fma(-static_cast<double>(lu(i, k)), scale * static_cast<double>(lu(k, j)), r);
                error_sum += fabs(r);
                norm_sum += fabs(original);
            }
            error = larger(error, warp_sum(error_sum));
            norm = larger(norm, warp_sum(norm_sum));
        }
    }
};

/// A block a matrix, a warp a column.
template <class T>
__global__ void __launch_bounds__(lanes* warps)
    small_kernel(device_batch<T> originals, device_batch<T> factors, const std::int32_t* pivots,
                 magnitudes largest, double epsilon, double* worst) {
    __shared__ int from[largest_small];
    __shared__ double errors[warps], norms[warps];
    for (index_t number = blockIdx.x; number < factors.count; number += gridDim.x) {
        const device_matrix<T> a = originals[number], f = factors[number];
        apply_exchanges(from, pivots ? pivots + f.pivot_start : nullptr, static_cast<int>(a.rows),
                        static_cast<int>(f.diagonal()));
        column_sums<T> sums;
        sums.take(a, f, from, largest.scale(number));
        errors[threadIdx.y] = sums.error;
        norms[threadIdx.y] = sums.norm;
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0) {
            for (int w = 1; w < warps; ++w) {
                sums.error = larger(sums.error, errors[w]);
                sums.norm = larger(sums.norm, norms[w]);
            }
            raise(worst,
                  ratio_of(sums.error, sums.norm, static_cast<double>(max(a.rows, a.columns)), epsilon));
        }
        __syncthreads();
    }
}

enum class part { permuted, lower, upper };

/// The block of rows from `row`, columns from `column` on of P A, L or U as a packed column-major f64 matrix.
/// `from`: row i of P A is row from[i] of A; null: the same. P A and U take the scale of the only matrix in
/// `largest`.
template <class T>
__global__ void unpack(part what, strided<T> source, const std::int32_t* from, magnitudes largest,
                       index_t row, index_t column, index_t rows, index_t columns, double* to) {
    __shared__ double tile[lanes][lanes + 1];  // turns rows into columns, so that both sides are contiguous
    const bool row_major = source.column_step == 1;
    const double scale = what == part::lower ? 1 : largest.scale(0);
    for (index_t j0 = blockIdx.y * index_t{lanes}; j0 < columns; j0 += gridDim.y * index_t{lanes}) {
        const index_t i0 = blockIdx.x * index_t{lanes};
        for (int y = threadIdx.y; y < lanes; y += warps) {
            const int ti = row_major ? y : threadIdx.x, tj = row_major ? threadIdx.x : y;
            const index_t i = i0 + ti, j = j0 + tj, at_row = row + i, at_column = column + j;
            if (i >= rows || j >= columns) continue;
            const bool kept =
                what == part::permuted || (what == part::lower ? at_row > at_column : at_row <= at_column);
            double v = what == part::lower && at_row == at_column ? 1 : 0;
            if (kept) v = scale * static_cast<double>(source(from ? from[at_row] : at_row, at_column));
            tile[tj][ti] = v;
        }
        __syncthreads();
        for (int y = threadIdx.y; y < lanes; y += warps)
            if (i0 + threadIdx.x < rows && j0 + y < columns)
                to[(j0 + y) * rows + i0 + threadIdx.x] = tile[y][threadIdx.x];
        __syncthreads();
    }
}

/// The largest column sum of magnitudes of a packed column-major matrix: a block a column.
__global__ void raise_norm(const double* a, index_t rows, double* norm) {
    __shared__ double sums[warps];
    double sum = 0;
    for (index_t i = threadIdx.y * lanes + threadIdx.x; i < rows; i += lanes * warps)
        sum += fabs(a[blockIdx.x * rows + i]);
    sum = warp_sum(sum);
    if (threadIdx.x == 0) sums[threadIdx.y] = sum;
    __syncthreads();
    if (threadIdx.x != 0 || threadIdx.y != 0) return;
    for (int w = 1; w < warps; ++w) sum += sums[w];
    raise(norm, sum);
}

__global__ void raise_ratio(const double* error_and_norm, double size, double epsilon, double* worst) {
    raise(worst, ratio_of(error_and_norm[0], error_and_norm[1], size, epsilon));
}

/// One matrix, by blocks of columns of L and U.
template <class T>
class blocked_residual {
public:
    blocked_residual(const cuda::context& c, const policy& p, index_t rows, index_t columns)
        : c_(c),
          blas_(c),
          width_(std::clamp<index_t>(p.block_elements / std::max<index_t>(rows, 1), 1,
                                     std::min(p.widest, std::max<index_t>(columns, 1)))),
          from_(c, rows),
          difference_(c, rows * width_),
          lower_(c, rows * width_),
          upper_(c, width_ * width_),
          norms_(c, 2) {}

    void run(const const_matrices& a, const const_matrices& factors, const std::int32_t* pivots,
             const magnitudes& largest, double* worst) {
        largest_ = largest;
        if (pivots) queue_permutations(c_, factors, pivots, from_.data());
        norms_.fill_bytes(0);
        for (index_t j = 0; j < a.columns; j += width_) {
            const index_t columns = std::min(width_, a.columns - j);
            extract(part::permuted, a, {0, j, a.rows, columns}, difference_.data(), pivots != nullptr);
            take_norm(a.rows, columns, norms_.data() + 1);
            const index_t last = std::min(factors.diagonal(), j + columns);
            for (index_t k = 0; k < last; k += width_)
                subtract(factors, k, std::min(width_, last - k), j, columns);
            take_norm(a.rows, columns, norms_.data());
        }
        raise_ratio<<<1, 1, 0, c_.stream()>>>(norms_.data(), static_cast<double>(std::max(a.rows, a.columns)),
                                              epsilon_of<T>(), worst);
        cuda::check_launch();
    }

private:
    struct block {
        index_t row, column, rows, columns;
    };
    void extract(part what, const const_matrices& m, const block& b, double* to, bool permuted) const {
        const auto tiles = [](index_t n) {
            return static_cast<unsigned>(std::min((n + lanes - 1) / lanes, most_blocks));
        };
        const dim3 grid(static_cast<unsigned>((b.rows + lanes - 1) / lanes), tiles(b.columns));
        unpack<<<grid, dim3(lanes, warps), 0, c_.stream()>>>(what, elements<T>(m),
                                                             permuted ? from_.data() : nullptr, largest_,
                                                             b.row, b.column, b.rows, b.columns, to);
        cuda::check_launch();
    }
    void take_norm(index_t rows, index_t columns, double* norm) const {
        raise_norm<<<static_cast<unsigned>(columns), dim3(lanes, warps), 0, c_.stream()>>>(difference_.data(),
                                                                                           rows, norm);
        cuda::check_launch();
    }
    /// difference -= L(:, k...) U(k..., j...); rows of L above k are 0.
    void subtract(const const_matrices& factors, index_t k, index_t inner, index_t j, index_t columns) const {
        const index_t rows = factors.rows - k;
        extract(part::lower, factors, {k, k, rows, inner}, lower_.data(), false);
        extract(part::upper, factors, {k, j, inner, columns}, upper_.data(), false);
        const double minus = -1, one = 1;
        cuda::check(cublasDgemm_64(blas_.get(), CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, inner, &minus,
                                   lower_.data(), rows, upper_.data(), inner, &one, difference_.data() + k,
                                   factors.rows));
    }

    const cuda::context& c_;
    cuda::blas blas_;
    index_t width_;
    magnitudes largest_;  // of the matrix at hand
    cuda::scratch<std::int32_t> from_;
    cuda::scratch<double> difference_, lower_, upper_, norms_;
};

template <class T>
void queue_small(const cuda::context& c, const residual_job& job, const magnitudes& largest, double* worst) {
    const batch_on_device<const T> a(c, job.a), factors(c, job.factors);
    const auto blocks = static_cast<unsigned>(std::min(job.factors.count(), most_blocks));
    small_kernel<const T><<<blocks, dim3(lanes, warps), 0, c.stream()>>>(a.get(), factors.get(), job.pivots,
                                                                         largest, epsilon_of<T>(), worst);
    cuda::check_launch();
}

void residual_on_device(residual_job& job) {
    const cuda::context c(job.where);
    const index_t rows = job.factors.largest_rows(), columns = job.factors.largest_columns();
    if (job.factors.count() == 0 || rows == 0 || columns == 0) return;
    const policy& p = policies[tuning::choose("lu/inspect", policies, c.sm(), 8)].policy;
    const cuda::scratch<double> worst(c, 1);
    worst.fill_bytes(0);
    // Sums of f32 elements are far from the end of f64's range.
    const index_t count = job.factors.type() == scalar::f64 ? job.factors.count() : 0;
    const cuda::scratch<double> of_a(c, count), of_u(c, count);
    if (count > 0) {
        measure_job m{.where = job.where, .a = job.a, .values = of_a.data(), .asynchronous = true};
        run_measure(m);
        m.a = job.factors;
        m.what = measure::max_magnitude_upper;
        m.values = of_u.data();
        run_measure(m);
    }
    const auto largest = [&](index_t i) {
        return count > 0 ? magnitudes{of_a.data() + i, of_u.data() + i} : magnitudes{};
    };
    with_type(job.factors.type(), [&](auto zero) {
        using T = decltype(zero);
        if (rows <= p.small && columns <= p.small) return queue_small<T>(c, job, largest(0), worst.data());
        blocked_residual<T> blocked(c, p, rows, columns);
        for (index_t i = 0; i < job.factors.count(); ++i) {
            const const_matrices one = job.factors[i];
            if (one.rows == 0 || one.columns == 0) continue;
            blocked.run(job.a[i], one, job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr,
                        largest(i), worst.data());
        }
    });
    worst.to_host(&job.ratio);
}

}  // namespace

extern constinit const catalogue::row<residual_job> residual_cuda_blocked{
    "cuda/blocked", "products in f64 by blocks of columns", residual_on_device};

}  // namespace wale::lu
