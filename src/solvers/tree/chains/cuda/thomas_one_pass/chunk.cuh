// chunk - one thread's rows of one chain without pivoting (Wang 1981): every unknown in terms of the chunk's
// left neighbour and of its own successor; what that leaves for the ends of a chunk, and how the ends of two
// neighbours become those of both.
#pragma once

#include <cstdint>

#include "solvers/tree/problem.hpp"

namespace wale::tree {

// 1 / x without a branch: the hardware's estimate and Newton steps, to within an ulp. Division keeps a slow
// path ready, whose call costs registers where a thread keeps many rows.

/// Estimates flush what is not normal to 0, so numbers near the ends of the range are scaled first, exactly.
/// Of 0, infinity and NaN: not finite.
__device__ inline double reciprocal(double x) {
    constexpr int low = 64, high = 2047 - 64;  // biased exponents between which nothing can go wrong
    const int exponent = __double2hiint(x) >> 20 & 2047;
    const double by = exponent < low ? 0x1p+200 : exponent > high ? 0x1p-200 : 1.0;
    const double y = x * by;
    double r;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(r) : "d"(y));  // 20 bits
    double e = fma(-y, r, 1.0);
    e = fma(e, e, e);
    r = fma(r, e, r);
    e = fma(-y, r, 1.0);
    return fma(r, e, r) * by;
}
__device__ inline float reciprocal(float x) {
    constexpr int low = 24, high = 255 - 24;
    const int exponent = __float_as_int(x) >> 23 & 255;
    const float by = exponent < low ? 0x1p+60f : exponent > high ? 0x1p-60f : 1.0f;
    const float y = x * by;
    float r;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(y));  // 23 bits
    return fma(r, fma(-y, r, 1.0f), r) * by;
}

}  // namespace wale::tree

namespace wale::tree::one_pass {

/// Of a chunk, or of a row of chunks: its own first and last unknown, and the neighbours' beside them.
template <class T>
struct end_values {
    T before, first, last, after;
};

/// An unknown in terms of two others.
template <class T>
struct between {
    T constant, before, after;
    __device__ T at(T b, T a) const { return fma(before, b, fma(after, a, constant)); }
};

/// How chunks without pivoting join: tree.cuh.
template <class T>
struct plain_ends {
    /// The first and the last unknown, in terms of the neighbours beside them.
    struct rows {
        between<T> first, last;
    };
    /// Of two that join: the left one's last unknown by its left neighbour and the right one's first; the
    /// right one's first by the outer neighbours.
    struct joint {
        between<T> last, first;
    };
    /// left becomes both. False where a pivot was bad.
    static __device__ bool join(rows& left, const rows& right, joint& j) {
        const T pivot = fma(-right.first.before, left.last.after, T(1)), inverse = reciprocal(pivot);
        j.last = left.last;
        j.first.constant = fma(right.first.before, left.last.constant, right.first.constant) * inverse;
        j.first.before = right.first.before * left.last.before * inverse;
        j.first.after = right.first.after * inverse;
        const T constant = fma(j.last.after, j.first.constant, j.last.constant);
        const T before = fma(j.last.after, j.first.before, j.last.before),
                after = j.last.after * j.first.after;
        left.first.constant = fma(left.first.after, j.first.constant, left.first.constant);
        left.first.before = fma(left.first.after, j.first.before, left.first.before);
        left.first.after *= j.first.after;
        left.last.constant = fma(right.last.before, constant, right.last.constant);
        left.last.before = right.last.before * before;
        left.last.after = fma(right.last.before, after, right.last.after);
        return !is_bad(pivot);
    }
    /// The values of both become those of each.
    static __device__ void part(const joint& j, end_values<T>& left, end_values<T>& right) {
        const T first = j.first.at(left.before, left.after), last = j.last.at(left.before, first);
        right = {last, first, left.last, left.after};
        left = {left.before, left.first, last, first};
    }

    /// Of nothing but one block.
    static __device__ bool alone(const rows& b, end_values<T>& v) {
        v = {T(0), b.first.constant, b.last.constant, T(0)};
        return true;
    }
    /// All are, once one element of the matrix was, or a pivot 0.
    static __device__ bool are_nan(const rows& b) { return b.last.after != b.last.after; }

    /// Blocks one after the other: what is known of the left neighbour's last unknown, by the own first.
    struct carry {
        T constant, slope;
    };
    struct step {
        carry before;
        T first, onward;  // own first = first + onward * next block's first
    };
    static __device__ carry begin() { return {T(0), T(0)}; }
    static __device__ bool advance(carry& c, const rows& b, step& s) {
        const T pivot = fma(-b.first.before, c.slope, T(1)), inverse = reciprocal(pivot);
        s.before = c;
        s.first = fma(b.first.before, c.constant, b.first.constant) * inverse;
        s.onward = b.first.after * inverse;
        c.constant = fma(b.last.before, fma(c.slope, s.first, c.constant), b.last.constant);
        c.slope = fma(b.last.before * c.slope, s.onward, b.last.after);
        return !is_bad(pivot);
    }
    /// Beyond the last block; the values of a block by those of its right neighbour.
    static __device__ bool end(const carry& c, end_values<T>& v) {
        v = {c.constant, T(0), T(0), T(0)};
        return true;
    }
    static __device__ void retreat(const step& s, end_values<T>& v) {
        const T first = fma(s.onward, v.first, s.first);
        v = {fma(s.before.slope, first, s.before.constant), first, v.before, v.first};
    }
};

/// A number for each row, in registers or, where a thread has too few of them, in its column of the block's
/// shared memory.
template <class T, int Rows, int Lanes, bool InRegisters>
struct rows_of_numbers {
    T all[Rows];
    template <int Row>
    __device__ void put(T value) {
        all[Row] = value;
    }
    template <int Row>
    [[nodiscard]] __device__ T get() const {
        return all[Row];
    }
};
template <class T, int Rows, int Lanes>
struct rows_of_numbers<T, Rows, Lanes, false> {
    T* column;
    template <int Row>
    __device__ void put(T value) {
        column[Row * Lanes] = value;
    }
    template <int Row>
    [[nodiscard]] __device__ T get() const {
        return column[Row * Lanes];
    }
};

template <class T, int Rows, int Lanes, bool InRegisters>
struct chunk {
    using ends = plain_ends<T>;
    // x[j] = constant[j] + left[j] x[-1] + right[j] x[j + 1]; x[-1] and x[Rows] belong to the neighbours
    rows_of_numbers<T, Rows, Lanes, InRegisters> constant;
    T left[Rows], right[Rows];

    template <int Row>
    __device__ void add(T low, T middle, T up, T rhs) {
        if constexpr (Row > 0) {
            middle = fma(low, right[Row - 1], middle);
            rhs = fma(-low, constant_of_last_, rhs);
        }
        const T inverse = reciprocal(middle);
        const T share = -low * inverse;
        constant_of_last_ = rhs * inverse;
        right[Row] = -up * inverse;
        if constexpr (Row == 0)
            left[0] = share;
        else
            left[Row] = share * left[Row - 1];
        if constexpr (Row == 0) {
            first_ = {constant_of_last_, left[0], right[0]};
        } else if constexpr (Row < Rows - 1) {
            first_.constant = fma(first_.after, constant_of_last_, first_.constant);
            first_.before = fma(first_.after, left[Row], first_.before);
            first_.after *= right[Row];
        }
        if constexpr (Row < Rows - 1) constant.template put<Row>(constant_of_last_);
    }
    [[nodiscard]] __device__ typename ends::rows outside() const {
        const between<T> last{constant_of_last_, left[Rows - 1], right[Rows - 1]};
        return {{fma(first_.after, last.constant, first_.constant),
                 fma(first_.after, last.before, first_.before), first_.after * last.after},
                last};
    }
    /// The first row whose pivot was bad, or -1. The reciprocal of such a pivot is NaN, and so is all after
    /// it: one look at the last row is enough.
    [[nodiscard]] __device__ int bad_row() const {
        if (right[Rows - 1] == right[Rows - 1]) return -1;
        int row = 0;
#pragma unroll
        for (int j = Rows - 1; j >= 0; --j)
            if (right[j] != right[j]) row = j;
        return row;
    }
    __device__ void join(const end_values<T>& values) {
        before_ = values.before;
        latest_ = values.last;
    }
    /// x[Row], asked for from the last row to the first.
    template <int Row>
    __device__ T take() {
        if constexpr (Row < Rows - 1)
            latest_ = fma(right[Row], latest_, fma(left[Row], before_, constant.template get<Row>()));
        return latest_;
    }

private:
    between<T> first_;    // so far: x[0] by x[-1] and x[row + 1]
    T constant_of_last_;  // row so far
    T before_, latest_;
};

}  // namespace wale::tree::one_pass
