// blocked - A^-1 = U^-1 L^-1 P, some columns at a time: L^-1 where it is not 0, then a solve with U. 4/3 n^3
// operations, nearly all of them in products.
#include <optional>

#include "cuda/complex.cuh"
#include "solvers/lu/cuda/copy.cuh"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/cuda/triangles.cuh"
#include "solvers/lu/cuda/triangles_tuning.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

using triangular::policy;

template <class T>
__global__ void set_ones(T* to, index_t leading, index_t row, index_t columns) {
    const index_t j = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (j < columns) to[j * leading + row + j] = T(1);
}

template <class T>
void invert_one(const cuda::context& c, const cuda::blas& blas, const policy& p, const matrices& m,
                const std::int32_t* pivots) {
    const index_t n = m.rows, width = std::min(p.right_sides, n);
    const cuda::scratch<std::int32_t> from(c, pivots ? n : 0);
    if (pivots) queue_permutations(c, const_matrices(m), pivots, from.data());
    const triangles<T> both(c, blas, m, p.inverted);
    const cuda::scratch<T> inverse(c, n * n), unit(c, n * width), lower(c, n * width);
    for (index_t j = 0; j < n; j += width) {
        const index_t columns = std::min(width, n - j);
        unit.fill_bytes(0);
        lower.fill_bytes(0);
        constexpr unsigned threads = 256;
        set_ones<<<static_cast<unsigned>((columns + threads - 1) / threads), threads, 0, c.stream()>>>(
            unit.data(), n, j, columns);
        cuda::check_launch();
        both.solve_lower({unit.data(), lower.data(), n, columns, j}, false);
        both.solve_upper({lower.data(), inverse.data() + j * n, n, columns}, false);
    }
    // Row i of P is the unit vector of column from[i].
    queue_copy(c, permuted_copy<T, T>{.from = {inverse.data(), 1, n},
                                      .to = elements<T>(m),
                                      .rows = n,
                                      .columns = n,
                                      .to_column = from.data()});
}

/// Of complex numbers: L, then U by cuBLAS, with the unit matrix as right side. Factors by rows are those of
/// the transpose by columns.
template <class T>
void invert_complex(const cuda::context& c, const cuda::blas& blas, const matrices& m,
                    const std::int32_t* pivots) {
    const index_t n = m.rows;
    const cuda::scratch<std::int32_t> from(c, pivots ? n : 0);
    if (pivots) queue_permutations(c, const_matrices(m), pivots, from.data());
    const cuda::scratch<T> inverse(c, n * n);
    inverse.fill_bytes(0);
    constexpr unsigned threads = 256;
    set_ones<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, c.stream()>>>(
        inverse.data(), n, index_t{0}, n);
    cuda::check_launch();
    using N = std::conditional_t<sizeof(T) == 8, cuComplex, cuDoubleComplex>;
    const auto trsm = [] {
        if constexpr (sizeof(T) == 8)
            return cublasCtrsm_64;
        else
            return cublasZtrsm_64;
    }();
    const T one(1);
    for (const bool lower : {true, false})
        cuda::check(trsm(blas.get(), CUBLAS_SIDE_LEFT,
                         lower != m.row_major() ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                         m.row_major() ? CUBLAS_OP_T : CUBLAS_OP_N,
                         lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, n,
                         reinterpret_cast<const N*>(&one), static_cast<const N*>(m.data), m.leading,
                         reinterpret_cast<N*>(inverse.data()), n));
    queue_copy(c, permuted_copy<T, T>{.from = {inverse.data(), 1, n},
                                      .to = {static_cast<T*>(m.data), m.row_step(), m.column_step()},
                                      .rows = n,
                                      .columns = n,
                                      .to_column = from.data()});
}

void inverse_blocked(inverse_job& job) {
    const cuda::context c(job.where);
    const policy& p = triangular::policies[tuning::choose("lu/inverse/blocked", triangular::policies, c.sm(),
                                                          static_cast<int>(bytes_of(job.a.type())))]
                          .policy;
    std::optional<cuda::timer> watch;
    if (!job.asynchronous) watch.emplace(c);
    const cuda::blas blas(c);
    for (index_t i = 0; i < job.a.count(); ++i) {
        if (job.a[i].rows == 0) continue;
        const std::int32_t* const pivots = job.pivots ? job.pivots + job.a.pivot_start(i) : nullptr;
        cuda::with_device_type(job.a.type(), [&](auto zero) {
            if constexpr (is_complex_type<decltype(zero)>)
                invert_complex<decltype(zero)>(c, blas, job.a[i], pivots);
            else
                invert_one<decltype(zero)>(c, blas, p, job.a[i], pivots);
        });
    }
    job.result->run.policy = "block=" + std::to_string(p.inverted);
    if (watch) job.result->run.compute_seconds = watch->stop();
}

/// Complex matrices one by one where they are few; cuda/columns has all of a batch at once.
bool suits_blocked(const inverse_job& job) {
    return !job.is_complex() || job.a.count() == 1;
}

}  // namespace

extern constinit const catalogue::row<inverse_job> inverse_cuda_blocked{
    "cuda/blocked",  "one matrix after the other: L^-1, then a solve with U, by products; complex by cuBLAS",
    inverse_blocked, nullptr,
    suits_blocked,   true};

}  // namespace wale::lu
