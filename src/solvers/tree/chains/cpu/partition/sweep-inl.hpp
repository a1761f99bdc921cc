// sweep-inl - segment.hpp's way down and up again for as many runs as a vector has lanes. Once for each
// Highway target.
#if defined(WALE_TREE_PARTITION_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_TREE_PARTITION_SWEEP_INL
#undef WALE_TREE_PARTITION_SWEEP_INL
#else
#define WALE_TREE_PARTITION_SWEEP_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "solvers/tree/chains/cpu/partition/runs.hpp"
#include "solvers/tree/lanes/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {
namespace pt = wale::tree::partition;

template <class T>
using lanes_of = hn::Vec<hn::ScalableTag<T>>;

template <class T>
struct lane_row {
    lanes_of<T> lower, diagonal, upper, right;
};
template <class T>
struct lane_equation {
    lanes_of<T> before, first, last, after, right;
};
template <class T>
struct lane_pivot {  // the row that takes an unknown out, divided by its pivot
    lanes_of<T> before, first, next, beyond, right;
};

/// Rows of all lanes, a block of as many as there are lanes.
template <class T>
struct lane_block {
    lanes_of<T> of[4][vector_size<T>];  // lower, diagonal, upper, right
    [[nodiscard]] HWY_INLINE lane_row<T> row(int r) const { return {of[0][r], of[1][r], of[2][r], of[3][r]}; }
};

template <class T>
class bundle_reader {
public:
    explicit bundle_reader(const pt::bundle<T>& b) : b_(b) {
        const bands<T>& a = b.chain.a;
        data_[0] = {a.transposed ? a.upper.data : a.lower.data, a.transposed ? -1 : 0};
        data_[1] = {a.diagonal.data, 0};
        data_[2] = {a.transposed ? a.lower.data : a.upper.data, a.transposed ? 1 : 0};
        data_[3] = {b.chain.right.data, 0};
    }
    /// Row j of every lane, by element.
    [[nodiscard]] HWY_NOINLINE lane_row<T> row(index_t j) const {
        const hn::ScalableTag<T> d;
        constexpr int n = vector_size<T>;
        HWY_ALIGN T part[4][n];
        for (int l = 0; l < n; ++l) {
            const pt::row<T> one = b_.chain[b_.first + l * b_.rows + j];
            part[0][l] = one.lower;
            part[1][l] = one.diagonal;
            part[2][l] = one.upper;
            part[3][l] = one.right;
        }
        return {hn::Load(d, part[0]), hn::Load(d, part[1]), hn::Load(d, part[2]), hn::Load(d, part[3])};
    }
    /// Rows j, j + 1, ... of every lane. The first and the last ones by element: the corners.
    HWY_INLINE void read(index_t j, lane_block<T>& to) const {
        const hn::ScalableTag<T> d;
        constexpr int n = vector_size<T>;
        if (j == 0 || j + n >= b_.rows) return read_edge(j, to);
        for (int k = 0; k < 4; ++k) {
            const T* p = data_[k].elements + (b_.first + j + data_[k].shift);
            for (int l = 0; l < n; ++l) to.of[k][l] = hn::LoadU(d, p + l * b_.rows);
            transpose<T>(to.of[k]);
        }
    }

private:
    HWY_NOINLINE void read_edge(index_t j, lane_block<T>& to) const {
        for (int r = 0; r < vector_size<T>; ++r) {
            const lane_row<T> one = row(j + r);
            to.of[0][r] = one.lower;
            to.of[1][r] = one.diagonal;
            to.of[2][r] = one.upper;
            to.of[3][r] = one.right;
        }
    }
    struct array {
        const T* elements;
        index_t shift;
    };
    const pt::bundle<T>& b_;
    array data_[4];
};

/// segment.hpp's absorb in lanes.
template <class T, bool Pivoted>
class lane_segment {
public:
    using V = lanes_of<T>;

    HWY_INLINE void couple(const lane_row<T>& r, const lane_row<T>& s) {
        const V none = hn::Zero(d);
        head_ = {r.lower, r.diagonal, r.upper, none, r.right};
        tail_ = {none, s.lower, s.diagonal, s.upper, s.right};
        bad_ = hn::Zero(d);
    }
    HWY_INLINE lane_pivot<T> absorb(const lane_row<T>& r) {
        const V none = hn::Zero(d);
        lane_equation<T> pivot = tail_, other{none, none, r.lower, r.diagonal, r.right};
        V beyond = none, other_beyond = r.upper;
        if constexpr (Pivoted) {
            const V most = largest(tail_);
            if (!hn::AllTrue(d, hn::Ge(hn::Abs(tail_.last), most))) {
                const V head = score(head_.last, largest(head_)), tail = score(tail_.last, most);
                const V low =
                    score(r.lower, hn::Max(hn::Max(hn::Abs(r.lower), hn::Abs(r.diagonal)), hn::Abs(r.upper)));
                // Where the tail's own is its largest it stays, as alone.
                const auto free = hn::Lt(hn::Abs(tail_.last), most);
                const auto by_row = hn::And(free, hn::And(hn::Gt(low, head), hn::Gt(low, tail)));
                const auto by_head = hn::And(free, hn::AndNot(by_row, hn::Gt(head, tail)));
                exchange(by_head, head_, pivot);
                exchange(by_row, pivot, other);
                beyond = hn::IfThenElseZero(by_row, other_beyond);
                other_beyond = hn::IfThenZeroElse(by_row, other_beyond);
            }
        }
        const V inverse = hn::Div(hn::Set(d, T(1)), pivot.last);
        // 0 times the pivot and its inverse: not a number if one of them is not finite.
        bad_ = hn::MulAdd(none, hn::Add(pivot.last, inverse), bad_);
        const lane_pivot<T> gone{hn::Mul(pivot.before, inverse), hn::Mul(pivot.first, inverse),
                                 hn::Mul(pivot.after, inverse), hn::Mul(beyond, inverse),
                                 hn::Mul(pivot.right, inverse)};
        const V m = hn::Mul(head_.last, inverse), k = hn::Mul(other.last, inverse);
        head_ = without(head_, pivot, beyond, m, none);
        tail_ = without(other, pivot, beyond, k, other_beyond);
        return gone;
    }
    [[nodiscard]] HWY_INLINE const lane_equation<T>& head() const { return head_; }
    [[nodiscard]] HWY_INLINE const lane_equation<T>& tail() const { return tail_; }
    [[nodiscard]] HWY_INLINE bool bad() const { return !hn::AllTrue(d, hn::Eq(bad_, hn::Zero(d))); }

private:
    static constexpr hn::ScalableTag<T> d{};

    static HWY_INLINE V largest(const lane_equation<T>& e) {
        return hn::Max(hn::Max(hn::Abs(e.before), hn::Abs(e.first)),
                       hn::Max(hn::Abs(e.last), hn::Abs(e.after)));
    }
    /// segment.hpp's score.
    static HWY_INLINE V score(V x, V s) {
        const hn::RebindToUnsigned<hn::ScalableTag<T>> u;
        using word = hn::TFromD<decltype(u)>;
        constexpr int digits = sizeof(T) == 4 ? 23 : 52;
        constexpr word field = sizeof(T) == 4 ? 0xff : 0x7ff;
        const auto exponent = hn::And(hn::ShiftRight<digits>(hn::BitCast(u, s)), hn::Set(u, field));
        const auto inverse = hn::Sub(hn::Set(u, field - 1), hn::Min(exponent, hn::Set(u, field - 2)));
        return hn::Mul(hn::Abs(x), hn::BitCast(d, hn::ShiftLeft<digits>(inverse)));
    }
    template <class M>
    static HWY_INLINE void exchange(M where, V& a, V& b) {
        const V old = a;
        a = hn::IfThenElse(where, b, a);
        b = hn::IfThenElse(where, old, b);
    }
    template <class M>
    static HWY_INLINE void exchange(M where, lane_equation<T>& a, lane_equation<T>& b) {
        exchange(where, a.before, b.before);
        exchange(where, a.first, b.first);
        exchange(where, a.last, b.last);
        exchange(where, a.after, b.after);
        exchange(where, a.right, b.right);
    }
    /// e - m pivot, one unknown on. e_beyond: e's coefficient of the unknown that is now the one after.
    static HWY_INLINE lane_equation<T> without(const lane_equation<T>& e, const lane_equation<T>& pivot,
                                               V beyond, V m, V e_beyond) {
        lane_equation<T> left = e;
        if constexpr (Pivoted) left.before = hn::NegMulAdd(m, pivot.before, e.before);
        left.first = hn::NegMulAdd(m, pivot.first, e.first);
        left.last = hn::NegMulAdd(m, pivot.after, e.after);
        left.after = Pivoted ? hn::NegMulAdd(m, beyond, e_beyond) : e_beyond;
        left.right = hn::NegMulAdd(m, pivot.right, e.right);
        return left;
    }

    lane_equation<T> head_, tail_;
    V bad_;
};

template <class T, bool Pivoted>
bool reduce_lanes(const pt::bundle<T>& b, pt::segment<T>* segments) {
    const hn::ScalableTag<T> d;
    constexpr int n = vector_size<T>;
    const bundle_reader<T> reader(b);
    lane_segment<T, Pivoted> s;
    s.couple(reader.row(0), reader.row(1));
    lane_block<T> block;
    for (index_t j = 0; j < b.rows; j += n) {
        reader.read(j, block);
        for (int r = 0; r < n; ++r)
            if (j + r >= 2) s.absorb(block.row(r));
    }
    HWY_ALIGN T words[10][n];
    const lane_equation<T>*h = &s.head(), *t = &s.tail();
    const lanes_of<T> all[10] = {h->before, h->first, h->last, h->after, h->right,
                                 t->before, t->first, t->last, t->after, t->right};
    for (int w = 0; w < 10; ++w) hn::Store(all[w], d, words[w]);
    for (int l = 0; l < n; ++l)
        segments[l] = {{words[0][l], words[1][l], words[2][l], words[3][l], words[4][l]},
                       {words[5][l], words[6][l], words[7][l], words[8][l], words[9][l]}};
    return s.bad();
}

template <class T, bool Pivoted>
class lane_solver {
public:
    lane_solver(const pt::bundle<T>& b, const pt::ends<T>* about, T* kept) : b_(b), kept_(kept) {
        HWY_ALIGN T part[4][n];
        for (int l = 0; l < n; ++l) {
            part[0][l] = about[l].before;
            part[1][l] = about[l].first;
            part[2][l] = about[l].last;
            part[3][l] = about[l].after;
        }
        before_ = hn::Load(d, part[0]);
        first_ = hn::Load(d, part[1]);
        last_ = hn::Load(d, part[2]);
        after_ = hn::Load(d, part[3]);
    }
    void down() {
        const bundle_reader<T> reader(b_);
        lane_segment<T, Pivoted> s;
        s.couple(reader.row(0), reader.row(1));
        lane_block<T> block;
        for (index_t j = 0; j < b_.rows; j += n) {
            reader.read(j, block);
            for (int r = 0; r < n; ++r)
                if (j + r >= 2) keep(j + r - 1, s.absorb(block.row(r)));
        }
    }
    void up(bool stream) {
        V here = last_, after = after_;
        V solved[n];
        for (index_t j = b_.rows - n; j >= 0; j -= n) {
            for (int r = n - 1; r >= 0; --r) {
                if (j + r < b_.rows - 1) {
                    const V next = j + r == 0 ? first_ : unknown(j + r, here, after);
                    after = here;
                    here = next;
                }
                solved[r] = here;
            }
            transpose<T>(solved);
            T* to = b_.chain.solution.data + b_.first + j;
            for (int l = 0; l < n; ++l)
                stream ? hn::Stream(solved[l], d, to + l * b_.rows)
                       : hn::StoreU(solved[l], d, to + l * b_.rows);
        }
    }

private:
    using V = lanes_of<T>;
    static constexpr hn::ScalableTag<T> d{};
    static constexpr int n = vector_size<T>;
    static constexpr index_t words = Pivoted ? 3 : 2;

    HWY_INLINE void keep(index_t row, const lane_pivot<T>& p) {
        T* to = kept_ + row * words * n;
        hn::Store(p.next, d, to);
        V right = hn::NegMulAdd(p.first, first_, p.right);
        if constexpr (Pivoted) right = hn::NegMulAdd(p.before, before_, right);
        hn::Store(right, d, to + n);
        if constexpr (Pivoted) hn::Store(p.beyond, d, to + 2 * n);
    }
    [[nodiscard]] HWY_INLINE V unknown(index_t row, V next, V beyond) const {
        const T* from = kept_ + row * words * n;
        V x = hn::NegMulAdd(hn::Load(d, from), next, hn::Load(d, from + n));
        if constexpr (Pivoted) x = hn::NegMulAdd(hn::Load(d, from + 2 * n), beyond, x);
        return x;
    }
    const pt::bundle<T>& b_;
    T* kept_;
    V before_, first_, last_, after_;
};

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
