// view_test - a pointer with a shape: what it points to, and what converts to what.
#include <wale/view.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace wale {
namespace {

TEST(View, ReadsAndWritesWhereTheLayoutSays) {
    std::vector<int> cells(12);
    const matrix_view<int> rows(cells.data(), {extents<2>{{2, 3}}, 5});
    rows(1, 2) = 42;
    EXPECT_EQ(cells[7], 42);
    const matrix_view<int, layout_left> columns(cells.data(), extents<2>{{2, 3}});
    columns(1, 2) = 43;
    EXPECT_EQ(cells[5], 43);
    EXPECT_EQ(rows.extent(0), 2);
    EXPECT_EQ(rows.extent(1), 3);
    EXPECT_EQ(rows.mapping().pitch, 5);
}

TEST(View, ConstComesByItselfAndNeverGoes) {
    int one = 1;
    const view<int, 1> v(&one, extents<1>{{1}});
    const const_view<view<int, 1>> c = v;
    EXPECT_EQ(c(0), 1);
    static_assert(std::is_convertible_v<matrix_view<int>, matrix_view<const int>>);
    static_assert(!std::is_convertible_v<matrix_view<const int>, matrix_view<int>>);
    static_assert(std::is_same_v<matrix_view<const int>::value_type, int>);
}

TEST(View, NothingIsAView) {
    const matrix_view<int> nothing;
    EXPECT_EQ(nothing.data(), nullptr);
    EXPECT_EQ(nothing.shape().count(), 0);
}

}  // namespace
}  // namespace wale
