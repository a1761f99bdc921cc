// sweep-inl - a group of chains eliminated and substituted, one in each lane. No lane ever sees another, so a
// system's bits do not depend on its company. Once for each Highway target.
#if defined(WALE_TREE_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_TREE_SWEEP_INL
#undef WALE_TREE_SWEEP_INL
#else
#define WALE_TREE_SWEEP_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <limits>

#include "solvers/tree/chains/cpu/lanes/group.hpp"
#include "solvers/tree/elimination/lanes/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

template <class T, bool Pivoted, bool Periodic>
class lane_sweep {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;
    static constexpr index_t vector = vector_size<T>;
    static constexpr D d{};

public:
    explicit lane_sweep(const chain_group& g)
        : g_(g),
          at_{{Pivoted, Periodic}, g.rows, g.pitch, vector},
          inner_(Periodic ? g.rows - 1 : g.rows),
          memory_(static_cast<T*>(g.scratch)) {}

    /// Every row is read once, and leaves y, right, beyond and column in its record.
    HWY_INLINE void down() {
        start();
        lane_rows<T> diagonal(g_, g_.diagonal, 0, tile(0)), rhs(g_, g_.rhs, 0, tile(1));
        lane_rows<T> below(g_, g_.transposed ? g_.upper : g_.lower, g_.transposed ? -1 : 0, tile(2));
        lane_rows<T> above(g_, g_.transposed ? g_.lower : g_.upper, g_.transposed ? 1 : 0, tile(3));
        const bool in_place = diagonal.in_place() && rhs.in_place();
        const index_t stretch = in_place ? std::max<index_t>(inner_, 1) : vector;
        for (index_t k = 0; k < inner_; k += stretch) {
            if (g_.woven)
                unweave(k, diagonal, rhs, below, above);
            else if (!in_place)
                bring(k, diagonal, rhs, below, above);
            for (index_t i = k; i < std::min(k + stretch, inner_); ++i) {
                const arrival row{diagonal.row(i), i > 0 ? below.row(i) : record(-1),
                                  i + 1 < inner_ ? above.row(i) : record(-1), rhs.row(i)};
                if (in_place) prefetch(diagonal, below, above, rhs, i + g_.ahead);
                Pivoted ? arrive_pivoted(i, row) : arrive(i, row);
            }
        }
        if (Pivoted && inner_ > 0) leave_last();
        if (Periodic) close();
    }

    /// The solution takes the place of y, and goes to its own.
    HWY_INLINE void up() {
        if (Periodic) {
            copy(state(at_.closing), record(inner_) + at_.y() * g_.pitch);
            if (g_.solution.side_by_side)
                copy(state(at_.closing), place(inner_));
            else if (inner_ % vector == 0)
                put(inner_);
        }
        for (index_t i = inner_ - 1; i >= 0; --i) {
            if (!g_.solution.side_by_side) {
                substitute<where::record_only>(i);
                if (i % vector == 0) put(i);
            } else if (g_.stream) {
                substitute<where::streamed>(i);
            } else {
                substitute<where::stored>(i);
            }
        }
    }

private:
    struct arrival {
        const T *diagonal, *below, *above, *rhs;
    };
    enum class where { record_only, stored, streamed };

    /// Rows [k, k + vector) of what is not in place. Row 0 of `below` and the last of `above` are not used;
    /// where sizes differ every lane's own are 0.
    HWY_INLINE void bring(index_t k, lane_rows<T>& diagonal, lane_rows<T>& rhs, lane_rows<T>& below,
                          lane_rows<T>& above) const {
        if (g_.ragged) {
            diagonal.fetch_ragged(k, 0, 0, T(1));
            below.fetch_ragged(k, 1, 0, T(0));
            above.fetch_ragged(k, 0, 1, T(0));
            rhs.fetch_ragged(k, 0, 0, T(0));
            return;
        }
        if (!diagonal.in_place()) {
            diagonal.fetch(k, {0, g_.rows});
            below.fetch(k, {g_.transposed ? 1 : 0, g_.rows});
            above.fetch(k, {0, g_.transposed ? g_.rows - 1 : g_.rows});
        }
        if (!rhs.in_place()) rhs.fetch(k, {0, g_.rows});
    }
    /// The same where all four arrays are woven into one of four times the rows.
    HWY_INLINE void unweave(index_t k, lane_rows<T>& diagonal, lane_rows<T>& rhs, lane_rows<T>& below,
                            lane_rows<T>& above) const {
        lane_set all = g_;
        all.rows = 4 * g_.rows;
        all.next_group = 4 * g_.next_group;
        for (int part = 0; part < 4; ++part)
            lane_rows<T>(all, g_.weave, 0, tile(part)).fetch(4 * k + part * vector, {0, all.rows});
        int word = 0;
        for (lane_rows<T>* rows : {&diagonal, &rhs, &below, &above})
            rows->look_at(tile(0) + g_.word_of[word++] * g_.pitch, 4 * g_.pitch, -k);
    }

    HWY_INLINE T* record(index_t row) const { return memory_ + at_.record_at(row); }
    HWY_INLINE T* state(lane_layout::state s) const { return memory_ + at_.state_at(s); }
    HWY_INLINE T* tile(int number) const { return memory_ + at_.tile_at(number); }
    HWY_INLINE T* place(index_t row) const {
        return static_cast<T*>(g_.to) + g_.solution.at[0] + row * g_.solution.step;
    }
    HWY_INLINE V word(const T* p, int number, index_t w) const {
        return hn::Load(d, p + number * g_.pitch + w);
    }
    HWY_INLINE void put_word(V v, T* p, int number, index_t w) const {
        hn::Store(v, d, p + number * g_.pitch + w);
    }
    HWY_INLINE void copy(const T* from, T* to) const {
        for (index_t w = 0; w < g_.pitch; w += vector) hn::StoreU(hn::Load(d, from + w), d, to + w);
    }
    HWY_INLINE void put(index_t row) const {
        put_rows<T>(g_, record(row) + at_.y() * g_.pitch, at_.record_words() * g_.pitch,
                    {static_cast<T*>(g_.to), g_.solution, row, g_.stream});
    }
    HWY_INLINE void prefetch(const lane_rows<T>& a, const lane_rows<T>& b, const lane_rows<T>& c,
                             const lane_rows<T>& e, index_t row) const {
        if (row >= inner_) return;
        constexpr index_t line = 64 / sizeof(T);
        for (const lane_rows<T>* rows : {&a, &b, &c, &e}) {
            const T* p = rows->row(row);
            for (index_t w = 0; w < g_.pitch; w += line) to_second_cache(p + w);
        }
    }

    /// Zeros before the first row; of a ring the corners, gathered lane by lane.
    HWY_INLINE void start() const {
        std::fill(memory_, record(0), T(0));
        std::fill(g_.poor, g_.poor + g_.pitch, false);
        if (!Periodic) return;
        for (index_t w = 0; w < g_.pitch; ++w) {
            const ring r = w < g_.lanes ? ring_of(w) : ring{};
            state(at_.corner)[w] = r.corner;
            state(at_.closing)[w] = r.closing;
            state(at_.first_column)[w] = r.column[0];
            state(at_.last_column)[w] = r.column[1];
            state(at_.border)[w] = r.border[0];
            state(at_.last_border)[w] = r.border[1];
            state(at_.ahead)[w] = T(0);
            state(at_.growth)[w] = T(0);
            state(at_.largest_growth)[w] = most_border_growth<T> * r.last_row;
        }
    }
    struct ring {
        T corner = 1, closing = 0, last_row = 1, column[2] = {}, border[2] = {};
    };
    /// With one inner row the first is the last.
    HWY_INLINE ring ring_of(index_t w) const {
        const index_t n = g_.rows;
        const auto lane = [&](const lane_array& a) {
            return line<const T>{static_cast<const T*>(a.data) + a.at[w], a.step};
        };
        couplings<T> a{lane(g_.diagonal), lane(g_.lower), lane(g_.upper)};
        a.size = n;
        if (g_.transposed) std::swap(a.below, a.above);
        a.first = g_.transposed ? a.below[n - 1] : a.below[0];
        a.last = g_.transposed ? a.above[0] : a.above[n - 1];
        if (n > 1) (g_.transposed ? a.above : a.below).data += a.diagonal.step;
        ring r{a.corner(), lane(g_.rhs)[n - 1], a.last_row(), {}, {}};
        if (inner_ > 0) {
            r.column[0] = a.column(0);
            r.column[1] = a.column(inner_ - 1);
            r.border[0] = a.border(0);
            r.border[1] = a.border(inner_ - 1);
        }
        return r;
    }
    HWY_INLINE const T* column_of(index_t row) const {
        return row == 0 ? state(at_.first_column) : row == inner_ - 1 ? state(at_.last_column) : record(-1);
    }

    /// 1 / pivot; lanes without a proper reciprocal are noted.
    HWY_INLINE V reciprocal(V pivot, index_t w) const {
        constexpr T least = std::numeric_limits<T>::min();
        const V size = hn::Abs(pivot);
        const auto good = hn::And(hn::Ge(size, hn::Set(d, least)), hn::Le(size, hn::Set(d, 1 / least)));
        if (HWY_UNLIKELY(!hn::AllTrue(d, good))) note(good, w);
        return hn::Div(hn::Set(d, T(1)), pivot);
    }
    template <class M>
    HWY_NOINLINE void note(M good, index_t w) const {
        HWY_ALIGN T one[vector];
        hn::Store(hn::IfThenElseZero(good, hn::Set(d, T(1))), d, one);
        for (index_t i = 0; i < vector; ++i) g_.poor[w + i] = g_.poor[w + i] || one[i] == T(0);
    }

    /// Row `row` is finished: what the last row loses by it.
    HWY_INLINE void take_from_last(index_t row, V y, V right, V beyond, V column, index_t w) const {
        const V factor = word(state(at_.border), 0, w);
        put_word(hn::NegMulAdd(factor, column, word(state(at_.corner), 0, w)), state(at_.corner), 0, w);
        put_word(hn::NegMulAdd(factor, y, word(state(at_.closing), 0, w)), state(at_.closing), 0, w);
        if constexpr (Pivoted) {
            const V sum =
                hn::Add(hn::Add(hn::Set(d, T(1)), hn::Abs(right)), hn::Add(hn::Abs(beyond), hn::Abs(column)));
            put_word(hn::MulAdd(hn::Abs(factor), sum, word(state(at_.growth), 0, w)), state(at_.growth), 0,
                     w);
        }
        const T* own = row + 1 == inner_ - 1 ? state(at_.last_border) : record(-1);
        const V next = hn::Add(word(own, 0, w), word(state(at_.ahead), 0, w));
        put_word(hn::NegMulAdd(factor, right, next), state(at_.border), 0, w);
        put_word(hn::Neg(hn::Mul(factor, beyond)), state(at_.ahead), 0, w);
    }

    HWY_INLINE void arrive(index_t i, const arrival& a) const {
        const T *before = record(i - 1), *columns = column_of(i);
        T* now = record(i);
        for (index_t w = 0; w < g_.pitch; w += vector) {
            const V low = hn::LoadU(d, a.below + w);
            const V pivot = hn::NegMulAdd(low, word(before, at_.right(), w), hn::LoadU(d, a.diagonal + w));
            const V moving = hn::NegMulAdd(low, word(before, at_.y(), w), hn::LoadU(d, a.rhs + w));
            const V inverse = reciprocal(pivot, w);
            const V right = hn::Mul(hn::LoadU(d, a.above + w), inverse), y = hn::Mul(moving, inverse);
            put_word(right, now, at_.right(), w);
            put_word(y, now, at_.y(), w);
            if constexpr (Periodic) {
                const V fill = hn::NegMulAdd(low, word(before, at_.column(), w), hn::Load(d, columns + w));
                const V column = hn::Mul(fill, inverse);
                put_word(column, now, at_.column(), w);
                take_from_last(i, y, right, hn::Zero(d), column, w);
            }
        }
    }

    /// The carried row and row i: the one with the larger element leaves as row i - 1, the other is carried.
    HWY_INLINE void arrive_pivoted(index_t i, const arrival& a) const {
        T *now = record(i - 1), *carried = state(at_.pivot);
        const T* columns = column_of(i);
        for (index_t w = 0; w < g_.pitch; w += vector) {
            const V diagonal = hn::LoadU(d, a.diagonal + w), above = hn::LoadU(d, a.above + w);
            const V rhs = hn::LoadU(d, a.rhs + w);
            V fill = hn::Zero(d);
            if constexpr (Periodic) fill = hn::Load(d, columns + w);
            if (i == 0) {
                carry(carried, diagonal, above, rhs, fill, w);
                continue;
            }
            const V low = hn::LoadU(d, a.below + w), pivot = word(carried, at_.pivot, w);
            const V across = word(carried, at_.across, w), moving = word(carried, at_.moving, w);
            const auto exchange = hn::Gt(hn::Abs(low), hn::Abs(pivot));
            const V inverse = reciprocal(hn::IfThenElse(exchange, low, pivot), w);
            const V other = hn::IfThenElse(exchange, pivot, low);
            const V right = hn::Mul(hn::IfThenElse(exchange, diagonal, across), inverse);
            const V beyond = hn::Mul(hn::IfThenElseZero(exchange, above), inverse);
            const V y = hn::Mul(hn::IfThenElse(exchange, rhs, moving), inverse);
            put_word(right, now, at_.right(), w);
            put_word(beyond, now, at_.beyond(), w);
            put_word(y, now, at_.y(), w);
            V rest = fill;
            if constexpr (Periodic) {
                const V old = word(carried, at_.across_column, w);
                const V column = hn::Mul(hn::IfThenElse(exchange, fill, old), inverse);
                put_word(column, now, at_.column(), w);
                take_from_last(i - 1, y, right, beyond, column, w);
                rest = hn::NegMulAdd(other, column, hn::IfThenElse(exchange, old, fill));
            }
            carry(carried, hn::NegMulAdd(other, right, hn::IfThenElse(exchange, across, diagonal)),
                  hn::NegMulAdd(other, beyond, hn::IfThenZeroElse(exchange, above)),
                  hn::NegMulAdd(other, y, hn::IfThenElse(exchange, moving, rhs)), rest, w);
        }
    }
    HWY_INLINE void carry(T* carried, V pivot, V across, V moving, V column, index_t w) const {
        put_word(pivot, carried, at_.pivot, w);
        put_word(across, carried, at_.across, w);
        put_word(moving, carried, at_.moving, w);
        if constexpr (Periodic) put_word(column, carried, at_.across_column, w);
    }
    /// The last row has no row to exchange with.
    HWY_INLINE void leave_last() const {
        T *now = record(inner_ - 1), *carried = state(at_.pivot);
        const V zero = hn::Zero(d);
        for (index_t w = 0; w < g_.pitch; w += vector) {
            const V inverse = reciprocal(word(carried, at_.pivot, w), w);
            const V y = hn::Mul(word(carried, at_.moving, w), inverse);
            put_word(y, now, at_.y(), w);
            put_word(zero, now, at_.right(), w);
            put_word(zero, now, at_.beyond(), w);
            if constexpr (Periodic) {
                const V column = hn::Mul(word(carried, at_.across_column, w), inverse);
                put_word(column, now, at_.column(), w);
                take_from_last(inner_ - 1, y, zero, zero, column, w);
            }
        }
    }
    /// The last unknown of a ring.
    HWY_INLINE void close() const {
        for (index_t w = 0; w < g_.pitch; w += vector) {
            if constexpr (Pivoted) {
                const auto stable =
                    hn::Le(word(state(at_.growth), 0, w), word(state(at_.largest_growth), 0, w));
                if (HWY_UNLIKELY(!hn::AllTrue(d, stable))) note(stable, w);
            }
            const V inverse = reciprocal(word(state(at_.corner), 0, w), w);
            put_word(hn::Mul(word(state(at_.closing), 0, w), inverse), state(at_.closing), 0, w);
        }
    }

    template <where To>
    HWY_INLINE void substitute(index_t i) const {
        T* now = record(i);
        const T* next = i + 1 < inner_ ? record(i + 1) : record(-1);
        const T* after = i + 2 < inner_ ? record(i + 2) : record(-1);
        for (index_t w = 0; w < g_.pitch; w += vector) {
            V x = word(now, at_.y(), w);
            if constexpr (Periodic)
                x = hn::NegMulAdd(word(now, at_.column(), w), word(state(at_.closing), 0, w), x);
            if constexpr (Pivoted) x = hn::NegMulAdd(word(now, at_.beyond(), w), word(after, at_.y(), w), x);
            x = hn::NegMulAdd(word(now, at_.right(), w), word(next, at_.y(), w), x);
            put_word(x, now, at_.y(), w);
            if constexpr (To == where::stored) hn::StoreU(x, d, place(i) + w);
            if constexpr (To == where::streamed) hn::Stream(x, d, place(i) + w);
        }
    }

    const chain_group& g_;
    const lane_layout at_;
    const index_t inner_;
    T* const memory_;
};

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
