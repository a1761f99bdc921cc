// published_flow - see published_flow.hpp.
#include "published_flow.hpp"

#include <cmath>

namespace wale::bench {
namespace {

constexpr int stages = 3;

template <class Real>
struct gas {
    Real velocity[3], speed_squared, pressure, sound;
};

template <class Real>
gas<Real> gas_of(const Real* u) {
    gas<Real> g;
    g.speed_squared = 0;
    for (int d = 0; d < 3; ++d) {
        g.velocity[d] = u[1 + d] / u[0];
        g.speed_squared += g.velocity[d] * g.velocity[d];
    }
    g.pressure = Real(0.4) * (u[4] - Real(0.5) * u[0] * g.speed_squared);
    g.sound = std::sqrt(Real(1.4) * g.pressure / u[0]);
    return g;
}

/// What mass, momentum and energy carry in each direction.
template <class Real>
void contributions(const Real* u, const gas<Real>& g, Real (&f)[5][3]) {
    for (int d = 0; d < 3; ++d) {
        f[0][d] = u[1 + d];
        for (int e = 0; e < 3; ++e) f[1 + e][d] = u[1 + e] * g.velocity[d] + (d == e ? g.pressure : Real(0));
        f[4][d] = (u[4] + g.pressure) * g.velocity[d];
    }
}

template <class Real>
void find_step_factors(published_flow<Real>& p) {
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (std::int64_t i = 0; i < p.cells; ++i) {
        const gas<Real> g = gas_of(&p.state[static_cast<std::size_t>(5 * i)]);
        p.step_factor[static_cast<std::size_t>(i)] =
            Real(0.5) /
            (std::sqrt(p.volume[static_cast<std::size_t>(i)]) * (std::sqrt(g.speed_squared) + g.sound));
    }
}

template <class Real>
void find_fluxes(published_flow<Real>& p) {
    Real far[5][3];
    contributions(p.far, gas_of(p.far), far);
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (std::int64_t i = 0; i < p.cells; ++i) {
        const Real* const u = &p.state[static_cast<std::size_t>(5 * i)];
        const gas<Real> own = gas_of(u);
        Real f[5][3], sum[5]{};
        contributions(u, own, f);
        for (int face = 0; face < 4; ++face) {
            const std::int32_t other = p.neighbour[static_cast<std::size_t>(4 * i + face)];
            const Real* const n = &p.normal[static_cast<std::size_t>(3 * (4 * i + face))];
            if (other >= 0) {
                const Real* const w = &p.state[static_cast<std::size_t>(5 * std::int64_t{other})];
                const gas<Real> g = gas_of(w);
                Real h[5][3];
                contributions(w, g, h);
                const Real size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                const Real spread =
                    -size * Real(0.2) * Real(0.5) *
                    (std::sqrt(own.speed_squared) + std::sqrt(g.speed_squared) + own.sound + g.sound);
                for (int v = 0; v < 5; ++v) {
                    sum[v] += spread * (u[v] - w[v]);
                    for (int d = 0; d < 3; ++d) sum[v] += Real(0.5) * n[d] * (f[v][d] + h[v][d]);
                }
            } else if (other == -1) {
                for (int d = 0; d < 3; ++d) sum[1 + d] += n[d] * own.pressure;
            } else {
                for (int v = 0; v < 5; ++v)
                    for (int d = 0; d < 3; ++d) sum[v] += Real(0.5) * n[d] * (far[v][d] + f[v][d]);
            }
        }
        for (int v = 0; v < 5; ++v) p.flux[static_cast<std::size_t>(5 * i + v)] = sum[v];
    }
}

template <class Real>
void take_stage(published_flow<Real>& p, int stage) {
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (std::int64_t i = 0; i < p.cells; ++i) {
        const Real factor =
            p.step_factor[static_cast<std::size_t>(i)] / static_cast<Real>(stages + 1 - stage);
        for (auto k = static_cast<std::size_t>(5 * i); k < static_cast<std::size_t>(5 * i + 5); ++k)
            p.state[k] = p.old[k] + factor * p.flux[k];
    }
}

template <class Real>
void keep_old(published_flow<Real>& p) {
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (std::int64_t k = 0; k < 5 * p.cells; ++k)
        p.old[static_cast<std::size_t>(k)] = p.state[static_cast<std::size_t>(k)];
}

}  // namespace

template <class Real>
published_flow<Real>::published_flow(const mesh& m, const euler_stream& stream, int count)
    : cells(m.cells()), threads(count) {
    for (std::size_t v = 0; v < 5; ++v) far[v] = static_cast<Real>(stream.state()[v]);
    for (const double v : m.volume) volume.push_back(static_cast<Real>(v));
    for (const double n : m.normal) normal.push_back(static_cast<Real>(-n * m.normal_scale));
    const int wall = m.patch("wall");
    for (const std::int32_t n : m.neighbour)
        neighbour.push_back(!is_patch(n) ? n : patch_of(n) == wall ? -1 : -2);
    for (std::int64_t i = 0; i < cells; ++i) state.insert(state.end(), far, far + 5);
    old = flux = state;
    step_factor.resize(static_cast<std::size_t>(cells));
}

template <class Real>
double published_flow<Real>::difference(const std::vector<euler_state>& other) const {
    double most = 0;
    for (std::size_t i = 0; i < other.size(); ++i)
        for (std::size_t v = 0; v < 5; ++v) {
            const double d = std::fabs(other[i][v] - static_cast<double>(state[5 * i + v]));
            most = d <= most ? most : d;
        }
    return most;
}

template <class Real>
void published_flow<Real>::run(std::int64_t iterations) {
    for (std::int64_t k = 0; k < iterations; ++k) {
        keep_old(*this);
        find_step_factors(*this);
        for (int stage = 0; stage < stages; ++stage) {
            find_fluxes(*this);
            take_stage(*this, stage);
        }
    }
}
template struct published_flow<float>;
template struct published_flow<double>;

}  // namespace wale::bench
