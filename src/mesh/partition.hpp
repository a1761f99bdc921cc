// partition - what METIS does for us where it is there.
#pragma once

#include <vector>

#include "mesh/graph.hpp"

namespace wale::meshes {

[[nodiscard]] bool has_metis() noexcept;
/// 1 < parts <= cells. Throws error where METIS fails or its 32-bit numbers do not suffice.
[[nodiscard]] std::vector<std::int32_t> metis_partition(const cell_graph& graph, int parts);

}  // namespace wale::meshes
