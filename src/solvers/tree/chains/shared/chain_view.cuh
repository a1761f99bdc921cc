// chain_view - a job's chains as kernels of the partition method see them: any layout, any number of right
// sides.
#pragma once

#include "solvers/tree/problem.hpp"

namespace wale::tree::partition {

/// Where element i of vector v lies: v / width * outer + v % width * inner + i * step.
struct places {
    index_t width, outer, inner, step;
    __device__ index_t begin_of(index_t v) const {
        return width == 1 ? v * outer : v / width * outer + v % width * inner;
    }
};
[[nodiscard]] inline places places_of(const vector_shape& s) {
    switch (s.layout) {
        case vector_layout::interleaved:
            return {1, 1, 0, s.stride};
        case vector_layout::block_interleaved:
            return {s.width, s.width * s.size, 1, s.width};
        case vector_layout::unified:
            return {1, vector_shape::unified_step * s.stride, 0, vector_shape::unified_step};
        default:
            return {1, s.stride, 0, 1};
    }
}

template <class T>
struct chain_view {
    const T *lower, *diagonal, *upper, *right;
    T* solution;
    places matrix, vectors;
    index_t size, count, each;  // rows, vectors, vectors of a system
    index_t first_system;
    bool periodic, transposed;
};
/// Vectors of one size are one view; ragged ones a view each.
template <class T>
[[nodiscard]] chain_view<T> whole_view(const chain_job& job) {
    return {static_cast<const T*>(job.a.lower.data),
            static_cast<const T*>(job.a.diagonal.data),
            static_cast<const T*>(job.a.upper.data),
            static_cast<const T*>(job.rhs.data),
            static_cast<T*>(job.solution.data),
            places_of(job.a.shape()),
            places_of(job.rhs),
            job.a.shape().size,
            job.rhs.count,
            job.right_sides(),
            0,
            job.a.periodic,
            job.a.transposed};
}
template <class T>
[[nodiscard]] chain_view<T> view_of_one(const chain_job& job, index_t v) {
    const index_t system = v / job.right_sides();
    const bands<T> a = bands_of<T>(job.a, system);
    chain_view<T> one = whole_view<T>(job);
    one.lower = a.lower.data;
    one.diagonal = a.diagonal.data;
    one.upper = a.upper.data;
    one.right = line_of<T>(job.rhs, v).data;
    one.solution = line_of<T>(job.solution, v).data;
    one.matrix = {1, 0, 0, job.a.shape().step()};
    one.vectors = {1, 0, 0, job.rhs.step()};
    one.size = a.size;
    one.count = one.each = 1;
    one.first_system = system;
    return one;
}
template <class T, class Work>
void each_view(const chain_job& job, const Work& work) {
    if (!job.a.shape().ragged() && !job.rhs.ragged()) {
        if (job.a.shape().size > 0 && job.rhs.count > 0) work(whole_view<T>(job));
        return;
    }
    for (index_t v = 0; v < job.rhs.count; ++v)
        if (job.a.shape().size_of(v / job.right_sides()) > 0) work(view_of_one<T>(job, v));
}
[[nodiscard]] inline index_t largest_of(const vector_shape& s) {
    if (!s.ragged()) return s.count == 0 ? 0 : s.size;
    index_t most = 0;
    for (index_t v = 0; v < s.count; ++v) most = std::max(most, s.size_of(v));
    return most;
}

/// One array of one chain: element i is data[i * step], for rows first_row <= i < end_row; what a row beyond
/// them has is not in the array. (A^T has lower'[i] = upper[i - 1], upper'[i] = lower[i + 1].)
template <class T>
struct strand {
    const T* data;
    index_t step, first_row, end_row;
};

/// One chain.
template <class T>
struct chain {
    strand<T> of[4];            // lower, diagonal, upper, right side
    T first_lower, last_upper;  // of the first row and the last one
    T* solution;
    index_t step;  // of the solution
};

template <class T>
__device__ chain<T> chain_at(const chain_view<T>& c, index_t v) {
    const index_t m = c.matrix.begin_of(v / c.each), b = c.vectors.begin_of(v), n = c.size;
    const index_t step = c.matrix.step;
    const T *low = c.lower + m, *up = c.upper + m;
    chain<T> one{{{low, step, 0, n},
                  {c.diagonal + m, step, 0, n},
                  {up, step, 0, n},
                  {c.right + b, c.vectors.step, 0, n}},
                 T(0),
                 T(0),
                 c.solution + b,
                 c.vectors.step};
    if (c.transposed) {
        one.of[0] = {up - step, step, 1, n};
        one.of[2] = {low + step, step, 0, n - 1};
    }
    if (c.periodic) {
        one.first_lower = c.transposed ? up[(n - 1) * step] : low[0];
        one.last_upper = c.transposed ? low[0] : up[(n - 1) * step];
    }
    return one;
}

}  // namespace wale::tree::partition
