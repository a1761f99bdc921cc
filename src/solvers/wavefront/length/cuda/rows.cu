// rows - the CUDA rows of LCS length, edit distance and LCS string, best first, and of parts of a pair.
#include "solvers/wavefront/length/shared/pair_part.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<lcs_length_job> lcs_length_cuda_strips, lcs_length_cuda_strips_counter;
extern const catalogue::row<edit_distance_job> edit_distance_cuda_strips;
extern const catalogue::row<lcs_string_job> lcs_string_cuda_strips;
extern const catalogue::row<pair_part_job> lcs_part_cuda_strips, edit_part_cuda_strips;

namespace {

const catalogue::plugin_rows<lcs_length_job> lengths{
    lcs_length_rows, {lcs_length_cuda_strips, lcs_length_cuda_strips_counter}};
const catalogue::plugin_rows<edit_distance_job> distances{edit_distance_rows, {edit_distance_cuda_strips}};
const catalogue::plugin_rows<lcs_string_job> strings{lcs_string_rows, {lcs_string_cuda_strips}};
const catalogue::plugin_rows<pair_part_job> lcs_parts{lcs_part_rows, {lcs_part_cuda_strips}};
const catalogue::plugin_rows<pair_part_job> edit_parts{edit_part_rows, {edit_part_cuda_strips}};

}  // namespace
}  // namespace wale::wavefront
