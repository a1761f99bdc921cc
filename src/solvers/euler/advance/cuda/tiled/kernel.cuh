// kernel - three stages of the published scheme in one pass. A block takes one tile: its cells' states and
// those of three layers round them come to shared memory, geometry to registers; each stage computes one
// layer less, and the last writes the tile's own cells. Blocks wait for nothing of each other: all read the
// states of the last iteration and write those of this one.
#pragma once

#include "solvers/euler/advance/cuda/tiled/layout.cuh"
#include "solvers/euler/advance/cuda/tiled/tuning.hpp"

namespace wale::euler::tiled {

template <class Real>
struct task {
    const meshes::deep_tile* tiles;
    const std::int32_t* halo;
    const chunk<Real>* geometry;  // [chunks][rows]
    index_t rows;
    scheme_numbers<Real> numbers;
    gas<Real> far;
    unsigned at_once;  // tiles that the device works on
};

/// Asks for [from, from + bytes) to be brought to the cache that all multiprocessors share; multiples of 16.
__device__ inline void prefetch(const void* from, unsigned bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#else
    (void)from;
    (void)bytes;
#endif
}

/// What a tile reads that no other does or few do.
template <class Real, bool Closed>
__device__ inline void prefetch(const task<Real>& t, const meshes::deep_tile& tile,
                                const packed_state<Real>* from) {
    prefetch(t.halo + tile.halo, 4U * static_cast<unsigned>(tile.all - tile.own + 3) & ~15U);
    for (int c = 0; c < geometry<Real, Closed>::chunks; ++c)
        prefetch(t.geometry + c * t.rows + tile.rows, 16U * static_cast<unsigned>(tile.two));
    prefetch(from + tile.first, sizeof(packed_state<Real>) * static_cast<unsigned>(tile.own));
}

template <int Row, class Real, bool Closed>
struct form {
    static constexpr tiled_policy policy = tiled_policies[Row].policy;
    static_assert(policy.two <= policy.threads * policy.cells);
    static constexpr int wide = policy.all + 1, narrow = policy.two + 1;
    using wide_states = shared_states<Real, wide>;
    using narrow_states = shared_states<Real, narrow>;
    static constexpr int narrow_at = (wide_states::bytes + 15) / 16 * 16;
    static constexpr int bytes = narrow_at + narrow_states::bytes;
    static_assert(wide < face_code::slots);
};

/// What a thread keeps of its cells.
template <int Row, class Real, bool Closed>
class tile_cells {
    using form_t = form<Row, Real, Closed>;
    static constexpr int cells = form_t::policy.cells, threads = form_t::policy.threads;
    static constexpr int lent = (form_t::policy.all + threads - 1) / threads;  // places a thread fetches

public:
    __device__ tile_cells(const task<Real>& t, const meshes::deep_tile& tile) : t_(t), tile_(tile) {}

    /// All states that the tile sees to `to`; what the thread keeps of its cells.
    __device__ void load(const packed_state<Real>* from, const typename form_t::wide_states& to) {
        std::int32_t number[lent];
#pragma unroll
        for (int k = 0; k < lent; ++k) {
            const int place = place_of(k);
            number[k] = place < tile_.own   ? tile_.first + place
                        : place < tile_.all ? __ldg(t_.halo + tile_.halo + (place - tile_.own))
                                            : -1;
        }
#pragma unroll
        for (int k = 0; k < cells; ++k)
            if (place_of(k) < tile_.two)
#pragma unroll
                for (int c = 0; c < geometry<Real, Closed>::chunks; ++c)
                    geometry_[k].pieces[c] = __ldcs(t_.geometry + c * t_.rows + tile_.rows + place_of(k));
#pragma unroll
        for (int k = 0; k < lent; ++k)
            if (number[k] >= 0 && (k >= cells || place_of(k) >= tile_.two))
                to.fetch(face_code::of_place(place_of(k)), from + number[k]);
        packed_state<Real> own[cells];
#pragma unroll
        for (int k = 0; k < cells; ++k)
            if (place_of(k) < tile_.two) own[k] = from[number[k]];
#pragma unroll
        for (int k = 0; k < cells; ++k)
            if (place_of(k) < tile_.two) {
                const packed_state<Real>& s = own[k];
                to.put(face_code::of_place(place_of(k)), {s.rho, s.x, s.y, s.z, s.p, s.waves});
                old_[k] = {s.rho, s.x, s.y, s.z};
                energy_[k] = s.energy;
                step_[k] = s.step;
                over_waves_[k] = s.step * near_inverse(s.waves);
            }
    }

    /// Reads `now`, hands the state of each cell below `limit` to put(place, state): what neighbours ask for,
    /// or all of it after the last stage.
    template <int Stage, class States, class Put>
    __device__ void take(int limit, const States& now, Put&& put) {
#pragma unroll
        for (int k = 0; k < cells; ++k) {
            const int place = place_of(k);
            if (place >= limit) break;
            const gas<Real> own = now.get(face_code::of_place(place));
            gas<Real> g;
            const Real energy = moved(k, own, now, t_.numbers.stage[Stage] * over_waves_[k], g);
            if constexpr (Stage == 2)
                put(place, packed_state<Real>{g.rho, g.x, g.y, g.z, g.p, g.waves, energy, step_[k]});
            else
                put(place, g);
        }
    }

private:
    struct momentum {
        Real rho, x, y, z;
    };
    [[nodiscard]] __device__ static int place_of(int k) {
        return static_cast<int>(threadIdx.x) + k * threads;
    }

    /// The cell's state after a step from the old one; its energy.
    template <class States>
    [[nodiscard]] __device__ Real moved(int k, const gas<Real>& own, const States& now, Real step,
                                        gas<Real>& next) const {
        const geometry<Real, Closed>& g = geometry_[k];
        face_sums<Real> sums;
        Real defect[3] = {0, 0, 0};
#pragma unroll
        for (int f = 0; f < meshes::tile_faces; ++f) {
            Real n[3];
            g.normal(f, n);
            const unsigned code = g.code(f);
            const Real spread =
                code & face_code::edge ? 0 : t_.numbers.dissipation * near_root(square(n[0], n[1], n[2]));
            sums.add(now.get(code & face_code::slot), n, spread, own.waves, code & face_code::mirrored,
                     t_.numbers);
            if (!Closed)
                for (int d = 0; d < 3; ++d) defect[d] += n[d];
        }
        if (!Closed) sums.add(own, defect, 0, own.waves, false, t_.numbers);
        const Real own_energy = energy_of(own, near_inverse(own.rho), t_.numbers);
        next.rho = fma(step, fma(-sums.k, own.rho, sums.rho), old_[k].rho);
        next.x = fma(step, fma(-sums.k, own.x, sums.x), old_[k].x);
        next.y = fma(step, fma(-sums.k, own.y, sums.y), old_[k].y);
        next.z = fma(step, fma(-sums.k, own.z, sums.z), old_[k].z);
        const Real energy = fma(step, fma(-sums.k, own_energy, sums.energy), energy_[k]);
        complete(next, energy, t_.numbers);
        return energy;
    }

    const task<Real>& t_;
    const meshes::deep_tile& tile_;
    geometry<Real, Closed> geometry_[cells];
    momentum old_[cells];
    Real energy_[cells], step_[cells], over_waves_[cells];
};

/// An iteration of all tiles. `backwards`: from the last one, so that what the sweep before read and wrote
/// last is found in the cache.
template <int Row, class Real, bool Closed>
__global__ void __launch_bounds__(tiled_policies[Row].policy.threads, tiled_policies[Row].policy.blocks)
    iterate_tiles(const __grid_constant__ task<Real> t, const packed_state<Real>* __restrict__ from,
                  packed_state<Real>* __restrict__ to, bool backwards) {
    using form_t = form<Row, Real, Closed>;
    extern __shared__ float4 memory[];
    char* const base = reinterpret_cast<char*>(memory);
    const typename form_t::wide_states wide(base);
    const typename form_t::narrow_states narrow(base + form_t::narrow_at);
    const auto tile_of = [&](unsigned block) { return t.tiles[backwards ? gridDim.x - 1 - block : block]; };
    const meshes::deep_tile tile = tile_of(blockIdx.x);

    tile_cells<Row, Real, Closed> own(t, tile);
    own.load(from, wide);
    if (threadIdx.x == 0) {
        wide.put(0, t.far);
        narrow.put(0, t.far);
        if (blockIdx.x + t.at_once < gridDim.x)
            prefetch<Real, Closed>(t, tile_of(blockIdx.x + t.at_once), from);
    }
    wait_for_copies();
    __syncthreads();
    own.template take<0>(tile.two, wide,
                         [&](int place, const gas<Real>& g) { narrow.put(face_code::of_place(place), g); });
    __syncthreads();
    own.template take<1>(tile.one, narrow,
                         [&](int place, const gas<Real>& g) { wide.put(face_code::of_place(place), g); });
    __syncthreads();
    own.template take<2>(tile.own, wide,
                         [&](int place, const packed_state<Real>& s) { to[tile.first + place] = s; });
}

}  // namespace wale::euler::tiled
