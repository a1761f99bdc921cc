// hilbert - how far along Hilbert's curve a place is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wale::meshes {

/// Of places [n][3] in the smallest square or cube around them, 31 or 21 bits a coordinate: Skilling,
/// "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004) 381. Places that are not finite come last.
[[nodiscard]] std::vector<std::uint64_t> hilbert_keys(std::span<const double> places, int dimensions);

}  // namespace wale::meshes
