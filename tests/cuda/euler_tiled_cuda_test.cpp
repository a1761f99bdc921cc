// cuda/tiled against the plain loops: meshes of all sizes, closed and open, in any order; and the same bits
// however a run is cut.
#include <gtest/gtest.h>

#include <cmath>
#include <wale/error.hpp>
#include <wale/euler.hpp>
#include <wale/mesh_tools.hpp>

#include "agreement/flow_meshes.hpp"
#include "solvers/euler/advance/cuda/tiled/tuning.hpp"
#include "tuning_rows.hpp"

namespace wale {
namespace {

using states = std::vector<euler_state>;

class TiledFlows : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

mesh shell(index_t size, bool shuffled = false) {
    mesh_recipe r;
    r.size = size;
    r.shuffled = shuffled;
    return generate_mesh(r);
}

/// Faces a little larger than closed cells have, alike from both sides.
mesh opened(mesh m) {
    for (index_t row = 0; row < m.rows(); ++row) {
        const std::int32_t n = m.neighbour[static_cast<std::size_t>(row)];
        if (is_patch(n) || (row / 4 + n) % 7 != 0) continue;
        for (index_t i = 3 * row; i < 3 * row + 3; ++i) m.normal[static_cast<std::size_t>(i)] *= 1.00005;
    }
    return m;
}

euler_options published(scalar precision) {
    euler_options o;
    o.scheme = euler_scheme::rodinia();
    o.precision = precision;
    o.stream.alpha = 2;
    o.stream.beta = 1;
    return o;
}

states after(const mesh& m, const euler_options& o, const execution& where, const std::string& variant,
             index_t iterations) {
    euler_case c(m, o);
    c.run(where, iterations, variant);
    return c.state();
}

/// Largest difference over the largest value of the variable; of momentum over that of all three.
double distance(const states& a, const states& b) {
    double worst = 0;
    euler_state most{};
    for (const euler_state& s : b)
        for (std::size_t v = 0; v < 5; ++v) most[v] = std::max(most[v], std::fabs(s[v]));
    most[1] = most[2] = most[3] = std::max({most[1], most[2], most[3]});
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t v = 0; v < 5; ++v) {
            const double d = std::fabs(a[i][v] - b[i][v]) / most[v];
            if (!(d <= worst)) worst = d;
        }
    return worst;
}

void compare(const mesh& m, index_t iterations) {
    SCOPED_TRACE(std::to_string(m.cells()) + " cells");
    const states truth = after(m, published(scalar::f64), on_reference{}, "plain", iterations);
    EXPECT_LE(distance(after(m, published(scalar::f64), on_cuda{}, "tiled", iterations), truth), 1e-12);
    EXPECT_LE(distance(after(m, published(scalar::f32), on_cuda{}, "tiled", iterations), truth), 1e-5);
}

TEST_F(TiledFlows, AgreeWithThePlainLoops) {
    compare(mesh{}, 3);
    compare(agreement::one_cell({{"wall", {0, 3}, {0, 1, 2}}}), 50);
    compare(shell(24), 2);  // so coarse that the published step is too long: rounding grows tenfold a step
    for (const index_t size : {200, 3000}) compare(shell(size), 61);
    compare(shell(40000, true), 20);
}

TEST_F(TiledFlows, OfCellsThatDoNotClose) {
    const mesh m = opened(shell(3000));
    compare(m, 30);
    euler_case c(m, published(scalar::f64));
    EXPECT_NE(c.run(on_cuda{}, 1, "tiled").run.policy.find("open"), std::string::npos);
}

TEST_F(TiledFlows, WithEveryPolicy) {
    const mesh m = shell(12000);
    for (const scalar precision : {scalar::f32, scalar::f64}) {
        const euler_options o = published(precision);
        const states first = after(m, o, on_cuda{}, "tiled", 25);
        const int bytes = precision == scalar::f32 ? 4 : 8;
        for (const std::size_t row : tuning::compiled_rows(euler::tiled_policies, bytes)) {
            const tuning::scoped_override choice("euler/advance/tiled=" + std::to_string(row));
            EXPECT_EQ(after(m, o, on_cuda{}, "tiled", 25), first) << row;
        }
    }
}

TEST_F(TiledFlows, HaveTheSameBitsHoweverTheyAreCutOrNumbered) {
    const mesh m = shell(5000);
    for (const scalar precision : {scalar::f32, scalar::f64}) {
        euler_options o = published(precision);
        const states whole = after(m, o, on_cuda{}, "tiled", 60);
        EXPECT_EQ(after(m, o, on_cuda{}, "tiled", 60), whole);
        euler_case pieces(m, o);
        for (const index_t n : {1, 0, 24, 3, 20, 12}) pieces.run(on_cuda{}, n, "tiled");
        EXPECT_EQ(pieces.state(), whole);

        euler_case again(m, o);
        again.set_state(after(m, o, on_cuda{}, "tiled", 37), 37);
        again.run(on_cuda{}, 23, "tiled");
        EXPECT_EQ(again.state(), whole);

        for (const cell_order order : {cell_order::random, cell_order::hilbert}) {
            o.order = order;
            EXPECT_EQ(after(m, o, on_cuda{}, "tiled", 60), whole) << name_of(order);
        }
    }
}

TEST_F(TiledFlows, RefuseWhatTheyDoNotCompute) {
    const auto refused = [](const mesh& m, const euler_options& o) {
        EXPECT_THROW(after(m, o, on_cuda{}, "tiled", 1), unsupported_variant);
    };
    euler_options o = published(scalar::f64);
    o.scheme.flux = euler_flux::hllc;
    refused(shell(200), o);
    o = published(scalar::f64);
    o.scheme.smoothing = 2;
    refused(shell(200), o);
    o = published(scalar::f64);
    o.layout = euler_layout::variable_major;
    refused(shell(200), o);
    mesh_recipe squares;
    squares.kind = mesh_kind::box;
    squares.shape = cell_shape::triangle;
    squares.size = 200;
    o = published(scalar::f64);
    for (const char* side : {"left", "right", "bottom", "top"})
        o.patches.push_back({side, euler_boundary::far_field, {}});
    refused(generate_mesh(squares), o);
}

}  // namespace
}  // namespace wale
