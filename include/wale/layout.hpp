// layout - where an element lies in memory. A layout is a type with a mapping, in mdspan's vocabulary
// (mapping(extents), operator()(i...), required_span_size). Pictures in letters: docs/reference/layouts.md.
#pragma once

#include <cstdint>

namespace wale {

/// Sizes, strides and offsets are signed 64-bit.
using index_t = std::int64_t;

/// The sizes of a view, slowest index first. A C array inside: usable in device code.
template <int Rank>
struct extents {
    index_t size[Rank]{};  // elements
    [[nodiscard]] constexpr index_t operator[](int d) const noexcept { return size[d]; }
    [[nodiscard]] constexpr index_t count() const noexcept {
        index_t n = 1;
        for (int d = 0; d < Rank; ++d) n *= size[d];
        return n;
    }
    friend constexpr bool operator==(const extents& a, const extents& b) noexcept {
        for (int d = 0; d < Rank; ++d)
            if (a.size[d] != b.size[d]) return false;
        return true;
    }
};

/// Row-major: the last index is contiguous. `pitch` >= the last extent is the distance between rows.
struct layout_right {
    template <int Rank>
    struct mapping {
        extents<Rank> shape{};
        index_t pitch = 0;  // elements
        constexpr mapping() = default;
        constexpr mapping(extents<Rank> e) : shape(e), pitch(e[Rank - 1]) {}
        constexpr mapping(extents<Rank> e, index_t row_pitch) : shape(e), pitch(row_pitch) {}
        template <class... I>
        [[nodiscard]] constexpr index_t operator()(I... i) const noexcept {
            const index_t at[] = {static_cast<index_t>(i)...};
            index_t offset = 0;
            for (int d = 0; d + 1 < Rank; ++d) offset = (d ? offset * shape[d] : 0) + at[d];
            return offset * pitch + at[Rank - 1];
        }
        [[nodiscard]] constexpr index_t required_span_size() const noexcept {
            index_t rows = 1;
            for (int d = 0; d + 1 < Rank; ++d) rows *= shape[d];
            return rows == 0 || shape[Rank - 1] == 0 ? 0 : (rows - 1) * pitch + shape[Rank - 1];
        }
    };
};

/// Column-major: the first index is contiguous. `pitch` >= the first extent is the distance between columns.
struct layout_left {
    template <int Rank>
    struct mapping {
        extents<Rank> shape{};
        index_t pitch = 0;  // elements
        constexpr mapping() = default;
        constexpr mapping(extents<Rank> e) : shape(e), pitch(e[0]) {}
        constexpr mapping(extents<Rank> e, index_t column_pitch) : shape(e), pitch(column_pitch) {}
        template <class... I>
        [[nodiscard]] constexpr index_t operator()(I... i) const noexcept {
            const index_t at[] = {static_cast<index_t>(i)...};
            index_t offset = 0;
            for (int d = Rank; d-- > 1;) offset = offset * (d + 1 < Rank ? shape[d] : 1) + at[d];
            return offset * pitch + at[0];
        }
        [[nodiscard]] constexpr index_t required_span_size() const noexcept {
            index_t columns = 1;
            for (int d = 1; d < Rank; ++d) columns *= shape[d];
            return columns == 0 || shape[0] == 0 ? 0 : (columns - 1) * pitch + shape[0];
        }
    };
};

}  // namespace wale
