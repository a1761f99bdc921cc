// claims - what the source notes of this solver state, beside what was measured.
#pragma once

#include <functional>
#include <optional>
#include <wale/study.hpp>
#include <wale/wavefront.hpp>

namespace wale::wavefront {

/// Times one verified run of a variant with a tile of the caller's choice; nothing where it refuses.
using tile_timer = std::function<std::optional<double>(const std::string& variant, tile_shape tile)>;

/// The claims on whole tables, judged from the rows of the largest size. `cuda_reason`: why there are no CUDA
/// rows.
[[nodiscard]] std::vector<study_claim> judge_claims(const std::vector<study_row>& rows, bool with_cuda,
                                                    const tile_timer& timer);

}  // namespace wale::wavefront
