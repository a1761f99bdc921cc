// copy - tiles from device into shared memory, and solutions back.
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/async.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/work.cuh"

namespace wale::tree::pcr_thomas {

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

}  // namespace wale::tree::pcr_thomas
