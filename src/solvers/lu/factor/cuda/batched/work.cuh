// work - what a kernel of this schedule gets: the batch, which of its matrices, and where the outcome goes.
#pragma once

#include <climits>

#include "cuda/stream.cuh"
#include "cuda/warp.cuh"
#include "solvers/lu/cuda/batch.cuh"
#include "solvers/lu/cuda/finish.cuh"

namespace wale::lu::batched {

/// Passed to kernels by value.
template <class T>
struct factor_work {
    device_batch<T> all;
    const std::int32_t* order = nullptr;  // numbers of the matrices to take; null: all, from 0 on
    index_t count = 0;                    // of them
    lu_outputs out;
    const double* smallest_pivot = nullptr;  // by matrix; null: pivots stay
    outcome* to = nullptr;
    bool pivoting = true;
    [[nodiscard]] __device__ index_t number(index_t i) const { return order ? order[i] : i; }
};

/// Where the row is that is looked for; `none` loses against every row.
inline constexpr int none = 1 << 20;

template <class T>
struct key_of {
    using type = std::uint32_t;
};
template <>
struct key_of<double> {
    using type = std::uint64_t;
};
template <class T>
using key = typename key_of<T>::type;

__device__ inline std::uint32_t magnitude_bits(float a) {
    return __float_as_uint(fabsf(a));
}
__device__ inline std::uint64_t magnitude_bits(double a) {
    return static_cast<std::uint64_t>(__double_as_longlong(fabs(a)));
}

/// A row that might be the pivot: the largest key, then the lowest place. `none` is no row, with key 0.
template <class T>
struct candidate {
    batched::key<T> key = 0;
    int place = none;
};

/// The row at `place` for the pivot at k. Keys order as |a| does; NaN is taken only where it stands on the
/// diagonal, as the reference's comparisons do. Without branches: this is done in every step.
template <class T>
__device__ candidate<T> candidate_of(T a, int place, int k, bool pivoting) {
    const batched::key<T> special = place == k ? ~batched::key<T>(0) : 0;
    const batched::key<T> key = !pivoting || a != a ? special : magnitude_bits(a);
    return {place == none ? 0 : key, place};
}

template <class T>
__device__ bool outdoes(const candidate<T>& a, const candidate<T>& b) {
    return a.key > b.key || (a.key == b.key && a.place < b.place);
}

/// The best candidate of the lanes of a warp, for all of them.
template <class T>
__device__ candidate<T> best_of_warp(candidate<T> mine) {
    candidate<T> best;
    if constexpr (sizeof(T) == 4) {
        best.key = cuda::largest_of_warp(mine.key);
    } else {
        const auto high = static_cast<unsigned>(mine.key >> 32);
        const unsigned most = cuda::largest_of_warp(high);
        const unsigned low = cuda::largest_of_warp(high == most ? static_cast<unsigned>(mine.key) : 0u);
        best.key = static_cast<batched::key<T>>(most) << 32 | low;
    }
    best.place = static_cast<int>(
        cuda::least_of_warp(static_cast<unsigned>(mine.key == best.key ? mine.place : none)));
    return best;
}

/// A barrier of the first warps of a block, `threads` threads; the others do not take part.
__device__ inline void barrier_of_first(int threads) {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
}

/// What becomes of a matrix, gathered over its pivots.
struct verdict {
    int first_zero = -1;
    int perturbed = 0;
    bool finite = true, nan = false;
    bool negative = false;   // the product of the pivots so far
    bool exchanged = false;  // an odd number of exchanges
    template <class T>
    __device__ void add(T pivot, int k) {
        if (pivot == T(0) && first_zero < 0) first_zero = k;
        finite = finite && isfinite(pivot);
        nan = nan || pivot != pivot;
        negative = negative != (pivot < T(0));
    }
};

/// One thread writes what is asked for of matrix `number`.
__device__ inline void write_verdict(outcome* to, const lu_outputs& out, index_t number, const verdict& v,
                                     double log_magnitude) {
    note(to, number, v.first_zero, v.finite);
    note_perturbed(to, static_cast<unsigned long long>(v.perturbed));
    note_sign(to, number, v.exchanged ? -1 : 1);
    if (out.first_zero) out.first_zero[number] = v.first_zero;
    if (out.sign)
        out.sign[number] = v.nan ? nan("") : v.first_zero >= 0 ? 0 : v.negative != v.exchanged ? -1 : 1;
    if (out.log_magnitude) out.log_magnitude[number] = log_magnitude;
}

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

/// The kernels, each in a file of its own: they take long to compile. Rows and columns: of the largest
/// matrix in `work`. staged: by row, through shared memory.
template <class T>
void launch_threads(const cuda::context& c, const factor_work<T>& work, int size);
void launch_strips(const cuda::context& c, const factor_work<float>& work, int policy, int columns,
                   bool by_row);
void launch_fragments(const cuda::context& c, const factor_work<double>& work, int policy, bool staged);
void launch_thread_rows(const cuda::context& c, const factor_work<double>& work, int policy, bool by_row);
template <class T>
void launch_thread_grid(const cuda::context& c, const factor_work<T>& work, int size, bool by_row);
template <class T>
void launch_panels(const cuda::context& c, const factor_work<T>& work, int policy, int rows, int columns);

}  // namespace wale::lu::batched
