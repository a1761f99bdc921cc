// arrange - from a mesh to groups of cells, their boundary faces, and which cases they can hold.
#include "solvers/euler/advance/shared/lanes/lanes.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

/// Fills one lane.
template <class Real>
class lane_filler {
public:
    lane_filler(lane_mesh<Real>& m, index_t lanes, std::span<const std::int32_t> place)
        : m_(m), lanes_(lanes), place_(place) {}

    void fill(index_t at, index_t cell) {
        const index_t group = at / lanes_, lane = at % lanes_;
        const auto own = static_cast<std::int32_t>(at);
        const auto ghost = static_cast<std::int32_t>(m_.groups * lanes_);
        bool bounded = false;
        for (index_t row = m_.grid.begin(cell); row < m_.grid.end(cell); ++row) {
            const index_t face = 4 * group + row - m_.grid.begin(cell);
            const std::int32_t other = m_.grid.neighbour(row);
            const bool patch = is_patch(other), far = patch && m_.is_ghost(other);
            m_.neighbour[static_cast<std::size_t>(face * lanes_ + lane)] =
                !patch ? place_[static_cast<std::size_t>(other)]
                : far  ? ghost
                       : own;
            bounded |= patch && !far;
            Real n[3];
            m_.grid.normal(row, n);
            Real* const to = m_.faces.data() + 4 * face * lanes_ + lane;
            for (index_t d = 0; d < 3; ++d) to[d * lanes_] = patch && !far ? 0 : n[d] / 2;
            to[3 * lanes_] = patch ? 0 : length_of(n) / 2;
        }
        const double volume = static_cast<double>(m_.grid.volume(cell));
        m_.factor[static_cast<std::size_t>(at)] =
            static_cast<Real>(static_cast<double>(m_.k.cfl) / std::sqrt(volume));
        if (bounded) m_.boundary.push_back({cell, static_cast<std::int32_t>(lane)});
    }

private:
    lane_mesh<Real>& m_;
    index_t lanes_;
    std::span<const std::int32_t> place_;
};

}  // namespace

std::vector<std::int32_t> vector_order(const flow_system& system) {
    const bool done = system.options.order || !system.number.empty();  // the system is in a chosen order
    return order_cells(system.grid, done ? cell_order::natural : cell_order::reverse_cuthill_mckee);
}

template <class Real>
lane_mesh<Real> arranged(const flow_system& system, const plain_grid<Real>& grid,
                         std::span<const std::int32_t> order) {
    lane_mesh<Real> m;
    const index_t lanes = lanes_of<Real>(), cells = std::ssize(order);
    m.groups = (cells + lanes - 1) / lanes;
    m.k = constants_of<Real>(system);
    m.grid = grid;
    m.flux = system.options.scheme.flux;
    m.rule = system.options.scheme.step;
    const auto places = static_cast<std::size_t>(m.groups * lanes);
    m.faces.resize(16 * places);
    m.neighbour.resize(4 * places);
    m.factor.resize(places);
    std::vector<std::int32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    lane_filler<Real> filler(m, lanes, place);
    for (index_t at = 0; at < m.groups * lanes; ++at) {
        if (at % lanes == 0) m.first_boundary.push_back(static_cast<std::int32_t>(m.boundary.size()));
        filler.fill(at, order[static_cast<std::size_t>(std::min(at, cells - 1))]);
    }
    m.first_boundary.push_back(static_cast<std::int32_t>(m.boundary.size()));
    return m;
}
template lane_mesh<float> arranged(const flow_system&, const plain_grid<float>&,
                                   std::span<const std::int32_t>);
template lane_mesh<double> arranged(const flow_system&, const plain_grid<double>&,
                                    std::span<const std::int32_t>);

/// Boundary faces one by one: few cells have any, and each kind has its own flux.
template <class Real>
void add_boundaries(const stage_task<Real>& t, index_t group, index_t lanes, Real* leaving) {
    const lane_mesh<Real>& m = *t.mesh;
    const auto* const first = m.first_boundary.data() + group;
    for (std::int32_t b = first[0]; b < first[1]; ++b) {
        const auto [cell, lane] = m.boundary[static_cast<std::size_t>(b)];
        const index_t at = group * lanes + lane;
        const gas_point<Real> own = point_of(t.now + record * at, m.k);
        if (t.stage == 0 && m.rule == euler_step::local && !(m.k.fixed_step > 0))
            t.steps[at] = step_over_volume(m.rule, m.grid, own, cell, m.k);
        for (index_t row = m.grid.begin(cell); row < m.grid.end(cell); ++row) {
            const std::int32_t other = m.grid.neighbour(row);
            if (!is_patch(other) || m.is_ghost(other)) continue;
            Real n[3];
            m.grid.normal(row, n);
            const flux_of<Real> f = with_flux(m.flux, [&]<euler_flux Flux>() {
                return boundary_flux<Flux>(m.grid.kinds[patch_of(other)], own, m.grid.said[patch_of(other)],
                                           n, m.k);
            });
            for (int v = 0; v < variables; ++v) leaving[v * lanes + lane] += f.at[v];
        }
    }
}
template void add_boundaries(const stage_task<float>&, index_t, index_t, float*);
template void add_boundaries(const stage_task<double>&, index_t, index_t, double*);

std::string why_not_lanes(const flow_system& system) {
    const euler_options& o = system.options;
    const euler_scheme& s = o.scheme;
    if (lanes_of<float>() == 1) return "this processor, or this build of Highway, has no vectors";
    if (s.flux == euler_flux::hllc || s.flux == euler_flux::roe)
        return "knows the fluxes rodinia, central, rusanov";
    if (const std::string why = why_not_shared(o); !why.empty()) return why;
    if (s.order > 1) return "is of first order";
    if (s.smoothing > 0) return "does not smooth residuals";
    if (s.levels > 1) return "has no multigrid";
    if (o.end_time > 0 || (s.step == euler_step::global && !(s.fixed_step > 0)))
        return "takes local or fixed steps, without an end in time";
    if (o.layout != euler_layout::automatic && o.layout != euler_layout::packed) return "keeps states packed";
    const mesh& m = system.grid;
    if (!system.all_have_four_faces()) return "is for cells of four faces";
    if (m.cells() > (index_t{1} << 31) - 65) return "counts cells in 32 bits";
    return {};
}

}  // namespace wale::euler
