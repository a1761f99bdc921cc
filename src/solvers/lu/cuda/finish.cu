// finish - a block a matrix reads its diagonal and pivots.
#include <cub/block/block_reduce.cuh>

#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"

namespace wale::lu {
namespace {

constexpr int threads = 128;

struct diagonal_facts {
    int first_zero, finite, exchanges, negative, nan;
    double log_magnitude;
};
/// Associative but for the logarithms, whose order the block's reduction fixes.
struct merge {
    __device__ diagonal_facts operator()(const diagonal_facts& a, const diagonal_facts& b) const {
        return {min(a.first_zero, b.first_zero), a.finite & b.finite, a.exchanges ^ b.exchanges,
                a.negative ^ b.negative,         a.nan | b.nan,       a.log_magnitude + b.log_magnitude};
    }
};

template <class T>
__device__ diagonal_facts look(const device_matrix<T>& m, const std::int32_t* pivots) {
    diagonal_facts f{INT_MAX, 1, 0, 0, 0, 0};
    for (index_t k = threadIdx.x; k < m.diagonal(); k += threads) {
        const double u = m.elements()(k, k);
        if (u == 0 && f.first_zero == INT_MAX) f.first_zero = static_cast<int>(k);
        f.finite &= isfinite(u);
        f.nan |= isnan(u);
        f.negative ^= u < 0;
        f.exchanges ^= pivots != nullptr && pivots[k] != k;
        f.log_magnitude += log(fabs(u));
    }
    return f;
}

template <class T>
__global__ void finish_kernel(device_batch<T> all, lu_outputs out, outcome* to) {
    using reduce = cub::BlockReduce<diagonal_facts, threads>;
    __shared__ typename reduce::TempStorage storage;
    for (index_t i = blockIdx.x; i < all.count; i += gridDim.x) {
        const device_matrix<T> m = all[i];
        const std::int32_t* pivots = out.pivots ? out.pivots + m.pivot_start : nullptr;
        if (out.permutation) {
            std::int32_t* p = out.permutation + m.row_start;
            for (index_t k = threadIdx.x; k < m.rows; k += threads) p[k] = static_cast<std::int32_t>(k);
            __syncthreads();
            if (threadIdx.x == 0 && pivots)  // exchanges depend on each other
                for (index_t k = 0; k < m.diagonal(); ++k) {
                    const std::int32_t row = p[k];
                    p[k] = p[pivots[k]];
                    p[pivots[k]] = row;
                }
        }
        __syncthreads();
        const diagonal_facts f = reduce(storage).Reduce(look(m, pivots), merge{});
        if (threadIdx.x == 0) {
            const int zero = f.first_zero == INT_MAX ? -1 : f.first_zero;
            const int sign = f.exchanges ? -1 : 1;
            note(to, i, zero, f.finite);
            if (i == 0) to->permutation_sign = sign;
            if (out.first_zero) out.first_zero[i] = zero;
            if (out.sign) out.sign[i] = f.nan ? nan("") : zero >= 0 ? 0 : f.negative ? -sign : sign;
            if (out.log_magnitude) out.log_magnitude[i] = f.log_magnitude;
        }
        __syncthreads();
    }
}

__global__ void clear(outcome* o) {
    *o = {0, 0, 0, ~0ull, 1, 0};
}

}  // namespace

outcome_on_device::outcome_on_device(const cuda::context& c) : memory_(c, 1) {
    clear<<<1, 1, 0, c.stream()>>>(memory_.data());
    cuda::check(cudaGetLastError());
}

void outcome_on_device::report(const factor_job& job, const char* row) const {
    if (job.asynchronous) return;
    outcome o{};
    memory_.to_host(&o);
    if (o.failed) throw device_error(std::string(row) + ": a bounded wait ran out");
    lu_result& r = *job.result;
    r.singular = static_cast<index_t>(o.singular);
    r.not_finite = static_cast<index_t>(o.not_finite);
    r.perturbed = static_cast<index_t>(o.perturbed);
    r.permutation_sign = o.permutation_sign;
    if (o.singular == 0) return;
    r.first_singular = static_cast<index_t>(o.first_singular >> 32);
    r.first_zero = static_cast<index_t>(o.first_singular & 0xffffffffu);
}

void queue_finish(const cuda::context& c, const factor_job& job, const outcome_on_device& to) {
    if (job.a.count() == 0) return;
    with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        const batch_on_device<T> all(c, job.a);
        const auto blocks = static_cast<unsigned>(std::min<index_t>(job.a.count(), 65536));
        finish_kernel<T><<<blocks, threads, 0, c.stream()>>>(all.get(), job.out, to.data());
        cuda::check(cudaGetLastError());
    });
}

}  // namespace wale::lu
