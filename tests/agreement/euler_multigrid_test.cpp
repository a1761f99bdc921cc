// euler_multigrid_test - multigrid changes how soon a flow is steady, not the steady flow; groups of cells
// lose no volume and no area; no number of threads, no numbering and no unit changes a bit.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"
#include "thinned.hpp"

namespace wale {
namespace {

using agreement::box, agreement::one_cell, agreement::shell, agreement::with_all;
using euler::coarse_grid;

mesh wedge(index_t size, cell_shape shape) {
    return generate_mesh({.kind = mesh_kind::wedge, .size = size, .shape = shape});
}
mesh tube(index_t cells) {
    return generate_mesh({.kind = mesh_kind::tube, .size = cells, .shape = cell_shape::quadrilateral});
}
/// First order with multigrid.
euler_options first_order(euler_flux flux, int levels) {
    euler_options o;
    o.scheme.flux = flux;
    o.scheme.order = 1;
    o.scheme.cfl = 1;
    o.scheme.levels = levels;
    return o;
}
/// Gas that differs from cell to cell.
std::vector<euler_state> waves(const mesh& m) {
    std::vector<euler_state> states;
    for (index_t i = 0; i < m.cells(); ++i) {
        const double x = static_cast<double>(i), rho = 1.4 + 0.3 * std::sin(0.7 * x);
        const double u = 0.5 + 0.2 * std::cos(x), v = 0.1 * std::sin(3 * x), p = 1 + 0.2 * std::sin(2 * x);
        states.push_back({rho, rho * u, rho * v, 0, p / 0.4 + 0.5 * rho * (u * u + v * v)});
    }
    return states;
}
double furthest(const std::vector<euler_state>& a, const std::vector<euler_state>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t v = 0; v < 5; ++v) {
            const double d = std::fabs(a[i][v] - b[i][v]);
            most = d <= most ? most : d;
        }
    return most;
}

std::array<double, 3> sum_of_normals(const mesh& m, index_t cell, double& area) {
    std::array<double, 3> sum{};
    for (index_t r = m.first_face[static_cast<std::size_t>(cell)];
         r < m.first_face[static_cast<std::size_t>(cell) + 1]; ++r) {
        const double* n = &m.normal[static_cast<std::size_t>(3 * r)];
        for (std::size_t d = 0; d < 3; ++d) sum[d] += n[d];
        area += std::hypot(n[0], n[1], n[2]);
    }
    return sum;
}

TEST(euler_groups, hold_every_cell_once_and_all_volume) {
    for (const mesh& m : {shell(1500), wedge(500, cell_shape::triangle), box(cell_shape::hexahedron, 500)}) {
        const mesh* finer = &m;
        const std::vector<coarse_grid> levels = euler::agglomerated_levels(m, 4);
        ASSERT_EQ(levels.size(), 3u);
        for (const coarse_grid& l : levels) {
            const index_t groups = l.grid.cells();
            EXPECT_LT(2 * groups, finer->cells());
            ASSERT_EQ(std::ssize(l.parent), finer->cells());
            EXPECT_EQ(std::set<std::int32_t>(l.members.begin(), l.members.end()).size(), l.parent.size());
            double volume = 0;
            for (index_t g = 0; g < groups; ++g) {
                const auto c = static_cast<std::size_t>(g);
                ASSERT_LT(l.first_member[c], l.first_member[c + 1]);
                double own = 0;
                for (index_t k = l.first_member[c]; k < l.first_member[c + 1]; ++k) {
                    const auto cell = static_cast<std::size_t>(l.members[static_cast<std::size_t>(k)]);
                    ASSERT_EQ(l.parent[cell], g);
                    own += finer->volume[cell];
                }
                EXPECT_NEAR(l.grid.volume[c], own, 1e-14 * own);
                volume += own;
            }
            double all = 0;
            for (const double v : m.volume) all += v;
            EXPECT_NEAR(volume, all, 1e-12 * all);
            finer = &l.grid;
        }
    }
}

TEST(euler_groups, close_as_their_cells_do_and_share_faces_with_neighbours) {
    for (const mesh& m : {shell(1500), box(cell_shape::triangle, 500)})
        for (const coarse_grid& l : euler::agglomerated_levels(m, 4))
            for (index_t g = 0; g < l.grid.cells(); ++g) {
                double area = 0;
                for (const double d : sum_of_normals(l.grid, g, area)) EXPECT_NEAR(d, 0, 1e-12 * area);
                std::set<std::int32_t> seen;
                for (index_t r = l.grid.first_face[static_cast<std::size_t>(g)];
                     r < l.grid.first_face[static_cast<std::size_t>(g) + 1]; ++r) {
                    const std::int32_t other = l.grid.neighbour[static_cast<std::size_t>(r)];
                    ASSERT_NE(other, g);
                    EXPECT_TRUE(seen.insert(other).second);
                    if (is_patch(other)) continue;
                    bool known = false;
                    for (index_t b = l.grid.first_face[static_cast<std::size_t>(other)];
                         b < l.grid.first_face[static_cast<std::size_t>(other) + 1]; ++b) {
                        if (l.grid.neighbour[static_cast<std::size_t>(b)] != g) continue;
                        known = true;
                        for (std::size_t d = 0; d < 3; ++d)
                            EXPECT_NEAR(l.grid.normal[static_cast<std::size_t>(3 * r) + d],
                                        -l.grid.normal[static_cast<std::size_t>(3 * b) + d], 1e-12 * area);
                    }
                    EXPECT_TRUE(known);
                }
            }
}

TEST(euler_groups, get_all_of_what_is_restricted) {
    const mesh m = shell(1500);
    for (const cell_order order : {cell_order::natural, cell_order::random}) {
        euler_options o = first_order(euler_flux::hllc, 4);
        o.order = order;
        const euler::flow_system system(m, o);
        const euler::host_arrays<double> arrays(system);
        std::vector<double> finer = system.grid.volume;
        for (const auto& l : euler::coarse_levels_of<double>(system, arrays.said)) {
            for (std::size_t i = 0; i < finer.size(); ++i) {
                const double group = l.volumes[static_cast<std::size_t>(l.parent[i])];
                EXPECT_NEAR(l.part[i] * group, finer[i], 1e-15 * group);
            }
            for (std::size_t g = 0; g < l.volumes.size(); ++g)
                for (index_t k = l.first_member[g]; k < l.first_member[g + 1]; ++k)
                    ASSERT_EQ(l.parent[static_cast<std::size_t>(l.members[static_cast<std::size_t>(k)])],
                              static_cast<std::int32_t>(g));
            finer = l.volumes;
        }
    }
}

TEST(euler_multigrid, comes_to_the_flow_of_one_grid_in_fewer_iterations) {
    WALE_ASKS_FOR_NUMBERS();
    struct subject {
        mesh grid;
        euler_options options;
    };
    std::vector<subject> subjects{{shell(1500), first_order(euler_flux::rodinia, 1)},
                                  {wedge(600, cell_shape::quadrilateral), first_order(euler_flux::hllc, 1)},
                                  {wedge(600, cell_shape::quadrilateral), euler_options{}}};
    subjects[1].options.stream.mach = subjects[2].options.stream.mach = 2;
    subjects[2].options.scheme.cfl = 2;
    subjects[2].options.scheme.smoothing = 2;
    for (subject& s : subjects) {
        s.options.stop_decades = 10;
        s.options.check_every = 10;
        euler_case one(s.grid, s.options);
        const euler_result slow = one.run(on_cpu{1}, 20000);
        ASSERT_EQ(slow.end, euler_end::residual);
        s.options.scheme.levels = 4;
        euler_case many(s.grid, s.options);
        const euler_result fast = many.run(on_cpu{1}, 20000);
        ASSERT_EQ(fast.end, euler_end::residual);
        EXPECT_EQ(fast.run.variant, "cpu/vectors");
        EXPECT_LT(fast.iterations, slow.iterations);
        EXPECT_LE(furthest(one.state(), many.state()), 1e-8);
        EXPECT_NEAR(slow.history.back().drag, fast.history.back().drag, 1e-9);
    }
}

/// Rows of plain loops have the bits of the reference, cpu/vectors its own.
TEST(euler_multigrid, has_the_same_bits_by_every_row_team_and_numbering) {
    for (const mesh& m : {shell(300), box(cell_shape::triangle, 150)})
        for (const scalar precision : {scalar::f32, scalar::f64})
            for (const int order : {1, 2}) {
                euler_options o = with_all(m, euler_boundary::far_field);
                o.precision = precision;
                o.scheme.order = order;
                o.scheme.levels = 4;
                o.scheme.smoothing = order;
                euler_case reference(m, o), lanes(m, o);
                const euler_result r = reference.run(on_reference{}, 12), v = lanes.run(on_cpu{1}, 12);
                ASSERT_EQ(r.end, euler_end::iterations);
                EXPECT_LE(furthest(lanes.state(), reference.state()),
                          precision == scalar::f32 ? 2e-4 : 1e-12);
                for (const char* row : {"cpu/one_pass", "cpu/vectors"})
                    for (const int threads : {1, 2, 3})
                        for (const cell_order numbering : {cell_order::natural, cell_order::random}) {
                            const bool plain = row == std::string("cpu/one_pass");
                            o.order = numbering;
                            euler_case c(m, o);
                            (void)c.run(on_cpu{threads}, 5, row);
                            const euler_result last = c.run(on_cpu{threads}, 7, row);
                            ASSERT_EQ(c.state(), (plain ? reference : lanes).state())
                                << row << ' ' << threads << ' ' << name_of(numbering);
                            EXPECT_EQ(last.history.back().drag, (plain ? r : v).history.back().drag);
                        }
            }
}

TEST(euler_multigrid, leaves_a_free_stream_alone) {
    for (const mesh& m : {shell(300), box(cell_shape::triangle, 200), box(cell_shape::hexahedron, 200)})
        for (const euler_flux flux :
             {euler_flux::rodinia, euler_flux::rusanov, euler_flux::hllc, euler_flux::roe})
            for (const double mach : {0.3, 1.2, 3.0}) {
                euler_options o = with_all(m, euler_boundary::far_field);
                o.stream.mach = mach;
                o.stream.alpha = 20;
                o.scheme = first_order(flux, 5).scheme;
                euler_case c(m, o);
                (void)c.run(on_cpu{1}, 50);
                const std::vector<euler_state> stream(c.state().size(), o.stream.state());
                EXPECT_LE(furthest(c.state(), stream), 1e-10)
                    << m.cells() << ' ' << name_of(flux) << ' ' << mach;
            }
}

TEST(euler_multigrid, takes_meshes_of_any_size_and_more_levels_than_they_have) {
    std::vector<mesh> meshes{mesh{}, one_cell(), tube(2), tube(5), shell(300)};
    meshes.push_back(box(cell_shape::triangle, 50));
    for (const mesh& m : meshes) {
        euler_options o = with_all(m, euler_boundary::far_field);
        o.scheme = first_order(euler_flux::hllc, 30).scheme;
        euler_case c(m, o);
        c.set_state(waves(m));
        const euler_result r = c.run(on_cpu{1}, 400);
        EXPECT_EQ(r.end, euler_end::iterations) << m.cells();
        EXPECT_EQ(r.iterations, 400);
        const std::vector<euler_state> stream(c.state().size(), o.stream.state());
        EXPECT_LE(furthest(c.state(), stream), 1e-6) << m.cells();
    }
}

/// Between walls, where groups are as high as the channel or half of it: no number of levels and no CFL
/// number of the documented range (up to 1.25, or 2 with two sweeps of smoothing) makes waves grow.
TEST(euler_multigrid, waves_between_walls_decay) {
    WALE_ASKS_FOR_NUMBERS();
    const mesh m =
        generate_mesh({.kind = mesh_kind::bump, .size = 1200, .shape = cell_shape::triangle, .height = 0});
    for (const double cfl : {0.9, 1.2, 2.0})
        for (int levels = 1; levels <= 5; ++levels) {
            euler_options o;
            o.stream.mach = 0.3;
            o.scheme = first_order(euler_flux::hllc, levels).scheme;
            o.scheme.cfl = cfl;
            if (cfl > 1.25) o.scheme.smoothing = 2;
            o.check_every = 0;
            euler_case c(m, o);
            std::vector<euler_state> rough = c.state();
            for (std::size_t i = 0; i < rough.size(); ++i)
                for (double& v : rough[i])
                    v *= 1 + 1e-3 * std::sin(1.3 * m.centre[3 * i]) +
                         5e-4 * std::sin(static_cast<double>(7 * i * i));
            c.set_state(rough);
            const double before = c.measure().residual[0];
            ASSERT_EQ(c.run(on_cpu{2}, 200).end, euler_end::iterations) << cfl << ' ' << levels;
            EXPECT_LT(c.measure().residual[0], 0.1 * before) << cfl << ' ' << levels;
        }
}

TEST(euler_multigrid, goes_round_periodic_boxes) {
    for (const cell_shape shape : {cell_shape::triangle, cell_shape::hexahedron}) {
        const mesh m = box(shape, 60);
        euler_options o = first_order(euler_flux::rusanov, 30);
        o.periodic = {{"left", "right"}, {"bottom", "top"}};
        if (m.dimensions == 3) o.periodic.push_back({"front", "back"});
        o.stop_decades = 3;
        euler_case c(m, o);
        c.set_state(waves(m));
        const euler_result r = c.run(on_cpu{1}, 3000);
        EXPECT_EQ(r.end, euler_end::residual);
    }
}

TEST(euler_multigrid, has_the_same_bits_in_other_units) {
    constexpr int length = 3, density = 5, speed = -6;
    const mesh m = shell(300);
    mesh other = m;
    const auto scale = [](std::vector<double>& all, int by) {
        for (double& v : all) v = std::ldexp(v, by);
    };
    scale(other.volume, 3 * length);
    scale(other.normal, 2 * length);
    for (auto* all : {&other.centre, &other.face_offset, &other.points}) scale(*all, length);
    euler_options o;
    o.scheme.levels = 4;
    o.scheme.smoothing = 2;
    euler_options scaled = o;
    scaled.stream.density = std::ldexp(o.stream.density, density);
    scaled.stream.pressure = std::ldexp(o.stream.pressure, density + 2 * speed);
    scaled.reference_length = std::ldexp(o.reference_length, length);
    euler_case a(m, o), b(other, scaled);
    ASSERT_EQ(a.run(on_cpu{2}, 20).end, euler_end::iterations);
    ASSERT_EQ(b.run(on_cpu{2}, 20).end, euler_end::iterations);
    const int powers[5] = {density, density + speed, density + speed, density + speed, density + 2 * speed};
    for (std::size_t i = 0; i < a.state().size(); ++i)
        for (std::size_t v = 0; v < 5; ++v)
            ASSERT_EQ(std::ldexp(a.state()[i][v], powers[v]), b.state()[i][v]);
}

TEST(euler_multigrid, is_refused_where_time_counts) {
    const mesh m = tube(5);
    euler_options o = with_all(m, euler_boundary::wall);
    o.scheme.levels = 2;
    o.scheme.step = euler_step::global;
    EXPECT_THROW(euler_case(m, o), bad_argument);
    o.scheme.step = euler_step::local;
    o.scheme.fixed_step = 0.1;
    EXPECT_THROW(euler_case(m, o), bad_argument);
}

}  // namespace
}  // namespace wale
