// layout - where the tiled form keeps states and geometry, in device memory and in a block's shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "mesh/tiles.hpp"
#include "solvers/euler/advance/shared/fused/near_number.hpp"

namespace wale::euler::tiled {

// The published scheme as the tiles compute it: what lies in shared memory of a cell, what a face adds, and
// the derived quantities, each by one rule so that a state gives the same bits wherever it is met.  With n
// the area vector turned inward and halved, a cell's residual is the sum over its faces j of U_j w_j + (0,
// n p_j, p_j v_j)   less   U_i times the sum of k_j,     w_j = v_j + k_j where v_j = velocity_j . n and k_j
// = dissipation |n| (waves_i + waves_j): the own flux drops out, as the area vectors of a cell sum to zero.
// A wall is the own state with v_j turned round. Where a mesh does not close so well, the own flux through
// the sum of the vectors is added.

/// What neighbours ask of a cell.
template <class Real>
struct gas {
    Real rho, x, y, z;  // density, momentum
    Real p, waves;      // pressure, |v| + c
};

/// What the scheme asks of the case; by value in the kernels' parameters.
template <class Real>
struct scheme_numbers {
    Real gamma, gamma_1, inverse_gamma_1;
    Real dissipation;
    Real cfl;
    Real stage[3];  // of the step
};

template <class Real>
__device__ inline Real square(Real x, Real y, Real z) {
    return fma(z, z, fma(y, y, x * x));
}

/// rho E of a gas.
template <class Real>
__device__ inline Real energy_of(const gas<Real>& g, Real inverse_rho, const scheme_numbers<Real>& k) {
    return fma(g.p, k.inverse_gamma_1, Real(0.5) * inverse_rho * square(g.x, g.y, g.z));
}

/// Sets pressure and waves.
template <class Real>
__device__ inline void complete(gas<Real>& g, Real energy, const scheme_numbers<Real>& k) {
    const Real inverse_rho = near_inverse(g.rho);
    const Real momentum = square(g.x, g.y, g.z);
    g.p = k.gamma_1 * fma(Real(-0.5) * momentum, inverse_rho, energy);
    g.waves = fma(near_root(momentum), inverse_rho, near_root(k.gamma * g.p * inverse_rho));
}

/// The sum over a cell's faces.
template <class Real>
struct face_sums {
    Real rho = 0, x = 0, y = 0, z = 0, energy = 0, k = 0;

    /// `spread` is the dissipation times |n|; `own_waves` the cell's.
    __device__ void add(const gas<Real>& g, const Real* n, Real spread, Real own_waves, bool mirrored,
                        const scheme_numbers<Real>& numbers) {
        const Real inverse_rho = near_inverse(g.rho);
        const Real straight = fma(n[2], g.z, fma(n[1], g.y, n[0] * g.x)) * inverse_rho;
        const Real through = mirrored ? -straight : straight;
        const Real own = spread * (own_waves + g.waves);
        const Real weight = through + own;
        rho = fma(g.rho, weight, rho);
        x = fma(g.x, weight, fma(n[0], g.p, x));
        y = fma(g.y, weight, fma(n[1], g.p, y));
        z = fma(g.z, weight, fma(n[2], g.p, z));
        energy = fma(energy_of(g, inverse_rho, numbers), weight, fma(g.p, through, energy));
        k += own;
    }
};

/// 16 bytes: what a thread loads at once.
template <class Real>
using chunk = std::conditional_t<sizeof(Real) == 4, float4, double2>;

/// A cell in device memory: density, momentum, pressure, waves, energy, CFL number over the root of volume.
template <class Real>
struct alignas(8 * sizeof(Real)) packed_state {
    Real rho, x, y, z, p, waves, energy, step;
};

/// Of a face, 16 bits: 8 times the neighbour's slot, `mirrored` for a wall (the slot is the own one), `edge`
/// where there is no dissipation. Slot 0 is the free stream, the tile's places follow.
struct face_code {
    static constexpr unsigned mirrored = 1, edge = 2, slot = 0xfff8;
    static constexpr int slots = 1 << 13;
    [[nodiscard]] WALE_HD static constexpr unsigned of_place(int place) {
        return static_cast<unsigned>(place + 1) << 3;
    }
};

/// A cell's geometry: normals inward and halved, of all faces or without the last one where they sum to
/// zero; then the codes of its faces, at the end of the last chunk.
template <class Real, bool Closed>
struct geometry {
    static constexpr int normals = Closed ? 3 : 4;
    static constexpr int bytes = 3 * normals * static_cast<int>(sizeof(Real)) + 8;
    static constexpr int chunks = (bytes + 15) / 16;
    static constexpr int reals = chunks * static_cast<int>(16 / sizeof(Real));
    union {
        chunk<Real> pieces[chunks];
        Real real[reals];
        std::uint32_t codes[4 * chunks];  // the last two
    };
    __device__ geometry() {}

    [[nodiscard]] __device__ unsigned code(int face) const {
        const std::uint32_t two = codes[4 * chunks - 2 + face / 2];
        return face % 2 == 0 ? two & 0xffffu : two >> 16;
    }
    /// Of face 3 too.
    __device__ void normal(int face, Real* n) const {
        for (int d = 0; d < 3; ++d)
            n[d] = Closed && face == 3 ? -(real[d] + real[3 + d] + real[6 + d]) : real[3 * face + d];
    }
};

/// Begins to copy to shared memory; done after wait_for_copies().
template <int Bytes>
__device__ inline void copy(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "n"(Bytes)
                 : "memory");
#else
    using word = std::conditional_t<Bytes == 16, float4, float2>;
    *static_cast<word*>(to) = *static_cast<const word*>(from);
#endif
}
__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// States in shared memory in arrays of 16-byte words (and one of 8-byte words in float), so that gathers
/// meet as few banks as can be. Codes are byte offsets into 8-byte words.
template <class Real, int Slots>
class shared_states;

template <int Slots>
class shared_states<float, Slots> {
public:
    static constexpr int bytes = 24 * Slots;
    __device__ explicit shared_states(char* base) : base_(base) {}
    [[nodiscard]] __device__ gas<float> get(unsigned offset) const {
        const float4 a = *reinterpret_cast<const float4*>(base_ + 2 * offset);
        const float2 b = *reinterpret_cast<const float2*>(base_ + 16 * Slots + offset);
        return {a.x, a.y, a.z, a.w, b.x, b.y};
    }
    __device__ void put(unsigned offset, const gas<float>& g) const {
        *reinterpret_cast<float4*>(base_ + 2 * offset) = make_float4(g.rho, g.x, g.y, g.z);
        *reinterpret_cast<float2*>(base_ + 16 * Slots + offset) = make_float2(g.p, g.waves);
    }
    /// Begins to fetch; done after wait_for_copies().
    __device__ void fetch(unsigned offset, const packed_state<float>* from) const {
        copy<16>(base_ + 2 * offset, &from->rho);
        copy<8>(base_ + 16 * Slots + offset, &from->p);
    }

private:
    char* base_;
};

template <int Slots>
class shared_states<double, Slots> {
public:
    static constexpr int bytes = 48 * Slots;
    __device__ explicit shared_states(char* base) : base_(base) {}
    [[nodiscard]] __device__ gas<double> get(unsigned offset) const {
        const double2 a = word(offset, 0), b = word(offset, 1), c = word(offset, 2);
        return {a.x, a.y, b.x, b.y, c.x, c.y};
    }
    __device__ void put(unsigned offset, const gas<double>& g) const {
        word(offset, 0) = make_double2(g.rho, g.x);
        word(offset, 1) = make_double2(g.y, g.z);
        word(offset, 2) = make_double2(g.p, g.waves);
    }
    __device__ void fetch(unsigned offset, const packed_state<double>* from) const {
        for (int i = 0; i < 3; ++i) copy<16>(&word(offset, i), &from->rho + 2 * i);
    }

private:
    [[nodiscard]] __device__ double2& word(unsigned offset, int array) const {
        return *reinterpret_cast<double2*>(base_ + 2 * offset + 16 * Slots * array);
    }
    char* base_;
};

}  // namespace wale::euler::tiled
