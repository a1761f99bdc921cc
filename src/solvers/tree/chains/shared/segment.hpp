// segment - a run of consecutive rows without its inner unknowns: two equations between the unknown before
// the run, its first, its last and the one after. Rows are taken in one by one (absorb), runs join in pairs
// (join), a whole chain is closed (close), and the way back gives the unknowns taken out. Wang 1981's
// partition method; with pivoting every row that holds the unknown to be taken out is a candidate, and each
// is judged by its largest element (scaled partial pivoting, as Klein and Strzodka 2021): without the scale
// the coefficients of the unknowns before and first can grow by a factor a row where the chain's solutions do
// (Wright 1993), for one shoots from one end of the run to the other.
//
// How: a type with `pivoted` and the functions `fma` and `reciprocal`.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#include "base/scalar.hpp"

namespace wale::tree::partition {

using base::real_of;

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

/// x = right - before x_before - first x_first - next x_next - beyond x_beyond, of an unknown that absorb
/// took out. What is known of these goes to `right` only here, after the elimination: the way back must use
/// the very equations, to the bit, that gave the unknowns about the run, for multipliers may be large.
template <class T>
struct substitution {
    T pivot, before, first, next, beyond, right;
};

/// The unknowns about a segment.
template <class T>
struct ends {
    T before, first, last, after;
};

template <class T>
WALE_HD real_of<T> magnitude(T x) {
    if constexpr (base::is_complex_type<T>)
        return base::pivot_size(x);
    else
        return x < T(0) ? -x : x;
}
template <class T>
WALE_HD T larger(T a, T b) {
    return a < b ? b : a;
}
/// About |x| / s, for |x| <= s: the power of two is exact, so that nothing overflows.
template <class T, class R = real_of<T>>
WALE_HD R score(T x, R s) {
    using word = std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint64_t>;
    constexpr int digits = sizeof(R) == 4 ? 23 : 52;
    constexpr word field = sizeof(R) == 4 ? 0xff : 0x7ff;
    word bits;
    std::memcpy(&bits, &s, sizeof s);
    const word exponent = bits >> digits & field;
    bits = (exponent >= field - 1 ? word{1} : field - 1 - exponent) << digits;
    R inverse;
    std::memcpy(&inverse, &bits, sizeof bits);
    return magnitude(x) * inverse;
}
template <class T>
WALE_HD void exchange(T& a, T& b) {
    const T c = a;
    a = b;
    b = c;
}

template <class T>
WALE_HD real_of<T> largest(const equation<T>& e) {
    return larger(larger(magnitude(e.before), magnitude(e.first)),
                  larger(magnitude(e.last), magnitude(e.after)));
}
template <class T>
WALE_HD real_of<T> largest(const row<T>& r) {
    return larger(larger(magnitude(r.lower), magnitude(r.diagonal)), magnitude(r.upper));
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
/// to -= m from, but for the last unknown, which goes; the one after takes its place.
template <class How, class T>
WALE_HD void reduce(equation<T>& to, const equation<T>& from, T m) {
    if constexpr (How::pivoted) to.before = How::fma(-m, from.before, to.before);
    to.first = How::fma(-m, from.first, to.first);
    to.last = How::pivoted ? How::fma(-m, from.after, to.after) : -m * from.after;
    to.after = T(0);
    to.right = How::fma(-m, from.right, to.right);
}

/// The new row is the largest in the column of the last unknown: it leaves, head and tail stay.
template <class How, class T>
WALE_HD substitution<T> absorb_by_row(segment<T>& s, const row<T>& r) {
    const T inverse = How::reciprocal(r.lower);
    for (equation<T>* e : {&s.head, &s.tail}) {
        const T m = e->last * inverse;
        e->last = How::fma(-m, r.diagonal, e->after);
        e->after = -m * r.upper;
        e->right = How::fma(-m, r.right, e->right);
    }
    return {r.lower, T(0), T(0), r.diagonal * inverse, r.upper * inverse, r.right * inverse};
}

/// Takes s's last unknown out; the unknown of row r, which follows, is the last then.
template <class How, class T>
WALE_HD substitution<T> absorb(segment<T>& s, const row<T>& r) {
    if constexpr (How::pivoted) {
        const real_of<T> most = largest(s.tail);
        if (!(magnitude(s.tail.last) >= most)) {
            const real_of<T> head = score(s.head.last, largest(s.head)), tail = score(s.tail.last, most);
            const real_of<T> low = score(r.lower, largest(r));
            if (low > head && low > tail) return absorb_by_row<How>(s, r);
            if (head > tail) exchange(s.head, s.tail);
        }
    }
    const equation<T> p = s.tail;
    const T inverse = How::reciprocal(p.last);
    reduce<How>(s.head, p, s.head.last * inverse);
    const T m = r.lower * inverse;
    s.tail = {How::pivoted ? -m * p.before : T(0), -m * p.first, How::fma(-m, p.after, r.diagonal), r.upper,
              How::fma(-m, p.right, r.right)};
    return {p.last, p.before * inverse, p.first * inverse, p.after * inverse, T(0), p.right * inverse};
}
/// The right side of a substitution with the unknowns before and first known.
template <class How, class T>
WALE_HD T known_right(const substitution<T>& gone, const ends<T>& x) {
    const T right = How::fma(-gone.first, x.first, gone.right);
    return How::pivoted ? How::fma(-gone.before, x.before, right) : right;
}

/// Where two segments were joined: the left one's last unknown and the right one's first, by the others.
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

template <class T>
WALE_HD real_of<T> largest(const wide_equation<T>& e) {
    return larger(
        larger(larger(magnitude(e.before), magnitude(e.first)), larger(magnitude(e.left), magnitude(e.next))),
        larger(magnitude(e.last), magnitude(e.after)));
}
template <class T>
WALE_HD void prefer(wide_equation<T>& chosen, wide_equation<T>& other, T wide_equation<T>::*column) {
    if (score(other.*column, largest(other)) > score(chosen.*column, largest(chosen)))
        exchange(other, chosen);
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
        if (!(magnitude(left.left) >= largest(left))) {
            prefer(left, head, &wide_equation<T>::left);
            prefer(left, next, &wide_equation<T>::left);
            prefer(left, tail, &wide_equation<T>::left);
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
        if (!(magnitude(next.next) >= larger(larger(magnitude(next.before), magnitude(next.first)),
                                             larger(magnitude(next.last), magnitude(next.after))))) {
            next.left = head.left = tail.left = T(0);
            prefer(next, head, &wide_equation<T>::next);
            prefer(next, tail, &wide_equation<T>::next);
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
struct seam_unknowns {
    T left, next;
};
template <class How, class T>
WALE_HD seam_unknowns<T> unseam(const seam<T>& s, const ends<T>& x) {
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
        if (score(q.first, larger(magnitude(q.first), magnitude(q.last))) >
            score(p.first, larger(magnitude(p.first), magnitude(p.last))))
            exchange(p, q);
    const T m = q.first / p.first;
    pivots[0] = p.first;
    pivots[1] = How::fma(-m, p.last, q.last);
    const T last = How::fma(-m, p.right, q.right) / pivots[1];
    const T first = How::fma(-p.last, last, p.right) / p.first;
    return {periodic ? last : T(0), first, last, periodic ? first : T(0)};
}

}  // namespace wale::tree::partition
