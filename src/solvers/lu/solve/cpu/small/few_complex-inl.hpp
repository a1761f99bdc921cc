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
    static constexpr int rows_at_once = 2;          // whose scalar products with all sides fill 16 registers
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
        for (index_t j = 0; j < one_.b.columns; j += sides)
            solve_some(j, HWY_MIN(index_t{sides}, one_.b.columns - j));
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

    /// The first `live` of the right-hand sides from column j on exist; the others are 0.
    void solve_some(index_t j, index_t live) const {
        const strided<T> b = elements<T>(one_.b).from(0, j);
        for (int r = 0; r < sides; ++r)
            for (index_t k = 0; k < n_; ++k) set(r, k, r < live ? b(k, r) : T(0));
        for (index_t k = 0; !one_.transposed && k < n_; ++k) exchange(k);
        const bool first_is_unit = !one_.transposed;
        if (by_rows_) {
            rows_forward(first_is_unit);
            rows_backward(!first_is_unit);
        } else {
            columns_forward(first_is_unit);
            columns_backward(!first_is_unit);
        }
        for (index_t k = n_ - 1; one_.transposed && k >= 0; --k) exchange(k);
        for (int r = 0; r < live; ++r)
            for (index_t k = 0; k < n_; ++k) b(k, r) = at(r, k);
    }
    HWY_INLINE void exchange(index_t k) const {
        for (int r = 0; one_.pivots && r < sides; ++r) {
            const T other = at(r, one_.pivots[k]);
            set(r, one_.pivots[k], at(r, k));
            set(r, k, other);
        }
    }

    void rows_forward(bool unit) const {
        for (index_t k = 0; k < n_; k += rows_at_once) {
            const index_t end = HWY_MIN(k + rows_at_once, n_);
            T sums[rows_at_once][sides];
            products(k, end, 0, k, sums);
            for (index_t row = k; row < end; ++row)
                for (int r = 0; r < sides; ++r) {
                    T sum = at(r, row) - sums[row - k][r];
                    for (index_t l = k; l < row; ++l) sum -= base::product(factor(row, l), at(r, l));
                    set(r, row, unit ? sum : divided(sum, row));
                }
        }
    }
    void rows_backward(bool unit) const {
        for (index_t end = n_; end > 0; end -= rows_at_once) {
            const index_t k = HWY_MAX(end - rows_at_once, index_t{0});
            T sums[rows_at_once][sides];
            products(k, end, end, n_, sums);
            for (index_t row = end - 1; row >= k; --row)
                for (int r = 0; r < sides; ++r) {
                    T sum = at(r, row) - sums[row - k][r];
                    for (index_t l = row + 1; l < end; ++l) sum -= base::product(factor(row, l), at(r, l));
                    set(r, row, unit ? sum : divided(sum, row));
                }
        }
    }
    /// sums[row - k][r]: of row times right-hand side r, columns `begin` to `end`.
    HWY_INLINE void products(index_t k, index_t rows_end, index_t begin, index_t end,
                             T (&sums)[rows_at_once][sides]) const {
        if constexpr (in_vectors) return vector_products(k, rows_end, begin, end, sums);
        for (index_t row = k; row < rows_end; ++row)
            for (int r = 0; r < sides; ++r) {
                T sum = 0;
                for (index_t l = begin; l < end; ++l) sum += base::product(factor(row, l), at(r, l));
                sums[row - k][r] = sum;
            }
    }
    HWY_INLINE void vector_products(index_t k, index_t rows_end, index_t begin, index_t end,
                                    T (&sums)[rows_at_once][sides]) const {
        const D d;
        V straight[rows_at_once][sides], crossed[rows_at_once][sides];  // re re, im im; re im, im re
        const R* a[rows_at_once];
        for (int row = 0; row < rows_at_once; ++row) {  // rows that are not there repeat the last
            a[row] = line(HWY_MIN(k + row, rows_end - 1));
            for (int r = 0; r < sides; ++r) straight[row][r] = crossed[row][r] = hn::Zero(d);
        }
        const auto add = [&](const V(&of)[rows_at_once], int r, V x, V turned) HWY_ATTR {
            for (int row = 0; row < rows_at_once; ++row) {
                straight[row][r] = hn::MulAdd(of[row], x, straight[row][r]);
                crossed[row][r] = hn::MulAdd(of[row], turned, crossed[row][r]);
            }
        };
        index_t i = 2 * begin;
        V of[rows_at_once];
        for (; i + lanes <= 2 * end; i += lanes) {
            for (int row = 0; row < rows_at_once; ++row) of[row] = hn::LoadU(d, a[row] + i);
            for (int r = 0; r < sides; ++r)
                add(of, r, hn::LoadU(d, x_ + r * pitch_ + i), hn::LoadU(d, turned_ + r * pitch_ + i));
        }
        if (i < 2 * end) {
            const auto some = hn::FirstN(d, static_cast<std::size_t>(2 * end - i));
            for (int row = 0; row < rows_at_once; ++row) of[row] = hn::MaskedLoad(some, d, a[row] + i);
            for (int r = 0; r < sides; ++r)
                add(of, r, hn::MaskedLoad(some, d, x_ + r * pitch_ + i),
                    hn::MaskedLoad(some, d, turned_ + r * pitch_ + i));
        }
        const V plus = in_turn(1, 1), apart = in_turn(1, -1);
        const V real = one_.conjugated ? plus : apart, imaginary = one_.conjugated ? apart : plus;
        for (int row = 0; row < rows_at_once; ++row)
            for (int r = 0; r < sides; ++r)
                sums[row][r] = T(hn::GetLane(hn::SumOfLanes(d, hn::Mul(straight[row][r], real))),
                                 hn::GetLane(hn::SumOfLanes(d, hn::Mul(crossed[row][r], imaginary))));
    }

    void columns_forward(bool unit) const {
        for (index_t k = 0; k < n_; ++k) finish(k, unit, k + 1, n_);
    }
    void columns_backward(bool unit) const {
        for (index_t k = n_ - 1; k >= 0; --k) finish(k, unit, 0, k);
    }
    /// Unknown k is final; what line k has in `begin` to `end` times the unknown is taken from the others.
    HWY_INLINE void finish(index_t k, bool unit, index_t begin, index_t end) const {
        if constexpr (in_vectors) return subtract_column(k, unit, 2 * begin, 2 * end);
        for (int r = 0; r < sides; ++r) {
            const T unknown = unit ? at(r, k) : divided(at(r, k), k);
            set(r, k, unknown);
            for (index_t l = begin; l < end; ++l) set(r, l, at(r, l) - base::product(factor(k, l), unknown));
        }
    }
    HWY_INLINE void subtract_column(index_t k, bool unit, index_t begin, index_t end) const {
        const D d;  // parts from here on
        V real[sides], imaginary[sides];
        for (int r = 0; r < sides; ++r) {
            const T unknown = unit ? at(r, k) : divided(at(r, k), k);
            set(r, k, unknown);
            real[r] = hn::Set(d, unknown.real());
            imaginary[r] = hn::Set(d, unknown.imag());
        }
        const V sign = one_.conjugated ? in_turn(1, -1) : in_turn(1, 1), times_i = in_turn(-1, 1);
        const auto less = [&](V a, int r, index_t i) HWY_ATTR {
            const V old = hn::LoadU(d, x_ + r * pitch_ + i);
            return hn::NegMulAdd(imaginary[r], hn::Mul(hn::Reverse2(d, a), times_i),
                                 hn::NegMulAdd(real[r], a, old));
        };
        index_t i = begin;
        for (; i + lanes <= end; i += lanes) {
            const V a = hn::Mul(hn::LoadU(d, line(k) + i), sign);
            for (int r = 0; r < sides; ++r) hn::StoreU(less(a, r, i), d, x_ + r * pitch_ + i);
        }
        if (i >= end) return;
        const auto some = hn::FirstN(d, static_cast<std::size_t>(end - i));
        const V a = hn::Mul(hn::MaskedLoad(some, d, line(k) + i), sign);
        for (int r = 0; r < sides; ++r) {
            R* const to = x_ + r * pitch_ + i;
            hn::StoreU(hn::IfThenElse(some, less(a, r, i), hn::LoadU(d, to)), d, to);
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
