// masks - which rows of a lane match the symbol of a column. Small alphabets: a table in shared memory, one
// mask a code and word. Others: bit planes of the rows in registers, compared with the column's bits.
#pragma once

#include "solvers/wavefront/length/shared/strips_job.hpp"

namespace wale::wavefront {

/// Codes are bytes: 0 matches nothing, symbol number s is s * Words, so that code * 128 is the offset of its
/// masks. A warp's table: [symbol][Words * 32 lanes], up to four words of a lane side by side.
template <class P>
struct table_masks {
    static constexpr int words = P::value.words;
    static constexpr int ahead = P::value.masks_ahead;
    static constexpr bool whole_iteration = true;  // unroll all 32 columns: masks are fetched across steps
    using code = std::uint8_t;

    std::uint32_t base;             // [bytes] in shared memory: this lane's masks for code 0
    std::uint32_t now[8], next[8];  // 32 columns, a byte each
    std::uint32_t fetched[32 + ahead][words];
    const std::uint8_t* source;

    __device__ static std::uint32_t memory() {
        extern __shared__ __align__(16) unsigned char shared[];
        return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    }
    static constexpr int bytes(int codes) { return codes * words * 128; }  // of a warp

    __device__ std::uint32_t* slot(std::uint32_t code, int k) const {
        const std::uint32_t at = base + code * 128 + (words > 4 ? k / 4 * 512 + k % 4 * 4 : k * 4);
        return static_cast<std::uint32_t*>(__cvta_shared_to_generic(at));
    }

    /// Each lane writes and reads its own slots only: no barrier needed.
    __device__ void build(const strips_job& job, const strips_pair& pair, int strip) {
        const int lane = threadIdx.x % 32;
        const int warp = threadIdx.x / 32;
        base = memory() + warp * bytes(job.codes) + lane * 4 * (words < 4 ? words : 4);
        for (int c = 0; c < job.codes; ++c)
#pragma unroll
            for (int k = 0; k < words; ++k) *slot(c * words, k) = 0;
        const auto* rows = static_cast<const std::uint8_t*>(pair.rows) +
                           (static_cast<index_t>(strip) * 32 + lane) * (32 * words);
        for (int k = 0; k < words; ++k)
            for (int b = 0; b < 32; ++b) {
                const std::uint32_t c = rows[32 * k + b];
                if (c != 0) *slot(c, k) |= 1u << b;
            }
        __syncwarp();  // no lookup moves above
    }

    /// By 32-bit address: with pointers the compiler fetched the window's base anew in every iteration.
    __device__ static void lookup(std::uint32_t at, std::uint32_t (&m)[words]) {
        if constexpr (words == 1) {
            asm volatile("ld.shared.u32 %0,[%1];" : "=r"(m[0]) : "r"(at));
        } else if constexpr (words == 2) {
            asm volatile("ld.shared.v2.u32 {%0,%1},[%2];" : "=r"(m[0]), "=r"(m[1]) : "r"(at));
        } else {
#pragma unroll
            for (int k = 0; k < words; k += 4)
                asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];"
                             : "=r"(m[k]), "=r"(m[k + 1]), "=r"(m[k + 2]), "=r"(m[k + 3])
                             : "r"(at + 128 * k));
        }
    }

    __device__ void load_columns() {
        constexpr int skew = P::value.step * P::value.delay;
#pragma unroll
        for (int i = 0; i < 8; i += skew % 16 == 0 ? 4 : skew % 8 == 0 ? 2 : 1) {
            if constexpr (skew % 16 == 0) {
                const uint4 v = __ldg(reinterpret_cast<const uint4*>(source + 4 * i));
                next[i] = v.x, next[i + 1] = v.y, next[i + 2] = v.z, next[i + 3] = v.w;
            } else if constexpr (skew % 8 == 0) {
                const uint2 v = __ldg(reinterpret_cast<const uint2*>(source + 4 * i));
                next[i] = v.x, next[i + 1] = v.y;
            } else {
                next[i] = __ldg(reinterpret_cast<const std::uint32_t*>(source + 4 * i));
            }
        }
        source += 32;
    }

    /// The dot product picks byte column % 4, multiplies it by 128 and adds the base: one instruction, and on
    /// the multiplier's pipe, which the recurrence does not use.
    __device__ void fetch(std::uint32_t packed, int column, std::uint32_t (&m)[words]) const {
        lookup(__dp4a(packed, 128u << 8 * (column % 4), base), m);
    }

    __device__ void start(const strips_job&, const strips_pair& pair) {
        const int lane = threadIdx.x % 32;
        using shape = strip_shape<P>;
        source = static_cast<const std::uint8_t*>(pair.columns) + shape::lead - shape::skew * lane;
        load_columns();
#pragma unroll
        for (int i = 0; i < 8; ++i) now[i] = next[i];
#pragma unroll
        for (int c = 0; c < ahead; ++c) fetch(now[c / 4], c, fetched[c]);
    }
    __device__ void begin_iteration() {
        load_columns();
    }
    /// Masks of column 0..31 of this iteration, in this order.
    __device__ void get(int column, std::uint32_t (&m)[words]) {
        const int c = column + ahead;
        fetch(c < 32 ? now[c / 4 % 8] : next[c / 4 % 8], c, fetched[c]);
#pragma unroll
        for (int k = 0; k < words; ++k) m[k] = fetched[column][k];
    }
    __device__ void end_iteration() {
#pragma unroll
        for (int i = 0; i < 8; ++i) now[i] = next[i];
#pragma unroll
        for (int c = 0; c < ahead; ++c)
#pragma unroll
            for (int k = 0; k < words; ++k) fetched[c][k] = fetched[32 + c][k];
    }
    /// Masks of one symbol, out of order.
    __device__ void of(std::uint8_t code, std::uint32_t (&m)[words]) const {
        lookup(base + code * 128u, m);
    }
};

/// Codes are 32-bit words whose low Bits bits distinguish symbols: M = AND over bits of ~(rows' plane ^
/// column's bit).
template <class P, int Bits>
struct plane_masks {
    static constexpr int words = P::value.words;
    static constexpr bool whole_iteration = false;
    using code = std::uint32_t;

    std::uint32_t plane[Bits][words];
    std::uint32_t valid[words];  // rows that are no padding
    const std::uint32_t* source;
    index_t column, begin, end;

    static constexpr int bytes(int) { return 0; }

    __device__ void build(const strips_job&, const strips_pair& pair, int strip) {
        const index_t first = (static_cast<index_t>(strip) * 32 + threadIdx.x % 32) * (32 * words);
        const auto* rows = static_cast<const std::uint32_t*>(pair.rows) + first;
#pragma unroll
        for (int k = 0; k < words; ++k) {
            valid[k] = 0;
#pragma unroll
            for (int i = 0; i < Bits; ++i) plane[i][k] = 0;
            for (int b = 0; b < 32; ++b) {
                const std::uint32_t symbol = rows[32 * k + b];
                const index_t row = first + 32 * k + b;
                valid[k] |= (row >= pair.row_begin && row < pair.row_end ? 1u : 0u) << b;
#pragma unroll
                for (int i = 0; i < Bits; ++i) plane[i][k] |= (symbol >> i & 1u) << b;
            }
        }
    }
    __device__ void start(const strips_job& job, const strips_pair& pair) {
        const int lane = threadIdx.x % 32;
        using shape = strip_shape<P>;
        source = static_cast<const std::uint32_t*>(pair.columns) + shape::lead - shape::skew * lane;
        column = -shape::skew * lane;
        begin = job.column_begin;
        end = job.column_end;
    }
    __device__ void begin_iteration() {}
    __device__ void get(int c, std::uint32_t (&m)[words]) {
        of(__ldg(source + c), m);
        const std::uint32_t real = column + c >= begin && column + c < end ? ~0u : 0u;
#pragma unroll
        for (int k = 0; k < words; ++k) m[k] &= real;
    }
    __device__ void end_iteration() {
        source += 32;
        column += 32;
    }
    __device__ void of(std::uint32_t code, std::uint32_t (&m)[words]) const {
#pragma unroll
        for (int k = 0; k < words; ++k) m[k] = valid[k];
#pragma unroll
        for (int i = 0; i < Bits; ++i) {
            const auto bit = static_cast<std::uint32_t>(static_cast<std::int32_t>(code << (31 - i)) >> 31);
#pragma unroll
            for (int k = 0; k < words; ++k) m[k] &= ~(plane[i][k] ^ bit);
        }
    }
};

}  // namespace wale::wavefront
