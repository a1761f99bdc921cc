// trace - how far apart the lines are that a sweep keeps for those that walk back.
#pragma once

#include <algorithm>

#include "base/checked.hpp"
#include "solvers/wavefront/align/cuda/tuning.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront::strips {

/// Bytes of the lines of a table, and of a part of it that is computed again.
[[nodiscard]] inline index_t whole_bytes() {
    constexpr std::size_t most = std::size_t{1} << 31;
    return static_cast<index_t>(tuning::overridden("wavefront/align/line_bytes", most, kept_bytes));
}
[[nodiscard]] inline index_t fine_bytes() {
    return whole_bytes() * 3 / 4;
}

/// What lines are apart at least, a multiple of the strips' rows: parts that the host computes are no
/// smaller.
[[nodiscard]] inline index_t fine_unit(const sweep_policy& policy) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const auto least =
        static_cast<index_t>(tuning::overridden("wavefront/align/line_step", most, least_line_step));
    return std::max<index_t>({least, index_t{64} * policy.words, policy.block});
}

/// Every line has four bytes a cell.
[[nodiscard]] inline index_t step_of_lines(index_t rows, index_t columns, index_t bytes, index_t unit) {
    const double wanted =
        8.0 * static_cast<double>(rows) * static_cast<double>(columns) / static_cast<double>(bytes);
    return std::max<index_t>(1, base::ceil_div(static_cast<index_t>(wanted) + 1, unit)) * unit;
}

}  // namespace wale::wavefront::strips
