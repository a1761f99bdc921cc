// euler_start - from what a file says to a case: its mesh, its first state, or where it goes on.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>

#include "base/argument.hpp"
#include "io/escape.hpp"

namespace wale {

std::vector<euler_state> starting_state(const mesh& m, const euler_stream& stream, euler_start s) {
    std::vector<euler_state> state(static_cast<std::size_t>(m.cells()), stream.state());
    if (s == euler_start::stream) return state;
    if (s == euler_start::file) throw bad_argument("start: a file is read by read_checkpoint()");
    if (!m.has_centres()) throw bad_argument("start: needs a mesh with coordinates");
    const double g = stream.gamma;
    const auto gas = [g](double rho, double u, double v, double w, double p) {
        return euler_state{rho, rho * u, rho * v, rho * w, p / (g - 1) + 0.5 * rho * (u * u + v * v + w * w)};
    };
    if (s == euler_start::sod) {
        for (std::size_t i = 0; i < state.size(); ++i)
            state[i] = m.centre[3 * i] < 0.5 ? gas(1, 0, 0, 0, 1) : gas(0.125, 0, 0, 0, 0.1);
        return state;
    }
    // Of temperature p / rho, whose free stream's value scales the vortex's.
    const double strength = 5, turn = strength / (2 * std::numbers::pi);
    const double warm = stream.pressure / stream.density, fast = std::sqrt(warm);
    const euler_state far = stream.state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        const double x = m.centre[3 * i], y = m.centre[3 * i + 1], bell = std::exp(0.5 * (1 - x * x - y * y));
        const double relative = 1 - (g - 1) * turn * turn / (2 * g) * bell * bell;
        const double rho = stream.density * std::pow(relative, 1 / (g - 1));
        state[i] = gas(rho, far[1] / far[0] - fast * turn * bell * y,
                       far[2] / far[0] + fast * turn * bell * x, far[3] / far[0], rho * warm * relative);
    }
    return state;
}

namespace {

void check_patch(const euler_setup& setup, const mesh& m, const std::string& name, index_t line) {
    if (m.patch(name) >= 0) return;
    std::string list;
    for (const std::string& patch : m.patches) list += (list.empty() ? "" : ", ") + io::quoted(patch);
    const std::string of = setup.mesh_path.empty() ? "" : " " + io::quoted(setup.mesh_path);
    throw bad_input(setup.name + ":" + std::to_string(line) + ": boundary " + io::quoted(name) +
                    ", expected a patch of the mesh" + of + ": " + (list.empty() ? "it has none" : list));
}

/// What a recipe's words together forbid names no line.
mesh made(const euler_setup& setup) {
    try {
        return generate_mesh(setup.recipe);
    } catch (const bad_argument& e) {
        if (setup.name.empty()) throw;
        throw bad_input(setup.name + ": mesh: " + e.what());
    }
}

}  // namespace

mesh mesh_of(const euler_setup& setup) {
    mesh m = setup.mesh_path.empty() ? made(setup) : read_mesh(setup.mesh_path, setup.mesh_options);
    if (setup.recover && !m.has_points()) (void)recover_points(m);
    for (std::size_t k = 0; k < setup.patch_lines.size(); ++k)
        check_patch(setup, m, setup.options.patches[k].name, setup.patch_lines[k]);
    for (std::size_t k = 0; k < setup.periodic_lines.size(); ++k)
        for (const std::string& name : setup.options.periodic[k])
            check_patch(setup, m, name, setup.periodic_lines[k]);
    return m;
}

euler_carried carried_over(const mesh& from, std::span<const euler_state> state, const mesh& to) {
    if (std::ssize(state) != from.cells())
        base::refuse("state", "has " + std::to_string(state.size()) + " cells",
                     std::to_string(from.cells()) + " as the mesh that it is of");
    euler_carried out;
    const std::vector<index_t> nearest = nearest_cells(from, to);
    for (std::size_t c = 0; c < nearest.size(); ++c) {
        const auto cell = static_cast<std::size_t>(nearest[c]);
        double away[3];
        for (std::size_t d = 0; d < 3; ++d) away[d] = to.centre[3 * c + d] - from.centre[3 * cell + d];
        out.farthest = std::max(out.farthest, std::hypot(away[0], away[1], away[2]));
        out.state.push_back(state[cell]);
    }
    return out;
}

euler_checkpoint checkpoint_of(euler_case& c) {
    return {c.iteration(), c.time(), c.state(), c.history()};
}

void restore(euler_case& c, const euler_checkpoint& from) {
    c.set_state(from.state, from.iteration, from.time);
    c.set_history(from.history);
}

}  // namespace wale
