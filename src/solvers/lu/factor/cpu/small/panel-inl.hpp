// panel-inl - factors a panel of a few columns, stored column by column: vectors run down the columns, so the
// search for a pivot takes a vector of rows at a time. Once for each Highway target.
#if defined(WALE_LU_SMALL_PANEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_PANEL_INL
#undef WALE_LU_SMALL_PANEL_INL
#else
#define WALE_LU_SMALL_PANEL_INL
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "solvers/lu/small/small.hpp"
#include "solvers/lu/small/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

/// At least as many rows as columns. Columns start on whole vectors; rows beyond the last hold NaN, which no
/// comparison picks as a pivot.
template <class T>
class small_panel {
    using D = typename tile_traits<T>::D;
    using V = typename tile_traits<T>::V;
    static constexpr index_t lanes = tile_traits<T>::lanes;
    static constexpr int step = tile_traits<T>::policy.step;

public:
    small_panel(T* data, index_t pitch, index_t rows, int columns)
        : data_(data), pitch_(pitch), rows_(rows), columns_(columns) {
        for (int j = 0; j < columns; ++j)
            for (index_t i = rows; i < base::round_up(rows, lanes); ++i)
                column(j)[i] = std::numeric_limits<T>::quiet_NaN();
    }

    /// pivots[columns], counted from the panel's first row; the number of pivots that were moved.
    index_t factor(bool pivoting, T smallest, std::int32_t* pivots) {
        index_t moved = 0;
        if (pivoting) best_ = largest_of(column(0));
        for (int first = 0; first < columns_; first += step) {
            const int end = HWY_MIN(first + step, columns_);
            for (int k = first; k < end; ++k) {
                if (smallest > 0) moved += perturb(column(k)[k], smallest);
                choice chosen = pivoting ? row_of_best(k) : choice{k, hn::Set(D(), column(k)[k])};
                pivots[k] = static_cast<std::int32_t>(chosen.row);
                if (chosen.row != k) exchange(k, chosen.row, 0, k), exchange(k, chosen.row, end, columns_);
                eliminate(k, end, chosen);
            }
            if (end < columns_) update_rest(first);
        }
        return moved;
    }

private:
    /// The row of a pivot, and its magnitude in all lanes.
    struct choice {
        index_t row;
        V magnitude;
    };

    HWY_INLINE T* column(int j) const { return data_ + j * pitch_; }

    HWY_INLINE void exchange(index_t i, index_t j, int begin, int end) const {
        for (int c = begin; c < end; ++c) std::swap(column(c)[i], column(c)[j]);
    }

    static index_t perturb(T& pivot, T smallest) {
        const T was = pivot;
        pivot = perturbed_pivot(was, smallest);
        return pivot != was && pivot == pivot;
    }

    // The search. `best` holds the largest magnitudes of a column by lane; -1 where all are NaN.

    static HWY_INLINE V larger(V best, V magnitude) {
        return hn::IfThenElse(hn::Gt(magnitude, best), magnitude, best);
    }
    V largest_of(const T* at) const {
        const D d;
        V best = hn::Set(d, T(-1));
        for (index_t i = 0; i < rows_; i += lanes) best = larger(best, hn::Abs(hn::Load(d, at + i)));
        return best;
    }
    static HWY_INLINE std::uint64_t equal_lanes(V a, V b) {
        std::conditional_t<lanes <= 8, std::uint8_t, std::uint16_t> bits = 0;
        static_assert(lanes <= 16);
        hn::StoreMaskBits(D(), hn::Eq(a, b), reinterpret_cast<std::uint8_t*>(&bits));
        return bits;
    }
    /// The first row from k on that holds the best; 64 rows at a time, for a branch a vector is hard to
    /// guess.
    HWY_INLINE choice row_of_best(int k) const {
        const D d;
        const T* at = column(k);
        const V most = hn::MaxOfLanes(d, best_);
        if (at[k] == at[k])
            for (index_t base = k / lanes * lanes; base < rows_; base += 64) {
                const index_t end = HWY_MIN(base + 64, rows_);
                std::uint64_t found = 0;
                for (index_t i = base; i < end; i += lanes)
                    found |= equal_lanes(hn::Abs(hn::Load(d, at + i)), most) << (i - base);
                if (base < k) found &= ~std::uint64_t{0} << (k - base);
                if (found != 0) return {base + std::countr_zero(found), most};
            }
        return {k, hn::Set(d, at[k])};
    }

    // Elimination.

    /// Column k, and the columns up to `end`; exchanges their rows.
    HWY_INLINE void eliminate(int k, int end, choice chosen) {
        const D d;
        const T pivot = column(k)[chosen.row];
        V scale = hn::CopySign(hn::Div(hn::Set(d, T(1)), chosen.magnitude), hn::Set(d, pivot));
        if (HWY_UNLIKELY(!has_reciprocal(pivot))) {
            exchange(k, chosen.row, k, end);
            chosen.row = k;
            for (index_t i = k + 1; pivot != 0 && i < rows_; ++i) column(k)[i] /= pivot;
            scale = hn::Set(d, T(1));
        }
        if (end - k == 4) return scale_and_update<3>(k, chosen.row, scale);
        if (end - k == 3) return scale_and_update<2>(k, chosen.row, scale);
        if (end - k == 2) return scale_and_update<1>(k, chosen.row, scale);
        scale_and_update<0>(k, chosen.row, scale);
    }
    static_assert(step == 4);

    /// Column k is divided, the `Others` after it are updated; the best of the first of these. The rows are
    /// exchanged in registers: a vector that is loaded just after one of its elements was stored has to wait.
    template <int Others>
    HWY_INLINE void scale_and_update(int k, index_t pivot, V scale) {
        const D d;
        const hn::RebindToSigned<D> whole;
        using number = hn::TFromD<decltype(whole)>;
        V upper[Others + 1], under[Others + 1];  // of the pivot's row, and what comes in its place
        for (int o = 0; o <= Others; ++o) {
            upper[o] = hn::Set(d, column(k + o)[pivot]);
            under[o] = hn::Set(d, column(k + o)[k]);
        }
        const V none = hn::Set(d, T(-1));
        const auto lane = hn::Iota(whole, 0);
        V best = none;
        T* at = column(k);
        const auto pass = [&](index_t i, const auto& keep) HWY_ATTR {
            const auto exchanged =
                hn::RebindMask(d, hn::Eq(lane, hn::Set(whole, static_cast<number>(pivot - i))));
            const V old = hn::Load(d, at + i);
            const V lower = hn::Mul(hn::IfThenElse(exchanged, under[0], old), scale);
            hn::Store(keep(lower, old, upper[0]), d, at + i);
            for (int o = 1; o <= Others; ++o) {
                T* to = at + o * pitch_ + i;
                const V before = hn::Load(d, to);
                const V next = hn::NegMulAdd(lower, upper[o], hn::IfThenElse(exchanged, under[o], before));
                hn::Store(keep(next, before, upper[o]), d, to);
                if (o == 1) best = larger(best, keep(hn::Abs(next), none, none));
            }
        };
        if (k / lanes != (k + 1) / lanes)
            for (int o = 0; o <= Others; ++o) column(k + o)[k] = hn::GetLane(upper[o]);
        over_rows_below(k, pass);
        if (Others > 0) best_ = best;
    }

    /// pass(i, keep) for the vectors of rows below row k; keep(a, b, c) takes a there, c in row k, b above.
    template <class F>
    HWY_INLINE void over_rows_below(index_t k, const F& pass) const {
        const D d;
        index_t i = (k + 1) / lanes * lanes;
        if (i <= k) {
            const auto above = hn::FirstN(d, static_cast<std::size_t>(k - i));
            const auto not_below = hn::FirstN(d, static_cast<std::size_t>(k + 1 - i));
            pass(i, [above, not_below](V a, V b, V c)
                        HWY_ATTR { return hn::IfThenElse(not_below, hn::IfThenElse(above, b, c), a); });
            i += lanes;
        }
        for (; i < rows_; i += lanes) pass(i, [](V a, V, V) HWY_ATTR { return a; });
    }

    /// The columns beyond columns `first` to first + step, by all of these at once.
    void update_rest(int first) {
        int j = first + step;
        update<1, true>(first, j++);
        for (; j + 2 <= columns_; j += 2) update<2, false>(first, j);
        if (j < columns_) update<1, false>(first, j);
    }

    template <int Columns, bool Search>
    HWY_INLINE void update(int first, int j) {
        const D d;
        T upper[Columns][step];
        V by[Columns][step];
        for (int c = 0; c < Columns; ++c)
            for (int k = 0; k < step; ++k) {
                T sum = column(j + c)[first + k];
                for (int l = 0; l < k; ++l) sum -= column(first + l)[first + k] * upper[c][l];
                upper[c][k] = sum;
                by[c][k] = hn::Set(d, sum);
            }
        const V none = hn::Set(d, T(-1));
        V best = none;
        const T* lower = column(first);
        T* at = column(j);
        const auto pass = [&](index_t i, const auto& keep) HWY_ATTR {
            V old[Columns], next[Columns];
            for (int c = 0; c < Columns; ++c) next[c] = old[c] = hn::Load(d, at + c * pitch_ + i);
            for (int k = 0; k < step; ++k) {
                const V l = hn::Load(d, lower + k * pitch_ + i);
                for (int c = 0; c < Columns; ++c) next[c] = hn::NegMulAdd(l, by[c][k], next[c]);
            }
            for (int c = 0; c < Columns; ++c)
                hn::Store(keep(next[c], old[c], old[c]), d, at + c * pitch_ + i);
            if (Search) best = larger(best, keep(hn::Abs(next[0]), none, none));
        };
        over_rows_below(first + step - 1, pass);
        for (int c = 0; c < Columns; ++c)  // after the vectors: a load that spans two stores waits for both
            std::memcpy(column(j + c) + first, upper[c], sizeof upper[c]);
        if (Search) best_ = best;
    }

    T* data_;
    index_t pitch_, rows_;
    int columns_;
    V best_ = hn::Set(D(), T(-1));
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
