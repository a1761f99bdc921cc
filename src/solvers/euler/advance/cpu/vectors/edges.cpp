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
        const edge_face& e = m.ghosts[static_cast<std::size_t>(g)];
        Real n[3], x[3];
        m.grid.normal(e.row, n);
        m.grid.offset(e.row, x);
        const ghost<Real> behind =
            ghost_of(m.grid.kinds[e.patch], point_of_record(points + record * e.place, m.k),
                     m.grid.said[e.patch], n, x, m.k);
        for (int v = 0; v < variables; ++v) points[record * (m.places + g) + v] = behind.values.at[v];
    }
}
template void find_ghosts(const block_mesh<float>&, const cell_block&, float*);
template void find_ghosts(const block_mesh<double>&, const cell_block&, double*);

template <class Real>
void replace_by_flux(const block_mesh<Real>& m, const edge_face& e, const Real* own, Real* slot) {
    Real n[3];
    m.grid.normal(e.row, n);
    const euler_boundary kind = m.grid.kinds[e.patch];
    flux_of<Real> f;
    if (kind == euler_boundary::wall || kind == euler_boundary::symmetry) {
        gas_point<Real> near{};  // of which a wall asks for the pressure alone
        near.p = slot[4];
        f = wall_flux(near, n);
    } else {
        const gas_point<Real> near =
            inner_point(kind, point_of_record(own, m.k), point_of_record(slot, m.k), n);
        f = with_flux(m.scheme.flux, [&]<euler_flux Flux>() {
            return boundary_flux<Flux>(kind, near, m.grid.said[e.patch], n, m.k);
        });
    }
    for (int v = 0; v < variables; ++v) slot[v] = f.at[v];
}
template void replace_by_flux(const block_mesh<float>&, const edge_face&, const float*, float*);
template void replace_by_flux(const block_mesh<double>&, const edge_face&, const double*, double*);

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
        const edge_face& edge = m.edges[static_cast<std::size_t>(e)];
        const gas_point<Real> own = point_of_record(t.points + record * edge.place, m.k);
        Real n[3];
        m.grid.normal(edge.row, n);
        t.steps[edge.place] += std::fabs(through(own, n)) + own.c * length_of(n);
    }
    for (index_t i = b.first; i < b.last; ++i)
        t.steps[i] = i < m.cells ? m.k.cfl / (Real(0.5) * t.steps[i]) : Real(0);
}
template void find_local_steps(const block_task<float>&, const cell_block&, std::span<const std::int32_t>);
template void find_local_steps(const block_task<double>&, const cell_block&, std::span<const std::int32_t>);

}  // namespace wale::euler
