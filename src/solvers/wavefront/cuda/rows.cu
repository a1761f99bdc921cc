// rows - the plugin's rows of each operation, best first.
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/pair_part.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "solvers/wavefront/warping_jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<fill_job> fill_cuda_strips_bits, fill_cuda_strips, fill_cuda_hyperlane,
    fill_cuda_hyperlane_flags, fill_cuda_hyperlane_streams, fill_cuda_rect_shared, fill_cuda_rect_global;
extern const catalogue::row<lcs_length_job> lcs_length_cuda_strips;
extern const catalogue::row<edit_distance_job> edit_distance_cuda_strips;
extern const catalogue::row<lcs_string_job> lcs_string_cuda_strips;
extern const catalogue::row<pair_part_job> lcs_part_cuda_strips, edit_part_cuda_strips;
extern const catalogue::row<batch_job> lcs_batch_cuda_binned, lcs_batch_cuda_thread_per_pair,
    lcs_batch_cuda_warp_per_pair;
extern const catalogue::row<batch_job> edit_batch_cuda_binned, edit_batch_cuda_thread_per_pair,
    edit_batch_cuda_warp_per_pair;
extern const catalogue::row<alignment_job> align_cuda_strips;
extern const catalogue::row<alignment_batch_job> align_batch_cuda_binned;
extern const catalogue::row<align_pairs_job> align_pairs_cuda_binned;
extern const catalogue::row<align_cross_job> align_cross_cuda_binned;
extern const catalogue::row<cross_job> lcs_cross_cuda_binned, edit_cross_cuda_binned;
extern const catalogue::row<warping_job> warping_cuda_binned;
extern const catalogue::row<warping_path_job> warping_path_cuda_strips;

namespace {

const catalogue::plugin_rows<fill_job> fill{
    fill_rows,
    {fill_cuda_strips_bits, fill_cuda_strips, fill_cuda_rect_shared, fill_cuda_hyperlane,
     fill_cuda_hyperlane_flags, fill_cuda_hyperlane_streams, fill_cuda_rect_global}};
const catalogue::plugin_rows<lcs_length_job> lcs_length{lcs_length_rows, {lcs_length_cuda_strips}};
const catalogue::plugin_rows<edit_distance_job> edit_distance{edit_distance_rows,
                                                              {edit_distance_cuda_strips}};
const catalogue::plugin_rows<lcs_string_job> lcs_string{lcs_string_rows, {lcs_string_cuda_strips}};
const catalogue::plugin_rows<pair_part_job> lcs_part{lcs_part_rows, {lcs_part_cuda_strips}};
const catalogue::plugin_rows<pair_part_job> edit_part{edit_part_rows, {edit_part_cuda_strips}};
const catalogue::plugin_rows<batch_job> lcs_batch{
    lcs_batch_rows, {lcs_batch_cuda_binned, lcs_batch_cuda_thread_per_pair, lcs_batch_cuda_warp_per_pair}};
const catalogue::plugin_rows<batch_job> edit_batch{
    edit_batch_rows,
    {edit_batch_cuda_binned, edit_batch_cuda_thread_per_pair, edit_batch_cuda_warp_per_pair}};
const catalogue::plugin_rows<alignment_job> align{align_rows, {align_cuda_strips}};
const catalogue::plugin_rows<alignment_batch_job> align_batch{align_batch_rows, {align_batch_cuda_binned}};
const catalogue::plugin_rows<align_pairs_job> align_pairs{align_pairs_rows, {align_pairs_cuda_binned}};
const catalogue::plugin_rows<align_cross_job> align_cross{align_cross_rows, {align_cross_cuda_binned}};
const catalogue::plugin_rows<cross_job> lcs_cross{lcs_cross_rows, {lcs_cross_cuda_binned}};
const catalogue::plugin_rows<cross_job> edit_cross{edit_cross_rows, {edit_cross_cuda_binned}};
const catalogue::plugin_rows<warping_job> warping{warping_rows, {warping_cuda_binned}};
const catalogue::plugin_rows<warping_path_job> warping_path{warping_path_rows, {warping_path_cuda_strips}};

}  // namespace
}  // namespace wale::wavefront
