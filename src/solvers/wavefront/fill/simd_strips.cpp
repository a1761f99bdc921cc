#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/fill/simd_strips.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cstring>

#include "solvers/wavefront/fill/simd_strips.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // no vectors here: the row refuses such a machine
void fill_tile(const strip_tile&) {}
int rows_of_strip() {
    return 1;
}
#else

using int_tag = hn::CappedTag<std::int32_t, most_strip_rows>;
using float_tag = hn::CappedTag<float, most_strip_rows>;
using bits_tag = hn::CappedTag<std::uint32_t, most_strip_rows>;

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

template <bool Squared>
struct dtw_cell {
    using tag = float_tag;
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

/// Four steps of all lanes as four cells of each row: rows[j][4 * g ...] is row 4 * g + j.
struct four_steps {
    alignas(64) std::uint32_t rows[4][most_strip_rows];

    template <class D>
    HWY_INLINE void transpose(D d, hn::Vec<D> x0, hn::Vec<D> x1, hn::Vec<D> x2, hn::Vec<D> x3) {
        const hn::RepartitionToWide<bits_tag> wide;
        const bits_tag narrow;
        const auto pairs = [&](auto v) { return hn::BitCast(wide, v); };
        const auto low01 = pairs(hn::InterleaveLower(d, x0, x1)),
                   low23 = pairs(hn::InterleaveLower(d, x2, x3));
        const auto high01 = pairs(hn::InterleaveUpper(d, x0, x1)),
                   high23 = pairs(hn::InterleaveUpper(d, x2, x3));
        hn::Store(hn::BitCast(narrow, hn::InterleaveLower(wide, low01, low23)), narrow, rows[0]);
        hn::Store(hn::BitCast(narrow, hn::InterleaveUpper(wide, low01, low23)), narrow, rows[1]);
        hn::Store(hn::BitCast(narrow, hn::InterleaveLower(wide, high01, high23)), narrow, rows[2]);
        hn::Store(hn::BitCast(narrow, hn::InterleaveUpper(wide, high01, high23)), narrow, rows[3]);
    }

    /// Row k of the strip at steps s..s+3 is columns s-k..s-k+3.
    template <class T>
    HWY_INLINE void store(const strip_tile& t, index_t s) const {
        T* to = static_cast<T*>(t.job->table) + t.first_row * t.job->pitch + s;
        const index_t lean = t.job->pitch - 1;
        if (s >= t.rows - 1 && s + 4 <= t.job->columns) {
            for (int k = 0; k < t.rows; ++k) store4(rows[k % 4] + k / 4 * 4, to + k * lean);
            return;
        }
        for (int k = 0; k < t.rows; ++k) {
            T four[4];
            store4(rows[k % 4] + k / 4 * 4, four);
            for (index_t j = 0; j < 4; ++j)
                if (s + j >= k && s + j - k < t.job->columns) to[k * lean + j] = four[j];
        }
    }
};

template <class T, class Cell>
void run_strip(const strip_tile& t, const Cell& cell) {
    using V = typename Cell::V;
    using lane = hn::TFromD<typename Cell::tag>;
    const typename Cell::tag d;
    const bits_tag bits;
    const hn::RebindToSigned<bits_tag> ints;
    const auto load = [&](const std::uint32_t* p) { return hn::BitCast(d, hn::LoadU(bits, p)); };
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
            const auto waits = hn::Gt(number, hn::Set(ints, static_cast<std::int32_t>(s)));
            current = hn::IfThenElse(hn::RebindMask(d, waits), left, current);
        }
        diagonal = up;
        return current;
    };
    four_steps four;
    for (index_t s = t.step_begin; s < t.step_end; s += 4) {
        const V x0 = step(s), x1 = step(s + 1), x2 = step(s + 2), x3 = step(s + 3);
        four.transpose(d, x0, x1, x2, x3);
        four.store<T>(t, s);
    }
    hn::Store(hn::BitCast(bits, current), bits, t.state->cell);
    hn::Store(hn::BitCast(bits, diagonal), bits, t.state->diagonal);
}

void fill_tile(const strip_tile& t) {
    if (t.job->kind == recurrence::global) {
        const global_cell cell{t.job->score};
        if (t.job->type == element::i16) return run_strip<std::int16_t>(t, cell);
        return run_strip<std::int32_t>(t, cell);
    }
    if (t.job->cost == dtw_cost::squared) return run_strip<float>(t, dtw_cell<true>{});
    run_strip<float>(t, dtw_cell<false>{});
}

int rows_of_strip() {
    return static_cast<int>(hn::Lanes(bits_tag()));
}
#endif

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(fill_tile);
HWY_EXPORT(rows_of_strip);
void fill_strip_tile(const strip_tile& t) {
    HWY_DYNAMIC_DISPATCH(fill_tile)(t);
}
int strip_rows() {
    return HWY_DYNAMIC_DISPATCH(rows_of_strip)();
}
}  // namespace wale::wavefront
#endif
