// table - measured choices (tile sizes, words in registers), one row per architecture. A literal block or
// tile size anywhere else is a defect. Rows go from the newest architecture down; the last one catches all.
#pragma once

#include <cstddef>
#include <iterator>

namespace wale::tuning {

/// `from_sm`: the oldest architecture that the row is for, 90 = compute capability 9.0; 0 is any, and the
/// CPU. `evidence`: file:line of the measurement under bench/results, or "untuned".
template <class Policy>
struct row {
    int from_sm;
    int element_size;  // bytes; 0: any
    Policy policy;
    const char* evidence;
};

template <class Policy, std::size_t N>
[[nodiscard]] consteval bool well_formed(const row<Policy> (&rows)[N]) {
    for (std::size_t i = 0; i + 1 < N; ++i)
        if (rows[i].from_sm < rows[i + 1].from_sm) return false;
    return rows[N - 1].from_sm == 0 && rows[N - 1].element_size == 0;
}

/// The number of the first row that fits; kernels take it as a template argument and look the policy up.
template <class Policy, std::size_t N>
[[nodiscard]] constexpr std::size_t pick(const row<Policy> (&rows)[N], int sm, int element_size) {
    for (std::size_t i = 0; i + 1 < N; ++i)
        if (sm >= rows[i].from_sm && (rows[i].element_size == 0 || rows[i].element_size == element_size))
            return i;
    return N - 1;
}

/// The oldest architecture that this code is compiled for. cmake/cuda.cmake sets it, and WALE_TUNING_ROWS.
#ifdef WALE_OLDEST_SM
inline constexpr int oldest_sm = WALE_OLDEST_SM;
#else
inline constexpr int oldest_sm = 0;
#endif
#ifdef WALE_TUNING_ROWS
inline constexpr bool candidates_compiled = true;
#else
inline constexpr bool candidates_compiled = false;
#endif

/// Whether kernels of row `i` are compiled for elements of `element_size` bytes (0: of any size). A row that
/// pick() returns for no architecture from `oldest` on is a candidate; candidates are compiled only to be
/// tuned, because each row costs a kernel for every type.
template <class Policy, std::size_t N>
[[nodiscard]] constexpr bool compiled(const row<Policy> (&rows)[N], std::size_t i, int element_size,
                                      int oldest = oldest_sm, bool candidates = candidates_compiled) {
    const bool fits = element_size == 0 || rows[i].element_size == 0 || rows[i].element_size == element_size;
    if (!fits || candidates) return fits;
    const int from = rows[i].from_sm > oldest ? rows[i].from_sm : oldest;
    for (std::size_t k = 0; k < i; ++k) {
        const bool same_elements = rows[k].element_size == 0 || rows[k].element_size == element_size;
        if (same_elements && rows[k].from_sm <= from) return false;
    }
    return true;
}

/// Turns a run-time number below N into a compile-time one: f.template operator()<Number>().
template <std::size_t N, class F, std::size_t Number = 0>
decltype(auto) with_number(std::size_t i, F&& f) {
    if constexpr (Number + 1 < N)
        if (i != Number) return with_number<N, F, Number + 1>(i, static_cast<F&&>(f));
    return f.template operator()<static_cast<int>(Number)>();
}

/// Throws bad_argument: row `i` was forced through WALE_TUNING and is not compiled.
[[noreturn]] void refuse_row(std::size_t i);

/// The same for row `i` of a table, of which only the compiled rows are instantiated. Throws bad_argument
/// where row `i` is not compiled.
template <const auto& Rows, int ElementSize, std::size_t Row = 0, class F>
decltype(auto) with_row(std::size_t i, F&& f) {
    constexpr std::size_t rows = std::size(Rows);
    constexpr std::size_t next = [] {
        std::size_t k = Row + 1;
        while (k < rows && !compiled(Rows, k, ElementSize)) ++k;
        return k;
    }();
    if constexpr (compiled(Rows, Row, ElementSize)) {
        if (i == Row) return f.template operator()<static_cast<int>(Row)>();
        if constexpr (next < rows) return with_row<Rows, ElementSize, next>(i, static_cast<F&&>(f));
        refuse_row(i);
    } else {
        static_assert(next < rows, "the last row of a table is for all that no other row is for");
        return with_row<Rows, ElementSize, next>(i, static_cast<F&&>(f));
    }
}

}  // namespace wale::tuning
