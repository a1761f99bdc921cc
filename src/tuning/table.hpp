// table - measured choices (tile sizes, words in registers), one row per architecture. A literal block or
// tile size anywhere else is a defect. Rows go from the newest architecture down; the last one catches all.
#pragma once

#include <cstddef>

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

/// Turns the run-time row number into a compile-time one: f.template operator()<Row>().
template <std::size_t N, class F, std::size_t Row = 0>
decltype(auto) with_row(std::size_t i, F&& f) {
    if constexpr (Row + 1 < N)
        if (i != Row) return with_row<N, F, Row + 1>(i, static_cast<F&&>(f));
    return f.template operator()<static_cast<int>(Row)>();
}

}  // namespace wale::tuning
