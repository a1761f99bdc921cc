// words - two cells of 16 bits in a word, and scores of rows as bytes: what the packed kernels share.
#pragma once

#include <cuda_runtime.h>

#include "cuda/warp.cuh"
#include "solvers/wavefront/align/cuda/binned/plan.cuh"

namespace wale::wavefront::binned {

using cuda::whole_warp;

/// The bytes of a and b that the nibbles of `selector` name; 8 in a nibble: only the byte's sign.
__device__ inline word permuted(word a, word b, word selector) {
    word d;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector));
    return d;
}
/// a * b + c, by the multiplier whatever b is.
__device__ inline word multiplied(word a, word b, word c) {
    word d;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
/// Bit by bit, a where mask is set, else b.
__device__ inline word select(word mask, word a, word b) {
    return (mask & a) | (~mask & b);
}
__host__ __device__ inline word both(int low, int high) {
    return (static_cast<word>(low) & 0xffffu) | static_cast<word>(high) << 16;
}
__host__ __device__ inline word twice(int v) {
    return both(v, v);
}
__device__ inline int low_half(word v) {
    return static_cast<short>(v & 0xffffu);
}
__device__ inline int high_half(word v) {
    return static_cast<short>(v >> 16);
}

/// The selector that takes row r of four, of the low half from the first word and of the high half from the
/// second, as two sign-extended scores.
__device__ constexpr word row_of_four(int r) {
    return 0xC480u + 0x1111u * static_cast<word>(r % 4);
}

/// Scores of a lane's 2 * Words rows with each letter, [letter][half][four rows][lane], a byte each, from
/// rows of `table`, which is as alphabet::packed() says. Every lane reads what it wrote, from a bank of its
/// own. row_letter(r): of row r of the lane, `letters` for a row below the query.
template <int Words, class RowLetter>
__device__ void fill_profile(word* profile, const word* table, int letters, const RowLetter& row_letter) {
    int next[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) next[k] = row_letter(k);
    for (int r = 0; r < 2 * Words; r += 4) {
        const word* of_row[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) of_row[k] = table + next[k] * table_words;
#pragma unroll
        for (int k = 0; k < 4; ++k) next[k] = row_letter(r + 4 + k);  // a load that the rows before hide
        const int half_and_four = r / 4;                              // halves have Words / 4 of four rows
        for (int letter = 0; letter < letters; letter += 4) {
            word s[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) s[k] = of_row[k][letter / 4];
            const word a = permuted(s[0], s[1], 0x5140), b = permuted(s[2], s[3], 0x5140);
            const word c = permuted(s[0], s[1], 0x7362), d = permuted(s[2], s[3], 0x7362);
            const word out[4] = {permuted(a, b, 0x5410), permuted(a, b, 0x7632), permuted(c, d, 0x5410),
                                 permuted(c, d, 0x7632)};
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (letter + k < letters)
                    profile[((letter + k) * (Words / 2) + half_and_four) * warp_size] = out[k];
        }
    }
}

}  // namespace wale::wavefront::binned
