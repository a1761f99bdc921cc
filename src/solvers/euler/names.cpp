// names - the words of options and results.
#include <array>
#include <cmath>
#include <numbers>
#include <wale/euler.hpp>

namespace wale {
namespace {

template <class Enum, std::size_t N>
const char* word(Enum e, const std::array<const char*, N>& words) noexcept {
    const auto i = static_cast<std::size_t>(e);
    return i < N ? words[i] : "?";
}

}  // namespace

const char* name_of(euler_flux f) noexcept {
    return word<euler_flux, 5>(f, {"rodinia", "central", "rusanov", "hllc", "roe"});
}
const char* name_of(euler_limiter l) noexcept {
    return word<euler_limiter, 5>(l, {"none", "barth_jespersen", "venkatakrishnan", "smooth", "automatic"});
}
const char* name_of(euler_time t) noexcept {
    return word<euler_time, 5>(t, {"rodinia", "jameson", "ssp_rk3", "newton", "automatic"});
}
const char* name_of(euler_step s) noexcept {
    return word<euler_step, 3>(s, {"local", "global", "rodinia"});
}
const char* name_of(euler_shocks s) noexcept {
    return word<euler_shocks, 3>(s, {"automatic", "plain", "blended"});
}
const char* name_of(euler_boundary b) noexcept {
    return word<euler_boundary, 9>(b, {"wall", "far_field", "symmetry", "inflow", "outflow", "pressure_inlet",
                                       "pressure_outlet", "mass_inlet", "vortex_far_field"});
}
const char* name_of(euler_layout l) noexcept {
    return word<euler_layout, 4>(l, {"automatic", "cell_major", "variable_major", "packed"});
}
const char* name_of(euler_constants c) noexcept {
    return word<euler_constants, 4>(c, {"automatic", "constant_memory", "parameters", "compiled"});
}
const char* name_of(euler_end e) noexcept {
    return word<euler_end, 7>(
        e, {"iterations", "residual", "force", "time", "diverged", "asked", "not_converged"});
}
const char* name_of(euler_quantity q) noexcept {
    return word<euler_quantity, 7>(
        q, {"density", "pressure", "speed", "mach", "pressure_coefficient", "total_enthalpy", "entropy"});
}

euler_scheme euler_scheme::rodinia() noexcept {
    euler_scheme s;
    s.flux = euler_flux::rodinia;
    s.order = 1;
    s.limiter = euler_limiter::none;
    s.time = euler_time::rodinia;
    s.step = euler_step::rodinia;
    s.cfl = 0.5;
    return s;
}

std::array<double, 3> euler_stream::direction() const noexcept {
    const double a = alpha * std::numbers::pi / 180, b = beta * std::numbers::pi / 180;
    return {std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
}

euler_state euler_stream::state() const noexcept {
    const double a = alpha * std::numbers::pi / 180, b = beta * std::numbers::pi / 180;
    const double speed = mach * std::sqrt(gamma * pressure / density);
    return {density, density * (speed * std::cos(a) * std::cos(b)),
            density * (speed * std::sin(a) * std::cos(b)), density * (speed * std::sin(b)),
            pressure / (gamma - 1) + 0.5 * density * speed * speed};
}

std::vector<double> quantity(euler_quantity q, std::span<const euler_state> state,
                             const euler_stream& stream) {
    std::vector<double> out;
    out.reserve(state.size());
    const double dynamic = 0.5 * stream.gamma * stream.pressure * stream.mach * stream.mach;
    const double entropy = stream.pressure / std::pow(stream.density, stream.gamma);
    for (const euler_state& s : state) {
        const double rho = s[0];
        const double speed = std::sqrt(s[1] * s[1] + s[2] * s[2] + s[3] * s[3]) / rho;
        const double p = (stream.gamma - 1) * (s[4] - 0.5 * rho * speed * speed);
        switch (q) {
            case euler_quantity::density:
                out.push_back(rho);
                break;
            case euler_quantity::pressure:
                out.push_back(p);
                break;
            case euler_quantity::speed:
                out.push_back(speed);
                break;
            case euler_quantity::mach:
                out.push_back(speed / std::sqrt(stream.gamma * p / rho));
                break;
            case euler_quantity::pressure_coefficient:
                out.push_back((p - stream.pressure) / (dynamic > 0 ? dynamic : stream.pressure));
                break;
            case euler_quantity::total_enthalpy:
                out.push_back((s[4] + p) / rho);
                break;
            case euler_quantity::entropy:
                out.push_back(p / std::pow(rho, stream.gamma) / entropy - 1);
                break;
        }
    }
    return out;
}

}  // namespace wale
