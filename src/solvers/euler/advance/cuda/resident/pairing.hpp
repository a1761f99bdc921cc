// pairing - cells of a part in twos that share a face, as many as a short search finds; and where pairs and
// their faces stand, so that the 8 lanes that shared memory serves at once ask different banks. Slot s of a
// 16-byte word lies in class s mod 8; pair t's cells are in class t mod 8.
#pragma once

#include <array>
#include <cstdint>
#include <vector>
#include <wale/layout.hpp>

namespace wale::euler::resident {

/// Up to four others of each; -1: none. `alike` cells are paired with each other where that costs nothing.
struct pairing_graph {
    std::vector<std::array<std::int32_t, 4>> neighbours;
    std::vector<char> alike;
};

/// The partner of each vertex, or -1. Vertices of the least degree first (Karp and Sipser 1981), then paths
/// that end at two single ones are turned round.
[[nodiscard]] std::vector<std::int32_t> paired(const pairing_graph& g);

/// Pairs that hold what the six outer faces see; -1: not one of this part.
using pair_gathers = std::array<std::int32_t, 6>;

/// order[place] = pair. The first `fixed` stay where they are. Exchanges of the others, each kept where it
/// does not make the sum of squared class counts larger.
[[nodiscard]] std::vector<std::int32_t> order_pairs(const std::vector<pair_gathers>& gathers,
                                                    std::int32_t fixed);

/// [pair][face] slots, and rows that go with them; the seventh face stays.
using face_places = std::vector<std::array<index_t, 7>>;
/// Orders the three outer faces of each cell; those with slots from `late` on come last.
void order_faces(face_places& rows, face_places& slots, index_t late);

}  // namespace wale::euler::resident
