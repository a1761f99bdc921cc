// Parts of a mesh: every cell belongs to one part, every neighbour of a part is there, and a rank expects
// what another sends.
#include <gtest/gtest.h>

#include <algorithm>
#include <wale/mesh_tools.hpp>

#include "solvers/euler/advance/shared/ranks/part.hpp"

namespace wale::euler {
namespace {

struct cut_mesh {
    mesh whole;
    std::vector<mesh_part> parts;
};

cut_mesh cut(int ranks, int layers, index_t lanes, cell_order order) {
    cut_mesh c{generate_mesh({.kind = mesh_kind::shell, .size = 1500, .shuffled = true}), {}};
    const auto owner = partition(c.whole, ranks);
    const auto numbers = order_cells(c.whole, order);
    for (int r = 0; r < ranks; ++r) c.parts.push_back(cut_part(c.whole, owner, numbers, r, layers, lanes));
    return c;
}

template <class F>
void each_cut(F&& f) {
    for (const int ranks : {1, 2, 5})
        for (const int layers : {1, 3}) {
            SCOPED_TRACE(testing::Message() << ranks << " ranks, " << layers << " layers");
            f(cut(ranks, layers, 8, cell_order::reverse_cuthill_mckee));
            f(cut(ranks, layers, 1, cell_order::natural));
        }
}

TEST(RankParts, EveryCellIsSomebodys) {
    each_cut([](const cut_mesh& c) {
        std::vector<int> owners(static_cast<std::size_t>(c.whole.cells()));
        for (const mesh_part& p : c.parts)
            for (index_t i = 0; i < p.owned; ++i)
                ++owners[static_cast<std::size_t>(p.cells[static_cast<std::size_t>(i)])];
        EXPECT_EQ(std::ranges::count(owners, 1), std::ssize(owners));
    });
}

TEST(RankParts, WhatOneSendsTheOtherExpects) {
    each_cut([](const cut_mesh& c) {
        for (std::size_t r = 0; r < c.parts.size(); ++r)
            for (const mesh_part::peer& p : c.parts[r].peers) {
                const mesh_part& other = c.parts[static_cast<std::size_t>(p.rank)];
                const auto back = std::ranges::find(other.peers, static_cast<int>(r), &mesh_part::peer::rank);
                ASSERT_NE(back, other.peers.end());
                ASSERT_EQ(p.send.size(), back->receive.size());
                for (std::size_t i = 0; i < p.send.size(); ++i) {
                    EXPECT_LT(p.send[i], c.parts[r].sent);
                    EXPECT_GE(back->receive[i], other.padded);
                    EXPECT_EQ(c.parts[r].cells[static_cast<std::size_t>(p.send[i])],
                              other.cells[static_cast<std::size_t>(back->receive[i])]);
                }
            }
    });
}

/// Rows of cells up to `near` lead to the same cells, by the same faces, as in the whole mesh; and the whole
/// halo is received.
TEST(RankParts, NeighboursAreThere) {
    each_cut([](const cut_mesh& c) {
        for (const mesh_part& p : c.parts) {
            const mesh m = mesh_of_part(c.whole, p);
            ASSERT_EQ(m.cells(), std::ssize(p.cells));
            const index_t known = c.parts.size() > 1 && p.near < m.cells() ? p.near : p.owned;
            for (index_t i = 0; i < known; ++i) {
                const auto cell = static_cast<std::size_t>(p.cells[static_cast<std::size_t>(i)]);
                index_t from = c.whole.first_face[cell];
                for (index_t row = m.first_face[static_cast<std::size_t>(i)];
                     row < m.first_face[static_cast<std::size_t>(i) + 1]; ++row, ++from) {
                    const std::int32_t here = m.neighbour[static_cast<std::size_t>(row)];
                    const std::int32_t there = c.whole.neighbour[static_cast<std::size_t>(from)];
                    EXPECT_EQ(is_patch(here) ? here : p.cells[static_cast<std::size_t>(here)], there);
                    EXPECT_EQ(m.normal[static_cast<std::size_t>(3 * row)],
                              c.whole.normal[static_cast<std::size_t>(3 * from)]);
                }
            }
            std::size_t received = 0;
            for (const mesh_part::peer& peer : p.peers) received += peer.receive.size();
            EXPECT_EQ(static_cast<index_t>(received), m.cells() - p.padded);
        }
    });
}

}  // namespace
}  // namespace wale::euler
