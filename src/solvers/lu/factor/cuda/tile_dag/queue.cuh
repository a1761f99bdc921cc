// queue - the launch of cuda/tile_dag's kernel, for the row itself and for the diagonal blocks of others.
#pragma once

#include "solvers/lu/factor/cuda/tile_dag/tiles.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu::tile_dag {

[[nodiscard]] constexpr index_t tiles_of(index_t n) {
    return (n + tile - 1) / tile;
}
/// Counters of a problem without border.
[[nodiscard]] constexpr index_t counters_of(index_t rows, index_t columns) {
    return counters::size({tiles_of(rows), tiles_of(columns), false});
}

[[nodiscard]] inline bool columns_aligned(const matrices& m) {
    return reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0 && m.leading * bytes_of(m.type) % 16 == 0;
}

/// Matrix i of a job. A row-major matrix is its transpose by columns, whose U has the unit diagonal.
template <class T>
[[nodiscard]] tile_problem<T> problem_of(const factor_job& job, index_t i) {
    const matrices m = job.a[i];
    tile_problem<T> p{};
    p.a = static_cast<T*>(m.data);
    p.rows = m.line_size();
    p.columns = m.lines();
    p.leading = m.leading;
    p.aligned = columns_aligned(m);
    p.smallest_pivot = job.smallest_pivot ? job.smallest_pivot + i : nullptr;
    p.pivots = job.out.pivots ? job.out.pivots + job.a.pivot_start(i) : nullptr;
    p.matrix = wants_more_than_summary(job) ? -1 : i;
    return p;
}

/// Launches of one call, with the row of the tuning table that suits the device.
template <class T>
class launcher {
public:
    explicit launcher(const cuda::context& c);
    /// Queues the factorisation of p; its counters must be 0. At most `most` blocks; 0: as many as are
    /// resident.
    void queue(const tile_problem<T>& p, bool unit_upper, cudaStream_t stream, int most = 0) const;
    [[nodiscard]] std::string policy_text() const;
    /// Whether a block finds enough shared memory.
    [[nodiscard]] static bool fits(const cuda::context& c);

private:
    static std::size_t tuned_row(const cuda::context& c);
    std::size_t row_;
    int resident_ = 0;  // blocks
};

}  // namespace wale::lu::tile_dag
