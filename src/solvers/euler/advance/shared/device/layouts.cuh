// layouts - where the numbers of states lie on the device. One cell behind the last holds the free stream, so
// that a face of the far field reads its neighbour like any other.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/euler/advance/problem.hpp"
#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {

/// 16 bytes, which a thread loads at once.
template <class Real>
struct quad_of;
template <>
struct quad_of<float> {
    using type = float4;
};
template <>
struct quad_of<double> {
    using type = double2;
};
template <class Real>
using quad = typename quad_of<Real>::type;
template <class Real>
inline constexpr int quad_size = 16 / static_cast<int>(sizeof(Real));

/// A cell's five and what scalar dissipation asks of them.
template <class Real>
struct gas_words {
    Real rho, mx, my, mz, energy;
    Real p;        // pressure
    Real waves;    // |v| + c
    Real inverse;  // 1 / rho
};

/// Fused multiply-adds are asked for by name: the build forbids the compiler's own.
template <class Real>
__device__ inline gas_words<Real> words_of(const Real* s, const constants<Real>& k) {
    gas_words<Real> g{s[0], s[1], s[2], s[3], s[4], 0, 0, Real(1) / s[0]};
    const Real square = fma(s[1], s[1], fma(s[2], s[2], s[3] * s[3]));
    g.p = k.gamma_1 * fma(Real(-0.5) * square, g.inverse, s[4]);
    g.waves = fma(sqrt(square), g.inverse, sqrt(k.gamma * g.p * g.inverse));
    return g;
}

template <class Real, euler_layout Layout>
struct flow_states;

template <class Real>
struct flow_states<Real, euler_layout::cell_major> {
    Real* at;        // [cells + 1][5]
    index_t stride;  // of variables, in other layouts
    __device__ Real& operator()(index_t cell, int v) const { return at[variables * cell + v]; }
    [[nodiscard]] static index_t size(index_t stride) { return variables * stride; }
};
template <class Real>
struct flow_states<Real, euler_layout::variable_major> {
    Real* at;  // [5][stride]
    index_t stride;
    __device__ Real& operator()(index_t cell, int v) const { return at[v * stride + cell]; }
    [[nodiscard]] static index_t size(index_t stride) { return variables * stride; }
};
template <class Real>
struct flow_states<Real, euler_layout::packed> {
    Real* at;  // [cells + 1][8]
    index_t stride;
    __device__ Real& operator()(index_t cell, int v) const { return at[8 * cell + v]; }
    [[nodiscard]] static index_t size(index_t stride) { return 8 * stride; }
};

template <class Real, euler_layout Layout>
__device__ inline gas_words<Real> load(const flow_states<Real, Layout>& s, index_t cell,
                                       const constants<Real>& k) {
    if constexpr (Layout == euler_layout::packed) {
        union {
            quad<Real> from[8 / quad_size<Real>];
            Real word[8];
        } u;
        const auto* const at = reinterpret_cast<const quad<Real>*>(s.at) + cell * (8 / quad_size<Real>);
        for (int i = 0; i < 8 / quad_size<Real>; ++i) u.from[i] = at[i];
        return {u.word[0], u.word[1], u.word[2], u.word[3], u.word[4], u.word[5], u.word[6], u.word[7]};
    } else {
        Real five[variables];
        for (int v = 0; v < variables; ++v) five[v] = s(cell, v);
        return words_of(five, k);
    }
}

template <class Real, euler_layout Layout>
__device__ inline void store(const flow_states<Real, Layout>& s, index_t cell, const Real* five,
                             const constants<Real>& k) {
    if constexpr (Layout == euler_layout::packed) {
        const gas_words<Real> g = words_of(five, k);
        union {
            Real word[8];
            quad<Real> to[8 / quad_size<Real>];
        } u{{g.rho, g.mx, g.my, g.mz, g.energy, g.p, g.waves, g.inverse}};
        auto* const at = reinterpret_cast<quad<Real>*>(s.at) + cell * (8 / quad_size<Real>);
        for (int i = 0; i < 8 / quad_size<Real>; ++i) at[i] = u.to[i];
    } else {
        for (int v = 0; v < variables; ++v) s(cell, v) = five[v];
    }
}

/// For the templates that all backends share.
template <class Real, euler_layout Layout>
struct points_in {
    flow_states<Real, Layout> states;
    [[nodiscard]] __device__ gas_point<Real> point(index_t cell, const constants<Real>& k) const {
        Real five[variables];
        for (int v = 0; v < variables; ++v) five[v] = states(cell, v);
        return point_of(five, k);
    }
};

/// From [cells][5], and the free stream behind them.
template <class Real, euler_layout Layout>
__global__ void lay_out(flow_states<Real, Layout> to, const Real* from, index_t cells,
                        const __grid_constant__ constants<Real> k) {
    const index_t cell = cell_of_thread();
    if (cell > cells) return;
    const gas_point<Real>& far = k.far;
    const Real stream[variables] = {far.rho, far.rho * far.u, far.rho * far.v, far.rho * far.w, far.energy};
    store(to, cell, cell < cells ? from + variables * cell : stream, k);
}

template <class Real, euler_layout Layout>
__global__ void lay_back(Real* to, flow_states<Real, Layout> from, index_t cells) {
    const index_t cell = cell_of_thread();
    if (cell >= cells) return;
    for (int v = 0; v < variables; ++v) to[variables * cell + v] = from(cell, v);
}

template <class Real, euler_layout Layout>
void queue_lay_out(const cuda::context& on, const flow_states<Real, Layout>& to, const Real* from,
                   index_t cells, const constants<Real>& k) {
    lay_out<<<blocks_of(cells + 1), threads_of_block, 0, on.stream()>>>(to, from, cells, k);
    cuda::check_launch();
}

template <class Real, euler_layout Layout>
void queue_lay_back(const cuda::context& on, Real* to, const flow_states<Real, Layout>& from, index_t cells) {
    lay_back<<<blocks_of(cells), threads_of_block, 0, on.stream()>>>(to, from, cells);
    cuda::check_launch();
}

}  // namespace wale::euler
