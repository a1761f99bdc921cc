// tile - consecutive rows of a chain in shared memory, a run of them for each thread: loads are coalesced and
// asynchronous, a thread reads its own run in 16-byte pieces. Pieces are placed so that neither meets a bank
// conflict: piece j of thread t lies at 16 (t pieces + (j xor turn(t))).
#pragma once

#include <cuda_pipeline.h>

#include "cuda/complex.cuh"
#include "solvers/tree/chains/shared/chain_view.cuh"
#include "solvers/tree/chains/shared/segment.hpp"

namespace wale::tree::partition {

/// 16 bytes, or two elements of as many.
template <class T>
struct alignas(16) piece {
    static constexpr int size = sizeof(T) == 16 ? 2 : 16 / static_cast<int>(sizeof(T));
    T at[size];
};
template <class T>
__device__ void copy_piece(piece<T>* to, const T* from) {
#pragma unroll
    for (int part = 0; part < static_cast<int>(sizeof(piece<T>)) / 16; ++part)
        __pipeline_memcpy_async(reinterpret_cast<float4*>(to) + part,
                                reinterpret_cast<const float4*>(from) + part, 16);
}

/// Threads: that share the tile; Rows: of a thread. Kept: arrays in shared memory, 4, or 3: then the lower
/// diagonal is read from where the caller has it, twice; the cache helps.
template <class T, int Threads, int Rows, int Kept = 4>
class tile {
public:
    static constexpr int rows = Rows;
    static constexpr int kept = Kept;
    static constexpr int height = Threads * Rows;
    static constexpr int size = piece<T>::size;
    static constexpr int pieces = Rows / size;  // of a thread in one array
    static constexpr int array_bytes = height * static_cast<int>(sizeof(T));
    static constexpr int bytes = Kept * array_bytes;
    static_assert(Rows % size == 0 && (pieces & (pieces - 1)) == 0);

    __device__ tile(unsigned char* memory, int thread) : memory_(memory), thread_(thread) {}

    __device__ piece<T>& at(int array, int thread, int j) const {
        constexpr int apart = pieces >= 8 ? 1 : 8 / pieces, mask = pieces >= 8 ? 7 : pieces - 1;
        const int turned = j ^ (thread / apart & mask);
        return reinterpret_cast<piece<T>*>(memory_ +
                                           (array - (4 - Kept)) * array_bytes)[thread * pieces + turned];
    }
    __device__ T& element(int array, int thread, int j) const {
        return at(array, thread, j / size).at[j % size];
    }

    /// Starts to load rows [first, first + height) of one array, as far as the chain goes.
    __device__ void load(int array, const strand<T>& from, index_t first) const {
        const T* data = from.data + first * from.step;
        const bool whole = from.step == 1 && (reinterpret_cast<std::uintptr_t>(data) & 15) == 0 &&
                           first >= from.first_row && first + height <= from.end_row;
        if (whole) {
            if constexpr (pieces >= 4) {
#pragma unroll 4
                for (int k = thread_; k < height / size; k += Threads)
                    copy_piece(&at(array, k / pieces, k % pieces), data + k * size);
            } else {
                for (int k = thread_; k < height / size; k += Threads)
                    copy_piece(&at(array, k / pieces, k % pieces), data + k * size);
            }
            return;
        }
        for (int k = thread_; k < height; k += Threads) {
            const index_t i = first + k;
            if (i >= from.first_row && i < from.end_row)
                __pipeline_memcpy_async(&element(array, k / rows, k % rows), data + k * from.step, sizeof(T));
        }
    }
    /// Writes rows [first, first + height) of array 3, as far as the chain goes.
    __device__ void store(T* to, index_t step, index_t first, index_t end) const {
        T* data = to + first * step;
        if (step == 1 && (reinterpret_cast<std::uintptr_t>(data) & 15) == 0 && first + height <= end) {
#pragma unroll 4
            for (int k = thread_; k < height / size; k += Threads)
#pragma unroll
                for (int part = 0; part < static_cast<int>(sizeof(piece<T>)) / 16; ++part)
                    __stcs(reinterpret_cast<float4*>(data + k * size) + part,
                           reinterpret_cast<const float4*>(&at(3, k / pieces, k % pieces))[part]);
            return;
        }
        for (int k = thread_; k < height && first + k < end; k += Threads)
            data[k * step] = element(3, k / rows, k % rows);
    }
    /// What the arrays do not hold: the corners. By the threads whose rows they are; before they are read.
    __device__ void set_corners(const chain<T>& c, index_t first, index_t end) const {
        const index_t mine = first + index_t{thread_} * rows, last = end - 1 - mine;
        if (Kept == 4 && mine == 0) element(0, thread_, 0) = c.first_lower;
        if (last >= 0 && last < rows) element(2, thread_, static_cast<int>(last)) = c.last_upper;
    }

private:
    unsigned char* memory_;
    int thread_;
};

/// 1 / x within an ulp, of any x: shorter than a division, which waits where one row waits for the other.
__device__ inline float reciprocal_of(float x) {
    float y;
    asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ inline double reciprocal_of(double x) {
    const unsigned exponent = static_cast<unsigned>(__double2hiint(x)) >> 20 & 0x7ffu;
    if (exponent - 2 >= 2042) return 1 / x;  // x or its reciprocal is not a normal number
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));  // 20 bits; cubic from there
    const double e = ::fma(-x, y, 1.0);
    return ::fma(::fma(e, e, e), y, y);
}

/// How the device computes.
template <bool Pivoted>
struct on_device {
    static constexpr bool pivoted = Pivoted;
    template <class T>
    __device__ static T fma(T a, T b, T c) {
        if constexpr (base::is_complex_type<T>)
            return cuda::less_product(c, -a, b);
        else
            return ::fma(a, b, c);
    }
    template <class T>
    __device__ static T reciprocal(T x) {
        if constexpr (base::is_complex_type<T>)
            return base::reciprocal(x);
        else
            return reciprocal_of(x);
    }
};

/// One thread's run of rows in a tile.
template <class T, class Tile>
struct run_of_rows {
    static constexpr int size = piece<T>::size;
    const Tile& t;
    int thread, count;
    strand<T> lower{};  // where the tile does not keep it: of the chain
    index_t first = 0;  // row of the chain that the run starts with
    T first_lower = 0;

    __device__ void read(int p, row<T> (&rows)[size]) const {
        const piece<T> a = lower_piece(p), b = t.at(1, thread, p), c = t.at(2, thread, p),
                       d = t.at(3, thread, p);
#pragma unroll
        for (int e = 0; e < size; ++e) rows[e] = {a.at[e], b.at[e], c.at[e], d.at[e]};
    }

private:
    __device__ piece<T> lower_piece(int p) const {
        if constexpr (Tile::kept == 4) return t.at(0, thread, p);
        piece<T> a{};
        const index_t i = first + index_t{p} * size;
        const T* data = lower.data + i * lower.step;
        if (lower.step == 1 && (reinterpret_cast<std::uintptr_t>(data) & 15) == 0 && i >= lower.first_row &&
            i + size <= lower.end_row) {
            a = *reinterpret_cast<const piece<T>*>(data);
        } else {
#pragma unroll
            for (int e = 0; e < size; ++e)
                if (i + e >= lower.first_row && i + e < lower.end_row) a.at[e] = data[e * lower.step];
        }
        if (i == 0) a.at[0] = first_lower;
        return a;
    }
};

/// The segment of a run. note(pivot, j): of the unknown of row j.
template <class How, class T, class Tile, class Note>
__device__ segment<T> segment_of_run(const run_of_rows<T, Tile>& of, const Note& note) {
    constexpr int size = piece<T>::size;
    const int count = of.count;
    segment<T> s{};
    if (count <= 0) return s;
    row<T> r[size];
    of.read(0, r);
    s = count == 1 ? single(r[0]) : couple(r[0], r[1]);
    const auto take = [&](int e, int j) {
        if (j < count) note(absorb<How>(s, r[e]).pivot, j - 1);
    };
#pragma unroll
    for (int e = 2; e < size; ++e) take(e, e);
#pragma unroll 1
    for (int p = 1; p * size < count; ++p) {
        of.read(p, r);
#pragma unroll
        for (int e = 0; e < size; ++e) take(e, p * size + e);
    }
    return s;
}

/// The unknowns of a run, into array 3, from those about it. What was taken out by row j is kept in row j's
/// place meanwhile.
template <class How, class T, class Tile>
__device__ void solve_run(const run_of_rows<T, Tile>& of, const ends<T>& x) {
    constexpr int size = piece<T>::size;
    const Tile& t = of.t;
    const int thread = of.thread, count = of.count;
    if (count <= 0) return;
    segment<T> s{};
    row<T> r[size];
#pragma unroll 1
    for (int p = 0; p * size < count; ++p) {
        of.read(p, r);
        piece<T> next{}, beyond{}, right{};
        if (p == 0) s = couple(r[0], r[1]);
#pragma unroll
        for (int e = 0; e < size; ++e) {
            if (p * size + e < 2 || p * size + e >= count) continue;
            const substitution<T> gone = absorb<How>(s, r[e]);
            next.at[e] = gone.next;
            beyond.at[e] = gone.beyond;
            right.at[e] = known_right<How>(gone, x);
        }
        t.at(1, thread, p) = next;
        if constexpr (How::pivoted) t.at(2, thread, p) = beyond;
        t.at(3, thread, p) = right;
    }
    T here = count == 1 ? x.first : x.last, after = x.after;
#pragma unroll 1
    for (int p = (count - 1) / size; p >= 0; --p) {
        const piece<T> next = t.at(1, thread, p), right = t.at(3, thread, p);
        piece<T> beyond{}, solved{};
        if constexpr (How::pivoted) beyond = t.at(2, thread, p);
#pragma unroll
        for (int e = size - 1; e >= 0; --e) {
            const int j = p * size + e;
            if (j >= count) continue;
            solved.at[e] = here;
            T lower = How::fma(-next.at[e], here, right.at[e]);
            if constexpr (How::pivoted) lower = How::fma(-beyond.at[e], after, lower);
            after = here;
            here = j == 1 ? x.first : lower;
        }
        t.at(3, thread, p) = solved;
    }
}

}  // namespace wale::tree::partition
