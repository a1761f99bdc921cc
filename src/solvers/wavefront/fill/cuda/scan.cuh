// scan - where a row of cells is a scan, its last cell can be had without going through the others: by the
// cells "with no left neighbour" (cell() given the join's identity) joined in any order. Exact in integers;
// not for dtw, whose float sums must be made in the order of the definition.
#pragma once

#include <limits>
#include <type_traits>

#include "solvers/wavefront/problem.hpp"

namespace wale::wavefront {

/// identity: a left neighbour that does not matter. extend(x, k): the value x seen k cells further right, in
/// at least 32 bits, since a candidate that loses may lie beyond what an int16 cell can hold.
template <class R>
struct row_scan {
    static constexpr bool exact = false;
};

template <class T>
using scan_word = std::common_type_t<T, int>;

template <class T, class S>
struct row_scan<lcs_recurrence<T, S>> {
    static constexpr bool exact = true;
    static constexpr T identity = std::numeric_limits<T>::lowest();
    using word = scan_word<T>;
    __device__ static word extend(const lcs_recurrence<T, S>&, word x, int) { return x; }
    __device__ static word join(word x, word y) { return larger(x, y); }
};

template <class T, class S>
struct row_scan<edit_recurrence<T, S>> {
    static constexpr bool exact = true;
    static constexpr T identity = std::numeric_limits<T>::max();
    using word = scan_word<T>;
    __device__ static word extend(const edit_recurrence<T, S>&, word x, int cells) { return x + cells; }
    __device__ static word join(word x, word y) { return smaller(x, y); }
};

template <class T, class S>
struct row_scan<global_recurrence<T, S>> {
    static constexpr bool exact = true;
    static constexpr T identity = std::numeric_limits<T>::lowest();
    using word = scan_word<T>;
    __device__ static word extend(const global_recurrence<T, S>& r, word x, int cells) {
        return x + cells * r.score.gap;
    }
    __device__ static word join(word x, word y) { return larger(x, y); }
};

template <class T>
struct row_scan<summed_area_recurrence<T>> {
    static constexpr bool exact = true;
    static constexpr T identity = 0;
    using word = scan_word<T>;
    __device__ static word extend(const summed_area_recurrence<T>&, word x, int) { return x; }
    __device__ static word join(word x, word y) { return x + y; }
};

}  // namespace wale::wavefront
