// flow_outcome - what a run of a flow leaves, compared bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <vector>
#include <wale/euler.hpp>

namespace wale::agreement {

struct outcome {
    euler_result result;
    std::vector<euler_state> state;
    std::vector<euler_sample> history;
};

[[nodiscard]] inline std::vector<std::uint64_t> bits_of(const std::vector<euler_sample>& history) {
    std::vector<std::uint64_t> bits;
    const auto add = [&](double v) { bits.push_back(std::bit_cast<std::uint64_t>(v)); };
    for (const euler_sample& s : history) {
        for (const double v : {static_cast<double>(s.iteration), s.time, s.lift, s.drag, s.side}) add(v);
        for (const double v : s.residual) add(v);
        for (const double v : s.moment) add(v);
        for (const double v : s.total) add(v);
    }
    return bits;
}

inline void expect_same(const outcome& a, const outcome& b) {
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(bits_of(a.history), bits_of(b.history));
    EXPECT_EQ(a.result.end, b.result.end);
    EXPECT_EQ(a.result.bad_cell, b.result.bad_cell);
    EXPECT_EQ(a.result.bad_iteration, b.result.bad_iteration);
}

}  // namespace wale::agreement
