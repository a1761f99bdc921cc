// patterns - the kernels of cpu/lanes, for each Highway target.
#include <cstdint>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/cross/cpu/lanes/patterns.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include "base/aligned.hpp"
#include "solvers/wavefront/cross/cpu/lanes/patterns.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
template <class T>
using tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using vec = hn::Vec<tag<T>>;

/// Bit 63 as bit 0. Words of fewer bits have no word below them.
template <class T>
HWY_INLINE vec<T> top_bit(vec<T> v) {
    if constexpr (sizeof(T) == 8)
        return hn::ShiftRight<63>(v);
    else
        return v;
}

/// Hyyro 2004: a row raises the length where its bit is 0.
template <class T>
struct lcs_column {
    struct state {
        vec<T> v;
    };
    using carry = vec<T>;
    static HWY_INLINE state start() { return {hn::Set(tag<T>(), static_cast<T>(~T{0}))}; }
    static HWY_INLINE carry border() { return hn::Zero(tag<T>()); }
    template <bool Carries>
    static HWY_INLINE void step(vec<T> m, state& s, carry& c) {
        const vec<T> u = hn::And(s.v, m);
        vec<T> sum = hn::Add(s.v, u);
        if constexpr (Carries) sum = hn::Add(sum, c);
        if constexpr (Carries) c = top_bit<T>(hn::Or(u, hn::AndNot(sum, s.v)));
        s.v = hn::Or(sum, hn::AndNot(m, s.v));
    }
    static HWY_INLINE vec<T> rise(const state& s, vec<T> rows) {
        return hn::PopulationCount(hn::AndNot(s.v, rows));
    }
    static std::int32_t border_value(index_t) { return 0; }
};

/// Myers 1999: rows one above and one below the row before; the upper border rises by one a column.
template <class T>
struct edit_column {
    struct state {
        vec<T> plus, minus;
    };
    struct carry {
        vec<T> plus, minus;
    };
    static HWY_INLINE state start() { return {hn::Set(tag<T>(), static_cast<T>(~T{0})), hn::Zero(tag<T>())}; }
    static HWY_INLINE carry border() { return {hn::Set(tag<T>(), T{1}), hn::Zero(tag<T>())}; }
    template <bool Carries>
    static HWY_INLINE void step(vec<T> m, state& s, carry& c) {
        const vec<T> xv = hn::Or(m, s.minus);
        if constexpr (Carries) m = hn::Or(m, c.minus);
        const vec<T> sum = hn::Add(hn::And(m, s.plus), s.plus);
        const vec<T> xh = hn::Or(hn::Xor(sum, s.plus), m);
        const vec<T> plus = hn::Or(s.minus, hn::Not(hn::Or(xh, s.plus)));
        const vec<T> minus = hn::And(s.plus, xh);
        const vec<T> below = hn::Or(hn::Add(plus, plus), c.plus);
        vec<T> down = hn::Add(minus, minus);
        if constexpr (Carries) {
            down = hn::Or(down, c.minus);
            c.plus = top_bit<T>(plus);
            c.minus = top_bit<T>(minus);
        }
        s.plus = hn::Or(down, hn::Not(hn::Or(xv, below)));
        s.minus = hn::And(below, xv);
    }
    static HWY_INLINE vec<T> rise(const state& s, vec<T> rows) {
        return hn::Sub(hn::PopulationCount(hn::And(s.plus, rows)),
                       hn::PopulationCount(hn::And(s.minus, rows)));
    }
    static std::int32_t border_value(index_t columns) { return static_cast<std::int32_t>(columns); }
};

/// All columns of a query; Words = 0: as many as the group says, in memory; else in registers.
template <class T, template <class> class Column, int Words, class Code>
HWY_NOINLINE void run_words(const pattern_group& g, const coded_query& q, std::int32_t* answers) {
    using column = Column<T>;
    const tag<T> d;
    const std::size_t words = Words > 0 ? Words : g.words;
    const auto* const masks = static_cast<const T*>(g.masks);
    const auto* const codes = static_cast<const Code*>(q.codes);
    typename column::state kept[Words > 0 ? Words : 1];
    base::aligned_vector<typename column::state> memory(Words > 0 ? 0 : words);
    typename column::state* const states = Words > 0 ? kept : memory.data();
    for (std::size_t w = 0; w < words; ++w) states[w] = column::start();
    for (index_t c = 0; c < q.size; ++c) {
        typename column::carry carry = column::border();
        const T* const of_code = masks + static_cast<std::size_t>(codes[c]) * words * g.lanes;
        for (std::size_t w = 0; w < words; ++w)
            column::template step<Words != 1>(hn::Load(d, of_code + w * g.lanes), states[w], carry);
    }
    for (std::size_t lane = 0; lane < g.lanes; ++lane) answers[lane] = column::border_value(q.size);
    HWY_ALIGN T rises[64 / sizeof(T)] = {};
    for (std::size_t w = 0; w < words; ++w) {
        hn::Store(column::rise(states[w], hn::Load(d, static_cast<const T*>(g.rows) + w * g.lanes)), d,
                  rises);
        for (std::size_t lane = 0; lane < g.lanes; ++lane)
            answers[lane] += static_cast<std::int32_t>(static_cast<std::make_signed_t<T>>(rises[lane]));
    }
}

template <template <class> class Column, class Code>
void run_group(const pattern_group& g, const coded_query& q, std::int32_t* answers) {
    if (g.lane_bits == 8) return run_words<std::uint8_t, Column, 1, Code>(g, q, answers);
    if (g.lane_bits == 16) return run_words<std::uint16_t, Column, 1, Code>(g, q, answers);
    if (g.lane_bits == 32) return run_words<std::uint32_t, Column, 1, Code>(g, q, answers);
    if (g.words == 1) return run_words<std::uint64_t, Column, 1, Code>(g, q, answers);
    if (g.words == 2) return run_words<std::uint64_t, Column, 2, Code>(g, q, answers);
    if (g.words == 3) return run_words<std::uint64_t, Column, 3, Code>(g, q, answers);
    if (g.words == 4) return run_words<std::uint64_t, Column, 4, Code>(g, q, answers);
    run_words<std::uint64_t, Column, 0, Code>(g, q, answers);
}

void edit_group(const pattern_group& g, const coded_query& q, std::int32_t* answers) {
    if (q.code_bytes == 1) return run_group<edit_column, std::uint8_t>(g, q, answers);
    run_group<edit_column, std::uint32_t>(g, q, answers);
}
void lcs_group(const pattern_group& g, const coded_query& q, std::int32_t* answers) {
    if (q.code_bytes == 1) return run_group<lcs_column, std::uint8_t>(g, q, answers);
    run_group<lcs_column, std::uint32_t>(g, q, answers);
}

std::size_t lanes_of(int lane_bits) {
    return hn::Lanes(tag<std::uint8_t>()) == 1
               ? 1
               : hn::Lanes(tag<std::uint8_t>()) * 8 / static_cast<std::size_t>(lane_bits);
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {

HWY_EXPORT(edit_group);
HWY_EXPORT(lcs_group);
HWY_EXPORT(lanes_of);

std::size_t pattern_lanes(int lane_bits) {
    return HWY_DYNAMIC_DISPATCH(lanes_of)(lane_bits);
}
void edit_patterns(const pattern_group& g, const coded_query& q, std::int32_t* answers) {
    HWY_DYNAMIC_DISPATCH(edit_group)(g, q, answers);
}
void lcs_patterns(const pattern_group& g, const coded_query& q, std::int32_t* answers) {
    HWY_DYNAMIC_DISPATCH(lcs_group)(g, q, answers);
}

}  // namespace wale::wavefront
#endif
