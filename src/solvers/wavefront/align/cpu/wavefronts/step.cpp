// step - for each Highway target: the recurrence by vectors of diagonals, then the run of equal symbols of
// each diagonal by words of eight.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/align/cpu/wavefronts/step.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "solvers/wavefront/align/cpu/wavefronts/step.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE std::uint64_t word_at(const std::uint8_t* p) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

/// The row at which the run of equal symbols that begins behind row i of the diagonal ends.
HWY_INLINE std::int32_t run_end(const wave_step& w, std::int32_t i, index_t diagonal, std::int32_t most) {
    const std::uint8_t *q = w.query, *t = w.target + diagonal;
    while (i < most) {
        const std::uint64_t differ = word_at(q + i) ^ word_at(t + i);
        if (differ != 0) {
            constexpr bool little = std::endian::native == std::endian::little;
            const int equal = (little ? std::countr_zero(differ) : std::countl_zero(differ)) / 8;
            return std::min(i + equal, most);
        }
        i += 8;
    }
    return most;
}

void step_here(const wave_step& w) {
    const hn::CappedTag<std::int32_t, row_margin> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const auto rows = hn::Set(d, static_cast<std::int32_t>(w.query_size));
    const auto one = hn::Set(d, 1);
    // The last row of the diagonal: also the target ends.
    auto end =
        hn::Sub(hn::Set(d, static_cast<std::int32_t>(w.target_size - w.low - w.first)), hn::Iota(d, 0));
    const auto next = hn::Set(d, static_cast<std::int32_t>(lanes));
    for (index_t k = w.first; k <= w.last; k += lanes, end = hn::Sub(end, next)) {
        const auto most = hn::Min(rows, end);
        const auto e =
            hn::Min(most, hn::Max(hn::LoadU(d, w.opened + k - 1), hn::LoadU(d, w.e_before + k - 1)));
        const auto f = hn::Min(
            most, hn::Add(one, hn::Max(hn::LoadU(d, w.opened + k + 1), hn::LoadU(d, w.f_before + k + 1))));
        const auto pair = hn::Min(most, hn::Add(one, hn::LoadU(d, w.unequal + k)));
        const auto h = hn::Max(hn::Max(hn::LoadU(d, w.before + k), pair), hn::Max(e, f));
        hn::StoreU(e, d, w.e + k);
        hn::StoreU(f, d, w.f + k);
        hn::StoreU(h, d, w.h + k);
    }
}

void extend_here(const wave_step& w) {
    const hn::CappedTag<std::int32_t, row_margin> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const auto none = hn::Zero(d), rows = hn::Set(d, static_cast<std::int32_t>(w.query_size));
    const auto columns = hn::Set(d, static_cast<std::int32_t>(w.target_size));
    const auto *q = reinterpret_cast<const std::int32_t*>(w.query),
               *t = reinterpret_cast<const std::int32_t*>(w.target);
    auto diagonal = hn::Add(hn::Set(d, static_cast<std::int32_t>(w.low + w.first)), hn::Iota(d, 0));
    const auto next = hn::Set(d, static_cast<std::int32_t>(lanes));
    for (index_t k = w.first; k <= w.last; k += lanes, diagonal = hn::Add(diagonal, next)) {
        const auto i = hn::LoadU(d, w.h + k), j = hn::Add(i, diagonal);
        const auto inside = hn::And(hn::And(hn::Gt(rows, i), hn::Gt(columns, j)),
                                    hn::Not(hn::Or(hn::Lt(i, none), hn::Lt(j, none))));
        const auto differ = hn::Xor(hn::GatherOffset(d, q, hn::IfThenElseZero(inside, i)),
                                    hn::GatherOffset(d, t, hn::IfThenElseZero(inside, j)));
        // A mask is -1: each prefix of the word that is equal counts a symbol.
        const auto equal = [&](std::int32_t bytes) {
            return hn::VecFromMask(d, hn::Eq(hn::And(differ, hn::Set(d, bytes)), none));
        };
        const auto all = hn::And(inside, hn::Eq(differ, none));
        auto end =
            hn::Sub(i, hn::Add(hn::Add(equal(0xff), equal(0xffff)), hn::Add(equal(0xffffff), equal(-1))));
        end = hn::Min(hn::Min(end, rows), hn::Sub(columns, diagonal));
        hn::StoreU(hn::IfThenElse(inside, end, i), d, w.h + k);
        if (hn::AllFalse(d, all)) continue;
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, all, bits);
        for (std::uint64_t left = word_at(bits); left != 0; left &= left - 1) {
            const index_t at = k + std::countr_zero(left);
            const index_t on = w.low + at;
            w.h[at] = run_end(w, w.h[at], on,
                              static_cast<std::int32_t>(std::min(w.query_size, w.target_size - on)));
        }
    }
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(step_here);
HWY_EXPORT(extend_here);
void step_wave(const wave_step& w) {
    HWY_DYNAMIC_DISPATCH(step_here)(w);
}
void extend_wave(const wave_step& w) {
    HWY_DYNAMIC_DISPATCH(extend_here)(w);
}
}  // namespace wale::wavefront
#endif
