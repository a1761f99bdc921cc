// factors - kernels: factoring chains and solving with the factors: a thread a system, a thread a right side.
#include "solvers/tree/elimination/cuda/sweeps.cuh"
#include "solvers/tree/elimination/cuda/tuning.hpp"
#include "tuning/override.hpp"

namespace wale::tree::thomas {
namespace {

/// P A' = L U.
template <int Rows, class T>
__device__ void factor_open(const chain_view<T>& c, const bands<T>& a, index_t system,
                            const device_status& bad) {
    const auto factor = [&]<bool Pivoted>() {
        open_row<T> row{a.middle(0), c.size > 1 ? a.up(0) : T(0)};
        upwards<Rows>(0, c.size - 1, [&]<int Count>(index_t i) {
            T low[Count], middle[Count], up[Count];
#pragma unroll
            for (int k = 0; k < Count; ++k) {
                low[k] = a.low(i + k + 1);
                middle[k] = a.middle(i + k + 1);
                up[k] = i + k + 2 < c.size ? a.up(i + k + 1) : T(0);
            }
#pragma unroll
            for (int k = 0; k < Count; ++k) {
                const auto s = row.template eliminate<Pivoted>(low[k], middle[k], up[k]);
                if (is_bad(s.pivot)) bad.note(system, i + k);
                c.inverse[i + k] = s.inverse;
                c.right[i + k] = s.right;
                c.multiplier[i + k] = s.multiplier;
                if (Pivoted) {
                    c.beyond[i + k] = s.beyond;
                    c.exchanged[i + k] = s.exchanged ? 1 : 0;
                }
            }
        });
        const index_t last = c.size - 1;
        if (is_bad(row.pivot)) bad.note(system, last);
        c.inverse[last] = base::reciprocal(row.pivot);
        c.right[last] = T(0);
        if (Pivoted) c.beyond[last] = T(0);
    };
    if (c.pivoted)
        factor.template operator()<true>();
    else
        factor.template operator()<false>();
}

/// The last unknown of a periodic chain: plain.hpp has the formulas.
template <int Rows, class T>
__device__ void factor_border(const factor_store<T>& f, const chain_view<T>& c, const bands<T>& a,
                              index_t system, const device_status& bad) {
    const index_t last = c.size;
    T corner = a.middle(last), first = T(0), before = T(0);
    if (last == 0) {
        corner += a.low(0) + a.up(0);
    } else {
        for (index_t i = 0; i < last; ++i) c.column[i] = T(0);
        c.column[0] += a.low(0);
        c.column[last - 1] += a.up(last - 1);
        solve_open<Rows>(c, line<const T>{c.column.data, c.column.step}, c.column);
        first = a.up(last);
        before = a.low(last);
        corner = less_product(less_product(corner, first, c.column[0]), before, c.column[last - 1]);
    }
    if (is_bad(corner)) bad.note(system, last);
    f.corner[system] = base::reciprocal(corner);
    f.first[system] = first;
    f.before[system] = before;
}

template <class T, int Row>
__global__ void factor_systems(const __grid_constant__ factor_store<T> f,
                               const __grid_constant__ device_chains<T> all, device_status bad) {
    constexpr thomas_policy p = thomas_policies[Row].policy;
    const index_t system = index_t{blockIdx.x} * p.block + threadIdx.x;
    if (system >= f.systems || f.size_of(system) == 0) return;
    const bands<T> a = all[system];
    if (f.folded != nullptr) {
        const index_t row = factor_folded(a, f.ring(system));
        if (row >= 0) bad.note(system, row);
        return;
    }
    const chain_view<T> c(f, system);
    if (c.size > 0) factor_open<p.rows>(c, a, system, bad);
    if (all.periodic) factor_border<p.rows>(f, c, a, system, bad);
}

/// A x = b of a periodic chain: y = A'^-1 b', then the last unknown, then x' = y - z x_last.
template <int Rows, class T>
__device__ void solve_bordered(const factor_store<T>& f, const chain_view<T>& c, index_t system,
                               const line<const T>& b, const line<T>& x) {
    const index_t inner = c.size;
    T last = b[inner];
    if (inner > 0) {
        solve_open<Rows>(c, b, x);
        last = less_product(less_product(last, f.first[system], x[0]), f.before[system], x[inner - 1]);
    }
    last *= f.corner[system];
    upwards<Rows>(0, inner, [&]<int Count>(index_t i) {
        T y[Count], z[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            y[k] = x[i + k];
            z[k] = c.column[i + k];
        }
#pragma unroll
        for (int k = 0; k < Count; ++k) x[i + k] = less_product(y[k], z[k], last);
    });
    x[inner] = last;
}

/// A^T x = b of a periodic chain with the factors of A: c^T A'^-T = z^T, so x_last = (b_last - z^T b') /
/// (d - r z), and x' = A'^-T (b' - r^T x_last), where r has but two elements.
template <int Rows, class T>
__device__ void solve_bordered_transposed(const factor_store<T>& f, const chain_view<T>& c, index_t system,
                                          const line<const T>& b, const line<T>& x) {
    const index_t inner = c.size;
    T last = b[inner];
    upwards<Rows>(0, inner, [&]<int Count>(index_t i) {
        T y[Count], z[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            y[k] = b[i + k];
            z[k] = c.column[i + k];
        }
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            last = less_product(last, z[k], y[k]);
            x[i + k] = y[k];
        }
    });
    last *= f.corner[system];
    if (inner > 0) {
        x[0] = less_product(x[0], f.first[system], last);
        x[inner - 1] = less_product(x[inner - 1], f.before[system], last);
        solve_open_transposed<Rows>(c, line<const T>{x.data, x.step}, x);
    }
    x[inner] = last;
}

/// A x = b or A^T x = b of a periodic chain with pivoting.
template <class T>
__device__ void solve_ring(const folded_factors<T>& f, const line<const T>& b, const line<T>& x,
                           bool transposed) {
    if (!transposed) return solve_folded(f, b, x);
    if (b.data != x.data)
        for (index_t i = 0; i < f.size; ++i) x[i] = b[i];
    solve_folded_transposed(f, x);
}

template <class T, int Row>
__global__ void solve_sides(const __grid_constant__ factor_store<T> f,
                            const __grid_constant__ device_sides<T> all, bool transposed) {
    constexpr thomas_policy p = thomas_policies[Row].policy;
    const index_t v = index_t{blockIdx.x} * p.block + threadIdx.x;
    if (v >= all.at.count) return;
    const index_t system = v / all.each;
    if (f.size_of(system) == 0) return;
    const line<const T> b = all.right_side(v);
    const line<T> x = all.answer(v);
    if (f.folded != nullptr) {
        solve_ring(f.ring(system), b, x, transposed);
        return;
    }
    const chain_view<T> c(f, system);
    if (f.column != nullptr && transposed)
        solve_bordered_transposed<p.rows>(f, c, system, b, x);
    else if (f.column != nullptr)
        solve_bordered<p.rows>(f, c, system, b, x);
    else if (transposed)
        solve_open_transposed<p.rows>(c, b, x);
    else
        solve_open<p.rows>(c, b, x);
}

/// launch<Row>(blocks, threads) where there is anything to do.
template <class T, class F>
void with_grid(const cuda::context& here, index_t items, const F& launch) {
    if (items == 0) return;
    const auto row = tuning::choose("tree/chains/thomas", thomas_policies, here.sm(), sizeof(T));
    tuning::with_row<thomas_policies, sizeof(T)>(row, [&]<int Row>() {
        constexpr int block = thomas_policies[Row].policy.block;
        launch.template operator()<Row>(static_cast<unsigned>((items + block - 1) / block), block);
    });
    cuda::check_launch();
}

}  // namespace

template <class T>
void factor_into(const cuda::context& here, const factor_store<T>& f, const device_chains<T>& a,
                 const device_status& bad) {
    with_grid<T>(here, f.systems, [&]<int Row>(unsigned blocks, int threads) {
        factor_systems<T, Row><<<blocks, threads, 0, here.stream()>>>(f, a, bad);
    });
}

template <class T>
void solve_with(const cuda::context& here, const factor_store<T>& f, const device_sides<T>& b,
                bool transposed) {
    with_grid<T>(here, b.at.count, [&]<int Row>(unsigned blocks, int threads) {
        solve_sides<T, Row><<<blocks, threads, 0, here.stream()>>>(f, b, transposed);
    });
}

#define WALE_INSTANTIATE(T)                                                                          \
    template void factor_into(const cuda::context&, const factor_store<T>&, const device_chains<T>&, \
                              const device_status&);                                                 \
    template void solve_with(const cuda::context&, const factor_store<T>&, const device_sides<T>&, bool);
WALE_INSTANTIATE(float)
WALE_INSTANTIATE(double)
WALE_INSTANTIATE(thrust::complex<float>)
WALE_INSTANTIATE(thrust::complex<double>)
#undef WALE_INSTANTIATE

}  // namespace wale::tree::thomas
