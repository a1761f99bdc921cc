// boundary - the boundary faces of groups, one by one: few cells have any, and each kind has its own flux.
#include "solvers/euler/cpu/vectors/stage.hpp"
#include "solvers/euler/dispatch.hpp"

namespace wale::euler {

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

}  // namespace wale::euler
