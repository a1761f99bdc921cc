// line - the kernels of cpu/bits, for each Highway target. A run of mask bits is filled by a carry: with
// s within m, m + s carries from each seed to the end of its run, and (((m + s) ^ m) & m) | s is the run from
// the seed on. The other direction is the same on reversed bits.
#include <cstdint>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/reconstruction/reconstruct/cpu/bits/line.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "solvers/reconstruction/reconstruct/cpu/bits/bits.hpp"
#include "solvers/reconstruction/shared/eight_flags.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::reconstruction::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using word_tag = hn::CappedTag<std::uint64_t, bits_margin>;
using byte_tag = hn::Repartition<std::uint8_t, word_tag>;
using words = hn::Vec<word_tag>;

HWY_INLINE unsigned bits_of_mask(hn::Mask<word_tag> m) {
    std::uint8_t bits[8] = {};
    (void)hn::StoreMaskBits(word_tag(), m, bits);
    return bits[0] & ((1u << hn::Lanes(word_tag())) - 1);
}

#if HWY_TARGET == HWY_SCALAR
/// Swaps neighbouring groups of Width bits; `mask` has the lower group of each pair.
template <int Width>
HWY_INLINE words swapped(words v, std::uint64_t mask) {
    const words lower = hn::Set(word_tag(), mask);
    return hn::Or(hn::ShiftLeft<Width>(hn::And(v, lower)), hn::And(hn::ShiftRight<Width>(v), lower));
}
HWY_INLINE words reversed(words v) {
    v = swapped<1>(v, 0x5555555555555555);
    v = swapped<2>(v, 0x3333333333333333);
    v = swapped<4>(v, 0x0f0f0f0f0f0f0f0f);
    v = swapped<8>(v, 0x00ff00ff00ff00ff);
    v = swapped<16>(v, 0x0000ffff0000ffff);
    return swapped<32>(v, 0x00000000ffffffff);
}
#else
/// Lanes and bits in reverse order: bytes by a table, their halves by two more.
HWY_INLINE words reversed(words v) {
    const byte_tag d8;
    alignas(16) static constexpr std::uint8_t backwards[16] = {15, 14, 13, 12, 11, 10, 9, 8,
                                                               7,  6,  5,  4,  3,  2,  1, 0};
    alignas(16) static constexpr std::uint8_t low[16] = {0, 8, 4, 12, 2, 10, 6, 14,
                                                         1, 9, 5, 13, 3, 11, 7, 15};
    const auto to_low = hn::LoadDup128(d8, low);
    const auto to_high = hn::BitCast(d8, hn::ShiftLeft<4>(hn::BitCast(word_tag(), to_low)));
    const auto bytes = hn::TableLookupBytes(hn::BitCast(d8, v), hn::LoadDup128(d8, backwards));
    const auto half = hn::Set(d8, 0x0f);
    const auto upper = hn::And(hn::BitCast(d8, hn::ShiftRight<4>(hn::BitCast(word_tag(), bytes))), half);
    const auto turned =
        hn::Or(hn::TableLookupBytes(to_high, hn::And(bytes, half)), hn::TableLookupBytes(to_low, upper));
    return hn::ReverseBlocks(word_tag(), hn::BitCast(word_tag(), turned));
}
#endif

/// Fills towards higher bits and lanes; `carry`: whether the run that enters at bit 0 is filled, in and out.
HWY_INLINE words filled(words m, words s, unsigned& carry) {
    const word_tag d;
    const words sum = hn::Add(m, s);
    // A lane carries out where its sum is below m: the top bit of s | (m & ~sum), as s lies within m.
    const auto top = hn::BitCast(hn::RebindToSigned<word_tag>(), hn::Or(s, hn::AndNot(sum, m)));
    const unsigned out =
        bits_of_mask(hn::RebindMask(d, hn::Lt(top, hn::Zero(hn::RebindToSigned<word_tag>()))));
    const unsigned pass = bits_of_mask(hn::Eq(sum, hn::Set(d, ~std::uint64_t{0})));
    const unsigned into = out << 1 | carry;
    const unsigned ripple = pass + into;  // lanes as the digits of a number: a carry runs through full lanes
    carry = ripple >> hn::Lanes(d) & 1;
    const std::uint8_t lanes[8] = {static_cast<std::uint8_t>((ripple ^ pass) & ((1u << hn::Lanes(d)) - 1))};
    const words carried = hn::Sub(sum, hn::VecFromMask(d, hn::LoadMaskBits(d, lanes)));
    return hn::Or(hn::And(hn::Xor(carried, m), m), s);
}

template <int Plain, int Dilated>
HWY_INLINE words given(const bits_neighbours& from, index_t w) {
    const word_tag d;
    words all = hn::Zero(d);
    for (int k = 0; k < Plain; ++k) all = hn::Or(all, hn::LoadU(d, from.lines[k] + w));
    if constexpr (Dilated > 0) {
        words here = hn::Zero(d), before = here, after = here;
        for (int k = Plain; k < Plain + Dilated; ++k) {
            here = hn::Or(here, hn::LoadU(d, from.lines[k] + w));
            before = hn::Or(before, hn::LoadU(d, from.lines[k] + w - 1));
            after = hn::Or(after, hn::LoadU(d, from.lines[k] + w + 1));
        }
        const words right = hn::Or(hn::Add(here, here), hn::ShiftRight<63>(before));
        const words left = hn::Or(hn::ShiftRight<1>(here), hn::ShiftLeft<63>(after));
        all = hn::Or(hn::Or(all, here), hn::Or(right, left));
    }
    return all;
}

HWY_INLINE bool any(words v) {
    return !hn::AllTrue(word_tag(), hn::Eq(v, hn::Zero(word_tag())));
}

/// Takes from the neighbours and fills to the right, as far as carries go; the vectors that changed.
template <int Plain, int Dilated>
HWY_INLINE word_range rightwards(const bits_line& line, const bits_neighbours& from, index_t first) {
    const word_tag d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    word_range changed{line.look.last, 0};
    unsigned carry = 0;
    for (index_t w = first; w < line.look.last || carry != 0; w += lanes) {
        const words m = hn::Load(d, line.mask + w);
        const words old = hn::Load(d, line.rising + w);
        const words rising =
            w < line.look.last ? hn::Or(old, hn::And(given<Plain, Dilated>(from, w), m)) : old;
        if (carry == 0 && !any(line.first_visit ? rising : hn::Xor(rising, old))) continue;
        const words full = filled(m, rising, carry);
        if (!any(hn::Xor(full, old))) continue;
        hn::Store(full, d, line.rising + w);
        changed.first = std::min(changed.first, w);
        changed.last = w + lanes;
    }
    return changed;
}

/// Fills to the left from the vectors that changed, or from all of a first visit.
HWY_INLINE void leftwards(const bits_line& line, word_range visit, word_range& changed) {
    const word_tag d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    unsigned carry = 0;
    for (index_t w = visit.last - lanes; w >= visit.first || carry != 0; w -= lanes) {
        const words m = hn::Load(d, line.mask + w);
        const words old = hn::Load(d, line.rising + w);
        if (carry == 0 && !any(old)) continue;
        if (!any(hn::Xor(m, old))) {  // full: only its left end matters
            carry = static_cast<unsigned>(line.rising[w] & 1);
            continue;
        }
        const words full = reversed(filled(reversed(m), reversed(old), carry));
        if (!any(hn::Xor(full, old))) continue;
        hn::Store(full, d, line.rising + w);
        changed.first = std::min(changed.first, w);
        changed.last = std::max(changed.last, w + lanes);
    }
}

template <int Plain, int Dilated>
word_range raise(const bits_line& line, const bits_neighbours& from) {
    const auto lanes = static_cast<index_t>(hn::Lanes(word_tag()));
    const index_t first = line.look.first / lanes * lanes;
    word_range changed = rightwards<Plain, Dilated>(line, from, first);
    const word_range all{first, (line.look.last + lanes - 1) / lanes * lanes};
    if (line.first_visit)
        leftwards(line, all, changed);
    else if (!changed.empty())
        leftwards(line, word_range(changed), changed);
    return changed;
}

word_range raise_any(const bits_line& line, const bits_neighbours& from) {
    switch (from.plain * 16 + from.dilated) {
        case 0x20:  // 4 neighbours
            return raise<2, 0>(line, from);
        case 0x02:  // 8
            return raise<0, 2>(line, from);
        case 0x40:  // 6
            return raise<4, 0>(line, from);
        case 0x44:  // 18
            return raise<4, 4>(line, from);
        default:  // 26
            return raise<0, 8>(line, from);
    }
}

raise_line get_raise_line() {
    return raise_any;
}

void pack(const std::uint8_t* pixels, index_t columns, std::uint64_t* to) {
    const hn::CappedTag<std::uint8_t, 64> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const index_t count = (columns + 63) / 64;
    auto* bytes = reinterpret_cast<std::uint8_t*>(to);
    std::fill(to, to + count, 0);
    index_t c = 0;
    for (; lanes >= 8 && c + lanes <= columns; c += lanes)
        (void)hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, pixels + c), hn::Zero(d)), bytes + c / 8);
#if HWY_TARGET <= HWY_AVX3  // where a part of a vector is read at once
    if (c < columns) {
        const auto rest = hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(columns - c)), d, pixels + c);
        (void)hn::StoreMaskBits(d, hn::Ne(rest, hn::Zero(d)), bytes + c / 8);
        return;
    }
#endif
    for (; c < columns; c += 8) {
        std::uint64_t eight = 0;
        if (columns - c >= 8)
            std::memcpy(&eight, pixels + c, 8);
        else
            for (index_t k = c; k < columns; ++k) eight |= std::uint64_t{pixels[k]} << 8 * (k - c);
        bytes[c / 8] = bits_of_flags(flags_of_bytes(eight));
    }
}

void unpack(const std::uint64_t* from, index_t columns, std::uint8_t* pixels) {
    const hn::CappedTag<std::uint8_t, 64> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
    index_t c = 0;
    for (; lanes >= 8 && c + lanes <= columns; c += lanes)
        hn::StoreU(hn::IfThenElseZero(hn::LoadMaskBits(d, bytes + c / 8), hn::Set(d, 1)), d, pixels + c);
#if HWY_TARGET <= HWY_AVX3
    if (c < columns) {
        const auto rest = hn::IfThenElseZero(hn::LoadMaskBits(d, bytes + c / 8), hn::Set(d, 1));
        hn::BlendedStore(rest, hn::FirstN(d, static_cast<std::size_t>(columns - c)), d, pixels + c);
        return;
    }
#endif
    for (; c < columns; c += 8) {
        const std::uint64_t eight = flags_of_bits(bytes[c / 8]);
        if (columns - c >= 8)
            std::memcpy(pixels + c, &eight, 8);
        else
            for (index_t k = c; k < columns; ++k)
                pixels[k] = static_cast<std::uint8_t>(eight >> 8 * (k - c) & 1);
    }
}

}  // namespace wale::reconstruction::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::reconstruction {

HWY_EXPORT(get_raise_line);
HWY_EXPORT(pack);
HWY_EXPORT(unpack);

raise_line best_raise_line() {
    return HWY_DYNAMIC_DISPATCH(get_raise_line)();
}
void pack_line(const std::uint8_t* pixels, index_t columns, std::uint64_t* to) {
    HWY_DYNAMIC_DISPATCH(pack)(pixels, columns, to);
}
void unpack_line(const std::uint64_t* from, index_t columns, std::uint8_t* pixels) {
    HWY_DYNAMIC_DISPATCH(unpack)(from, columns, pixels);
}

}  // namespace wale::reconstruction
#endif
