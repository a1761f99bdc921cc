// cuts - where an optimal path crosses the edges between strips, from the hand-over words of both passes.
//
// F(j): LCS of the rows above the edge and the columns before j; R(j): of the rows below and the columns from
// j on. Paths through (edge, j) can be optimal where F(j) + R(j) is greatest. The leftmost such j of every
// edge together lie on one optimal path: where two optimal paths cross they may be exchanged, so the left
// envelope of all of them is optimal too. Hence the cuts are monotone and the strips between them
// independent.
#pragma once

#include "solvers/wavefront/length/cuda/strips_job.hpp"

namespace wale::wavefront {

struct cut {
    std::int32_t column;  // columns before it belong to the strips above
    std::int32_t length;  // F there: common symbols before the cut
};

inline constexpr int cut_threads = 256;

/// A stretch of columns: its change of F + R, its change of F, and the leftmost greatest prefix of F + R.
struct stretch {
    std::int32_t sum, forward, best, best_forward, best_column;
};

__device__ inline stretch join(const stretch& a, const stretch& b) {
    const bool first = a.best >= a.sum + b.best;
    return {a.sum + b.sum, a.forward + b.forward, first ? a.best : a.sum + b.best,
            first ? a.best_forward : a.forward + b.best_forward, first ? a.best_column : b.best_column};
}

__device__ inline std::uint32_t hand_bits(const std::uint64_t* row, index_t word, int words) {
    return word >= 0 && word < words ? static_cast<std::uint32_t>(row[word]) : 0;
}

/// Bits of 32 columns from 32 * w on, first column highest, of the reversed pass's row: columns in reading
/// order.
__device__ inline std::uint32_t reversed_bits(const std::uint64_t* row, index_t w, index_t columns,
                                              int words) {
    const index_t first = columns - 32 - 32 * w;  // the reversed column that ends the stretch
    const index_t at = first >> 5;
    const int shift = static_cast<int>(first & 31);
    return __brev(__funnelshift_l(hand_bits(row, at + 1, words), hand_bits(row, at, words), shift));
}

/// Block e finds the cut of edge e + 1, below strip e. cuts[0] and the last one are the table's corners.
static __global__ void __launch_bounds__(cut_threads)
    find_cuts(const __grid_constant__ strips_job job, cut* cuts) {
    __shared__ stretch parts[cut_threads];
    const int edge = static_cast<int>(blockIdx.x) + 1;
    const std::uint64_t* forward = job.pairs[0].hand + (edge - 1) * job.pitch;
    const std::uint64_t* backward = job.pairs[1].hand + (job.strips - edge - 1) * job.pitch;
    const int each = (job.words + cut_threads - 1) / cut_threads;
    const int begin = min(job.words, static_cast<int>(threadIdx.x) * each);
    stretch mine{0, 0, 0, 0, 32 * begin};
    for (int w = begin; w < min(job.words, begin + each); ++w) {
        const std::uint32_t f = hand_bits(forward, w, job.words);
        const std::uint32_t g = reversed_bits(backward, w, job.column_end, job.words);
        if (mine.sum + __popc(f) <= mine.best) {  // cannot beat the best: skip the bits
            mine.sum += __popc(f) - __popc(g);
            mine.forward += __popc(f);
            continue;
        }
        for (int b = 31; b >= 0; --b) {
            const auto up = static_cast<std::int32_t>(f >> b & 1u);
            mine.sum += up - static_cast<std::int32_t>(g >> b & 1u);
            mine.forward += up;
            if (mine.sum > mine.best)
                mine.best = mine.sum, mine.best_forward = mine.forward, mine.best_column = 32 * w + 32 - b;
        }
    }
    parts[threadIdx.x] = mine;
    for (int apart = 1; apart < cut_threads; apart *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * apart) == 0)
            parts[threadIdx.x] = join(parts[threadIdx.x], parts[threadIdx.x + apart]);
    }
    if (threadIdx.x == 0) cuts[edge] = {parts[0].best_column, parts[0].best_forward};
}

static __global__ void set_corners(const __grid_constant__ strips_job job, cut* cuts) {
    cuts[0] = {0, 0};
    cuts[job.strips] = {static_cast<std::int32_t>(job.column_end),
                        static_cast<std::int32_t>(*job.pairs[0].answer)};
}

}  // namespace wale::wavefront
