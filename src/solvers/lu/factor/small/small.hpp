// small - what the host side of cpu/small and its vector code share: one matrix, and the memory to factor it.
#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "solvers/lu/factor/small/tuning.hpp"
#include "solvers/lu/problem.hpp"
#include "tuning/override.hpp"

namespace wale::lu {

/// Elements that every line of scratch memory has beyond its end, at least: as many as the widest vector or
/// tile reads too far.
inline constexpr index_t small_margin = 16;

/// From a line of scratch memory to the next: whole vectors, a margin, and no step that would map many
/// lines to few sets of a cache.
[[nodiscard]] inline index_t small_pitch(index_t elements, index_t element_size) {
    const index_t pitch = base::round_up(elements, small_margin) + small_margin;
    return pitch * element_size % 1024 == 0 ? pitch + small_margin : pitch;
}

/// Scratch memory of one matrix: its copy, row by row; the columns of a panel, one after the other; the part
/// of U above a panel.
struct small_scratch {
    index_t pitch, panel_pitch;  // elements
    index_t rows;                // of the copy, padded
    index_t panel_columns;
    [[nodiscard]] static small_scratch of(const matrix_shape& m) {
        const index_t size = bytes_of(m.type);
        const index_t rows = base::round_up(m.rows, small_margin) + small_margin;
        return {small_pitch(m.columns, size), small_pitch(m.rows, size), rows, 2 * small_margin};
    }
    [[nodiscard]] index_t panel_at() const { return rows * pitch; }
    [[nodiscard]] index_t above_at() const { return panel_at() + panel_columns * panel_pitch; }
    [[nodiscard]] index_t elements() const { return above_at() + rows * small_margin; }
};

/// One matrix to factor.
struct small_factor {
    matrices a;
    std::int32_t* pivots = nullptr;  // null: not wanted, and not pivoting
    bool pivoting = true;
    double smallest_pivot = 0;
    void* scratch = nullptr;  // small_scratch::of(a).elements(), on a cache line
};

[[nodiscard]] inline const small_limits_policy& small_limits(scalar type) {
    const int size = static_cast<int>(bytes_of(type));
    return small_limits_policies[tuning::choose("lu/small", small_limits_policies, 0, size)].policy;
}

/// Factors in place; the number of pivots that were moved.
[[nodiscard]] index_t factor_small_matrix(const small_factor& one);

}  // namespace wale::lu
