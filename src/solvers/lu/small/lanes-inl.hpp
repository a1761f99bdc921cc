// lanes-inl - matrices of one shape side by side, one in each lane of a vector: what all of them do at once.
// No lane ever sees another. Once for each Highway target.
#if defined(WALE_LU_SMALL_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_LANES_INL
#undef WALE_LU_SMALL_LANES_INL
#else
#define WALE_LU_SMALL_LANES_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/small.hpp"
#include "solvers/lu/small/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

/// A complex number in each lane.
template <class V>
struct complex_lanes {
    V re, im;
};

// Of real numbers `lanes of T` are a vector, of complex ones two.

template <class T>
using lanes_of_type =
    std::conditional_t<is_complex_type<T>, complex_lanes<hn::Vec<hn::ScalableTag<real_of<T>>>>,
                       hn::Vec<hn::ScalableTag<real_of<T>>>>;

/// c - a b.
template <class V>
HWY_INLINE V minus_product(V a, V b, V c) {
    return hn::NegMulAdd(a, b, c);
}
template <class V>
HWY_INLINE complex_lanes<V> minus_product(complex_lanes<V> a, complex_lanes<V> b, complex_lanes<V> c) {
    return {hn::MulAdd(a.im, b.im, hn::NegMulAdd(a.re, b.re, c.re)),
            hn::NegMulAdd(a.im, b.re, hn::NegMulAdd(a.re, b.im, c.im))};
}
template <class V>
HWY_INLINE complex_lanes<V> product(complex_lanes<V> a, complex_lanes<V> b) {
    return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::MulAdd(a.im, b.re, hn::Mul(a.re, b.im))};
}
template <class M, class V>
HWY_INLINE V select(M mask, V yes, V no) {
    return hn::IfThenElse(mask, yes, no);
}
template <class M, class V>
HWY_INLINE complex_lanes<V> select(M mask, complex_lanes<V> yes, complex_lanes<V> no) {
    return {hn::IfThenElse(mask, yes.re, no.re), hn::IfThenElse(mask, yes.im, no.im)};
}
/// What pivots are compared by.
template <class V>
HWY_INLINE V size_of(V x) {
    return hn::Abs(x);
}
template <class V>
HWY_INLINE V size_of(complex_lanes<V> x) {
    return hn::Add(hn::Abs(x.re), hn::Abs(x.im));
}
/// Whether by_one_division gives the reciprocals in all lanes: as base::reciprocal has it.
template <class R, class V>
HWY_INLINE bool in_range(complex_lanes<V> x) {
    const hn::ScalableTag<R> d;
    constexpr R least = sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-1000);
    const V square = hn::MulAdd(x.re, x.re, hn::Mul(x.im, x.im));
    return hn::AllTrue(d, hn::And(hn::Ge(square, hn::Set(d, least)), hn::Le(square, hn::Set(d, 1 / least))));
}
template <class R, class V>
HWY_INLINE complex_lanes<V> by_one_division(complex_lanes<V> x) {
    const V square = hn::MulAdd(x.re, x.re, hn::Mul(x.im, x.im));
    const V over = hn::Div(hn::Set(hn::ScalableTag<R>(), R(1)), square);
    return {hn::Mul(x.re, over), hn::Neg(hn::Mul(x.im, over))};
}

/// Elements (i, j) of all matrices are a vector; of complex numbers one of real parts, then one of imaginary
/// parts: to move them is to move real matrices whose lines have twice the elements.
template <class T>
struct lane_matrices {
    using R = real_of<T>;
    using number = lanes_of_type<T>;
    static constexpr index_t lanes = tile_traits<R>::lanes;
    static constexpr index_t parts = is_complex_type<T> ? 2 : 1;
    static constexpr index_t step = lanes * parts;  // from an element to the next one of a line
    R* data;
    index_t row_step, column_step;  // elements of `data`

    lane_matrices(void* memory, const matrix_shape& m)
        : data(static_cast<R*>(memory)),
          row_step(step * (m.row_major() ? m.columns : 1)),
          column_step(step * (m.row_major() ? 1 : m.rows)) {}
    HWY_INLINE R* at(index_t i, index_t j) const { return data + i * row_step + j * column_step; }
    HWY_INLINE number load(index_t i, index_t j) const {
        const hn::ScalableTag<R> d;
        if constexpr (is_complex_type<T>)
            return {hn::Load(d, at(i, j)), hn::Load(d, at(i, j) + lanes)};
        else
            return hn::Load(d, at(i, j));
    }
    HWY_INLINE void store(number v, index_t i, index_t j) const {
        const hn::ScalableTag<R> d;
        if constexpr (is_complex_type<T>) {
            hn::Store(v.re, d, at(i, j));
            hn::Store(v.im, d, at(i, j) + lanes);
        } else {
            hn::Store(v, d, at(i, j));
        }
    }
    /// Of one matrix.
    [[nodiscard]] T element(index_t lane, index_t i, index_t j) const {
        if constexpr (is_complex_type<T>)
            return T(at(i, j)[lane], at(i, j)[lane + lanes]);
        else
            return at(i, j)[lane];
    }
    void set_element(T x, index_t lane, index_t i, index_t j) const {
        if constexpr (is_complex_type<T>) {
            at(i, j)[lane] = x.real();
            at(i, j)[lane + lanes] = x.imag();
        } else {
            at(i, j)[lane] = x;
        }
    }

    /// From all matrices of m, at most `lanes`; the other lanes get zeros.
    void fetch(const const_matrices& m) const {
        if (m.count < lanes) std::fill(data, data + m.rows * m.columns * step, R(0));
        const auto* from = static_cast<const R*>(m.data);
        const index_t line_size = m.line_size() * parts, stride = m.stride * parts;
        if (m.leading == m.line_size())
            return transpose<along::from, R>({from, stride}, m.count, line_size * m.lines(), {data, lanes});
        for (index_t line = 0; line < m.lines(); ++line)
            transpose<along::from, R>({from + line * m.leading * parts, stride}, m.count, line_size,
                                      {data + line * line_size * lanes, lanes});
    }
    /// The same of factors and what is to be factored: the other lanes get the identity, which takes no rare
    /// way.
    void fetch_square(const const_matrices& m) const {
        fetch(m);
        for (index_t k = 0; k < m.diagonal(); ++k) std::fill(at(k, k) + m.count, at(k, k) + lanes, R(1));
    }
    void put(const matrices& m) const {
        auto* to = static_cast<R*>(m.data);
        const index_t line_size = m.line_size() * parts, stride = m.stride * parts;
        if (m.leading == m.line_size())
            return transpose<along::to, R>({data, lanes}, line_size * m.lines(), m.count, {to, stride});
        for (index_t line = 0; line < m.lines(); ++line)
            transpose<along::to, R>({data + line * line_size * lanes, lanes}, line_size, m.count,
                                    {to + line * m.leading * parts, stride});
    }
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
