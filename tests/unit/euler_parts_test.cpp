// euler_parts_test - tiles dealt to devices: what a device lends is all that others ask of it.
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
    const std::vector<tile_share> shares = deal_tiles(tiles, halo, cells, ghosts, devices);
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

/// Tiles that lie in the same order as their cells split evenly.
TEST(Parts, AreOfEqualSize) {
    const mesh m = generate_mesh({.kind = mesh_kind::shell, .size = 20000});
    const meshes::deep_tiling cut = meshes::tile_cells(m.neighbour, {m.cells() / 100, 1000, 2000});
    std::vector<tile_reach> tiles;
    for (const meshes::deep_tile& t : cut.tiles) tiles.push_back({t.first, t.own, t.halo, t.all - t.own});
    for (const int devices : {2, 4})
        for (const tile_share& s : deal_tiles(tiles, cut.halo, m.cells(), {}, devices))
            EXPECT_NEAR(static_cast<double>(s.last - s.first), static_cast<double>(m.cells()) / devices, 200);
}

}  // namespace
}  // namespace wale
