// chunk - one thread's rows of one chain without pivoting (Wang 1981): every unknown in terms of the chunk's
// left neighbour and of its own successor; then, with the reduced system solved, all of them.
#pragma once

#include "solvers/tree/cuda/reciprocal.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree::one_pass {

/// What a chunk needs of the reduced system's solution.
template <class T>
struct chunk_ends {
    T before, last;  // x[-1], x[Rows - 1]
};

template <class T, int Rows>
struct chunk {
    // x[j] = constant[j] + left[j] x[-1] + right[j] x[j + 1]; x[-1] and x[Rows] belong to the neighbours
    T constant[Rows], left[Rows], right[Rows];
    // x[0] = first_constant + first_left x[-1] + first_last x[Rows - 1]
    T first_constant, first_left, first_last;
    int bad_row = -1;

    template <int Row>
    __device__ void add(T low, T middle, T up, T rhs) {
        if constexpr (Row > 0) {
            middle = fma(low, right[Row - 1], middle);
            rhs = fma(-low, constant[Row - 1], rhs);
        }
        const T inverse = reciprocal(middle);
        if (is_bad(middle) && bad_row < 0) bad_row = Row;
        const T share = -low * inverse;
        constant[Row] = rhs * inverse;
        right[Row] = -up * inverse;
        if constexpr (Row == 0) {
            left[0] = share;
            first_constant = constant[0];
            first_left = left[0];
            first_last = right[0];
        } else {
            left[Row] = share * left[Row - 1];
        }
        if constexpr (Row > 0 && Row < Rows - 1) {
            first_constant = fma(first_last, constant[Row], first_constant);
            first_left = fma(first_last, left[Row], first_left);
            first_last *= right[Row];
        }
    }
    __device__ void join(const chunk_ends<T>& ends) { ends_ = ends; }
    /// x[Row], asked for from the last row to the first.
    template <int Row>
    __device__ T take() {
        if constexpr (Row < Rows - 1)
            ends_.last = fma(right[Row], ends_.last, fma(left[Row], ends_.before, constant[Row]));
        return ends_.last;
    }

private:
    chunk_ends<T> ends_;
};

/// The last unknown of a chunk in terms of two others, s chunks away: y = constant + before y[-s] +
/// after y[+s].
template <class T>
struct reduced_row {
    T constant, before, after;

    /// Takes the two others out. The denominator is the pivot.
    __device__ T widen(const reduced_row& low, const reduced_row& high) {
        const T pivot = fma(-before, low.after, fma(-after, high.before, T(1)));
        const T inverse = reciprocal(pivot);
        constant = fma(before, low.constant, fma(after, high.constant, constant)) * inverse;
        before = before * low.before * inverse;
        after = after * high.after * inverse;
        return pivot;
    }
};

}  // namespace wale::tree::one_pass
