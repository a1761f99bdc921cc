// order_free_sum_test - sums whose bits no order of the terms changes.
#include "base/order_free_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace wale {
namespace {

class numbers {
public:
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(source_()) / 4294967295.0);
    }

private:
    std::mt19937 source_{20};
};

double sum_of(const std::vector<double>& terms) {
    double largest = 0;
    for (const double t : terms) largest = std::max(largest, std::fabs(t));
    base::order_free_sum s(largest);
    for (const double t : terms) s.add(t);
    return s.value();
}

TEST(order_free_sum, has_the_same_bits_in_any_order) {
    numbers random;
    std::vector<double> terms;
    for (int i = 0; i < 3000; ++i)
        terms.push_back(std::ldexp(random.between(-1, 1), static_cast<int>(random.between(-300, 300))));
    const double first = sum_of(terms);
    std::mt19937 shuffle(3);
    for (int i = 0; i < 5; ++i) {
        std::ranges::shuffle(terms, shuffle);
        EXPECT_EQ(sum_of(terms), first);
    }
    std::vector<double> turned;
    for (const double t : terms) turned.push_back(-t);
    EXPECT_EQ(sum_of(turned), -first);
}

TEST(order_free_sum, of_parts_is_the_sum_of_all) {
    base::order_free_sum all(8.0), left(8.0), right(8.0);
    for (const double t : {8.0, -3.25, 1e-9, -7.5}) all.add(t);
    for (const double t : {8.0, 1e-9}) left.add(t);
    for (const double t : {-3.25, -7.5}) right.add(t);
    left.add_part(right.part());
    EXPECT_EQ(left.value(), all.value());
}

TEST(order_free_sum, keeps_small_sums_of_both_signs) {
    // Cancels but for a hundred-millionth: that is left, whatever its sign.
    EXPECT_NEAR(sum_of({1, -1, 1e-8}), 1e-8, 1e-18);
    EXPECT_NEAR(sum_of({1, -1, -1e-8}), -1e-8, 1e-18);
    EXPECT_EQ(sum_of({1, -1, std::ldexp(-1.0, -61)}), std::ldexp(-1.0, -61));
}

TEST(order_free_sum, holds_the_ends_of_the_range_and_says_nan) {
    EXPECT_EQ(sum_of({}), 0);
    EXPECT_EQ(sum_of({0, 0}), 0);
    EXPECT_EQ(sum_of({1.5e308, -1.5e308, 1.5e308}), 1.5e308);
    EXPECT_EQ(sum_of({1.5e308, 1.5e308}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(sum_of({1e-250, 1e-250}), 2e-250);
    EXPECT_TRUE(std::isnan([] {
        base::order_free_sum s(std::nan(""));
        s.add(1);
        return s.value();
    }()));
    EXPECT_TRUE(std::isnan(sum_of({1, HUGE_VAL})));
}

TEST(order_free_sum, scales_with_the_units) {
    numbers random;
    std::vector<double> terms, scaled;
    for (int i = 0; i < 100; ++i) terms.push_back(random.between(-1, 1));
    for (const double t : terms) scaled.push_back(std::ldexp(t, 40));
    EXPECT_EQ(sum_of(scaled), std::ldexp(sum_of(terms), 40));
}

}  // namespace
}  // namespace wale
