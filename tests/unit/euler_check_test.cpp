// euler_check_test - verdict_of() takes flows of every scheme as the rows leave them, and sees states
// and measurements that were changed behind their back.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <wale/wale.hpp>

namespace wale {
namespace {

mesh grid_of(mesh_kind shape, index_t size) {
    mesh_recipe recipe;
    recipe.kind = shape;
    recipe.size = size;
    return generate_mesh(recipe);
}

struct numerics {
    const char* name;
    euler_scheme scheme;
    scalar precision;
};

std::vector<numerics> schemes() {
    std::vector<numerics> all{{"rodinia", euler_scheme::rodinia(), scalar::f32},
                              {"rodinia in f64", euler_scheme::rodinia(), scalar::f64}};
    for (const euler_flux flux :
         {euler_flux::central, euler_flux::rusanov, euler_flux::hllc, euler_flux::roe})
        for (const int order : {1, 2})
            for (const scalar precision : {scalar::f32, scalar::f64}) {
                euler_scheme s;
                s.flux = flux;
                s.order = order;
                s.cfl = 0.5;
                s.time = euler_time::jameson;
                all.push_back({name_of(flux), s, precision});
            }
    euler_scheme newton;
    newton.time = euler_time::newton;
    all.push_back({"newton", newton, scalar::f64});
    return all;
}

TEST(EulerCheck, TakesFlowsOfEverySchemeFromEveryRow) {
    int asked = 0;
    for (const numerics& n : schemes()) {
        for (const variant_info& v : variants("euler")) {
            if (v.operation != "advance" || !is_available(v.where)) continue;
            euler_options options;
            options.scheme = n.scheme;
            options.precision = n.precision;
            options.check_every = 5;
            euler_case flow(grid_of(mesh_kind::shell, 600), options);
            const execution where = v.where == backend::cuda  ? execution(on_cuda{})
                                    : v.where == backend::cpu ? execution(on_cpu{.threads = 2})
                                                              : execution(on_reference{});
            try {
                if (flow.run(where, 10, v.name).end == euler_end::diverged) continue;
            } catch (const unsupported_variant&) {
                continue;
            }
            const euler_verdict verdict = verdict_of(flow);
            EXPECT_EQ(verdict.flaw, "") << n.name << " order " << n.scheme.order << " " << v.name;
            EXPECT_GT(verdict.mass_in, 0);
            EXPECT_NEAR(verdict.mass_change, verdict.mass_in - verdict.mass_out,
                        1e-4 * verdict.mass_in + 1e-12);
            ++asked;
        }
    }
    EXPECT_GT(asked, 30);
}

TEST(EulerCheck, TakesFlowsOfEveryMesh) {
    struct kind {
        mesh_kind mesh;
        double mach;
        std::vector<std::array<std::string, 2>> periodic;
        std::vector<euler_patch> patches;
    };
    const std::vector<kind> kinds{
        {mesh_kind::box, 0.5, {{"left", "right"}, {"bottom", "top"}}, {}},
        {mesh_kind::bump, 0.4, {}, {}},
        {mesh_kind::wedge, 2, {}, {}},
        {mesh_kind::o_grid, 0.3, {}, {}},
        {mesh_kind::o_grid, 0.3, {}, {{"farfield", euler_boundary::vortex_far_field}}}};
    for (const kind& k : kinds)
        for (const bool shuffled : {false, true}) {
            mesh_recipe recipe;
            recipe.kind = k.mesh;
            recipe.size = 900;
            recipe.shape = cell_shape::quadrilateral;
            recipe.shuffled = shuffled;
            euler_options options;
            options.stream.mach = k.mach;
            options.stream.alpha = 2;
            options.periodic = k.periodic;
            options.patches = k.patches;
            options.check_every = 10;
            euler_case flow(generate_mesh(recipe), options);
            (void)flow.run(on_cpu{2}, 20);
            EXPECT_EQ(verdict_of(flow).flaw, "") << name_of(k.mesh) << " " << shuffled;
        }
}

/// A flow that has run, and what happens to its state and its history.
struct tampered {
    tampered() : flow(grid_of(mesh_kind::shell, 600), options()) { (void)flow.run(on_cpu{2}, 20); }
    static euler_options options() {
        euler_options o;
        o.check_every = 10;
        o.scheme.time = euler_time::jameson;
        return o;
    }
    void set(std::size_t cell, std::size_t variable, double value) {
        std::vector<euler_state> state = flow.state();
        state[cell][variable] = value;
        flow.set_state(state, flow.iteration(), flow.time());
    }
    euler_case flow;
};

TEST(EulerCheck, SeesAStateThatIsNotTheMeasuredOne) {
    tampered t;
    ASSERT_EQ(verdict_of(t.flow).flaw, "");
    t.set(77, 0, t.flow.state()[77][0] * (1 + 1e-6));
    EXPECT_NE(verdict_of(t.flow).flaw.find("mass"), std::string::npos) << verdict_of(t.flow).flaw;
}

TEST(EulerCheck, SeesWhatIsNoGas) {
    for (const double bad :
         {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const std::size_t variable : {0, 4}) {
            tampered t;
            t.set(5, variable, bad);
            EXPECT_EQ(verdict_of(t.flow).flaw,
                      "cell 5 has a nonphysical state: its density or pressure is not positive")
                << bad << " of " << variable;
        }
}

TEST(EulerCheck, SeesAMeasurementThatIsNotTheStates) {
    const auto check = [](auto&& change) {
        tampered t;
        std::vector<euler_sample> history = t.flow.history();
        change(history.back());
        t.flow.set_history(history);
        return verdict_of(t.flow).flaw;
    };
    EXPECT_NE(check([](euler_sample& s) { s.drag += 1e-6; }).find("drag"), std::string::npos);
    EXPECT_NE(check([](euler_sample& s) { s.lift -= 1e-6; }).find("lift"), std::string::npos);
    EXPECT_NE(check([](euler_sample& s) { s.total[4] *= 1 + 1e-9; }).find("total energy"), std::string::npos);
    EXPECT_NE(check([](euler_sample& s) { s.residual[0] *= 1.01; }).find("residual"), std::string::npos);
    EXPECT_EQ(check([](euler_sample& s) { s.iteration -= 1; }), "");  // of another state
}

}  // namespace
}  // namespace wale
