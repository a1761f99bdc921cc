// reduce_pivoted - the rows that chunks leave over: neighbours join in a binary tree in shared memory, the
// root is solved with what the other blocks of the cluster say, and the values go down the tree again.
#pragma once

#include "solvers/tree/chains/cuda/one_pass/block.cuh"
#include "solvers/tree/chains/cuda/one_pass/pivoted.cuh"

namespace wale::tree::one_pass {

/// Of a row of whole blocks: before, first, last, after of block `rank`, by elimination from both ends.
/// rows(k, i) gives row i of block k.
template <class T>
class solve_outer {
public:
    template <class F>
    __device__ solve_outer(int rank, int ranks, const F& rows) {
        outer_row<T> left{{T(1), T(0), T(0), T(0)}, T(0)};   // nothing before the first block
        outer_row<T> right{{T(0), T(0), T(0), T(1)}, T(0)};  // and nothing after the last
        for (int k = 0; k < rank; ++k) {
            outer_row<T> one = rows(k, 0), two = rows(k, 1);
            take_out(0, left, one, two);
            take_out(1, one, two);
            left = {{two.of[2], two.of[3], T(0), T(0)}, two.rhs};
        }
        for (int k = ranks - 1; k > rank; --k) {
            outer_row<T> one = rows(k, 0), two = rows(k, 1);
            take_out(3, right, one, two);
            take_out(2, one, two);
            right = {{T(0), T(0), two.of[0], two.of[1]}, two.rhs};
        }
        outer_row<T> one = rows(rank, 0), two = rows(rank, 1);
        take_out(0, left, one, two);
        take_out(1, one, two);
        take_out(2, two, right);
        value_.after = right.rhs * reciprocal(right.of[3]);
        good_ = good_ && !is_bad(right.of[3]);
        value_.last = fma(-two.of[3], value_.after, two.rhs);
        value_.first = fma(-one.of[3], value_.after, fma(-one.of[2], value_.last, one.rhs));
        value_.before = fma(-left.of[3], value_.after, fma(-left.of[2], value_.last, left.rhs));
        value_.before = fma(-left.of[1], value_.first, value_.before);
    }
    [[nodiscard]] __device__ const outer_values<T>& value() const { return value_; }
    [[nodiscard]] __device__ bool good() const { return good_; }

private:
    /// The first becomes the largest in unknown k, with 1 there; the others lose it.
    __device__ void take_out(int k, outer_row<T>& a, outer_row<T>& b) {
        order(k, a, b);
        good_ = good_ && !is_bad(a.of[k]);
        const T inverse = reciprocal(a.of[k]);
        b.subtract(b.of[k] * inverse, a);
        a.scale(inverse);
    }
    __device__ void take_out(int k, outer_row<T>& a, outer_row<T>& b, outer_row<T>& c) {
        order(k, a, c);
        order(k, a, b);
        good_ = good_ && !is_bad(a.of[k]);
        const T inverse = reciprocal(a.of[k]);
        b.subtract(b.of[k] * inverse, a);
        c.subtract(c.of[k] * inverse, a);
        a.scale(inverse);
    }
    outer_values<T> value_;
    bool good_ = true;
};

template <class T, int Words>
class pivoted_reduction {
    static constexpr int slot = joint<T>::words;  // a thread's and system's: two rows, a joint or four values
    static constexpr int pair = 10;               // words of two rows

public:
    /// Of a block's shared memory; of a cluster's blocks, two tiles.
    [[nodiscard]] static constexpr int words(int threads, int lanes, int ranks) {
        return slot * Words * threads + 2 * ranks * pair * Words * lanes;
    }
    __device__ pivoted_reduction(T* room, const place_in_tile& at)
        : at_(at), slots_{room, at.threads}, blocks_(room + slot * Words * at.threads) {}

    /// Every thread of the block, and of the cluster. Bad pivots are put down to the chunk's last row.
    template <int Rows>
    __device__ void run(pivoted_chunk<T, Rows> (&c)[Words]) {
        int top = 1;
        for (; top < at_.chunks; top *= 2) climb(top, c);
        meet(c);
        for (int s = top / 2; s >= 1; s /= 2) descend(s);
#pragma unroll
        for (int w = 0; w < Words; ++w) c[w].join(value_[w]);
    }

private:
    using words_of_blocks = words_between<T, Words>;

    template <int First, int Count>
    static __device__ void put(const words_of_blocks& to, int w, int thread, const sparse_row<T, Count>& r) {
#pragma unroll
        for (int k = 0; k < Count; ++k) to.at(First + k, w, thread) = r.of[k];
        to.at(First + Count, w, thread) = r.rhs;
    }
    template <int First, int Count>
    static __device__ void get(const words_of_blocks& from, int w, int thread, sparse_row<T, Count>& r) {
#pragma unroll
        for (int k = 0; k < Count; ++k) r.of[k] = from.at(First + k, w, thread);
        r.rhs = from.at(First + Count, w, thread);
    }
    template <class Chunk>
    static __device__ void note(Chunk& c, bool good) {
        if (!good && c.bad_row < 0) c.bad_row = Chunk::rows - 1;
    }

    /// Chunks s apart join: the right one hands its rows over and keeps the joint.
    template <int Rows>
    __device__ void climb(int s, pivoted_chunk<T, Rows> (&c)[Words]) {
        const int in_pair = at_.chunk % (2 * s);
        if (in_pair == s)
#pragma unroll
            for (int w = 0; w < Words; ++w) {
                put<0>(slots_, w, at_.thread, c[w].one);
                put<5>(slots_, w, at_.thread, c[w].two);
            }
        __syncthreads();
        if (in_pair != 0 || at_.chunk + s >= at_.chunks) return;
        const int partner = at_.thread + s * at_.lanes;
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            outer_row<T> own[2] = {c[w].one, c[w].two}, other[2];
            get<0>(slots_, w, partner, other[0]);
            get<5>(slots_, w, partner, other[1]);
            joint<T> j;
            note(c[w], j.make(own, other));
            put<0>(slots_, w, partner, j.last);
            put<6>(slots_, w, partner, j.first);
            c[w].one = own[0];
            c[w].two = own[1];
        }
    }

    // Who does what: the first chunk's threads of each block of a cluster store the block's two rows into
    // every block's shared memory and solve the whole for their own. They wait at the cluster's barrier for
    // all blocks of the cluster. That ends because the hardware starts the blocks of a cluster together and
    // all of them take the same tiles. The barrier releases the stores before it and acquires them for the
    // loads after it; rows of the next tile go to the other half, which all have read before they arrive at
    // this barrier.
    template <int Rows>
    __device__ void meet(pivoted_chunk<T, Rows> (&c)[Words]) {
        T* const half = blocks_ + (odd_tile_ ? at_.ranks * pair * Words * at_.lanes : 0);
        const auto of_block = [&](int k) {
            return words_of_blocks{half + k * pair * Words * at_.lanes, at_.lanes};
        };
        odd_tile_ = !odd_tile_;
        if (at_.ranks > 1) {
            if (at_.chunk == 0)
                for (int k = 0; k < at_.ranks; ++k) {
                    const words_of_blocks there{in_block(of_block(at_.rank).room, k), at_.lanes};
#pragma unroll
                    for (int w = 0; w < Words; ++w) {
                        put<0>(there, w, at_.lane, c[w].one);
                        put<5>(there, w, at_.lane, c[w].two);
                    }
                }
            cluster_barrier();
        } else {
            __syncthreads();  // also where no chunks join: the kernel counts on a barrier a tile
        }
        if (at_.chunk != 0) return;
#pragma unroll
        for (int w = 0; w < Words; ++w) {
            const auto rows = [&](int k, int i) {
                if (k == at_.rank) return i == 0 ? c[w].one : c[w].two;
                outer_row<T> r;
                if (i == 0)
                    get<0>(of_block(k), w, at_.lane, r);
                else
                    get<5>(of_block(k), w, at_.lane, r);
                return r;
            };
            const solve_outer<T> solved(at_.rank, at_.ranks, rows);
            value_[w] = solved.value();
            note(c[w], solved.good());
        }
    }

    /// The values of both to each of the two.
    __device__ void descend(int s) {
        const int in_pair = at_.chunk % (2 * s), partner = at_.thread + s * at_.lanes;
        if (in_pair == 0 && at_.chunk + s < at_.chunks)
#pragma unroll
            for (int w = 0; w < Words; ++w) {
                joint<T> j;
                get<0>(slots_, w, partner, j.last);
                get<6>(slots_, w, partner, j.first);
                outer_values<T> other;
                j.part(value_[w], other);
                slots_.at(0, w, partner) = other.before;
                slots_.at(1, w, partner) = other.first;
                slots_.at(2, w, partner) = other.last;
                slots_.at(3, w, partner) = other.after;
            }
        __syncthreads();
        if (in_pair == s)
#pragma unroll
            for (int w = 0; w < Words; ++w)
                value_[w] = {slots_.at(0, w, at_.thread), slots_.at(1, w, at_.thread),
                             slots_.at(2, w, at_.thread), slots_.at(3, w, at_.thread)};
    }

    place_in_tile at_;
    words_of_blocks slots_;
    T* blocks_;
    outer_values<T> value_[Words];
    bool odd_tile_ = false;
};

}  // namespace wale::tree::one_pass
