// lu_dealing_test - the columns of one matrix over devices: each has one owner, groups follow each other.
#include <gtest/gtest.h>

#include "solvers/lu/parts/cuda/block_cyclic/dealing.hpp"

namespace wale::lu {
namespace {

TEST(ColumnDealing, EveryColumnHasOnePlace) {
    for (const index_t rows : {1, 40, 200, 1000})
        for (const index_t all : {1, 33, 200, 900})
            for (const std::size_t devices : {2u, 3u, 5u}) {
                const index_t diagonal = std::min(rows, all);
                const panel_grid grid{64, static_cast<int>(diagonal / 128), 32, 2,
                                      static_cast<int>(diagonal / 64) / 2 * 2};
                const column_dealing dealt(grid, diagonal, all, devices);
                std::vector<index_t> own(devices, 0);
                index_t next = 0;
                for (std::size_t g = 0; g < dealt.groups.size(); ++g) {
                    const column_group& group = dealt.groups[g];
                    EXPECT_EQ(group.begin, next);
                    EXPECT_GT(group.end, group.begin);
                    EXPECT_EQ(group.owner, g % devices);
                    EXPECT_EQ(group.local, own[group.owner]);
                    EXPECT_EQ(group.pivots(), group.begin < diagonal);
                    EXPECT_EQ(group.pivots(), g < dealt.with_panels);
                    EXPECT_LE(group.end - group.begin, dealt.widest);
                    next = group.end;
                    own[group.owner] += group.end - group.begin;
                }
                EXPECT_EQ(next, all);
                EXPECT_EQ(own, dealt.columns);
                for (std::size_t g = 0; g < dealt.groups.size(); ++g)
                    for (std::size_t k = 0; k < devices; ++k) {
                        index_t before = 0;
                        for (std::size_t h = 0; h <= g; ++h)
                            if (dealt.groups[h].owner == k)
                                before += dealt.groups[h].end - dealt.groups[h].begin;
                        EXPECT_EQ(dealt.right_of(g, k), before);
                    }
            }
}

}  // namespace
}  // namespace wale::lu
