// work - what a kernel is given, and which part of it a thread has. A tile is the systems of one thread block
// at a time: as many as fit into a warp, or one for several warps. Thread p of a system has its rows
// p * rows - pads and on; the pads are in front of the first thread's rows, so that every thread's last row
// is a row of the system.
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/geometry.hpp"
#include "solvers/tree/cuda/status.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree::pcr_thomas {

template <class T>
struct work {
    const T* in[4];  // lower, diagonal, upper, right side; unified: the rows, and nothing
    T* solution;
    index_t systems, tiles;  // a matrix with several right sides counts as several systems
    index_t stride;          // rows from a system to the next, of right side and solution
    index_t matrix_stride;   // and of the matrices, of which
    index_t sides;           // so many systems share one
    int size;                // rows of a system
    int chunks, pads, tile, blocks, share, pitch, region;  // geometry.hpp
    copying how;
    int word[4];  // of a unified row: where lower, diagonal, upper and right side stand
    bool periodic, transposed;
    device_status status;

    [[nodiscard]] __device__ int systems_of(index_t number) const {
        const index_t left = systems - number * tile;
        return left < tile ? static_cast<int>(left) : tile;
    }
    [[nodiscard]] __device__ index_t matrix_of(index_t system) const {
        return sides == 1 ? system : system / sides;
    }
};

/// A thread's place, the same for all tiles.
struct seat {
    int lane, warp;
    int warps;        // of this block that have chunks
    int block;        // of the system's
    int system;       // in the tile
    int chunk;        // in the system
    int group;        // chunks of the system in this warp
    int place;        // of this chunk among them
    bool taken;       // false: this thread has no chunk
    int first, rows;  // of the system's rows, what this block has
};

template <reach Far, int Rows, class T>
[[nodiscard]] __device__ seat seat_of(const work<T>& w) {
    const int thread = static_cast<int>(threadIdx.x);
    seat s;
    s.lane = thread % 32;
    s.warp = thread / 32;
    s.block = Far == reach::cluster ? static_cast<int>(blockIdx.x) % w.blocks : 0;
    s.first = 0;
    s.rows = w.size;
    if constexpr (Far == reach::warp) {
        s.system = s.lane / w.chunks;
        s.chunk = s.place = s.lane - s.system * w.chunks;
        s.group = w.chunks;
        s.warps = 1;
        s.taken = s.system < w.tile;
    } else {
        const int of_first = w.chunks - (w.blocks - 1) * w.share;
        const int here = s.block == 0 ? of_first : w.share;
        const int before = s.block == 0 ? 0 : of_first + (s.block - 1) * w.share;
        s.system = 0;
        s.chunk = before + thread;
        s.place = s.lane;
        s.group = max(0, min(32, here - 32 * s.warp));
        s.warps = (here + 31) / 32;
        s.taken = thread < here;
        if constexpr (Far == reach::cluster) {
            s.first = max(0, before * Rows - w.pads);
            s.rows = (before + here) * Rows - w.pads - s.first;
        }
    }
    if (!s.taken) s.place = s.group;  // beside all groups
    return s;
}

/// The rows of one thread in shared memory, as they are meant: transposed, edges without neighbours cut.
/// Row `skip` is the first; those before it say that their unknown is the one left of the chunk.
template <class T, int Step>
struct rows_of_chunk {
    const T *lower, *diagonal, *upper, *right;  // row 0
    int skip;
    int first_row;  // that has no row above it, or -1
    bool last;      // the last row has none below
    T edge_lower, edge_upper;

    [[nodiscard]] __device__ bool has(int j) const { return j >= skip; }
    [[nodiscard]] __device__ T low(int j) const {
        const T a = has(j) ? lower[j * Step] : T(-1);
        return j == first_row ? edge_lower : a;
    }
    [[nodiscard]] __device__ T middle(int j) const { return has(j) ? diagonal[j * Step] : T(1); }
    [[nodiscard]] __device__ T up(int j, bool is_last) const {
        const T c = has(j) ? upper[j * Step] : T(0);
        return is_last && last ? edge_upper : c;
    }
    [[nodiscard]] __device__ T rhs(int j) const { return has(j) ? right[j * Step] : T(0); }
};

/// `begin` is where the system's row 0 is in shared memory, or would be, counted in rows.
template <int Step, int Rows, class T>
[[nodiscard]] __device__ rows_of_chunk<T, Step> rows_at(const work<T>& w, const seat& s, const T* stage,
                                                        int begin, bool taken) {
    const auto array = [&](int k) { return Step == 1 ? stage + k * w.region : stage + w.word[k]; };
    const int at = begin + s.chunk * Rows - w.pads;
    rows_of_chunk<T, Step> r;
    r.lower = (w.transposed ? array(2) - Step : array(0)) + at * Step;
    r.diagonal = array(1) + at * Step;
    r.upper = (w.transposed ? array(0) + Step : array(2)) + at * Step;
    r.right = array(3) + at * Step;
    r.skip = !taken ? Rows : s.chunk == 0 ? w.pads : 0;
    r.first_row = taken && s.chunk == 0 ? w.pads : -1;
    r.last = s.chunk == w.chunks - 1;
    r.edge_lower = r.edge_upper = T(0);
    const int first = begin * Step, last = (begin + w.size - 1) * Step;
    if (w.periodic && taken && s.chunk == 0) r.edge_lower = w.transposed ? array(2)[last] : array(0)[first];
    if (w.periodic && taken && r.last) r.edge_upper = w.transposed ? array(0)[first] : array(2)[last];
    return r;
}

}  // namespace wale::tree::pcr_thomas
