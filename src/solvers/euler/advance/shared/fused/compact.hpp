// compact - one cell of any scheme, as cuda/fused and cuda/graph compute it: what does not change from stage
// to stage is found once, and what a stage passes on are five numbers, of which four come in one load.
//
// A stage of second order has two passes. The first finds a cell's limited gradient and writes what the state
// is at the cell's own faces; the second reads both sides of each face and knows neither gradients nor
// places. The least squares of a cell are the inverse of its matrix (six numbers) times sums over its
// neighbours, which the first pass takes from the vectors between centroids. Behind a face of a patch that a
// gradient sees is a ghost, a record behind those of the cells: the thread that moves a cell writes the
// cell's ghosts.
#pragma once

#include "solvers/euler/advance/cell.hpp"
#include "solvers/euler/advance/shared/fused/near_number.hpp"
#include "solvers/euler/advance/shared/fused/records.hpp"

namespace wale::euler {

struct device_time;

template <class Real>
struct compact_task {
    plain_grid<Real> grid;
    constants<Real> k;
    Real inverse_gamma_1;  // 1 / (gamma - 1)
    bool tetrahedra;       // four faces everywhere, in three dimensions
    // [rows] area vector, and what is across: a neighbour, at second order its row; -1 - patch
    const row_vector<Real>* areas;
    // [rows] second order: from the cell's centroid to the record that its gradient sees there; -1: none
    row_vector<Real>* seen;
    cell_geometry<Real>* own;       // [cells]
    value_records<Real> faces;      // [rows] the cell's state carried to its faces
    value_records<Real> now, next;  // [cells + ghosts]; next may be now, at second order
    const Real* old;                // [cells][5] conserved, at the iteration's beginning
    const Real* from;               // the same of `now`, where a stage needs it
    Real* moved;                    // the same of `next`, where the caller needs it; may be old or from
    Real* step;                     // [cells] over the volume, found by the first stage
    Real* shocks;                   // [cells] shock_part(), or null
    const device_time* time;        // null: steps are local
    const double* volumes;          // [cells], with a time
    euler_step rule;
    int stage;
    bool backwards;       // last cells first: the cache still has what the pass before wrote last
    index_t first, last;  // cells that a pass of a stage is for: all, but where several devices share them
};

template <class Real>
WALE_HD inline gas_point<Real> gas_of(const primitives<Real>& s, const compact_task<Real>& t) {
    return gas_of(s, t.k.gamma, t.inverse_gamma_1);
}

/// States for the templates that all backends share.
template <class Real>
struct compact_states {
    const compact_task<Real>& t;
    [[nodiscard]] WALE_HD gas_point<Real> point(index_t cell, const constants<Real>&) const {
        return gas_of(t.now.at(cell), t);
    }
};

/// Area vectors for the templates that all backends share.
template <class Real>
struct packed_areas {
    const compact_task<Real>& t;
    [[nodiscard]] WALE_HD index_t begin(index_t cell) const { return t.grid.begin(cell); }
    [[nodiscard]] WALE_HD index_t end(index_t cell) const { return t.grid.end(cell); }
    [[nodiscard]] WALE_HD Real volume(index_t cell) const { return t.grid.volume(cell); }
    WALE_HD void normal(index_t row, Real* n) const {
        const row_vector<Real> area = t.areas[row];
        for (int d = 0; d < 3; ++d) n[d] = area.at[d];
    }
};

/// Once: where a cell's neighbours and ghosts are.
template <class Real>
WALE_HD inline void place_neighbours(const compact_task<Real>& t, index_t cell) {
    const gas_point<Real>& far = t.k.far;
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        Real x[3], n[3], back[3]{};
        t.grid.offset(row, x);
        t.grid.normal(row, n);
        const std::int32_t other = t.grid.neighbour(row);
        if (!is_patch(other)) t.grid.offset(t.grid.opposite(row), back);
        const auto kind = is_patch(other) ? t.grid.kinds[patch_of(other)] : euler_boundary::far_field;
        // A ghost's place does not depend on the gas; at a face of the far field a ghost is at x.
        const ghost<Real> mirror = ghost_of(kind, far, far, n, x, t.k);
        for (int d = 0; d < 3; ++d) t.seen[row].at[d] = mirror.at[d] - back[d];
    }
}

/// Once, behind place_neighbours() of all cells: the inverse of a cell's matrix.
template <class Real>
WALE_HD inline void invert_matrix(const compact_task<Real>& t, index_t cell) {
    const primitives<Real> none{};
    normal_equations<Real> equations;
    const bool further = looks_further(t.grid.end(cell) - t.grid.begin(cell), t.k);
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        const row_vector<Real> near = t.seen[row];
        if (near.id < 0) continue;
        equations.add(near.at, none, none);
        if (!further || near.id >= t.grid.cells) continue;
        for (index_t r = t.grid.begin(near.id); r < t.grid.end(near.id); ++r) {
            row_vector<Real> there = t.seen[r];
            if (r == t.grid.opposite(row) || there.id < 0) continue;
            for (int d = 0; d < 3; ++d) there.at[d] += near.at[d];
            equations.add(there.at, none, none);
        }
    }
    equations.x[0] = equations.y[1] = equations.z[2] = 1;
    const gradient_of<Real> g = equations.solved();  // of the three unit vectors
    t.own[cell] = {{g.at[0][0], g.at[1][1], g.at[2][2], g.at[0][1], g.at[0][2], g.at[1][2]},
                   limiter_floor(t.grid.volume(cell), t.k),
                   0};
}

/// Writes a cell's record, and those of its ghosts, from its conserved numbers.
template <class Real>
WALE_HD inline void publish(const compact_task<Real>& t, const value_records<Real>& to, index_t cell,
                            const Real* five, bool has_patches) {
    const gas_point<Real> own = point_of(five, t.k);
    to.set(cell, primitives_of(own));
    if (!has_patches || t.seen == nullptr) return;
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        const std::int32_t other = t.grid.neighbour(row);
        if (!is_patch(other) || t.seen[row].id < 0) continue;
        Real x[3], n[3];
        t.grid.offset(row, x);
        t.grid.normal(row, n);
        const int patch = patch_of(other);
        to.set(t.seen[row].id, ghost_of(t.grid.kinds[patch], own, t.grid.said[patch], n, x, t.k).values);
    }
}

/// The weight of a neighbour at d in a cell's least squares; 0 where there is none.
template <class Real>
WALE_HD inline Real weight_at(bool counts, const Real* d) {
    const Real square = dot(d, d);
    return counts && square > 0 ? near_inverse(square) : Real(0);
}

/// The right-hand sides of a cell's least squares.
template <class Real>
struct least_squares {
    Real sum[variables][3]{};

    /// `counts`: whether there is a neighbour; otherwise `other` is whatever gas.
    WALE_HD void add(bool counts, const Real* d, const primitives<Real>& own, const primitives<Real>& other) {
        const Real weight = weight_at(counts, d);
        const Real w[3] = {d[0] * weight, d[1] * weight, d[2] * weight};
        for (int v = 0; v < variables; ++v) {
            const Real difference = other.at[v] - own.at[v];
            for (int i = 0; i < 3; ++i) sum[v][i] = std::fma(w[i], difference, sum[v][i]);
        }
    }
    [[nodiscard]] WALE_HD gradient_of<Real> solved(const cell_geometry<Real>& geometry) const {
        const Real* const m = geometry.inverse;
        gradient_of<Real> g;
        for (int v = 0; v < variables; ++v) {
            const Real x = sum[v][0], y = sum[v][1], z = sum[v][2];
            g.at[v][0] = std::fma(m[0], x, std::fma(m[3], y, m[4] * z));
            g.at[v][1] = std::fma(m[3], x, std::fma(m[1], y, m[5] * z));
            g.at[v][2] = std::fma(m[4], x, std::fma(m[5], y, m[2] * z));
        }
        return g;
    }
};

/// limited_part() without a division.
template <class Real>
WALE_HD inline Real near_part(euler_limiter limiter, Real step, Real room, Real floor) {
    if (limiter == euler_limiter::barth_jespersen) return room * near_inverse(step);
    const Real base = std::fma(room, room + step, floor);
    return std::fma(step, room, base) * near_inverse(std::fma(2 * step, step, base));
}

/// From the cell's centroid to its faces' centres; of tetrahedra all four in three loads.
template <bool Tetrahedra, class Real>
struct face_centres {
    const compact_task<Real>& t;
    index_t first;
    WALE_HD face_centres(const compact_task<Real>& task, index_t cell)
        : t(task), first(task.grid.begin(cell)) {}
    WALE_HD void get(int face, Real* x) const { t.grid.offset(first + face, x); }
    [[nodiscard]] WALE_HD int count(index_t cell) const { return static_cast<int>(t.grid.end(cell) - first); }
};
template <class Real>
struct face_centres<true, Real> {
    words<Real, 12> all;
    WALE_HD face_centres(const compact_task<Real>& task, index_t cell)
        : all(reinterpret_cast<const words<Real, 12>*>(task.grid.offsets)[cell]) {}
    WALE_HD void get(int face, Real* x) const {
        for (int d = 0; d < 3; ++d) x[d] = all.at[3 * face + d];
    }
    [[nodiscard]] WALE_HD static constexpr int count(index_t) { return 4; }
};

/// limit().
template <class Real, class Centres>
WALE_HD inline void shorten(gradient_of<Real>& g, const compact_task<Real>& t, index_t cell, Real floor,
                            const Centres& centres, const primitives<Real>& own,
                            const value_range<Real>& range) {
    Real part[variables] = {1, 1, 1, 1, 1};
    for (int face = 0; face < centres.count(cell); ++face) {
        Real x[3];
        centres.get(face, x);
        for (int v = 0; v < variables; ++v) {
            const Real step = dot(g.at[v], x);
            const Real up = range.most[v] - own.at[v], down = range.least[v] - own.at[v];
            const Real p = near_part(t.k.limiter, step, step > 0 ? up : down, floor * t.k.unit_squares[v]);
            if (step != 0 && p < part[v]) part[v] = p;
        }
    }
    for (int v = 0; v < variables; ++v)
        for (int d = 0; d < 3; ++d) g.at[v][d] *= part[v];
}

/// What a tetrahedron's gradient is made of: 20 places, all asked for before one is used. A place without a
/// neighbour reads the cell itself and does not count.
template <class Real>
WALE_HD inline void add_tetrahedron(const compact_task<Real>& t, index_t cell, const primitives<Real>& own,
                                    least_squares<Real>& equations, value_range<Real>& range) {
    row_vector<Real> near[4];
    for (int f = 0; f < 4; ++f) near[f] = t.seen[4 * cell + f];
    for (int f = 0; f < 4; ++f) {
        const std::int32_t id = near[f].id;
        const bool inner = id >= 0 && id < t.grid.cells;
        const index_t other = inner ? index_t{id} : cell;
        row_vector<Real> beyond[4];
        for (int e = 0; e < 4; ++e) beyond[e] = t.seen[4 * other + e];
        const primitives<Real> values = t.now.at(id >= 0 ? index_t{id} : cell);
        equations.add(id >= 0, near[f].at, own, values);
        range.add(values);
        for (int e = 0; e < 4; ++e) {
            const std::int32_t next = beyond[e].id;
            const bool counts = inner && next >= 0 && next != cell;
            Real d[3];
            for (int i = 0; i < 3; ++i) d[i] = near[f].at[i] + beyond[e].at[i];
            equations.add(counts, d, own, t.now.at(counts ? index_t{next} : cell));
        }
    }
}

/// The same of any cell.
template <class Real>
WALE_HD inline void add_neighbours(const compact_task<Real>& t, index_t cell, const primitives<Real>& own,
                                   least_squares<Real>& equations, value_range<Real>& range) {
    const bool further = looks_further(t.grid.end(cell) - t.grid.begin(cell), t.k);
    for (index_t row = t.grid.begin(cell); row < t.grid.end(cell); ++row) {
        const row_vector<Real> near = t.seen[row];
        if (near.id < 0) continue;
        const primitives<Real> values = t.now.at(near.id);
        equations.add(true, near.at, own, values);
        range.add(values);
        if (!further || near.id >= t.grid.cells) continue;
        for (index_t r = t.grid.begin(near.id); r < t.grid.end(near.id); ++r) {
            row_vector<Real> there = t.seen[r];
            if (there.id < 0 || there.id == cell) continue;
            for (int i = 0; i < 3; ++i) there.at[i] += near.at[i];
            equations.add(true, there.at, own, t.now.at(there.id));
        }
    }
}

/// The first pass of second order: a cell's state at its faces; that of the cell where the gradient would
/// leave no gas.
template <bool Tetrahedra, class Real>
WALE_HD inline void carry_to_faces(const compact_task<Real>& t, index_t cell) {
    const primitives<Real> own = t.now.at(cell);
    least_squares<Real> equations;
    value_range<Real> range(own);
    if constexpr (Tetrahedra)
        add_tetrahedron(t, cell, own, equations, range);
    else
        add_neighbours(t, cell, own, equations, range);
    const cell_geometry<Real> geometry = t.own[cell];
    const face_centres<Tetrahedra, Real> centres(t, cell);
    gradient_of<Real> g = equations.solved(geometry);
    if (t.k.limiter != euler_limiter::none) shorten(g, t, cell, geometry.floor, centres, own, range);
    if (t.k.smooth) shorten_smoothly(g, t.grid, cell, gas_of(own, t));
    const index_t first = t.grid.begin(cell);
    for (int face = 0; face < centres.count(cell); ++face) {
        Real x[3];
        centres.get(face, x);
        primitives<Real> there;
        for (int v = 0; v < variables; ++v) there.at[v] = own.at[v] + dot(g.at[v], x);
        const bool gas = there.at[0] > 0 && there.at[4] > 0;
        // Number by number: a choice between both would put them into local memory.
        for (int v = 0; v < variables; ++v) there.at[v] = gas ? there.at[v] : own.at[v];
        t.faces.set(first + face, there);
    }
}

template <class Real>
WALE_HD inline gas_point<near_number<Real>> near_point(const gas_point<Real>& g) {
    return {g.rho, g.u, g.v, g.w, g.p, g.energy, g.c};
}

/// `flux` in near_numbers.
template <class Real, class Flux>
WALE_HD inline flux_of<Real> near_flux(const gas_point<Real>& l, const gas_point<Real>& r, const Real* n,
                                       const constants<Real>& k, Flux&& flux) {
    constants<near_number<Real>> numbers;
    numbers.gamma_1 = k.gamma_1;
    numbers.dissipation = k.dissipation;
    numbers.entropy_fix = k.entropy_fix;
    const near_number<Real> area[3] = {n[0], n[1], n[2]};
    const near_number<Real>* const to = area;
    const flux_of<near_number<Real>> f = flux(near_point(l), near_point(r), to, numbers);
    return {{f.at[0].is, f.at[1].is, f.at[2].is, f.at[3].is, f.at[4].is}};
}

/// What leaves a cell through a face; `own` is the cell's gas at first order, `theirs` what is across.
template <euler_flux Flux, int Order, class Real, class Shocks>
WALE_HD inline flux_of<Real> row_flux(const compact_task<Real>& t, index_t cell, index_t row,
                                      const row_vector<Real>& area, const gas_point<Real>& own,
                                      const primitives<Real>& theirs, const Shocks& shocks) {
    const Real* const n = area.at;
    const gas_point<Real> near = Order == 2 ? gas_of(t.faces.at(row), t) : own;
    if (is_patch(area.id)) {
        const int patch = patch_of(area.id);
        const euler_boundary kind = t.grid.kinds[patch];
        const gas_point<Real> centre = Order == 2 ? gas_of(t.now.at(cell), t) : own;
        const gas_point<Real> inner = Order == 2 ? inner_point(kind, centre, near, n) : own;
        return boundary_flux<Flux>(kind, inner, t.grid.said[patch], n, t.k);
    }
    if constexpr (std::is_same_v<Shocks, no_shocks>)
        return near_flux(near, gas_of(theirs, t), n, t.k,
                         [](const auto&... face) { return face_flux<Flux>(face...); });
    else {
        const near_number<Real> part = shocks.at(cell, t.grid.neighbour(row));
        return near_flux(near, gas_of(theirs, t), n, t.k,
                         [part](const auto&... face) { return blended_flux<Flux>(face..., part); });
    }
}

/// What flows into a cell a second. What is across the next face is asked for before the flux of this one.
/// Sets whether the cell has faces of patches.
template <euler_flux Flux, int Order, class Real, class Shocks>
WALE_HD inline flux_of<Real> compact_residual(const compact_task<Real>& t, index_t cell, const Shocks& shocks,
                                              bool& has_patches) {
    const value_records<Real>& there = Order == 2 ? t.faces : t.now;
    const index_t last = t.grid.end(cell);
    index_t row = t.grid.begin(cell);
    const gas_point<Real> own = Order == 2 ? gas_point<Real>{} : gas_of(t.now.at(cell), t);
    flux_of<Real> sum{};
    const auto ahead = [&](index_t at, row_vector<Real>& area) {
        if (at < last) area = t.areas[at];
        return there.at(is_patch(area.id) ? (Order == 2 ? row : cell) : index_t{area.id});
    };
    row_vector<Real> following{{0, 0, 0}, -1};
    primitives<Real> values = ahead(row, following);
    for (; row < last; ++row) {
        const row_vector<Real> area = following;
        const primitives<Real> theirs = values;
        values = ahead(row + 1, following);
        has_patches = has_patches || is_patch(area.id);
        const flux_of<Real> f = row_flux<Flux, Order>(t, cell, row, area, own, theirs, shocks);
        for (int v = 0; v < variables; ++v) sum.at[v] -= f.at[v];
    }
    return sum;
}

template <class Real>
WALE_HD inline Real step_of(const compact_task<Real>& t, index_t cell, double taken) {
    if (t.stage > 0) return t.step[cell];
    const Real step = t.time != nullptr ? static_cast<Real>(taken / t.volumes[cell])
                                        : step_over_volume(t.rule, packed_areas<Real>{t},
                                                           gas_of(t.now.at(cell), t), cell, t.k);
    t.step[cell] = step;
    return step;
}

/// The cell's new state; `taken` is the step of time of the iteration, where there is one.
template <class Real>
WALE_HD inline void move_compact(const compact_task<Real>& t, index_t cell, const flux_of<Real>& residual,
                                 bool has_patches, double taken) {
    const Real step = t.k.from_flux[t.stage] * step_of(t, cell, taken);
    Real five[variables];
    for (int v = 0; v < variables; ++v) {
        five[v] = t.k.from_old[t.stage] * t.old[variables * cell + v];
        if (t.k.from_now[t.stage] != 0) five[v] += t.k.from_now[t.stage] * t.from[variables * cell + v];
        five[v] += step * residual.at[v];
    }
    if (t.moved != nullptr)
        for (int v = 0; v < variables; ++v) t.moved[variables * cell + v] = five[v];
    publish(t, t.next, cell, five, has_patches);
}

}  // namespace wale::euler
