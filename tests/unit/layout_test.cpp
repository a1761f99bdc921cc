// layout_test - every layout is one-to-one, stays within required_span_size, and a copy to it and back is the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>
#include <wale/relayout.hpp>

namespace wale {
namespace {

using layouts = std::tuple<layout_right, layout_left, layout_interleaved<1>, layout_interleaved<4>,
                           layout_interleaved<32>, layout_skewed<1>, layout_skewed<3>, layout_skewed<8>>;

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

TEST(Layout, InterleavedItemsLieSideBySide) {
    const layout_interleaved<4>::mapping<2> at(extents<2>{{6, 3}});
    EXPECT_EQ(at(1, 0), 1);
    EXPECT_EQ(at(0, 1), 4);
    EXPECT_EQ(at(4, 0), 12);
    EXPECT_EQ(at.required_span_size(), 24);  // 6 items are padded to 8
}

TEST(Layout, SkewedNeighboursAreAtFixedDistances) {
    constexpr int B = 8;
    const layout_skewed<B>::mapping<2> at(extents<2>{{B, 20}});
    for (index_t i = 1; i < B; ++i)
        for (index_t j = 1; j < 20; ++j) {
            EXPECT_EQ(at(i, j - 1), at(i, j) - B);
            EXPECT_EQ(at(i - 1, j), at(i, j) - B - 1);
            EXPECT_EQ(at(i - 1, j - 1), at(i, j) - 2 * B - 1);
        }
}

/// Between every pair of layouts there and back; what lies between the elements is left alone.
template <class From, class To>
void check_round_trip(const extents<2>& shape) {
    const typename From::template mapping<2> from(shape);
    const typename To::template mapping<2> to(shape);
    std::vector<int> source(static_cast<std::size_t>(from.required_span_size()), -1);
    std::vector<int> copy(static_cast<std::size_t>(to.required_span_size()), -7);
    std::vector<int> back(source.size(), -1);
    const view<int, 2, From> s(source.data(), from);
    int number = 0;
    for (index_t i = 0; i < shape[0]; ++i)
        for (index_t j = 0; j < shape[1]; ++j) s(i, j) = number++;
    const view<int, 2, To> c(copy.data(), to);
    relayout(s, c);
    for (index_t i = 0; i < shape[0]; ++i)
        for (index_t j = 0; j < shape[1]; ++j) ASSERT_EQ(c(i, j), s(i, j));
    ASSERT_EQ(std::count(copy.begin(), copy.end(), -7), to.required_span_size() - shape.count());
    relayout(c, view<int, 2, From>(back.data(), from));
    ASSERT_EQ(back, source);
}

TEST(Layout, RelayoutGoesThereAndBackBetweenAllPairs) {
    for (const extents<2>& shape : shapes)
        for_each_layout([&](auto from) {
            for_each_layout([&](auto to) { check_round_trip<decltype(from), decltype(to)>(shape); });
        });
}

TEST(Layout, RelayoutRefusesAnotherShape) {
    std::vector<int> a(6), b(6);
    EXPECT_THROW(relayout(matrix_view<int>(a.data(), extents<2>{{2, 3}}),
                          matrix_view<int>(b.data(), extents<2>{{3, 2}})),
                 bad_argument);
}

}  // namespace
}  // namespace wale
