// comparison - before, after and their difference side by side, as a picture for the eye.
#pragma once

#include "pixels.hpp"
#include "reconstruct.hpp"

namespace wale::cli {

/// A flat u8 picture of three panels. Each is stretched to black and white, `after` as `before` where both
/// have values of one scale. Large pictures are averaged down; a volume shows its middle plane, a batch its
/// first picture; NaN and the value that `said` calls no data are black.
[[nodiscard]] owned_picture compare_pictures(answer_kind kind, const const_picture& before,
                                             const const_picture& after, const reconstruct_command& said);

}  // namespace wale::cli
