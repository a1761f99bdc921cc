// systems - what the host side of cpu/small and its vector code share: one system, or some side by side.
#pragma once

#include "solvers/lu/small/small.hpp"
#include "solvers/lu/small/tuning.hpp"

namespace wale::lu {

[[nodiscard]] inline const small_solve_policy& small_solves(scalar type) {
    return small_solve_policies[tuning::pick(small_solve_policies, 0, is_single(type) ? 4 : 8)].policy;
}

/// Scratch memory of one system: the factors, line by line, n x n; what their diagonal is multiplied by; the
/// right-hand sides, row by row.
struct small_system_scratch {
    index_t rows, pitch, right_pitch;  // elements
    [[nodiscard]] static small_system_scratch of(index_t n, index_t columns, scalar type) {
        const index_t size = bytes_of(type);
        return {base::round_up(n, small_margin) + small_margin, small_pitch(n, size),
                small_pitch(columns, size)};
    }
    [[nodiscard]] index_t diagonal_at() const { return rows * pitch; }
    [[nodiscard]] index_t right_at() const { return diagonal_at() + rows; }
    /// Of few right-hand sides, one after the other, where the factors stay where they lie.
    [[nodiscard]] index_t few_elements() const { return rows * (1 + small_margin); }
    [[nodiscard]] index_t elements() const { return right_at() + rows * std::max(right_pitch, small_margin); }
};

/// Whether the factors do not fit the cache of a core: what counts then is how often they are read.
[[nodiscard]] inline bool is_large(index_t rows, scalar type) {
    return rows * rows * bytes_of(type) > small_solves(type).cache_bytes;
}
/// Whether real right-hand sides are solved for on the factors where they lie.
[[nodiscard]] inline bool few_sides(index_t rows, index_t columns, scalar type) {
    const small_solve_policy& policy = small_solves(type);
    return columns <= (is_large(rows, type) ? policy.few_large : policy.few);
}

/// One system to solve in place in b, or with small_solve_lanes() some of one shape, at most small_lanes().
struct small_system {
    const_matrices factors;
    const std::int32_t* pivots = nullptr;  // null: P = I
    matrices b;
    bool transposed = false;
    bool conjugated = false;  // complex: the conjugates of the factors' elements count
    void* scratch = nullptr;  // on a cache line
};
/// Real numbers of a right-hand side that few_complex has in memory, with what a vector reads too far.
[[nodiscard]] inline index_t few_complex_pitch(index_t n) {
    return base::round_up(2 * n, small_margin) + small_margin;
}
/// Whether a complex system's sides are so few that the factors stay where they lie.
[[nodiscard]] inline bool few_complex_sides(index_t rows, index_t columns) {
    return rows >= 24 && columns <= 4 * small_solve_rows;
}

/// Scratch: small_system_scratch.
void small_solve(const small_system& one);
/// Scratch: rows * (small_plane(rows) + small_plane(columns of b)) + small_plane(rows) elements; of few sides
/// few_complex_pitch(rows) * (small_solve_rows + 1) elements.
void small_solve_complex(const small_system& one);
/// Scratch: rows * (rows + columns of b) * small_lanes() elements.
void small_solve_lanes(const small_system& group);

/// Scratch: small_system_scratch of as many right-hand sides as rows.
void small_invert(const matrices& a, const std::int32_t* pivots, void* scratch);
/// Scratch: 2 * rows * small_plane(rows) elements.
void small_invert_complex(const matrices& a, const std::int32_t* pivots, void* scratch);
/// Scratch: 2 * rows * rows * small_lanes() elements.
void small_invert_lanes(const matrices& a, const std::int32_t* pivots, void* scratch);

}  // namespace wale::lu
