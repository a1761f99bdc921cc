// bits - the kernel for LCS and edit distance, for each Highway target. 64 cells cost some 10 instructions
// for the differences and, with a popcount of 32-bit lanes, two to four for each vector that is stored.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/fill/cpu/simd/bits.cpp"
#define HWY_WANT_AVX3_DL  // its vpopcntd is what makes the spreading cheap
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstring>

#include "solvers/wavefront/fill/cpu/simd/store-inl.hpp"
#include "solvers/wavefront/fill/cpu/simd/tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Bit k: b[k] == symbol, for the first `count` <= 64 of b.
template <class Symbol>
HWY_INLINE std::uint64_t matches(const Symbol* b, index_t count, Symbol symbol) {
    std::uint64_t word = 0;
    if (count < 64) {
        for (index_t k = 0; k < count; ++k) word |= std::uint64_t{b[k] == symbol} << k;
        return word;
    }
    const hn::CappedTag<Symbol, 64 / sizeof(Symbol)> d;
    const auto wanted = hn::Set(d, symbol);
    for (std::size_t k = 0; k < 64; k += hn::Lanes(d)) {
        alignas(8) std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, b + k), wanted), bytes);
        std::uint64_t bits;
        std::memcpy(&bits, bytes, sizeof bits);
        word |= bits << k;
    }
    return word;
}

/// The differences of one row, 64 cells: from those of the row above (in `plus`, `minus`) to its own.
HWY_INLINE void lcs_word(bit_row& row, std::uint64_t& plus, std::uint64_t match) {
    const std::uint64_t same = ~plus;  // Hyyro's V: 0 where the row steps up
    const std::uint64_t partial = same + (same & match);
    const std::uint64_t sum = partial + row.plus;
    row.plus = std::uint64_t{partial < same} | std::uint64_t{sum < partial};
    plus = ~(sum | (same & ~match));
}

HWY_INLINE void edit_word(bit_row& row, std::uint64_t& plus, std::uint64_t& minus, std::uint64_t match) {
    const std::uint64_t vertical = match | minus;
    const std::uint64_t equal = match | row.minus;
    const std::uint64_t horizontal = (((equal & plus) + plus) ^ plus) | equal;
    const std::uint64_t up = minus | ~(horizontal | plus);
    const std::uint64_t down = plus & horizontal;
    const std::uint64_t up_in = up << 1 | row.plus;
    const std::uint64_t down_in = down << 1 | row.minus;
    row.plus = up >> 63;
    row.minus = down >> 63;
    plus = down_in | ~(vertical | up_in);
    minus = up_in & vertical;
}

template <class D>
HWY_INLINE void store(D d, hn::Vec<D> values, std::int32_t* to, bool stream) {
    if (stream)
        hn::Stream(values, d, to);
    else
        hn::StoreU(values, d, to);
}

/// Vectors of 16 bytes hold half as many bytes of 16-bit cells, and Highway's Stream writes 16 bytes at
/// least.
template <class D>
HWY_INLINE void store(D, hn::Vec<D> values, std::int16_t* to, bool stream) {
    const hn::Rebind<std::int16_t, D> half;
    constexpr bool streams = hn::MaxLanes(half) * sizeof(std::int16_t) >= 16;
    if (streams && stream)
        hn::Stream(hn::DemoteTo(half, values), half, to);
    else
        hn::StoreU(hn::DemoteTo(half, values), half, to);
}

/// The 64 values after `value` with the differences given; returns the last.
template <bool Edit, class T>
HWY_INLINE std::int32_t spread(std::int32_t value, std::uint64_t plus, std::uint64_t minus, T* to,
                               bool stream) {
    const hn::CappedTag<std::uint32_t, 16> du;
    const hn::RebindToSigned<decltype(du)> di;
    const int lanes = static_cast<int>(hn::Lanes(du));
    const auto up_to_lane =  // bits 0..k in lane k
        hn::Sub(hn::Shl(hn::Set(du, 2u), hn::Iota(du, 0u)), hn::Set(du, 1u));
    for (int k = 0; k < 64; k += lanes) {
        const auto up = hn::And(hn::Set(du, static_cast<std::uint32_t>(plus >> k)), up_to_lane);
        auto values = hn::Add(hn::Set(di, value), hn::BitCast(di, hn::PopulationCount(up)));
        const std::uint64_t part = (std::uint64_t{1} << lanes) - 1;
        value += static_cast<std::int32_t>(hwy::PopCount(plus >> k & part));
        if constexpr (Edit) {
            const auto down = hn::And(hn::Set(du, static_cast<std::uint32_t>(minus >> k)), up_to_lane);
            values = hn::Sub(values, hn::BitCast(di, hn::PopulationCount(down)));
            value -= static_cast<std::int32_t>(hwy::PopCount(minus >> k & part));
        }
        store(di, values, to + k, stream);
    }
    return value;
}

/// Cells of a row that are collected before they are stored, where they cannot be stored as they come.
constexpr index_t piece = 1024;

template <bool Edit, class T, class Symbol>
void fill_row(const bit_tile& t, index_t i) {
    const Symbol symbol = static_cast<const Symbol*>(t.job->a.data)[i];
    const auto* b = static_cast<const Symbol*>(t.job->b.data);
    T* to = static_cast<T*>(t.job->table) + i * t.job->pitch;
    const bool direct = !t.stream || reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
    HWY_ALIGN T collected[piece];
    bit_row row = t.rows[i - t.range.row_begin];
    for (index_t j0 = t.range.column_begin; j0 < t.range.column_end; j0 += piece) {
        const index_t end = HWY_MIN(j0 + piece, t.range.column_end);
        for (index_t j = j0; j < end; j += 64) {
            std::uint64_t& plus = t.above.plus[j / 64];
            std::uint64_t& minus = t.above.minus[j / 64];
            const index_t count = HWY_MIN(end - j, index_t{64});
            const std::uint64_t match = matches(b + j, count, symbol);
            if constexpr (Edit)
                edit_word(row, plus, minus, match);
            else
                lcs_word(row, plus, match);
            const bool whole = direct && count == 64;
            row.value = spread<Edit>(row.value, plus, minus, whole ? to + j : collected + (j - j0),
                                     whole && t.stream);
            if (direct && !whole) store_row(collected + (j - j0), to + j, count, false);
        }
        if (!direct) store_row(collected, to + j0, end - j0, true);
    }
    t.rows[i - t.range.row_begin] = row;
}

template <class T, class Symbol>
void fill_rows(const bit_tile& t) {
    for (index_t i = t.range.row_begin; i < t.range.row_end; ++i)
        if (t.job->kind == recurrence::edit)
            fill_row<true, T, Symbol>(t, i);
        else
            fill_row<false, T, Symbol>(t, i);
    if (t.stream) hwy::FlushStream();  // before the tile is published
}

template <class T>
void fill_symbols(const bit_tile& t) {
    if (t.job->a.bytes == 1) return fill_rows<T, std::uint8_t>(t);
    if (t.job->a.bytes == 2) return fill_rows<T, std::uint16_t>(t);
    fill_rows<T, std::uint32_t>(t);
}

void fill_tile(const bit_tile& t) {
    if (t.job->type == element::i16) return fill_symbols<std::int16_t>(t);
    fill_symbols<std::int32_t>(t);
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(fill_tile);
void fill_bit_tile(const bit_tile& t) {
    HWY_DYNAMIC_DISPATCH(fill_tile)(t);
}
}  // namespace wale::wavefront
#endif
