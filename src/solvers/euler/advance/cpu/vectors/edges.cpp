// edges - faces of patches, which are few: plain code, each kind with its own flux; and the steps of cells,
// which one stage in three asks for.
#include <cmath>

#include "solvers/euler/advance/cpu/vectors/blocks.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"

namespace wale::euler {
namespace {

template <class Real>
gas_point<Real> point_of_record(const Real* r, const constants<Real>& k) {
    return point_from(r[0], r[1], r[2], r[3], r[4], k);
}

}  // namespace

template <class Real>
void find_ghosts(const block_mesh<Real>& m, const cell_block& b, Real* points) {
    for (index_t g = b.first_ghost; g < b.last_ghost; ++g) {
        const edge_face<Real>& e = m.ghosts[static_cast<std::size_t>(g)];
        const Real* const own = points + record * e.place;
        Real* const behind = points + record * (m.places + g);
        const euler_boundary kind = m.grid.kinds[e.patch];
        if (kind == euler_boundary::symmetry) {  // ghost_of()'s mirror image
            const Real* const n = e.face.at;
            const Real back = 2 * (own[1] * n[0] + own[2] * n[1] + own[3] * n[2]);
            behind[0] = own[0];
            for (int d = 0; d < 3; ++d) behind[1 + d] = own[1 + d] - back * n[d];
            behind[4] = own[4];
            continue;
        }
        Real n[3], x[3];
        m.grid.normal(e.row, n);
        m.grid.offset(e.row, x);
        const ghost<Real> seen = ghost_of(kind, point_of_record(own, m.k), m.grid.said[e.patch], n, x, m.k);
        for (int v = 0; v < variables; ++v) behind[v] = seen.values.at[v];
    }
}
template void find_ghosts(const block_mesh<float>&, const cell_block&, float*);
template void find_ghosts(const block_mesh<double>&, const cell_block&, double*);

template <class Real>
void replace_by_flux(const block_mesh<Real>& m, const edge_face<Real>& e, const Real* own, Real* slot) {
    Real n[3];
    m.grid.normal(e.row, n);
    const euler_boundary kind = m.grid.kinds[e.patch];
    const gas_point<Real> near = inner_point(kind, point_of_record(own, m.k), point_of_record(slot, m.k), n);
    const flux_of<Real> f = with_flux(m.scheme.flux, [&]<euler_flux Flux>() {
        return boundary_flux<Flux>(kind, near, m.grid.said[e.patch], n, m.k);
    });
    for (int v = 0; v < variables; ++v) slot[v] = f.at[v];
}
template void replace_by_flux(const block_mesh<float>&, const edge_face<float>&, const float*, float*);
template void replace_by_flux(const block_mesh<double>&, const edge_face<double>&, const double*, double*);

template <class Real>
void find_local_steps(const block_task<Real>& t, const cell_block& b, std::span<const std::int32_t> order) {
    const block_mesh<Real>& m = *t.mesh;
    const auto cell_of = [&](index_t place) {
        return order[static_cast<std::size_t>(place < m.cells ? place : m.cells - 1)];
    };
    if (m.scheme.step == euler_step::rodinia) {
        for (index_t i = b.first; i < b.last; ++i)
            t.steps[i] = step_over_volume(m.scheme.step, m.grid, point_of_record(t.points + record * i, m.k),
                                          cell_of(i), m.k);
        return;
    }
    const Real* const faces = m.faces.data() + 4 * m.lanes * b.first_group;
    const index_t inner = 2 * m.lanes * (b.last_group - b.first_group), mask = m.lanes - 1;
    for (index_t i = b.first; i < b.last; ++i) {
        const Real* const r = t.points + record * i;
        const Real c = std::sqrt(m.k.gamma * r[4] / r[0]);
        Real waves = 0;
        for (index_t row = m.first_row[static_cast<std::size_t>(i)];
             row < m.first_row[static_cast<std::size_t>(i) + 1]; ++row) {
            const index_t slot = m.slot[static_cast<std::size_t>(row)];
            if (slot >= inner) continue;
            // A group has two slots and four words a lane.
            const Real* const n = faces + 2 * (slot & ~(2 * m.lanes - 1)) + (slot & mask);
            const Real through = r[1] * n[0] + r[2] * n[m.lanes] + r[3] * n[2 * m.lanes];
            waves += n[3 * m.lanes] * (std::fabs(through) + c);
        }
        t.steps[i] = waves;
    }
    for (index_t e = b.first_edge; e < b.last_edge; ++e) {
        const edge_face<Real>& edge = m.edges[static_cast<std::size_t>(e)];
        const Real* const r = t.points + record * edge.place;
        const Real* const n = edge.face.at;
        const Real through = r[1] * n[0] + r[2] * n[1] + r[3] * n[2];
        t.steps[edge.place] += edge.face.area * (std::fabs(through) + std::sqrt(m.k.gamma * r[4] / r[0]));
    }
    for (index_t i = b.first; i < b.last; ++i)
        t.steps[i] = i < m.cells ? m.k.cfl / (Real(0.5) * t.steps[i]) : Real(0);
}
template void find_local_steps(const block_task<float>&, const cell_block&, std::span<const std::int32_t>);
template void find_local_steps(const block_task<double>&, const cell_block&, std::span<const std::int32_t>);

}  // namespace wale::euler
