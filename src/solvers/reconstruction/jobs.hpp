// jobs - one call of each operation, typeless, as its variants see it; and the tables of those variants.
// api.cpp has checked everything before a variant runs: shapes, types, memory spaces, overlap, NaN, ranges.
#pragma once

#include <limits>
#include <wale/morphology.hpp>

#include "variants/table.hpp"

namespace wale::reconstruction {

/// Where the marker comes from. In the order of keys (problem.hpp), so that by erosion they are their own
/// duals.
enum class start_rule {
    given,        // job.marker, at most the mask
    lowered,      // mask - height, saturating: h-domes
    predecessor,  // the next lower value of the type: regional maxima
    border        // the mask where the image ends, the lowest value elsewhere: holes
};

/// What is written of the reconstruction J under the mask I.
enum class finish_rule {
    value,    // J
    residue,  // I - J by dilation, J - I by erosion, saturating: never negative
    flag      // boolean: whether they differ
};

/// One call for all images of a batch; an image is reconstructed by itself. Any extent may be 0.
struct reconstruct_job {
    execution where;
    const_image_view marker;  // data is null unless start is `given`; may be the same memory as `out`
    const_image_view mask;
    image_view out;  // the type of the mask; boolean where finish is `flag` (bit for bit images)
    reconstruction_method method = reconstruction_method::dilation;
    int reach =
        2;  // a neighbour differs in at most `reach` coordinates, by one: 1: 4 or 6, 2: 8 or 18, 3: 26
    start_rule start = start_rule::given;
    double height = 0;  // start_rule::lowered; exact in the mask's type
    finish_rule finish = finish_rule::value;
    bool asynchronous = false;
    /// Of neighbours whose masks differ, the share that has one marker: near 1 for holes and for few seeds,
    /// whose values go long ways. inspect finds it where it looks at the images at all.
    static constexpr double not_looked_at = -1;
    double flat_marker = not_looked_at;
    reconstruction_result* result =
        nullptr;  // run.policy, iterations, tile_visits, guarded, ... to be filled in
};

/// What the checks of values (check.cpp) ask before a job runs: internal, not in wale::variants().
struct inspect_job {
    execution where;
    const_image_view marker;  // data null: only the mask is read
    const_image_view mask;
    reconstruction_method method = reconstruction_method::dilation;
    bool beyond = false;  // look for markers beyond the mask
    // Out: numbers of pixels counted row by row, -1: none. NaN in the mask comes first.
    index_t nan_at = -1;
    bool nan_in_marker = false;
    index_t beyond_at = -1;
    index_t beyond_count = 0;
    double flat_marker = reconstruct_job::not_looked_at;
};

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

using reconstruct_table = catalogue::table<reconstruct_job>;
using inspect_table = catalogue::table<inspect_job>;
using watershed_table = catalogue::table<watershed_job>;

/// The tables. The CUDA plugin appends its rows to them when it is loaded.
[[nodiscard]] reconstruct_table& reconstruct_rows();
[[nodiscard]] inspect_table& inspect_rows();
[[nodiscard]] watershed_table& watershed_rows();

/// Runs the row of the job's backend; the reference inspects as the CPU does.
void inspect(inspect_job& job);

/// Selects a variant, runs the job, fills in the result (api.cpp). For the derived operations.
[[nodiscard]] reconstruction_result run_job(reconstruct_job& job, const std::string& variant);

}  // namespace wale::reconstruction
