// jobs - one call of each operation, typeless, as its variants see it; and the tables of those variants.
// api.cpp has checked everything before a variant runs: shapes, types, memory spaces, overlap, NaN, ranges.
#pragma once

#include <wale/reconstruction.hpp>

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
    reconstruction_result* result =
        nullptr;  // run.policy, iterations, tile_visits, guarded, ... to be filled in
};

/// What api.cpp wants to know before a job runs: internal, not in wale::variants().
struct inspect_job {
    execution where;
    const_image_view marker;  // data null: only the mask is looked at
    const_image_view mask;
    reconstruction_method method = reconstruction_method::dilation;
    bool beyond = false;  // look for markers beyond the mask
    // Out: numbers of pixels counted row by row, -1: none. NaN in the mask comes first.
    index_t nan_at = -1;
    bool nan_in_marker = false;
    index_t beyond_at = -1;
    index_t beyond_count = 0;
};

using reconstruct_table = catalogue::table<reconstruct_job>;
using inspect_table = catalogue::table<inspect_job>;

/// The tables. The CUDA plugin appends its rows to them when it is loaded.
[[nodiscard]] reconstruct_table& reconstruct_variants();
[[nodiscard]] inspect_table& inspect_variants();

/// Selects a variant, runs the job, fills in the result (api.cpp). For the derived operations.
[[nodiscard]] reconstruction_result run_job(reconstruct_job& job, const std::string& variant);

}  // namespace wale::reconstruction
