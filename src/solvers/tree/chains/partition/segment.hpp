// segment - a run of consecutive rows without its inner unknowns: two equations between the unknown before
// the run, its first, its last and the one after. Rows are taken in one by one (absorb), runs join in pairs
// (join), a whole chain is closed (close), and the way back gives the unknowns taken out. Wang 1981's
// partition method; with pivoting every row that holds the unknown to be taken out is a candidate, so this is
// Gaussian elimination with partial pivoting under another order of the unknowns, and as stable.
//
// How: a type with `pivoted` and the functions `fma` and `reciprocal`.
#pragma once

#include "base/host_device.hpp"

namespace wale::tree::partition {

/// before x_before + first x_first + last x_last + after x_after = right
template <class T>
struct equation {
    T before, first, last, after, right;
};

/// Without pivoting head.after and tail.before are 0 from the second row on.
template <class T>
struct segment {
    equation<T> head, tail;
};

/// A row of the matrix and its right side.
template <class T>
struct row {
    T lower, diagonal, upper, right;
};

/// x = right - next x_next - beyond x_beyond, of an unknown that absorb took out.
template <class T>
struct substitution {
    T pivot, next, beyond, right;
};

/// The unknowns about a segment.
template <class T>
struct ends {
    T before, first, last, after;
};

template <class T>
WALE_HD T magnitude(T x) {
    return x < T(0) ? -x : x;
}
template <class T>
WALE_HD void exchange(T& a, T& b) {
    const T c = a;
    a = b;
    b = c;
}

/// The segment of one row: its unknown is first and last, and the second equation says so.
template <class T>
WALE_HD segment<T> single(const row<T>& r) {
    return {{r.lower, r.diagonal, T(0), r.upper, r.right}, {T(0), T(1), T(-1), T(0), T(0)}};
}
template <class T>
WALE_HD segment<T> couple(const row<T>& r, const row<T>& s) {
    return {{r.lower, r.diagonal, r.upper, T(0), r.right}, {T(0), s.lower, s.diagonal, s.upper, s.right}};
}
/// The same with the unknowns before and first known.
template <class T>
WALE_HD segment<T> couple_known(const row<T>& r, const row<T>& s, const ends<T>& x) {
    return {{T(0), T(0), r.upper, T(0), r.right - r.lower * x.before - r.diagonal * x.first},
            {T(0), T(0), s.diagonal, s.upper, s.right - s.lower * x.first}};
}

/// to -= m from, but for the last unknown, which goes; the one after takes its place.
template <class How, bool Known, class T>
WALE_HD void reduce(equation<T>& to, const equation<T>& from, T m) {
    if constexpr (!Known) {
        if constexpr (How::pivoted) to.before = How::fma(-m, from.before, to.before);
        to.first = How::fma(-m, from.first, to.first);
    }
    to.last = How::pivoted ? How::fma(-m, from.after, to.after) : -m * from.after;
    to.after = T(0);
    to.right = How::fma(-m, from.right, to.right);
}

/// The new row is the largest in the column of the last unknown: it leaves, head and tail stay.
template <class How, bool Known, class T>
WALE_HD substitution<T> absorb_by_row(segment<T>& s, const row<T>& r) {
    const T inverse = How::reciprocal(r.lower);
    for (equation<T>* e : {&s.head, &s.tail}) {
        const T m = e->last * inverse;
        e->last = How::fma(-m, r.diagonal, e->after);
        e->after = -m * r.upper;
        e->right = How::fma(-m, r.right, e->right);
    }
    return {r.lower, r.diagonal * inverse, r.upper * inverse, r.right * inverse};
}

/// Takes s's last unknown out; the unknown of row r, which follows, is the last then. Known: the unknowns
/// before and first are in the right sides already.
template <class How, bool Known, class T>
WALE_HD substitution<T> absorb(segment<T>& s, const row<T>& r) {
    if constexpr (How::pivoted) {
        const T head = magnitude(s.head.last), tail = magnitude(s.tail.last), low = magnitude(r.lower);
        if (!(tail >= head && tail >= low)) {
            if (low > head && low > tail) return absorb_by_row<How, Known>(s, r);
            if (head > tail) exchange(s.head, s.tail);
        }
    }
    const equation<T> p = s.tail;
    const T inverse = How::reciprocal(p.last);
    reduce<How, Known>(s.head, p, s.head.last * inverse);
    const T m = r.lower * inverse;
    s.tail = {How::pivoted && !Known ? -m * p.before : T(0), Known ? T(0) : -m * p.first,
              How::fma(-m, p.after, r.diagonal), r.upper, How::fma(-m, p.right, r.right)};
    return {p.last, p.after * inverse, T(0), p.right * inverse};
}

/// Where two segments met: the left one's last unknown and the right one's first, by the others.
template <class T>
struct seam {
    T left_pivot, left_before, left_first, left_next, left_last, left_after, left_right;
    T next_pivot, next_before, next_first, next_last, next_after, next_right;
};

/// An equation of two segments that join.
template <class T>
struct wide_equation {
    T before, first, left, next, last, after, right;
};
template <class How, class T>
WALE_HD void subtract(wide_equation<T>& to, const wide_equation<T>& from, T m) {
    to.before = How::fma(-m, from.before, to.before);
    to.first = How::fma(-m, from.first, to.first);
    to.next = How::fma(-m, from.next, to.next);
    to.last = How::fma(-m, from.last, to.last);
    to.after = How::fma(-m, from.after, to.after);
    to.right = How::fma(-m, from.right, to.right);
}

/// The segment of both, in order. Writes what goes.
template <class How, class T>
WALE_HD segment<T> join(const segment<T>& a, const segment<T>& b, seam<T>& gone) {
    const auto of_a = [](const equation<T>& e) {
        return wide_equation<T>{e.before, e.first, e.last, e.after, T(0), T(0), e.right};
    };
    const auto of_b = [](const equation<T>& e) {
        return wide_equation<T>{T(0), T(0), e.before, e.first, e.last, e.after, e.right};
    };
    wide_equation<T> head = of_a(a.head), left = of_a(a.tail), next = of_b(b.head), tail = of_b(b.tail);
    if constexpr (How::pivoted) {
        // Seldom: a jump over the exchanges is cheaper than to choose each word.
        const T most = magnitude(left.left);
        if (magnitude(head.left) > most || magnitude(next.left) > most || magnitude(tail.left) > most) {
            if (magnitude(head.left) > magnitude(left.left)) exchange(head, left);
            if (magnitude(next.left) > magnitude(left.left)) exchange(next, left);
            if (magnitude(tail.left) > magnitude(left.left)) exchange(tail, left);
        }
    }
    T inverse = How::reciprocal(left.left);
    subtract<How>(head, left, head.left * inverse);
    subtract<How>(next, left, next.left * inverse);
    subtract<How>(tail, left, tail.left * inverse);
    gone.left_pivot = left.left;
    gone.left_before = left.before * inverse;
    gone.left_first = left.first * inverse;
    gone.left_next = left.next * inverse;
    gone.left_last = left.last * inverse;
    gone.left_after = left.after * inverse;
    gone.left_right = left.right * inverse;
    if constexpr (How::pivoted) {
        const T most = magnitude(next.next);
        if (magnitude(head.next) > most || magnitude(tail.next) > most) {
            if (magnitude(head.next) > magnitude(next.next)) exchange(head, next);
            if (magnitude(tail.next) > magnitude(next.next)) exchange(tail, next);
        }
    }
    inverse = How::reciprocal(next.next);
    subtract<How>(head, next, head.next * inverse);
    subtract<How>(tail, next, tail.next * inverse);
    gone.next_pivot = next.next;
    gone.next_before = next.before * inverse;
    gone.next_first = next.first * inverse;
    gone.next_last = next.last * inverse;
    gone.next_after = next.after * inverse;
    gone.next_right = next.right * inverse;
    return {{head.before, head.first, head.last, head.after, head.right},
            {tail.before, tail.first, tail.last, tail.after, tail.right}};
}

/// The two unknowns at the seam.
template <class T>
struct met {
    T left, next;
};
template <class How, class T>
WALE_HD met<T> unseam(const seam<T>& s, const ends<T>& x) {
    T next = How::fma(-s.next_before, x.before, s.next_right);
    next = How::fma(-s.next_first, x.first, next);
    next = How::fma(-s.next_last, x.last, next);
    next = How::fma(-s.next_after, x.after, next);
    T left = How::fma(-s.left_before, x.before, s.left_right);
    left = How::fma(-s.left_first, x.first, left);
    left = How::fma(-s.left_last, x.last, left);
    left = How::fma(-s.left_after, x.after, left);
    return {How::fma(-s.left_next, next, left), next};
}

/// The ends of a whole chain. Periodic: the unknown before is the last, the one after the first. `pivots`:
/// of the first unknown and of the last.
template <class How, class T>
WALE_HD ends<T> close(const segment<T>& s, bool periodic, T (&pivots)[2]) {
    equation<T> p = s.head, q = s.tail;
    if (periodic) {
        p.first += p.after;
        p.last += p.before;
        q.first += q.after;
        q.last += q.before;
    }
    if constexpr (How::pivoted)
        if (magnitude(q.first) > magnitude(p.first)) exchange(p, q);
    const T m = q.first / p.first;
    pivots[0] = p.first;
    pivots[1] = How::fma(-m, p.last, q.last);
    const T last = How::fma(-m, p.right, q.right) / pivots[1];
    const T first = How::fma(-p.last, last, p.right) / p.first;
    return {periodic ? last : T(0), first, last, periodic ? first : T(0)};
}

}  // namespace wale::tree::partition
