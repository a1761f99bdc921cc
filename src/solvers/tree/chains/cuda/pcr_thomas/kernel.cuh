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
    w.status.note(system, max(row, 0));
}

/// Method: unpivoted or pivoted, for T and some rows a thread.
template <class Method, class T, int Rows, int Step, reach Far>
__device__ void solve_tiles(const work<T>& w) {
    T* const stage = reinterpret_cast<T*>(block_memory());
    T* const out = stage + (Step == 1 ? 4 : 1) * w.region;
    T* const exchange = out + w.region / Step;
    const seat s = seat_of<Far, Rows>(w);
    const index_t teams = gridDim.x / w.blocks;
    bool odd = false;
    index_t tile = blockIdx.x / w.blocks;
    if (tile < w.tiles) copy_in<Step>(w, s, tile, stage);
    for (; tile < w.tiles; tile += teams) {
        const bool taken = s.taken && s.system < w.systems_of(tile);
        const int begin = shift_of<Step>(w, s, tile) + s.system * w.pitch - s.first;
        copies_arrived();
        wait_for_all<Far>();
        Method m;
        const rows_of_chunk<T, Step> in = rows_at<Step, Rows>(w, s, stage, begin, taken);
        m.eliminate(in);
        wait_for_all<Far>();
        if (tile + teams < w.tiles) copy_in<Step>(w, s, tile + teams, stage);
        m.template join<Far>(w, s, exchange, odd);
        const int first_row = s.chunk * Rows - w.pads;
        m.substitute(out + begin + first_row, in.skip);
        if (m.bad && taken) note(w, tile * w.tile + s.system, first_row, m.bad);
        wait_for_all<Far>();
        copy_out<Step>(w, s, tile, out);
        odd = !odd;
    }
    if constexpr (Far == reach::cluster) wait_for_cluster();  // nobody leaves while others may write to it
}

template <template <class, int> class Method, class T, int Row, int Step, reach Far>
__global__ void __launch_bounds__(Far == reach::warp ? 32 : 32 * Method<T, 1>::chosen(Row).warps,
                                  Far == reach::warp ? Method<T, 1>::chosen(Row).warps : 1)
    pcr_thomas_kernel(const work<T> w) {
    constexpr int rows = Method<T, 1>::chosen(Row).rows;
    solve_tiles<Method<T, rows>, T, rows, Step, Far>(w);
}

}  // namespace wale::tree::pcr_thomas
