// pivoted_chunk - one thread's rows of one chain with partial pivoting, and how two neighbours become one. Of
// a chunk's Rows + 2 unknowns all but four appear in no other chunk: they are eliminated, each by the largest
// of the three rows that hold it, and two rows are left over in the four (Wright 1992 for boundary value
// problems). Two neighbours join the same way: of their six unknowns two leave. All multipliers are at
// most 1.
#pragma once

#include "solvers/tree/chains/cuda/thomas_one_pass/chunk.cuh"

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

/// How chunks with pivoting join: tree.cuh.
template <class T>
struct pivoted_ends {
    /// Two, in before, first, last, after.
    struct rows {
        outer_row<T> one, two;
    };
    struct joint {
        sparse_row<T, 5> last;   // the left one's: in before, first, the right one's first, last, after
        sparse_row<T, 4> first;  // the right one's: in before, first, last, after
    };
    /// left becomes both. False where a pivot was bad.
    static __device__ bool join(rows& left, const rows& right, joint& j) {
        using row = sparse_row<T, 6>;  // in before, first | left's last, right's first | last, after
        const auto from_left = [](const outer_row<T>& r) {
            return row{{r.of[0], r.of[1], r.of[2], r.of[3], T(0), T(0)}, r.rhs};
        };
        const auto from_right = [](const outer_row<T>& r) {
            return row{{T(0), T(0), r.of[0], r.of[1], r.of[2], r.of[3]}, r.rhs};
        };
        row a = from_left(left.one), b = from_left(left.two), c = from_right(right.one),
            d = from_right(right.two);
        order(2, a, b);
        order(2, a, c);
        order(2, a, d);
        bool good = !is_bad(a.of[2]);
        a.scale(reciprocal(a.of[2]));
        b.subtract(b.of[2], a);
        c.subtract(c.of[2], a);
        d.subtract(d.of[2], a);
        j.last = {{a.of[0], a.of[1], a.of[3], a.of[4], a.of[5]}, a.rhs};
        order(3, b, c);
        order(3, b, d);
        good = good && !is_bad(b.of[3]);
        b.scale(reciprocal(b.of[3]));
        c.subtract(c.of[3], b);
        d.subtract(d.of[3], b);
        j.first = {{b.of[0], b.of[1], b.of[4], b.of[5]}, b.rhs};
        left.one = {{c.of[0], c.of[1], c.of[4], c.of[5]}, c.rhs};
        left.two = {{d.of[0], d.of[1], d.of[4], d.of[5]}, d.rhs};
        return good;
    }
    /// The values of both become those of each.
    static __device__ void part(const joint& j, end_values<T>& left, end_values<T>& right) {
        const end_values<T> o = left;
        T f = fma(-j.first.of[0], o.before, fma(-j.first.of[1], o.first, j.first.rhs));
        f = fma(-j.first.of[2], o.last, fma(-j.first.of[3], o.after, f));
        T l = fma(-j.last.of[0], o.before, fma(-j.last.of[1], o.first, j.last.rhs));
        l = fma(-j.last.of[2], f, fma(-j.last.of[3], o.last, fma(-j.last.of[4], o.after, l)));
        left = {o.before, o.first, l, f};
        right = {l, f, o.last, o.after};
    }

    /// Blocks one after the other: the row left over, in the left neighbour's last unknown and the own first.
    using carry = sparse_row<T, 2>;
    struct step {
        sparse_row<T, 3> before;  // in first, last, after
        sparse_row<T, 2> first;   // in last, after
    };
    /// Of nothing but one block.
    static __device__ bool alone(const rows& b, end_values<T>& v) {
        carry c = begin();
        step s;
        const bool good = advance(c, b, s), good_end = end(c, v);
        retreat(s, v);
        return good && good_end;
    }
    /// Some element is not finite: then a bad pivot was noted already.
    static __device__ bool are_nan(const rows& b) {
        T sum = T(0);
#pragma unroll
        for (int k = 0; k < 4; ++k) sum += b.one.of[k] * T(0) + b.two.of[k] * T(0);
        return sum != sum;
    }

    static __device__ carry begin() {
        return {{T(1), T(0)}, T(0)};
    }
    static __device__ bool advance(carry& c, const rows& b, step& s) {
        outer_row<T> a{{c.of[0], c.of[1], T(0), T(0)}, c.rhs}, one = b.one, two = b.two;
        order(0, a, one);
        order(0, a, two);
        bool good = !is_bad(a.of[0]);
        a.scale(reciprocal(a.of[0]));
        one.subtract(one.of[0], a);
        two.subtract(two.of[0], a);
        order(1, one, two);
        good = good && !is_bad(one.of[1]);
        one.scale(reciprocal(one.of[1]));
        two.subtract(two.of[1], one);
        s.before = {{a.of[1], a.of[2], a.of[3]}, a.rhs};
        s.first = {{one.of[2], one.of[3]}, one.rhs};
        c = {{two.of[2], two.of[3]}, two.rhs};
        return good;
    }
    /// Beyond the last block; the values of a block by those of its right neighbour.
    static __device__ bool end(const carry& c, end_values<T>& v) {
        v = {c.rhs * reciprocal(c.of[0]), T(0), T(0), T(0)};
        return !is_bad(c.of[0]);
    }
    static __device__ void retreat(const step& s, end_values<T>& v) {
        const T last = v.before, after = v.first;
        const T first = fma(-s.first.of[0], last, fma(-s.first.of[1], after, s.first.rhs));
        const T before = fma(-s.before.of[1], last, fma(-s.before.of[2], after, s.before.rhs));
        v = {fma(-s.before.of[0], first, before), first, last, after};
    }
};

template <class T, int Rows>
struct pivoted_chunk {
    static_assert(Rows > 3);
    using ends = pivoted_ends<T>;
    // x[j] = constant[j] - (by_before, by_first) (x[-1], x[0]) - next[j] x[j + 1] - beyond[j] x[j + 2]
    T constant[Rows], by_before[Rows], by_first[Rows], next[Rows], beyond[Rows];  // of 1 ... Rows - 2

    template <int Row>
    __device__ void add(T low, T middle, T up, T rhs) {
        if constexpr (Row == 0) {
            one_ = {{low, middle, up, T(0)}, rhs};
        } else if constexpr (Row == 1) {
            two_ = {{T(0), low, middle, up}, rhs};
        } else {
            eliminate<Row - 1>(low, middle, up, rhs);
        }
    }
    [[nodiscard]] __device__ typename ends::rows outside() const { return {one_, two_}; }
    /// The first row whose pivot was bad or will be, or -1. The reciprocal of a bad pivot is NaN, and so is
    /// all after it: one look at the end is enough.
    [[nodiscard]] __device__ int bad_row() const {
        if (next[Rows - 2] == next[Rows - 2] && !ends::are_nan(outside())) return -1;
        int row = 0;
#pragma unroll
        for (int j = Rows - 2; j > 0; --j)
            if (next[j] != next[j]) row = j;
        return row;
    }
    __device__ void join(const end_values<T>& values) {
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
    outer_row<T> one_, two_;  // so far: in x[-1], x[0], x[j], x[j + 1]
    end_values<T> outer_;
    T second_, latest_;

    /// Unknown J, by the largest of the two rows left over and row J + 1.
    template <int J>
    __device__ void eliminate(T low, T middle, T up, T rhs) {
        using row = sparse_row<T, 5>;  // in x[-1], x[0], x[J], x[J + 1], x[J + 2]
        const auto wide = [](const outer_row<T>& r) {
            return row{{r.of[0], r.of[1], r.of[2], r.of[3], T(0)}, r.rhs};
        };
        row pivot = wide(one_), second = wide(two_), third{{T(0), T(0), low, middle, up}, rhs};
        order(2, pivot, second);
        order(2, pivot, third);
        pivot.scale(reciprocal(pivot.of[2]));
        const auto left_over = [&](row r) {
            r.subtract(r.of[2], pivot);
            return outer_row<T>{{r.of[0], r.of[1], r.of[3], r.of[4]}, r.rhs};
        };
        one_ = left_over(second);
        two_ = left_over(third);
        by_before[J] = pivot.of[0];
        by_first[J] = pivot.of[1];
        next[J] = pivot.of[3];
        beyond[J] = pivot.of[4];
        constant[J] = pivot.rhs;
    }
};

}  // namespace wale::tree::one_pass
