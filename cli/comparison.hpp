// comparison - before, after and their difference side by side, as an image for the eye.
#pragma once

#include "pixels.hpp"
#include "reconstruct.hpp"

namespace wale::cli {

/// A flat u8 image of three panels. Each is stretched to black and white, `after` as `before` where both
/// have values of one scale. Large images are averaged down; a volume shows its middle plane, a batch its
/// first image; NaN and the value that `said` calls no data are black.
[[nodiscard]] owned_image compare_images(answer_kind kind, const const_image_view& before,
                                             const const_image_view& after, const reconstruct_command& said);

}  // namespace wale::cli
