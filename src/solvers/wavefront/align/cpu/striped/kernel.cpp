// kernel - the kernel of cpu/striped, for each Highway target.
//
// F goes down the vectors of a column and, from the last one, a lane on into the first. A column takes two
// passes: the first finds F at the ends of the lanes, from which a maximum over the lanes above, less what F
// loses in them, makes what enters each; the second has that F in all cells (Daily 2016). Local tables mostly
// do without that maximum, as F does not come through a whole lane. Farrar's lazy correction of a single pass
// was slower: in vectors of 64 cells nearly each column needs it.
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

/// H and E of a column where it is kept from one pass to the next: in memory.
template <class T>
struct cells_in_memory {
    using V = lane_vector<T>;
    static constexpr std::size_t lanes = lane_count<T>;
    const T* before;
    T *now, *gaps;
    std::size_t depth;

    HWY_INLINE V h(std::size_t s) const { return hn::Load(lane_tag<T>(), before + s * lanes); }
    HWY_INLINE V e(std::size_t s) const { return hn::Load(lane_tag<T>(), gaps + s * lanes); }
    HWY_INLINE V without(std::size_t s) const { return hn::Load(lane_tag<T>(), now + s * lanes); }
    HWY_INLINE void keep(std::size_t s, V v) { hn::Store(v, lane_tag<T>(), now + s * lanes); }
    HWY_INLINE void put(std::size_t s, V cell, V gap) {
        hn::Store(cell, lane_tag<T>(), now + s * lanes);
        hn::Store(gap, lane_tag<T>(), gaps + s * lanes);
    }
};

/// In registers, of few vectors.
template <class T, std::size_t Depth>
struct cells_in_registers {
    using V = lane_vector<T>;
    static constexpr std::size_t depth = Depth;
    V h_[Depth], e_[Depth], without_[Depth];

    HWY_INLINE V h(std::size_t s) const { return h_[s]; }
    HWY_INLINE V e(std::size_t s) const { return e_[s]; }
    HWY_INLINE V without(std::size_t s) const { return without_[s]; }
    HWY_INLINE void keep(std::size_t s, V v) { without_[s] = v; }
    HWY_INLINE void put(std::size_t s, V cell, V gap) {
        h_[s] = cell;
        e_[s] = gap;
    }
};

/// Swapped: rows are the target, so that `is_gap` marks gaps that go on along a column.
template <class T, bool Local, bool Kept, bool Swapped>
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
          through_(hn::Set(D(), static_cast<T>(HWY_MIN(q.depth * static_cast<std::size_t>(prices.extend),
                                                       static_cast<std::size_t>(largest))))) {
        columns.h.resize(2 * pitch_);
        columns.e.resize(pitch_);
        before_ = columns.h.data();
        now_ = before_ + pitch_;
        e_ = columns.e.data();
    }

    HWY_INLINE void run() {
        enter_left();
        if (depth_ == 1) return run_in_registers<1>();
        if (depth_ == 2) return run_in_registers<2>();
        if (depth_ == 4) return run_in_registers<4>();
        run_columns([&](const T* scores, T top, T next_top, index_t j) HWY_ATTR {
            cells_in_memory<T> cells{before_, now_, e_, depth_};
            return column(cells, scores, top, next_top, j);
        });
    }

private:
    HWY_INLINE std::size_t place(index_t row) const {
        const auto r = static_cast<std::uint32_t>(row), depth = static_cast<std::uint32_t>(depth_);
        return static_cast<std::size_t>(r % depth) * lanes + r / depth;
    }
    HWY_INLINE T at(const T* cells, index_t row) const { return cells[place(row)]; }

    template <std::size_t Depth>
    HWY_INLINE void run_in_registers() {
        const D d;
        cells_in_registers<T, Depth> cells;
        for (std::size_t s = 0; s < Depth; ++s) {
            cells.h_[s] = hn::Load(d, before_ + s * lanes);
            cells.e_[s] = hn::Load(d, e_ + s * lanes);
        }
        const bool looked_at = Kept || (!Local && t_.last_row != nullptr);
        run_columns([&](const T* scores, T top, T next_top, index_t j) HWY_ATTR {
            const V highest = column(cells, scores, top, next_top, j);
            if (looked_at || j + 1 == t_.columns)
                for (std::size_t s = 0; s < Depth; ++s) hn::Store(cells.h_[s], d, now_ + s * lanes);
            return highest;
        });
    }

    /// next(scores, H above the column before, H above the column, its number): the largest H of a column, by
    /// lanes.
    template <class Next>
    HWY_INLINE void run_columns(const Next& next) {
        const D d;
        cpu::rare_poll poll(256);
        V best = hn::Set(d, static_cast<T>(least + 1));  // a cell of 0 is no best one
        T top = prices_.corner, next_top = prices_.top_first;
        for (index_t j = 0; j < t_.columns; ++j) {
            poll();
            if (Kept) now_ = t_.cells + static_cast<std::size_t>(j) * pitch_;
            const V highest = next(scores_of(t_.codes[j]), top, next_top, j);
            top = next_top;
            next_top = static_cast<T>(next_top + prices_.top_step);
            if constexpr (Local) {
                if (!hn::AllTrue(d, hn::Gt(best, highest))) {
                    note(highest, j);
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
    /// F of a local table comes from a cell that is at most a pair better than the best one before.
    HWY_INLINE void bound_gaps() {
        constexpr std::int64_t all = 2 * std::int64_t{largest} + 1;
        most_gap_ = all;
        if (Local) most_gap_ = HWY_MIN(all, std::int64_t{t_.best} - least + prices_.best_pair - prices_.open);
    }
    /// A column that has the best cell.
    HWY_INLINE void note(V highest, index_t j) {
        alignas(64) T all[lanes];
        hn::Store(highest, D(), all);
        const T here = *std::max_element(all, all + lanes);
        if (here > t_.best) t_.best_count = 0;
        t_.best = here;
        bound_gaps();
        if (t_.best_columns != nullptr) t_.best_columns[t_.best_count++] = j;
    }

    HWY_INLINE void enter_left() {
        t_.best = least;
        bound_gaps();
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

    /// The largest H of a column of a local table, by lanes. Copies of members stay in registers: bytes that
    /// are stored might be members.
    template <class Cells>
    HWY_INLINE V column(Cells& cells, const T* scores, T top, T next_top, index_t j) const {
        const D d;
        const V open = open_, extend = extend_, bottom = floor_;
        V h = moved_up<sizeof(T)>(cells.h(cells.depth - 1), Local ? bottom : hn::Set(d, top));
        const V above = Local ? bottom : hn::Set(d, static_cast<T>(next_top - prices_.open));
        V f = moved_up<sizeof(T)>(bottom, above), highest = bottom;
#pragma GCC unroll 4
        for (std::size_t s = 0; s < cells.depth; ++s) {
            const V without = hn::Max(sum(h, hn::Load(d, scores + s * lanes)), cells.e(s));
            h = cells.h(s);
            cells.keep(s, without);
            f = hn::Max(difference(f, extend), difference(without, open));
        }
        f = moved_up<sizeof(T)>(f, above);
        if (!Local || !hn::AllFalse(d, hn::Gt(difference(f, through_), bottom))) f = spread<1>(f);
#pragma GCC unroll 4
        for (std::size_t s = 0; s < cells.depth; ++s) {
            const V without = cells.without(s), e = cells.e(s), cell = hn::Max(without, f);
            cells.put(s, cell, hn::Max(difference(e, extend), difference(cell, open)));
            if (Local) highest = hn::Max(highest, cell);
            if (Kept) (void)hn::StoreMaskBits(d, hn::Eq(cell, Swapped ? f : e), gap_bits(j, s));
            f = hn::Max(difference(f, extend), difference(without, open));
        }
        return highest;
    }

    HWY_INLINE std::uint8_t* gap_bits(index_t j, std::size_t s) const {
        return t_.is_gap + (static_cast<std::size_t>(j) * pitch_ + s * lanes) / 8;
    }

    /// The best of what enters from all lanes above.
    template <std::size_t Up>
    HWY_INLINE V spread(V f) const {
        if constexpr (Up >= lanes) {
            return f;
        } else {
            const D d;
            const std::int64_t amount = static_cast<std::int64_t>(Up * depth_) * prices_.extend;
            if (amount >= most_gap_) return f;
            const std::int64_t half = HWY_MIN(amount, std::int64_t{largest});
            V lower = difference(f, hn::Set(d, static_cast<T>(half)));
            if (amount > half) lower = difference(lower, hn::Set(d, static_cast<T>(amount - half)));
            return spread<2 * Up>(hn::Max(f, moved_up<Up * sizeof(T)>(lower, floor_)));
        }
    }

    striped_query<T>& q_;
    const striped_prices<T>& prices_;
    striped_target<T>& t_;
    const std::size_t depth_, pitch_;
    const V open_, extend_, floor_, through_;  // through_: what F loses in all rows of a lane
    T *before_, *now_, *e_;
    std::int64_t most_gap_;  // a bound of F, over the least T: what loses more is nothing
};

template <class T, bool Local>
void run_columns(striped_query<T>& q, const striped_prices<T>& prices, striped_target<T>& t,
                 striped_columns<T>& columns) {
    if (t.cells != nullptr && t.swapped)
        striped_sweep<T, Local, true, true>(q, prices, t, columns).run();
    else if (t.cells != nullptr)
        striped_sweep<T, Local, true, false>(q, prices, t, columns).run();
    else
        striped_sweep<T, Local, false, false>(q, prices, t, columns).run();
}

template <class T>
void run_target(striped_query<T>& q, const striped_prices<T>& prices, bool local, striped_target<T>& t,
                striped_columns<T>& columns) {
    if (local)
        run_columns<T, true>(q, prices, t, columns);
    else
        run_columns<T, false>(q, prices, t, columns);
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
