// euler_cells_test - what the flow solver computes of one cell: gradients, limiters, steps, smoothing.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "solvers/euler/advance/system.hpp"
#include "unit/euler_gas.hpp"

namespace wale::euler {
namespace {

mesh box_of(cell_shape shape, index_t size) {
    return generate_mesh({.kind = mesh_kind::box, .size = size, .shape = shape, .distortion = 0.25});
}
euler_options all_far(const mesh& m) {
    euler_options o;
    for (const std::string& p : m.patches) o.patches.push_back({p, euler_boundary::far_field});
    return o;
}
std::vector<double> states_of(const flow_system& s, const auto& primitive) {
    const auto k = constants_of<double>(s);
    std::vector<double> all;
    for (index_t i = 0; i < s.cells(); ++i) {
        const double* x = &s.grid.centre[static_cast<std::size_t>(3 * i)];
        const auto g = point_from(primitive(0, x), primitive(1, x), primitive(2, x), primitive(3, x),
                                  primitive(4, x), k);
        all.insert(all.end(), {g.rho, g.rho * g.u, g.rho * g.v, g.rho * g.w, g.energy});
    }
    return all;
}
/// Whether a cell has no boundary within two rings.
bool is_inner(const mesh& m, index_t cell, int rings = 2) {
    for (index_t r = m.first_face[static_cast<std::size_t>(cell)];
         r < m.first_face[static_cast<std::size_t>(cell) + 1]; ++r) {
        const std::int32_t other = m.neighbour[static_cast<std::size_t>(r)];
        if (is_patch(other) || (rings > 1 && !is_inner(m, other, rings - 1))) return false;
    }
    return true;
}

class euler_gradients : public testing::TestWithParam<cell_shape> {};
INSTANTIATE_TEST_SUITE_P(shapes, euler_gradients,
                         testing::Values(cell_shape::triangle, cell_shape::quadrilateral,
                                         cell_shape::tetrahedron, cell_shape::prism, cell_shape::hexahedron),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(euler_gradients, of_linear_fields_are_exact) {
    const mesh m = box_of(GetParam(), dimensions_of(GetParam()) == 2 ? 400 : 3000);
    euler_options o = all_far(m);
    o.scheme.limiter = euler_limiter::none;
    const flow_system s(m, o);
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    const bool flat = m.dimensions == 2;
    const auto slope = [&](int v, int d) {
        return flat && (d == 2 || v == 3) ? 0 : 0.01 * (v + 1) - 0.02 * d;
    };
    const auto value = [&](int v, const double* x) {
        return (v == 3 && flat ? 0 : 2.0) + slope(v, 0) * x[0] + slope(v, 1) * x[1] + slope(v, 2) * x[2];
    };
    const std::vector<double> states = states_of(s, value);
    int inner = 0;
    for (index_t i = 0; i < s.cells(); ++i) {
        if (!is_inner(s.grid, i)) continue;
        ++inner;
        const auto g = cell_gradient(arrays.grid, cell_major_states<double>{states.data()}, i, k);
        for (int v = 0; v < variables; ++v)
            for (int d = 0; d < 3; ++d)
                ASSERT_NEAR(g.at[v][d], slope(v, d), 1e-12) << i << ' ' << v << ' ' << d;
    }
    EXPECT_GT(inner, 100);
}

TEST_P(euler_gradients, that_are_limited_make_no_new_extremes) {
    const mesh m = box_of(GetParam(), 500);
    numbers random;
    const auto value = [&](int v, const double*) {
        return m.dimensions == 2 && v == 3 ? 0.0 : random.between(0.5, 2);
    };
    for (const euler_limiter limiter : {euler_limiter::barth_jespersen, euler_limiter::venkatakrishnan}) {
        euler_options o = all_far(m);
        o.scheme.limiter = limiter;
        o.scheme.limiter_k = 0;
        const flow_system s(m, o);
        const host_arrays<double> arrays(s);
        const auto k = constants_of<double>(s);
        const std::vector<double> raw = states_of(s, value);
        const cell_major_states<double> states{raw.data()};
        for (index_t i = 0; i < s.cells(); ++i) {
            const auto own = states.point(i, k);
            const auto g = cell_gradient(arrays.grid, states, i, k);
            value_range<double> range(primitives_of(own));
            for (index_t r = arrays.grid.begin(i); r < arrays.grid.end(i); ++r)
                range.add(behind(arrays.grid, states, own, r, k).values);
            for (index_t r = arrays.grid.begin(i); r < arrays.grid.end(i); ++r) {
                double x[3];
                arrays.grid.offset(r, x);
                const auto p = primitives_of(carried_to(own, g, x, k));
                for (int v = 0; v < variables; ++v) {
                    ASSERT_GE(p.at[v], range.least[v] - 1e-13);
                    ASSERT_LE(p.at[v], range.most[v] + 1e-13);
                }
            }
        }
    }
}

TEST(euler_gradients, along_a_direction_without_neighbours_are_zero) {
    normal_equations<double> e;
    const primitives<double> own{{1, 1, 1, 1, 1}}, other{{2, 3, 4, 5, 6}};
    const double d[3] = {0, 3, 4};
    e.add(d, own, other);
    const auto g = e.solved();
    for (int v = 0; v < variables; ++v) {
        EXPECT_EQ(g.at[v][0], 0);
        EXPECT_NEAR(along(g.at[v], d), v + 1, 1e-14);  // what it can know, it knows
    }
    const auto none = normal_equations<double>().solved();
    for (const auto& v : none.at)
        for (const double x : v) EXPECT_EQ(x, 0);
}

TEST(euler_gradients, that_would_make_no_gas_are_left_out) {
    const auto k = air<double>();
    const auto g = point_from<double>(1, 1, 0, 0, 1, k);
    gradient_of<double> slope{};
    slope.at[1][0] = 1;
    const double x[3] = {1, 0, 0};
    EXPECT_EQ(carried_to(g, slope, x, k).u, 2);
    slope.at[4][0] = -1;  // the pressure would be 0
    EXPECT_EQ(carried_to(g, slope, x, k).u, 1);
    EXPECT_EQ(pressure_at(g, slope, x), 1);
    slope.at[4][0] = std::nan("");
    EXPECT_EQ(carried_to(g, slope, x, k).u, 1);
}

TEST(euler_steps, of_a_square_are_its_side_over_its_waves) {
    const mesh m = generate_mesh({.kind = mesh_kind::box, .size = 100, .shape = cell_shape::quadrilateral});
    euler_options o = all_far(m);
    o.scheme.cfl = 0.5;
    const flow_system s(m, o);
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    const auto g = point_from<double>(1.4, 3, -2, 0, 1, k);  // c = 1
    const double step = step_over_volume(euler_step::local, arrays.grid, g, 0, k) * arrays.volumes[0];
    EXPECT_NEAR(step, 0.5 * 1 / (3 + 2 + 1 + 1), 1e-14);  // sides are 1
    const double published = step_over_volume(euler_step::rodinia, arrays.grid, g, 0, k);
    EXPECT_NEAR(published, 0.5 / (std::sqrt(arrays.volumes[0]) * (std::sqrt(13.0) + 1)), 1e-14);
}

TEST(euler_smoothing, sums_to_the_same_and_solves_its_equation) {
    const mesh m = box_of(cell_shape::triangle, 200);
    euler_options o = all_far(m);
    o.scheme.smoothing_factor = 0.5;
    const flow_system s(m, o);
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    numbers random;
    std::vector<flux_of<double>> rough(static_cast<std::size_t>(s.cells()));
    for (auto& f : rough)
        for (double& v : f.at) v = random.between(-1, 1);
    auto smooth = rough, next = rough;
    for (int sweep = 0; sweep < 100; ++sweep) {
        for (index_t i = 0; i < s.cells(); ++i)
            next[static_cast<std::size_t>(i)] = smoothed(arrays.grid, rough.data(), smooth.data(), i, k);
        std::swap(smooth, next);
    }
    double before = 0, after = 0, swing = 0;
    for (std::size_t i = 0; i < rough.size(); ++i) {
        before += rough[i].at[0];
        after += smooth[i].at[0];
        swing += std::fabs(smooth[i].at[0]);
        double left = smooth[i].at[0];
        for (index_t r = s.grid.first_face[i]; r < s.grid.first_face[i + 1]; ++r) {
            const std::int32_t other = s.grid.neighbour[static_cast<std::size_t>(r)];
            if (!is_patch(other))
                left += 0.5 * (smooth[i].at[0] - smooth[static_cast<std::size_t>(other)].at[0]);
        }
        EXPECT_NEAR(left, rough[i].at[0], 1e-12);
    }
    EXPECT_NEAR(before, after, 1e-11);
    EXPECT_LT(swing, 0.6 * static_cast<double>(rough.size()) / 2);
}

TEST(euler_smoothing, is_refused_where_time_matters) {
    const mesh m = box_of(cell_shape::quadrilateral, 16);
    euler_options o = all_far(m);
    o.scheme.step = euler_step::global;
    o.scheme.smoothing = 2;
    EXPECT_NO_THROW(flow_system(m, o));
    o.end_time = 1;
    EXPECT_THROW(flow_system(m, o), bad_argument);
    o.scheme.smoothing = 0;
    EXPECT_NO_THROW(flow_system(m, o));
}

}  // namespace
}  // namespace wale::euler
