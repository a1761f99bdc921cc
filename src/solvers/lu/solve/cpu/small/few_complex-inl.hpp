// few_complex-inl - few-inl.hpp for complex numbers, real and imaginary parts side by side as in the caller's
// memory. Once for each Highway target.
#if defined(WALE_LU_SMALL_FEW_COMPLEX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_FEW_COMPLEX_INL
#undef WALE_LU_SMALL_FEW_COMPLEX_INL
#else
#define WALE_LU_SMALL_FEW_COMPLEX_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/planes-inl.hpp"
#include "solvers/lu/small/systems.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

/// Forward and back substitution for some right-hand sides, on the factors where they lie: along their lines,
/// be they columns or rows.
template <class T>
class few_complex {
    using R = real_of<T>;
    using D = hn::ScalableTag<R>;
    using V = hn::Vec<D>;
    static constexpr index_t lanes = tile_traits<R>::lanes;
    /// Rows whose scalar products with N sides fill 16 registers or less.
    static constexpr int rows_of(int n) { return n < small_solve_rows ? 4 : 2; }
    static constexpr bool in_vectors = lanes >= 2;  // else a number is more than a vector

public:
    static constexpr int sides = small_solve_rows;  // at once

    explicit few_complex(const small_system& one)
        : one_(one),
          n_(one.factors.rows),
          by_rows_(one.factors.row_major() != one.transposed),
          pitch_(few_complex_pitch(n_)),
          by_(static_cast<T*>(one.scratch)),
          x_(reinterpret_cast<R*>(by_ + pitch_ / 2)),
          turned_(x_ + sides * pitch_) {
        for (index_t k = 0; k < n_; ++k) {
            const T pivot = factor(k, k);
            const bool regular = complex_rows<T>::is_regular(pivot);
            by_[k] = regular ? base::reciprocal(pivot) : T(0);
            divides_ = divides_ || !regular;
        }
    }

    void solve() const {
        index_t j = 0;
        for (; one_.b.columns - j > 2; j += sides)
            solve_some<sides>(j, HWY_MIN(index_t{sides}, one_.b.columns - j));
        if (one_.b.columns - j == 2) solve_some<2>(j, 2);
        if (one_.b.columns - j == 1) solve_some<1>(j, 1);
    }

private:
    /// Element j of line i of the factors.
    [[nodiscard]] HWY_INLINE T factor(index_t i, index_t j) const {
        const T a = static_cast<const T*>(one_.factors.data)[i * one_.factors.leading + j];
        return one_.conjugated ? std::conj(a) : a;
    }
    [[nodiscard]] HWY_INLINE const R* line(index_t i) const {
        return reinterpret_cast<const R*>(static_cast<const T*>(one_.factors.data) +
                                          i * one_.factors.leading);
    }
    [[nodiscard]] HWY_INLINE T at(int r, index_t k) const {
        return T(x_[r * pitch_ + 2 * k], x_[r * pitch_ + 2 * k + 1]);
    }
    /// Beside it the number with its parts exchanged, which products of rows need.
    HWY_INLINE void set(int r, index_t k, T x) const {
        R *const to = x_ + r * pitch_ + 2 * k, *const turned = turned_ + r * pitch_ + 2 * k;
        to[0] = turned[1] = x.real();
        to[1] = turned[0] = x.imag();
    }
    [[nodiscard]] HWY_INLINE T divided(T x, index_t k) const {
        return HWY_UNLIKELY(divides_) ? x / factor(k, k) : base::product(x, by_[k]);
    }
    /// a in even lanes, b in odd ones.
    [[nodiscard]] static HWY_INLINE V in_turn(R a, R b) {
        return hn::OddEven(hn::Set(D(), b), hn::Set(D(), a));
    }

    /// The first `live` of the N right-hand sides from column j on exist; the others are 0.
    template <int N>
    void solve_some(index_t j, index_t live) const {
        const strided<T> b = elements<T>(one_.b).from(0, j);
        for (int r = 0; r < N; ++r)
            for (index_t k = 0; k < n_; ++k) set(r, k, r < live ? b(k, r) : T(0));
        for (index_t k = 0; !one_.transposed && k < n_; ++k) exchange<N>(k);
        const bool first_is_unit = !one_.transposed;
        if (by_rows_) {
            rows_forward<N>(first_is_unit);
            rows_backward<N>(!first_is_unit);
        } else {
            columns_forward<N>(first_is_unit);
            columns_backward<N>(!first_is_unit);
        }
        for (index_t k = n_ - 1; one_.transposed && k >= 0; --k) exchange<N>(k);
        for (int r = 0; r < live; ++r)
            for (index_t k = 0; k < n_; ++k) b(k, r) = at(r, k);
    }
    template <int N>
    HWY_INLINE void exchange(index_t k) const {
        for (int r = 0; one_.pivots && r < N; ++r) {
            const T other = at(r, one_.pivots[k]);
            set(r, one_.pivots[k], at(r, k));
            set(r, k, other);
        }
    }

    template <int N>
    void rows_forward(bool unit) const {
        constexpr int rows = rows_of(N);
        for (index_t k = 0; k < n_; k += rows) {
            const index_t end = HWY_MIN(k + rows, n_);
            T sums[rows][N];
            products<N>(k, end, 0, k, sums);
            for (index_t row = k; row < end; ++row)
                for (int r = 0; r < N; ++r) {
                    T sum = at(r, row) - sums[row - k][r];
                    for (index_t l = k; l < row; ++l) sum -= base::product(factor(row, l), at(r, l));
                    set(r, row, unit ? sum : divided(sum, row));
                }
        }
    }
    template <int N>
    void rows_backward(bool unit) const {
        constexpr int rows = rows_of(N);
        for (index_t end = n_; end > 0; end -= rows) {
            const index_t k = HWY_MAX(end - rows, index_t{0});
            T sums[rows][N];
            products<N>(k, end, end, n_, sums);
            for (index_t row = end - 1; row >= k; --row)
                for (int r = 0; r < N; ++r) {
                    T sum = at(r, row) - sums[row - k][r];
                    for (index_t l = row + 1; l < end; ++l) sum -= base::product(factor(row, l), at(r, l));
                    set(r, row, unit ? sum : divided(sum, row));
                }
        }
    }
    /// sums[row - k][r]: of row times right-hand side r, columns `begin` to `end`.
    template <int N>
    HWY_INLINE void products(index_t k, index_t rows_end, index_t begin, index_t end,
                             T (&sums)[rows_of(N)][N]) const {
        if constexpr (in_vectors) return vector_products<N>(k, rows_end, begin, end, sums);
        for (index_t row = k; row < rows_end; ++row)
            for (int r = 0; r < N; ++r) {
                T sum = 0;
                for (index_t l = begin; l < end; ++l) sum += base::product(factor(row, l), at(r, l));
                sums[row - k][r] = sum;
            }
    }
    template <int N>
    HWY_INLINE void vector_products(index_t k, index_t rows_end, index_t begin, index_t end,
                                    T (&sums)[rows_of(N)][N]) const {
        constexpr int rows = rows_of(N);
        const D d;
        V straight[rows][N], crossed[rows][N];  // re re, im im; re im, im re
        const R* a[rows];
        for (int row = 0; row < rows; ++row) {  // rows that are not there repeat the last
            a[row] = line(HWY_MIN(k + row, rows_end - 1));
            for (int r = 0; r < N; ++r) straight[row][r] = crossed[row][r] = hn::Zero(d);
        }
        const auto add = [&](const V(&of)[rows], int r, V x, V turned) HWY_ATTR {
            for (int row = 0; row < rows; ++row) {
                straight[row][r] = hn::MulAdd(of[row], x, straight[row][r]);
                crossed[row][r] = hn::MulAdd(of[row], turned, crossed[row][r]);
            }
        };
        index_t i = 2 * begin;
        V of[rows];
        for (; i + lanes <= 2 * end; i += lanes) {
            for (int row = 0; row < rows; ++row) of[row] = hn::LoadU(d, a[row] + i);
            for (int r = 0; r < N; ++r)
                add(of, r, hn::LoadU(d, x_ + r * pitch_ + i), hn::LoadU(d, turned_ + r * pitch_ + i));
        }
        if (i < 2 * end) {
            const auto some = hn::FirstN(d, static_cast<std::size_t>(2 * end - i));
            for (int row = 0; row < rows; ++row) of[row] = hn::MaskedLoad(some, d, a[row] + i);
            for (int r = 0; r < N; ++r)
                add(of, r, hn::MaskedLoad(some, d, x_ + r * pitch_ + i),
                    hn::MaskedLoad(some, d, turned_ + r * pitch_ + i));
        }
        const V plus = in_turn(1, 1), apart = in_turn(1, -1);
        const V real = one_.conjugated ? plus : apart, imaginary = one_.conjugated ? apart : plus;
        for (int row = 0; row < rows; ++row)
            for (int r = 0; r < N; ++r)
                sums[row][r] = T(hn::GetLane(hn::SumOfLanes(d, hn::Mul(straight[row][r], real))),
                                 hn::GetLane(hn::SumOfLanes(d, hn::Mul(crossed[row][r], imaginary))));
    }

    // Two lines at a time, so that sides are loaded and stored half as often.

    template <int N>
    void columns_forward(bool unit) const {
        for (index_t k = 0; k < n_; k += 2) {
            finish<N>(k, unit);
            if (k + 1 == n_) return;
            for (int r = 0; r < N; ++r) take(r, k + 1, factor(k, k + 1), k);
            finish<N>(k + 1, unit);
            subtract<N>(k, k + 1, k + 2, n_);
        }
    }
    template <int N>
    void columns_backward(bool unit) const {
        for (index_t k = n_ - 1; k >= 0; k -= 2) {
            finish<N>(k, unit);
            if (k == 0) return;
            for (int r = 0; r < N; ++r) take(r, k - 1, factor(k, k - 1), k);
            finish<N>(k - 1, unit);
            subtract<N>(k, k - 1, 0, k - 1);
        }
    }
    template <int N>
    HWY_INLINE void finish(index_t k, bool unit) const {
        for (int r = 0; !unit && r < N; ++r) set(r, k, divided(at(r, k), k));
    }
    HWY_INLINE void take(int r, index_t from, T factor, index_t k) const {
        set(r, from, at(r, from) - base::product(factor, at(r, k)));
    }
    /// What lines p and q have in elements begin to end, times the unknowns p and q, is taken from the
    /// others.
    template <int N>
    HWY_INLINE void subtract(index_t p, index_t q, index_t begin, index_t end) const {
        if constexpr (in_vectors) return subtract_vectors<N>(p, q, 2 * begin, 2 * end);
        for (int r = 0; r < N; ++r)
            for (index_t l = begin; l < end; ++l) {
                take(r, l, factor(p, l), p);
                take(r, l, factor(q, l), q);
            }
    }
    /// A line's part, and that with its numbers times i.
    struct line_part {
        V straight, turned;
    };
    [[nodiscard]] HWY_INLINE line_part prepared(V a) const {
        const D d;
        if (one_.conjugated) a = hn::Mul(a, in_turn(1, -1));
        return {a, hn::Mul(hn::Reverse2(d, a), in_turn(-1, 1))};
    }
    template <int N>
    HWY_INLINE void subtract_vectors(index_t p, index_t q, index_t begin, index_t end) const {
        const D d;
        V real[2][N], imaginary[2][N];
        for (int r = 0; r < N; ++r)
            for (int l = 0; l < 2; ++l) {
                const T unknown = at(r, l == 0 ? p : q);
                real[l][r] = hn::Set(d, unknown.real());
                imaginary[l][r] = hn::Set(d, unknown.imag());
            }
        const auto less = [&](const line_part& a, const line_part& b, int r, index_t i) HWY_ATTR {
            V x = hn::LoadU(d, x_ + r * pitch_ + i);
            x = hn::NegMulAdd(real[0][r], a.straight, x);
            x = hn::NegMulAdd(imaginary[0][r], a.turned, x);
            x = hn::NegMulAdd(real[1][r], b.straight, x);
            return hn::NegMulAdd(imaginary[1][r], b.turned, x);
        };
        const R *const first = line(p), *const second = line(q);
        index_t i = begin;
        for (; i + lanes <= end; i += lanes) {
            const line_part a = prepared(hn::LoadU(d, first + i)), b = prepared(hn::LoadU(d, second + i));
            for (int r = 0; r < N; ++r) hn::StoreU(less(a, b, r, i), d, x_ + r * pitch_ + i);
        }
        if (i >= end) return;
        const auto some = hn::FirstN(d, static_cast<std::size_t>(end - i));
        const line_part a = prepared(hn::MaskedLoad(some, d, first + i)),
                        b = prepared(hn::MaskedLoad(some, d, second + i));
        for (int r = 0; r < N; ++r) {
            R* const to = x_ + r * pitch_ + i;
            hn::StoreU(hn::IfThenElse(some, less(a, b, r, i), hn::LoadU(d, to)), d, to);
        }
    }

    const small_system& one_;
    const index_t n_;
    const bool by_rows_;          // of the factors or, transposed, of their transpose
    const index_t pitch_;         // parts of a right-hand side
    T* const by_;                 // reciprocals of the diagonal
    R *const x_, *const turned_;  // [sides][pitch]
    bool divides_ = false;        // by the diagonal, where a reciprocal would be no number
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
