// A flow over several devices has the bits of one, whatever the number of devices and the way in which
// records travel. A device may be named twice, so that one device answers all but what several add.
#include <gtest/gtest.h>

#include <wale/error.hpp>
#include <wale/euler.hpp>
#include <wale/mesh_tools.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/flow_outcome.hpp"
#include "tuning/override.hpp"

namespace wale {
namespace {

using agreement::outcome;

struct question {
    const char* name;
    const char* alone;  // the row of one device that has the same bits
    mesh grid;
    euler_options options;
};

/// By default runs of odd and even numbers of iterations, longer and shorter than a recorded graph.
outcome run_case(const question& q, const execution& where, const char* variant = "automatic",
                 const std::vector<index_t>& runs = {5, 47, 1, 0}) {
    euler_case flow(q.grid, q.options);
    std::vector<euler_state> start = flow.state();
    for (std::size_t i = 0; i < start.size(); i += 7)
        for (double& v : start[i]) v *= 1.02;
    flow.set_state(start);
    outcome out;
    for (const index_t part : runs) out.result = flow.run(where, part, variant);
    out.state = flow.state();
    out.history = flow.history();
    return out;
}

/// Cells that lie in no tiles.
void add_other_cells(std::vector<question>& all, scalar precision) {
    euler_options o;
    o.precision = precision;
    o.check_every = 26;
    o.stream.mach = 0.6;
    o.scheme.cfl = 0.5;
    all.push_back({"triangles", "cuda/fused", agreement::naca_0012(60, 20), o});
    o.scheme.limiter = euler_limiter::smooth;
    all.push_back({"triangles, smooth limiter", "cuda/fused", agreement::naca_0012(50, 16), o});
    o.scheme.limiter = euler_limiter::automatic;
    o.scheme.smoothing = 3;
    all.push_back({"triangles, smoothing", "cuda/fused", agreement::naca_0012(50, 16), o});
    o.scheme.shocks = euler_shocks::blended;
    all.push_back({"triangles, smoothing and shocks", "cuda/fused", agreement::naca_0012(40, 16), o});
    o.scheme.smoothing = 0;
    o.scheme.order = 1;
    all.push_back({"tetrahedra, first order, shocks", "cuda/fused", agreement::shell(3000), o});
    o.scheme.shocks = euler_shocks::automatic;
    all.push_back({"tetrahedra, first order", "cuda/fused", agreement::shell(4000), o});
    o.scheme.flux = euler_flux::roe;
    all.push_back({"hexahedra, first order", "cuda/fused", agreement::box(cell_shape::hexahedron, 1500), o});
    o.scheme.order = 2;
    all.push_back({"hexahedra", "cuda/fused", agreement::box(cell_shape::hexahedron, 1500), o});
    o.scheme.time = euler_time::ssp_rk3;
    o.scheme.step = euler_step::global;
    o.periodic = {{"left", "right"}};
    o.order = cell_order::random;
    all.push_back({"quadrilaterals, global steps", "cuda/fused",
                   generate_mesh({.kind = mesh_kind::box, .size = 900, .shape = cell_shape::quadrilateral}),
                   o});
}

std::vector<question> questions() {
    std::vector<question> all;
    for (const scalar precision : {scalar::f32, scalar::f64}) {
        euler_options o;
        o.precision = precision;
        o.check_every = 26;
        o.stream.alpha = 3;
        o.scheme = euler_scheme::rodinia();
        all.push_back({"published", "cuda/tiled", agreement::shell(9000), o});
        o.scheme = {};
        o.scheme.cfl = 0.5;
        all.push_back({"second order", "cuda/second_order",
                       generate_mesh({.kind = mesh_kind::shell, .size = 9000, .shuffled = true}), o});
        o.scheme.time = euler_time::ssp_rk3;
        o.scheme.step = euler_step::global;
        o.end_time = 1e3;
        all.push_back({"global steps", "cuda/second_order", agreement::shell(7000), o});
        o.scheme.step = euler_step::local;
        o.scheme.fixed_step = 1e-3;
        o.end_time = 0.0105;
        o.stream.mach = 0.5;
        all.push_back(
            {"fixed steps to an end", "cuda/second_order", agreement::box(cell_shape::tetrahedron, 6000), o});
        add_other_cells(all, precision);
    }
    for (question& q : all)
        if (q.grid.patch("left") >= 0)
            q.options.patches = agreement::with_all(q.grid, euler_boundary::far_field).patches;
    return all;
}

class EulerParts : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

TEST_F(EulerParts, HaveTheBitsOfOneDevice) {
    for (const question& q : questions()) {
        SCOPED_TRACE(std::string(q.name) + " " + name_of(q.options.precision));
        const outcome alone = run_case(q, on_cuda{}, q.alone);
        ASSERT_GT(alone.history.size(), 1U);
        for (const std::vector<int>& devices :
             std::vector<std::vector<int>>{{0}, {0, 0}, {0, 0, 0}, {0, 0, 0, 0, 0}}) {
            SCOPED_TRACE(devices.size());
            const outcome found = run_case(q, on_cuda{.devices = devices});
            EXPECT_EQ(found.result.run.variant, "cuda/parts");
            EXPECT_EQ(found.result.run.threads, static_cast<int>(devices.size()));
            expect_same(found, alone);
        }
    }
}

/// Straight and recorded, straight, and by copies.
TEST_F(EulerParts, HoweverRecordsTravel) {
    for (const question& q : questions()) {
        SCOPED_TRACE(std::string(q.name) + " " + name_of(q.options.precision));
        const outcome alone = run_case(q, on_cuda{}, q.alone);
        for (const int row : {0, 1, 2}) {
            const tuning::scoped_override as("euler/advance/parts=" + std::to_string(row));
            const outcome found = run_case(q, on_cuda{.devices = {0, 0, 0}});
            EXPECT_NE(found.result.run.policy.find(row < 2 ? "stores" : "copies"), std::string::npos);
            expect_same(found, alone);
        }
    }
}

TEST_F(EulerParts, OnAllDevicesThatAreThere) {
    std::vector<int> devices;
    const question q = questions()[1];
    const outcome alone = run_case(q, on_cuda{}, q.alone);
    try {
        for (int device = 0; device < 8; ++device) {
            devices.push_back(device);
            for (const int row : {0, 1, 2}) {
                const tuning::scoped_override as("euler/advance/parts=" + std::to_string(row));
                expect_same(run_case(q, on_cuda{.devices = devices}), alone);
            }
        }
    } catch (const bad_argument&) {  // there is no such device
    }
    if (devices.size() < 3) GTEST_SKIP() << "there is one device";
}

TEST_F(EulerParts, MoreDevicesThanCells) {
    question q{"one cell", "cuda/tiled", agreement::one_cell(), {}};
    q.options.scheme = euler_scheme::rodinia();
    expect_same(run_case(q, on_cuda{.devices = {0, 0, 0}}), run_case(q, on_cuda{}, q.alone));
    q.options.scheme = {};
    q.options.scheme.cfl = 0.5;
    expect_same(run_case(q, on_cuda{.devices = {0, 0, 0}}), run_case(q, on_cuda{}, "cuda/second_order"));
}

TEST_F(EulerParts, FindWhereAFlowDiverges) {
    for (question q : questions()) {
        if (q.options.end_time > 0 || q.options.stream.mach < 1) continue;
        q.options.scheme.cfl = 40;
        q.options.check_every = 20;
        const outcome alone = run_case(q, on_cuda{}, q.alone, {200});
        ASSERT_EQ(alone.result.end, euler_end::diverged) << q.name;
        expect_same(run_case(q, on_cuda{.devices = {0, 0}}, "automatic", {200}), alone);
    }
}

/// A flow goes on from one place to another.
TEST_F(EulerParts, TakeOverAFlow) {
    const question q = questions()[0];
    euler_case alone(q.grid, q.options), moved(q.grid, q.options);
    (void)alone.run(on_cuda{}, 33, q.alone);
    (void)moved.run(on_cuda{}, 10, q.alone);
    (void)moved.run(on_cuda{.devices = {0, 0}}, 11);
    (void)moved.run(on_cuda{.devices = {0, 0, 0}}, 12);
    EXPECT_TRUE(moved.state() == alone.state());
}

TEST_F(EulerParts, RefuseWhatTheyDoNotTake) {
    euler_options o;
    const on_cuda two{.devices = {0, 0}};
    const auto refused = [&](const mesh& m, const char* variant = "automatic") {
        euler_case flow(m, o);
        try {
            (void)flow.run(two, 1, variant);
        } catch (const unsupported_variant& e) {
            return std::string(e.what());
        }
        return std::string("was taken");
    };
    const mesh tetrahedra = agreement::shell(500);
    EXPECT_EQ(refused(tetrahedra), "was taken");
    EXPECT_EQ(refused(tetrahedra, "parts"), "was taken");
    EXPECT_NE(refused(tetrahedra, "cuda/graph").find("cuda/graph: computes on one device"),
              std::string::npos);
    const mesh triangles = agreement::box(cell_shape::triangle, 200);
    o.patches = agreement::with_all(triangles, euler_boundary::far_field).patches;
    EXPECT_EQ(refused(triangles), "was taken");
    o.scheme.levels = 2;
    EXPECT_NE(refused(triangles).find("has no multigrid"), std::string::npos);
    o.scheme.levels = 1;
    o.scheme.time = euler_time::newton;
    EXPECT_NE(refused(triangles).find("takes explicit stages"), std::string::npos);
    euler_case flow(tetrahedra, {});
    EXPECT_THROW((void)flow.run(on_cuda{.devices = {0, 1000}}, 1), bad_argument);
    EXPECT_THROW((void)flow.run(on_cuda{}, 1, "parts"), unsupported_variant);
}

}  // namespace
}  // namespace wale
