// each - what the CUDA rows of the ladder share: no pivoting, one matrix after the other, launches counted.
#pragma once

#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/factor/shared/tuning.hpp"

namespace wale::lu::ladder {

/// One matrix on its way.
template <class T>
struct factoring {
    strided<T> a;
    index_t rows, columns;
    const double* smallest_pivot;  // its own, or null
    outcome* to;
    [[nodiscard]] WALE_HD bool row_major() const { return a.column_step == 1; }
    [[nodiscard]] WALE_HD index_t diagonal() const { return rows < columns ? rows : columns; }
    /// One thread a pivot.
    __device__ T settled(T pivot) const {
        if (smallest_pivot == nullptr) return pivot;
        const T moved = perturbed_pivot(pivot, static_cast<T>(*smallest_pivot));
        if (moved != pivot && moved == moved) note_perturbed(to, 1);
        return moved;
    }
};

inline __global__ void write_identity(std::int32_t* pivots, index_t size) {
    const index_t k = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (k < size) pivots[k] = static_cast<std::int32_t>(k);
}

/// Blocks of `block` that cover `size`.
[[nodiscard]] inline unsigned blocks_of(index_t size, index_t block) {
    return static_cast<unsigned>((size + block - 1) / block);
}

/// f(policy row, matrix) for each matrix, which returns its launches; then all that follows.
template <class F>
void run_each(factor_job& job, const char* name, F&& f) {
    const cuda::context c(job.where);
    const std::size_t row =
        tuning::choose("lu/factor/ladder", policies, c.sm(), static_cast<int>(bytes_of(job.a.type())));
    const outcome_on_device to(c, job);
    std::optional<cuda::timer> watch;
    if (!job.asynchronous) watch.emplace(c);
    index_t launches = 0;
    for (index_t i = 0; i < job.a.count(); ++i) {
        const matrices m = job.a[i];
        if (m.diagonal() == 0) continue;
        if (job.out.pivots) {
            constexpr unsigned threads = 256;
            write_identity<<<blocks_of(m.diagonal(), threads), threads, 0, c.stream()>>>(
                job.out.pivots + job.a.pivot_start(i), m.diagonal());
            cuda::check_launch();
        }
        with_type(job.a.type(), [&](auto zero) {
            launches += f(
                c, row,
                factoring<decltype(zero)>{elements<decltype(zero)>(m), m.rows, m.columns,
                                          job.smallest_pivot ? job.smallest_pivot + i : nullptr, to.data()});
        });
    }
    queue_finish(c, job, to);
    if (watch) job.result->run.compute_seconds = watch->stop(to.words());
    job.result->run.iterations = launches;
    to.report(job, name);
}

}  // namespace wale::lu::ladder
