// kernel - many iterations of the scheme in one launch: geometry in registers, states in shared memory.
//
// Who does what: block b has part b of the plan, a thread two neighbouring cells. Cells that other parts see
//   are the first warps' (they talk); a thread posts its own cells' states. Packets for the part are taken by
//   all threads, from the last one down, so that talking warps have the least of them.
// What waits for what, at step s (three steps an iteration; states of step s lie in store s mod 2):
//   a block's threads wait for each other's states of step s at a barrier; then every warp adds up the faces
//   whose other side is in the block. A thread that takes a packet waits for it (exchange.hpp) and puts it
//   into the store; talking warps wait for all packets at a second barrier, add the faces that are left, take
//   the step and post. Warps that do not talk only arrive there, and take their step.
// Why it cannot deadlock: all blocks are resident, and what happens between blocks is exchange.hpp's. Within
// a
//   block all threads meet at both barriers once a step, in the same order; waiting for packets comes before
//   the second one and needs nothing from this block but what it posted in the step before.
// Why this memory order: barriers order shared memory. Step s writes states of step s + 1 where those of
//   s - 1 were, after the first barrier of step s, when all have done with them. Packets of step s go where
//   those of s - 2 were, likewise. Between blocks: exchange.hpp.
#pragma once

#include "cuda/wait.cuh"
#include "cuda/warp.cuh"
#include "solvers/euler/advance/cuda/resident/exchange.hpp"
#include "solvers/euler/advance/cuda/resident/plan.hpp"
#include "solvers/euler/advance/cuda/resident/points.cuh"
#include "solvers/euler/advance/cuda/resident/tuning.hpp"

namespace wale::euler::resident {

/// Half of a face's area vector, inward, and the factor of its dissipation.
template <class Real>
struct face_shape {
    Real x, y, z, spread;
};

/// The states of two steps that follow each other.
template <class Real>
struct two_stores {
    char* memory;
    int slots;
    [[nodiscard]] __device__ point_store<Real> of(std::uint32_t step) const {
        return {memory + (step & 1u) * static_cast<unsigned>(slots * point_store<Real>::bytes_a_slot), slots};
    }
};

/// By how much of its own flux a cell's faces do not cancel: of what flows, and of pressure.
template <class Real>
struct own_shape {
    Real flow[3], pressure[3];
};

template <class Real>
struct device_plan {
    int pairs, places, slots, halo_slot, constants;
    const face_shape<Real>* faces;      // [parts][pair_faces][pairs]
    const std::uint16_t* slot;          // [parts][pair_faces][pairs]
    const own_shape<Real>* own;         // [parts][2][pairs]
    const unsigned char* traits;        // [parts][pairs] see trait
    const Real* factor;                 // [parts][2][pairs] step of time over volume, times |v| + c
    const point<Real>* constant;        // [constants]
    const std::int32_t* halo;           // [parts + 1]
    const std::int32_t *post, *posted;  // as in the plan
    Real* state;                        // [parts][2][variables][pairs]
    packet_word* mailbox;               // [2][words][places]
    std::uint32_t* failed;
};

enum trait : unsigned char { open_cell = 1, lone_cell = 2 };  // has own_shape; has a fourth outer face

template <class Real>
struct gas {
    Real gamma, gamma_1, energy_of_pressure;  // 1 / (gamma - 1)
    Real part[stages];                        // of the step, of each stage
};

struct span_of_steps {
    int iterations;
    epochs tags;
};

/// The second barrier of a step: all packets have been put into the store.
template <int Threads>
__device__ inline void halo_is_there() {
    asm volatile("barrier.arrive 1,%0;" ::"n"(Threads) : "memory");
}
template <int Threads>
__device__ inline void wait_for_halo() {
    asm volatile("barrier.sync 1,%0;" ::"n"(Threads) : "memory");
}

/// The sum of what flows into a cell.
template <class Real>
struct inflow {
    Real rho = 0, x = 0, y = 0, z = 0, energy = 0;
    Real kinetic = 0;  // twice the part of energy that moves with the gas
    Real spread = 0;   // of the cell's own state, less

    /// Half of the flux behind a face, and the dissipation that the state behind it brings. Half of the
    /// cell's own flux is left out: over a closed cell it cancels (own_shape has what does not).
    __device__ void add_face(const face_shape<Real>& f, const point<Real>& g, Real own_a,
                             const gas<Real>& k) {
        const Real through = fma(f.x, g.u, fma(f.y, g.v, f.z * g.w));
        const Real s = f.spread * (own_a + g.a);
        const Real sum = through + s;
        const Real mass = g.rho * sum;
        add_moving(mass, g);
        add_pressure(f.x, f.y, f.z, g.p);
        energy = fma(g.p, fma(sum, k.energy_of_pressure, through), energy);
        spread += s;
    }
    __device__ void add_own(const own_shape<Real>& o, const point<Real>& g, const gas<Real>& k) {
        const Real through = fma(o.flow[0], g.u, fma(o.flow[1], g.v, o.flow[2] * g.w));
        add_moving(g.rho * through, g);
        add_pressure(o.pressure[0], o.pressure[1], o.pressure[2], g.p);
        energy = fma(g.p, fma(through, k.energy_of_pressure, through), energy);
    }
    /// All has been added.
    __device__ void close(const point<Real>& own, const gas<Real>& k) {
        add_moving(-spread * own.rho, own);
        energy = fma(-spread * k.energy_of_pressure, own.p, energy);
        energy = fma(Real(0.5), kinetic, energy);
    }

private:
    __device__ void add_moving(Real mass, const point<Real>& g) {
        rho += mass;
        x = fma(mass, g.u, x);
        y = fma(mass, g.v, y);
        z = fma(mass, g.w, z);
        kinetic = fma(mass, fma(g.u, g.u, fma(g.v, g.v, g.w * g.w)), kinetic);
    }
    __device__ void add_pressure(Real nx, Real ny, Real nz, Real p) {
        x = fma(nx, p, x);
        y = fma(ny, p, y);
        z = fma(nz, p, z);
    }
};

template <class Real>
__device__ inline point<Real> point_of_state(const Real* s, const gas<Real>& k) {
    point<Real> g;
    const Real inverse = near_inverse(s[0]);
    g.rho = s[0];
    g.u = s[1] * inverse;
    g.v = s[2] * inverse;
    g.w = s[3] * inverse;
    const Real square = fma(g.u, g.u, fma(g.v, g.v, g.w * g.w));
    g.p = k.gamma_1 * fma(Real(-0.5) * s[0], square, s[4]);
    g.a = near_root(square) + near_root(k.gamma * g.p * inverse);
    return g;
}

/// The packets that a thread takes for its part; most threads have one or none.
template <class Real, int Threads>
class taker {
public:
    __device__ taker(const device_plan<Real>& p, const two_stores<Real>& stores, epochs tags)
        : p_(p),
          stores_(stores),
          tags_(tags),
          begin_(p.halo[blockIdx.x]),
          end_(p.halo[blockIdx.x + 1]),
          first_(begin_ + Threads - 1 - static_cast<int>(threadIdx.x)) {}

    [[nodiscard]] __device__ std::uint32_t epoch(std::uint32_t step) const { return tags_.of(step); }

    /// Asks for the first packet, without waiting.
    __device__ void ask(std::uint32_t step) {
        if (first_ < end_) asked_.ask(box(epoch(step)) + first_, p_.places);
    }
    /// Waits for all packets and puts them into the store; then, with `all`, for the other threads'.
    __device__ void take(std::uint32_t step, bool all) {
        if (first_ < end_) {
            if (asked_.has_come(epoch(step)))
                put(step, first_, asked_);
            else
                take_one(step, first_);
            for (int place = first_ + Threads; place < end_; place += Threads) take_one(step, place);
        }
        if (all)
            wait_for_halo<Threads>();
        else
            halo_is_there<Threads>();
    }

private:
    struct polled {
        const packet_word* from;
        int places;
        packet<Real> in;
        __device__ bool poll(std::uint32_t epoch) {
            in.ask(from, places);
            return in.has_come(epoch);
        }
    };
    __device__ void take_one(std::uint32_t step, int place) {
        polled p{box(epoch(step)) + place, p_.places, {}};
        gave_up_ = gave_up_ || !resident::take<cuda::thread_sync>(p, epoch(step), p_.failed);
        put(step, place, p.in);
    }
    __device__ void put(std::uint32_t step, int place, const packet<Real>& in) const {
        stores_.of(step).store(16u * (p_.halo_slot + place - begin_), in.state());
    }
    [[nodiscard]] __device__ const packet_word* box(std::uint32_t epoch) const {
        return p_.mailbox + static_cast<index_t>(epochs::box(epoch)) * packet<Real>::words * p_.places;
    }
    const device_plan<Real>& p_;
    const two_stores<Real>& stores_;
    epochs tags_;
    int begin_, end_, first_;
    packet<Real> asked_;
    bool gave_up_ = false;
};

/// Faces of a warp's pairs that see the halo: a bit for each of the seven.
inline constexpr unsigned no_late_faces = 0, one_late_each = 0b0100100, two_late_each = 0b0110110,
                          all_late = 0b1111111;

/// A thread's two cells.
template <class Real>
class pair_of_cells {
public:
    __device__ pair_of_cells(const device_plan<Real>& p, const gas<Real>& k, const two_stores<Real>& stores)
        : p_(p), k_(k), stores_(stores), part_(blockIdx.x), t_(threadIdx.x) {
        unsigned late = 0;
        for (int f = 0; f < pair_faces; ++f) {
            face_[f] = p.faces[place(pair_faces, f)];
            const unsigned slot = p.slot[place(pair_faces, f)];
            at_[f] = 16u * slot;
            if (static_cast<int>(slot) >= p.halo_slot) late |= 1u << f;
        }
        late_ = cuda::union_of_warp(late);
        const unsigned traits = p.traits[part_ * p.pairs + t_];
        any_open_ = __any_sync(0xffffffffu, (traits & open_cell) != 0);
        any_lone_ = __any_sync(0xffffffffu, (traits & lone_cell) != 0);
        bool posts = false;
        for (int c = 0; c < 2; ++c) {
            for (int v = 0; v < variables; ++v) old_[c][v] = p.state[place(2 * variables, variables * c + v)];
            now_[c] = point_of_state(old_[c], k);
            post_[c] = p.post[place(2, c)];
            post_end_[c] = p.post[place(2, c) + 1];
            post_first_[c] = post_[c] < post_end_[c] ? p.posted[post_[c]] : 0;
            posts = posts || post_[c] < post_end_[c];
            stores.of(0).store(own_at(c), now_[c]);
        }
        any_posts_ = __any_sync(0xffffffffu, posts);
    }

    /// The time step that an iteration begins with.
    __device__ void begin() {
        for (int c = 0; c < 2; ++c) time_[c] = p_.factor[place(2, c)] * near_inverse(now_[c].a);
    }

    /// From the states of step `step` to the next ones, and posts them. mail.ask() is called after Ask outer
    /// faces, mail.take() after those that need no halo; by warps that need none at all after Take faces.
    template <int Ask, int Take, class Mail>
    __device__ void advance(std::uint32_t step, int stage, Mail& mail) {
        if (late_ == no_late_faces)
            advance_with<Ask, Take, no_late_faces>(step, stage, mail);
        else if ((late_ & ~one_late_each) == 0)
            advance_with<Ask, outer_faces, one_late_each>(step, stage, mail);
        else if ((late_ & ~two_late_each) == 0)
            advance_with<Ask, outer_faces, two_late_each>(step, stage, mail);
        else
            advance_with<Ask, outer_faces, all_late>(step, stage, mail);
    }

    /// Sends the states to the parts that read them.
    __device__ void post(std::uint32_t epoch) const {
        if (!any_posts_) return;
        packet_word* const box =
            p_.mailbox + static_cast<index_t>(epochs::box(epoch)) * packet<Real>::words * p_.places;
#pragma unroll
        for (int c = 0; c < 2; ++c) {
            const packet<Real> out(now_[c], epoch);
            if (post_[c] < post_end_[c]) out.post(box + post_first_[c], p_.places);
            for (int i = post_[c] + 1; i < post_end_[c]; ++i) out.post(box + p_.posted[i], p_.places);
        }
    }

    __device__ void write_back() const {
        for (int c = 0; c < 2; ++c)
            for (int v = 0; v < variables; ++v)
                p_.state[place(2 * variables, variables * c + v)] = old_[c][v];
    }

private:
    template <int Ask, int Take, unsigned Late, class Mail>
    __device__ void advance_with(std::uint32_t step, int stage, Mail& mail) {
        static_assert(Ask <= Take);
        constexpr unsigned before_ask = (1u << Ask) - 1, before_take = (1u << Take) - 1;
        const point_store<Real> here = stores_.of(step), there = stores_.of(step + 1);
        inflow<Real> sum[2];
        add_outer<~Late & before_ask>(here, sum);
        mail.ask(step);
        add_outer<~Late & before_take & ~before_ask>(here, sum);
        if (Late != no_late_faces && !(Late >> outer_faces & 1u)) add_shared(here, sum);
        mail.take(step, Late != no_late_faces);
        if (Late == no_late_faces) {
            add_outer<~before_take>(here, sum);
            add_shared(here, sum);
        }
        if (reloads)
            for (int c = 0; c < 2; ++c) now_[c] = here.load(own_at(c));
        add_outer<Late>(here, sum);
        if (Late >> outer_faces & 1u) add_shared(here, sum);
#pragma unroll
        for (int c = 0; c < 2; ++c) {
            if (any_open_) sum[c].add_own(p_.own[place(2, c)], now_[c], k_);
            sum[c].close(now_[c], k_);
            const Real time = time_[c] * k_.part[stage];
            const Real s[variables] = {fma(time, sum[c].rho, old_[c][0]), fma(time, sum[c].x, old_[c][1]),
                                       fma(time, sum[c].y, old_[c][2]), fma(time, sum[c].z, old_[c][3]),
                                       fma(time, sum[c].energy, old_[c][4])};
            now_[c] = point_of_state(s, k_);
            if (stage == stages - 1)
                for (int v = 0; v < variables; ++v) old_[c][v] = s[v];
        }
        post(mail.epoch(step + 1));
        for (int c = 0; c < 2; ++c) there.store(own_at(c), now_[c]);
    }
    template <unsigned Which>
    __device__ void add_outer(const point_store<Real>& here, inflow<Real> (&sum)[2]) const {
#pragma unroll
        for (int f = 0; f < outer_faces; ++f)
            if (Which >> f & 1u) sum[f / 3].add_face(face_[f], here.load(at_[f]), now_[f / 3].a, k_);
    }
    /// The face between the two, or the fourth one of a cell without partner.
    __device__ void add_shared(const point_store<Real>& here, inflow<Real> (&sum)[2]) const {
        const face_shape<Real> f = face_[outer_faces];
        point<Real> behind = now_[1];
        if (any_lone_) behind = here.load(at_[outer_faces]);
        sum[0].add_face(f, behind, now_[0].a, k_);
        sum[1].add_face({-f.x, -f.y, -f.z, f.spread}, now_[0], now_[1].a, k_);
    }

    /// Doubles do not all fit into registers at once.
    static constexpr bool reloads = sizeof(Real) > 4;
    [[nodiscard]] __device__ int place(int width, int which) const {
        return (part_ * width + which) * p_.pairs + t_;
    }
    [[nodiscard]] __device__ unsigned own_at(int c) const {
        return 16u * (t_ + c * p_.pairs);
    }

    const device_plan<Real>& p_;
    const gas<Real>& k_;
    const two_stores<Real>& stores_;
    int part_, t_;
    face_shape<Real> face_[pair_faces];
    unsigned at_[pair_faces];
    Real old_[2][variables], time_[2];
    point<Real> now_[2];
    int post_[2], post_end_[2], post_first_[2];
    unsigned late_;
    bool any_open_, any_lone_, any_posts_;  // of the warp
};

template <class Real, int Row>
__global__ void __launch_bounds__(resident_policies[Row].policy.pairs, 1)
    run_resident(const __grid_constant__ device_plan<Real> p, const __grid_constant__ gas<Real> k,
                 const __grid_constant__ span_of_steps span) {
    constexpr resident_policy policy = resident_policies[Row].policy;
    constexpr int threads = policy.pairs;
    extern __shared__ __align__(16) char memory[];
    const two_stores<Real> stores{memory, p.slots};
    for (int c = threadIdx.x; c < 2 * p.constants; c += threads)
        stores.of(c % 2).store(16u * (2 * threads + c / 2), p.constant[c / 2]);
    pair_of_cells<Real> cells(p, k, stores);
    taker<Real, threads> mail(p, stores, span.tags);
    cells.post(mail.epoch(0));
    std::uint32_t step = 0;
    for (int iteration = 0; iteration < span.iterations; ++iteration) {
        cells.begin();
#pragma unroll 1
        for (int stage = 0; stage < stages; ++stage, ++step) {
            __syncthreads();
            cells.template advance<policy.ask_after, policy.take_after>(step, stage, mail);
        }
    }
    cells.write_back();
}

}  // namespace wale::euler::resident
