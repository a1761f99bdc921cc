// euler_newton_test - Newton's method comes to the steady flow of the scheme, soon, by defaults alone; no
// number of threads, no numbering and no unit changes a bit; what it cannot do it refuses.
#include <gtest/gtest.h>

#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/flow_rows.hpp"
#include "thinned.hpp"

namespace wale {
namespace {

using agreement::naca_0012;
using agreement::shell;

mesh bump(cell_shape shape, index_t size) {
    return generate_mesh({.kind = mesh_kind::bump, .size = size, .shape = shape});
}
euler_options stream(double mach, double alpha) {
    euler_options o;
    o.stream.mach = mach;
    o.stream.alpha = alpha;
    o.stop_decades = 6;
    return o;
}

/// With steps far from the steady flow and near it, on triangles, quadrilaterals and tetrahedra.
TEST(euler_newton, levels_have_the_bits_of_the_reference) {
    using enum euler_limiter;
    for (const auto& [m, iterations, limiter] :
         {std::tuple{naca_0012(24, 10), 9, automatic},
          std::tuple{bump(cell_shape::quadrilateral, 60), 6, automatic}, std::tuple{shell(300), 3, automatic},
          std::tuple{naca_0012(24, 10), 4, barth_jespersen}, std::tuple{shell(300), 2, barth_jespersen}})
        for (const int order : {1, 2}) {
            euler_options o = stream(0.5, 1);
            o.scheme.order = order;
            o.scheme.limiter = limiter;
            o.stop_decades = 14;
            euler_case plain(m, o), levels(m, o);
            EXPECT_EQ(plain.run(on_reference{}, iterations).run.variant, std::string("reference/plain"));
            EXPECT_EQ(levels.run(on_cpu{2}, iterations, "levels").run.variant, std::string("cpu/levels"));
            EXPECT_EQ(plain.state(), levels.state()) << m.cells() << " cells, order " << order;
            EXPECT_LT(levels.history().back().residual[0], 0.5 * levels.history().front().residual[0]);
        }
}

/// Of a stream that is fast enough to blend shocks, from a start that overturns the cells at the nose.
TEST(euler_newton, levels_have_the_bits_of_the_reference_near_strong_shocks) {
    const mesh m = naca_0012(24, 10);
    for (const int order : {1, 2}) {
        euler_options o = stream(4, 1);
        o.scheme.order = order;
        euler_case plain(m, o), levels(m, o);
        (void)plain.run(on_reference{}, 9);
        (void)levels.run(on_cpu{2}, 9, "levels");
        EXPECT_EQ(plain.state(), levels.state()) << "order " << order;
        o.scheme.shocks = euler_shocks::plain;
        euler_case other(m, o);
        (void)other.run(on_cpu{2}, 9, "levels");
        EXPECT_NE(other.state(), levels.state()) << "the shock is strong enough to be blended";
    }
}

TEST(euler_newton, neither_threads_nor_numbering_nor_pieces_change_a_bit) {
    const mesh m = naca_0012(32, 12);
    euler_options o = stream(0.8, 1.25);
    euler_case whole(m, o);
    (void)whole.run(on_cpu{1}, 10);
    for (const cell_order order : {cell_order::natural, cell_order::random, cell_order::hilbert}) {
        o.order = order;
        euler_case pieces(m, o);
        for (const int threads : {1, 2, 3, 1}) {
            (void)pieces.run(on_cpu{threads}, threads == 3 ? 4 : 2);
            (void)pieces.state();  // ends the session
        }
        EXPECT_EQ(pieces.state(), whole.state()) << name_of(order);
        EXPECT_EQ(pieces.history().back().residual, whole.history().back().residual) << name_of(order);
    }
}

/// The dissipation of `central` is too little for blocks of its own: the flow stood still at one decade.
TEST(euler_newton, brings_flux_central_to_rest) {
    const mesh m = naca_0012(24, 10);
    for (const char* row : {"levels", "colours"})
        for (const int order : {1, 2}) {
            euler_options o = stream(0.63, 2);
            o.scheme.flux = euler_flux::central;
            o.scheme.order = order;
            euler_case c(m, o);
            EXPECT_EQ(c.run(on_cpu{2}, 60, row).end, euler_end::residual) << row << " order " << order;
        }
}

/// With three neighbours a triangle's flows stood still at a decade or two, and without limit_roundly() those
/// with Barth and Jespersen's bound.
TEST(euler_newton, brings_each_limiter_to_rest) {
    WALE_ASKS_FOR_NUMBERS();
    const mesh foil = naca_0012(40, 14), wing = shell(1000), low = bump(cell_shape::quadrilateral, 500);
    for (const auto& [m, mach, alpha] :
         {std::tuple{&foil, 0.8, 1.25}, std::tuple{&wing, 0.84, 3.0}, std::tuple{&low, 0.4, 0.0}})
        for (const euler_limiter limiter : {euler_limiter::barth_jespersen, euler_limiter::venkatakrishnan}) {
            euler_options o = stream(mach, alpha);
            o.scheme.limiter = limiter;
            euler_case c(*m, o);
            const euler_result r = c.run(on_cpu{2}, 60);
            EXPECT_EQ(r.end, euler_end::residual)
                << name_of(limiter) << " at Mach " << mach << ": " << r.decades << " decades";
            EXPECT_EQ(verdict_of(c).flaw, "") << "measured as the plain loops measure";
        }
}

/// A drag that is to rest asks for a steady flow as decades do.
TEST(euler_newton, is_chosen_where_the_drag_is_to_rest) {
    const mesh m = naca_0012(24, 10);
    euler_options o = stream(0.63, 2);
    euler_case truth(m, o);
    (void)truth.run(on_cpu{2}, 60);
    o.stop_decades = 0;
    o.stop_force = 1e-6;
    euler_case c(m, o);
    const euler_result r = c.run(on_cpu{2}, 60);
    EXPECT_EQ(r.end, euler_end::force);
    EXPECT_EQ(c.options().scheme.time, euler_time::newton);
    EXPECT_EQ(std::ssize(r.history), r.iterations + 1) << "each cycle is measured";
    const double drag = truth.history().back().drag;
    EXPECT_NEAR(r.history.back().drag, drag, 1e-5 * drag);
    o.scheme.cfl = 0.7;  // a word of explicit stages
    euler_case stages(m, o);
    (void)stages.run(on_cpu{2}, 10);
    EXPECT_EQ(stages.options().scheme.time, euler_time::jameson);
}

TEST(euler_newton, units_change_no_digit) {
    const mesh m = naca_0012(24, 10);
    euler_options o = stream(0.63, 2);
    euler_case one(m, o);
    (void)one.run(on_cpu{1}, 8);
    o.stream.density *= 8;
    o.stream.pressure *= 32;  // sound is twice as fast
    euler_case other(m, o);
    (void)other.run(on_cpu{1}, 8);
    const std::vector<euler_state>& a = one.state();
    const std::vector<euler_state>& b = other.state();
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_EQ(b[i], (euler_state{8 * a[i][0], 16 * a[i][1], 16 * a[i][2], 16 * a[i][3], 32 * a[i][4]}));
}

/// No option but the stream's and the stop rule; the steady flow is one of explicit stages, too.
TEST(euler_newton, settles_by_defaults) {
    WALE_ASKS_FOR_NUMBERS();
    const mesh foil = naca_0012(60, 22), low = bump(cell_shape::triangle, 500);
    for (const auto& [m, mach, alpha] :
         {std::tuple{&foil, 0.8, 1.25}, std::tuple{&foil, 0.63, 2.0}, std::tuple{&foil, 1.2, 7.0},
          std::tuple{&low, 0.3, 0.0}, std::tuple{&low, 0.5, 0.0}, std::tuple{&low, 2.0, 0.0}}) {
        euler_options o = stream(mach, alpha);
        euler_case c(*m, o);
        const euler_result r = c.run(on_cpu{2}, 150);
        ASSERT_EQ(r.end, euler_end::residual) << mach << ", " << r.decades << " decades";
        EXPECT_EQ(c.options().scheme.limiter, euler_limiter::smooth);
        o.scheme.time = euler_time::jameson;
        o.scheme.limiter = euler_limiter::smooth;
        o.stop_decades = 0;
        euler_case stages(*m, o);
        stages.set_state(c.state());
        const double drag = stages.run(on_cpu{2}, 50, "cpu/one_pass").history.back().drag;
        EXPECT_NEAR(drag, r.history.back().drag, 1e-5) << mach;
    }
}

TEST(euler_newton, explicit_stages_stay_where_they_are_asked_for) {
    const mesh m = naca_0012(12, 4);
    const auto time_of = [&](const euler_options& o, const std::string& variant = "automatic") {
        euler_case c(m, o);
        (void)c.run(on_cpu{1}, 1, variant);
        return c.options().scheme.time;
    };
    euler_options o = stream(0.5, 0);
    EXPECT_EQ(time_of(o), euler_time::newton);
    EXPECT_EQ(time_of(o, "one_pass"), euler_time::jameson);
    euler_options other = o;
    other.stop_decades = 0;
    EXPECT_EQ(time_of(other), euler_time::jameson);
    other = o;
    other.scheme.levels = 2;
    EXPECT_EQ(time_of(other), euler_time::jameson);
    other = o;
    other.precision = scalar::f32;
    EXPECT_EQ(time_of(other), euler_time::jameson);
    other = o;
    other.scheme.cfl = 0.5;
    EXPECT_EQ(time_of(other), euler_time::jameson);
    o.scheme.time = euler_time::newton;
    EXPECT_THROW((void)time_of(o, "one_pass"), unsupported_variant);
    o.scheme.smoothing = 2;
    EXPECT_THROW((void)time_of(o), bad_argument);
    o = stream(0.5, 0);
    o.scheme.time = euler_time::newton;
    o.scheme.step = euler_step::global;
    EXPECT_THROW((void)time_of(o), bad_argument);
}

}  // namespace
}  // namespace wale
