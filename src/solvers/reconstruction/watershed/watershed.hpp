// watershed - one call of the flooding, typeless, as its variants see it.
#pragma once

#include <limits>
#include <wale/morphology.hpp>

#include "variants/table.hpp"

namespace wale::reconstruction {

/// Below it are the marks of pixels without a label.
inline constexpr std::int32_t least_label = std::numeric_limits<std::int32_t>::min() + 2;

/// The rule, for all variants: all marked pixels wait at first, in raster order. Of those that wait, the one
/// of the lowest value goes next, of equals the one that has waited longest. Its neighbours that have no
/// label, nearest first and in raster order among equally near ones, get its label and wait. With a line, a
/// pixel gets the label when it goes, unless two labels meet in it: then it stays between them, and labels
/// nobody.
struct watershed_job {
    execution where;
    const_picture image;
    const_picture markers;  // i32, 0: none; at least least_label
    const_picture mask{};   // boolean; data is null where all pixels count
    picture labels{};       // i32; may be the same memory as markers
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
