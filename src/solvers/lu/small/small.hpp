// small - what the rows cpu/small of all operations and their vector code share: memory for one matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/small/tuning.hpp"

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
/// of U above a panel. A matrix of few columns is one panel and needs no more.
struct small_scratch {
    index_t pitch = 0, panel_pitch = 0;  // elements
    index_t rows = 0;                    // of the copy, padded
    index_t panel_columns = small_margin;
    bool one_panel = false;
    [[nodiscard]] static small_scratch of(const matrix_shape& m) {
        const index_t size = bytes_of(m.type);
        const auto row = tuning::pick(small_tile_policies, 0, static_cast<int>(size));
        small_scratch s;
        s.panel_pitch = small_pitch(m.rows, size);
        s.one_panel = m.columns <= m.rows && m.columns <= small_tile_policies[row].policy.direct;
        if (s.one_panel) {
            s.panel_columns = m.columns;
            return s;
        }
        s.pitch = small_pitch(m.columns, size);
        s.rows = base::round_up(m.rows, small_margin) + small_margin;
        return s;
    }
    [[nodiscard]] index_t panel_at() const { return rows * pitch; }
    [[nodiscard]] index_t above_at() const { return panel_at() + panel_columns * panel_pitch; }
    [[nodiscard]] index_t elements() const { return above_at() + rows * small_margin; }
};

/// Scratch memory of one thread: on the stack where it is little, so that a call for a matrix of a few rows
/// allocates nothing.
class small_workspace {
public:
    explicit small_workspace(index_t bytes)
        : data_(bytes <= index_t{sizeof near_}
                    ? near_
                    : ::operator new (static_cast<std::size_t>(bytes), std::align_val_t{base::cache_line})) {}
    ~small_workspace() {
        if (data_ != near_) ::operator delete (data_, std::align_val_t{base::cache_line});
    }
    small_workspace(const small_workspace&) = delete;
    small_workspace& operator=(const small_workspace&) = delete;
    [[nodiscard]] void* data() const { return data_; }

private:
    alignas(base::cache_line) std::byte near_[32768];
    void* data_;
};

/// One matrix to factor.
struct small_factor {
    matrices a;
    std::int32_t* pivots = nullptr;  // null: not wanted, and not pivoting
    bool pivoting = true;
    double smallest_pivot = 0;
    void* scratch = nullptr;  // small_scratch::of(a).elements(), on a cache line
};

/// By the type of the real numbers, or of the parts of complex ones.
[[nodiscard]] inline const small_limits_policy& small_limits(scalar type) {
    return small_limits_policies[tuning::pick(small_limits_policies, 0, is_single(type) ? 4 : 8)].policy;
}
/// Whether complex matrices of a call share vectors. Asks nothing of threads: it decides about bits.
[[nodiscard]] inline bool complex_in_lanes(scalar type, index_t rows, bool listed, index_t count) {
    const small_limits_policy& policy = small_limits(type);
    return !listed && count >= policy.lanes_batch && rows <= policy.complex_lanes;
}
/// Elements from a row of a complex matrix in scratch memory to the next one.
[[nodiscard]] inline index_t small_plane(index_t columns) {
    return base::round_up(columns, small_margin);
}

/// Factors in place; the number of pivots that were moved.
[[nodiscard]] index_t factor_small_matrix(const small_factor& one);
/// The same of complex numbers. Scratch: rows * small_plane(columns) elements.
[[nodiscard]] index_t factor_small_complex(const small_factor& one);

/// Matrices of one shape, at most small_lanes(type), to factor side by side.
struct small_group {
    matrices a;
    std::int32_t* pivots = nullptr;  // null: not wanted, and not pivoting
    bool pivoting = true;
    const double* smallest_pivots = nullptr;  // null: none
    void* scratch = nullptr;                  // rows * columns * small_lanes(type) elements, on a cache line
};
[[nodiscard]] index_t factor_small_group(const small_group& group);
[[nodiscard]] index_t small_lanes(scalar type);

}  // namespace wale::lu
