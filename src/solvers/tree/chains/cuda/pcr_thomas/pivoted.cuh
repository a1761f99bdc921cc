// pivoted - a thread's rows with exchanges. Every pivot is the largest of all rows that have its column:
// three inside a chunk, four and three where two runs meet (bridge.cuh).
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/bridge.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/unpivoted.cuh"

namespace wale::tree::pcr_thomas {

template <class T, int Rows>
struct pivoted {
    static constexpr const char* name = "tree/chains/pcr_thomas_pivoted";
    static constexpr const auto& policies = pivoted_policies;
    static constexpr policy chosen(int row) { return pivoted_policies[row].policy; }
    static constexpr reach farthest = reach::block;
    using without = unpivoted<T, Rows>;  // for rows that need no exchanges
    static constexpr bool exchanges = true;
    static constexpr int elements = pair_elements;

    // x = d - l L - f F - v (next unknown) - w (the one after), for rows 1 to Rows - 2
    T l[Rows], f[Rows], v[Rows], w[Rows], d[Rows];
    bridge<T> whole;
    edges<T> edge;
    unsigned bad = 0;  // rows

    /// Two rows are carried along: (l, f | u, v | d), with u and v the columns of rows j - 1 and j.
    template <int Step>
    __device__ void eliminate(const rows_of_chunk<T, Step>& in) {
        long_row<T> a, b;
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
            const T low = in.low(j), middle = in.middle(j), up = in.up(j, j == Rows - 1), rhs = in.rhs(j);
            if (j >= 2 && j >= in.skip + 2) {
                eliminate_column(j, a, b, {T(0), T(0), low, middle, up, T(0), rhs});
            } else if (j == in.skip) {
                a = {low, middle, up, T(0), T(0), T(0), rhs};
                if (j == Rows - 1) {  // the only row: F is Z, said in its own scale
                    a.u = 0, a.v = up;
                    b.f = fabs(low) + fabs(middle) + fabs(up);
                    b.u = -b.f;
                }
            } else if (j == in.skip + 1) {
                b = {T(0), low, middle, up, T(0), T(0), rhs};
            }
        }
        const auto outward = [](const long_row<T>& q) {
            return long_row<T>{q.l, q.f, T(0), T(0), q.u, q.v, q.d};
        };
        whole = {outward(a), outward(b)};
    }

    /// Finds `edge`. Four answers: every warp writes its own ten numbers, the first reads those of all and
    /// writes each warp's four, which that one reads; all threads reach both barriers, whatever their numbers
    /// are; the next tile's barriers keep its writes behind these reads.
    template <reach Far>
    __device__ void join(const work<T>& k, const seat& s, T* exchange, bool) {
        const int threads = static_cast<int>(blockDim.x);
        T* const kept = exchange + threadIdx.x;
        bool broken = merge_lanes(whole, s.place, s.group, kept, threads);
        if constexpr (Far == reach::warp) {
            bool open = false;
            edge = close(whole, k.periodic, open);  // of use in place 0
            broken |= open && s.place == 0;
        } else {
            T* const of_warps = exchange + threads * elements;
            T* const words = of_warps + 32 * elements;
            T* const answers = words + 10 * (threads / 32);
            if (s.lane == 0) store(words + 10 * s.warp, whole);
            wait_for_all<Far>();
            if (s.warp == 0) {
                const int warps = threads / 32;
                bridge<T> all{};
                if (s.lane < warps) load(words + 10 * s.lane, all);
                broken |= merge_lanes(all, s.lane, warps, of_warps + s.lane, 32);
                bool open = false;
                edges<T> e = close(all, k.periodic, open);
                broken |= open && s.lane == 0;
                split_lanes(e, s.lane, warps, of_warps + s.lane, 32);
                if (s.lane < warps) {
                    T* const to = answers + 4 * s.lane;
                    to[0] = e.l, to[1] = e.f, to[2] = e.z, to[3] = e.r;
                }
            }
            wait_for_all<Far>();
            const T* const from = answers + 4 * s.warp;
            edge = {from[0], from[1], from[2], from[3]};
        }
        split_lanes(edge, s.place, s.group, kept, threads);
        if (broken && s.taken) bad |= 1u << (Rows - 1);
    }

    __device__ void substitute(T* x, int skip) const {
        T y = edge.z, beyond = edge.r;
        if (skip < Rows) x[Rows - 1] = y;
#pragma unroll
        for (int j = Rows - 2; j >= 1; --j) {
            if (j <= skip) continue;
            const T t = fma(-l[j], edge.l, fma(-f[j], edge.f, fma(-w[j], beyond, fma(-v[j], y, d[j]))));
            beyond = y;
            y = t;
            x[j] = t;
        }
        if (skip < Rows - 1) x[skip] = edge.f;
    }

private:
    /// Column j - 1: the largest of three rows leaves, divided; the other two are carried along.
    __device__ void eliminate_column(int j, long_row<T>& a, long_row<T>& b, const long_row<T>& row) {
        const auto swap_five = [](bool wanted, long_row<T>& p, long_row<T>& q) {
            exchange_if(wanted, p.l, q.l);
            exchange_if(wanted, p.f, q.f);
            exchange_if(wanted, p.u, q.u);
            exchange_if(wanted, p.v, q.v);
            exchange_if(wanted, p.d, q.d);
        };
        swap_five(fabs(b.u) > fabs(a.u), a, b);
        long_row<T> p = row, q = a;  // z: the column of row j + 1
        const bool exchanged = fabs(a.u) >= fabs(row.u);
        swap_five(exchanged, p, q);
        exchange_if(exchanged, p.z, q.z);
        const T r = T(1) / p.u;
        if (is_bad(p.u)) bad |= 1u << (j - 1);
        l[j - 1] = p.l * r, f[j - 1] = p.f * r, v[j - 1] = p.v * r, w[j - 1] = p.z * r, d[j - 1] = p.d * r;
        const auto next = [&](const long_row<T>& o, T beyond) {
            return long_row<T>{fma(-o.u, l[j - 1], o.l),
                               fma(-o.u, f[j - 1], o.f),
                               fma(-o.u, v[j - 1], o.v),
                               fma(-o.u, w[j - 1], beyond),
                               T(0),
                               T(0),
                               fma(-o.u, d[j - 1], o.d)};
        };
        a = next(q, q.z);
        b = next(b, T(0));
    }

    static __device__ void store(T* to, const bridge<T>& w) {
        to[0] = w.a.l, to[1] = w.a.f, to[2] = w.a.z, to[3] = w.a.r, to[4] = w.a.d;
        to[5] = w.b.l, to[6] = w.b.f, to[7] = w.b.z, to[8] = w.b.r, to[9] = w.b.d;
    }
    static __device__ void load(const T* from, bridge<T>& w) {
        w.a = {from[0], from[1], T(0), T(0), from[2], from[3], from[4]};
        w.b = {from[5], from[6], T(0), T(0), from[7], from[8], from[9]};
    }
};

}  // namespace wale::tree::pcr_thomas
