// scan - the kernel of cpu/lanes, for each Highway target.
//
// A lane's column is words of 64 rows, the upper ones active: all cells of the others are above the bound
// (Ukkonen 1985). Mostly a single word is active, as queries differ from most of the text in their first
// rows already; then `chunk_columns` columns are computed without a look at their values, which change by at
// most one a column.
#include <cstdint>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/infix/cpu/lanes/scan.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include "cpu/poll.hpp"
#include "solvers/wavefront/infix/cpu/lanes/scan.hpp"
#include "solvers/wavefront/length/shared/bit_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

constexpr index_t chunk_columns = 8;
using signed_tag = hn::RebindToSigned<word_tag>;
using signed_vector = hn::Vec<signed_tag>;

struct a_or_neither {
    static constexpr int truth = (truth_a | ~(truth_b | truth_c)) & 0xFF;
    static HWY_INLINE word_vector portable(word_vector a, word_vector b, word_vector c) {
        return hn::Or(a, hn::Not(hn::Or(b, c)));
    }
};

/// Masks by code: a load. The rows of code c in word w are masks[c][w].
struct code_masks {
    const scan_group& g;
    HWY_INLINE word_vector at(index_t column, std::size_t word, std::size_t lane) const {
        const std::size_t c = static_cast<const std::uint8_t*>(g.text)[column];
        return hn::Load(word_tag(), g.masks + (c * g.words + word) * g.lanes + lane);
    }
};

/// Masks from bit planes, for alphabets whose masks would take too much memory.
struct plane_masks {
    const scan_group& g;
    HWY_INLINE word_vector at(index_t column, std::size_t word, std::size_t lane) const {
        const word_tag d;
        const std::uint32_t c = g.code_bytes == 1 ? static_cast<const std::uint8_t*>(g.text)[column]
                                                  : static_cast<const std::uint32_t*>(g.text)[column];
        word_vector differ = hn::Zero(d);
        for (int p = 0; p < g.planes; ++p) {
            const auto plane = static_cast<std::size_t>(p);
            const word_vector rows = hn::Load(d, g.masks + (plane * g.words + word) * g.lanes + lane);
            differ = hn::Or(differ, hn::Xor(rows, hn::Set(d, 0 - std::uint64_t{c >> p & 1})));
        }
        return hn::Not(differ);
    }
};

/// Vertical differences +1 and -1 of 64 rows, a bit a row.
struct rows_64 {
    word_vector plus, minus;
};

/// One column of one word below the border of zeros.
HWY_INLINE void step_below_zeros(word_vector m, rows_64& v) {
    const word_vector xv = hn::Or(m, v.minus);
    const word_vector xh = logic(a_or_b_xor_c(), m, hn::Add(hn::And(m, v.plus), v.plus), v.plus);
    const word_vector plus = logic(a_or_neither(), v.minus, xh, v.plus);
    const word_vector minus = hn::And(v.plus, xh);
    const word_vector below = hn::Add(plus, plus);
    v.plus = logic(a_or_neither(), hn::Add(minus, minus), xv, below);
    v.minus = hn::And(below, xv);
}

/// One column of one word; in and out, what the rows above and the last row rise (plus) and fall (minus), in
/// bit 0. `end_bit` is the last row.
HWY_INLINE void step(word_vector m, rows_64& v, rows_64& carry, word_vector end_bit) {
    const word_tag d;
    const word_vector one = hn::Set(d, 1), zero = hn::Zero(d);
    const word_vector xv = hn::Or(m, v.minus);
    m = hn::Or(m, carry.minus);
    const word_vector xh = logic(a_or_b_xor_c(), m, hn::Add(hn::And(m, v.plus), v.plus), v.plus);
    const word_vector plus = logic(a_or_neither(), v.minus, xh, v.plus);
    const word_vector minus = hn::And(v.plus, xh);
    const word_vector below = hn::Or(hn::Add(plus, plus), carry.plus);
    v.plus = logic(a_or_neither(), hn::Or(hn::Add(minus, minus), carry.minus), xv, below);
    v.minus = hn::And(below, xv);
    carry.plus = hn::IfThenElseZero(hn::Ne(hn::And(plus, end_bit), zero), one);
    carry.minus = hn::IfThenElseZero(hn::Ne(hn::And(minus, end_bit), zero), one);
}

template <class Masks>
class scanner {
public:
    HWY_INLINE explicit scanner(const scan_group& g)
        : g_(g), masks_{g}, lanes_(hn::Lanes(word_tag())), vectors_(g.lanes / lanes_) {
        const word_tag d;
        for (std::size_t w = 0; w < g.words; ++w)
            for (std::size_t lane = 0; lane < g.lanes; lane += lanes_)
                put(w, lane, {hn::Set(d, ~std::uint64_t{0}), hn::Zero(d)});
        for (std::size_t v = 0; v < vectors_; ++v) {
            last_[v] = 0;
            hn::Store(rise(0, v * lanes_), signed_tag(), value_ + v * lanes_);
            calm_[v] = false;
        }
    }

    HWY_INLINE void run() {
        cpu::rare_poll poll(64);
        for (index_t column = g_.first; column < g_.last;) {
            poll();
            const index_t end = HWY_MIN(column + chunk_columns, g_.last);
            const bool whole = end - column == chunk_columns && !g_.prefix;
            if (vectors_ == 2 && whole && calm_[0] && calm_[1]) {
                skim<2>(column, 0);
            } else {
                for (std::size_t v = 0; v < vectors_; ++v)
                    if (whole && calm_[v]) skim<1>(column, v);
            }
            for (std::size_t v = 0; v < vectors_; ++v) {
                if (!skimmed_[v]) look(column, end, v);
                skimmed_[v] = false;
            }
            column = end;
        }
    }

private:
    HWY_INLINE std::size_t at(std::size_t word, std::size_t lane) const {
        return 2 * (word * g_.lanes + lane);
    }
    HWY_INLINE rows_64 get(std::size_t word, std::size_t lane) const {
        const word_tag d;
        const std::uint64_t* from = g_.state + at(word, lane);
        return {hn::Load(d, from), hn::Load(d, from + lanes_)};
    }
    HWY_INLINE void put(std::size_t word, std::size_t lane, const rows_64& v) {
        const word_tag d;
        std::uint64_t* to = g_.state + at(word, lane);
        hn::Store(v.plus, d, to);
        hn::Store(v.minus, d, to + lanes_);
    }
    HWY_INLINE word_vector row_bits(std::size_t word, std::size_t lane) const {
        const word_tag d;
        return word + 1 == g_.words ? hn::Load(d, g_.end_rows + lane) : hn::Set(d, ~std::uint64_t{0});
    }
    /// From the row above a word to its last row.
    HWY_INLINE signed_vector rise(const rows_64& v, word_vector rows) const {
        const signed_tag s;
        return hn::Sub(hn::BitCast(s, hn::PopulationCount(hn::And(v.plus, rows))),
                       hn::BitCast(s, hn::PopulationCount(hn::And(v.minus, rows))));
    }
    HWY_INLINE signed_vector rise(std::size_t word, std::size_t lane) const {
        return rise(get(word, lane), row_bits(word, lane));
    }
    HWY_INLINE signed_vector bounds(std::size_t lane) const {
        return hn::LoadU(signed_tag(), g_.bounds + lane);
    }
    static HWY_INLINE bool any_at_most(signed_vector values, signed_vector bound) {
        return !hn::AllTrue(signed_tag(), hn::Gt(values, bound));
    }
    static HWY_INLINE signed_vector plus(signed_vector v, std::int64_t n) {
        return hn::Add(v, hn::Set(signed_tag(), n));
    }

    /// Whether all cells of a word are above the bound; `top` is the row above it. Every eighth row is looked
    /// at: a cell between is at most four rows from one, and differs by at most four.
    HWY_INLINE bool all_above(std::size_t word, std::size_t lane, signed_vector top) const {
        const word_tag d;
        const signed_vector bound = plus(bounds(lane), 4);
        const rows_64 v = get(word, lane);
        const word_vector rows = row_bits(word, lane);
        bool above = !any_at_most(top, bound);
        for (int r = 8; r <= 64 && above; r += 8) {
            const word_vector upper = hn::And(rows, hn::Set(d, ~std::uint64_t{0} >> (64 - r)));
            above = !any_at_most(hn::Add(top, rise(v, upper)), bound);
        }
        return above;
    }

    /// A chunk of V vectors from vector v on whose first word alone is active. Keeps the result of vectors
    /// that came near no bound.
    template <std::size_t V>
    HWY_INLINE void skim(index_t column, std::size_t v) {
        rows_64 now[V];
        for (std::size_t i = 0; i < V; ++i) now[i] = get(0, (v + i) * lanes_);
        for (index_t c = column; c < column + chunk_columns; ++c)
            for (std::size_t i = 0; i < V; ++i) step_below_zeros(masks_.at(c, 0, (v + i) * lanes_), now[i]);
        for (std::size_t i = 0; i < V; ++i) {
            const std::size_t lane = (v + i) * lanes_;
            const signed_vector value = rise(now[i], row_bits(0, lane));
            skimmed_[v + i] = !any_at_most(value, plus(bounds(lane), chunk_columns));
            if (!skimmed_[v + i]) continue;
            put(0, lane, now[i]);
            hn::Store(value, signed_tag(), value_ + lane);
        }
    }

    /// Columns of one vector, each with a look at the last active row.
    HWY_INLINE void look(index_t column, index_t end, std::size_t v) {
        const word_tag d;
        const signed_tag s;
        const std::size_t lane = v * lanes_;
        std::size_t last = last_[v];
        signed_vector value = hn::Load(s, value_ + lane);
        for (; column < end; ++column) {
            while (last + 1 < g_.words && any_at_most(value, bounds(lane))) {
                ++last;
                put(last, lane, {hn::Set(d, ~std::uint64_t{0}), hn::Zero(d)});
                value = hn::Add(value, rise(last, lane));
            }
            rows_64 carry{hn::Set(d, g_.prefix ? 1 : 0), hn::Zero(d)};
            for (std::size_t w = 0; w <= last; ++w) {
                const word_vector rows = row_bits(w, lane);
                rows_64 now = get(w, lane);
                step(masks_.at(column, w, lane), now, carry, hn::AndNot(hn::ShiftRight<1>(rows), rows));
                put(w, lane, now);
            }
            value = hn::Add(value, hn::BitCast(s, hn::Sub(carry.plus, carry.minus)));
            if (last + 1 == g_.words && column >= g_.report && any_at_most(value, bounds(lane)))
                keep_end(column + 1, value, lane);
        }
        for (; last > 0; --last) {
            const signed_vector top = hn::Sub(value, rise(last, lane));
            if (!all_above(last, lane, top)) break;
            value = top;
        }
        last_[v] = last;
        hn::Store(value, s, value_ + lane);
        calm_[v] = last == 0 && !any_at_most(value, plus(bounds(lane), chunk_columns));
    }

    HWY_NOINLINE void keep_end(index_t end, signed_vector values, std::size_t lane) {
        HWY_ALIGN std::int64_t of_lane[8] = {};
        hn::Store(values, signed_tag(), of_lane);
        for (std::size_t l = 0; l < lanes_; ++l) {
            if (of_lane[l] > g_.bounds[lane + l]) continue;
            g_.bounds[lane + l] = of_lane[l];
            g_.found(g_.context, lane + l, end, of_lane[l]);
        }
    }

    const scan_group& g_;
    const Masks masks_;
    const std::size_t lanes_, vectors_;
    std::size_t last_[scan_vectors];                  // active words but one
    bool calm_[scan_vectors];                         // one word is active and far above the bound
    bool skimmed_[scan_vectors] = {};                 // the chunk is done
    HWY_ALIGN std::int64_t value_[scan_vectors * 8];  // of the last active row
};

void scan_columns(const scan_group& g) {
    if (g.planes > 0)
        scanner<plane_masks>(g).run();
    else
        scanner<code_masks>(g).run();
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {

HWY_EXPORT(scan_columns);

void scan(const scan_group& g) {
    HWY_DYNAMIC_DISPATCH(scan_columns)(g);
}

}  // namespace wale::wavefront
#endif
