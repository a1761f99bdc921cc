// reduce - the last unknowns of all chunks by parallel cyclic reduction (Hockney 1965) in shared memory.
// Across a cluster: each block keeps its outer neighbours as unknowns, sends two rows for its first and last
// unknown to all blocks, and each solves the small system of these for the two neighbours it needs.
#pragma once

#include "solvers/tree/chains/cuda/one_pass/block.cuh"
#include "solvers/tree/chains/cuda/one_pass/chunk.cuh"

namespace wale::tree::one_pass {

/// A block's first and last unknown in terms of its left neighbour's last and its right neighbour's first.
template <class T>
struct block_rows {
    T first, first_left, first_right;
    T last, last_left, last_right;
};

/// The two neighbours of block `rank`: eliminated from the left end up to it and from the right end down to
/// it, then two equations. rows(k) gives those of block k. False where a pivot was bad.
template <class T, class F>
__device__ bool solve_blocks(int rank, int ranks, const F& rows, T& left, T& right) {
    bool good = true;
    const auto inverse_of = [&](T pivot) {
        good = good && !is_bad(pivot);
        return reciprocal(pivot);
    };
    T constant = T(0), slope = T(0);  // left neighbour's last = constant + slope * own first
    for (int k = 0; k < rank; ++k) {
        const block_rows<T> b = rows(k);
        const T inverse = inverse_of(fma(-b.first_left, slope, T(1)));
        const T first = fma(b.first_left, constant, b.first) * inverse, onward = b.first_right * inverse;
        constant = fma(b.last_left, fma(slope, first, constant), b.last);
        slope = fma(b.last_left * slope, onward, b.last_right);
    }
    T end = T(0), tilt = T(0);  // right neighbour's first = end + tilt * own last
    for (int k = ranks - 1; k > rank; --k) {
        const block_rows<T> b = rows(k);
        const T inverse = inverse_of(fma(-b.last_right, tilt, T(1)));
        const T last = fma(b.last_right, end, b.last) * inverse, onward = b.last_left * inverse;
        end = fma(b.first_right, fma(tilt, last, end), b.first);
        tilt = fma(b.first_right * tilt, onward, b.first_left);
    }
    const block_rows<T> b = rows(rank);
    const T m11 = fma(-b.first_left, slope, T(1)), m22 = fma(-b.last_right, tilt, T(1));
    const T m12 = b.first_right * tilt, m21 = b.last_left * slope;
    const T r1 = fma(b.first_left, constant, fma(b.first_right, end, b.first));
    const T r2 = fma(b.last_left, constant, fma(b.last_right, end, b.last));
    const T inverse = inverse_of(fma(m11, m22, -(m12 * m21)));
    left = fma(slope, fma(m12, r2, m22 * r1) * inverse, constant);
    right = fma(tilt, fma(m21, r1, m11 * r2) * inverse, end);
    return good;
}

template <class T, int Words>
class reduction {
public:
    static constexpr int exchanged = 3;  // words of a thread and system at a time
    /// Of a block's shared memory: two rounds of exchanges, and of a cluster's blocks two tiles.
    [[nodiscard]] static constexpr int words(int threads, int lanes, int ranks) {
        return 2 * exchanged * Words * threads + (ranks > 1 ? 2 * ranks * 2 * exchanged * Words * lanes : 0);
    }
    __device__ reduction(T* room, const place_in_tile& at)
        : at_(at), room_(room), blocks_(room + 2 * exchanged * Words * at.threads) {}

    /// Every thread of the block, and of the cluster. Bad pivots are put down to the chunk's last row.
    template <int Rows>
    __device__ void run(chunk<T, Rows> (&c)[Words]) {
        chunk_ends<T> ends[Words];
        reduced_row<T> y[Words];
        join_neighbours(c, y);
        for (int s = 1; s < at_.chunks; s *= 2) widen(s, c, y);
        if (at_.ranks == 1)
            finish_in_block(y, ends);
        else
            finish_in_cluster(c, y, ends);
#pragma unroll
        for (int w = 0; w < Words; ++w) c[w].join(ends[w]);
    }

private:
    [[nodiscard]] __device__ words_between<T, Words> next_round() {
        odd_ = !odd_;
        return {room_ + (odd_ ? exchanged * Words * at_.threads : 0), at_.threads};
    }
    template <int Rows>
    static __device__ void note(chunk<T, Rows>& c, T pivot) {
        if (is_bad(pivot) && c.bad_row < 0) c.bad_row = Rows - 1;
    }

    template <int Rows>
    __device__ void join_neighbours(chunk<T, Rows> (&c)[Words], reduced_row<T> (&y)[Words]) {
        const auto words = next_round();
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            words.at(0, w, at_.thread) = c[w].first_constant;
            words.at(1, w, at_.thread) = c[w].first_left;
            words.at(2, w, at_.thread) = c[w].first_last;
        }
        __syncthreads();
        const bool inside = at_.chunk + 1 < at_.chunks;
        const int next = at_.thread + at_.lanes;
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            // beyond the block: the neighbour's first unknown itself
            const T constant = inside ? words.at(0, w, next) : T(0),
                    left = inside ? words.at(1, w, next) : T(0);
            const T last = inside ? words.at(2, w, next) : T(1);
            const T own = c[w].right[Rows - 1];
            const T pivot = fma(-own, left, T(1)), inverse = reciprocal(pivot);
            note(c[w], pivot);
            y[w].constant = fma(own, constant, c[w].constant[Rows - 1]) * inverse;
            y[w].before = c[w].left[Rows - 1] * inverse;
            y[w].after = own * last * inverse;
        }
    }

    template <int Rows>
    __device__ void widen(int s, chunk<T, Rows> (&c)[Words], reduced_row<T> (&y)[Words]) {
        const auto words = next_round();
        put(words, y);
        __syncthreads();
        const int distance = s * at_.lanes;
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            reduced_row<T> low{T(0), T(1), T(0)}, high{T(0), T(0), T(1)};  // outside: the neighbour itself
            if (at_.chunk >= s) low = get(words, w, at_.thread - distance);
            if (at_.chunk + s < at_.chunks) high = get(words, w, at_.thread + distance);
            note(c[w], y[w].widen(low, high));
        }
    }
    __device__ void put(const words_between<T, Words>& words, const reduced_row<T> (&y)[Words]) const {
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            words.at(0, w, at_.thread) = y[w].constant;
            words.at(1, w, at_.thread) = y[w].before;
            words.at(2, w, at_.thread) = y[w].after;
        }
    }
    static __device__ reduced_row<T> get(const words_between<T, Words>& words, int w, int thread) {
        return {words.at(0, w, thread), words.at(1, w, thread), words.at(2, w, thread)};
    }

    __device__ void finish_in_block(const reduced_row<T> (&y)[Words], chunk_ends<T> (&ends)[Words]) {
        const auto words = next_round();
#pragma unroll
        for (int w = 0; w < Words; ++w) words.at(0, w, at_.thread) = y[w].constant;
        __syncthreads();
#pragma unroll
        for (int w = 0; w < Words; ++w)
            ends[w] = {at_.chunk > 0 ? words.at(0, w, at_.thread - at_.lanes) : T(0), y[w].constant};
    }

    // Who does what: each block of the cluster stores six words a system into every block's shared memory
    // and reads those that came. It waits at the cluster's barrier for all blocks of the cluster. That ends
    // because the hardware starts the blocks of a cluster together and all of them take the same tiles. The
    // barrier releases the stores before it and acquires them for the loads after it; words of the next
    // tile go to the other half, which all have read before they arrive at this barrier.
    template <int Rows>
    __device__ void finish_in_cluster(chunk<T, Rows> (&c)[Words], const reduced_row<T> (&y)[Words],
                                      chunk_ends<T> (&ends)[Words]) {
        if constexpr (has_clusters) {
            const auto words = next_round();
            put(words, y);
            const int six = 2 * exchanged * Words * at_.lanes;
            T* const half = blocks_ + (odd_tile_ ? at_.ranks * six : 0);
            odd_tile_ = !odd_tile_;
            for (int k = 0; k < at_.ranks; ++k) {
                const words_between<T, Words> there{in_block(half + at_.rank * six, k), at_.lanes};
#pragma unroll
                for (int w = 0; w < Words; ++w) {
                    const T through = c[w].first_last;
                    if (at_.chunk == 0) {
                        there.at(0, w, at_.lane) = fma(through, y[w].constant, c[w].first_constant);
                        there.at(1, w, at_.lane) = fma(through, y[w].before, c[w].first_left);
                        there.at(2, w, at_.lane) = through * y[w].after;
                    }
                    if (at_.chunk == at_.chunks - 1) {
                        there.at(3, w, at_.lane) = y[w].constant;
                        there.at(4, w, at_.lane) = y[w].before;
                        there.at(5, w, at_.lane) = y[w].after;
                    }
                }
            }
            cluster_barrier();
#pragma unroll
            for (int w = 0; w < Words; ++w) {
                T left, right;
                const auto rows = [&](int k) {
                    const words_between<T, Words> b{half + k * six, at_.lanes};
                    return block_rows<T>{b.at(0, w, at_.lane), b.at(1, w, at_.lane), b.at(2, w, at_.lane),
                                         b.at(3, w, at_.lane), b.at(4, w, at_.lane), b.at(5, w, at_.lane)};
                };
                if (!solve_blocks(at_.rank, at_.ranks, rows, left, right)) note(c[w], T(0));
                const auto value = [&](const reduced_row<T>& r) {
                    return fma(r.before, left, fma(r.after, right, r.constant));
                };
                ends[w] = {at_.chunk > 0 ? value(get(words, w, at_.thread - at_.lanes)) : left, value(y[w])};
            }
        }
    }

    place_in_tile at_;
    T *room_, *blocks_;
    bool odd_ = false, odd_tile_ = false;
};

}  // namespace wale::tree::one_pass
