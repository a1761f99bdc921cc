// stage - a stage of second order of one tile, in four passes between which all threads of its block wait:
//
//     fetch       states and places of the tile's cells and of three layers round them come to shared memory
//     gradients   of own cells and their neighbours, limited; what the state is at faces of own cells
//     fluxes      each face once
//     move        the own cells
//
// Neither gradients nor fluxes pass through device memory; or, `Apart`, gradients are found once a cell by a
// kernel of their own, and what the state is at faces passes through device memory. A face between two tiles
// is computed by both, from the same numbers in the same order, so no bit depends on the tiles. Loops over
// `thread` and `threads`, so that a test on the host is a block of one thread.
#pragma once

#include "solvers/euler/advance/cuda/second_order/hllc.hpp"
#include "solvers/euler/advance/cuda/second_order/memory.hpp"
#include "solvers/euler/advance/shared/fused/compact.hpp"

#if defined(__CUDA_ARCH__)
#define WALE_UNROLL _Pragma("unroll")
#else
#define WALE_UNROLL
#endif

namespace wale::euler::second_order {

/// Addresses of the plan, and what a stage moves.
template <class Real>
struct task {
    const tile* tiles;
    const std::int32_t* halo;
    index_t rows;
    const chunk* links;
    const chunk* geometry;
    const four_numbers* slots;
    const four_numbers* faces;
    const face_area<Real>* areas;
    const patch_face* patches;
    const double* volumes;
    const record<Real>* now;
    chunk* values;  // [face_values::count][cells] where gradients are a pass of their own
    index_t cells;
    record<Real>* next;  // not now: other tiles still read that
    const Real* old;     // [cells][5] conserved, at the iteration's beginning, by number
    const Real* from;    // the same of `now`, where a stage needs it
    Real* moved;         // the same of `next`, where the caller needs it; may be old or from
    Real* step;          // [cells] over the volume, found by the first stage
    bool local;          // each cell has a step of its own; else move() takes the step of time
    const euler_boundary* kinds;
    const gas_point<Real>* said;
    constants<Real> k;
    Real inverse_gamma_1;
    euler_step rule;
    int stage;
    int most_places;
    unsigned at_once;  // tiles that the device works on
    bool backwards;    // last tiles first: the cache still has what the stage before wrote last
};

/// `Apart`: gradients are a kernel of their own.
template <euler_flux Flux, class Real, bool Apart = false>
class tile_stage {
public:
    WALE_HD tile_stage(const task<Real>& t, const tile& own, char* memory, int thread, int threads)
        : t_(t), tile_(own), at_(memory, Apart ? 0 : t.most_places), thread_(thread), threads_(threads) {}

    WALE_HD void fetch() const {
        constexpr int pieces = record_chunks<Real>::count, group = places_together * pieces;
        constexpr int batch = 8;  // numbers that are asked for before a record is
        const int end = Apart ? tile_.near : tile_.all;
        const int last = (end + places_together - 1) / places_together * group;
        for (int first = thread_; first < last; first += batch * threads_) {
            std::int32_t number[batch];
            WALE_UNROLL
            for (int k = 0; k < batch; ++k) number[k] = number_of(place_of(first + k * threads_));
            WALE_UNROLL
            for (int k = 0; k < batch; ++k) {
                const int i = first + k * threads_;
                if (i < last && place_of(i) < end)
                    copy_chunk(at_.piece(i), reinterpret_cast<const chunk*>(t_.now + number[k]) +
                                                 i % group / places_together);
            }
        }
    }

    /// Of own cells and of their neighbours; apart of own cells alone, to device memory.
    WALE_HD void gradients() const {
        const int end = Apart ? tile_.own : tile_.one;
        chunk following[2];
        links_of(thread_, following);
        for (int p = thread_; p < end; p += threads_) {
            const chunk links[2] = {following[0], following[1]};
            if constexpr (sizeof(Real) == 4) links_of(p + threads_, following);
            const record<Real> own = at_.get(piece_of_place<Real>(static_cast<unsigned>(p)));
            primitives<Real> there[faces_of_cell];
            carry(p, own, links, there);
            if constexpr (Apart)
                store_values(tile_.first + p, there);
            else
                set_sides(p, own, there);
            if constexpr (sizeof(Real) == 8) links_of(p + threads_, following);  // no registers before
        }
    }

    /// Apart: what gradients() of all tiles wrote comes to the sides of this tile's faces.
    WALE_HD void fetch_sides() const {
        for (int p = thread_; p < tile_.one; p += threads_) {
            const index_t number = number_of(p);
            face_values<Real> values;
            WALE_UNROLL
            for (int i = 0; i < values.count; ++i) values.pieces[i] = t_.values[i * t_.cells + number];
            primitives<Real> there[faces_of_cell];
            WALE_UNROLL
            for (int i = 0; i < faces_of_cell * variables; ++i)
                there[i / variables].at[i % variables] = values.at[i];
            set_sides(p, t_.now[number], there);
        }
    }

    /// What fluxes() needs first, to be asked for early.
    [[nodiscard]] WALE_HD face_area<Real> area_ahead(int f) const {
        return f < tile_.faces ? t_.areas[tile_.areas + f] : face_area<Real>{};
    }
    /// `following` is area_ahead(thread).
    WALE_HD void fluxes(face_area<Real> following) const {
        for (int f = thread_; f < tile_.faces; f += threads_) {
            const face_area<Real> area = following;
            following = area_ahead(f + threads_);
            const flux_of<Real> out = f < tile_.inner ? inner_flux(f, area) : outer_flux(f, area);
            at_.put(f, 0, out.at);
        }
    }

    /// What move() needs of an own cell, to be asked for early.
    struct before {
        four_numbers faces;
        Real old[variables];
        Real step;
    };
    [[nodiscard]] WALE_HD before ahead(int p) const {
        before b{};
        if (p >= tile_.own) return b;
        const index_t number = tile_.first + p;
        b.faces = t_.faces[number];
        for (int v = 0; v < variables; ++v) b.old[v] = t_.old[variables * number + v];
        if (t_.stage > 0) b.step = t_.step[number];
        return b;
    }

    /// `taken` is the step of time where steps are not local, `following` is ahead(thread).
    WALE_HD void move(double taken, before following) const {
        for (int p = thread_; p < tile_.own; p += threads_) {
            const index_t number = tile_.first + p;
            const before b = following;
            following = ahead(p + threads_);
            const four_numbers faces = b.faces;
            flux_of<Real> sum{};
            for (int f = 0; f < faces_of_cell; ++f) {
                const primitives<Real> out = at_.side(faces.at[f] / 2, 0);
                for (int v = 0; v < variables; ++v)
                    sum.at[v] += faces.at[f] % 2 == 0 ? -out.at[v] : out.at[v];
            }
            record<Real> own;
            if constexpr (Apart)
                own = t_.now[number];
            else
                own = at_.get(piece_of_place<Real>(static_cast<unsigned>(p)));
            const Real step = t_.k.from_flux[t_.stage] * step_of(own, b, number, taken);
            Real five[variables];
            for (int v = 0; v < variables; ++v) {
                five[v] = t_.k.from_old[t_.stage] * b.old[v];
                if (t_.k.from_now[t_.stage] != 0)
                    five[v] += t_.k.from_now[t_.stage] * t_.from[variables * number + v];
                five[v] += step * sum.at[v];
            }
            if (t_.moved != nullptr)
                for (int v = 0; v < variables; ++v) t_.moved[variables * number + v] = five[v];
            publish(own, faces, number, five);
        }
    }

    /// In place of a stage: writes the records of the own cells and of their ghosts from conserved numbers.
    WALE_HD void publish_all(const Real* states) const {
        for (int p = thread_; p < tile_.own; p += threads_) {
            const index_t number = tile_.first + p;
            publish(t_.now[number], t_.faces[number], number, states + variables * number);
        }
    }

private:
    /// Of a piece.
    [[nodiscard]] WALE_HD static int place_of(int i) {
        constexpr int group = places_together * record_chunks<Real>::count;
        return i / group * places_together + i % places_together;
    }
    /// Of any place, without a branch that would wait for the number: those behind the last read what another
    /// place reads.
    [[nodiscard]] WALE_HD std::int32_t number_of(int p) const {
        const int last = tile_.all - 1, lent = (p < last ? p : last) - tile_.own;
        const std::int32_t borrowed = t_.halo[tile_.halo + (lent > 0 ? lent : 0)];
        return p < tile_.own ? tile_.first + p : borrowed;
    }
    /// Nothing behind the last place.
    WALE_HD void links_of(int p, chunk (&links)[2]) const {
        for (int i = 0; i < 2; ++i)
            links[i] = p < tile_.one ? t_.links[i * t_.rows + tile_.rows + p] : chunk{};
    }

    /// A cell's state at its faces; that of the cell where the gradient would leave no gas.
    WALE_HD void carry(int p, const record<Real>& own, const chunk (&links)[2],
                       primitives<Real> (&there)[faces_of_cell]) const {
        Real sum[variables][3]{}, up[variables]{}, down[variables]{};
        WALE_UNROLL
        for (int i = 0; i < links_of_cell; ++i) {
            const unsigned word = links[i / 8].words[i / 2 % 4];
            const record<Real> link = at_.get(i % 2 == 0 ? word & 0xffffU : word >> 16);
            Real d[3];
            for (int j = 0; j < 3; ++j) d[j] = difference(link.place[j], own.place[j]);
            weigh(d);
            for (int v = 0; v < variables; ++v) {
                const Real rise = link.at[v] - own.at[v];
                for (int j = 0; j < 3; ++j) sum[v][j] = std::fma(d[j], rise, sum[v][j]);
                if (i >= near_links) continue;
                up[v] = greater_of(up[v], rise);
                down[v] = lesser_of(down[v], rise);
            }
        }
        geometry_chunks<Real> g;
        for (int i = 0; i < geometry_chunks<Real>::count; ++i)
            g.pieces[i] = t_.geometry[i * t_.rows + tile_.rows + p];
        for (int v = 0; v < variables; ++v) {
            const Real* const m = g.whole.inverse;
            const Real x = sum[v][0], y = sum[v][1], z = sum[v][2];
            const Real slope[3] = {std::fma(m[0], x, std::fma(m[3], y, m[4] * z)),
                                   std::fma(m[3], x, std::fma(m[1], y, m[5] * z)),
                                   std::fma(m[4], x, std::fma(m[5], y, m[2] * z))};
            Real steps[faces_of_cell];
            for (int f = 0; f < 3; ++f) steps[f] = dot(slope, g.whole.centres + 3 * f);
            steps[3] = -(steps[0] + steps[1] + steps[2]);
            const Real part = t_.k.limiter == euler_limiter::none
                                  ? Real(1)
                                  : part_of(steps, up[v], down[v], g.whole.floor * t_.k.unit_squares[v]);
            for (int f = 0; f < faces_of_cell; ++f) there[f].at[v] = std::fma(part, steps[f], own.at[v]);
        }
        for (auto& face : there) {
            const bool gas = face.at[0] > 0 && face.at[4] > 0;
            for (int v = 0; v < variables; ++v) face.at[v] = gas ? face.at[v] : own.at[v];
        }
    }
    WALE_HD void store_values(index_t number, const primitives<Real> (&there)[faces_of_cell]) const {
        face_values<Real> values;
        WALE_UNROLL
        for (int i = 0; i < faces_of_cell * variables; ++i)
            values.at[i] = there[i / variables].at[i % variables];
        WALE_UNROLL
        for (int i = 0; i < values.count; ++i) t_.values[i * t_.cells + number] = values.pieces[i];
    }
    WALE_HD void set_sides(int p, const record<Real>& own,
                           const primitives<Real> (&there)[faces_of_cell]) const {
        const four_numbers slots = t_.slots[tile_.rows + p];
        for (int f = 0; f < faces_of_cell; ++f) {
            if (slots.at[f] == no_slot) continue;
            const int face = slots.at[f] / 2;
            at_.put(face, slots.at[f] % 2, there[f].at);
            if (face >= tile_.inner) at_.put(face, 1, own.at);
        }
    }

    /// The part of a variable's steps to the faces that is taken. Both limiters fall with the step, so the
    /// largest ones up and down decide, and the lesser of two quotients needs one division.
    [[nodiscard]] WALE_HD Real part_of(const Real (&steps)[faces_of_cell], Real up, Real down,
                                       Real floor) const {
        Real most = 0, least = 0;
        for (const Real step : steps) {
            most = greater_of(most, step);
            least = lesser_of(least, step);
        }
        Real over[2], under[2];
        for (int i = 0; i < 2; ++i) {
            const Real step = i == 0 ? most : least, room = i == 0 ? up : down;
            if (t_.k.limiter == euler_limiter::barth_jespersen) {
                over[i] = size_of(room);
                under[i] = size_of(step);
            } else {
                const Real base = std::fma(room, room + step, floor);
                over[i] = std::fma(step, room, base);
                under[i] = std::fma(2 * step, step, base);
            }
            if (!(under[i] > over[i])) over[i] = under[i] = 1;  // all of a step, also of none
        }
        const bool first = over[0] * under[1] < over[1] * under[0];
        return (first ? over[0] : over[1]) * near_inverse(first ? under[0] : under[1]);
    }

    [[nodiscard]] WALE_HD flux_of<Real> inner_flux(int f, const face_area<Real>& area) const {
        const primitives<Real> left = at_.side(f, 0), right = at_.side(f, 1);
        if constexpr (Flux == euler_flux::hllc)
            return hllc_of(left, right, area, t_.k.gamma, t_.inverse_gamma_1);
        const Real n[3] = {area.at[0] * area.at[3], area.at[1] * area.at[3], area.at[2] * area.at[3]};
        const auto flux = [](const auto&... face) { return face_flux<Flux>(face...); };
        return near_flux(gas_of(left, t_.k.gamma, t_.inverse_gamma_1),
                         gas_of(right, t_.k.gamma, t_.inverse_gamma_1), n, t_.k, flux);
    }
    /// On the right is the state of the cell's centre.
    [[nodiscard]] WALE_HD flux_of<Real> outer_flux(int f, const face_area<Real>& area) const {
        const gas_point<Real> near = gas_of(at_.side(f, 0), t_.k.gamma, t_.inverse_gamma_1);
        const gas_point<Real> own = gas_of(at_.side(f, 1), t_.k.gamma, t_.inverse_gamma_1);
        const int patch = t_.patches[tile_.patches + f - tile_.inner].patch;
        const euler_boundary kind = t_.kinds[patch];
        const Real n[3] = {area.at[0] * area.at[3], area.at[1] * area.at[3], area.at[2] * area.at[3]};
        return boundary_flux<Flux>(kind, inner_point(kind, own, near, n), t_.said[patch], n, t_.k);
    }

    [[nodiscard]] WALE_HD Real step_of(const record<Real>& own, const before& b, index_t number,
                                       double taken) const {
        if (t_.stage > 0) return b.step;
        const Real step =
            t_.local ? local_step(own, b.faces, number) : static_cast<Real>(taken / t_.volumes[number]);
        t_.step[number] = step;
        return step;
    }
    [[nodiscard]] WALE_HD Real local_step(const record<Real>& own, const four_numbers& faces,
                                          index_t number) const {
        const primitives<Real> centre{{own.at[0], own.at[1], own.at[2], own.at[3], own.at[4]}};
        const gas_point<Real> gas = gas_of(centre, t_.k.gamma, t_.inverse_gamma_1);
        if (t_.rule == euler_step::rodinia)
            return t_.k.cfl / (std::sqrt(static_cast<Real>(t_.volumes[number])) * (speed(gas) + gas.c));
        Real waves = 0;
        for (int f = 0; f < faces_of_cell; ++f) {
            const face_area<Real> area = t_.areas[tile_.areas + faces.at[f] / 2];
            waves = std::fma(area.at[3], std::fabs(dot(area.at, &gas.u)) + gas.c, waves);
        }
        return t_.k.cfl / (Real(0.5) * waves);
    }

    WALE_HD void publish(const record<Real>& own, const four_numbers& faces, index_t number,
                         const Real* five) const {
        // In products and sums that no compiler joins in another way elsewhere: a flow that is fetched and
        // goes on keeps all bits.
        const Real inverse = Real(1) / five[0];
        const Real v[3] = {five[1] * inverse, five[2] * inverse, five[3] * inverse};
        const Real p = t_.k.gamma_1 * std::fma(Real(-0.5) * five[0], dot(v, v), five[4]);
        t_.next[number] = {{five[0], v[0], v[1], v[2], p}, {own.place[0], own.place[1], own.place[2]}};
        for (int f = 0; f < faces_of_cell; ++f) {
            const int face = faces.at[f] / 2;
            if (face < tile_.inner) continue;
            const auto [patch, behind] = t_.patches[tile_.patches + face - tile_.inner];
            if (behind < 0) continue;
            const face_area<Real> area = t_.areas[tile_.areas + face];
            const Real n[3] = {area.at[0] * area.at[3], area.at[1] * area.at[3], area.at[2] * area.at[3]};
            const Real nowhere[3] = {0, 0, 0};  // the record knows the ghost's place
            const gas_point<Real> gas = point_from(five[0], v[0], v[1], v[2], p, t_.k);
            const ghost<Real> g = ghost_of(t_.kinds[patch], gas, t_.said[patch], n, nowhere, t_.k);
            for (int i = 0; i < variables; ++i) t_.next[behind].at[i] = g.values.at[i];
        }
    }

    const task<Real>& t_;
    const tile tile_;
    const tile_memory<Real> at_;
    int thread_, threads_;
};

}  // namespace wale::euler::second_order

#undef WALE_UNROLL
