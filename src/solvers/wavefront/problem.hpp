// problem - the recurrences, one cell at a time, for every backend: no loops over the table here.
// A recurrence has a value type, the border (corner, top, left) and cell(diagonal, up, left, i, j).
#pragma once

#include <cstdint>
#include <limits>
#include <wale/wavefront.hpp>

#include "base/host_device.hpp"

namespace wale::wavefront {

template <class T>
WALE_HD constexpr T smaller(T a, T b) {
    return b < a ? b : a;
}
template <class T>
WALE_HD constexpr T larger(T a, T b) {
    return a < b ? b : a;
}

/// Length of the longest common subsequence of a[0..i] and b[0..j] (Wagner & Fischer 1974).
template <class T, class Symbol>
struct lcs_recurrence {
    using value_type = T;
    const Symbol* a;  // (rows)
    const Symbol* b;  // (columns)
    WALE_HD T corner() const { return 0; }
    WALE_HD T top(index_t) const { return 0; }
    WALE_HD T left(index_t) const { return 0; }
    WALE_HD T cell(T diagonal, T up, T left, index_t i, index_t j) const {
        const T match = static_cast<T>(diagonal + (a[i] == b[j] ? 1 : 0));
        return larger(match, larger(up, left));
    }
};

/// Unit-cost edit distance of a[0..i] and b[0..j] (Levenshtein 1966).
template <class T, class Symbol>
struct edit_recurrence {
    using value_type = T;
    const Symbol* a;
    const Symbol* b;
    WALE_HD T corner() const { return 0; }
    WALE_HD T top(index_t j) const { return static_cast<T>(j + 1); }
    WALE_HD T left(index_t i) const { return static_cast<T>(i + 1); }
    WALE_HD T cell(T diagonal, T up, T left, index_t i, index_t j) const {
        const T substitution = static_cast<T>(diagonal + (a[i] == b[j] ? 0 : 1));
        return smaller(substitution, static_cast<T>(smaller(up, left) + 1));
    }
};

/// Global alignment score with linear gaps (Needleman & Wunsch 1970).
template <class T, class Symbol>
struct global_recurrence {
    using value_type = T;
    const Symbol* a;
    const Symbol* b;
    scoring score;
    WALE_HD T corner() const { return 0; }
    WALE_HD T top(index_t j) const { return static_cast<T>(score.gap * (j + 1)); }
    WALE_HD T left(index_t i) const { return static_cast<T>(score.gap * (i + 1)); }
    WALE_HD T cell(T diagonal, T up, T left, index_t i, index_t j) const {
        const T pair = static_cast<T>(diagonal + (a[i] == b[j] ? score.match : score.mismatch));
        return larger(pair, static_cast<T>(larger(up, left) + score.gap));
    }
};

/// Dynamic time warping cost of a[0..i] and b[0..j] (Sakoe & Chiba 1978). One rounding per cost and one per
/// sum, never contracted into a fused multiply-add, so that every backend gives the same bits.
template <bool Squared>
struct dtw_recurrence {
    using value_type = float;
    const float* a;
    const float* b;
    static constexpr float infinity = std::numeric_limits<float>::infinity();
    WALE_HD float corner() const { return 0; }
    WALE_HD float top(index_t) const { return infinity; }
    WALE_HD float left(index_t) const { return infinity; }
    WALE_HD float cost(index_t i, index_t j) const {
        const float difference = a[i] - b[j];
        return Squared ? difference * difference : difference < 0 ? -difference : difference;
    }
    WALE_HD float cell(float diagonal, float up, float left, index_t i, index_t j) const {
        return cost(i, j) + smaller(diagonal, smaller(up, left));
    }
};

/// Sum of the pixels above and to the left, inclusive (Crow 1984).
template <class T>
struct summed_area_recurrence {
    using value_type = T;
    const std::uint8_t* image;
    index_t pitch;  // pixels
    WALE_HD T corner() const { return 0; }
    WALE_HD T top(index_t) const { return 0; }
    WALE_HD T left(index_t) const { return 0; }
    WALE_HD T cell(T diagonal, T up, T left, index_t i, index_t j) const {
        return static_cast<T>(image[i * pitch + j] + up + (left - diagonal));
    }
};

}  // namespace wale::wavefront
