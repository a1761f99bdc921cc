// view_test - every layout is one-to-one and stays within required_span_size; a view points where its layout
// says.
#include <wale/view.hpp>

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

namespace wale {
namespace {

using layouts = std::tuple<layout_right, layout_left>;

const extents<2> shapes[] = {{{0, 0}}, {{0, 5}}, {{5, 0}}, {{1, 1}},   {{1, 37}},  {{37, 1}},
                             {{4, 3}}, {{3, 4}}, {{8, 8}}, {{31, 33}}, {{33, 31}}, {{65, 100}}};

template <class F>
void for_each_layout(const F& f) {
    std::apply([&](auto... l) { (f(l), ...); }, layouts());
}

TEST(Layout, OneToOneAndInRange) {
    for_each_layout([](auto layout) {
        for (const extents<2>& shape : shapes) {
            const typename decltype(layout)::template mapping<2> at(shape);
            std::set<index_t> places;
            for (index_t i = 0; i < shape[0]; ++i)
                for (index_t j = 0; j < shape[1]; ++j) {
                    ASSERT_GE(at(i, j), 0);
                    ASSERT_LT(at(i, j), at.required_span_size()) << shape[0] << " x " << shape[1];
                    ASSERT_TRUE(places.insert(at(i, j)).second);
                }
            EXPECT_EQ(shape.count() == 0, at.required_span_size() == 0) << shape[0] << " x " << shape[1];
        }
    });
}

TEST(Layout, PitchIsTheDistanceOfRows) {
    const layout_right::mapping<2> at({{3, 5}}, 8);
    EXPECT_EQ(at(2, 4), 20);
    EXPECT_EQ(at.required_span_size(), 21);  // no padding after the last row
    const layout_right::mapping<3> volume({{2, 3, 5}}, 8);
    EXPECT_EQ(volume(1, 2, 4), (1 * 3 + 2) * 8 + 4);
    EXPECT_EQ(volume.required_span_size(), volume(1, 2, 4) + 1);
}

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
