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

void sort_each(std::vector<std::vector<std::int32_t>>& lists) {
    for (std::vector<std::int32_t>& list : lists) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

/// f(other) for each neighbour of a cell.
template <class F>
void each_neighbour(const mesh& m, index_t cell, F&& f) {
    for (index_t row = m.first_face[at(cell)]; row < m.first_face[at(cell + 1)]; ++row)
        if (const std::int32_t other = m.neighbour[at(row)]; !is_patch(other)) f(other);
}

/// By number in the mesh.
void lend_cells(const mesh& m, std::span<const std::int32_t> owner, int layers,
                std::vector<part_share>& shares) {
    for (index_t cell = 0; cell < m.cells(); ++cell) {
        const std::int32_t own = owner[at(cell)];
        const auto lend = [&](std::int32_t other) {
            const std::int32_t to = owner[at(other)];
            if (to != own) shares[at(own)].lent[at(to)].push_back(static_cast<std::int32_t>(cell));
        };
        each_neighbour(m, cell, [&](std::int32_t near) {
            lend(near);
            if (layers > 1) each_neighbour(m, near, lend);
        });
    }
    for (part_share& s : shares) sort_each(s.lent);
}

}  // namespace

dealt_cells deal_cells(const mesh& m, std::span<const std::int32_t> owner, int layers, int devices) {
    dealt_cells out;
    out.shares.resize(at(devices));
    for (part_share& s : out.shares) {
        s.lent.resize(at(devices));
        s.lent_rows.resize(at(devices));
    }
    lend_cells(m, owner, layers, out.shares);
    std::vector<char> is_border(at(m.cells()));
    for (const part_share& s : out.shares)
        for (const auto& list : s.lent)
            for (const std::int32_t cell : list) is_border[at(cell)] = 1;
    out.order.resize(at(m.cells()));
    std::iota(out.order.begin(), out.order.end(), 0);
    std::ranges::stable_sort(out.order, {}, [&](std::int32_t cell) {
        return 2 * owner[at(cell)] + (is_border[at(cell)] != 0 ? 0 : 1);
    });
    std::vector<std::int32_t> number(out.order.size());
    index_t row = 0;
    for (std::size_t i = 0; i < out.order.size(); ++i) {
        const std::int32_t cell = out.order[i];
        number[at(cell)] = static_cast<std::int32_t>(i);
        const std::int32_t own = owner[at(cell)];
        part_share& share = out.shares[at(own)];
        ++share.last;  // so far, how many there are
        share.border += is_border[at(cell)];
        for (index_t r = m.first_face[at(cell)]; r < m.first_face[at(cell) + 1]; ++r, ++row) {
            const std::int32_t other = m.neighbour[at(r)];
            if (!is_patch(other) && owner[at(other)] != own)
                share.lent_rows[at(owner[at(other)])].push_back(static_cast<std::int32_t>(row));
        }
    }
    index_t next = 0;
    for (part_share& s : out.shares) {
        s.first = next;
        s.last = next += s.last;
        for (auto& list : s.lent) {
            for (std::int32_t& cell : list) cell = number[at(cell)];
            std::ranges::sort(list);
        }
    }
    return out;
}

std::vector<part_share> deal_tiles(std::span<const tile_reach> tiles, std::span<const std::int32_t> halo,
                                   index_t cells, std::span<const std::int32_t> ghosts, int devices) {
    const std::vector<std::int32_t> device = devices_of(tiles, cells, devices);
    const std::vector<std::int32_t> tile_of = tiles_of_cells(tiles, cells);
    std::vector<char> is_border(tiles.size());
    std::vector<part_share> shares(at(devices));
    for (part_share& s : shares) s.lent.resize(at(devices));
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
        for (part_share& s : shares)
            if (border) s.border = std::ssize(s.tiles);
    }
    index_t next = 0;
    std::size_t tile = 0;
    for (std::size_t d = 0; d < shares.size(); ++d) {
        shares[d].first = next;
        for (; tile < tiles.size() && at(device[tile]) == d; ++tile) next += tiles[tile].own;
        shares[d].last = next;
        sort_each(shares[d].lent);
    }
    return shares;
}

part_share all_tiles(index_t tiles, index_t cells) {
    part_share s;
    s.tiles.resize(at(tiles));
    std::iota(s.tiles.begin(), s.tiles.end(), 0);
    s.last = cells;
    return s;
}

}  // namespace wale::euler
