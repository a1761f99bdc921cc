// kernel - cuda/pcr_thomas: thread blocks go from tile to tile. The next tile is on its way as soon as this
// one's rows are in registers.
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/copy.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"
#include "solvers/tree/chains/cuda/pcr_thomas/work.cuh"

namespace wale::tree::pcr_thomas {

template <class T>
__device__ void note(const work<T>& w, index_t system, int first_row, unsigned bad) {
    const int row = first_row + __ffs(static_cast<int>(bad)) - 1;
    w.status.note(w.matrix_of(system), max(row, 0));
}

/// Shared memory and what else all tiles of a block have in common.
template <class T>
struct bench {
    T *stage, *out, *exchange;
    index_t teams;  // of blocks that work on one tile each
    bool odd;       // this tile's number among the block's
};

/// One tile, whose rows are in shared memory; sends for the next.
template <class Method, int Rows, int Step, reach Far, class T>
__device__ void solve_tile(const work<T>& w, const seat& s, const bench<T>& on, index_t tile,
                           const rows_of_chunk<T, Step>& in) {
    Method m;
    m.eliminate(in);
    wait_for_all<Far>();
    if (tile + on.teams < w.tiles) copy_in<Step>(w, s, tile + on.teams, on.stage);
    m.template join<Far>(w, s, on.exchange, on.odd);
    const int first_row = s.chunk * Rows - w.pads;
    const int begin = shift_of<Step>(w, s, tile) + s.system * w.pitch - s.first;
    m.substitute(on.out + begin + first_row, in.skip);
    if (m.bad && in.skip < Rows) note(w, tile * w.tile + s.system, first_row, m.bad);
}

/// Row by row, the diagonal is more than the rest by a part in 64: then the inverse is at most some 64 times
/// as large as the rows ask for, and unknowns that are found one by one, as cyclic reduction does, fit each
/// other. Dominance alone is not enough: of Dorr's matrices all digits went.
template <int Rows, class T, int Step>
[[nodiscard]] __device__ bool dominant(const rows_of_chunk<T, Step>& in) {
    constexpr T part = T(1) / 64;
    bool all = true;
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        const T middle = fabs(in.middle(j));
        all &= fma(-part, middle, middle) >= fabs(in.low(j)) + fabs(in.up(j, j == Rows - 1));
    }
    return all;
}

/// Method: unpivoted or pivoted, for T and some rows a thread.
template <class Method, class T, int Rows, int Step, reach Far>
__device__ void solve_tiles(const work<T>& w) {
    T* const stage = reinterpret_cast<T*>(block_memory());
    T* const out = stage + (Step == 1 ? 4 : 1) * w.region;
    bench<T> on{stage, out, out + w.region / Step, gridDim.x / w.blocks, false};
    const seat s = seat_of<Far, Rows>(w);
    index_t tile = blockIdx.x / w.blocks;
    if (tile < w.tiles) copy_in<Step>(w, s, tile, stage);
    if constexpr (Far == reach::cluster)
        wait_for_cluster();  // the others' shared memory is there from here on
    for (; tile < w.tiles; tile += on.teams) {
        const bool taken = s.taken && s.system < w.systems_of(tile);
        const int begin = shift_of<Step>(w, s, tile) + s.system * w.pitch - s.first;
        copies_arrived();
        wait_for_all<Far>();
        const rows_of_chunk<T, Step> in = rows_at<Step, Rows>(w, s, stage, begin, taken);
        if constexpr (Method::exchanges) {
            if (any_of_all<Far>(!dominant<Rows>(in)))
                solve_tile<Method, Rows, Step, Far>(w, s, on, tile, in);
            else
                solve_tile<typename Method::without, Rows, Step, Far>(w, s, on, tile, in);
        } else {
            solve_tile<Method, Rows, Step, Far>(w, s, on, tile, in);
        }
        wait_for_all<Far>();
        copy_out<Step>(w, s, tile, out);
        on.odd = !on.odd;
    }
    if constexpr (Far == reach::cluster)
        wait_for_cluster();  // no block ends while others may write to its shared memory
}

template <template <class, int> class Method, class T, int Row, int Step, reach Far>
__global__ void __launch_bounds__(Far == reach::warp ? 32 : 32 * Method<T, 1>::chosen(Row).warps,
                                  Far == reach::warp ? Method<T, 1>::chosen(Row).warps : 1)
    pcr_thomas_kernel(const work<T> w) {
    constexpr int rows = Method<T, 1>::chosen(Row).rows;
    solve_tiles<Method<T, rows>, T, rows, Step, Far>(w);
}

}  // namespace wale::tree::pcr_thomas
