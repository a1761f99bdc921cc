// trace - walks an optimal path through one strip between two cuts: the strip's bit vectors are computed
// again, kept, and read backwards (Hyyro's vectors as in a plain table: a zero bit is a step down that gains
// a symbol).
#pragma once

#include "solvers/wavefront/length/cuda/cuts.cuh"
#include "solvers/wavefront/length/cuda/masks.cuh"
#include "solvers/wavefront/length/cuda/recurrences.cuh"

namespace wale::wavefront {

struct trace_job {
    strips_job strips;
    const cut* cuts;         // strips + 1
    std::uint32_t* vectors;  // [column + lane of a strip][lane][word]
    std::uint32_t* in_rows;  // positions of the common symbols
    std::uint32_t* in_columns;
};

/// Column c of lane l is stored in step c + l: the lanes' words of one step lie side by side.
template <int Words>
struct kept_vectors {
    std::uint32_t* begin;
    [[nodiscard]] __device__ std::uint32_t* at(index_t column, int lane) const {
        return begin + ((column + lane) * 32 + lane) * Words;
    }
};

template <class Masks>
__device__ void keep_vectors(const strips_job& job, int strip, cut from, int columns,
                             const kept_vectors<Masks::words>& kept, std::int32_t lead) {
    constexpr int words = Masks::words;
    const int lane = threadIdx.x % 32;
    Masks masks;
    masks.build(job, job.pairs[0], strip);
    lcs_rows<words, false> rows;
    rows.start();
    const auto* symbols = static_cast<const typename Masks::code*>(job.pairs[0].columns) + lead + from.column;
    std::uint32_t carry = 0;
    for (int t = 0; t < columns + 31; ++t) {
        const int c = t - lane;
        std::uint32_t m[words] = {};
        if (c >= 0 && c < columns) masks.of(symbols[c], m);
        carry = __shfl_up_sync(~0u, carry, 1);
        if (lane == 0) carry = 0;
        (void)add_setting_carry(carry, ~0u);  // the flag is the carry
        rows.column(m);
        carry = add_taking_carry(0, 0);
        if (c < 0 || c >= columns) continue;
#pragma unroll
        for (int k = 0; k < words; ++k) kept.at(c, lane)[k] = rows.v[k];
    }
}

/// The warp looks at 32 columns of one word at a time: lane l holds column j - 31 + l. Emits positions
/// downwards.
template <int Words>
__device__ void walk_back(const trace_job& job, const kept_vectors<Words>& kept, int strip, int rows,
                          int columns) {
    const int lane = threadIdx.x % 32;
    const cut from = job.cuts[strip];
    index_t at = job.cuts[strip + 1].length;  // the next symbol goes before it
    const index_t first_row = static_cast<index_t>(strip) * 32 * 32 * Words;
    int i = rows - 1;
    int j = columns - 1;
    while (i >= 0 && j >= 0) {
        const int owner = i / (32 * Words);
        const int base = j - 31;
        const int column = base + lane;
        const std::uint32_t held = column >= 0 ? kept.at(column, owner)[i / 32 % Words] : ~0u;
        const int top = i / 32 * 32;
        for (;;) {
            const std::uint32_t here = __shfl_sync(~0u, held, j - base);
            const std::uint32_t gains =
                ~here & ((2u << (i - top)) - 1);  // rows of column j, i and above, that gain
            i = gains == 0 ? top - 1 : top + 31 - __clz(static_cast<int>(gains));
            if (gains == 0) break;
            const std::uint32_t still = __ballot_sync(~0u, (held >> (i - top) & 1u) == 0);
            const std::uint32_t before =
                ~still & ((1u << (j - base)) - 1);  // columns where row i does not gain yet
            if (before == 0) {                      // the match is further left
                j = base;
                break;
            }
            j = base + 31 - __clz(static_cast<int>(before));
            --at;
            if (lane == 0) {
                job.in_rows[at] = static_cast<std::uint32_t>(first_row + i);
                job.in_columns[at] = static_cast<std::uint32_t>(from.column + j + 1);
            }
            if (--i < top || j < 0) break;
        }
    }
}

/// A warp a strip. Waits for nobody.
template <class P, class Masks>
__global__ void __launch_bounds__(P::value.warps * 32, 1)
    trace_kernel(const __grid_constant__ trace_job job) {
    const int strip = static_cast<int>(blockIdx.x * P::value.warps + threadIdx.x / 32);
    if (strip >= job.strips.strips) return;
    const cut from = job.cuts[strip];
    const int columns = job.cuts[strip + 1].column - from.column;
    const index_t first_row = static_cast<index_t>(strip) * strip_shape<P>::rows;
    const int rows =
        static_cast<int>(min(index_t{strip_shape<P>::rows}, job.strips.pairs[0].row_end - first_row));
    const kept_vectors<Masks::words> kept{job.vectors +
                                          (from.column + index_t{32} * strip) * (32 * Masks::words)};
    keep_vectors<Masks>(job.strips, strip, from, columns, kept, strip_shape<P>::lead);
    __syncwarp();  // the lanes' vectors are seen by all of them
    walk_back(job, kept, strip, rows, columns);
}

}  // namespace wale::wavefront
