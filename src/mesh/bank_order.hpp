// bank_order - orders the cells of a tile so that those which are looked up together lie in different banks
// of a device's shared memory. Threads take consecutive places; a look-up of 16 bytes serves 8 threads at
// once from 8 banks of 16 bytes, one of 8 bytes 16 threads from 16 banks of 8 bytes; each further thread that
// meets a bank costs another turn.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/tiles.hpp"

namespace wale::meshes {

class bank_order {
public:
    /// Changes `places`, [t.two][tile_faces], and `cells`, [t.all] in order of place, by exchanging cells of
    /// the same layer within aligned groups of 8, as long as that lessens the sum of squares of the numbers
    /// of threads that meet at a bank. O(t.all).
    void improve(const deep_tile& t, std::uint16_t* places, std::vector<std::int32_t>& cells);

private:
    static constexpr int group = 8;
    using counts = std::array<std::uint8_t, 2 * group>;  // threads that meet, a bank

    void begin(const deep_tile& t, const std::uint16_t* places);
    bool exchange(int a, int b);
    /// Moves the look-ups of the cell that began at `index` by `step` places within its group; what that adds
    /// to the sum of squares.
    int move(int index, int from, int to);

    std::vector<std::int32_t> first_reader_, readers_;  // of each cell: place and face that look it up
    std::vector<counts> narrow_, wide_;                 // [groups of 8, of 16][tile_faces]
    std::vector<std::int32_t> at_, place_;              // the cell at each place; the place of each cell
    std::vector<std::uint16_t> new_places_;
    std::vector<std::int32_t> new_cells_;
};

}  // namespace wale::meshes
