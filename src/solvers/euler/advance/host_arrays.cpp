// host_arrays - a system's scheme in numbers, and its mesh in arrays of one precision.
#include <algorithm>
#include <array>

#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

template <class Real>
constants<Real> constants_of(const flow_system& system) {
    const euler_options& o = system.options;
    constants<Real> k;
    k.gamma = static_cast<Real>(o.stream.gamma);
    k.gamma_1 = static_cast<Real>(o.stream.gamma - 1);
    k.dissipation = static_cast<Real>(o.scheme.dissipation);
    k.cfl = static_cast<Real>(o.scheme.cfl);
    k.fixed_step = static_cast<Real>(o.scheme.fixed_step);
    k.smooth = o.scheme.limiter == euler_limiter::smooth;
    k.wide = k.smooth || o.scheme.time == euler_time::newton;
    k.limiter = k.smooth ? euler_limiter::none : o.scheme.limiter;
    k.flat = system.grid.dimensions == 2;
    k.limiter_k3 = static_cast<Real>(o.scheme.limiter_k * o.scheme.limiter_k * o.scheme.limiter_k);
    k.inverse_length = static_cast<Real>(1 / o.reference_length);
    const double cc = o.stream.gamma * o.stream.pressure / o.stream.density;
    const double squares[variables] = {o.stream.density * o.stream.density, cc, cc, cc,
                                       o.stream.pressure * o.stream.pressure};
    for (int v = 0; v < variables; ++v) k.unit_squares[v] = static_cast<Real>(squares[v]);
    k.entropy_fix = static_cast<Real>(0.1);
    k.smoothing_factor = static_cast<Real>(o.scheme.smoothing_factor);
    Real far[variables];
    const euler_state stream = o.stream.state();
    for (int v = 0; v < variables; ++v) far[v] = static_cast<Real>(stream[static_cast<std::size_t>(v)]);
    k.far = point_of(far, k);
    using row = std::array<std::array<double, stages>, 3>;  // of the old state, the state now, the flux
    const row published = {{{1, 1, 1}, {0, 0, 0}, {0.25, 1.0 / 3, 0.5}}};
    const row jameson = {{{1, 1, 1}, {0, 0, 0}, {1.0 / 3, 0.5, 1}}};
    const row ssp = {{{1, 0.75, 1.0 / 3}, {0, 0.25, 2.0 / 3}, {1, 0.25, 2.0 / 3}}};
    const row& rule = o.scheme.time == euler_time::rodinia   ? published
                      : o.scheme.time == euler_time::ssp_rk3 ? ssp
                                                             : jameson;
    for (std::size_t s = 0; s < stages; ++s) {
        k.from_old[s] = static_cast<Real>(rule[0][s]);
        k.from_now[s] = static_cast<Real>(rule[1][s]);
        k.from_flux[s] = static_cast<Real>(rule[2][s]);
    }
    return k;
}
template constants<float> constants_of(const flow_system&);
template constants<double> constants_of(const flow_system&);

namespace {

template <class Real>
gas_point<Real> gas_said(const flow_system& system, const euler_state& s) {
    Real at[variables];
    for (int v = 0; v < variables; ++v) at[v] = static_cast<Real>(s[static_cast<std::size_t>(v)]);
    return point_of(at, constants_of<Real>(system));
}

}  // namespace

template <class Real>
host_arrays<Real>::host_arrays(const flow_system& system) {
    const mesh& m = system.grid;
    const auto cast = [](std::span<const double> from, double scale) {
        std::vector<Real> to(from.size());
        std::ranges::transform(from, to.begin(), [&](double v) { return static_cast<Real>(v * scale); });
        return to;
    };
    normals = cast(m.normal, system.normal_scale);
    volumes = cast(m.volume, 1);
    offsets = cast(m.face_offset, 1);
    said.resize(system.said.size());
    for (std::size_t p = 0; p < said.size(); ++p) said[p] = gas_said<Real>(system, system.said[p]);
    kinds = system.kinds;
    for (std::size_t c = 0; system.has({euler_boundary::vortex_far_field}) && c < m.volume.size(); ++c)
        for (auto r = static_cast<std::size_t>(m.first_face[c]);
             r < static_cast<std::size_t>(m.first_face[c + 1]); ++r) {
            if (neighbours.empty()) neighbours = m.neighbour;
            const std::int32_t n = m.neighbour[r];
            if (!is_patch(n) ||
                kinds[static_cast<std::size_t>(patch_of(n))] != euler_boundary::vortex_far_field)
                continue;
            neighbours[r] = -1 - static_cast<std::int32_t>(kinds.size());
            kinds.push_back(euler_boundary::vortex_far_field);
            bent.push_back(
                {m.centre[3 * c] + m.face_offset[3 * r], m.centre[3 * c + 1] + m.face_offset[3 * r + 1]});
        }
    said.resize(kinds.size());
    bend_far_field(system, system.lift);
    grid = {m.cells(),
            m.first_face.data(),
            neighbours.empty() ? m.neighbour.data() : neighbours.data(),
            m.opposite.data(),
            normals.data(),
            volumes.data(),
            offsets.empty() ? nullptr : offsets.data(),
            kinds.data(),
            said.data()};
}
template <class Real>
void host_arrays<Real>::bend_far_field(const flow_system& system, double lift) {
    for (std::size_t i = 0; i < bent.size(); ++i)
        said[said.size() - bent.size() + i] = gas_said<Real>(system, system.bent_stream(bent[i], lift));
}
template struct host_arrays<float>;
template struct host_arrays<double>;

}  // namespace wale::euler
