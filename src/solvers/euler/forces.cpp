// forces - see forces.hpp. What a measurement sums over all walls, with one patch as the only wall.
#include "solvers/euler/forces.hpp"

#include <algorithm>

#include "solvers/euler/advance/shared/measure.hpp"

namespace wale::euler {
namespace {

struct given_states {
    const std::vector<euler_state>& all;
    [[nodiscard]] gas_point<double> point(index_t cell, const constants<double>& k) const {
        return point_of(all[static_cast<std::size_t>(cell)].data(), k);
    }
};

/// The cells with a face of a patch.
std::vector<bool> touching(const mesh& m, std::size_t patch) {
    std::vector<bool> all(static_cast<std::size_t>(m.cells()));
    for (std::size_t c = 0; c < all.size(); ++c)
        for (index_t r = m.first_face[c]; r < m.first_face[c + 1]; ++r) {
            const std::int32_t n = m.neighbour[static_cast<std::size_t>(r)];
            if (is_patch(n) && static_cast<std::size_t>(patch_of(n)) == patch) all[c] = true;
        }
    return all;
}

}  // namespace

std::vector<euler_force> forces_of(const flow_system& s, const std::vector<euler_state>& state) {
    const host_arrays<double> arrays(s);
    const auto k = constants_of<double>(s);
    const given_states states{state};
    const bool sloped = s.options.scheme.order == 2;
    std::vector<euler_force> out;
    for (std::size_t p = 0; p < s.kinds.size(); ++p) {
        if (s.kinds[p] != euler_boundary::wall) continue;
        const std::vector<bool> touches = touching(s.grid, p);
        if (std::ranges::find(touches, true) == touches.end()) continue;
        std::vector<euler_boundary> alone(s.kinds.size(), euler_boundary::symmetry);
        alone[p] = euler_boundary::wall;
        plain_grid<double> grid = arrays.grid;
        grid.kinds = alone.data();
        const euler_sample sum = measure_cells(s, [&](index_t i) {
            cell_measure c;
            if (!touches[static_cast<std::size_t>(i)]) return c;
            gradient_of<double> slope{};
            if (sloped) slope = steady_gradient(arrays.grid, states, i, k);
            std::array<double, 3> arm;
            measure_walls(grid, states.point(i, k), i, k.far.p, arm_of(s, i, arm), c,
                          sloped ? &slope : nullptr);
            return c;
        });
        out.push_back({.patch = s.grid.patches[p],
                       .lift = sum.lift,
                       .drag = sum.drag,
                       .side = sum.side,
                       .moment = sum.moment});
    }
    return out;
}

}  // namespace wale::euler
