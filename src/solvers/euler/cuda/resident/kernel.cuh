// kernel - many iterations of the scheme in one launch: geometry in registers, states in shared memory.
//
// Who does what: block b has part b of the plan. Its first `pairs` threads compute, two neighbouring cells
//   each; warps with cells that other parts see come first. The others carry: they post those cells' states
//   and take the halo's.
// What waits for what, at step s (three steps an iteration; states of step s lie in store s mod 2):
//   all computing warps wait for each other's states of step s (barrier `own`); the first warps wait also for
//   the halo's (barrier `halo`), which the carriers have taken; the carriers wait for the first warps' states
//   of step s (barrier `talk`), post them, then wait for the packets of step s.
// Why it cannot deadlock: all blocks are resident, and what happens between blocks is exchange.hpp's. Within
// a
//   block each barrier has fixed members that pass it once a step, in the same order.
// Why this memory order: barriers order shared memory. A store is written at step s + 1 after `own` of step
// s,
//   when all have done with what it held; the carriers write the halo of step s + 1 after `talk` of s + 1,
//   when the only ones who read the halo have done with step s. Packets: exchange.hpp.
#pragma once

#include "cuda/atomics.cuh"
#include "solvers/euler/cuda/resident/points.cuh"
#include "solvers/euler/cuda/resident/tuning.hpp"
#include "solvers/euler/resident/exchange.hpp"
#include "solvers/euler/resident/plan.hpp"

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
    const face_shape<Real>* faces;  // [parts][pair_faces][pairs]
    const std::uint16_t* slot;      // [parts][pair_faces][pairs]
    const own_shape<Real>* own;     // [parts][2][pairs]
    const unsigned char* traits;    // [parts][pairs] see trait
    const Real* factor;             // [parts][2][pairs] step of time over volume, times |v| + c
    const point<Real>* constant;    // [constants]
    const std::int32_t *talking, *halo, *send;
    const sending* sendings;
    Real* state;           // [parts][2][variables][pairs]
    packet_word* mailbox;  // [2][words][places]
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

enum block_barrier { own_ready = 1, talk_ready = 2, halo_ready = 3 };

template <int Barrier>
__device__ inline void meet(int threads) {
    asm volatile("barrier.sync %0,%1;" ::"n"(Barrier), "r"(threads) : "memory");
}
template <int Barrier>
__device__ inline void arrive(int threads) {
    asm volatile("barrier.arrive %0,%1;" ::"n"(Barrier), "r"(threads) : "memory");
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
    const Real inverse = reciprocal(s[0]);
    g.rho = s[0];
    g.u = s[1] * inverse;
    g.v = s[2] * inverse;
    g.w = s[3] * inverse;
    const Real square = fma(g.u, g.u, fma(g.v, g.v, g.w * g.w));
    g.p = k.gamma_1 * fma(Real(-0.5) * s[0], square, s[4]);
    g.a = root(square) + root(k.gamma * g.p * inverse);
    return g;
}

/// One of the threads that compute.
template <class Real>
class pair_of_cells {
public:
    __device__ pair_of_cells(const device_plan<Real>& p, const gas<Real>& k, const two_stores<Real>& stores)
        : p_(p), k_(k), stores_(stores), part_(blockIdx.x), t_(threadIdx.x) {
        for (int f = 0; f < pair_faces; ++f) {
            face_[f] = p.faces[place(pair_faces, f)];
            at_[f] = 16u * p.slot[place(pair_faces, f)];
        }
        const unsigned traits = p.traits[part_ * p.pairs + t_];
        any_open_ = __any_sync(0xffffffffu, (traits & open_cell) != 0);
        any_lone_ = __any_sync(0xffffffffu, (traits & lone_cell) != 0);
        for (int c = 0; c < 2; ++c) {
            for (int v = 0; v < variables; ++v) old_[c][v] = p.state[place(2 * variables, variables * c + v)];
            now_[c] = point_of_state(old_[c], k);
            factor_[c] = p.factor[place(2, c)];
            stores_.of(0).store(own_at(c), now_[c]);
        }
    }

    /// The time step that an iteration begins with.
    __device__ void begin() {
        for (int c = 0; c < 2; ++c) time_[c] = factor_[c] * reciprocal(now_[c].a);
    }

    /// From the states of step `step` to the next ones.
    __device__ void advance(std::uint32_t step, int stage) {
        const point_store<Real> here = stores_.of(step), there = stores_.of(step + 1);
        inflow<Real> sum[2];
        const Real a[2] = {now_[0].a, now_[1].a};
#pragma unroll
        for (int f = 0; f < outer_faces; ++f) sum[f / 3].add_face(face_[f], here.load(at_[f]), a[f / 3], k_);
        if (reloads)
            for (int c = 0; c < 2; ++c) now_[c] = here.load(own_at(c));
        point<Real> behind = now_[1];
        if (any_lone_) behind = here.load(at_[outer_faces]);
        sum[0].add_face(face_[outer_faces], behind, a[0], k_);
        const face_shape<Real> f = face_[outer_faces];
        sum[1].add_face({-f.x, -f.y, -f.z, f.spread}, now_[0], a[1], k_);
#pragma unroll
        for (int c = 0; c < 2; ++c) {
            if (any_open_) sum[c].add_own(p_.own[place(2, c)], now_[c], k_);
            sum[c].close(now_[c], k_);
            const Real time = time_[c] * k_.part[stage];
            const Real s[variables] = {fma(time, sum[c].rho, old_[c][0]), fma(time, sum[c].x, old_[c][1]),
                                       fma(time, sum[c].y, old_[c][2]), fma(time, sum[c].z, old_[c][3]),
                                       fma(time, sum[c].energy, old_[c][4])};
            now_[c] = point_of_state(s, k_);
            there.store(own_at(c), now_[c]);
            if (stage == stages - 1)
                for (int v = 0; v < variables; ++v) old_[c][v] = s[v];
        }
    }

    __device__ void write_back() const {
        for (int c = 0; c < 2; ++c)
            for (int v = 0; v < variables; ++v)
                p_.state[place(2 * variables, variables * c + v)] = old_[c][v];
    }

private:
    /// Doubles do not fit into registers all at once.
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
    Real old_[2][variables], factor_[2], time_[2];
    point<Real> now_[2];
    bool any_open_, any_lone_;
};

/// Packets that a thread waits for at once.
template <class Real, int Packets>
struct awaited {
    const packet_word* box;
    int place[Packets], places;
    bool come[Packets];
    packet<Real> packets[Packets];
    __device__ bool poll(std::uint32_t epoch) {
        bool all = true;
#pragma unroll
        for (int i = 0; i < Packets; ++i) {
            if (!come[i]) come[i] = packets[i].fetch(box, place[i], places, epoch);
            all = all && come[i];
        }
        return all;
    }
};

/// One of the threads that post and take. The first `Packets` sendings of each are kept in registers.
template <class Real, int Carriers, int Packets>
class carrier {
public:
    __device__ carrier(const device_plan<Real>& p, const two_stores<Real>& stores, int rank)
        : p_(p),
          stores_(stores),
          begin_(p.halo[blockIdx.x] + rank),
          end_(p.halo[blockIdx.x + 1]),
          halo_at_(16u * (p.halo_slot + rank)),
          send_(p.send[blockIdx.x] + rank),
          send_end_(p.send[blockIdx.x + 1]) {
#pragma unroll
        for (int i = 0; i < Packets; ++i)
            if (send_ + i * Carriers < send_end_) kept_[i] = p.sendings[send_ + i * Carriers];
    }

    __device__ void post(std::uint32_t step, std::uint32_t epoch) const {
#pragma unroll
        for (int i = 0; i < Packets; ++i)
            if (send_ + i * Carriers < send_end_) post(kept_[i], step, epoch);
        for (int i = send_ + Packets * Carriers; i < send_end_; i += Carriers)
            post(p_.sendings[i], step, epoch);
    }

    __device__ void take_all(std::uint32_t step, std::uint32_t epoch) {
        for (int first = begin_; first < end_ && good_; first += Carriers * Packets) {
            awaited<Real, Packets> in;
            in.box = box(epoch);
            in.places = p_.places;
#pragma unroll
            for (int i = 0; i < Packets; ++i) {
                in.place[i] = first + i * Carriers;
                in.come[i] = in.place[i] >= end_;
            }
            good_ = take<cuda::block_sync>(in, epoch, p_.failed);
#pragma unroll
            for (int i = 0; i < Packets; ++i)
                if (in.place[i] < end_)
                    stores_.of(step).store(halo_at_ + 16u * (in.place[i] - begin_), in.packets[i].state);
        }
    }

private:
    [[nodiscard]] __device__ packet_word* box(std::uint32_t epoch) const {
        return p_.mailbox + static_cast<index_t>(epochs::box(epoch)) * packet<Real>::words * p_.places;
    }
    __device__ void post(const sending& s, std::uint32_t step, std::uint32_t epoch) const {
        packet<Real>(stores_.of(step).load(16u * s.slot)).post(box(epoch), s.place, p_.places, epoch);
    }
    const device_plan<Real>& p_;
    const two_stores<Real>& stores_;
    int begin_, end_;
    unsigned halo_at_;
    int send_, send_end_;
    sending kept_[Packets];
    bool good_ = true;
};

template <class Real, int Row>
__global__ void __launch_bounds__(resident_policies[Row].policy.pairs +
                                      resident_policies[Row].policy.carriers,
                                  1)
    run_resident(const __grid_constant__ device_plan<Real> p, const __grid_constant__ gas<Real> k,
                 const __grid_constant__ span_of_steps span) {
    constexpr resident_policy policy = resident_policies[Row].policy;
    extern __shared__ __align__(16) char memory[];
    const two_stores<Real> stores{memory, p.slots};
    if (threadIdx.x < p.constants)
        for (std::uint32_t step = 0; step < 2; ++step)
            stores.of(step).store(16u * (2 * policy.pairs + threadIdx.x), p.constant[threadIdx.x]);
    const int talking = (p.talking[blockIdx.x] + 31) / 32 * 32;  // threads
    const int both = talking + policy.carriers;
    std::uint32_t step = 0;
    if (threadIdx.x < policy.pairs) {
        const bool talks = threadIdx.x < talking;
        pair_of_cells<Real> cells(p, k, stores);
        __syncthreads();
        for (int iteration = 0; iteration < span.iterations; ++iteration) {
            cells.begin();
#pragma unroll 1
            for (int stage = 0; stage < stages; ++stage, ++step) {
                if (talks) meet<halo_ready>(both);
                cells.advance(step, stage);
                if (talks) arrive<talk_ready>(both);
                meet<own_ready>(policy.pairs);
            }
        }
        cells.write_back();
    } else {
        carrier<Real, policy.carriers, policy.packets> mail(p, stores, threadIdx.x - policy.pairs);
        __syncthreads();
        const std::uint32_t steps = stages * static_cast<std::uint32_t>(span.iterations);
        for (; step < steps && talking > 0; ++step) {
            mail.post(step, span.tags.of(step));
            mail.take_all(step, span.tags.of(step));
            arrive<halo_ready>(both);
            meet<talk_ready>(both);
        }
    }
}

}  // namespace wale::euler::resident
