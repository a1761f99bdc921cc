// watershed - one call of the flooding, typeless, as its variants see it.
#pragma once

#include <limits>
#include <wale/morphology.hpp>

#include "variants/table.hpp"

namespace wale::reconstruction {

/// Below it are the marks of pixels without a label.
inline constexpr std::int32_t least_label = std::numeric_limits<std::int32_t>::min() + 2;

/// The rule, for all variants, is scikit-image's of today (0.26): all marked pixels wait at first, in raster
/// order, at the level of their values. The pixel of the lowest level goes next, of equals the one that has
/// waited longest. Its neighbours that have no label, nearest first and in raster order among equally near
/// ones, get its label and wait at their value or its level, whichever is higher. With a line, a pixel gets
/// the label when it goes, unless a neighbour has another: then it stays between them; the flood goes on
/// beyond it. (scikit-image's marked pixels of equal values leave its heap in no stated order: there its
/// answer may differ.)
struct watershed_job {
    execution where;
    const_image_view image;
    const_image_view markers;  // i32, 0: none; at least least_label
    const_image_view mask{};   // boolean; data is null where all pixels count
    image_view labels{};       // i32; may be the same memory as markers
    int reach = 2;
    bool line = false;
    report* run = nullptr;
};

using watershed_table = catalogue::table<watershed_job>;

[[nodiscard]] watershed_table& watershed_variants();

void watershed_reference(watershed_job& job);  // reference/heap
void watershed_buckets(watershed_job& job);    // cpu/buckets
void watershed_heap(watershed_job& job);       // cpu/heap

}  // namespace wale::reconstruction
