// traced_rows - a column of a lane's rows with the decisions of its cells: packed cells that are not
// negative (traced_plan.cuh), so that differences of words are differences of both halves.
#pragma once

#include "solvers/wavefront/align/cuda/binned/packed.cuh"
#include "solvers/wavefront/align/cuda/binned/traced_plan.cuh"

namespace wale::wavefront::binned {

/// What a cell adds, of both halves. `one` and `minus_one` are not known to the compiler: products by them
/// are sums on the multiplier's pipe, beside the unit that compares.
struct traced_steps {
    word open;    // local: to subtract from both at once
    word extend;  // local
    word floor;   // no pair of symbols is below it: local zero
    word one, minus_one;
    word as_sign;  // + this, a difference of 0 has sign 0 and any other one has sign 1
    word opened;   // the same of a gap's next cell less H, of which a gap that opens differs by the opening

    template <kind Kind>
    __device__ static traced_steps of(const traced_work& w) {
        const prices& p = w.packed.price;
        const bool local = Kind == kind::local;
        const int below = local ? p.open : -p.opening();
        return {local ? 0u - twice(p.open) : twice(p.opening()),
                local ? twice(-p.extend) : 0,
                local ? twice(traced_zero(p)) : 0,
                w.packed.one,
                w.minus_one,
                twice(0x7fff),
                twice(0x7fff + below)};
    }
};

template <kind Kind, int Words>
struct traced_rows {
    static constexpr int recorded = Words / 4;  // words that a column's decisions take

    word h[Words], e[Words];
    word is_last[Kind == kind::tailed ? Words : 1];  // all bits of the half that is the table's last row
    word diagonal;                                   // H above the first row, a column before
    word h_out, f_out;                               // of the last row
    word highest;                                    // local: of the column
    word bits[recorded];

    /// One column of both halves; returns the last row's H where this lane has that row. Edge: halves that
    /// are not `active` keep what they have. Record: sets bits. Track: sets highest, or returns that H.
    template <bool Edge, bool Record, bool Track>
    __device__ __forceinline__ word column(const word* low_scores, const word* high_scores, word above,
                                           word f, word active, const traced_steps& by) {
        word before = diagonal;
        word last = 0;
        diagonal = Edge ? select(active, above, before) : above;
        if constexpr (Record)
#pragma unroll
            for (int k = 0; k < recorded; ++k) bits[k] = 0;
        if constexpr (Track && Kind == kind::local) highest = 0;
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            const word low = low_scores[r / 4 * warp_size];
            const word high = high_scores[r / 4 * warp_size];
            const word paired = __viaddmax_u16x2(before, permuted(low, high, row_of_four(r)), by.floor);
            const word next_before = h[r];
            const word now = __vimax3_u16x2(paired, e[r], f);
            word gap, next_f;
            if constexpr (Kind == kind::local) {
                const word less = multiplied(now, by.one, by.open);
                next_f = __viaddmax_u16x2(f, by.extend, less);
                gap = __viaddmax_u16x2(e[r], by.extend, less);
            } else {
                next_f = __viaddmax_u16x2(now, by.open, f);
                gap = __viaddmax_u16x2(now, by.open, e[r]);
            }
            if constexpr (Record) record(r, now, paired, gap, next_f, by);
            f = next_f;
            h[r] = Edge ? select(active, now, h[r]) : now;
            e[r] = Edge ? select(active, gap, e[r]) : gap;
            if constexpr (Track && Kind == kind::local)
                if (r % 2 == 1) highest = __vimax3_u16x2(highest, h[r - 1], h[r]);
            if constexpr (Track && Kind == kind::tailed) last |= h[r] & is_last[r];
            before = next_before;
        }
        h_out = h[Words - 1];
        f_out = f;
        return last;
    }

    /// The four bits of row r of a half, as column() left them.
    __device__ static word decisions(const word* column, int r, int half) {
        const bool of_four = r >= recorded / 2 * 8;  // the last four rows of an odd number of fours
        const word* const at = column + r / 8 * 2;
        const int shift = half * 8 + r % 8;
        const word a = at[0] >> shift, b = of_four ? a >> 4 : at[1] >> shift;
        return (a & 1u) | (a >> 15 & 2u) | (b & 1u) << 2 | (b >> 13 & 8u);
    }

private:
    /// Eight rows share two words, the last four of an odd number of fours one. A word's bytes are a decision
    /// of the low and of the high half, then another one of both; a row is a bit of each byte.
    __device__ __forceinline__ void record(int r, word now, word paired, word gap, word next_f,
                                           const traced_steps& by) {
        constexpr word signs = 0xFDB9;  // of both halves of two words
        const word from_now = multiplied(now, by.one, by.as_sign);
        const word to_now = multiplied(now, by.minus_one, by.opened);
        const word h_of = permuted(from_now - paired, multiplied(e[r], by.minus_one, from_now), signs);
        const word gaps = permuted(to_now + gap, multiplied(next_f, by.one, to_now), signs);
        const bool of_four = r >= recorded / 2 * 8;
        const int at = r / 8 * 2;
        bits[at] |= h_of & 0x01010101u << r % 8;
        bits[of_four ? at : at + 1] |= gaps & 0x01010101u << (r % 8 + (of_four ? 4 : 0));
    }
};

}  // namespace wale::wavefront::binned
