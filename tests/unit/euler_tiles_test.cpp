// euler_tiles_test - cut from any graph: every cell is some tile's own, once, and three stages computed tile
// by tile, with what lies in the tile alone, give what three stages of the whole mesh give.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <wale/mesh_tools.hpp>

#include "mesh/tiles.hpp"

namespace wale::meshes {
namespace {

using words = std::vector<std::uint64_t>;
using rows = std::vector<std::int32_t>;  // [cells][tile_faces]

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

rows shell(index_t size, bool shuffled = false) {
    mesh_recipe r;
    r.size = size;
    r.shuffled = shuffled;
    return generate_mesh(r).neighbour;
}

/// Pairs of faces joined at random; some stay open.
rows random_graph(index_t cells, unsigned seed) {
    std::mt19937 random(seed);
    rows faces(at(tile_faces * cells));
    std::iota(faces.begin(), faces.end(), 0);
    std::shuffle(faces.begin(), faces.end(), random);
    rows out(faces.size(), -1);
    for (std::size_t i = 0; i + 1 < faces.size() * 9 / 10; i += 2) {
        out[at(faces[i])] = faces[i + 1] / tile_faces;
        out[at(faces[i + 1])] = faces[i] / tile_faces;
    }
    return out;
}

/// What a stage makes of a cell and its neighbours, whichever they are and in which order.
std::uint64_t stage_of(std::uint64_t own, const std::uint64_t* others) {
    std::uint64_t h = own;
    for (int f = 0; f < tile_faces; ++f) h = (h ^ others[f]) * 0x9e3779b97f4a7c15U + (h >> 29);
    return h;
}
constexpr std::uint64_t patch_word = 77;

words three_stages(const rows& neighbours, words now) {
    for (int stage = 0; stage < 3; ++stage) {
        words next(now.size());
        for (std::size_t c = 0; c < now.size(); ++c) {
            std::uint64_t others[tile_faces];
            for (int f = 0; f < tile_faces; ++f) {
                const std::int32_t n = neighbours[tile_faces * c + at(f)];
                others[f] = n < 0 ? patch_word : now[at(n)];
            }
            next[c] = stage_of(now[c], others);
        }
        now.swap(next);
    }
    return now;
}

/// The same by tiles, each from words of its own places only. Counts how often each cell is written.
words by_tiles(const deep_tiling& d, const words& begin, std::vector<int>& written) {
    words out(begin.size());
    for (const deep_tile& t : d.tiles) {
        words now;
        for (std::int32_t i = 0; i < t.all; ++i) {
            const std::int32_t number = i < t.own ? t.first + i : d.halo[at(t.halo + i - t.own)];
            now.push_back(begin[at(d.order[at(number)])]);
        }
        for (const std::int32_t end : {t.two, t.one, t.own}) {
            words next = now;
            for (std::int32_t i = 0; i < end; ++i) {
                std::uint64_t others[tile_faces];
                for (int f = 0; f < tile_faces; ++f) {
                    const std::uint16_t p = d.places[at(tile_faces * (t.rows + i) + f)];
                    others[f] = p == no_place ? patch_word : now.at(p);
                }
                next[at(i)] = stage_of(now[at(i)], others);
            }
            now.swap(next);
        }
        for (std::int32_t i = 0; i < t.own; ++i) {
            const auto cell = at(d.order[at(t.first + i)]);
            out[cell] = now[at(i)];
            ++written[cell];
        }
    }
    return out;
}

void check(const rows& neighbours, const tile_limits& limits) {
    const std::size_t cells = neighbours.size() / tile_faces;
    const deep_tiling d = tile_cells(neighbours, limits, 2);
    ASSERT_EQ(d.order.size(), cells);
    for (const deep_tile& t : d.tiles) {
        EXPECT_GE(t.own, 1);
        EXPECT_LE(t.two, limits.two);
        EXPECT_LE(t.all, limits.all);
    }
    words begin(cells);
    std::mt19937_64 random(5);
    for (std::uint64_t& w : begin) w = random();
    std::vector<int> written(cells);
    EXPECT_EQ(by_tiles(d, begin, written), three_stages(neighbours, begin));
    EXPECT_EQ(std::ranges::count(written, 1), std::ssize(written));
}

TEST(Tiles, ComputeThreeStagesFromTheirOwnPlaces) {
    for (const index_t size : {30, 700, 20000}) {
        check(shell(size), {});
        check(shell(size, true), {size / 40, 200, 300});
    }
}

TEST(Tiles, OfAnyGraph) {
    for (const index_t cells : {0, 1, 2, 3, 50, 1000}) {
        check(random_graph(cells, 3), {cells / 20, 64, 110});
        check(random_graph(cells, 4), {2, 3000, 3000});
        check(rows(at(tile_faces * cells), -1), {cells, 64, 64});  // no cell has a neighbour
    }
    rows self(at(tile_faces * 10));
    for (std::size_t i = 0; i < self.size(); ++i) self[i] = static_cast<std::int32_t>(i) / tile_faces;
    check(self, {});
}

TEST(Tiles, AreTheSameForAnyThreads) {
    const rows neighbours = shell(20000, true);
    const deep_tiling one = tile_cells(neighbours, {30}, 1);
    for (const int threads : {2, 5}) {
        const deep_tiling d = tile_cells(neighbours, {30}, threads);
        EXPECT_EQ(d.order, one.order);
        EXPECT_EQ(d.halo, one.halo);
        EXPECT_EQ(d.places, one.places);
    }
}

TEST(Tiles, AreCompactWhateverTheNumbering) {
    for (const bool shuffled : {false, true}) {
        const rows neighbours = shell(97200, shuffled);
        const deep_tiling d = tile_cells(neighbours, {200});
        double work = 0;
        for (const deep_tile& t : d.tiles) work += t.own + t.one + t.two;
        EXPECT_LT(work / (3.0 * 97200), 1.6) << shuffled;  // 1.51 measured
    }
}

}  // namespace
}  // namespace wale::meshes
