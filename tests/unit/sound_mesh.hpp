// sound_mesh - what every mesh must be.
#pragma once

#include <gtest/gtest.h>

#include <vector>
#include <wale/mesh_tools.hpp>

namespace wale {

inline double total(const std::vector<double>& all) {
    double sum = 0;
    for (const double v : all) sum += v;
    return sum;
}

inline void expect_sound(const mesh& m) {
    const mesh_report r = inspect(m);
    EXPECT_EQ(r.verdict, "");
    EXPECT_LE(r.closure, 1e-15);
    EXPECT_EQ(r.reciprocity, 0);
    EXPECT_LE(r.gauss, 1e-12);
    EXPECT_EQ(r.parts, m.cells() == 0 ? 0 : 1);
}

}  // namespace wale
