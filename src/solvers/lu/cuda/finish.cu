// finish - a block a matrix reads its diagonal and pivots; a thread a row finds where the row came from.
#include <cub/block/block_reduce.cuh>

#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"

namespace wale::lu {
namespace {

constexpr int few_threads = 128, many_threads = 1024;  // a matrix: short and long diagonals
constexpr index_t long_diagonal = 2048;
constexpr int permutation_threads = 128;
constexpr index_t most_blocks = 65535;

/// What finish() writes; null: not wanted.
struct arrays {
    const std::int32_t* pivots;
    std::int32_t* first_zero;
    double* sign;
    double* log_magnitude;
    outcome* to;
};

/// Of complex numbers the product of their directions; of real ones `negative` says it all.
template <bool Complex>
struct direction {
    __device__ direction operator*(const direction&) const { return {}; }
};
template <>
struct direction<true> {
    double re = 1, im = 0;
    __device__ direction operator*(const direction& b) const {
        return {re * b.re - im * b.im, re * b.im + im * b.re};
    }
};

template <bool Complex>
struct diagonal_summary {
    int first_zero, finite, exchanges, negative, nan;
    double log_magnitude;
    direction<Complex> turn;
};
/// Associative but for the logarithms and directions, whose order the block's reduction fixes.
struct merge {
    template <bool Complex>
    __device__ diagonal_summary<Complex> operator()(const diagonal_summary<Complex>& a,
                                                    const diagonal_summary<Complex>& b) const {
        return {min(a.first_zero, b.first_zero),
                a.finite & b.finite,
                a.exchanges ^ b.exchanges,
                a.negative ^ b.negative,
                a.nan | b.nan,
                a.log_magnitude + b.log_magnitude,
                a.turn * b.turn};
    }
};

/// A finite number other than 0, scaled by a power of two, so that its magnitude is neither rounded to 0 nor
/// infinite.
__device__ inline void turn_by(diagonal_summary<true>& f, double re, double im) {
    const int exponent = ilogb(fmax(fabs(re), fabs(im)));
    re = scalbn(re, -exponent);
    im = scalbn(im, -exponent);
    const double size = hypot(re, im);
    f.log_magnitude += log(size) + exponent * 0.693147180559945309417;
    f.turn = f.turn * direction<true>{re / size, im / size};
}

template <int Threads, class T>
__device__ diagonal_summary<is_complex_type<T>> look(const device_matrix<T>& m, const std::int32_t* pivots) {
    diagonal_summary<is_complex_type<T>> f{INT_MAX, 1, 0, 0, 0, 0, {}};
    const strided<T> a = m.elements();
#pragma unroll 4
    for (index_t k = threadIdx.x; k < m.diagonal(); k += Threads) {
        f.exchanges ^= pivots != nullptr && pivots[k] != k;
        if constexpr (is_complex_type<T>) {
            const double re = a(k, k).real(), im = a(k, k).imag(), size = fabs(re) + fabs(im);
            if (size == 0 && f.first_zero == INT_MAX) f.first_zero = static_cast<int>(k);
            const bool finite = isfinite(re) && isfinite(im);
            f.finite &= finite;
            f.nan |= isnan(re) || isnan(im);
            if (finite && size != 0)
                turn_by(f, re, im);
            else
                f.log_magnitude += log(size);
        } else {
            const double u = a(k, k);
            if (u == 0 && f.first_zero == INT_MAX) f.first_zero = static_cast<int>(k);
            f.finite &= isfinite(u);
            f.nan |= isnan(u);
            f.negative ^= u < 0;
            f.log_magnitude += log(fabs(u));
        }
    }
    return f;
}

/// The sign of a determinant, of complex ones both parts.
template <bool Complex>
__device__ void write_sign(const diagonal_summary<Complex>& f, double* signs, index_t i) {
    const double sign = f.exchanges ? -1 : 1;
    const double whole = f.nan ? nan("") : f.first_zero != INT_MAX ? 0 : f.negative ? -sign : sign;
    if constexpr (Complex) {
        const double size = hypot(f.turn.re, f.turn.im);
        const bool turns = f.finite && f.first_zero == INT_MAX;
        signs[2 * i] = turns ? whole * (f.turn.re / size) : whole;
        signs[2 * i + 1] = turns ? whole * (f.turn.im / size) : 0;
    } else {
        signs[i] = whole;
    }
}

template <int Threads, class T>
__global__ void __launch_bounds__(Threads) diagonal_kernel(device_batch<T> all, arrays out) {
    using summary = diagonal_summary<is_complex_type<T>>;
    using reduce = cub::BlockReduce<summary, Threads>;
    __shared__ typename reduce::TempStorage storage;
    for (index_t i = blockIdx.x; i < all.count; i += gridDim.x) {
        const device_matrix<T> m = all[i];
        const std::int32_t* pivots = out.pivots ? out.pivots + m.pivot_start : nullptr;
        const summary f = reduce(storage).Reduce(look<Threads>(m, pivots), merge{});
        if (threadIdx.x == 0) {
            const int zero = f.first_zero == INT_MAX ? -1 : f.first_zero;
            const int sign = f.exchanges ? -1 : 1;
            note(out.to, i, zero, f.finite);
            note_sign(out.to, i, sign);
            if (out.first_zero) out.first_zero[i] = zero;
            if (out.sign) write_sign(f, out.sign, i);
            if (out.log_magnitude) out.log_magnitude[i] = f.log_magnitude;
        }
        __syncthreads();
    }
}

/// Which row the exchanges 0..last-1 bring to `at`, followed backwards. Exchange k moves only rows k and
/// pivots[k] >= k; once the row is known to have been in place `at` > k, only pivots[k] = at can have brought
/// it there. The reads do not depend on what was found, so that 32 are read at once.
__device__ index_t came_from(const std::int32_t* pivots, index_t last, std::int32_t at) {
    constexpr int at_once = 32;
    index_t k = last;
    while (k >= at_once) {
        std::int32_t p[at_once];
        bool hit = false;
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            p[i] = __ldg(pivots + k - 1 - i);
            hit |= p[i] == at;
        }
        if (hit)
#pragma unroll
            for (int i = 0; i < at_once; ++i)
                if (p[i] == at) at = static_cast<std::int32_t>(k - 1 - i);
        k -= at_once;
    }
    while (--k >= 0)
        if (pivots[k] == at) at = static_cast<std::int32_t>(k);
    return at;
}

/// The exchanges depend on each other; to follow each row through all of them is n^2/2 comparisons instead of
/// n steps, but all rows at once.
template <class T>
__global__ void permutation_kernel(device_batch<T> all, const std::int32_t* pivots,
                                   std::int32_t* permutation) {
    for (index_t i = blockIdx.y; i < all.count; i += gridDim.y) {
        const device_matrix<T> m = all[i];
        for (index_t row = blockIdx.x * index_t{permutation_threads} + threadIdx.x; row < m.rows;
             row += gridDim.x * index_t{permutation_threads}) {
            const std::int32_t* own = pivots ? pivots + m.pivot_start : nullptr;
            index_t from = row;
            if (own && row < m.diagonal()) from = came_from(own, row, own[row]);
            if (own && row >= m.diagonal())
                from = came_from(own, m.diagonal(), static_cast<std::int32_t>(row));
            permutation[m.row_start + row] = static_cast<std::int32_t>(from);
        }
    }
}

template <class T, class M>
void queue_diagonals(const cuda::context& c, const batch_of<M>& all, const device_batch<T>& on_device,
                     const arrays& out) {
    const auto blocks = static_cast<unsigned>(std::min<index_t>(all.count(), most_blocks));
    if (all.largest([](const M& m) { return m.diagonal(); }) >= long_diagonal)
        diagonal_kernel<many_threads><<<blocks, many_threads, 0, c.stream()>>>(on_device, out);
    else
        diagonal_kernel<few_threads><<<blocks, few_threads, 0, c.stream()>>>(on_device, out);
    cuda::check_launch();
}

template <class T>
void queue_permutation_kernel(const cuda::context& c, index_t largest_rows, const device_batch<T>& all,
                              const std::int32_t* pivots, std::int32_t* permutation) {
    if (largest_rows == 0) return;
    const index_t tiles = (largest_rows + permutation_threads - 1) / permutation_threads;
    const dim3 grid(static_cast<unsigned>(std::min(tiles, most_blocks)),
                    static_cast<unsigned>(std::min(all.count, most_blocks)));
    permutation_kernel<<<grid, permutation_threads, 0, c.stream()>>>(all, pivots, permutation);
    cuda::check_launch();
}

}  // namespace

void outcome_on_device::report(const factor_job& job, const char* row) const {
    if (job.asynchronous) return;
    const outcome o = words_.read();
    if (o.failed) throw device_error(std::string(row) + ": a bounded wait ran out");
    lu_result& r = *job.result;
    r.singular = static_cast<index_t>(o.singular);
    r.not_finite = static_cast<index_t>(o.not_finite);
    r.perturbed = static_cast<index_t>(o.perturbed);
    r.permutation_sign = words_.number();
    if (o.singular == 0) return;
    r.first_singular = static_cast<index_t>(o.first_singular >> 32);
    r.first_zero = static_cast<index_t>(o.first_singular & 0xffffffffu);
}

void queue_finish(const cuda::context& c, const factor_job& job, const outcome_on_device& to) {
    if (job.a.count() == 0) return;
    cuda::with_device_type(job.a.type(), [&](auto zero) {
        using T = const decltype(zero);
        const batch_on_device<T> all(c, job.a);
        const lu_outputs& out = job.out;
        queue_diagonals(c, job.a, all.get(),
                        {out.pivots, out.first_zero, out.sign, out.log_magnitude, to.data()});
        if (out.permutation)
            queue_permutation_kernel(c, job.a.largest_rows(), all.get(), out.pivots, out.permutation);
    });
}

void queue_determinants(const cuda::context& c, const determinant_job& job) {
    if (job.factors.count() == 0) return;
    cuda::with_device_type(job.factors.type(), [&](auto zero) {
        const batch_on_device<const decltype(zero)> all(c, job.factors);
        queue_diagonals(c, job.factors, all.get(),
                        {job.pivots, nullptr, job.sign, job.log_magnitude, nullptr});
    });
}

void queue_permutations(const cuda::context& c, const const_batch& matrices, const std::int32_t* pivots,
                        std::int32_t* permutation) {
    if (matrices.count() == 0) return;
    cuda::with_device_type(matrices.type(), [&](auto zero) {
        const batch_on_device<const decltype(zero)> all(c, matrices);
        queue_permutation_kernel(c, matrices.largest_rows(), all.get(), pivots, permutation);
    });
}

}  // namespace wale::lu
