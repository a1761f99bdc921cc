// few-inl - forward and back substitution for a few right-hand sides, on the factors where they lie: along
// their lines, be they columns (a line times an unknown is subtracted from all) or rows (a scalar product).
// Once for each Highway target.
#if defined(WALE_LU_SMALL_FEW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_FEW_INL
#undef WALE_LU_SMALL_FEW_INL
#else
#define WALE_LU_SMALL_FEW_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/systems.hpp"
#include "solvers/lu/small/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
class few_right_sides {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;
    static constexpr index_t lanes = tile_traits<T>::lanes;
    static constexpr int at_once = small_solve_rows;  // right-hand sides, and rows of scalar products

public:
    explicit few_right_sides(const small_system& one)
        : one_(one),
          n_(one.factors.rows),
          lines_{static_cast<const T*>(one.factors.data), one.factors.leading},
          by_rows_(one.factors.row_major() != one.transposed) {
        const auto layout = small_system_scratch::of(n_, one.b.columns, one.b.type);
        by_ = static_cast<T*>(one.scratch) + layout.diagonal_at();
        x_ = {static_cast<T*>(one.scratch) + layout.right_at(), layout.rows};
        for (index_t i = 0; i < n_; ++i) {
            const T pivot = lines_.row(i)[i];
            by_[i] = T(1) / pivot;
            divides_ = divides_ || (pivot != 0 && !has_reciprocal(pivot));
        }
    }

    void solve() const {
        index_t j = 0;
        for (; one_.b.columns - j > 1; j += at_once)
            solve_some<at_once>(j, HWY_MIN(index_t{at_once}, one_.b.columns - j));
        if (j < one_.b.columns) solve_some<1>(j, 1);
    }

private:
    /// The first `live` of the N right-hand sides from column j on exist; the others are 0.
    template <int N>
    void solve_some(index_t j, index_t live) const {
        const strided<T> b = elements<T>(one_.b).from(0, j);
        for (int r = 0; r < N; ++r)
            for (index_t i = 0; i < n_; ++i) x_.row(r)[i] = r < live ? b(i, r) : T(0);
        for (index_t k = 0; !one_.transposed && k < n_; ++k) exchange<N>(k);
        if (by_rows_) {
            one_.transposed ? rows_forward<N, false>() : rows_forward<N, true>();
            one_.transposed ? rows_backward<N, true>() : rows_backward<N, false>();
        } else {
            one_.transposed ? columns_forward<N, false>() : columns_forward<N, true>();
            one_.transposed ? columns_backward<N, true>() : columns_backward<N, false>();
        }
        for (index_t k = n_ - 1; one_.transposed && k >= 0; --k) exchange<N>(k);
        for (int r = 0; r < live; ++r)
            for (index_t i = 0; i < n_; ++i) b(i, r) = x_.row(r)[i];
    }

    template <int N>
    HWY_INLINE void exchange(index_t k) const {
        for (int r = 0; one_.pivots && r < N; ++r) std::swap(x_.row(r)[k], x_.row(r)[one_.pivots[k]]);
    }
    HWY_INLINE T divided(T x, index_t k) const {
        return HWY_UNLIKELY(divides_) ? x / lines_.row(k)[k] : x * by_[k];
    }
    /// Elements i and on of a line, those that are below `end`, else 0.
    static HWY_INLINE V part(const T* line, index_t i, index_t end) {
        const D d;
        if (HWY_LIKELY(i + lanes <= end)) return hn::LoadU(d, line + i);
        return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(end - i)), d, line + i);
    }

    // Lines are columns: an unknown is final when its turn comes.

    template <int N, bool Unit>
    void columns_forward() const {
        const D d;
        for (index_t k = 0; k < n_; ++k) {
            V unknown[N];
            final_unknowns<N, Unit>(k, unknown);
            index_t i = k / lanes * lanes;
            const auto above = hn::FirstN(d, static_cast<std::size_t>(k - i));
            const auto not_below = hn::FirstN(d, static_cast<std::size_t>(k + 1 - i));
            const V first = part(lines_.row(k), i, n_);
            for (int r = 0; r < N; ++r) {
                const V old = hn::Load(d, x_.row(r) + i), next = hn::NegMulAdd(unknown[r], first, old);
                const V kept = hn::IfThenElse(above, old, unknown[r]);
                hn::Store(hn::IfThenElse(not_below, kept, next), d, x_.row(r) + i);
            }
            for (i += lanes; i < n_; i += lanes) subtract<N>(unknown, part(lines_.row(k), i, n_), i);
        }
    }
    template <int N, bool Unit>
    void columns_backward() const {
        const D d;
        for (index_t k = n_ - 1; k >= 0; --k) {
            V unknown[N];
            final_unknowns<N, Unit>(k, unknown);
            const index_t last = k / lanes * lanes;
            const auto above = hn::FirstN(d, static_cast<std::size_t>(k - last));
            const auto not_below = hn::FirstN(d, static_cast<std::size_t>(k + 1 - last));
            const V line = part(lines_.row(k), last, n_);
            for (int r = 0; r < N; ++r) {  // first: the next unknown comes from here
                const V old = hn::Load(d, x_.row(r) + last), next = hn::NegMulAdd(unknown[r], line, old);
                const V kept = hn::IfThenElse(not_below, unknown[r], old);
                hn::Store(hn::IfThenElse(above, next, kept), d, x_.row(r) + last);
            }
            for (index_t i = 0; i < last; i += lanes)
                subtract<N>(unknown, hn::LoadU(d, lines_.row(k) + i), i);
        }
    }
    template <int N, bool Unit>
    HWY_INLINE void final_unknowns(index_t k, V (&unknown)[N]) const {
        for (int r = 0; r < N; ++r) unknown[r] = hn::Set(D(), Unit ? x_.row(r)[k] : divided(x_.row(r)[k], k));
    }
    template <int N>
    HWY_INLINE void subtract(const V (&unknown)[N], V line, index_t i) const {
        const D d;
        for (int r = 0; r < N; ++r)
            hn::Store(hn::NegMulAdd(unknown[r], line, hn::Load(d, x_.row(r) + i)), d, x_.row(r) + i);
    }

    // Lines are rows: some of them at a time, for the sums of lanes take long.

    template <int N, bool Unit>
    void rows_forward() const {
        for (index_t k = 0; k < n_; k += at_once) {
            T sums[at_once][N];
            const index_t end = HWY_MIN(k + at_once, n_);
            products<N>(k, end, 0, k, sums);
            for (index_t row = k; row < end; ++row)
                for (int r = 0; r < N; ++r) {
                    T sum = x_.row(r)[row] - sums[row - k][r];
                    for (index_t l = k; l < row; ++l) sum -= lines_.row(row)[l] * x_.row(r)[l];
                    x_.row(r)[row] = Unit ? sum : divided(sum, row);
                }
        }
    }
    template <int N, bool Unit>
    void rows_backward() const {
        for (index_t end = n_; end > 0; end -= at_once) {
            T sums[at_once][N];
            const index_t k = HWY_MAX(end - at_once, index_t{0});
            products<N>(k, end, end, n_, sums);
            for (index_t row = end - 1; row >= k; --row)
                for (int r = 0; r < N; ++r) {
                    T sum = x_.row(r)[row] - sums[row - k][r];
                    for (index_t l = row + 1; l < end; ++l) sum -= lines_.row(row)[l] * x_.row(r)[l];
                    x_.row(r)[row] = Unit ? sum : divided(sum, row);
                }
        }
    }
    /// sums[row - k][r]: of row times right-hand side r, columns `begin` to `end`.
    template <int N>
    HWY_INLINE void products(index_t k, index_t rows_end, index_t begin, index_t end,
                             T (&sums)[at_once][N]) const {
        const D d;
        V acc[at_once][N];
        const T* line[at_once];
        for (int row = 0; row < at_once; ++row) {  // rows that are not there repeat the last
            line[row] = lines_.row(HWY_MIN(k + row, rows_end - 1));
            for (int r = 0; r < N; ++r) acc[row][r] = hn::Zero(d);
        }
        for (index_t i = begin; i < end; i += lanes) {
            V x[N];
            for (int r = 0; r < N; ++r) x[r] = part(x_.row(r), i, end);
            for (int row = 0; row < at_once; ++row) {
                const V a = part(line[row], i, end);
                for (int r = 0; r < N; ++r) acc[row][r] = hn::MulAdd(a, x[r], acc[row][r]);
            }
        }
        for (int row = 0; row < at_once; ++row)
            for (int r = 0; r < N; ++r) sums[row][r] = hn::GetLane(hn::SumOfLanes(d, acc[row][r]));
    }

    const small_system& one_;
    const index_t n_;
    const rows_at<const T> lines_;  // of the factors; its rows are their lines
    const bool by_rows_;            // of the factors or, transposed, of their transpose
    T* by_;                         // reciprocals of the diagonal
    rows_at<T> x_;                  // [at_once][n]
    bool divides_ = false;          // by the diagonal, where a reciprocal would be no number
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
