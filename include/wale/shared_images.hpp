// shared_images - reconstruction of images beyond one process: parts that are reconstructed by themselves,
// and whose outermost pixels then rise because of other parts.
#pragma once

#include <wale/ranks.hpp>
#include <wale/reconstruction.hpp>
#include <wale/shared_systems.hpp>

namespace wale {

/// Goes on with a reconstruction whose outermost pixels have risen since: `risen` is at rest under `mask` but
/// for what its first and last rows, columns and planes start, and gets the reconstruction from there, in
/// place, by the schedule of cpu/clamp_scan. O(rows) time and that of the pixels that rise. Values of risen
/// and mask are not looked at (NaN, risen beyond mask); variant and beyond of the options have no effect. Not
/// bit-packed.
reconstruction_result reconstruct_onward(const on_cpu& where, const image_view& risen,
                                         const const_image_view& mask, const reconstruction_options& = {});

/// The lines of `whole` that rank `rank` of `size` holds, perhaps none: planes of a volume, else rows; of a
/// batch images.
[[nodiscard]] row_range image_share(const raster& whole, int rank, int size);
/// `whole` cut down to these lines, rows without gaps.
[[nodiscard]] raster image_part(const raster& whole, row_range lines);

/// Reconstructs one image, or one batch, together: every rank gives image_part() of its image_share() of
/// `whole`, of all three, and gets its part of the answer: the pixels of one process. Collective. Each rank
/// reconstructs its part, then neighbours exchange lines until nothing rises anywhere: a round for each time
/// that a value crosses from part to part on its way. Host memory, not bit-packed.
reconstruction_result reconstruct(const ranks& group, const on_cpu& where, const raster& whole,
                                  const const_image_view& marker, const const_image_view& mask,
                                  const image_view& out, const reconstruction_options& = {});

}  // namespace wale
