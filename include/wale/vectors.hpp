// vectors - views of many vectors of one scalar type in one of the layouts that solvers of many small systems
// use. Own nothing. Pictures in letters: docs/reference/layouts.md.
#pragma once

#include <span>
#include <wale/matrix.hpp>

namespace wale {

/// Where element i of vector v lies; the letters show two vectors, a b c and x y z.
enum class vector_layout {
    flat,               // a b c x y z: one vector after the other, `stride` from one to the next
    interleaved,        // a x b y c z: all first elements, then all second ones; `stride` from row to row
    block_interleaved,  // `width` vectors are interleaved, then the next `width`; the last block is padded
    unified             // a . . . b . . . c . . .: flat, each element one of four side by side
                        // (lower, diagonal, upper, right side of one row); `stride` counts rows
};

/// Where the elements of `count` vectors lie.
struct vector_shape {
    scalar type = scalar::f64;
    vector_layout layout = vector_layout::flat;
    index_t size = 0;   // elements of each vector; of all together where `starts` is there
    index_t count = 1;  // vectors
    index_t stride = 0;
    index_t width = 1;  // block_interleaved: vectors side by side
    /// Flat vectors of different sizes: vector v has elements [starts[v], starts[v + 1]) of one array;
    /// count + 1 numbers in host memory, from 0 up to size. Empty: all have `size` elements.
    std::span<const index_t> starts{};

    static constexpr index_t unified_step = 4;  // words of a row

    [[nodiscard]] constexpr bool ragged() const noexcept { return !starts.empty(); }
    /// Elements of vector v.
    [[nodiscard]] constexpr index_t size_of(index_t v) const noexcept {
        return ragged() ? starts[static_cast<std::size_t>(v + 1)] - starts[static_cast<std::size_t>(v)]
                        : size;
    }
    /// The place of element 0 of vector v.
    [[nodiscard]] constexpr index_t begin_of(index_t v) const noexcept {
        if (ragged()) return starts[static_cast<std::size_t>(v)];
        switch (layout) {
            case vector_layout::interleaved:
                return v;
            case vector_layout::block_interleaved:
                return v / width * width * size + v % width;
            case vector_layout::unified:
                return v * stride * unified_step;
            default:
                return v * stride;
        }
    }
    /// From an element of a vector to its next.
    [[nodiscard]] constexpr index_t step() const noexcept {
        switch (layout) {
            case vector_layout::interleaved:
                return stride;
            case vector_layout::block_interleaved:
                return width;
            case vector_layout::unified:
                return unified_step;
            default:
                return 1;
        }
    }
    /// The place of element i of vector v.
    [[nodiscard]] constexpr index_t at(index_t v, index_t i) const noexcept {
        return begin_of(v) + i * step();
    }
    /// Elements from the first to the last, inclusive.
    [[nodiscard]] constexpr index_t span_elements() const noexcept {
        if (ragged()) return size;
        return count == 0 || size == 0 ? 0 : at(count - 1, size - 1) + 1;
    }
    /// All unknowns.
    [[nodiscard]] constexpr index_t elements() const noexcept { return ragged() ? size : size * count; }

    [[nodiscard]] static constexpr vector_shape flat(scalar type, index_t size, index_t count = 1) noexcept {
        return {type, vector_layout::flat, size, count, size, 1, {}};
    }
    [[nodiscard]] static constexpr vector_shape interleaved(scalar type, index_t size,
                                                            index_t count) noexcept {
        return {type, vector_layout::interleaved, size, count, count, 1, {}};
    }
    [[nodiscard]] static constexpr vector_shape block_interleaved(scalar type, index_t size, index_t count,
                                                                  index_t width) noexcept {
        return {type, vector_layout::block_interleaved, size, count, 0, width, {}};
    }
    [[nodiscard]] static constexpr vector_shape unified(scalar type, index_t size,
                                                        index_t count = 1) noexcept {
        return {type, vector_layout::unified, size, count, size, 1, {}};
    }
    [[nodiscard]] static constexpr vector_shape ragged(scalar type,
                                                       std::span<const index_t> starts) noexcept {
        return {type,  vector_layout::flat, starts.back(), static_cast<index_t>(starts.size()) - 1, 0, 1,
                starts};
    }
};

/// Vectors to read.
struct const_vectors : vector_shape {
    const void* data = nullptr;

    constexpr const_vectors() = default;
    constexpr const_vectors(const void* elements, const vector_shape& shape)
        : vector_shape(shape), data(elements) {}
};

/// Vectors to write.
struct vectors : vector_shape {
    void* data = nullptr;

    constexpr vectors() = default;
    constexpr vectors(void* elements, const vector_shape& shape) : vector_shape(shape), data(elements) {}
    constexpr operator const_vectors() const { return {data, *this}; }
};

}  // namespace wale
