// euler_parts_test - tiles and cells dealt to devices: what a device lends is all that others ask of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <wale/wale.hpp>

#include "mesh/tiles.hpp"
#include "solvers/euler/advance/cuda/second_order/plan.hpp"
#include "solvers/euler/advance/shared/parts/deal.hpp"

namespace wale {
namespace {

using namespace euler;

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Every tile is dealt once; what it borrows is of its device or comes from the device that moves it; tiles
/// that lend or borrow come before `border`; nothing else is lent.
void check(std::span<const tile_reach> tiles, std::span<const std::int32_t> halo, index_t cells,
           std::span<const std::int32_t> ghosts, int devices) {
    const std::vector<part_share> shares = deal_tiles(tiles, halo, cells, ghosts, devices);
    ASSERT_EQ(std::ssize(shares), devices);
    std::vector<int> device(tiles.size(), -1);
    std::vector<bool> border(tiles.size());
    for (int d = 0; d < devices; ++d)
        for (std::size_t i = 0; i < shares[at(d)].tiles.size(); ++i) {
            const auto t = at(shares[at(d)].tiles[i]);
            EXPECT_EQ(device[t], -1);
            device[t] = d;
            border[t] = std::cmp_less(i, shares[at(d)].border);
            EXPECT_GE(tiles[t].first, shares[at(d)].first);
            EXPECT_LE(tiles[t].first + tiles[t].own, shares[at(d)].last);
        }
    EXPECT_EQ(std::ranges::count(device, -1), 0);
    const auto tile_of = [&](std::int32_t record) {
        const index_t cell = record < cells ? record : ghosts[at(record - cells)];
        const auto behind = std::ranges::upper_bound(tiles, cell, {}, &tile_reach::first);
        return static_cast<std::size_t>(behind - tiles.begin() - 1);
    };
    std::vector<std::vector<std::set<std::int32_t>>> needed(at(devices),
                                                            std::vector<std::set<std::int32_t>>(at(devices)));
    for (std::size_t t = 0; t < tiles.size(); ++t)
        for (const std::int32_t record : halo.subspan(at(tiles[t].halo), at(tiles[t].borrowed))) {
            const std::size_t lender = tile_of(record);
            if (device[lender] == device[t]) continue;
            EXPECT_TRUE(border[t] && border[lender]);
            needed[at(device[lender])][at(device[t])].insert(record);
        }
    for (std::size_t d = 0; d < shares.size(); ++d)
        for (std::size_t e = 0; e < shares.size(); ++e)
            EXPECT_TRUE(std::ranges::equal(shares[d].lent[e], needed[d][e])) << d << " to " << e;
    if (devices == 1) {
        EXPECT_EQ(shares[0].border, 0);
        EXPECT_EQ(shares[0].tiles, all_tiles(std::ssize(tiles), cells).tiles);
    }
}

TEST(Parts, ThreeStages) {
    for (const index_t size : {1, 40, 3000}) {
        const mesh m = generate_mesh({.kind = mesh_kind::shell, .size = size});
        const meshes::deep_tiling cut = meshes::tile_cells(m.neighbour, {m.cells() / 50 + 1, 300, 500});
        std::vector<tile_reach> tiles;
        for (const meshes::deep_tile& t : cut.tiles) tiles.push_back({t.first, t.own, t.halo, t.all - t.own});
        for (const int devices : {1, 2, 3, 8}) check(tiles, cut.halo, m.cells(), {}, devices);
    }
    check({}, {}, 0, {}, 3);
}

TEST(Parts, GhostsGoWithTheirCells) {
    for (const auto kind : {mesh_kind::shell, mesh_kind::bump}) {
        const mesh m = generate_mesh({.kind = kind, .size = 1500, .shape = cell_shape::tetrahedron});
        euler_options o;
        o.scheme.time = euler_time::jameson;
        o.scheme.limiter = euler_limiter::venkatakrishnan;
        const flow_system system(m, o);
        const auto plan = second_order::plan_of<double>(system, 60, 1, 1 << 20);
        ASSERT_EQ(plan.ghosts.size() + plan.order.size(), plan.records.size());
        ASSERT_FALSE(plan.ghosts.empty());
        std::vector<tile_reach> tiles;
        for (const second_order::tile& t : plan.tiles)
            tiles.push_back({t.first, t.own, t.halo, t.all - t.own});
        for (const int devices : {1, 2, 5}) check(tiles, plan.halo, m.cells(), plan.ghosts, devices);
    }
}

/// Cells dealt one by one: what is lent is what cells of other devices find within the layers, and across
/// faces.
TEST(Parts, CellByCell) {
    for (const cell_shape shape : {cell_shape::triangle, cell_shape::hexahedron})
        for (const int devices : {1, 2, 3, 7})
            for (const int layers : {1, 2}) {
                const mesh m = generate_mesh({.kind = mesh_kind::box, .size = 300, .shape = shape});
                const std::vector<std::int32_t> owner = partition(m, devices, partition_method::bisection);
                const dealt_cells dealt = deal_cells(m, owner, layers, devices);
                std::vector<std::int32_t> number(owner.size(), -1);
                std::vector<index_t> first_row{0};
                for (std::size_t i = 0; i < owner.size(); ++i) {
                    const auto cell = at(dealt.order[i]);
                    number[cell] = static_cast<std::int32_t>(i);
                    first_row.push_back(first_row.back() + m.first_face[cell + 1] - m.first_face[cell]);
                }
                ASSERT_EQ(std::ranges::count(number, -1), 0);
                using lists = std::vector<std::set<std::int32_t>>;
                std::vector<lists> cells(at(devices), lists(at(devices))), rows = cells;
                for (index_t c = 0; c < m.cells(); ++c) {
                    const auto own = at(owner[at(c)]);
                    const part_share& share = dealt.shares[own];
                    EXPECT_GE(number[at(c)], share.first);
                    EXPECT_LT(number[at(c)], share.last);
                    std::set<index_t> within{c};
                    for (int layer = 0; layer < layers; ++layer)
                        for (const index_t near : std::set<index_t>(within))
                            for (index_t r = m.first_face[at(near)]; r < m.first_face[at(near + 1)]; ++r)
                                if (!is_patch(m.neighbour[at(r)])) within.insert(m.neighbour[at(r)]);
                    bool meets_others = false;
                    for (const index_t other : within) {
                        const auto from = at(owner[at(other)]);
                        if (from == own) continue;
                        meets_others = true;
                        cells[from][own].insert(number[at(other)]);
                    }
                    EXPECT_EQ(number[at(c)] < share.first + share.border, meets_others);
                    for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r) {
                        const std::int32_t other = m.neighbour[at(r)];
                        if (is_patch(other) || at(owner[at(other)]) == own) continue;
                        const index_t there = first_row[at(number[at(other)])] + m.opposite[at(r)];
                        rows[at(owner[at(other)])][own].insert(static_cast<std::int32_t>(there));
                    }
                }
                for (std::size_t d = 0; d < cells.size(); ++d)
                    for (std::size_t e = 0; e < cells.size(); ++e) {
                        EXPECT_TRUE(std::ranges::equal(dealt.shares[d].lent[e], cells[d][e]));
                        EXPECT_TRUE(std::ranges::equal(dealt.shares[d].lent_rows[e], rows[d][e]));
                    }
            }
}

/// Tiles that lie in the same order as their cells split evenly.
TEST(Parts, AreOfEqualSize) {
    const mesh m = generate_mesh({.kind = mesh_kind::shell, .size = 20000});
    const meshes::deep_tiling cut = meshes::tile_cells(m.neighbour, {m.cells() / 100, 1000, 2000});
    std::vector<tile_reach> tiles;
    for (const meshes::deep_tile& t : cut.tiles) tiles.push_back({t.first, t.own, t.halo, t.all - t.own});
    for (const int devices : {2, 4})
        for (const part_share& s : deal_tiles(tiles, cut.halo, m.cells(), {}, devices))
            EXPECT_NEAR(static_cast<double>(s.last - s.first), static_cast<double>(m.cells()) / devices, 200);
}

}  // namespace
}  // namespace wale
