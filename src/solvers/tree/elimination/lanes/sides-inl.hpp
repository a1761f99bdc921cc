// sides-inl - right sides in lanes: gathered, taken down and up the factors, scattered. Once for each Highway
// target.
#if defined(WALE_TREE_SIDES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_TREE_SIDES_INL
#undef WALE_TREE_SIDES_INL
#else
#define WALE_TREE_SIDES_INL
#endif

#include <hwy/highway.h>

#include "solvers/tree/elimination/lanes/sides.hpp"
#include "solvers/tree/elimination/lanes/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

template <class T, bool OfOne>
class side_sweep {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;
    static constexpr index_t vector = vector_size<T>;
    static constexpr D d{};

public:
    explicit side_sweep(const side_group& g)
        : g_(g),
          f_{static_cast<T*>(const_cast<void*>(g.factors)), g.rows, g.factor_pitch, g.form},
          inner_(g.form.periodic ? g.rows - 1 : g.rows),
          zeros_(static_cast<T*>(g.scratch)),
          rows_(zeros_ + g.pitch),
          closing_(rows_ + (g.rows + vector - 1) / vector * vector * g.pitch) {}

    HWY_INLINE void solve() const {
        std::fill(zeros_, rows_, T(0));
        gather();
        if (g_.form.periodic) std::copy(row(inner_), row(inner_) + g_.pitch, closing_);
        g_.transposed ? down_transposed() : down();
        if (g_.form.periodic) {
            for (index_t w = 0; w < g_.pitch; w += vector)
                put(hn::Mul(get(closing_, w), number(f_.inverse(), inner_, w)), closing_, w);
            std::copy(closing_, closing_ + g_.pitch, row(inner_));
        }
        g_.transposed ? up_transposed() : up();
        scatter();
    }

private:
    HWY_INLINE T* row(index_t i) const { return rows_ + i * g_.pitch; }
    HWY_INLINE V get(const T* p, index_t w) const { return hn::Load(d, p + w); }
    HWY_INLINE void put(V v, T* p, index_t w) const { hn::Store(v, d, p + w); }
    /// Number i of a field of the factors, for the lanes from w on.
    HWY_INLINE V number(const line<T>& field, index_t i, index_t w) const {
        if constexpr (OfOne)
            return hn::Set(d, field[i]);
        else
            return hn::Load(d, field.data + i * field.step + w);
    }
    HWY_INLINE auto exchanged(index_t i, index_t w) const {
        const hn::RebindToUnsigned<D> bits;
        const V beyond = number(f_.beyond(), i, w);
        return hn::RebindMask(d, hn::Ne(hn::BitCast(bits, beyond), hn::Zero(bits)));
    }

    HWY_INLINE void gather() const {
        if (g_.from.side_by_side) {
            const T* from = static_cast<const T*>(g_.from.data) + g_.from.at[0];
            for (index_t i = 0; i < g_.rows; ++i)
                for (index_t w = 0; w < g_.pitch; w += vector) {
                    const T* p = from + i * g_.from.step + w;
                    to_second_cache(p + g_.ahead * g_.from.step);
                    put(hn::LoadU(d, p), row(i), w);
                }
            return;
        }
        for (index_t i = 0; i < g_.rows; i += vector)
            lane_rows<T>(g_, g_.from, 0, row(i)).fetch(i, {0, g_.rows});
    }
    HWY_INLINE void scatter() const {
        T* to = static_cast<T*>(g_.to);
        if (!g_.x.side_by_side) {
            for (index_t i = 0; i < g_.rows; i += vector)
                put_rows(g_, row(i), g_.pitch, lane_target<T>{to, g_.x, i, g_.stream});
            return;
        }
        for (index_t i = 0; i < g_.rows; ++i)
            for (index_t w = 0; w < g_.pitch; w += vector) {
                T* place = to + g_.x.at[0] + i * g_.x.step + w;
                g_.stream ? hn::Stream(get(row(i), w), d, place) : hn::StoreU(get(row(i), w), d, place);
            }
    }
    HWY_INLINE void take_from_last(const line<T>& field, index_t i, V y, index_t w) const {
        put(hn::NegMulAdd(number(field, i, w), y, get(closing_, w)), closing_, w);
    }

    HWY_INLINE void down() const {
        const bool pivoted = g_.form.pivoted, periodic = g_.form.periodic;
        for (index_t i = 0; i < inner_; ++i) {
            const bool more = i + 1 < inner_;
            for (index_t w = 0; w < g_.pitch; w += vector) {
                V now = get(row(i), w), next = more ? get(row(i + 1), w) : hn::Zero(d);
                if (more && pivoted) {
                    const auto swap = exchanged(i, w);
                    const V first = hn::IfThenElse(swap, next, now);
                    next = hn::IfThenElse(swap, now, next);
                    now = first;
                }
                if (more) put(hn::NegMulAdd(number(f_.multiplier(), i, w), now, next), row(i + 1), w);
                const V y = hn::Mul(now, number(f_.inverse(), i, w));
                put(y, row(i), w);
                if (periodic) take_from_last(f_.border(), i, y, w);
            }
        }
    }
    HWY_INLINE void up() const {
        const bool pivoted = g_.form.pivoted, periodic = g_.form.periodic;
        for (index_t i = inner_ - 1; i >= 0; --i)
            for (index_t w = 0; w < g_.pitch; w += vector) {
                V x = get(row(i), w);
                if (periodic) x = hn::NegMulAdd(number(f_.column(), i, w), get(closing_, w), x);
                if (pivoted && i + 2 < inner_)
                    x = hn::NegMulAdd(number(f_.beyond(), i, w), get(row(i + 2), w), x);
                if (i + 1 < inner_) x = hn::NegMulAdd(number(f_.right(), i, w), get(row(i + 1), w), x);
                put(x, row(i), w);
            }
    }
    HWY_INLINE void down_transposed() const {
        const bool pivoted = g_.form.pivoted, periodic = g_.form.periodic;
        for (index_t i = 0; i < inner_; ++i)
            for (index_t w = 0; w < g_.pitch; w += vector) {
                V x = get(row(i), w);
                if (pivoted && i >= 2)
                    x = hn::NegMulAdd(number(f_.beyond(), i - 2, w), get(row(i - 2), w), x);
                if (i >= 1) x = hn::NegMulAdd(number(f_.right(), i - 1, w), get(row(i - 1), w), x);
                put(x, row(i), w);
                if (periodic) take_from_last(f_.column(), i, x, w);
            }
    }
    HWY_INLINE void up_transposed() const {
        const bool pivoted = g_.form.pivoted, periodic = g_.form.periodic;
        for (index_t i = inner_ - 1; i >= 0; --i)
            for (index_t w = 0; w < g_.pitch; w += vector) {
                V x = get(row(i), w);
                if (periodic) x = hn::NegMulAdd(number(f_.border(), i, w), get(closing_, w), x);
                x = hn::Mul(x, number(f_.inverse(), i, w));
                if (i + 1 < inner_) {
                    const V next = get(row(i + 1), w);
                    x = hn::NegMulAdd(number(f_.multiplier(), i, w), next, x);
                    if (pivoted) {
                        const auto swap = exchanged(i, w);
                        put(hn::IfThenElse(swap, x, next), row(i + 1), w);
                        x = hn::IfThenElse(swap, next, x);
                    }
                }
                put(x, row(i), w);
            }
    }

    const side_group& g_;
    const factor_rows<T> f_;
    const index_t inner_;
    T *const zeros_, *const rows_, *const closing_;
};

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
