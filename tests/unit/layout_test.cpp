// layout_test - every layout is one-to-one and stays within required_span_size.
#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <wale/layout.hpp>

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

}  // namespace
}  // namespace wale
