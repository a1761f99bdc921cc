// verdict - what the pivots of a matrix say, from the lanes that know them.
#pragma once

#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

/// One lane's share: entry r is about pivot, or row, lane + r * Lanes.
template <class T, int Lanes, int Rows>
struct findings {
    T pivot[Rows];
    int from[Rows];   // place of the row that became the pivot's
    int place[Rows];  // of the row in P A; -1: there is no such row
    int lane;         // in the group
    unsigned group;   // lanes of the warp
    int perturbed;    // of the matrix: pivots moved
};

/// All lanes of the warp; number -1: a group that has no matrix.
template <class T, int Lanes, int Rows>
__device__ void report_findings(const factor_work<T>& work, index_t number, const device_matrix<T>& m,
                                const findings<T, Lanes, Rows>& f) {
    const int diagonal = static_cast<int>(m.diagonal());
    verdict v{.perturbed = f.perturbed};
    double log_magnitude = 0;
    const int first_lane = static_cast<int>(threadIdx.x) % 32 - f.lane;
    const auto of_group = [&](bool what) { return __ballot_sync(cuda::whole_warp, what) & f.group; };
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        const int k = f.lane + r * Lanes;
        const bool there = k < diagonal;
        const T u = there ? f.pivot[r] : T(1);
        const unsigned zeros = of_group(u == T(0));
        if (zeros && v.first_zero < 0)
            v.first_zero = __ffs(static_cast<int>(zeros)) - 1 - first_lane + r * Lanes;
        v.finite = of_group(!isfinite(u)) == 0 && v.finite;
        v.nan = of_group(u != u) != 0 || v.nan;
        v.negative = v.negative != (__popc(of_group(u < T(0))) % 2 != 0);
        v.exchanged = v.exchanged != (__popc(of_group(there && f.from[r] != k)) % 2 != 0);
        if (there && work.out.pivots) work.out.pivots[m.pivot_start + k] = f.from[r];
        if (f.place[r] >= 0 && work.out.permutation) work.out.permutation[m.row_start + f.place[r]] = k;
        if (there && work.out.log_magnitude) log_magnitude += log(fabs(static_cast<double>(u)));
    }
    if (work.out.log_magnitude)
#pragma unroll
        for (int o = Lanes / 2; o > 0; o /= 2)
            log_magnitude += __shfl_xor_sync(cuda::whole_warp, log_magnitude, o);
    if (f.lane == 0 && number >= 0) write_verdict(work.to, work.out, number, v, log_magnitude);
}

}  // namespace wale::lu::batched
