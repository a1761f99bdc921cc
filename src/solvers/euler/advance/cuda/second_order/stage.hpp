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
#include "solvers/euler/advance/cuda/second_order/task.hpp"
#include "solvers/euler/advance/shared/fused/compact.hpp"

#if defined(__CUDA_ARCH__)
#define WALE_UNROLL _Pragma("unroll")
#define WALE_KEEP_LOOP _Pragma("unroll 1")
#else
#define WALE_UNROLL
#define WALE_KEEP_LOOP
#endif

namespace wale::euler::second_order {

/// `Apart`: gradients are a kernel of their own.
template <euler_flux Flux, class Real, bool Apart = false>
class tile_stage {
public:
    WALE_HD tile_stage(const task<Real>& t, const tile& own, char* memory, int thread, int threads)
        : t_(t), tile_(own), at_(memory, Apart ? 0 : t.most_places), thread_(thread), threads_(threads) {}

    /// Threads side by side take a piece each of places side by side; all of a thread's pieces are alike.
    /// begin() is called between the numbers of records and the records.
    template <class Begin>
    WALE_HD void fetch(Begin&& begin) const {
        constexpr int pieces = record_chunks<Real>::count, group = places_together * pieces;
        constexpr int batch = 8;  // numbers that are asked for before a record is
        const int end = Apart ? tile_.near : tile_.all;
        const int step = (threads_ < group ? 1 : threads_ / group) * places_together;
        const index_t lent = tile_.halo - tile_.own;
        for (int lane = thread_ % group; lane < group; lane += threads_ < group ? threads_ : group) {
            const int piece = lane / places_together;
            const chunk* const from = reinterpret_cast<const chunk*>(t_.now) + piece;
            int p = thread_ / group * places_together + lane % places_together;
            int to = p / places_together * group + lane;
            for (; p < end; p += batch * step, to += batch * step * pieces) {
                std::int32_t number[batch];
                WALE_UNROLL
                for (int k = 0; k < batch; ++k) {
                    const int place = p + k * step;
                    number[k] = tile_.first + place;
                    if (place >= tile_.own && place < end) number[k] = t_.halo[lent + place];
                }
                begin();
                WALE_UNROLL
                for (int k = 0; k < batch; ++k)
                    if (p + k * step < end)
                        copy_chunk(at_.piece(to + k * step * pieces), from + index_t{number[k]} * pieces);
            }
        }
    }

    /// What gradients() needs first, to be asked for early. Nothing behind the last place.
    struct cell_links {
        chunk half[2];
    };
    [[nodiscard]] WALE_HD cell_links links_ahead(int p) const {
        cell_links links{};
        if (p < (Apart ? tile_.own : tile_.one))
            for (int i = 0; i < 2; ++i) links.half[i] = t_.links[i * t_.rows + tile_.rows + p];
        return links;
    }
    /// Of own cells and of their neighbours; apart of own cells alone, to device memory. `following` is
    /// links_ahead(thread).
    WALE_HD void gradients(cell_links following) const {
        const int end = Apart ? tile_.own : tile_.one;
        for (int p = thread_; p < end; p += threads_) {
            const cell_links links = following;
            if constexpr (sizeof(Real) == 4) following = links_ahead(p + threads_);
            const record<Real> own = at_.get(piece_of_place<Real>(static_cast<unsigned>(p)));
            Real there[faces_of_cell * variables];
            const face_slots slots = carry(p, own, links, there);
            if constexpr (Apart)
                store_values(tile_.first + p, there);
            else
                set_sides(slots, there);
            if constexpr (sizeof(Real) == 8) following = links_ahead(p + threads_);  // no registers before
        }
    }

    /// Apart: what gradients() of all tiles wrote comes to the sides of this tile's faces. Of a neighbour,
    /// most faces are no faces of the tile.
    WALE_HD void fetch_sides() const {
        constexpr int numbers_a_chunk = static_cast<int>(sizeof(chunk) / sizeof(Real));
        for (int p = thread_; p < tile_.own; p += threads_) {
            face_values<Real> values;
            WALE_UNROLL
            for (int i = 0; i < values.count; ++i)
                values.pieces[i] = t_.values[i * t_.cells + tile_.first + p];
            set_sides(slots_of(p), values.at);
        }
        for (int p = tile_.own + thread_; p < tile_.one; p += threads_) {
            const index_t number = t_.halo[tile_.halo + p - tile_.own];
            const face_slots slots = slots_of(p);
            WALE_UNROLL
            for (int f = 0; f < faces_of_cell; ++f) {
                if (slots.at(f) == no_slot) continue;
                const int first = f * variables / numbers_a_chunk;
                const int last = ((f + 1) * variables - 1) / numbers_a_chunk;
                face_values<Real> values;
                WALE_UNROLL
                for (int i = first; i <= last; ++i) values.pieces[i] = t_.values[i * t_.cells + number];
                put_side(slots.at(f), values.at + f * variables);
            }
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
            at_.put(word_of_face(f), out.at);
        }
    }

    /// What move() needs of an own cell, to be asked for early.
    struct before {
        face_slots slots;
        Real old[variables];
        Real step;
    };
    [[nodiscard]] WALE_HD before ahead(int p) const {
        before b{};
        if (p >= tile_.own) return b;
        const index_t number = tile_.first + p;
        b.slots = slots_of(p);
        for (int v = 0; v < variables; ++v) b.old[v] = t_.old[v * t_.cells + number];
        if (t_.stage > 0) b.step = t_.step[number];
        return b;
    }

    /// `taken` is the step of time where steps are not local, `following` is ahead(thread).
    WALE_HD void move(double taken, before following) const {
        for (int p = thread_; p < tile_.own; p += threads_) {
            const index_t number = tile_.first + p;
            const before b = following;
            following = ahead(p + threads_);
            flux_of<Real> sum{};
            WALE_UNROLL
            for (int f = 0; f < faces_of_cell; ++f) {
                const unsigned slot = b.slots.at(f);
                const primitives<Real> out = at_.side(static_cast<int>(slot / 2));
                for (int v = 0; v < variables; ++v) sum.at[v] += slot % 2 == 0 ? -out.at[v] : out.at[v];
            }
            record<Real> own;
            if constexpr (Apart)
                own = t_.now[number];
            else
                own = at_.get(piece_of_place<Real>(static_cast<unsigned>(p)));
            const Real step = of_stage(t_.k.from_flux) * step_of(own, b, number, taken);
            const Real from_old = of_stage(t_.k.from_old), from_now = of_stage(t_.k.from_now);
            Real five[variables];
            for (int v = 0; v < variables; ++v) {
                five[v] = from_old * b.old[v];
                if (from_now != 0) five[v] += from_now * t_.from[v * t_.cells + number];
                five[v] += step * sum.at[v];
            }
            if (t_.moved != nullptr)
                for (int v = 0; v < variables; ++v) t_.moved[v * t_.cells + number] = five[v];
            publish(own, b.slots, number, five);
        }
    }

    /// In place of a stage: writes the records of the own cells and of their ghosts from conserved numbers.
    WALE_HD void publish_all(const Real* states) const {
        for (int p = thread_; p < tile_.own; p += threads_) {
            const index_t number = tile_.first + p;
            Real five[variables];
            for (int v = 0; v < variables; ++v) five[v] = states[v * t_.cells + number];
            publish(t_.now[number], slots_of(p), number, five);
        }
    }

private:
    [[nodiscard]] WALE_HD Real of_stage(const Real (&numbers)[stages]) const {
        return t_.stage == 0 ? numbers[0] : t_.stage == 1 ? numbers[1] : numbers[2];
    }
    [[nodiscard]] WALE_HD face_slots slots_of(int p) const {
        using whole = geometry_chunks<Real>;
        constexpr std::size_t begin = offsetof(gradient_geometry<Real>, slots);
        constexpr int last = static_cast<int>(begin / sizeof(chunk)), word = begin % sizeof(chunk) / 4;
        static_assert(last == whole::count - 1);
        const chunk from = t_.geometry[last * t_.rows + tile_.rows + p];
        return {{from.words[word], from.words[word + 1]}};
    }
    /// A cell's state at its faces, face after face; that of the cell where the gradient would leave no gas.
    /// Where these faces lie.
    WALE_HD face_slots carry(int p, const record<Real>& own, const cell_links& links,
                             Real (&there)[faces_of_cell * variables]) const {
        Real sum[variables][3]{}, up[variables]{}, down[variables]{};
        WALE_UNROLL
        for (int i = 0; i < links_of_cell; ++i) {
            const unsigned word = links.half[i / 8].words[i / 2 % 4];
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
        WALE_UNROLL
        for (int i = 0; i < geometry_chunks<Real>::count; ++i)
            g.pieces[i] = t_.geometry[i * t_.rows + tile_.rows + p];
        WALE_UNROLL
        for (int v = 0; v < variables; ++v) {
            Real steps[faces_of_cell];
            for (int f = 0; f < 3; ++f) steps[f] = dot(g.whole.to_faces[f], sum[v]);
            steps[3] = -(steps[0] + steps[1] + steps[2]);
            const Real part = t_.k.limiter == euler_limiter::none
                                  ? Real(1)
                                  : part_of(steps, up[v], down[v], g.whole.floor * t_.k.unit_squares[v]);
            for (int f = 0; f < faces_of_cell; ++f)
                there[f * variables + v] = std::fma(part, steps[f], own.at[v]);
        }
        bool gas = true;
        for (int f = 0; f < faces_of_cell; ++f)
            gas = gas && there[f * variables] > 0 && there[f * variables + 4] > 0;
        if (!gas) keep_gas(own, there);  // rare, so no thread chooses number by number
        return g.whole.slots;
    }
    WALE_HD static void keep_gas(const record<Real>& own, Real (&there)[faces_of_cell * variables]) {
        for (int f = 0; f < faces_of_cell; ++f) {
            const bool gas = there[f * variables] > 0 && there[f * variables + 4] > 0;
            for (int v = 0; v < variables; ++v)
                there[f * variables + v] = gas ? there[f * variables + v] : own.at[v];
        }
    }
    WALE_HD void store_values(index_t number, const Real (&there)[faces_of_cell * variables]) const {
        face_values<Real> values;
        WALE_UNROLL
        for (int i = 0; i < faces_of_cell * variables; ++i) values.at[i] = there[i];
        WALE_UNROLL
        for (int i = 0; i < values.count; ++i) t_.values[i * t_.cells + number] = values.pieces[i];
    }
    WALE_HD void put_side(unsigned slot, const Real* five) const {
        at_.put(static_cast<int>(slot / 2 + slot % 2 * to_right_side), five);
    }
    WALE_HD void set_sides(const face_slots& slots, const Real (&there)[faces_of_cell * variables]) const {
        WALE_UNROLL
        for (int f = 0; f < faces_of_cell; ++f)
            if (slots.at(f) != no_slot) put_side(slots.at(f), there + f * variables);
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
        const int word = word_of_face(f);
        const primitives<Real> left = at_.side(word), right = at_.side(word + to_right_side);
        if constexpr (Flux == euler_flux::hllc)
            return hllc_of(left, right, area, t_.k.gamma, t_.inverse_gamma_1);
        const Real n[3] = {area.at[0] * area.at[3], area.at[1] * area.at[3], area.at[2] * area.at[3]};
        const auto flux = [](const auto&... face) { return face_flux<Flux>(face...); };
        return near_flux(gas_of(left, t_.k.gamma, t_.inverse_gamma_1),
                         gas_of(right, t_.k.gamma, t_.inverse_gamma_1), n, t_.k, flux);
    }
    [[nodiscard]] WALE_HD flux_of<Real> outer_flux(int f, const face_area<Real>& area) const {
        const patch_face& face = t_.patches[tile_.patches + f - tile_.inner];
        const auto& centre = t_.now[face.cell].at;
        const gas_point<Real> near = gas_of(at_.side(word_of_face(f)), t_.k.gamma, t_.inverse_gamma_1);
        const gas_point<Real> own =
            gas_of(primitives<Real>{{centre[0], centre[1], centre[2], centre[3], centre[4]}}, t_.k.gamma,
                   t_.inverse_gamma_1);
        const euler_boundary kind = t_.kinds[face.patch];
        const Real n[3] = {area.at[0] * area.at[3], area.at[1] * area.at[3], area.at[2] * area.at[3]};
        return boundary_flux<Flux>(kind, inner_point(kind, own, near, n), t_.said[face.patch], n, t_.k);
    }

    [[nodiscard]] WALE_HD Real step_of(const record<Real>& own, const before& b, index_t number,
                                       double taken) const {
        if (t_.stage > 0) return b.step;
        const Real step =
            t_.local ? local_step(own, b.slots, number) : static_cast<Real>(taken / t_.volumes[number]);
        t_.step[number] = step;
        return step;
    }
    [[nodiscard]] WALE_HD Real local_step(const record<Real>& own, const face_slots& slots,
                                          index_t number) const {
        const primitives<Real> centre{{own.at[0], own.at[1], own.at[2], own.at[3], own.at[4]}};
        const gas_point<Real> gas = gas_of(centre, t_.k.gamma, t_.inverse_gamma_1);
        if (t_.rule == euler_step::rodinia)
            return t_.k.cfl / (std::sqrt(static_cast<Real>(t_.volumes[number])) * (speed(gas) + gas.c));
        Real waves = 0;
        WALE_UNROLL
        for (int f = 0; f < faces_of_cell; ++f) {
            const face_area<Real> area = t_.areas[tile_.areas + face_of(slots, f)];
            waves = std::fma(area.at[3], std::fabs(dot(area.at, &gas.u)) + gas.c, waves);
        }
        return t_.k.cfl * near_inverse(Real(0.5) * waves);
    }
    [[nodiscard]] WALE_HD static int face_of(const face_slots& slots, int f) {
        return face_of_word(static_cast<int>(slots.at(f) / 2));
    }

    WALE_HD void publish(const record<Real>& own, const face_slots& slots, index_t number,
                         const Real (&five)[variables]) const {
        // In products and sums that no compiler joins in another way elsewhere: a flow that is fetched and
        // goes on keeps all bits.
        const Real inverse = near_inverse(five[0]);
        const Real v[3] = {five[1] * inverse, five[2] * inverse, five[3] * inverse};
        const Real p = t_.k.gamma_1 * std::fma(Real(-0.5) * five[0], dot(v, v), five[4]);
        t_.next[number] = {{five[0], v[0], v[1], v[2], p}, {own.place[0], own.place[1], own.place[2]}};
        const auto beyond = static_cast<unsigned>(2 * word_of_face(tile_.inner));
        if (slots.at(0) < beyond && slots.at(1) < beyond && slots.at(2) < beyond && slots.at(3) < beyond)
            return;
        const gas_point<Real> gas = point_from(five[0], v[0], v[1], v[2], p, t_.k);
        // Rare, so the code of one face serves four.
        WALE_KEEP_LOOP
        for (int f = 0; f < faces_of_cell; ++f) {
            const unsigned slot = (f < 2 ? slots.two[0] : slots.two[1]) >> (f % 2 * 16) & 0xffffU;
            if (slot >= beyond) publish_ghost(gas, face_of_word(static_cast<int>(slot / 2)));
        }
    }
    WALE_HD void publish_ghost(const gas_point<Real>& gas, int face) const {
        const patch_face& behind = t_.patches[tile_.patches + face - tile_.inner];
        if (behind.ghost < 0) return;
        const face_area<Real> area = t_.areas[tile_.areas + face];
        const Real n[3] = {area.at[0] * area.at[3], area.at[1] * area.at[3], area.at[2] * area.at[3]};
        const Real nowhere[3] = {0, 0, 0};  // the record knows the ghost's place
        const ghost<Real> g = ghost_of(t_.kinds[behind.patch], gas, t_.said[behind.patch], n, nowhere, t_.k);
        for (int i = 0; i < variables; ++i) t_.next[behind.ghost].at[i] = g.values.at[i];
    }

    const task<Real>& t_;
    const tile tile_;
    const tile_memory<Real> at_;
    int thread_, threads_;
};

}  // namespace wale::euler::second_order

#undef WALE_UNROLL
#undef WALE_KEEP_LOOP
