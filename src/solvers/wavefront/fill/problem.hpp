// problem - the recurrences, one cell at a time, for every backend: no loops over the table here.
// A recurrence has a value type, the border (corner, top, left) and cell(diagonal, up, left, i, j). visit()
// goes from a typeless fill_job to the type of its recurrence.
#pragma once

#include <cstdint>
#include <limits>

#include "base/host_device.hpp"
#include "solvers/wavefront/jobs.hpp"

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
template <class T, bool Squared>
struct dtw_recurrence {
    using value_type = T;
    const T* a;
    const T* b;
    static constexpr T infinity = std::numeric_limits<T>::infinity();
    WALE_HD T corner() const { return 0; }
    WALE_HD T top(index_t) const { return infinity; }
    WALE_HD T left(index_t) const { return infinity; }
    WALE_HD T cost(index_t i, index_t j) const {
        const T difference = a[i] - b[j];
        return Squared ? difference * difference : difference < 0 ? -difference : difference;
    }
    WALE_HD T cell(T diagonal, T up, T left, index_t i, index_t j) const {
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

template <class T, class Symbol, class F>
void visit_symbols(const fill_job& job, F&& f) {
    const auto* a = static_cast<const Symbol*>(job.a.data);
    const auto* b = static_cast<const Symbol*>(job.b.data);
    if (job.kind == recurrence::lcs) return f(lcs_recurrence<T, Symbol>{a, b});
    if (job.kind == recurrence::edit) return f(edit_recurrence<T, Symbol>{a, b});
    f(global_recurrence<T, Symbol>{a, b, job.score});
}

template <bool Wide, class T, class F>
void visit_width(const fill_job& job, F&& f) {
    if constexpr (!Wide) {
        if (job.a.bytes == 1) return visit_symbols<T, std::uint8_t>(job, f);
        if (job.a.bytes == 2) return visit_symbols<T, std::uint16_t>(job, f);
    }
    visit_symbols<T, std::uint32_t>(job, f);
}

template <class T, class F>
void visit_series(const fill_job& job, F&& f) {
    const auto* a = static_cast<const T*>(job.a.data);
    const auto* b = static_cast<const T*>(job.b.data);
    if (job.cost == dtw_cost::squared) return f(dtw_recurrence<T, true>{a, b});
    f(dtw_recurrence<T, false>{a, b});
}

/// Calls f with the recurrence that `job` asks for; job.table then holds its value_type. `Wide`: only symbols
/// of 32 bits are compiled.
template <bool Wide = false, class F>
void visit(const fill_job& job, F&& f) {
    if (job.kind == recurrence::summed_area) {
        if (job.type == element::i64)
            return f(summed_area_recurrence<std::int64_t>{job.image, job.image_pitch});
        return f(summed_area_recurrence<std::int32_t>{job.image, job.image_pitch});
    }
    if (job.kind == recurrence::dtw)
        return job.type == element::f64 ? visit_series<double>(job, f) : visit_series<float>(job, f);
    if (job.type == element::i16) return visit_width<Wide, std::int16_t>(job, f);
    visit_width<Wide, std::int32_t>(job, f);
}

}  // namespace wale::wavefront
