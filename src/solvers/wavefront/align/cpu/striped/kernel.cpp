// kernel - the kernel of cpu/striped, for each Highway target.
//
// F goes down the vectors of a column and, from the last one, a lane on into the first. What enters there is
// looked at when the column is done (Farrar's lazy F): mostly it is below what its cells open themselves.
// Else a prefix maximum over the lanes gives what enters each, and one more pass down, until it is below.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/align/cpu/striped/kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "cpu/poll.hpp"
#include "solvers/wavefront/align/cpu/striped/kernel.hpp"
#include "solvers/wavefront/align/shared/sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
striped_kernels striped_kernels_here() {
    return {};
}
#else

/// Lane l of the result is lane l - Bytes / sizeof(lane) of v; the first ones are the last ones of `below`.
template <int Bytes, class V>
HWY_INLINE V moved_up(V v, V below) {
    const hn::DFromV<V> d;
    const hn::Repartition<std::uint8_t, decltype(d)> bytes;
    const auto x = hn::BitCast(bytes, v), y = hn::BitCast(bytes, below);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    using B = hn::Vec<decltype(bytes)>;
    if constexpr (Bytes % 8 == 0) return hn::BitCast(d, B{_mm512_alignr_epi64(x.raw, y.raw, 8 - Bytes / 8)});
    const __m512i blocks = _mm512_alignr_epi64(x.raw, y.raw, 6);  // one block of 16 bytes up
    return hn::BitCast(d, B{_mm512_alignr_epi8(x.raw, blocks, 16 - Bytes % 16)});
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    using B = hn::Vec<decltype(bytes)>;
    const __m256i middle = _mm256_permute2x128_si256(x.raw, y.raw, 0x03);
    if constexpr (Bytes == 16) return hn::BitCast(d, B{middle});
    return hn::BitCast(d, B{_mm256_alignr_epi8(x.raw, middle, 16 - Bytes % 16)});
#else
    return hn::BitCast(d, hn::CombineShiftRightBytes<16 - Bytes>(bytes, x, y));
#endif
}

template <class T, bool Local, bool Kept>
class striped_sweep {
    using D = lane_tag<T>;
    using V = hn::Vec<D>;
    static constexpr std::size_t lanes = lane_count<T>;
    static constexpr T least = std::numeric_limits<T>::min(), largest = std::numeric_limits<T>::max();

public:
    HWY_INLINE striped_sweep(striped_query<T>& q, const striped_prices<T>& prices, striped_target<T>& t,
                             striped_columns<T>& columns)
        : q_(q),
          prices_(prices),
          t_(t),
          depth_(q.depth),
          pitch_(q.depth * lanes),
          open_(hn::Set(D(), prices.open)),
          extend_(hn::Set(D(), prices.extend)),
          floor_(hn::Set(D(), least)),
          with_rows_(hn::IfThenElse(hn::Lt(hn::Iota(D(), 0), hn::Set(D(), lanes_with_rows(q))),
                                    hn::Set(D(), largest), floor_)) {
        columns.h.resize(2 * pitch_);
        columns.e.resize(pitch_);
        before_ = columns.h.data();
        now_ = before_ + pitch_;
        e_ = columns.e.data();
    }

    HWY_INLINE void run() {
        const D d;
        enter_left();
        cpu::rare_poll poll(256);
        V best = floor_;
        T top = prices_.corner, next_top = prices_.top_first;
        for (index_t j = 0; j < t_.columns; ++j) {
            poll();
            if (Kept) now_ = t_.cells + static_cast<std::size_t>(j) * pitch_;
            const T* const scores = scores_of(t_.codes[j]);
            const V highest = column(scores, top, next_top, j);
            top = next_top;
            next_top = static_cast<T>(next_top + prices_.top_step);
            if constexpr (Local) {
                if (!hn::AllFalse(d, hn::Gt(highest, best))) {
                    alignas(64) T all[lanes];
                    hn::Store(highest, d, all);
                    t_.best = *std::max_element(all, all + lanes);
                    t_.best_column = j;
                    best = hn::Set(d, t_.best);
                    if (t_.best == largest) return;
                }
            } else if (t_.last_row != nullptr) {
                t_.last_row[j] = at(now_, q_.rows - 1);
            }
            if (Kept)
                before_ = now_;
            else
                std::swap(before_, now_);
        }
        if (!Local) t_.best = at(before_, q_.rows - 1);
        if (!Local && t_.last_column != nullptr)
            for (index_t i = 0; i < q_.rows; ++i) t_.last_column[i] = at(before_, i);
    }

private:
    static HWY_INLINE T lanes_with_rows(const striped_query<T>& q) {
        const auto depth = static_cast<index_t>(q.depth);
        return static_cast<T>((q.rows + depth - 1) / depth);
    }
    HWY_INLINE std::size_t place(index_t row) const {
        const auto r = static_cast<std::uint32_t>(row), depth = static_cast<std::uint32_t>(depth_);
        return static_cast<std::size_t>(r % depth) * lanes + r / depth;
    }
    HWY_INLINE T at(const T* cells, index_t row) const { return cells[place(row)]; }

    HWY_INLINE void enter_left() {
        t_.best = least;
        std::fill_n(before_, pitch_, least);
        std::fill_n(e_, pitch_, least);
        if (Local) return;
        std::int64_t h = prices_.left_first;
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t s = 0; s < depth_; ++s) {
                if (static_cast<index_t>(lane * depth_ + s) >= q_.rows) return;
                before_[s * lanes + lane] = static_cast<T>(h);
                e_[s * lanes + lane] = static_cast<T>(h - prices_.open);
                h += prices_.left_step;
            }
    }

    HWY_INLINE const T* scores_of(std::uint8_t letter) {
        const T* const made = q_.rows_of_letters[letter];
        return made != nullptr ? made : make_scores(letter);
    }
    /// Of each row of the query with the letter.
    HWY_NOINLINE const T* make_scores(std::uint8_t letter) {
        const lane_tag<std::int8_t> bytes;
        constexpr std::size_t count = lane_count<std::int8_t>;
        T* const to = q_.scores + q_.made++ * pitch_;
        const auto above = hn::Set(bytes, 15);
        const std::int8_t* const column = q_.by_equality ? nullptr : q_.table + letter * table_letters;
        alignas(64) std::int8_t scores[count];
        for (std::size_t k = 0; k < pitch_; k += count) {
            const auto code = hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(q_.codes.data()) + k);
            if (q_.by_equality) {
                const auto same = hn::Eq(code, hn::Set(bytes, static_cast<std::int8_t>(letter)));
                hn::Store(hn::IfThenElse(same, hn::Set(bytes, q_.match), hn::Set(bytes, q_.mismatch)), bytes,
                          scores);
            } else {
                const auto nibble = hn::And(code, above);
                const auto low = hn::TableLookupBytes(hn::LoadDup128(bytes, column), nibble);
                const auto high = hn::TableLookupBytes(hn::LoadDup128(bytes, column + 16), nibble);
                hn::Store(hn::IfThenElse(hn::Gt(code, above), high, low), bytes, scores);
            }
            const std::size_t end = HWY_MIN(count, pitch_ - k);
            for (std::size_t l = 0; l < end; l += lanes) hn::Store(promoted<T>(scores + l), D(), to + k + l);
        }
        return q_.rows_of_letters[letter] = to;
    }

    /// The largest H of a column of a local table, by lanes.
    HWY_INLINE V column(const T* scores, T top, T next_top, index_t j) {
        const D d;
        V h = moved_up<sizeof(T)>(hn::Load(d, before_ + pitch_ - lanes), Local ? floor_ : hn::Set(d, top));
        V f = floor_, highest = floor_;
        if (!Local) f = moved_up<sizeof(T)>(floor_, hn::Set(d, static_cast<T>(next_top - prices_.open)));
        for (std::size_t k = 0; k < pitch_; k += lanes) {
            const V e = hn::Load(d, e_ + k);
            const V without = hn::Max(sum(h, hn::Load(d, scores + k)), e);
            const V cell = hn::Max(without, f);
            h = hn::Load(d, before_ + k);
            hn::Store(cell, d, now_ + k);
            hn::Store(hn::Max(difference(e, extend_), difference(cell, open_)), d, e_ + k);
            f = hn::Max(difference(f, extend_), difference(without, open_));
            if (Local) highest = hn::Max(highest, cell);
            if (Kept) (void)hn::StoreMaskBits(d, hn::Eq(cell, e), gap_bits(j, k));
        }
        const V entering = hn::Min(moved_up<sizeof(T)>(f, floor_), with_rows_);
        if (!hn::AllFalse(d, hn::Gt(entering, difference(hn::Load(d, now_), open_)))) go_on(entering, j);
        return highest;
    }

    HWY_INLINE std::uint8_t* gap_bits(index_t j, std::size_t k) const {
        return t_.is_gap + (static_cast<std::size_t>(j) * pitch_ + k) / 8;
    }

    /// F as it enters the first vector, from the lane above alone.
    HWY_NOINLINE void go_on(V f, index_t j) {
        const D d;
        f = spread<1>(f);
        for (std::size_t k = 0; k < pitch_; k += lanes) {
            const V cell = hn::Load(d, now_ + k);
            if (hn::AllFalse(d, hn::Gt(f, difference(cell, open_)))) return;
            const V raised = hn::Max(cell, f);
            hn::Store(raised, d, now_ + k);
            hn::Store(hn::Max(hn::Load(d, e_ + k), difference(raised, open_)), d, e_ + k);
            if (Kept) {
                std::uint8_t bits[8] = {};
                (void)hn::StoreMaskBits(d, hn::Gt(f, cell), bits);
                for (std::size_t b = 0; b < HWY_MAX(lanes / 8, std::size_t{1}); ++b)
                    gap_bits(j, k)[b] &= static_cast<std::uint8_t>(~bits[b]);
            }
            f = difference(f, extend_);
        }
    }
    /// The best of what enters from all lanes above.
    template <std::size_t Up>
    HWY_INLINE V spread(V f) const {
        if constexpr (Up >= lanes) {
            return f;
        } else {
            const D d;
            const std::size_t amount = Up * depth_ * static_cast<std::size_t>(prices_.extend);
            if (amount > 2 * static_cast<std::size_t>(largest)) return f;
            const auto half = static_cast<T>(HWY_MIN(amount, static_cast<std::size_t>(largest)));
            const auto rest = static_cast<T>(amount - static_cast<std::size_t>(half));
            const V lower = difference(difference(f, hn::Set(d, half)), hn::Set(d, rest));
            return spread<2 * Up>(hn::Max(f, moved_up<Up * sizeof(T)>(lower, floor_)));
        }
    }

    striped_query<T>& q_;
    const striped_prices<T>& prices_;
    striped_target<T>& t_;
    const std::size_t depth_, pitch_;
    const V open_, extend_, floor_,
        with_rows_;  // with_rows_: the largest T in lanes that have rows, else the least
    T *before_, *now_, *e_;
};

template <class T>
void run_target(striped_query<T>& q, const striped_prices<T>& prices, bool local, striped_target<T>& t,
                striped_columns<T>& columns) {
    if (local && t.cells != nullptr)
        striped_sweep<T, true, true>(q, prices, t, columns).run();
    else if (local)
        striped_sweep<T, true, false>(q, prices, t, columns).run();
    else if (t.cells != nullptr)
        striped_sweep<T, false, true>(q, prices, t, columns).run();
    else
        striped_sweep<T, false, false>(q, prices, t, columns).run();
}

striped_kernels striped_kernels_here() {
    return {{lane_count<std::int8_t>, run_target<std::int8_t>},
            {lane_count<std::int16_t>, run_target<std::int16_t>}};
}
#endif

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(striped_kernels_here);
striped_kernels kernels_of_stripes() {
    return HWY_DYNAMIC_DISPATCH(striped_kernels_here)();
}
}  // namespace wale::wavefront
#endif
