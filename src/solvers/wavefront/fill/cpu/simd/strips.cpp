// strips - the kernel for global alignment and time warping, for each Highway target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/fill/cpu/simd/strips.cpp"
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

#if HWY_TARGET == HWY_SCALAR  // no vectors here: the row refuses such a machine
void fill_tile(const strip_tile<std::uint32_t>&) {}
void fill_wide_tile(const strip_tile<std::uint64_t>&) {}
int rows_of_strip(int) {
    return 1;
}
#else

using int_tag = hn::CappedTag<std::int32_t, most_strip_rows>;
template <class Word>
using bits_tag = hn::CappedTag<Word, most_strip_rows>;

struct global_cell {
    using tag = int_tag;
    using V = hn::Vec<tag>;
    scoring score;
    HWY_INLINE V operator()(V diagonal, V up, V left, V a, V b) const {
        const tag d;
        const V pair = hn::Add(
            diagonal, hn::IfThenElse(hn::Eq(a, b), hn::Set(d, score.match), hn::Set(d, score.mismatch)));
        return hn::Max(pair, hn::Add(hn::Max(up, left), hn::Set(d, score.gap)));
    }
};

template <class T, bool Squared>
struct dtw_cell {
    using tag = hn::CappedTag<T, most_strip_rows>;
    using V = hn::Vec<tag>;
    HWY_INLINE V operator()(V diagonal, V up, V left, V a, V b) const {
        const V difference = hn::Sub(a, b);
        const V cost = Squared ? hn::Mul(difference, difference) : hn::Abs(difference);
        return hn::Add(cost, hn::Min(hn::Min(left, up), diagonal));
    }
};

/// Four cells of a row.
HWY_INLINE void store4(const std::uint32_t* from, std::int32_t* to) {
    std::memcpy(to, from, 16);
}
HWY_INLINE void store4(const std::uint32_t* from, float* to) {
    std::memcpy(to, from, 16);
}
HWY_INLINE void store4(const std::uint32_t* from, std::int16_t* to) {
    const hn::FixedTag<std::int32_t, 4> d;
    const hn::Rebind<std::int16_t, decltype(d)> half;
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(d, hn::LoadU(hn::FixedTag<std::uint32_t, 4>(), from))), half,
               to);
}

/// The cells of some steps, straightened into rows: row k at place x is step begin + x, column begin + x - k.
/// Collected here because rows of a table whose pitch is a power of two share their places in the first
/// cache.
template <class T>
struct collector {
    static constexpr index_t steps = 128;
    alignas(64) T rows[most_strip_rows][steps + 16];

    /// Four steps of all lanes: a transposition within blocks of four lanes of 32 bits.
    template <class D>
        requires(sizeof(hn::TFromD<D>) == 4)
    HWY_INLINE void put(index_t x, D d, const hn::Vec<D> (&v)[4]) {
        const bits_tag<std::uint32_t> narrow;
        const hn::RepartitionToWide<bits_tag<std::uint32_t>> wide;
        const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, v[0], v[1]));
        const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, v[2], v[3]));
        const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, v[0], v[1]));
        const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, v[2], v[3]));
        alignas(64) std::uint32_t four[4][most_strip_rows];  // four[j][4 * g...]: row 4 * g + j
        hn::Store(hn::BitCast(narrow, hn::InterleaveLower(wide, low01, low23)), narrow, four[0]);
        hn::Store(hn::BitCast(narrow, hn::InterleaveUpper(wide, low01, low23)), narrow, four[1]);
        hn::Store(hn::BitCast(narrow, hn::InterleaveLower(wide, high01, high23)), narrow, four[2]);
        hn::Store(hn::BitCast(narrow, hn::InterleaveUpper(wide, high01, high23)), narrow, four[3]);
        for (std::size_t k = 0; k < hn::Lanes(d); ++k) store4(four[k % 4] + k / 4 * 4, rows[k] + x);
    }
    /// Of 64 bits: within blocks of two lanes, two steps at a time.
    template <class D>
        requires(sizeof(hn::TFromD<D>) == 8)
    HWY_INLINE void put(index_t x, D d, const hn::Vec<D> (&v)[4]) {
        alignas(64) T two[2][most_strip_rows];  // two[j][2 * g...]: row 2 * g + j
        for (index_t s = 0; s < 4; s += 2) {
            hn::Store(hn::InterleaveLower(d, v[s], v[s + 1]), d, two[0]);
            hn::Store(hn::InterleaveUpper(d, v[s], v[s + 1]), d, two[1]);
            for (std::size_t k = 0; k < hn::Lanes(d); ++k)
                std::memcpy(rows[k] + x + s, two[k % 2] + k / 2 * 2, 2 * sizeof(T));
        }
    }

    template <class Word>
    void flush(const strip_tile<Word>& t, index_t begin, index_t end) const {
        T* table = static_cast<T*>(t.job->table) + t.first_row * t.job->pitch;
        for (index_t k = 0; k < t.rows; ++k) {
            const index_t from = HWY_MAX(begin - k, index_t{0});
            const index_t to = HWY_MIN(end - k, t.job->columns);
            const bool stream = t.stream && k + 1 < t.rows;  // the last row is read again soon
            if (from < to)
                store_row(rows[k] + (from + k - begin), table + k * t.job->pitch + from, to - from, stream);
        }
    }
};

template <class T, class Cell>
void run_strip(const strip_tile<strip_word<T>>& t, const Cell& cell) {
    using word = strip_word<T>;
    using V = typename Cell::V;
    using lane = hn::TFromD<typename Cell::tag>;
    const typename Cell::tag d;
    const bits_tag<word> bits;
    const hn::RebindToSigned<bits_tag<word>> ints;
    using number_of_lane = hn::TFromD<decltype(ints)>;
    const auto load = [&](const word* p) { return hn::BitCast(d, hn::LoadU(bits, p)); };
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto number = hn::Iota(ints, 0);
    const auto rotated = hn::And(hn::Add(number, hn::Set(ints, lanes - 1)), hn::Set(ints, lanes - 1));
    const auto rotate = hn::IndicesFromVec(d, rotated);
    const auto first = hn::RebindMask(d, hn::Eq(number, hn::Zero(ints)));
    const V a = load(t.state->symbol), left = load(t.state->left);
    V current = load(t.state->cell), diagonal = load(t.state->diagonal);
    const T* top = static_cast<const T*>(t.top);

    const auto step = [&](index_t s) HWY_ATTR {
        const lane above = static_cast<lane>(s < t.job->columns ? top[s] : T{0});
        const V up = hn::IfThenElse(first, hn::Set(d, above), hn::TableLookupLanes(current, rotate));
        current = cell(diagonal, up, current, a, load(t.backwards - s));
        if (s < lanes) {  // lanes that have not reached column 0 keep the border
            const auto waits = hn::Gt(number, hn::Set(ints, static_cast<number_of_lane>(s)));
            current = hn::IfThenElse(hn::RebindMask(d, waits), left, current);
        }
        diagonal = up;
        return current;
    };
    collector<T> collected;
    for (index_t begin = t.step_begin; begin < t.step_end; begin += collector<T>::steps) {
        const index_t end = HWY_MIN(begin + collector<T>::steps, t.step_end);
        for (index_t s = begin; s < end; s += 4) {
            const V four[4] = {step(s), step(s + 1), step(s + 2), step(s + 3)};
            collected.put(s - begin, d, four);
        }
        collected.flush(t, begin, end);
    }
    if (t.stream) hwy::FlushStream();  // before the tile is published
    hn::Store(hn::BitCast(bits, current), bits, t.state->cell);
    hn::Store(hn::BitCast(bits, diagonal), bits, t.state->diagonal);
}

void fill_tile(const strip_tile<std::uint32_t>& t) {
    if (t.job->kind == recurrence::global) {
        const global_cell cell{t.job->score};
        if (t.job->type == element::i16) return run_strip<std::int16_t>(t, cell);
        return run_strip<std::int32_t>(t, cell);
    }
    if (t.job->cost == dtw_cost::squared) return run_strip<float>(t, dtw_cell<float, true>{});
    run_strip<float>(t, dtw_cell<float, false>{});
}
void fill_wide_tile(const strip_tile<std::uint64_t>& t) {
    if (t.job->cost == dtw_cost::squared) return run_strip<double>(t, dtw_cell<double, true>{});
    run_strip<double>(t, dtw_cell<double, false>{});
}

int rows_of_strip(int lane_bytes) {
    return static_cast<int>(lane_bytes == 8 ? hn::Lanes(bits_tag<std::uint64_t>())
                                            : hn::Lanes(bits_tag<std::uint32_t>()));
}
#endif

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(fill_tile);
HWY_EXPORT(fill_wide_tile);
HWY_EXPORT(rows_of_strip);
void fill_strip_tile(const strip_tile<std::uint32_t>& t) {
    HWY_DYNAMIC_DISPATCH(fill_tile)(t);
}
void fill_strip_tile(const strip_tile<std::uint64_t>& t) {
    HWY_DYNAMIC_DISPATCH(fill_wide_tile)(t);
}
int strip_rows(int lane_bytes) {
    return HWY_DYNAMIC_DISPATCH(rows_of_strip)(lane_bytes);
}
}  // namespace wale::wavefront
#endif
