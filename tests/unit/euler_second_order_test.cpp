// euler_second_order_test - the tiles of cuda/second_order on the host, each a block of one thread: they
// agree with the reference, and neither the size of the tiles nor the numbering of cells changes a bit.
#include <gtest/gtest.h>

#include <array>
#include <vector>
#include <wale/wale.hpp>

#include "agreement/flow_rows.hpp"
#include "solvers/euler/advance/cuda/second_order/plan.hpp"
#include "solvers/euler/advance/cuda/second_order/stage.hpp"

namespace wale {
namespace {

using namespace agreement;
using namespace euler;

/// A flow on tiles, by the kernel's own passes.
template <euler_flux Flux, class Real, bool Apart = false>
class tiled_flow {
public:
    tiled_flow(const flow_system& system, const std::vector<euler_state>& states, index_t own)
        : system_(system),
          host_(system),
          plan_(second_order::plan_of<Real>(system, own, 1, 1 << 20)),
          step_(plan_.order.size()),
          values_(plan_.order.size() * second_order::face_values<Real>::count),
          memory_(
              static_cast<std::size_t>(second_order::bytes_of<Real>(plan_.most_places, plan_.most_faces)) /
                  sizeof(second_order::chunk) +
              1) {
        for (std::size_t v = 0; v < variables; ++v)
            for (const std::int32_t cell : plan_.order)
                old_.push_back(static_cast<Real>(states[static_cast<std::size_t>(cell)][v]));
        between_.resize(old_.size());
        for (auto& r : records_) r = plan_.records;
        each_tile(stages - 1, [&](const auto& pass) { pass.publish_all(old_.data()); });
    }
    void advance(int iterations) {
        for (int i = 0; i < iterations; ++i)
            for (int stage = 0; stage < stages; ++stage) {
                if (Apart)
                    each_tile(stage, [&](const auto& pass) {
                        pass.fetch([] {});
                        pass.gradients(pass.links_ahead(0));
                    });
                each_tile(stage, [&](const auto& pass) {
                    if constexpr (Apart) {
                        pass.fetch_sides();
                    } else {
                        pass.fetch([] {});
                        pass.gradients(pass.links_ahead(0));
                    }
                    const auto own = pass.ahead(0);
                    pass.fluxes(pass.area_ahead(0));
                    pass.move(system_.options.scheme.fixed_step, own);
                });
            }
    }
    [[nodiscard]] std::vector<euler_state> state() const {
        std::vector<euler_state> out(plan_.order.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            for (std::size_t v = 0; v < variables; ++v)
                out[static_cast<std::size_t>(plan_.order[i])][v] =
                    static_cast<double>(old_[v * out.size() + i]);
        return out;
    }
    [[nodiscard]] std::size_t tiles() const { return plan_.tiles.size(); }

private:
    template <class F>
    void each_tile(int stage, F&& use) {
        const auto s = static_cast<std::size_t>(stage);
        second_order::task<Real> t{};
        t.tiles = plan_.tiles.data();
        t.halo = plan_.halo.data();
        t.rows = plan_.rows;
        t.links = plan_.links.data();
        t.geometry = plan_.geometry.data();
        t.areas = plan_.areas.data();
        t.patches = plan_.patches.data();
        t.volumes = plan_.volumes.data();
        t.values = values_.data();
        t.cells = static_cast<index_t>(plan_.order.size());
        t.now = records_[s].data();
        t.next = records_[(s + 1) % stages].data();
        t.old = old_.data();
        t.from = between_.data();
        t.moved = stage == stages - 1 ? old_.data() : between_.data();
        t.step = step_.data();
        t.local = !(system_.options.scheme.fixed_step > 0);
        t.kinds = host_.kinds.data();
        t.said = host_.said.data();
        t.k = constants_of<Real>(system_);
        t.inverse_gamma_1 = Real(1) / t.k.gamma_1;
        t.rule = system_.options.scheme.step;
        t.stage = stage;
        t.most_places = plan_.most_places;
        for (const second_order::tile& one : plan_.tiles)
            use(second_order::tile_stage<Flux, Real, Apart>(t, one, reinterpret_cast<char*>(memory_.data()),
                                                            0, 1));
    }

    const flow_system& system_;
    host_arrays<Real> host_;
    second_order::plan<Real> plan_;
    std::array<std::vector<second_order::record<Real>>, stages> records_;
    std::vector<Real> old_, between_, step_;
    std::vector<second_order::chunk> values_;
    std::vector<second_order::chunk> memory_;
};

struct flow_case {
    const char* name;
    mesh grid;
    euler_options options;
};

std::vector<flow_case> flow_cases() {
    std::vector<flow_case> all;
    euler_options o;
    o.scheme.time = euler_time::jameson;
    o.scheme.limiter = euler_limiter::venkatakrishnan;
    o.scheme.cfl = 0.5;
    o.stream.alpha = 3;
    all.push_back({"shell", generate_mesh({.size = 900}), o});
    o.scheme.time = euler_time::ssp_rk3;
    all.push_back({"shuffled_shell", generate_mesh({.size = 2000, .shuffled = true}), o});
    o.scheme.limiter = euler_limiter::barth_jespersen;
    o.stream.mach = 0.5;
    o.scheme.fixed_step = 1e-3;
    all.push_back(
        {"bump", generate_mesh({.kind = mesh_kind::bump, .size = 400, .shape = cell_shape::tetrahedron}), o});
    o.scheme.fixed_step = 0;
    o.scheme.limiter = euler_limiter::none;
    o.stream.beta = 2;  // else a face lies along the flow, which then leaves or enters there by rounding
    all.push_back({"one_cell", agreement::one_cell(), o});
    return all;
}

template <euler_flux Flux, class Real>
void agrees(const flow_case& c) {
    euler_options o = c.options;
    o.scheme.flux = Flux;
    o.precision = sizeof(Real) == 4 ? scalar::f32 : scalar::f64;
    SCOPED_TRACE(std::string(c.name) + " " + label(o));
    constexpr int iterations = 5;
    euler_case truth = begun(c.grid, o);
    (void)truth.run(on_reference{}, iterations, "reference/plain");
    const flow_system system(c.grid, o);
    ASSERT_EQ(second_order::why_no_plan(system), "");
    const std::vector<euler_state> states = waves(c.grid, o.stream);
    tiled_flow<Flux, Real> flow(system, states, 100);
    flow.advance(iterations);
    EXPECT_LE(difference(flow.state(), truth.state()), tolerance(o.precision));
    // One tile, many small ones, and another numbering.
    for (const index_t own : {1000000, 40}) {
        tiled_flow<Flux, Real> other(system, states, own);
        other.advance(iterations);
        EXPECT_EQ(other.state(), flow.state()) << other.tiles();
    }
    // Gradients by themselves.
    tiled_flow<Flux, Real, true> apart(system, states, 100);
    apart.advance(iterations);
    EXPECT_EQ(apart.state(), flow.state());
    o.order = cell_order::random;
    const flow_system shuffled(c.grid, o);
    tiled_flow<Flux, Real> other(shuffled, shuffled.to_computed(states), 100);
    other.advance(iterations);
    EXPECT_EQ(shuffled.to_mesh_order(other.state()), flow.state());
}

TEST(euler_second_order, tiles_agree_with_the_reference) {
    for (const flow_case& c : flow_cases()) {
        agrees<euler_flux::hllc, float>(c);
        agrees<euler_flux::hllc, double>(c);
        agrees<euler_flux::roe, double>(c);
        agrees<euler_flux::rusanov, float>(c);
        agrees<euler_flux::central, double>(c);
    }
}

TEST(euler_second_order, refuses_meshes_that_tiles_cannot_place) {
    euler_options o;
    o.periodic = {{"left", "right"}, {"bottom", "top"}, {"front", "back"}};
    const mesh box = generate_mesh({.kind = mesh_kind::box, .size = 512, .shape = cell_shape::tetrahedron});
    const flow_system joined(box, o);
    EXPECT_EQ(second_order::why_no_plan(joined), "has no periodic patches");
    // Cells far away from the origin are placed; those that are much smaller than others are not.
    mesh far = generate_mesh({.size = 100});
    for (std::size_t i = 0; i < far.centre.size(); ++i) far.centre[i] += 3e4;
    o = {};
    o.precision = scalar::f32;
    EXPECT_EQ(second_order::why_no_plan(flow_system(far, o)), "");
    mesh_elements pairs;  // two cells side by side, and two a million times smaller
    for (const double size : {1.0, 1e-6}) {
        const auto first = static_cast<std::int32_t>(pairs.points.size() / 3);
        for (const double x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}) pairs.points.push_back(size * (x + size));
        for (const int corner : {0, 1, 2, 3, 4, 1, 3, 2}) pairs.corners.push_back(first + corner);
    }
    pairs.shapes.assign(4, cell_shape::tetrahedron);
    pairs.first_corner = {0, 4, 8, 12, 16};
    EXPECT_EQ(second_order::why_no_plan(flow_system(build_mesh(pairs), o)),
              "needs cells of some size beside the largest");
    o.precision = scalar::f64;
    EXPECT_EQ(second_order::why_no_plan(flow_system(far, o)), "");
}

}  // namespace
}  // namespace wale
