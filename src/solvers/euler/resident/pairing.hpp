// pairing - cells of a part in twos that share a face, as many as a short search finds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace wale::euler::resident {

/// Up to four others of each; -1: none. `alike` cells are paired with each other where that costs nothing.
struct pairing_graph {
    std::vector<std::array<std::int32_t, 4>> neighbours;
    std::vector<char> alike;
};

/// The partner of each vertex, or -1. Vertices of the least degree first (Karp and Sipser 1981), then paths
/// that end at two single ones are turned round.
[[nodiscard]] std::vector<std::int32_t> paired(const pairing_graph& g);

}  // namespace wale::euler::resident
