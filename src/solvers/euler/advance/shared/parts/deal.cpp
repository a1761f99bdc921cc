// deal - see deal.hpp.
#include "solvers/euler/advance/shared/parts/deal.hpp"

#include <algorithm>
#include <numeric>

namespace wale::euler {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// The device of each tile: that of the cell in its middle, were all cells dealt evenly.
std::vector<std::int32_t> devices_of(std::span<const tile_reach> tiles, index_t cells, int devices) {
    std::vector<std::int32_t> device;
    for (const tile_reach& t : tiles)
        device.push_back(
            static_cast<std::int32_t>((t.first + t.own / 2) * devices / std::max<index_t>(cells, 1)));
    return device;
}

std::vector<std::int32_t> tiles_of_cells(std::span<const tile_reach> tiles, index_t cells) {
    std::vector<std::int32_t> tile(at(cells));
    for (std::size_t t = 0; t < tiles.size(); ++t)
        std::fill_n(tile.begin() + tiles[t].first, tiles[t].own, static_cast<std::int32_t>(t));
    return tile;
}

}  // namespace

std::vector<tile_share> deal_tiles(std::span<const tile_reach> tiles, std::span<const std::int32_t> halo,
                                   index_t cells, std::span<const std::int32_t> ghosts, int devices) {
    const std::vector<std::int32_t> device = devices_of(tiles, cells, devices);
    const std::vector<std::int32_t> tile_of = tiles_of_cells(tiles, cells);
    std::vector<char> is_border(tiles.size());
    std::vector<tile_share> shares(at(devices));
    for (tile_share& s : shares) s.lent.resize(at(devices));
    for (std::size_t t = 0; t < tiles.size(); ++t)
        for (const std::int32_t record : halo.subspan(at(tiles[t].halo), at(tiles[t].borrowed))) {
            const std::int32_t cell = record < cells ? record : ghosts[at(record - cells)];
            const auto lender = at(tile_of[at(cell)]);
            if (device[lender] == device[t]) continue;
            is_border[t] = is_border[lender] = 1;
            shares[at(device[lender])].lent[at(device[t])].push_back(record);
        }
    for (const bool border : {true, false}) {
        for (std::size_t t = 0; t < tiles.size(); ++t)
            if ((is_border[t] != 0) == border)
                shares[at(device[t])].tiles.push_back(static_cast<std::int32_t>(t));
        for (tile_share& s : shares)
            if (border) s.border = std::ssize(s.tiles);
    }
    index_t next = 0;
    std::size_t tile = 0;
    for (std::size_t d = 0; d < shares.size(); ++d) {
        shares[d].first = next;
        for (; tile < tiles.size() && at(device[tile]) == d; ++tile) next += tiles[tile].own;
        shares[d].last = next;
        for (std::vector<std::int32_t>& list : shares[d].lent) {
            std::ranges::sort(list);
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }
    return shares;
}

tile_share all_tiles(index_t tiles, index_t cells) {
    tile_share s;
    s.tiles.resize(at(tiles));
    std::iota(s.tiles.begin(), s.tiles.end(), 0);
    s.last = cells;
    return s;
}

}  // namespace wale::euler
