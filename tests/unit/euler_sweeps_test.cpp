// euler_sweeps_test - the orders in which Newton's preconditioner takes cells; weights of gradients that the
// mesh alone says.
#include <gtest/gtest.h>

#include <algorithm>
#include <wale/wale.hpp>

#include "agreement/flow_rows.hpp"
#include "solvers/euler/advance/cuda/colours/links.hpp"
#include "solvers/euler/advance/shared/newton/sweep_levels.hpp"

namespace wale {
namespace {

using namespace agreement;
using namespace euler;

[[nodiscard]] std::vector<mesh> meshes() {
    return {one_cell(), naca_0012(24, 10), shell(300),
            generate_mesh({.kind = mesh_kind::bump, .size = 60, .shape = cell_shape::quadrilateral})};
}

/// Of the mesh's cell number `c` the computed cell.
[[nodiscard]] std::vector<std::int32_t> by_number(const flow_system& s, const std::vector<std::int32_t>& of) {
    std::vector<std::int32_t> out(of.size());
    for (std::size_t c = 0; c < of.size(); ++c)
        out[static_cast<std::size_t>(s.number_of(static_cast<index_t>(c)))] = of[c];
    return out;
}

TEST(euler_sweeps, no_two_cells_of_a_colour_are_neighbours) {
    for (const mesh& m : meshes())
        for (const cell_order order : {cell_order::natural, cell_order::random}) {
            euler_options o;
            o.order = order;
            o.scheme.order = 1;
            const flow_system system(m, o);
            const sweep_levels colours = sweep_colours_of(system);
            std::vector<std::int32_t> all = colours.cells;
            std::ranges::sort(all);
            for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::int32_t>(i));
            ASSERT_EQ(colours.first.back(), system.cells());
            index_t most = 0;
            for (index_t c = 0; c < system.cells(); ++c) {
                const auto cell = static_cast<std::size_t>(c);
                most = std::max(most, system.grid.first_face[cell + 1] - system.grid.first_face[cell]);
                for (index_t r = system.grid.first_face[cell]; r < system.grid.first_face[cell + 1]; ++r) {
                    const std::int32_t other = system.grid.neighbour[static_cast<std::size_t>(r)];
                    if (!is_patch(other)) {
                        ASSERT_NE(colours.level[cell], colours.level[static_cast<std::size_t>(other)]);
                    }
                }
            }
            EXPECT_LE(colours.count(), most + 1);
            for (index_t l = 0; l < colours.count(); ++l)
                for (index_t at = colours.first[static_cast<std::size_t>(l)];
                     at < colours.first[static_cast<std::size_t>(l) + 1]; ++at)
                    ASSERT_EQ(
                        colours.level[static_cast<std::size_t>(colours.cells[static_cast<std::size_t>(at)])],
                        l);
        }
}

TEST(euler_sweeps, colours_are_those_of_the_meshs_own_numbering) {
    for (const mesh& m : meshes()) {
        euler_options o;
        o.scheme.order = 1;
        const flow_system natural(m, o);
        o.order = cell_order::random;
        const flow_system shuffled(m, o);
        EXPECT_EQ(by_number(natural, sweep_colours_of(natural).level),
                  by_number(shuffled, sweep_colours_of(shuffled).level));
    }
}

/// Differences of values that waves make, with ghosts behind every kind of patch; rounding: weights come from
/// the inverse of a matrix whose condition is that of the cell's shape, here below 1e3.
TEST(euler_gradient_links, are_the_gradients_of_the_scheme) {
    using enum euler_boundary;
    euler_options slow;
    slow.stream.mach = 0.5;
    euler_options fast = slow;
    fast.stream.mach = 2;
    euler_options mirrored = slow;
    mirrored.patches = {{.name = "farfield", .kind = symmetry}};
    const mesh foil = naca_0012(24, 10), channel = meshes().back();
    for (const auto& [m, o] : {std::pair{foil, slow}, std::pair{foil, mirrored}, std::pair{channel, slow},
                               std::pair{channel, fast}, std::pair{shell(300), slow}}) {
        flow_system system(m, o);
        const host_arrays<double> arrays(system);
        constants<double> k = constants_of<double>(system);
        k.limiter = euler_limiter::none;
        k.smooth = true;
        const std::vector<euler_state> states = waves(system.grid, system.options.stream);
        const cell_major_states<double> at{states.front().data()};
        const gradient_links links = gradient_links_of(arrays.grid, k);
        std::vector<primitives<double>> values;
        for (index_t c = 0; c < system.cells(); ++c) values.push_back(primitives_of(at.point(c, k)));
        for (const std::int32_t row : links.ghosts) {
            const auto cell =
                std::ranges::upper_bound(system.grid.first_face, row) - 1 - system.grid.first_face.begin();
            values.push_back(behind(arrays.grid, at, at.point(cell, k), row, k).values);
        }
        for (index_t c = 0; c < system.cells(); ++c) {
            const gradient_of<double> truth = cell_gradient(arrays.grid, at, c, k);
            gradient_of<double> g{};
            double size = 0;
            for (index_t l = links.first[static_cast<std::size_t>(c)];
                 l < links.first[static_cast<std::size_t>(c) + 1]; ++l) {
                const gradient_links::link& to = links.links[static_cast<std::size_t>(l)];
                for (int v = 0; v < variables; ++v)
                    for (int d = 0; d < 3; ++d) {
                        const double part = to.weight[d] * (values[static_cast<std::size_t>(to.value)].at[v] -
                                                            values[static_cast<std::size_t>(c)].at[v]);
                        g.at[v][d] += part;
                        size = std::max(size, std::fabs(part));
                    }
            }
            for (int v = 0; v < variables; ++v)
                for (int d = 0; d < 3; ++d) ASSERT_NEAR(g.at[v][d], truth.at[v][d], 1e-11 * size) << c;
        }
    }
}

}  // namespace
}  // namespace wale
