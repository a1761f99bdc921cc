// traced_plan - what the kernels of ends, starts and paths are handed beside what plan.cuh has.
//
// Of each cell a kernel that records writes four bits, from which the path is walked back:
//
//   bit 0  H is not that of a pair of symbols
//   bit 1  H is not E
//   bit 2  E of the cell at the right goes on with the gap, it does not open one here
//   bit 3  F of the cell below goes on, likewise
//
// Packed cells of these kernels are not negative, so that one subtraction of words subtracts both halves:
// H(i, j) + extend * (i + j) + traced_base(), local ones H(i, j) + traced_zero().
#pragma once

#include "solvers/wavefront/align/cuda/binned/plan.cuh"

namespace wale::wavefront::binned {

/// As low as no value wraps: see prices::base().
__host__ __device__ inline int traced_base(const prices& p) {
    return -4 * p.opening() + 256;
}
/// A pair of symbols costs at most 128, an opening twice `open`.
__host__ __device__ inline int traced_zero(const prices& p) {
    return 2 * p.open + 128;
}
/// Whether no value of the packed kernels that trace leaves 16 bits.
__host__ __device__ inline bool traced_narrow(const prices& p, std::int64_t highest, std::int64_t extent) {
    const std::int64_t gained =
        p.local ? traced_zero(p) + highest : traced_base(p) + highest + std::int64_t{p.extend} * extent;
    return gained <= 65535 - 128;
}

/// Pairs of a launch of traced_kernel: those of one shape with one strip of rows, or those of the long class.
struct traced_work {
    packed_work packed;
    trace_work trace;
    word minus_one = ~0u;
    word* bits;          // bits_pitch words a block
    index_t bits_pitch;  // words
    int carry_rows;      // strips whose last rows are kept, of carry_pitch words each
};

/// Of the long class packed_work::first_pair and first_task have all pairs in their first part. Without
/// blocks nothing is launched, and the answer is how many blocks a multiprocessor holds.
int launch_traced_local(const traced_work&, int shape, bool of_long, unsigned blocks, const cuda::context&);
int launch_traced_global(const traced_work&, int shape, bool of_long, unsigned blocks, const cuda::context&);
int launch_traced_tailed(const traced_work&, int shape, bool of_long, unsigned blocks, const cuda::context&);

/// Words that a step of a warp records.
constexpr int bits_of_step(int shape) {
    return traced_shapes[0].policy.words[shape] / 4 * warp_size;
}

}  // namespace wale::wavefront::binned
