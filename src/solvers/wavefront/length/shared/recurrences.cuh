// recurrences - a lane's rows as bits: LCS (Hyyro 2004: 3 instructions for 32 cells) and edit distance (Myers
// 1999, Hyyro 2003). step() advances them by `Step` columns; what crosses to the rows below is one bit a
// column and line.
#pragma once

#include <cstdint>

#include "solvers/wavefront/length/shared/strips_job.hpp"

namespace wale::wavefront {

/// The sum over rows goes to the pair's answer; integers, so in any order the same.
__device__ inline void add_to_answer(const strips_pair& pair, std::int32_t sum) {
    atomicAdd(pair.answer, static_cast<unsigned long long>(static_cast<long long>(sum)));
}

// Additions that share the carry flag. The compiler keeps volatile statements in order and uses the flag
// nowhere else.
__device__ inline std::uint32_t add_setting_carry(std::uint32_t a, std::uint32_t b) {
    std::uint32_t s;
    asm volatile("add.cc.u32 %0,%1,%2;" : "=r"(s) : "r"(a), "r"(b));
    return s;
}
__device__ inline std::uint32_t add_through_carry(std::uint32_t a, std::uint32_t b) {
    std::uint32_t s;
    asm volatile("addc.cc.u32 %0,%1,%2;" : "=r"(s) : "r"(a), "r"(b));
    return s;
}
__device__ inline std::uint32_t add_taking_carry(std::uint32_t a, std::uint32_t b) {
    std::uint32_t s;
    asm volatile("addc.u32 %0,%1,%2;" : "=r"(s) : "r"(a), "r"(b));
    return s;
}

/// A zero bit in v: L(i, j) = L(i-1, j) + 1. The carry out of the lowest row: L(i, j) = L(i, j-1) + 1.
template <int Words, bool OneCarry>
struct lcs_rows {
    static constexpr int lines = 1;
    static constexpr bool counts_at_end = false;  // columns after the last change nothing
    std::uint32_t v[Words];

    __device__ void start() {
#pragma unroll
        for (int k = 0; k < Words; ++k) v[k] = ~0u;
    }
    __device__ static std::uint32_t top(int, int, index_t) {
        return 0;
    }

    /// v = (v + (v & m) + carry) | (v & ~m)
    __device__ void column(const std::uint32_t (&m)[Words]) {
#pragma unroll
        for (int k = 0; k < Words; ++k) {
            const std::uint32_t s = add_through_carry(v[k], v[k] & m[k]);
            v[k] = s | (v[k] & ~m[k]);
        }
    }
    /// in: the columns' bits from the top, first column highest, zeros below. out: the bits, last column
    /// lowest.
    template <int Step, class MasksOf>
    __device__ void step(const std::uint32_t (&in)[1], std::uint32_t (&out)[1], MasksOf&& masks_of) {
        std::uint32_t m[Words];
        if constexpr (OneCarry) {
            std::uint32_t x = add_setting_carry(in[0], in[0]);
#pragma unroll
            for (int i = 0; i < Step; ++i) {
                masks_of(i, m);
                column(m);
                x = i + 1 < Step ? add_through_carry(x, x) : add_taking_carry(x, x);
            }
            out[0] = x;
        } else {
            std::uint32_t x = in[0];
            std::uint32_t y = 0;
#pragma unroll
            for (int i = 0; i < Step; ++i) {
                masks_of(i, m);
                x = add_setting_carry(x, x);
                column(m);
                y = add_taking_carry(y, y);
            }
            out[0] = y;
        }
    }
    /// Rows that raise the length.
    __device__ std::int32_t total(const strips_job&, const strips_pair&, int) const {
        std::int32_t n = 0;
#pragma unroll
        for (int k = 0; k < Words; ++k) n += __popc(~v[k]);
        return n;
    }
};

/// p, n: D(i, j) - D(i-1, j) is +1, -1. Lines: D(i, j) - D(i, j-1) is +1, -1 for the lane's lowest row.
template <int Words>
struct edit_rows {
    static constexpr int lines = 2;
    static constexpr bool counts_at_end = true;
    std::uint32_t p[Words], n[Words];

    __device__ void start() {
#pragma unroll
        for (int k = 0; k < Words; ++k) p[k] = ~0u, n[k] = 0;
    }
    /// Above the first row D(-1, j) - D(-1, j-1) = +1; 0 in the padding before the first column, where
    /// nothing changes.
    __device__ static std::uint32_t top(int word, int line, index_t column_begin) {
        if (line == 1) return 0;
        return word == 0 ? ~0u >> column_begin : ~0u;
    }
    __device__ void column(std::uint32_t (&m)[Words], std::uint32_t& plus, std::uint32_t& minus) {
        std::uint32_t s[Words];
        m[0] |= minus >> 31;
#pragma unroll
        for (int k = 0; k < Words; ++k)
            s[k] = k == 0 ? add_setting_carry(p[k], p[k] & m[k]) : add_through_carry(p[k], p[k] & m[k]);
#pragma unroll
        for (int k = 0; k < Words; ++k) {
            const std::uint32_t d = (s[k] ^ p[k]) | (m[k] | n[k]);
            const std::uint32_t hp = n[k] | ~(d | p[k]);
            const std::uint32_t hn = p[k] & d;
            const std::uint32_t hp1 = __funnelshift_l(plus, hp, 1);
            const std::uint32_t hn1 = __funnelshift_l(minus, hn, 1);
            p[k] = hn1 | ~(d | hp1);
            n[k] = hp1 & d;
            plus = hp;
            minus = hn;
        }
    }
    template <int Step, class MasksOf>
    __device__ void step(const std::uint32_t (&in)[2], std::uint32_t (&out)[2], MasksOf&& masks_of) {
        out[0] = out[1] = 0;
        std::uint32_t m[Words];
#pragma unroll
        for (int i = 0; i < Step; ++i) {
            masks_of(i, m);
            std::uint32_t plus = in[0] << i;
            std::uint32_t minus = in[1] << i;
            column(m, plus, minus);
            out[0] = __funnelshift_l(plus, out[0], 1);
            out[1] = __funnelshift_l(minus, out[1], 1);
        }
    }
    /// Sum of the vertical differences over the rows that are no padding.
    __device__ std::int32_t total(const strips_job&, const strips_pair& pair, int strip) const {
        const index_t first = (static_cast<index_t>(strip) * 32 + threadIdx.x % 32) * (32 * Words);
        std::int32_t sum = 0;
#pragma unroll
        for (int k = 0; k < Words; ++k) {
            const index_t rows = pair.row_end - (first + 32 * k);  // real ones of this word
            const std::uint32_t real = rows >= 32 ? ~0u : rows <= 0 ? 0u : (1u << rows) - 1;
            sum += __popc(p[k] & real) - __popc(n[k] & real);
        }
        return sum;
    }
};

}  // namespace wale::wavefront
