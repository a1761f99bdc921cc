// Several ranks compute one flow: the bits of one, for any number of them. Here ranks are threads; MPI's are
// asked by tests/ranks.
#include <gtest/gtest.h>

#include <wale/error.hpp>
#include <wale/euler.hpp>
#include <wale/mesh_tools.hpp>

#include "agreement/flow_outcome.hpp"

namespace wale {
namespace {

using agreement::outcome;

struct question {
    const char* name;
    mesh_recipe recipe;
    euler_options options;
    index_t iterations = 12;
    int threads = 1;
};

outcome run_case(const question& q, const execution& where, const char* variant, const ranks& group = {}) {
    euler_options o = q.options;
    o.group = group;
    euler_case flow(generate_mesh(q.recipe), o);
    outcome out;
    (void)flow.run(where, q.iterations / 2, variant);
    out.result = flow.run(where, q.iterations - q.iterations / 2, variant);
    out.state = flow.state();
    out.history = flow.history();
    return out;
}

/// What rank 0 of `size` gets, after all were found to get the same.
outcome by_ranks(const question& q, int size, const execution& where) {
    std::vector<outcome> all(static_cast<std::size_t>(size));
    run_ranks(size, [&](const ranks& group) {
        all[static_cast<std::size_t>(group.rank())] = run_case(q, where, "automatic", group);
    });
    for (const outcome& o : all) {
        EXPECT_EQ(o.state, all[0].state);
        EXPECT_EQ(o.history.size(), all[0].history.size());
    }
    return all[0];
}
outcome by_ranks(const question& q, int size) {
    return by_ranks(q, size, on_cpu{q.threads});
}

euler_options options_of(const euler_scheme& scheme, double mach = 1.2) {
    euler_options o;
    o.stream.mach = mach;
    o.stream.alpha = 3;
    o.scheme = scheme;
    o.check_every = 4;
    return o;
}

question published(scalar precision) {
    question q{"published", {.kind = mesh_kind::shell, .size = 2500}, options_of(euler_scheme::rodinia())};
    q.options.precision = precision;
    return q;
}
question second_order() {
    question q{"second_order", {.kind = mesh_kind::shell, .size = 1500, .shuffled = true}, options_of({})};
    q.options.scheme.cfl = 0.5;
    q.threads = 3;
    return q;
}
question first_order_roe() {
    return {"first_order_roe",
            {.kind = mesh_kind::box, .size = 900, .shape = cell_shape::hexahedron},
            options_of({.flux = euler_flux::roe, .order = 1}, 0.4)};
}
question smoothed_triangles() {
    question q{"smoothed_triangles",
               {.kind = mesh_kind::box, .size = 800, .shape = cell_shape::triangle, .distortion = 0.2},
               options_of({.smoothing = 3}, 0.5)};
    q.threads = 2;
    return q;
}
question global_steps() {
    question q{"global_steps",
               {.kind = mesh_kind::box, .size = 700, .shape = cell_shape::quadrilateral},
               options_of({.time = euler_time::ssp_rk3, .step = euler_step::global}, 0.5)};
    q.options.periodic = {{"left", "right"}};
    q.options.end_time = 0.9;
    q.options.order = cell_order::random;
    q.iterations = 40;
    return q;
}

void be_far_field(question& q) {
    for (const std::string& name : generate_mesh(q.recipe).patches)
        if (q.recipe.kind == mesh_kind::box) q.options.patches.push_back({name, euler_boundary::far_field});
}

/// Plain loops on every rank: the reference's own bits.
TEST(EulerRanks, TheReferencesBits) {
    for (question q : {second_order(), first_order_roe(), smoothed_triangles(), global_steps()}) {
        SCOPED_TRACE(q.name);
        be_far_field(q);
        const outcome expected = run_case(q, on_reference{}, "automatic");
        ASSERT_GT(expected.history.size(), 2U);
        for (const int size : {1, 2, 3, 5, 8}) {
            SCOPED_TRACE(size);
            expect_same(by_ranks(q, size), expected);
        }
    }
}

/// Vectors on every rank: no number of ranks, nor of threads, changes a bit.
TEST(EulerRanks, PublishedScheme) {
    for (const scalar precision : {scalar::f64, scalar::f32}) {
        question q = published(precision);
        const outcome truth = run_case(q, on_reference{}, "automatic");
        const outcome alone = by_ranks(q, 1);
        EXPECT_NE(alone.result.run.policy.find("ranks=1"), std::string::npos) << alone.result.run.policy;
        const double close = precision == scalar::f64 ? 1e-12 : 5e-5;
        for (std::size_t i = 0; i < truth.state.size(); ++i)
            for (std::size_t v = 0; v < 5; ++v) ASSERT_NEAR(alone.state[i][v], truth.state[i][v], close * 4);
        for (const int size : {2, 3, 5, 8}) {
            SCOPED_TRACE(size);
            q.threads = size % 3 + 1;
            expect_same(by_ranks(q, size), alone);
        }
    }
}

/// Ranks that share a device: the bits of one.
TEST(EulerRanks, OnTheDevice) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    for (question q : {published(scalar::f64), published(scalar::f32), second_order(), first_order_roe(),
                       smoothed_triangles(), global_steps()}) {
        SCOPED_TRACE(q.name);
        be_far_field(q);
        const outcome truth = run_case(q, on_reference{}, "automatic");
        const outcome alone = by_ranks(q, 1, on_cuda{});
        EXPECT_EQ(alone.result.run.variant, "cuda/ranks");
        const double close = q.options.precision == scalar::f64 ? 1e-11 : 5e-5;
        for (std::size_t i = 0; i < truth.state.size(); ++i)
            for (std::size_t v = 0; v < 5; ++v) ASSERT_NEAR(alone.state[i][v], truth.state[i][v], close * 4);
        for (const int size : {2, 3, 5}) {
            SCOPED_TRACE(size);
            expect_same(by_ranks(q, size, on_cuda{}), alone);
        }
    }
}

/// Newton's method: cycles have the bits of one process, whatever the number of ranks and threads.
TEST(EulerRanks, NewtonsMethod) {
    std::vector<question> all;
    const auto add = [&](const char* name, const mesh_recipe& recipe, const euler_scheme& scheme,
                         double mach) {
        question& q = all.emplace_back(question{name, recipe, options_of(scheme, mach), 8});
        q.options.scheme.time = euler_time::newton;
        q.options.check_every = 3;
        be_far_field(q);
    };
    const mesh_recipe section{
        .kind = mesh_kind::o_grid, .shape = cell_shape::triangle, .around = 60, .outward = 20};
    add("triangles", section, {}, 0.63);
    add("triangles of first order", section, {.order = 1}, 0.5);
    add("quadrilaterals", {.kind = mesh_kind::box, .size = 1500, .shape = cell_shape::quadrilateral},
        {.flux = euler_flux::roe, .limiter = euler_limiter::venkatakrishnan}, 0.5);
    add("tetrahedra", {.kind = mesh_kind::shell, .size = 3000}, {}, 0.8);
    all.back().options.patches = {{"wall", euler_boundary::wall}};
    for (question& q : all) {
        SCOPED_TRACE(q.name);
        const outcome expected = run_case(q, on_cpu{1}, "cpu/colours");
        ASSERT_GT(expected.history.size(), 2U);
        for (const int size : {1, 2, 3, 7}) {
            SCOPED_TRACE(size);
            q.threads = size % 3 + 1;
            const outcome found = by_ranks(q, size);
            EXPECT_EQ(found.result.run.variant, "cpu/colours");
            expect_same(found, expected);
        }
    }
}

/// The default of steady flows, until the flow rests.
TEST(EulerRanks, SteadyFlowsRestByNewtonsMethod) {
    question q{"section",
               {.kind = mesh_kind::o_grid, .shape = cell_shape::triangle, .around = 40, .outward = 14},
               {},
               100};
    q.options.stream.mach = 0.5;
    q.options.stop_decades = 6;
    const outcome expected = run_case(q, on_cpu{2}, "automatic");
    ASSERT_EQ(expected.result.end, euler_end::residual);
    expect_same(by_ranks(q, 3), expected);
}

/// Where Newton's method has no ranks, stages are taken.
TEST(EulerRanks, NewtonsMethodNeedsTheMeshsNumbering) {
    question q = first_order_roe();
    be_far_field(q);
    q.options.stop_decades = 6;
    q.options.order = cell_order::random;
    const outcome found = by_ranks(q, 2);
    EXPECT_EQ(found.result.run.variant, "cpu/ranks");
    q.options.scheme.time = euler_time::newton;
    EXPECT_THROW((void)by_ranks(q, 2), error);
}

/// More ranks than cells: some own none.
TEST(EulerRanks, FewCells) {
    question q{
        "tube", {.kind = mesh_kind::tube, .size = 3, .shape = cell_shape::quadrilateral}, options_of({})};
    for (const std::string& name : generate_mesh(q.recipe).patches)
        q.options.patches.push_back({name, euler_boundary::far_field});
    expect_same(by_ranks(q, 8), run_case(q, on_reference{}, "automatic"));
}

TEST(EulerRanks, NoCells) {
    run_ranks(3, [](const ranks& group) {
        euler_options o;
        o.scheme = euler_scheme::rodinia();
        o.group = group;
        euler_case flow(mesh{}, o);
        EXPECT_EQ(flow.run(on_cpu{}, 3).iterations, 3);
        EXPECT_TRUE(flow.state().empty());
    });
}

TEST(EulerRanks, WhereItGoesWrong) {
    question q = published(scalar::f64);
    const mesh m = generate_mesh(q.recipe);
    const auto run_bad = [&](const execution& where, const ranks& group) {
        euler_options o = q.options;
        o.group = group;
        euler_case flow(m, o);
        std::vector<euler_state> state = flow.state();
        state[state.size() / 2] = {1.4, 0, 0, 0, 1e-9};  // next to no pressure
        state[state.size() / 3][0] = 60;
        flow.set_state(state);
        outcome out;
        out.result = flow.run(where, 30, "automatic");
        out.state = flow.state();
        out.history = flow.history();
        return out;
    };
    const outcome expected = run_bad(on_reference{}, {});
    ASSERT_EQ(expected.result.end, euler_end::diverged);
    run_ranks(3, [&](const ranks& group) {
        for (const execution& where : {execution(on_cpu{1}), execution(on_cuda{})}) {
            if (!is_available(backend_of(where))) continue;
            const outcome found = run_bad(where, group);
            EXPECT_EQ(found.result.end, euler_end::diverged);
            EXPECT_EQ(found.result.bad_cell, expected.result.bad_cell);
            EXPECT_EQ(found.result.bad_iteration, expected.result.bad_iteration);
        }
    });
}

TEST(EulerRanks, OneThatWantsToEndEndsAll) {
    const question q = published(scalar::f64);
    run_ranks(3, [&](const ranks& group) {
        euler_options o = q.options;
        o.group = group;
        euler_case flow(generate_mesh(q.recipe), o);
        const auto r = flow.run(on_cpu{1}, 40, "automatic",
                                [&](const euler_sample& s) { return group.rank() != 1 || s.iteration < 8; });
        EXPECT_EQ(r.end, euler_end::asked);
        EXPECT_EQ(r.iterations, 8);
    });
}

TEST(EulerRanks, AnotherMeshIsRefused) {
    const question q = published(scalar::f64);
    EXPECT_THROW(run_ranks(2,
                           [&](const ranks& group) {
                               euler_options o = q.options;
                               o.group = group;
                               mesh m = generate_mesh(q.recipe);
                               m.volume[7] *= 1 + group.rank();
                               euler_case flow(std::move(m), o);
                               (void)flow.run(on_cpu{1}, 1);
                           }),
                 rank_error);
}

TEST(EulerRanks, OtherOptionsAreRefused) {
    const question q = published(scalar::f64);
    const auto differ = [&](auto&& change) {
        EXPECT_THROW(run_ranks(2,
                               [&](const ranks& group) {
                                   euler_options o = q.options;
                                   o.group = group;
                                   if (group.rank() == 1) change(o);
                                   euler_case flow(generate_mesh(q.recipe), o);
                                   flow.set_state(std::vector<euler_state>(
                                       static_cast<std::size_t>(flow.grid().cells()), {1.4, 0, 0, 0, 2.5}));
                                   (void)flow.run(on_cpu{1}, 1);
                               }),
                     rank_error);
    };
    differ([](euler_options& o) { o.stream.mach = 0.3; });
    differ([](euler_options& o) { o.scheme.smoothing_factor = 0.25; });
    differ([](euler_options& o) { o.check_every = 7; });
    differ([](euler_options& o) { o.patches = {{"wall", euler_boundary::symmetry}}; });
}

TEST(EulerRanks, NobodyIsRefused) {
    const question q = published(scalar::f64);
    euler_case flow(generate_mesh(q.recipe), q.options);
    EXPECT_THROW((void)flow.run(on_cpu{1}, 1, "ranks"), unsupported_variant);
}

}  // namespace
}  // namespace wale
