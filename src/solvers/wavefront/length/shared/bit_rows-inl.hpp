// bit_rows-inl - one step of the bit-parallel recurrences on a vector of words: Hyyro's LCS (Hyyro 2004) and
// Myers' edit distance (Myers 1999, Hyyro 2003). Included once for each Highway target.
//
// A word holds consecutive rows of the table; what passes from a word to the next one below it is bit 63 of
// `out`. Bit 0 is no row: there a mismatch is forced, and what comes in takes that place, so that it needs no
// addition of its own. For LCS bit 63 is no row either: there a match is forced, so that it receives the
// carry of the rows. An x bit is 1 where the symbols differ.
#if defined(WALE_BIT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_BIT_ROWS_INL
#undef WALE_BIT_ROWS_INL
#else
#define WALE_BIT_ROWS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using word_tag = hn::CappedTag<std::uint64_t, 8>;
using word_vector = hn::Vec<word_tag>;

// Three-input logic: the truth table for targets with one instruction for it, and the portable form.
inline constexpr int truth_a = 0xF0, truth_b = 0xCC, truth_c = 0xAA;

struct a_or_b_xor_c {
    static constexpr int truth = truth_a | (truth_b ^ truth_c);
    static HWY_INLINE word_vector portable(word_vector a, word_vector b, word_vector c) {
        return hn::Or(a, hn::Xor(b, c));
    }
};
struct a_or_b_and_c {
    static constexpr int truth = truth_a | (truth_b & truth_c);
    static HWY_INLINE word_vector portable(word_vector a, word_vector b, word_vector c) {
        return hn::OrAnd(a, b, c);
    }
};
struct a_or_c_without_b {
    static constexpr int truth = truth_a | (~truth_b & truth_c);
    static HWY_INLINE word_vector portable(word_vector a, word_vector b, word_vector c) {
        return hn::Or(a, hn::AndNot(b, c));
    }
};
struct c_and_b_or_not_a {
    static constexpr int truth = (truth_b | (~truth_a & 0xFF)) & truth_c;
    static HWY_INLINE word_vector portable(word_vector a, word_vector b, word_vector c) {
        return hn::AndNot(hn::AndNot(b, a), c);
    }
};
struct c_where_a_equals_b {
    static constexpr int truth = ~(truth_a ^ truth_b) & truth_c;
    static HWY_INLINE word_vector portable(word_vector a, word_vector b, word_vector c) {
        return hn::AndNot(hn::Xor(a, b), c);
    }
};

template <class Logic>
HWY_INLINE word_vector logic(Logic, word_vector a, word_vector b, word_vector c) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return word_vector{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, Logic::truth)};
#else
    return Logic::portable(a, b, c);
#endif
}

/// Lane 0 is the last lane of `below`, lane l is lane l-1 of `v`.
HWY_INLINE word_vector moved_up(word_vector v, word_vector below) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return word_vector{_mm512_alignr_epi64(v.raw, below.raw, 7)};
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    const __m256i middle = _mm256_permute2x128_si256(v.raw, below.raw, 0x03);
    return word_vector{_mm256_alignr_epi8(v.raw, middle, 8)};
#elif HWY_TARGET == HWY_SCALAR
    (void)v;
    return below;
#else
    return hn::CombineShiftRightLanes<1>(word_tag(), v, below);
#endif
}

struct lcs_rows {
    static constexpr int states = 1, carries = 1;
    static HWY_INLINE void step(word_vector x, const word_vector* in, word_vector* v, word_vector* out) {
        const word_vector carry = hn::ShiftRight<63>(in[0]);
        const word_vector u = logic(a_or_c_without_b(), carry, x, v[0]);  // matching rows, and the carry
        out[0] = hn::Add(v[0], u);
        v[0] = logic(a_or_b_and_c(), out[0], v[0], x);
    }
};

struct edit_rows {
    static constexpr int states = 2, carries = 2;  // differences +1 and -1: down the rows; along the columns
    static HWY_INLINE void step(word_vector x, const word_vector* in, word_vector* v, word_vector* out) {
        const word_vector plus_in = hn::ShiftRight<63>(in[0]);
        const word_vector minus_in = hn::ShiftRight<63>(in[1]);
        const word_vector e = logic(c_and_b_or_not_a(), x, minus_in, v[0]);
        const word_vector sum = hn::Add(e, v[0]);
        const word_vector not_zero = logic(c_where_a_equals_b(), sum, v[0], x);  // Myers' ~Xh
        out[0] = hn::Or(logic(a_or_c_without_b(), v[1], v[0], not_zero), plus_in);
        out[1] = hn::AndNot(not_zero, v[0]);
        const word_vector plus = hn::Add(out[0], out[0]);
        const word_vector minus = hn::Add(out[1], out[1]);
        const word_vector not_vertical = hn::AndNot(v[1], x);  // Myers' ~Xv
        v[0] = logic(a_or_c_without_b(), minus, plus, not_vertical);
        v[1] = hn::AndNot(not_vertical, plus);
    }
};

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
