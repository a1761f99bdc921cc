// planes-inl - one complex matrix in one core's cache, row by row, the real parts of a row before its
// imaginary parts: vectors hold numbers of one row. Once for each Highway target.
#if defined(WALE_LU_SMALL_PLANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_PLANES_INL
#undef WALE_LU_SMALL_PLANES_INL
#else
#define WALE_LU_SMALL_PLANES_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/lanes-inl.hpp"
#include "solvers/lu/small/small.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
class complex_rows {
    using R = real_of<T>;
    using D = hn::ScalableTag<R>;
    using number = lanes_of_type<T>;
    static constexpr index_t lanes = tile_traits<R>::lanes;

public:
    complex_rows(void* memory, index_t rows, index_t columns)
        : data_(static_cast<R*>(memory)), rows_(rows), columns_(columns), pitch_(small_plane(columns)) {}

    /// Columns of a panel, and rows of a block of a triangle: whole vectors.
    static constexpr index_t block = HWY_MAX(lanes, index_t{8});

    [[nodiscard]] index_t rows() const { return rows_; }
    [[nodiscard]] index_t columns() const { return columns_; }
    [[nodiscard]] HWY_INLINE T at(index_t i, index_t j) const { return T(re(i)[j], re(i)[pitch_ + j]); }
    HWY_INLINE void set(index_t i, index_t j, T x) const {
        re(i)[j] = x.real();
        re(i)[pitch_ + j] = x.imag();
    }

    /// Columns beyond the last become 0, so that vectors meet numbers there.
    void clear() const { std::fill(data_, data_ + 2 * rows_ * pitch_, R(0)); }
    void fetch(const const_matrices& m, bool transposed, bool conjugated = false) const {
        const T* const from = static_cast<const T*>(m.data);
        const bool by_rows = m.row_major() != transposed;
        for (index_t i = 0; i < rows_; ++i) {
            if (by_rows)
                fetch_row(i, reinterpret_cast<const R*>(from + i * m.leading));
            else
                for (index_t j = 0; j < columns_; ++j) set(i, j, from[j * m.leading + i]);
            std::fill(re(i) + columns_, re(i) + pitch_, R(0));
            std::fill(re(i) + pitch_ + columns_, re(i) + 2 * pitch_, R(0));
            for (index_t j = 0; conjugated && j < columns_; ++j) re(i)[pitch_ + j] = -re(i)[pitch_ + j];
        }
    }
    void put(const matrices& m) const {
        T* const to = static_cast<T*>(m.data);
        for (index_t i = 0; i < rows_; ++i)
            if (m.row_major())
                put_row(i, reinterpret_cast<R*>(to + i * m.leading));
            else
                for (index_t j = 0; j < columns_; ++j) to[j * m.leading + i] = at(i, j);
    }

    HWY_INLINE void exchange(index_t i, index_t j) const {
        if (i == j) return;
        const D d;
        R *p = re(i), *q = re(j);
        for (index_t at = 0; at < 2 * pitch_; at += lanes) {
            const auto v = hn::Load(d, p + at);
            hn::Store(hn::Load(d, q + at), d, p + at);
            hn::Store(v, d, q + at);
        }
    }

    /// Row i <- row i - factor * row k, columns begin to end.
    HWY_INLINE void subtract(index_t i, T factor, index_t k, index_t begin, index_t end) const {
        const number by = all(factor);
        for (index_t j = begin; j < end; j += lanes) store(minus_product(by, load(k, j), load(i, j)), i, j);
    }
    /// Rows begin to end, from column `left` on, less columns first to last of `factors` times the rows of
    /// these numbers. Some rows at a time stay in registers, at the end fewer.
    void subtract_product(const complex_rows& factors, index_t begin, index_t end, index_t first,
                          index_t last, index_t left) const {
        constexpr int most = tile_traits<R>::many ? 8 : 4;
        index_t i = begin;
        const auto rows = [&](auto count) HWY_ATTR {
            subtract_from_rows<count()>(factors, i, first, last, left);
            i += count();
        };
        while (i + most <= end) rows(std::integral_constant<int, most>());
        if (most > 4 && i + 4 <= end) rows(std::integral_constant<int, 4>());
        if (i + 2 <= end) rows(std::integral_constant<int, 2>());
        if (i < end) rows(std::integral_constant<int, 1>());
    }
    /// Row i right of column k and up to `end` less factor times row k, and column k gets the factor: in one
    /// pass, for a vector that is loaded just after one of its elements was stored has to wait.
    HWY_INLINE void eliminate(index_t i, T factor, index_t k, index_t end) const {
        const D d;
        const number by = all(factor);
        const index_t j = k / lanes * lanes;
        const auto left = hn::FirstN(d, static_cast<std::size_t>(k - j));
        const auto not_right = hn::FirstN(d, static_cast<std::size_t>(k + 1 - j));
        const number old = load(i, j), next = minus_product(by, load(k, j), old);
        store(select(left, old, select(not_right, by, next)), i, j);
        subtract(i, factor, k, j + lanes, end);
    }
    /// Row k <- row k / by.
    void divide(index_t k, T by) const {
        if (HWY_LIKELY(is_regular(by))) {
            const number scale = all(base::reciprocal(by));
            for (index_t j = 0; j < columns_; j += lanes) store(product(scale, load(k, j)), k, j);
            return;
        }
        for (index_t j = 0; j < columns_; ++j) set(k, j, at(k, j) / by);
    }
    /// Columns begin to end of row i times those of the only row of x.
    [[nodiscard]] HWY_INLINE T row_times(index_t i, const complex_rows& x, index_t begin, index_t end) const {
        const D d;
        number sum{hn::Zero(d), hn::Zero(d)};
        for (index_t j = begin / lanes * lanes; j < end; j += lanes) {
            const auto left = hn::FirstN(d, static_cast<std::size_t>(std::max<index_t>(begin - j, 0)));
            const auto not_right = hn::FirstN(d, static_cast<std::size_t>(std::min(end - j, lanes)));
            const number a = load(i, j), b = x.load(0, j), zero{hn::Zero(d), hn::Zero(d)};
            const number c = select(left, zero, select(not_right, b, zero));
            sum = minus_product(a, c, sum);
        }
        return T(-hn::GetLane(hn::SumOfLanes(d, sum.re)), -hn::GetLane(hn::SumOfLanes(d, sum.im)));
    }
    /// Whether base::reciprocal takes one division.
    [[nodiscard]] static bool is_regular(T x) {
        constexpr R least = sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-1000);
        const R square = x.real() * x.real() + x.imag() * x.imag();
        return square >= least && square <= 1 / least;
    }

private:
    template <int Rows>
    HWY_INLINE void subtract_from_rows(const complex_rows& factors, index_t i, index_t first, index_t last,
                                       index_t left) const {
        for (index_t j = left; j < columns_; j += lanes) {
            number sum[Rows];
            for (int r = 0; r < Rows; ++r) sum[r] = load(i + r, j);
            for (index_t k = first; k < last; ++k) {
                const number other = load(k, j);
                for (int r = 0; r < Rows; ++r)
                    sum[r] = minus_product(all(factors.at(i + r, k)), other, sum[r]);
            }
            for (int r = 0; r < Rows; ++r) store(sum[r], i + r, j);
        }
    }
    HWY_INLINE R* re(index_t i) const { return data_ + 2 * i * pitch_; }
    HWY_INLINE number load(index_t i, index_t j) const {
        const D d;
        return {hn::Load(d, re(i) + j), hn::Load(d, re(i) + pitch_ + j)};
    }
    HWY_INLINE void store(number x, index_t i, index_t j) const {
        const D d;
        hn::Store(x.re, d, re(i) + j);
        hn::Store(x.im, d, re(i) + pitch_ + j);
    }
    static HWY_INLINE number all(T x) {
        const D d;
        return {hn::Set(d, x.real()), hn::Set(d, x.imag())};
    }
    HWY_INLINE void fetch_row(index_t i, const R* from) const {
        const D d;
        index_t j = 0;
        for (; j + lanes <= columns_; j += lanes) {
            number x;
            hn::LoadInterleaved2(d, from + 2 * j, x.re, x.im);
            store(x, i, j);
        }
        for (; j < columns_; ++j) set(i, j, T(from[2 * j], from[2 * j + 1]));
    }
    HWY_INLINE void put_row(index_t i, R* to) const {
        const D d;
        index_t j = 0;
        for (; j + lanes <= columns_; j += lanes) {
            const number x = load(i, j);
            hn::StoreInterleaved2(x.re, x.im, d, to + 2 * j);
        }
        for (; j < columns_; ++j) {
            to[2 * j] = re(i)[j];
            to[2 * j + 1] = re(i)[pitch_ + j];
        }
    }

    R* data_;
    index_t rows_, columns_, pitch_;
};

/// X <- the inverse of a triangle of `a` times X: a block of rows after the other, each taken from all rows
/// that are left at once.
template <bool Lower, class T>
void substitute(const complex_rows<T>& a, const complex_rows<T>& x, bool unit) {
    constexpr index_t block = complex_rows<T>::block;
    const index_t n = a.rows();
    for (index_t done = 0; done < n; done += block) {
        const index_t steps = HWY_MIN(block, n - done);
        const index_t first = Lower ? done : n - done - steps, last = first + steps;
        for (index_t step = 0; step < steps; ++step) {
            const index_t k = Lower ? first + step : last - 1 - step;
            if (!unit) x.divide(k, a.at(k, k));
            for (index_t i = Lower ? k + 1 : first; i < (Lower ? last : k); ++i)
                x.subtract(i, a.at(i, k), k, 0, x.columns());
        }
        x.subtract_product(a, Lower ? last : 0, Lower ? n : first, first, last, 0);
    }
}

/// The same of one column, which lies as a row.
template <bool Lower, class T>
void substitute_one(const complex_rows<T>& a, const complex_rows<T>& x, bool unit) {
    const index_t n = a.rows();
    for (index_t step = 0; step < n; ++step) {
        const index_t k = Lower ? step : n - 1 - step;
        const T sum = x.at(0, k) - (Lower ? a.row_times(k, x, 0, k) : a.row_times(k, x, k + 1, n));
        if (unit)
            x.set(0, k, sum);
        else if (const T by = a.at(k, k); HWY_LIKELY(a.is_regular(by)))
            x.set(0, k, base::product(sum, base::reciprocal(by)));
        else
            x.set(0, k, sum / by);
    }
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
