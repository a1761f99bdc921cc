// pivoted - one thread's rows of one chain with partial pivoting, and how two neighbours become one. Of a
// chunk's Rows + 2 unknowns all but four appear in no other chunk: they are eliminated, each by the largest
// of the three rows that hold it, and two rows are left over in the four (Wright 1992 for boundary value
// problems). Two neighbours join the same way: of their six unknowns two leave. All multipliers are at
// most 1.
#pragma once

#include "solvers/tree/cuda/reciprocal.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree::one_pass {

template <class T>
__device__ void exchange_if(bool wanted, T& a, T& b) {
    const T kept = a;
    a = wanted ? b : a;
    b = wanted ? kept : b;
}

/// A row in Count unknowns.
template <class T, int Count>
struct sparse_row {
    T of[Count];
    T rhs;

    __device__ void subtract(T multiplier, const sparse_row& other) {
#pragma unroll
        for (int k = 0; k < Count; ++k) of[k] = fma(-multiplier, other.of[k], of[k]);
        rhs = fma(-multiplier, other.rhs, rhs);
    }
    __device__ void scale(T by) {
#pragma unroll
        for (int k = 0; k < Count; ++k) of[k] *= by;
        rhs *= by;
    }
};
/// Brings the row with the larger element k forward.
template <class T, int Count>
__device__ void order(int k, sparse_row<T, Count>& a, sparse_row<T, Count>& b) {
    const bool wanted = fabs(b.of[k]) > fabs(a.of[k]);
#pragma unroll
    for (int i = 0; i < Count; ++i) exchange_if(wanted, a.of[i], b.of[i]);
    exchange_if(wanted, a.rhs, b.rhs);
}

/// The two rows that are left of a chunk: in x[-1], x[0], x[Rows - 1], x[Rows].
template <class T>
using outer_row = sparse_row<T, 4>;

/// Those four.
template <class T>
struct outer_values {
    T before, first, last, after;
};

template <class T, int Rows>
struct pivoted_chunk {
    static_assert(Rows > 3);
    static constexpr int rows = Rows;
    // x[j] = constant[j] - (by_before, by_first) (x[-1], x[0]) - next[j] x[j + 1] - beyond[j] x[j + 2]
    T constant[Rows], by_before[Rows], by_first[Rows], next[Rows], beyond[Rows];  // of 1 ... Rows - 2
    outer_row<T> one, two;  // so far: in x[-1], x[0], x[j], x[j + 1]
    int bad_row = -1;

    template <int Row>
    __device__ void add(T low, T middle, T up, T rhs) {
        if constexpr (Row == 0) {
            one = {{low, middle, up, T(0)}, rhs};
        } else if constexpr (Row == 1) {
            two = {{T(0), low, middle, up}, rhs};
        } else {
            eliminate<Row - 1>(low, middle, up, rhs);
        }
    }
    __device__ void join(const outer_values<T>& values) {
        outer_ = values;
        second_ = values.after;
        latest_ = values.last;
    }
    /// x[Row], asked for from the last row to the first.
    template <int Row>
    __device__ T take() {
        if constexpr (Row == 0) return outer_.first;
        if constexpr (Row > 0 && Row < Rows - 1) {
            T x = fma(-by_before[Row], outer_.before, fma(-by_first[Row], outer_.first, constant[Row]));
            x = fma(-beyond[Row], second_, fma(-next[Row], latest_, x));
            second_ = latest_;
            latest_ = x;
        }
        return latest_;
    }

private:
    outer_values<T> outer_;
    T second_, latest_;

    /// Unknown J, by the largest of `one`, `two` and row J + 1.
    template <int J>
    __device__ void eliminate(T low, T middle, T up, T rhs) {
        using row = sparse_row<T, 5>;  // in x[-1], x[0], x[J], x[J + 1], x[J + 2]
        const auto wide = [](const outer_row<T>& r) {
            return row{{r.of[0], r.of[1], r.of[2], r.of[3], T(0)}, r.rhs};
        };
        row pivot = wide(one), second = wide(two), third{{T(0), T(0), low, middle, up}, rhs};
        order(2, pivot, second);
        order(2, pivot, third);
        if (is_bad(pivot.of[2]) && bad_row < 0) bad_row = J;
        const T inverse = reciprocal(pivot.of[2]);
        const auto left_over = [&](row r) {
            r.subtract(r.of[2] * inverse, pivot);
            return outer_row<T>{{r.of[0], r.of[1], r.of[3], r.of[4]}, r.rhs};
        };
        one = left_over(second);
        two = left_over(third);
        pivot.scale(inverse);
        by_before[J] = pivot.of[0];
        by_first[J] = pivot.of[1];
        next[J] = pivot.of[3];
        beyond[J] = pivot.of[4];
        constant[J] = pivot.rhs;
    }
};

/// What joining two neighbours leaves behind: the two unknowns between them, in terms of the outer four.
template <class T>
struct joint {
    static constexpr int words = 11;
    sparse_row<T, 5> last;   // the left one's last: in before, first, the right one's first, last, after
    sparse_row<T, 4> first;  // the right one's first: in before, first, last, after

    /// left and right: rows (one, two) of each; left's become those of both. False where a
    /// pivot was bad.
    __device__ bool make(outer_row<T> (&left)[2], const outer_row<T> (&right)[2]) {
        using row = sparse_row<T, 6>;  // in before, first | left's last, right's first | last, after
        const auto from_left = [](const outer_row<T>& r) {
            return row{{r.of[0], r.of[1], r.of[2], r.of[3], T(0), T(0)}, r.rhs};
        };
        const auto from_right = [](const outer_row<T>& r) {
            return row{{T(0), T(0), r.of[0], r.of[1], r.of[2], r.of[3]}, r.rhs};
        };
        row a = from_left(left[0]), b = from_left(left[1]), c = from_right(right[0]),
            d = from_right(right[1]);
        order(2, a, b);
        order(2, a, c);
        order(2, a, d);
        const bool good = !is_bad(a.of[2]);
        const T inverse = reciprocal(a.of[2]);
        b.subtract(b.of[2] * inverse, a);
        c.subtract(c.of[2] * inverse, a);
        d.subtract(d.of[2] * inverse, a);
        a.scale(inverse);
        last = {{a.of[0], a.of[1], a.of[3], a.of[4], a.of[5]}, a.rhs};
        order(3, b, c);
        order(3, b, d);
        const bool both_good = good && !is_bad(b.of[3]);
        const T second = reciprocal(b.of[3]);
        c.subtract(c.of[3] * second, b);
        d.subtract(d.of[3] * second, b);
        b.scale(second);
        first = {{b.of[0], b.of[1], b.of[4], b.of[5]}, b.rhs};
        left[0] = {{c.of[0], c.of[1], c.of[4], c.of[5]}, c.rhs};
        left[1] = {{d.of[0], d.of[1], d.of[4], d.of[5]}, d.rhs};
        return both_good;
    }
    /// The outer four of both become those of each.
    __device__ void part(outer_values<T>& left, outer_values<T>& right) const {
        const outer_values<T> o = left;
        T f = fma(-first.of[0], o.before, fma(-first.of[1], o.first, first.rhs));
        f = fma(-first.of[2], o.last, fma(-first.of[3], o.after, f));
        T l = fma(-last.of[0], o.before, fma(-last.of[1], o.first, last.rhs));
        l = fma(-last.of[2], f, fma(-last.of[3], o.last, fma(-last.of[4], o.after, l)));
        left = {o.before, o.first, l, f};
        right = {l, f, o.last, o.after};
    }
};

}  // namespace wale::tree::one_pass
