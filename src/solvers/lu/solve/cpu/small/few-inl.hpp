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
    /// Rows whose scalar products, or columns whose multiples, N right-hand sides take at once.
    static constexpr int lines_of(int n) { return n > small_solve_rows ? 2 : small_solve_rows; }

public:
    explicit few_right_sides(const small_system& one)
        : one_(one),
          n_(one.factors.rows),
          lines_{static_cast<const T*>(one.factors.data), one.factors.leading},
          by_rows_(one.factors.row_major() != one.transposed) {
        const auto layout = small_system_scratch::of(n_, one.b.columns, one.b.type);
        by_ = static_cast<T*>(one.scratch);
        x_ = {by_ + layout.rows, layout.rows};
        for (index_t i = 0; i < n_; ++i) {
            const T pivot = lines_.row(i)[i];
            by_[i] = T(1) / pivot;
            divides_ = divides_ || (pivot != 0 && !has_reciprocal(pivot));
        }
    }

    void solve() const {
        const bool twice = is_large(n_, one_.b.type);
        for (index_t j = 0; j < one_.b.columns;) {
            const index_t left = one_.b.columns - j;
            if (left > small_solve_rows && twice)
                j += solve_some<2 * small_solve_rows>(j, left);
            else
                j += left > 2    ? solve_some<small_solve_rows>(j, left)
                     : left == 2 ? solve_some<2>(j, left)
                                 : solve_some<1>(j, left);
        }
    }

private:
    /// N right-hand sides from column j on, of which `left` exist; the others are 0. How many were solved.
    template <int N>
    index_t solve_some(index_t j, index_t left) const {
        const index_t live = HWY_MIN(index_t{N}, left);
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
        return live;
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

    // Lines are columns: some at a time, so that right-hand sides are loaded and stored that much less often.

    template <int N, bool Unit>
    void columns_forward() const {
        for (index_t k = 0; k < n_; k += lines_of(N)) {
            const index_t end = HWY_MIN(k + lines_of(N), n_);
            for (index_t row = k; row < end; ++row) finish<N, Unit>(row, k, row);
            if (end < n_) subtract<N>(k, end, n_);
        }
    }
    template <int N, bool Unit>
    void columns_backward() const {
        for (index_t end = n_; end > 0; end -= lines_of(N)) {
            const index_t k = HWY_MAX(end - lines_of(N), index_t{0});
            for (index_t row = end - 1; row >= k; --row) finish<N, Unit>(row, row + 1, end);
            if (k > 0) subtract<N>(k, 0, k);
        }
    }
    /// Makes the unknowns of a row final, from which those of columns `begin` to `end` are missing.
    template <int N, bool Unit>
    HWY_INLINE void finish(index_t row, index_t begin, index_t end) const {
        for (int r = 0; r < N; ++r) {
            T x = x_.row(r)[row];
            for (index_t l = begin; l < end; ++l) x -= lines_.row(l)[row] * x_.row(r)[l];
            x_.row(r)[row] = Unit ? x : divided(x, row);
        }
    }
    /// Takes lines_of(N) columns from `first` on, times their unknowns, from rows `begin` to `end`: first the
    /// rows beside the columns, whose turn comes next.
    template <int N>
    HWY_INLINE void subtract(index_t first, index_t begin, index_t end) const {
        constexpr int columns = lines_of(N);
        const D d;
        V unknown[columns][N];
        const T* line[columns];
        for (int l = 0; l < columns; ++l) {
            line[l] = lines_.row(first + l);
            for (int r = 0; r < N; ++r) unknown[l][r] = hn::Set(d, x_.row(r)[first + l]);
        }
        const auto less = [&](int r, index_t i, const V(&a)[columns]) HWY_ATTR {
            V x = hn::Load(d, x_.row(r) + i);
            for (int l = 0; l < columns; ++l) x = hn::NegMulAdd(unknown[l][r], a[l], x);
            return x;
        };
        const auto some = [&](index_t i) HWY_ATTR {
            const auto below = hn::FirstN(d, static_cast<std::size_t>(HWY_MAX(begin - i, index_t{0})));
            const auto above = hn::FirstN(d, static_cast<std::size_t>(HWY_MIN(end - i, lanes)));
            V a[columns];
            for (int l = 0; l < columns; ++l) a[l] = hn::MaskedLoad(above, d, line[l] + i);
            for (int r = 0; r < N; ++r) {
                const V kept = hn::Load(d, x_.row(r) + i);
                const V now = hn::IfThenElse(above, less(r, i, a), kept);
                hn::Store(hn::IfThenElse(below, kept, now), d, x_.row(r) + i);
            }
        };
        const index_t whole = (begin + lanes - 1) / lanes * lanes, last = end / lanes * lanes;
        if (begin < whole) some(whole - lanes);
        if (last < end && last >= whole) some(last);
        for (index_t i = whole; i < last; i += lanes) {
            V a[columns];
            for (int l = 0; l < columns; ++l) a[l] = hn::LoadU(d, line[l] + i);
            for (int r = 0; r < N; ++r) hn::Store(less(r, i, a), d, x_.row(r) + i);
        }
    }

    // Lines are rows: some of them at a time, for the sums of lanes take long.

    template <int N, bool Unit>
    void rows_forward() const {
        for (index_t k = 0; k < n_; k += lines_of(N)) {
            T sums[lines_of(N)][N];
            const index_t end = HWY_MIN(k + lines_of(N), n_);
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
        for (index_t end = n_; end > 0; end -= lines_of(N)) {
            T sums[lines_of(N)][N];
            const index_t k = HWY_MAX(end - lines_of(N), index_t{0});
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
                             T (&sums)[lines_of(N)][N]) const {
        const D d;
        V acc[lines_of(N)][N];
        const T* line[lines_of(N)];
        for (int row = 0; row < lines_of(N); ++row) {  // rows that are not there repeat the last
            line[row] = lines_.row(HWY_MIN(k + row, rows_end - 1));
            for (int r = 0; r < N; ++r) acc[row][r] = hn::Zero(d);
        }
        for (index_t i = begin; i < end; i += lanes) {
            V x[N];
            for (int r = 0; r < N; ++r) x[r] = part(x_.row(r), i, end);
            for (int row = 0; row < lines_of(N); ++row) {
                const V a = part(line[row], i, end);
                for (int r = 0; r < N; ++r) acc[row][r] = hn::MulAdd(a, x[r], acc[row][r]);
            }
        }
        for (int row = 0; row < lines_of(N); ++row)
            for (int r = 0; r < N; ++r) sums[row][r] = hn::GetLane(hn::SumOfLanes(d, acc[row][r]));
    }

    const small_system& one_;
    const index_t n_;
    const rows_at<const T> lines_;  // of the factors; its rows are their lines
    const bool by_rows_;            // of the factors or, transposed, of their transpose
    T* by_;                         // reciprocals of the diagonal
    rows_at<T> x_;                  // [sides][n]
    bool divides_ = false;          // by the diagonal, where a reciprocal would be no number
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
