// euler_resident_cuda_test - cuda/resident against the reference in double: one block, several, all; odd
// sizes, open meshes, boundaries of every kind; the same bits again, in pieces, and after a restart; what it
// refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>
#include <wale/error.hpp>
#include <wale/euler.hpp>
#include <wale/mesh_tools.hpp>

#include "agreement/flow_meshes.hpp"

namespace wale {
namespace {

using agreement::first_cells;
using agreement::shell;

constexpr const char* row = "cuda/resident";

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

euler_options published(scalar precision) {
    euler_options o;
    o.scheme = euler_scheme::rodinia();
    o.scheme.cfl = 0.05;  // small meshes have large cells, for which the published step is too long
    o.precision = precision;
    o.check_every = 0;
    return o;
}

double worst(const std::vector<euler_state>& a, const std::vector<euler_state>& b) {
    double w = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t v = 0; v < 5; ++v) {
            const double d = std::fabs(a[i][v] - b[i][v]) / std::max(1.0, std::fabs(b[i][v]));
            if (!(d <= w)) w = d;
        }
    return w;
}

class EulerResidentCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    static void compare(const mesh& m, euler_options o, index_t iterations) {
        o.precision = scalar::f64;
        euler_case truth(m, o);
        const euler_result expected = truth.run(on_reference{}, iterations);
        ASSERT_EQ(expected.end, euler_end::iterations) << "the case itself is bad";
        for (const scalar precision : {scalar::f64, scalar::f32}) {
            o.precision = precision;
            euler_case flow(m, o);
            const euler_result r = flow.run(on_cuda{}, iterations, row);
            EXPECT_EQ(r.run.variant, row);
            EXPECT_EQ(r.iterations, iterations);
            EXPECT_LE(worst(flow.state(), truth.state()), precision == scalar::f64 ? 1e-12 : 5e-5)
                << m.cells() << " cells, " << r.run.policy;
        }
    }
};

TEST_F(EulerResidentCuda, AnyNumberOfCells) {
    const mesh m = shell(3000);
    for (const index_t cells :
         {0, 1, 2, 3, 5, 31, 32, 33, 63, 95, 96, 97, 191, 192, 193, 500, 767, 1000, 2000})
        compare(first_cells(m, cells), published(scalar::f64), 20);
}

TEST_F(EulerResidentCuda, OneBlockAndMany) {
    for (const index_t size : {100, 190, 700, 5000, 20000}) compare(shell(size), published(scalar::f64), 60);
}

TEST_F(EulerResidentCuda, FullBlocks) {
    const mesh m = shell(97200);
    euler_options o = published(scalar::f64);
    o.scheme.cfl = 0.5;
    compare(m, o, 100);
}

TEST_F(EulerResidentCuda, TrianglesAndQuadrilateralsInAChannel) {
    for (const cell_shape shape : {cell_shape::triangle, cell_shape::quadrilateral})
        for (const euler_flux flux : {euler_flux::rodinia, euler_flux::central}) {
            mesh_recipe r;
            r.kind = mesh_kind::wedge;
            r.size = 1500;
            r.shape = shape;
            euler_options o = published(scalar::f64);
            o.stream.mach = 2;
            o.scheme.flux = flux;
            if (flux == euler_flux::central) o.scheme.time = euler_time::jameson;
            compare(generate_mesh(r), o, 50);
        }
}

TEST_F(EulerResidentCuda, ShuffledCells) {
    mesh_recipe r;
    r.size = 8000;
    r.shuffled = true;
    compare(generate_mesh(r), published(scalar::f64), 40);
}

TEST_F(EulerResidentCuda, TheSameBitsAgainAndInPieces) {
    const mesh m = shell(9000);
    for (const scalar precision : {scalar::f32, scalar::f64}) {
        const euler_options o = published(precision);
        euler_case whole(m, o), again(m, o), pieces(m, o);
        (void)whole.run(on_cuda{}, 120, row);
        (void)again.run(on_cuda{}, 120, row);
        for (const index_t n : {1, 2, 17, 0, 100}) (void)pieces.run(on_cuda{}, n, row);
        EXPECT_EQ(whole.state(), again.state());
        EXPECT_EQ(whole.state(), pieces.state());
    }
}

TEST_F(EulerResidentCuda, TheOrderThatIsComputedInChangesNoBit) {
    const mesh m = shell(5000);
    euler_options o = published(scalar::f32);
    euler_case natural(m, o);
    (void)natural.run(on_cuda{}, 40, row);
    o.order = cell_order::random;
    euler_case other(m, o);
    (void)other.run(on_cuda{}, 40, row);
    EXPECT_EQ(natural.state(), other.state());
}

TEST_F(EulerResidentCuda, RestartsFromAState) {
    const mesh m = shell(9000);
    const euler_options o = published(scalar::f32);
    euler_case whole(m, o), first(m, o), second(m, o);
    (void)whole.run(on_cuda{}, 50, row);
    (void)first.run(on_cuda{}, 30, row);
    second.set_state(first.state(), 30);
    (void)second.run(on_cuda{}, 20, row);
    EXPECT_EQ(whole.state(), second.state());
    EXPECT_EQ(second.iteration(), 50);
}

TEST_F(EulerResidentCuda, ANewStateIsNotMistakenForAnOldOne) {
    const mesh m = shell(9000);
    const euler_options o = published(scalar::f32);
    euler_case flow(m, o), fresh(m, o);
    (void)flow.run(on_cuda{}, 3, row);
    flow.set_state(std::vector<euler_state>(at(m.cells()), o.stream.state()));
    (void)flow.run(on_cuda{}, 7, row);
    (void)fresh.run(on_cuda{}, 7, row);
    EXPECT_EQ(flow.state(), fresh.state());
}

TEST_F(EulerResidentCuda, FindsTheBadCellAndGoesBack) {
    const mesh m = shell(3000);
    euler_options o = published(scalar::f32);
    o.scheme.cfl = 40;  // no flow bears this
    o.check_every = 10;
    euler_case flow(m, o), truth(m, o);
    const euler_result r = flow.run(on_cuda{}, 200, row);
    const euler_result expected = truth.run(on_reference{}, 200);
    ASSERT_EQ(expected.end, euler_end::diverged);
    EXPECT_EQ(r.end, euler_end::diverged);
    EXPECT_GE(r.bad_cell, 0);
    EXPECT_EQ(r.bad_iteration, expected.bad_iteration);
    EXPECT_EQ(flow.iteration(), truth.iteration());
    EXPECT_LE(worst(flow.state(), truth.state()), 1e-4);
}

TEST_F(EulerResidentCuda, RefusesWhatItCannotDo) {
    const auto refused = [](const mesh& m, const euler_options& o) {
        try {
            (void)euler_case(m, o).run(on_cuda{}, 1, row);
        } catch (const unsupported_variant& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    const mesh small = shell(500);
    euler_options o = published(scalar::f32);
    o.scheme.flux = euler_flux::hllc;
    EXPECT_NE(refused(small, o), "");
    o = published(scalar::f32);
    o.scheme.flux = euler_flux::central;
    EXPECT_NE(refused(small, o).find("far field"), std::string::npos);
    o = published(scalar::f32);
    o.scheme.time = euler_time::ssp_rk3;
    EXPECT_NE(refused(small, o), "");
    o = published(scalar::f32);
    o.scheme.smoothing = 2;
    EXPECT_NE(refused(small, o), "");
    o = published(scalar::f32);
    o.scheme.step = euler_step::global;
    EXPECT_NE(refused(small, o), "");
    EXPECT_NE(refused(shell(400000), published(scalar::f32)).find("holds up to"), std::string::npos);
    mesh_recipe r;
    r.kind = mesh_kind::box;
    r.shape = cell_shape::hexahedron;
    r.size = 1000;
    o = published(scalar::f32);
    for (const char* side : {"left", "right", "bottom", "top", "front", "back"})
        if (generate_mesh(r).patch(side) >= 0) o.patches.push_back({side, euler_boundary::far_field, {}});
    EXPECT_NE(refused(generate_mesh(r), o).find("up to 4 faces"), std::string::npos);
}

}  // namespace
}  // namespace wale
