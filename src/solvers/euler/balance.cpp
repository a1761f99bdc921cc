// balance - what shows that a state may be the answer: it is physical, it was measured as the row said, and
// what its cells gain is what its patches let in.
#include <cmath>
#include <limits>
#include <wale/verification.hpp>

#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/measure.hpp"

namespace wale::euler {
namespace {

std::string number(double v) {
    char text[32];
    (void)std::snprintf(text, sizeof text, "%.9g", v);
    return text;
}

constexpr const char* names[variables] = {"mass", "momentum x", "momentum y", "momentum z", "energy"};

/// How much may flow through a face of unit area, of each variable: density, momentum and energy of a gas
/// that moves as fast as its fastest wave. Every term of a flux is below this, so that `roundings` of them
/// bound what two orders of the same operations differ by.
std::array<double, variables> most_of(const gas_point<double>& g) {
    const double q = speed(g) + g.c, momentum = g.rho * q * q + g.p;
    return {g.rho * q, momentum, momentum, momentum, (std::fabs(g.energy) + g.p) * q};
}
/// A flux of second order takes some hundred operations: gradients, limiter, waves.
constexpr double roundings = 1024;

/// Sums over the cells in float64, whatever the case computes in.
struct scales {
    std::array<double, variables> through{};  // of all faces: area times most_of()
    std::array<double, variables> held{};     // volume times magnitude
    std::array<double, variables> root{};     // of the mean square of what a cell's faces let through
    std::array<double, variables> uneven{};   // of faces whose two normals differ
    double walls = 0;                         // area times pressure
};

scales scales_of(const flow_system& s, const host_arrays<double>& arrays, const constants<double>& k,
                 const std::vector<euler_state>& state) {
    scales sum;
    const plain_grid<double>& grid = arrays.grid;
    for (index_t i = 0; i < s.cells(); ++i) {
        const euler_state& own = state[static_cast<std::size_t>(i)];
        const gas_point<double> g = point_of(own.data(), k);
        const auto most = most_of(g);
        double area = 0, uneven = 0;
        for (index_t row = grid.begin(i); row < grid.end(i); ++row) {
            double n[3], m[3];
            grid.normal(row, n);
            area += length_of(n);
            const std::int32_t other = grid.neighbour(row);
            if (is_patch(other)) {
                sum.walls += length_of(n) * (g.p + k.far.p);
                continue;
            }
            grid.normal(grid.opposite(row), m);
            for (int d = 0; d < 3; ++d) n[d] += m[d];
            uneven += length_of(n);
        }
        for (std::size_t v = 0; v < variables; ++v) {
            const double faces = area * most[v];
            sum.through[v] += faces;
            sum.uneven[v] += uneven * most[v];
            sum.held[v] += grid.volume(i) * std::fabs(own[v]);
            sum.root[v] += faces * faces / grid.volume(i);
        }
    }
    for (double& r : sum.root) r = std::sqrt(r / (s.total_volume > 0 ? s.total_volume : 1));
    return sum;
}

/// What flows through all patches a second, out of the mesh; and of mass what comes in and goes out.
struct boundary_sums {
    std::array<double, variables> out{};
    double mass_in = 0, mass_out = 0;
};

template <class Real>
boundary_sums through_patches(const flow_system& s, const std::vector<euler_state>& state) {
    const host_arrays<Real> arrays(s);
    const plain_grid<Real>& grid = arrays.grid;
    const auto k = constants_of<Real>(s);
    std::vector<Real> packed;
    for (const euler_state& one : state)
        for (const double v : one) packed.push_back(static_cast<Real>(v));
    const cell_major_states<Real> states{packed.data()};
    boundary_sums sums;
    with_scheme(s.options.scheme, [&]<euler_flux Flux, int Order>() {
        for (index_t i = 0; i < s.cells(); ++i)
            for (index_t row = grid.begin(i); row < grid.end(i); ++row) {
                const std::int32_t other = grid.neighbour(row);
                if (!is_patch(other)) continue;
                Real n[3];
                grid.normal(row, n);
                const gas_point<Real> own = states.point(i, k);
                const euler_boundary kind = grid.kinds[patch_of(other)];
                gas_point<Real> near = own;
                if constexpr (Order == 2) {
                    Real x[3];
                    grid.offset(row, x);
                    const gradient_of<Real> slope = steady_gradient(grid, states, i, k);
                    near = inner_point(kind, own, carried_to(own, slope, x, k), n);
                }
                const flux_of<Real> f = boundary_flux<Flux>(kind, near, grid.said[patch_of(other)], n, k);
                for (std::size_t v = 0; v < variables; ++v) sums.out[v] += static_cast<double>(f.at[v]);
                const double mass = static_cast<double>(f.at[0]);
                (mass < 0 ? sums.mass_in : sums.mass_out) += std::fabs(mass);
            }
    });
    return sums;
}

std::string differs(const std::string& what, double found, double expected, double most) {
    if (std::fabs(found - expected) <= most) return {};
    return what + ": is " + number(found) + ", expected " + number(expected) + " +- " + number(most);
}

/// The last measurement of the row against that of the plain loops, of the same state.
std::string flaw_of_sample(const flow_system& s, const euler_sample& said, const euler_sample& plain,
                           const scales& of, double unit) {
    for (std::size_t v = 0; v < variables; ++v) {
        const std::string name = names[v];
        if (auto flaw = differs("total " + name, said.total[v], plain.total[v], 64 * unit * of.held[v]);
            !flaw.empty())
            return flaw;
        if (auto flaw = differs("residual of " + name, said.residual[v], plain.residual[v],
                                roundings * unit * of.root[v]);
            !flaw.empty())
            return flaw;
    }
    const double most = roundings * unit * of.walls / (s.force_unit * s.normal_scale);
    for (const auto& [name, a, b] : {std::tuple{"drag", said.drag, plain.drag},
                                     {"lift", said.lift, plain.lift},
                                     {"side force", said.side, plain.side}})
        if (auto flaw = differs(name, a, b, most); !flaw.empty()) return flaw;
    return {};
}

euler_verdict verdict(const flow_system& s, const std::vector<euler_state>& state, const euler_sample* said) {
    euler_verdict out;
    const measured plain = measured_by_reference(s, state);
    if (plain.bad_cell >= 0) {
        out.flaw = "cell " + std::to_string(plain.bad_cell) +
                   " has a nonphysical state: its density or pressure is not positive";
        return out;
    }
    const bool single = s.options.precision == scalar::f32;
    const double unit =
        single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    const host_arrays<double> arrays(s);
    const scales of = scales_of(s, arrays, constants_of<double>(s), state);
    // The far field that a vortex bends follows the measurement, so that the next one has another residual.
    if (said != nullptr && !s.has({euler_boundary::vortex_far_field}))
        out.flaw = flaw_of_sample(s, *said, plain.sample, of, unit);
    const boundary_sums sums = single ? through_patches<float>(s, state) : through_patches<double>(s, state);
    std::array<double, variables> gained{};
    for (const euler_state& cell : residuals_of(s, state))
        for (std::size_t v = 0; v < variables; ++v) gained[v] += cell[v];
    out.mass_in = sums.mass_in / s.normal_scale;
    out.mass_out = sums.mass_out / s.normal_scale;
    out.mass_change = gained[0] / s.normal_scale;
    for (std::size_t v = 0; v < variables && out.flaw.empty(); ++v)
        out.flaw = differs(std::string("balance of ") + names[v], gained[v], -sums.out[v],
                           roundings * unit * of.through[v] + 2 * of.uneven[v]);
    return out;
}

}  // namespace
}  // namespace wale::euler

wale::euler_verdict wale::verdict_of(euler_case& flow) {
    const std::vector<euler_state>& state = flow.state();
    euler::flow_system system(mesh(flow.grid()), flow.options());
    const auto& history = flow.history();
    system.lift = history.empty() ? 0 : history.back().lift;
    const bool is_measured = !history.empty() && history.back().iteration == flow.iteration();
    return euler::verdict(system, system.to_computed(state), is_measured ? &history.back() : nullptr);
}
