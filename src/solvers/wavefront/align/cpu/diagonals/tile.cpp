// tile - the kernel of cpu/diagonals, for each Highway target.
//
//          step 0  1  2  3  4        Lane l has `depth` rows, and column s - l in step s. From the lane above
//   lane 0      0  1  2  3  4        it takes H of the last row and F, both of the step before, once a step:
//   lane 1         0  1  2  3        the shift across lanes is paid for `depth` rows.
//   lane 2            0  1  2
//
// Scores of a table: all lanes are in different columns, so a vector of scores has a part of each of as many
// vectors of the profile. Blends by bits of the lane's number take them from delayed vectors: delays of 1, 2
// and 4 steps for eight steps at a time, then of multiples of 8.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/align/cpu/diagonals/tile.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <limits>

#include "solvers/wavefront/align/cpu/diagonals/tile.hpp"
#include "solvers/wavefront/align/shared/sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
tile_kernels kernels_here() {
    return {};
}
#else

template <class T, bool ByEquality, bool Local, bool Traced>
class sweep {
    using D = lane_tag<T>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    static constexpr std::size_t lanes = hn::MaxLanes(D());
    static constexpr std::size_t groups = lanes > 8 ? lanes / 8 : 1;  // of lanes that one delay of 8 serves

public:
    HWY_INLINE sweep(tile_rows<T>& rows, tile<T>& t)
        : rows_(rows),
          t_(t),
          depth_(static_cast<std::size_t>(rows.depth)),
          used_((t.rows + rows.depth - 1) / rows.depth),
          number_(hn::Iota(D(), 0)),
          open_(hn::Set(D(), static_cast<T>(t.open))),
          extend_(hn::Set(D(), static_cast<T>(t.extend))),
          best_(hn::Set(D(), t.zero)) {
        rows.h.resize(depth_ * lanes);
        rows.e.resize(depth_ * lanes);
        if (!ByEquality) rows.scores.resize(depth_ * HWY_MAX(lanes, std::size_t{8}) * lanes);
        h_ = rows.h.data();
        e_ = rows.e.data();
        scores_ = rows.scores.data();
    }

    HWY_INLINE void run() {
        enter_left();
        const index_t steps = t_.columns + used_ - 1;
        const index_t filled = HWY_MIN(used_ - 1, steps);     // from here on every lane has begun
        const index_t drained = HWY_MAX(filled, t_.columns);  // from here on lanes have ended
        for (index_t s = 0; s < filled; ++s) step<true>(s);
        for (index_t s = filled; s < drained; ++s) step<false>(s);
        for (index_t s = drained; s < steps; ++s) step<true>(s);
        leave_right();
    }

private:
    HWY_INLINE std::size_t row_of(index_t i) const {
        return static_cast<std::size_t>(i % rows_.depth) * lanes + static_cast<std::size_t>(i / rows_.depth);
    }
    HWY_INLINE void enter_left() {
        const D d;
        const V none = hn::Set(d, std::numeric_limits<T>::min() / 2);
        for (std::size_t r = 0; r < depth_; ++r) {
            hn::Store(none, d, h_ + r * lanes);
            hn::Store(none, d, e_ + r * lanes);
        }
        for (index_t i = 0; i < t_.rows; ++i) {
            h_[row_of(i)] = t_.left[i];
            e_[row_of(i)] = t_.left_gap[i];
        }
        gap_ = none;
        above_ = shifted(hn::Load(d, h_ + (depth_ - 1) * lanes), t_.corner);
    }
    HWY_INLINE void leave_right() const {
        const D d;
        alignas(64) T best[lanes];
        hn::Store(best_, d, best);
        t_.best = *std::max_element(best, best + lanes);
        if (t_.right == nullptr) return;
        for (index_t i = 0; i < t_.rows; ++i) {
            t_.right[i] = h_[row_of(i)];
            t_.right_gap[i] = e_[row_of(i)];
        }
    }

    /// Every lane gets the value of the lane above; the first one `first`.
    HWY_INLINE V shifted(V v, T first) const {
        const D d;
        const hn::Repartition<std::uint32_t, D> words;
        const auto number = hn::Iota(words, 0);
        const auto before = hn::IndicesFromVec(
            words, hn::And(hn::Sub(number, hn::Set(words, 1)),
                           hn::Set(words, static_cast<std::uint32_t>(hn::MaxLanes(words) - 1))));
        const auto whole = hn::BitCast(words, v);
        const auto rotated = hn::TableLookupLanes(whole, before);
        V out = hn::BitCast(d, rotated);
        if constexpr (sizeof(T) == 2)
            out = hn::BitCast(d, hn::Or(hn::ShiftLeft<16>(whole), hn::ShiftRight<16>(rotated)));
        if constexpr (sizeof(T) == 1)
            out = hn::BitCast(d, hn::Or(hn::ShiftLeft<8>(whole), hn::ShiftRight<24>(rotated)));
        return hn::IfThenElse(hn::Eq(number_, hn::Zero(d)), hn::Set(d, first), out);
    }

    HWY_INLINE M from_lane(std::size_t first) const {
        const D d;
        return hn::Gt(number_, hn::Set(d, static_cast<T>(static_cast<index_t>(first) - 1)));
    }
    HWY_INLINE M bit_of_lane(std::size_t bit) const {
        const D d;
        return hn::Ne(hn::And(number_, hn::Set(d, static_cast<T>(bit))), hn::Zero(d));
    }
    /// The ring of scores with delays below 8.
    HWY_INLINE T* ring(index_t step, std::size_t r) const {
        constexpr std::size_t size = HWY_MAX(lanes, std::size_t{8});
        return scores_ + ((static_cast<std::size_t>(step) & (size - 1)) * depth_ + r) * lanes;
    }
    /// Steps s to s + 7 of every depth.
    HWY_INLINE void delay(index_t s) const {
        const D d;
        const M one = bit_of_lane(1), two = bit_of_lane(2), four = bit_of_lane(4);
        const T* columns[15];
        const std::size_t letter = depth_ * lanes;
        for (int k = 0; k < 15; ++k) columns[k] = rows_.profile.data() + t_.columns_codes[s - 7 + k] * letter;
        for (std::size_t r = 0; r < depth_; ++r) {
            V x[15];
            for (int k = 0; k < 15; ++k) x[k] = hn::Load(d, columns[k] + r * lanes);
            for (int k = 14; k >= 1; --k) x[k] = hn::IfThenElse(one, x[k - 1], x[k]);
            for (int k = 14; k >= 3; --k) x[k] = hn::IfThenElse(two, x[k - 2], x[k]);
            for (int k = 14; k >= 7; --k) x[k] = hn::IfThenElse(four, x[k - 4], x[k]);
            for (int k = 0; k < 8; ++k) hn::Store(x[k + 7], d, ring(s + k, r));
        }
    }

    /// H, E and F of rows `first` to `last` - 1 of all lanes.
    template <bool Masked>
    HWY_INLINE void rows(index_t s, std::size_t first, std::size_t last, V& diagonal, V& f) {
        const D d;
        const V zero = hn::Set(d, t_.zero), match = hn::Set(d, t_.match), mismatch = hn::Set(d, t_.mismatch);
        const M active =
            hn::And(hn::Lt(number_, hn::Set(d, static_cast<T>(HWY_MIN(s + 1, index_t{lanes})))),
                    hn::Gt(number_, hn::Set(d, static_cast<T>(HWY_MAX(s - t_.columns, index_t{-1})))));
        const V codes = ByEquality ? hn::LoadU(d, t_.backwards - s) : zero;
        const T* delayed[groups];
        M from[groups];
        for (std::size_t g = 0; g < groups && !ByEquality; ++g) {
            delayed[g] = ring(s - static_cast<index_t>(8 * g), 0);
            from[g] = from_lane(8 * g);
        }
        for (std::size_t r = first; r < last; ++r) {
            V score;
            if constexpr (ByEquality) {
                score = hn::IfThenElse(hn::Eq(hn::Load(d, rows_.codes.data() + r * lanes), codes), match,
                                       mismatch);
            } else {
                score = hn::Load(d, delayed[0] + r * lanes);
                for (std::size_t g = 1; g < groups; ++g)
                    score = hn::IfThenElse(from[g], hn::Load(d, delayed[g] + r * lanes), score);
            }
            const V before = hn::Load(d, h_ + r * lanes);
            const V e = hn::Load(d, e_ + r * lanes);
            V h = hn::Max(hn::Max(sum(diagonal, score), e), f);
            if (Local) h = hn::Max(h, zero);
            if (Traced) {
                const std::size_t cell = (static_cast<std::size_t>(s) * depth_ + r) * lanes;
                hn::Store(h, d, t_.h_cells + cell);
                hn::Store(e, d, t_.e_cells + cell);
            }
            const V opened = difference(h, open_);
            f = hn::Max(opened, difference(f, extend_));
            V e_next = hn::Max(opened, difference(e, extend_));
            if (Masked) {
                h = hn::IfThenElse(active, h, before);
                e_next = hn::IfThenElse(active, e_next, e);
                // What a lane computes before its first column would enter the lanes below the last row.
                f = hn::IfThenElse(active, f, hn::Set(d, std::numeric_limits<T>::min() / 2));
            }
            if (Local) best_ = hn::Max(best_, h);
            hn::Store(h, d, h_ + r * lanes);
            hn::Store(e_next, d, e_ + r * lanes);
            diagonal = before;
        }
    }

    template <bool Masked>
    HWY_INLINE void step(index_t s) {
        const D d;
        if (!ByEquality && s % 8 == 0) delay(s);
        const bool inside = s < t_.columns;
        V diagonal = above_;
        above_ = shifted(hn::Load(d, h_ + (depth_ - 1) * lanes), inside ? t_.top[s] : T{0});
        V f = shifted(gap_, inside ? t_.top_gap[s] : T{0});
        const auto last = static_cast<std::size_t>((t_.rows - 1) % rows_.depth);
        rows<Masked>(s, 0, last + 1, diagonal, f);
        if (t_.bottom != nullptr && s >= used_ - 1) {
            const auto lane = static_cast<std::size_t>(used_ - 1);
            const index_t column = s - (used_ - 1);
            alignas(64) T gaps[lanes];
            hn::Store(f, d, gaps);
            t_.bottom[column] = h_[last * lanes + lane];
            t_.bottom_gap[column] = gaps[lane];
        }
        rows<Masked>(s, last + 1, depth_, diagonal, f);
        gap_ = f;
    }

    tile_rows<T>& rows_;
    tile<T>& t_;
    const std::size_t depth_;
    const index_t used_;  // lanes that have rows
    const V number_, open_, extend_;
    V best_, above_, gap_;
    T *h_, *e_, *scores_;
};

template <class T, bool ByEquality, bool Local>
void run_traced(tile_rows<T>& rows, tile<T>& t) {
    if (t.h_cells != nullptr)
        sweep<T, ByEquality, Local, true>(rows, t).run();
    else
        sweep<T, ByEquality, Local, false>(rows, t).run();
}

template <class T>
void run_tile(tile_rows<T>& rows, tile<T>& t) {
    if (t.by_equality && t.local) return run_traced<T, true, true>(rows, t);
    if (t.by_equality) return run_traced<T, true, false>(rows, t);
    if (t.local) return run_traced<T, false, true>(rows, t);
    run_traced<T, false, false>(rows, t);
}

/// Up to 32 letters, whose scores fit in a byte: table lookups in vectors of bytes, whatever T is. The codes
/// have a vector's margin behind the last.
template <class T>
void fill_profile(const std::uint8_t* codes, std::size_t cells, const std::int8_t* columns,
                  std::size_t letters, T* profile) {
    const lane_tag<std::int8_t> bytes;
    constexpr std::size_t count = hn::MaxLanes(lane_tag<std::int8_t>());
    const auto above = hn::Set(bytes, 15);
    alignas(64) std::int8_t scores[count];
    for (std::size_t letter = 0; letter < letters; ++letter) {
        const auto low = hn::LoadDup128(bytes, columns + 32 * letter);
        const auto high = hn::LoadDup128(bytes, columns + 32 * letter + 16);
        for (std::size_t k = 0; k < cells; k += count) {
            const auto code = hn::LoadU(bytes, reinterpret_cast<const std::int8_t*>(codes) + k);
            const auto nibble = hn::And(code, above);
            hn::Store(hn::IfThenElse(hn::Gt(code, above), hn::TableLookupBytes(high, nibble),
                                     hn::TableLookupBytes(low, nibble)),
                      bytes, scores);
            std::copy(scores, scores + HWY_MIN(count, cells - k), profile + letter * cells + k);
        }
    }
}

template <class T>
tile_kernel<T> kernel_of() {
    return {static_cast<index_t>(hn::MaxLanes(lane_tag<T>())), 16, run_tile<T>, fill_profile<T>};
}

tile_kernels kernels_here() {
    return {kernel_of<std::int8_t>(), kernel_of<std::int16_t>(), kernel_of<std::int32_t>()};
}
#endif

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(kernels_here);
tile_kernels diagonal_kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_here)();
}
}  // namespace wale::wavefront
#endif
