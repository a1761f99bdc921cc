// stage - a stage of second order of one tile, in four passes between which all threads of its block wait:
//
//     fetch       states and places of the tile's cells and of three layers round them come to shared memory
//     gradients   of own cells and their neighbours, limited; what the state is at faces of own cells
//     fluxes      each face once
//     move        the own cells
//
// Neither gradients nor fluxes pass through device memory. A face between two tiles is computed by both, from
// the same numbers in the same order, so no bit depends on the tiles. Loops over `thread` and `threads`, so
// that a test on the host is a block of one thread.
#pragma once

#include "solvers/euler/advance/cuda/second_order/layout.hpp"
#include "solvers/euler/advance/shared/fused/compact.hpp"

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
    const row_vector<Real>* areas;
    const std::int32_t* ghosts;
    const double* volumes;
    const record<Real>* now;
    record<Real>* next;  // not now: other tiles still read that
    const Real* old;     // [cells][5] conserved, at the iteration's beginning, by number
    const Real* from;    // the same of `now`, where a stage needs it
    Real* moved;         // the same of `next`, where the caller needs it; may be old or from
    Real* step;          // [cells] over the volume, found by the first stage
    bool local;  // each cell has a step of its own; else move() is told the step of time
    const euler_boundary* kinds;
    const gas_point<Real>* said;
    constants<Real> k;
    Real inverse_gamma_1;
    euler_step rule;
    int stage;
    int most_places, most_faces;
    bool backwards;  // last tiles first: the cache still has what the stage before wrote last
};

/// A tile's shared memory: records by 16-byte piece, so that gathers meet as few banks as can be; then what
/// the state is at the left and at the right side of each face.
template <class Real>
class tile_memory {
    static constexpr int pieces = record_chunks<Real>::count;

public:
    WALE_HD tile_memory(char* base, int places, int faces)
        : records_(reinterpret_cast<chunk*>(base)),
          sides_(reinterpret_cast<Real*>(records_ + pieces * places)),
          places_(places),
          faces_(faces) {}
    [[nodiscard]] WALE_HD record<Real> get(unsigned place) const {
        record_chunks<Real> r;
        for (int i = 0; i < pieces; ++i) r.pieces[i] = records_[i * places_ + static_cast<int>(place)];
        return r.whole;
    }
    [[nodiscard]] WALE_HD chunk* piece(int i, int place) const { return records_ + i * places_ + place; }
    /// `side` is 0 on the left and 1 on the right.
    WALE_HD void put(int face, int side, const Real* five) const {
        Real* const to = sides_ + side * variables * faces_ + face;
        for (int v = 0; v < variables; ++v) to[v * faces_] = five[v];
    }
    [[nodiscard]] WALE_HD primitives<Real> side(int face, int side) const {
        const Real* const from = sides_ + side * variables * faces_ + face;
        primitives<Real> p;
        for (int v = 0; v < variables; ++v) p.at[v] = from[v * faces_];
        return p;
    }

private:
    chunk* records_;
    Real* sides_;  // [2][variables][faces]
    int places_, faces_;
};

WALE_HD inline void copy_chunk(chunk* to, const chunk* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
#else
    *to = *from;
#endif
}

template <euler_flux Flux, class Real>
class tile_stage {
public:
    WALE_HD tile_stage(const task<Real>& t, const tile& own, char* memory, int thread, int threads)
        : t_(t), tile_(own), at_(memory, t.most_places, t.most_faces), thread_(thread), threads_(threads) {}

    WALE_HD void fetch() const {
        constexpr int pieces = record_chunks<Real>::count;  // of a record, by threads side by side
        for (int i = thread_; i < tile_.all * pieces; i += threads_) {
            const int p = i / pieces;
            const index_t number = p < tile_.own ? tile_.first + p : t_.halo[tile_.halo + p - tile_.own];
            copy_chunk(at_.piece(i % pieces, p), reinterpret_cast<const chunk*>(t_.now + number) + i % pieces);
        }
    }

    WALE_HD void gradients() const {
        chunk following[2];
        links_of(thread_, following);
        for (int p = thread_; p < tile_.one; p += threads_) {
            const chunk links[2] = {following[0], following[1]};
            links_of(p + threads_, following);
            carry(p, links);
        }
    }

    WALE_HD void fluxes() const {
        for (int f = thread_; f < tile_.faces; f += threads_) {
            const row_vector<Real> area = t_.areas[tile_.areas + f];
            const gas_point<Real> left = gas_of(at_.side(f, 0), t_.k.gamma, t_.inverse_gamma_1);
            const gas_point<Real> right = gas_of(at_.side(f, 1), t_.k.gamma, t_.inverse_gamma_1);
            flux_of<Real> through_face;
            if (f < tile_.inner) {
                through_face = near_flux(left, right, area.at, t_.k,
                                         [](const auto&... face) { return face_flux<Flux>(face...); });
            } else {  // the right side is the cell's centre
                const int patch = patch_of(area.id);
                const euler_boundary kind = t_.kinds[patch];
                through_face = boundary_flux<Flux>(kind, inner_point(kind, right, left, area.at),
                                                   t_.said[patch], area.at, t_.k);
            }
            at_.put(f, 0, through_face.at);
        }
    }

    /// `taken` is the step of time where steps are not local.
    WALE_HD void move(double taken) const {
        for (int p = thread_; p < tile_.own; p += threads_) {
            const index_t number = tile_.first + p;
            const four_numbers faces = t_.faces[number];
            flux_of<Real> sum{};
            for (int f = 0; f < faces_of_cell; ++f) {
                const primitives<Real> out = at_.side(faces.at[f] / 2, 0);
                for (int v = 0; v < variables; ++v)
                    sum.at[v] += faces.at[f] % 2 == 0 ? -out.at[v] : out.at[v];
            }
            const record<Real> own = at_.get(static_cast<unsigned>(p));
            const Real step = t_.k.from_flux[t_.stage] * step_of(own, faces, number, taken);
            Real five[variables];
            for (int v = 0; v < variables; ++v) {
                five[v] = t_.k.from_old[t_.stage] * t_.old[variables * number + v];
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
    /// Nothing behind the last place.
    WALE_HD void links_of(int p, chunk (&links)[2]) const {
        for (int i = 0; i < 2; ++i) links[i] = p < tile_.one ? t_.links[i * t_.rows + tile_.rows + p] : chunk{};
    }

    /// A cell's state at its faces; that of the cell where the gradient would leave no gas.
    WALE_HD void carry(int p, const chunk (&links)[2]) const {
        const record<Real> own = at_.get(static_cast<unsigned>(p));
        primitives<Real> centre;
        for (int v = 0; v < variables; ++v) centre.at[v] = own.at[v];
        least_squares<Real> equations;
        value_range<Real> range(centre);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
        for (int i = 0; i < links_of_cell; ++i) {
            const unsigned word = links[i / 8].words[i / 2 % 4];
            const record<Real> there = at_.get(i % 2 == 0 ? word & 0xffffU : word >> 16);
            Real d[3];
            for (int j = 0; j < 3; ++j) d[j] = difference(there.place[j], own.place[j]);
            primitives<Real> values;
            for (int v = 0; v < variables; ++v) values.at[v] = there.at[v];
            equations.add(true, d, centre, values);  // a link to the cell itself adds 0
            if (i < near_links) range.add(values);
        }
        geometry_chunks<Real> g;
        for (int i = 0; i < geometry_chunks<Real>::count; ++i)
            g.pieces[i] = t_.geometry[i * t_.rows + tile_.rows + p];
        const four_numbers slots = t_.slots[tile_.rows + p];
        primitives<Real> there[faces_of_cell];
        for (int v = 0; v < variables; ++v) {
            const Real* const m = g.whole.inverse;
            const Real x = equations.sum[v][0], y = equations.sum[v][1], z = equations.sum[v][2];
            const Real slope[3] = {std::fma(m[0], x, std::fma(m[3], y, m[4] * z)),
                                   std::fma(m[3], x, std::fma(m[1], y, m[5] * z)),
                                   std::fma(m[4], x, std::fma(m[5], y, m[2] * z))};
            Real steps[faces_of_cell];
            for (int f = 0; f < faces_of_cell; ++f) steps[f] = dot(slope, g.whole.centres + 3 * f);
            const Real part = t_.k.limiter == euler_limiter::none
                                  ? Real(1)
                                  : part_of(steps, range.most[v] - centre.at[v],
                                            range.least[v] - centre.at[v], g.whole.floor * t_.k.unit_squares[v]);
            for (int f = 0; f < faces_of_cell; ++f)
                there[f].at[v] = std::fma(part, steps[f], centre.at[v]);
        }
        for (int f = 0; f < faces_of_cell; ++f) {
            if (slots.at[f] == no_slot) continue;
            const bool gas = there[f].at[0] > 0 && there[f].at[4] > 0;
            for (int v = 0; v < variables; ++v) there[f].at[v] = gas ? there[f].at[v] : centre.at[v];
            const int face = slots.at[f] / 2;
            at_.put(face, slots.at[f] % 2, there[f].at);
            if (face >= tile_.inner) at_.put(face, 1, centre.at);
        }
    }

    /// The part of a variable's steps to the faces that is taken. Both limiters fall with the step, so the
    /// largest ones up and down decide, and the lesser of two quotients needs one division.
    [[nodiscard]] WALE_HD Real part_of(const Real (&steps)[faces_of_cell], Real up, Real down,
                                       Real floor) const {
        Real most = 0, least = 0;
        for (const Real step : steps) {
            most = step > most ? step : most;
            least = step < least ? step : least;
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

    [[nodiscard]] WALE_HD Real step_of(const record<Real>& own, const four_numbers& faces, index_t number,
                                       double taken) const {
        if (t_.stage > 0) return t_.step[number];
        Real step;
        if (!t_.local) {
            step = static_cast<Real>(taken / t_.volumes[number]);
        } else {
            primitives<Real> centre;
            for (int v = 0; v < variables; ++v) centre.at[v] = own.at[v];
            const gas_point<Real> gas = gas_of(centre, t_.k.gamma, t_.inverse_gamma_1);
            if (t_.rule == euler_step::rodinia) {
                step = t_.k.cfl / (std::sqrt(static_cast<Real>(t_.volumes[number])) * (speed(gas) + gas.c));
            } else {
                Real waves = 0;
                for (int f = 0; f < faces_of_cell; ++f) {
                    const row_vector<Real> area = t_.areas[tile_.areas + faces.at[f] / 2];
                    waves += std::fabs(through(gas, area.at)) + gas.c * length_of(area.at);
                }
                step = t_.k.cfl / (Real(0.5) * waves);
            }
        }
        t_.step[number] = step;
        return step;
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
            const std::int32_t behind = t_.ghosts[tile_.ghosts + face - tile_.inner];
            if (behind < 0) continue;
            const row_vector<Real> area = t_.areas[tile_.areas + face];
            const int patch = patch_of(area.id);
            const Real nowhere[3] = {0, 0, 0};  // the record knows the ghost's place
            const gas_point<Real> gas = point_from(five[0], v[0], v[1], v[2], p, t_.k);
            const ghost<Real> g = ghost_of(t_.kinds[patch], gas, t_.said[patch], area.at, nowhere, t_.k);
            for (int v = 0; v < variables; ++v) t_.next[behind].at[v] = g.values.at[v];
        }
    }

    const task<Real>& t_;
    const tile tile_;
    const tile_memory<Real> at_;
    int thread_, threads_;
};

}  // namespace wale::euler::second_order
