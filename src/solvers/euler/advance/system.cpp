// system - checks a case and makes it ready.
#include "solvers/euler/advance/system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <wale/error.hpp>

#include "base/decimal_text.hpp"
#include "base/enumerator.hpp"
#include "base/order_free_sum.hpp"
#include "io/escape.hpp"
#include "solvers/euler/advance/shocks.hpp"

namespace wale::euler {
namespace {

void expect(bool good, const std::string& what) {
    if (!good) throw bad_argument(what);
}

/// Why Newton's method cannot compute a case; empty if it can.
std::string why_not_newton(const euler_options& o) {
    const euler_scheme& s = o.scheme;
    if (s.step != euler_step::local || s.fixed_step > 0 || o.end_time > 0)
        return "is for steady flows: local steps, no end_time";
    if (s.smoothing > 0 || s.levels > 1) return "has no residual smoothing and no multigrid";
    if (s.flux == euler_flux::rodinia) return "does not know flux rodinia";
    if (o.precision != scalar::f64) return "computes in f64";
    return {};
}

void check_enumerators(const euler_options& o) {
    base::check_enumerator("scheme", "flux", o.scheme.flux, euler_flux::roe);
    base::check_enumerator("scheme", "limiter", o.scheme.limiter, euler_limiter::automatic);
    base::check_enumerator("scheme", "time", o.scheme.time, euler_time::automatic);
    base::check_enumerator("scheme", "step", o.scheme.step, euler_step::rodinia);
    base::check_enumerator("scheme", "shocks", o.scheme.shocks, euler_shocks::blended);
    base::check_enumerator("options", "precision", o.precision, scalar::c128);
    base::check_enumerator("options", "layout", o.layout, euler_layout::packed);
    base::check_enumerator("options", "constants", o.constants, euler_constants::compiled);
    for (const euler_patch& p : o.patches)
        base::check_enumerator("patches", "kind", p.kind, euler_boundary::vortex_far_field);
}

void check(const euler_options& o) {
    check_enumerators(o);
    const euler_scheme& s = o.scheme;
    const auto positive = [](double v, const char* name) {
        expect(v > 0 && std::isfinite(v),
               std::string(name) + ": is " + base::decimal_text(v) + ", expected more than 0");
    };
    positive(o.stream.density, "stream.density");
    positive(o.stream.pressure, "stream.pressure");
    positive(o.reference_area, "reference_area");
    positive(o.reference_length, "reference_length");
    positive(s.cfl, "scheme.cfl");
    expect(o.stream.gamma > 1 && o.stream.gamma < 10,
           "stream.gamma: is " + base::decimal_text(o.stream.gamma) + ", expected 1 to 10");
    expect(o.stream.mach >= 0 && std::isfinite(o.stream.mach),
           "stream.mach: is " + base::decimal_text(o.stream.mach) + ", expected 0 or more");
    expect(std::isfinite(o.stream.alpha) && std::isfinite(o.stream.beta),
           "stream.alpha, stream.beta: expected finite angles");
    expect(s.order == 1 || s.order == 2, "scheme.order: is " + std::to_string(s.order) + ", expected 1 or 2");
    expect(s.fixed_step >= 0 && std::isfinite(s.fixed_step), "scheme.fixed_step: expected 0 or more");
    expect(s.dissipation >= 0 && s.dissipation <= 10, "scheme.dissipation: expected 0 to 10");
    expect(s.limiter_k >= 0 && std::isfinite(s.limiter_k), "scheme.limiter_k: expected 0 or more");
    expect(s.smoothing >= 0 && s.smoothing <= 100, "scheme.smoothing: expected 0 to 100 sweeps");
    expect(s.smoothing_factor >= 0 && s.smoothing_factor <= 100,
           "scheme.smoothing_factor: expected 0 to 100");
    expect(s.levels >= 1 && s.levels <= 30, "scheme.levels: expected 1 to 30");
    expect(s.levels == 1 || (s.step != euler_step::global && s.fixed_step == 0),
           "scheme.levels: multigrid is for local steps");
    expect(o.check_every >= 0, "check_every: expected 0 or more");
    expect(o.stop_decades >= 0 && o.stop_force >= 0, "stop: expected 0 or more");
    expect(o.end_time >= 0 && std::isfinite(o.end_time), "end_time: expected 0 or more");
    expect(o.end_time == 0 || s.step == euler_step::global || s.fixed_step > 0,
           "end_time: needs scheme.step = global, or a fixed_step");
    expect(o.end_time == 0 || s.smoothing == 0,
           "scheme.smoothing: is for steady flows, and end_time asks for the flow at a time");
    expect(s.shocks != euler_shocks::blended || keeps_contacts(s.flux),
           "scheme.shocks: blended is for the fluxes hllc and roe");
    expect(s.flux != euler_flux::rodinia || s.order == 1, "scheme.flux: rodinia is of first order");
    if (s.time == euler_time::newton)
        if (const std::string why = why_not_newton(o); !why.empty())
            throw bad_argument("scheme.time: newton " + why);
}

/// In a stream slower than sound the ends of a channel are those that such a flow needs, but for the
/// published scheme, which has its own boundaries alone.
euler_boundary meaning_of(const std::string& name, const euler_options& o) {
    const bool slow = o.stream.mach < 1 && o.scheme.flux != euler_flux::rodinia;
    if (slow && name == "inflow") return euler_boundary::pressure_inlet;
    if (slow && name == "outflow") return euler_boundary::pressure_outlet;
    static const std::pair<const char*, euler_boundary> known[] = {
        {"wall", euler_boundary::wall},           {"farfield", euler_boundary::far_field},
        {"far_field", euler_boundary::far_field}, {"symmetry", euler_boundary::symmetry},
        {"sides", euler_boundary::symmetry},      {"top", euler_boundary::symmetry},
        {"inflow", euler_boundary::inflow},       {"outflow", euler_boundary::outflow},
        {"unnamed", euler_boundary::far_field}};
    for (const auto& [word, kind] : known)
        if (name == word) return kind;
    throw bad_argument("patches: the mesh has " + io::quoted(name) +
                       ", expected its kind: wall, far_field, symmetry, inflow, outflow, pressure_inlet, "
                       "pressure_outlet or mass_inlet");
}

mesh joined(mesh m, const euler_options& o) {
    for (const auto& [a, b] : o.periodic) join_periodic(m, a, b);
    return m;
}

/// Cells whose neighbours' numbers are far from theirs miss the caches again and again: such a mesh is
/// numbered anew, unless it is small.
cell_order order_for(const mesh& m) {
    constexpr index_t small = 20000;
    constexpr double scattered = 0.1;  // mean distance over the number of cells; at random it is a third
    if (m.cells() < small) return cell_order::natural;
    double distance = 0;
    index_t inner = 0;
    for (index_t i = 0; i < m.cells(); ++i)
        for (index_t r = m.first_face[static_cast<std::size_t>(i)];
             r < m.first_face[static_cast<std::size_t>(i) + 1]; ++r) {
            const std::int32_t other = m.neighbour[static_cast<std::size_t>(r)];
            if (is_patch(other)) continue;
            distance += std::fabs(static_cast<double>(other - i));
            ++inner;
        }
    const bool bad = distance > scattered * static_cast<double>(m.cells()) * static_cast<double>(inner);
    return bad ? cell_order::reverse_cuthill_mckee : cell_order::natural;
}

bool is_slow_inlet(euler_boundary kind) {
    return kind == euler_boundary::pressure_inlet || kind == euler_boundary::mass_inlet;
}

/// A gas of this density and pressure that moves so.
euler_state moving(double density, double pressure, const std::array<double, 3>& v, double gamma) {
    return {density, density * v[0], density * v[1], density * v[2],
            pressure / (gamma - 1) + 0.5 * density * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])};
}

/// The gas at rest behind an inlet, moving at its speed of sound: flow_system::said.
euler_state rest_of(const euler_patch& p, const euler_stream& stream) {
    const auto good = [&p](double v, const char* what) {
        expect(v > 0 && std::isfinite(v), "patches: " + std::string(what) + " of " + io::quoted(p.name) +
                                              " is " + base::decimal_text(v) + ", expected more than 0");
        return v;
    };
    const double heated = 1 + 0.5 * (stream.gamma - 1) * stream.mach * stream.mach;
    const double of_stream = stream.pressure * std::pow(heated, stream.gamma / (stream.gamma - 1));
    const double temperature =
        good(p.total_temperature.value_or(stream.pressure / stream.density * heated), "total_temperature");
    const double sound = std::sqrt(stream.gamma * temperature);
    const double mass = stream.mach * std::sqrt(stream.gamma * stream.pressure * stream.density);
    const double pressure = p.kind == euler_boundary::mass_inlet
                                ? good(p.mass_flux.value_or(mass), "mass_flux") / sound * temperature
                                : good(p.total_pressure.value_or(of_stream), "total_pressure");
    std::array<double, 3> v = p.direction.value_or(stream.direction());
    const double length = std::hypot(v[0], v[1], v[2]);
    expect(length > 0 && std::isfinite(length),
           "patches: direction of " + io::quoted(p.name) + ", expected three numbers, not all 0");
    for (double& d : v) d *= sound / length;
    return moving(pressure / temperature, pressure, v, stream.gamma);
}

euler_state said_of(const euler_patch& p, const euler_stream& stream) {
    if (is_slow_inlet(p.kind)) return rest_of(p, stream);
    if (p.kind != euler_boundary::pressure_outlet) return p.state.value_or(stream.state());
    const double pressure = p.pressure.value_or(stream.pressure);
    expect(pressure > 0 && std::isfinite(pressure), "patches: pressure of " + io::quoted(p.name) + " is " +
                                                        base::decimal_text(pressure) +
                                                        ", expected more than 0");
    return moving(stream.density, pressure, {}, stream.gamma);
}

/// Gas comes in through every face of an inlet of slow gas.
void check_directions(const flow_system& s) {
    for (index_t c = 0; c < s.cells(); ++c)
        for (index_t r = s.grid.first_face[static_cast<std::size_t>(c)];
             r < s.grid.first_face[static_cast<std::size_t>(c) + 1]; ++r) {
            const std::int32_t n = s.grid.neighbour[static_cast<std::size_t>(r)];
            if (!is_patch(n) || !is_slow_inlet(s.kinds[static_cast<std::size_t>(patch_of(n))])) continue;
            const euler_state& rest = s.said[static_cast<std::size_t>(patch_of(n))];
            double along = 0;
            for (std::size_t d = 0; d < 3; ++d)
                along += rest[d + 1] * s.grid.normal[3 * static_cast<std::size_t>(r) + d];
            expect(along < 0, "patches: direction of " +
                                  io::quoted(s.grid.patches[static_cast<std::size_t>(patch_of(n))]) +
                                  " does not lead into cell " + std::to_string(s.number_of(c)));
        }
}

void set_patches(flow_system& s) {
    const euler_stream& stream = s.options.stream;
    s.said.assign(s.grid.patches.size(), stream.state());
    std::vector<bool> meant(s.grid.patches.size());
    s.kinds.resize(s.grid.patches.size());
    const auto mean = [&](std::size_t at, const euler_patch& p) {
        s.kinds[at] = p.kind;
        s.said[at] = said_of(p, stream);
        meant[at] = true;
    };
    for (const euler_patch& p : s.options.patches) {
        const int at = s.grid.patch(p.name);
        expect(at >= 0, "patches: the mesh has no patch " + io::quoted(p.name));
        mean(static_cast<std::size_t>(at), p);
    }
    std::vector<bool> used(s.grid.patches.size());
    for (const std::int32_t n : s.grid.neighbour)
        if (is_patch(n)) used[static_cast<std::size_t>(patch_of(n))] = true;
    for (std::size_t p = 0; p < meant.size(); ++p)
        if (used[p] && !meant[p])
            mean(p, {.name = s.grid.patches[p], .kind = meaning_of(s.grid.patches[p], s.options)});
    using enum euler_boundary;
    expect(
        s.options.scheme.flux != euler_flux::rodinia || !s.has({pressure_inlet, pressure_outlet, mass_inlet}),
        "patches: flux rodinia has no pressure_inlet, pressure_outlet and mass_inlet; flux central is the "
        "same "
        "inside");
    const bool bends = s.grid.dimensions == 2 && stream.mach > 0 && stream.mach < 1 && s.grid.has_centres();
    expect(
        (bends && s.options.scheme.flux != euler_flux::rodinia && s.options.group.empty()) ||
            !s.has({vortex_far_field}),
        "patches: vortex_far_field is for meshes in 2-D with coordinates, streams slower than sound, fluxes "
        "but rodinia, one process");
    check_directions(s);
}

}  // namespace

bool is_published(const euler_scheme& s) noexcept {
    return s.flux == euler_flux::rodinia && s.step == euler_step::rodinia;
}

std::string why_not_stages(const euler_scheme& s) {
    return s.time == euler_time::newton ? "takes explicit stages; rows levels and colours have time newton"
                                        : "";
}
std::string why_not_unbent(const euler_options& o) {
    const bool bent = std::ranges::any_of(
        o.patches, [](const euler_patch& p) { return p.kind == euler_boundary::vortex_far_field; });
    return bent ? "has no boundary vortex_far_field" : why_not_stages(o.scheme);
}
std::string why_not_shared(const euler_options& o) {
    if (o.scheme.limiter == euler_limiter::smooth) return "has no limiter smooth";
    const std::string why = why_not_unbent(o);
    return why.empty() && blends_shocks(o) ? no_blending : why;
}

void flow_system::choose_scheme(bool newton_is_there) {
    euler_scheme& s = options.scheme;
    s.time = asked_.time;
    s.limiter = asked_.limiter;
    if (s.time == euler_time::automatic) {
        const bool explicit_words =
            s.cfl != euler_scheme{}.cfl || (options.stop_decades == 0 && options.stop_force == 0);
        const bool suits = newton_is_there && !explicit_words && why_not_newton(options).empty();
        s.time = suits ? euler_time::newton : euler_time::jameson;
    }
    if (s.limiter == euler_limiter::automatic)
        s.limiter = s.time == euler_time::newton ? euler_limiter::smooth : euler_limiter::venkatakrishnan;
}

flow_system::flow_system(mesh m, const euler_options& said_options)
    : options((check(said_options), said_options)),
      grid(joined(std::move(m), options)),
      asked_(options.scheme) {
    choose_scheme(true);
    if (const cell_order order = options.order.value_or(order_for(grid)); order != cell_order::natural) {
        number = order_cells(grid, order);
        own_ = std::exchange(grid, renumbered(grid, number));
    }
    expect(options.scheme.order == 1 || grid.cells() == 0 || grid.has_centres(),
           "scheme.order: second order needs a mesh with coordinates; recover_points() gives them back");
    expect(std::ranges::all_of(grid.volume, [](double v) { return v > 0 && std::isfinite(v); }),
           "mesh: volumes must be positive");
    set_patches(*this);
    published = is_published(options.scheme);
    normal_scale = published ? grid.normal_scale : 1;
    if (!grid.volume.empty()) {
        base::order_free_sum sum(std::ranges::max(grid.volume));
        for (const double v : grid.volume) sum.add(v);
        total_volume = sum.value();
    }
    const euler_stream& stream = options.stream;
    const double a = stream.alpha * std::numbers::pi / 180, b = stream.beta * std::numbers::pi / 180;
    axes[0] = stream.direction();
    axes[1] = {-std::sin(a), std::cos(a), 0};
    axes[2] = {-std::cos(a) * std::sin(b), -std::sin(a) * std::sin(b), std::cos(b)};
    // At rest there is no dynamic pressure: then forces are over the pressure.
    const double dynamic = 0.5 * stream.gamma * stream.pressure * stream.mach * stream.mach;
    force_unit = (dynamic > 0 ? dynamic : stream.pressure) * options.reference_area;
}

euler_state flow_system::bent_stream(const std::array<double, 2>& at, double lift_coefficient) const {
    const euler_stream& far = options.stream;
    const double x = at[0] - options.moment_centre[0], y = at[1] - options.moment_centre[1];
    const double square = x * x + y * y, alpha = far.alpha * std::numbers::pi / 180;
    const double heat = far.gamma * far.pressure / far.density, speed = far.mach * std::sqrt(heat);
    if (!(square > 0)) return far.state();
    // Lift a unit of depth is density times speed times circulation.
    const double turn = 0.5 * lift_coefficient * options.reference_area * speed / (2 * std::numbers::pi);
    const double across = y * std::cos(alpha) - x * std::sin(alpha);  // the sine times the distance
    const double slow = 1 - far.mach * far.mach;
    const double part = turn * std::sqrt(slow) / (square - far.mach * far.mach * across * across);
    const double u = speed * std::cos(alpha) + part * y, v = speed * std::sin(alpha) - part * x;
    // Entropy and total enthalpy are the free stream's.
    const double warm = 1 + 0.5 * (far.gamma - 1) * (speed * speed - u * u - v * v) / heat;
    const double density = far.density * std::pow(warm, 1 / (far.gamma - 1));
    return moving(density, density / far.density * far.pressure * warm, {u, v, 0}, far.gamma);
}

std::vector<euler_state> flow_system::to_computed(std::span<const euler_state> in_mesh_order) const {
    std::vector<euler_state> out(in_mesh_order.begin(), in_mesh_order.end());
    for (std::size_t i = 0; i < number.size(); ++i)
        out[i] = in_mesh_order[static_cast<std::size_t>(number[i])];
    return out;
}

std::vector<euler_state> flow_system::to_mesh_order(std::span<const euler_state> computed) const {
    std::vector<euler_state> out(computed.begin(), computed.end());
    for (std::size_t i = 0; i < number.size(); ++i) out[static_cast<std::size_t>(number[i])] = computed[i];
    return out;
}

bool flow_system::all_have_four_faces() const {
    for (std::size_t i = 0; i < grid.first_face.size(); ++i)
        if (grid.first_face[i] != static_cast<index_t>(4 * i)) return false;
    return true;
}

bool flow_system::has(std::initializer_list<euler_boundary> some) const {
    return std::ranges::any_of(grid.neighbour, [&](std::int32_t n) {
        return is_patch(n) &&
               std::ranges::find(some, kinds[static_cast<std::size_t>(patch_of(n))]) != some.end();
    });
}

std::vector<euler_state> flow_system::free_stream() const {
    return std::vector<euler_state>(static_cast<std::size_t>(cells()), options.stream.state());
}

}  // namespace wale::euler
