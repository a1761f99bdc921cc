// visit - from a typeless job to its pixel type, and the geometry of an image as loops want it.
#pragma once

#include <wale/error.hpp>

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

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

}  // namespace wale::reconstruction
