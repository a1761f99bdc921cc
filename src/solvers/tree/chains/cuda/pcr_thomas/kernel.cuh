// kernel - cuda/pcr_thomas: thread blocks go from tile to tile. The next tile is on its way as soon as this
// one's rows are in registers.
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/async.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"
#include "solvers/tree/chains/cuda/pcr_thomas/work.cuh"

namespace wale::tree::pcr_thomas {

// Tiles from device into shared memory, and solutions back.

/// The pieces of a tile that one thread moves: piece i of system s, then `threads` pieces further.
struct walk {
    int line, s, i, by_s, by_i;
    __device__ explicit walk(int pieces_of_system)
        : line(pieces_of_system),
          s(static_cast<int>(threadIdx.x) / line),
          i(static_cast<int>(threadIdx.x) - s * line),
          by_s(static_cast<int>(blockDim.x) / line),
          by_i(static_cast<int>(blockDim.x) - by_s * line) {}
    __device__ void next() {
        s += by_s;
        i += by_i;
        if (i >= line) {
            i -= line;
            ++s;
        }
    }
};

/// The first of a tile's elements in each array, counted in rows.
template <class T>
[[nodiscard]] __device__ index_t begin_of(const work<T>& w, const seat& s, index_t tile) {
    return tile * w.tile * w.stride + s.first;
}

/// Elements of the line before the tile's first that are copied with it: pieces of 16 bytes are aligned.
template <int Step, class T>
[[nodiscard]] __device__ int shift_of(const work<T>& w, const seat& s, index_t tile) {
    constexpr int each = 16 / sizeof(T);
    if (Step > 1 || w.how != copying::line) return 0;
    return static_cast<int>(begin_of(w, s, tile) % each);
}

/// 16 bytes, or the first `left` elements and zeros: memcheck takes a copy of fewer bytes than 16 for one
/// of 16.
template <class T>
__device__ void copy_piece(T* to, const T* from, int left) {
    constexpr int each = 16 / sizeof(T);
    if (left >= each) return copy_async<16>(to, from);
#pragma unroll
    for (int e = 0; e < each; ++e)
        if (e < left)
            copy_async<static_cast<int>(sizeof(T))>(to + e, from + e);
        else
            to[e] = T(0);
}

template <int Step, class T>
__device__ void copy_line_in(const work<T>& w, const seat& s, index_t tile, T* stage) {
    constexpr int each = 16 / sizeof(T);
    const int shift = shift_of<Step>(w, s, tile);
    const index_t from = begin_of(w, s, tile) * Step - shift;
    const int end = shift + w.systems_of(tile) * s.rows * Step;
    const index_t left = ((w.systems - 1) * w.stride + w.size) * Step - from;  // to the end of the array
    const int all = static_cast<int>(min(left, static_cast<index_t>(end + each)));
    for (int i = static_cast<int>(threadIdx.x) * each; i < end; i += static_cast<int>(blockDim.x) * each)
#pragma unroll
        for (int k = 0; k < (Step == 1 ? 4 : 1); ++k)
            copy_piece(stage + k * w.region + i, w.in[k] + from + i, all - i);
}

template <int Step, int Each, class T>
__device__ void copy_systems_in(const work<T>& w, const seat& s, index_t tile, T* stage) {
    const int systems = w.systems_of(tile);
    for (walk at(s.rows * Step / Each); at.s < systems; at.next()) {
        const index_t system = tile * w.tile + at.s, i = s.first * Step + at.i * Each;
        const index_t from = system * w.stride * Step + i;
        const index_t from_matrix = Step == 1 ? w.matrix_of(system) * w.matrix_stride + i : from;
        T* to = stage + at.s * w.pitch * Step + at.i * Each;
#pragma unroll
        for (int k = 0; k < (Step == 1 ? 4 : 1); ++k)
            copy_async<Each* static_cast<int>(sizeof(T))>(to + k * w.region,
                                                          w.in[k] + (k < 3 ? from_matrix : from));
    }
}

template <int Step, class T>
__device__ void copy_in(const work<T>& w, const seat& s, index_t tile, T* stage) {
    if (w.how == copying::line)
        copy_line_in<Step>(w, s, tile, stage);
    else if (w.how == copying::vectors)
        copy_systems_in<Step, 16 / sizeof(T)>(w, s, tile, stage);
    else
        copy_systems_in<Step, 1>(w, s, tile, stage);
}

__device__ inline void store_16(float* to, const float* from) {
    __stcs(reinterpret_cast<float4*>(to), *reinterpret_cast<const float4*>(from));
}
__device__ inline void store_16(double* to, const double* from) {
    __stcs(reinterpret_cast<double2*>(to), *reinterpret_cast<const double2*>(from));
}

/// The first and the last piece of the line may belong to neighbours in part.
template <class T>
__device__ void copy_line_out(const work<T>& w, const seat& s, index_t tile, const T* stage) {
    constexpr int each = 16 / sizeof(T);
    const int shift = shift_of<1>(w, s, tile);
    const int end = shift + w.systems_of(tile) * s.rows;
    T* const to = w.solution + begin_of(w, s, tile) - shift;
    for (int i = static_cast<int>(threadIdx.x) * each; i < end; i += static_cast<int>(blockDim.x) * each) {
        if (i >= shift && i + each <= end) {
            store_16(to + i, stage + i);
            continue;
        }
        for (int k = max(i, shift); k < min(i + each, end); ++k) to[k] = stage[k];
    }
}

template <int Step, class T>
__device__ void copy_out(const work<T>& w, const seat& s, index_t tile, const T* stage) {
    if (Step == 1 && w.how == copying::line) return copy_line_out(w, s, tile, stage);
    constexpr int each = 16 / sizeof(T);
    const int systems = w.systems_of(tile);
    const index_t begin = begin_of(w, s, tile);
    if (Step == 1 && w.how == copying::vectors) {
        for (walk at(s.rows / each); at.s < systems; at.next())
            store_16(w.solution + begin + at.s * w.stride + at.i * each,
                     stage + at.s * w.pitch + at.i * each);
        return;
    }
    for (walk at(s.rows); at.s < systems; at.next())
        w.solution[(begin + at.s * w.stride + at.i) * Step] = stage[at.s * w.pitch + at.i];
}

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

template <template <class, int> class Method, class T, int Row, int Step, reach Far, bool Few>
__global__ void __launch_bounds__(Far == reach::warp ? 32 : 32 * Method<T, 1>::chosen(Row).warps,
                                  Far == reach::warp ? Method<T, 1>::chosen(Row).warps : 1)
    pcr_thomas_kernel(const work<T> w) {
    constexpr policy p = Method<T, 1>::chosen(Row);
    constexpr int rows = Few ? p.few_rows : p.rows;
    solve_tiles<Method<T, rows>, T, rows, Step, Far>(w);
}

}  // namespace wale::tree::pcr_thomas
