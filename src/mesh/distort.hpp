// distort - the same cells, less regular.
#pragma once

#include <wale/mesh.hpp>

namespace wale::meshes {

/// Moves inner points by up to `part` of the shortest edge of a cell at the point. Points of cells that lose
/// more than half of their volume go half of the way back, until none does.
void distort(mesh_elements& e, double part, std::uint64_t seed);

}  // namespace wale::meshes
