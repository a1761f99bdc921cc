// problem - one pixel, for every backend. All variants work on keys, whose order is that of a reconstruction
// by dilation: a pixel's own value, or its mirror image by erosion. J rises to min(I, largest neighbour). And
// from a job without a type to its pixel type, and the neighbours of a pixel.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <wale/error.hpp>

#include "base/host_device.hpp"
#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

template <class T>
WALE_HD constexpr T smaller(T a, T b) {
    return b < a ? b : a;
}
template <class T>
WALE_HD constexpr T larger(T a, T b) {
    return a < b ? b : a;
}

template <class T>
WALE_HD constexpr T lowest_key() {
    if constexpr (std::is_floating_point_v<T>)
        return -std::numeric_limits<T>::infinity();
    else
        return std::numeric_limits<T>::min();
}

/// Reverses the order; its own inverse, so that nothing saturates and no bit is lost.
template <class T>
WALE_HD constexpr T mirrored(T v) {
    if constexpr (std::is_floating_point_v<T>)
        return -v;
    else
        return static_cast<T>(~v);
}

/// a - b >= 0 as the type holds it: the largest value where the difference is beyond it.
template <class T>
WALE_HD constexpr T difference(T a, T b) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
        const std::int64_t d = std::int64_t{a} - b;
        return static_cast<T>(smaller(d, std::int64_t{std::numeric_limits<T>::max()}));
    } else if constexpr (std::is_floating_point_v<T>) {
        return a == b ? T{0} : a - b;  // infinity less itself is no number
    } else {
        return static_cast<T>(a - b);
    }
}

/// key - height, not below the lowest key. height > 0; an int32 height may exceed int32's range.
template <class T>
WALE_HD constexpr T lowered(T key, double height) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(key - static_cast<T>(height));
    } else {
        const std::int64_t d = std::int64_t{key} - static_cast<std::int64_t>(height);
        return static_cast<T>(larger(d, std::int64_t{lowest_key<T>()}));
    }
}

/// The next lower key, or the lowest itself.
template <class T>
WALE_HD constexpr T predecessor(T key) {
    if constexpr (std::is_floating_point_v<T>) {
        using bits_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        if (key == lowest_key<T>()) return key;
        if (key == 0) return -std::numeric_limits<T>::denorm_min();
        const auto bits = std::bit_cast<bits_type>(key);
        return std::bit_cast<T>(key > 0 ? bits - 1 : bits + 1);
    } else {
        return key == lowest_key<T>() ? key : static_cast<T>(key - 1);
    }
}

/// Calls f.template operator()<T>() with the type that holds a pixel; booleans are bytes of 0 and 1.
/// Not for pixel::bit.
template <class F>
void visit(pixel type, F&& f) {
    switch (type) {
        case pixel::boolean:
        case pixel::u8:
            return f.template operator()<std::uint8_t>();
        case pixel::u16:
            return f.template operator()<std::uint16_t>();
        case pixel::i32:
            return f.template operator()<std::int32_t>();
        case pixel::f32:
            return f.template operator()<float>();
        case pixel::f64:
            return f.template operator()<double>();
        case pixel::bit:
            break;
    }
    throw bad_argument("bit-packed pixels where elements are expected");
}

/// For rows that cannot work on words of 32 pixels.
[[nodiscard]] inline std::string refuses_bits(const reconstruct_job& job) {
    return job.mask.type == pixel::bit ? "does not take bit-packed images" : "";
}

/// For rows that work on words of bits.
[[nodiscard]] inline std::string refuses_grey(const reconstruct_job& job) {
    if (job.mask.type != pixel::bit && job.mask.type != pixel::boolean) return "takes binary images only";
    const bool below = job.start == start_rule::lowered || job.start == start_rule::predecessor;
    return job.method == reconstruction_method::erosion && below ? "a bit holds no value beyond 1" : "";
}

/// For rows that work on planes only.
[[nodiscard]] inline std::string refuses_volumes(const reconstruct_job& job) {
    return job.mask.rank == 3 ? "does not take volumes" : "";
}

struct step {
    int plane, row, column;  // -1, 0 or 1
};

/// Calls f(step) for each of the 3^rank - 1 neighbours that differ in at most `reach` coordinates,
/// in raster order.
template <class F>
constexpr void for_each_neighbour(int rank, int reach, F&& f) {
    const int depth = rank == 3 ? 1 : 0;
    for (int p = -depth; p <= depth; ++p)
        for (int r = -1; r <= 1; ++r)
            for (int c = -1; c <= 1; ++c) {
                const int differing = (p != 0) + (r != 0) + (c != 0);
                if (differing > 0 && differing <= reach) f(step{p, r, c});
            }
}

/// Whether the image ends at this pixel: on an outer row or column, or plane of a volume.
[[nodiscard]] constexpr bool at_border(const raster& r, index_t plane, index_t row, index_t column) {
    return row == 0 || row == r.rows - 1 || column == 0 || column == r.columns - 1 ||
           (r.rank == 3 && (plane == 0 || plane == r.planes - 1));
}

/// What a job does with one pixel before and after the propagation.
template <class T>
struct recipe {
    bool mirror;
    start_rule start;
    finish_rule finish;
    double height;

    explicit recipe(const reconstruct_job& job)
        : mirror(job.method == reconstruction_method::erosion),
          start(job.start),
          finish(job.finish),
          height(job.height) {}

    /// Stored value to key and back.
    [[nodiscard]] WALE_HD T key(T stored) const { return mirror ? mirrored(stored) : stored; }
    /// The marker's key under the mask's. `stored_marker` is used by start_rule::given only.
    [[nodiscard]] WALE_HD T marker(T mask_key, T stored_marker, bool at_border) const {
        switch (start) {
            case start_rule::given:
                return smaller(key(stored_marker), mask_key);
            case start_rule::lowered:
                return lowered(mask_key, height);
            case start_rule::predecessor:
                return predecessor(mask_key);
            case start_rule::border:
                return at_border ? mask_key : lowest_key<T>();
        }
        return mask_key;
    }
    /// finish_rule::value and residue; the key J never exceeds the mask's key.
    [[nodiscard]] WALE_HD T finished(T j_key, T mask_key) const {
        return finish == finish_rule::residue ? difference(mask_key, j_key) : key(j_key);
    }
};

}  // namespace wale::reconstruction
