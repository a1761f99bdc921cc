// cells - one row of 32 lanes, one column each, of the two recurrences, in three-input logic.
//
// The table is kept as differences. Edit distance (Myers 1999, Hyyro 2003): the vertical difference of a cell
// is +1 (`positive`), -1 (`negative`) or 0, the horizontal one likewise (`up`, `down`). LCS: both are 0 or 1.
// A cell is five operations for edit distance and two for LCS, where the form with a carry along the word
// takes ten and three: here the lanes work on different columns, so neither an addition nor a funnel shift is
// left.
#pragma once

#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {

/// The truth table of a three-input expression f(a, b, c), as the instruction takes it.
template <class F>
constexpr int truth_table(F f) {
    return f(0xF0, 0xCC, 0xAA) & 0xFF;
}

template <int Table>
__device__ inline word logic(word a, word b, word c) {
    word d;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(Table));
    return d;
}

/// c where mask is set, else d.
__device__ inline word select(word mask, word c, word d) {
    return logic<truth_table([](int a, int b, int e) { return (a & b) | (~a & e); })>(mask, c, d);
}

/// Whether plane and text agree, where `before` is set.
__device__ inline word agree(word before, word plane, word text) {
    return logic<truth_table([](int a, int b, int c) { return a & ~(b ^ c); })>(before, plane, text);
}

template <int Rows>
struct edit_cells {
    static constexpr int carries = 2;
    static constexpr bool masks_matches = false;  // a lane that is not at work keeps its rows by selection
    word positive[Rows];
    word negative[Rows];
    word leaving[carries];  // up, down: of the last row

    __device__ static constexpr word border(int carry) { return carry == 0 ? ~0u : 0u; }

    __device__ void start() {
#pragma unroll
        for (int k = 0; k < Rows; ++k) {
            positive[k] = ~0u;
            negative[k] = 0;
        }
        leaving[0] = leaving[1] = 0;
    }

    template <bool Edge>
    __device__ void row(int k, word match, word at_work) {
        const word up = leaving[0];
        const word down = leaving[1];
        const word p = positive[k];
        const word n = negative[k];
        // The diagonal difference is 0.
        const word same = logic<truth_table([](int a, int b, int c) { return a | b | c; })>(match, n, down);
        leaving[1] = logic<truth_table([](int a, int b, int c) { return a & (b | c); })>(p, match, down);
        leaving[0] = logic<truth_table([](int a, int b, int c) { return a | ~(b | c); })>(n, same, p);
        const word p_next =
            logic<truth_table([](int a, int b, int c) { return a | ~(b | c); })>(down, same, up);
        const word n_next = same & up;
        positive[k] = Edge ? select(at_work, p_next, p) : p_next;
        negative[k] = Edge ? select(at_work, n_next, n) : n_next;
    }

    /// Two words whose set bits count the difference over row k, less one for each valid row.
    __device__ void tally(int k, word valid, word& x, word& y) const {
        x = positive[k] & valid;
        y = ~negative[k] & valid;
    }
    __device__ static word answer(word bits, const pair& p) {  // modulo 2^32: bits may pass 2^31
        return bits - static_cast<word>(p.rows) + static_cast<word>(p.columns);
    }
};

template <int Rows>
struct lcs_cells {
    static constexpr int carries = 1;
    static constexpr bool masks_matches = true;  // without a match and with nothing entering, a row stays
    word rises[Rows];
    word leaving[carries];

    __device__ static constexpr word border(int) { return 0; }

    __device__ void start() {
#pragma unroll
        for (int k = 0; k < Rows; ++k) rises[k] = 0;
        leaving[0] = 0;
    }

    template <bool>
    __device__ void row(int k, word match, word) {
        const word entering = leaving[0];
        const word v = rises[k];
        rises[k] = logic<truth_table([](int a, int b, int c) { return (a | b) & ~c; })>(match, v, entering);
        leaving[0] = logic<truth_table([](int a, int b, int c) { return (a | b) & ~c; })>(match, entering, v);
    }

    __device__ void tally(int k, word valid, word& x, word& y) const {
        x = rises[k] & valid;
        y = 0;
    }
    __device__ static word answer(word bits, const pair&) {
        return bits;
    }
};

/// For each lane the number of words added in which its bit was set: a bit-sliced counter.
struct lane_counter {
    static constexpr int digits = 7;
    word digit[digits] = {};

    __device__ void add(word x, word y) {
        word carry =
            logic<truth_table([](int a, int b, int c) { return (a & b) | (c & (a | b)); })>(digit[0], x, y);
        digit[0] ^= x ^ y;
#pragma unroll
        for (int d = 1; d < digits; ++d) {
            const word sum = digit[d] ^ carry;
            carry &= digit[d];
            digit[d] = sum;
        }
    }
    /// The sum over the lanes of a field.
    __device__ word total(word field) const {
        word sum = 0;
#pragma unroll
        for (int d = 0; d < digits; ++d) sum += static_cast<word>(__popc(digit[d] & field)) << d;
        return sum;
    }
};

}  // namespace wale::wavefront::batch
