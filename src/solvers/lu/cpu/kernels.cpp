// kernels - the inner loops, for each Highway target.
#include <cstddef>

// AVX-512 as of Skylake has all that these loops use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/cpu/kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/cpu/kernels.hpp"
#include "solvers/lu/problem.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Two vectors of columns at a time: the chain of a row's products hides behind the other's.
template <class T>
HWY_INLINE void substitute_columns(const substitution<T>& s, index_t column) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    for (index_t i = 0; i < s.size; ++i) {
        T* const own = s.rows + i * s.row_step + column;
        auto x = hn::LoadU(d, own), y = hn::LoadU(d, own + lanes);
        for (index_t t = 0; t < i; ++t) {
            const T* const other = s.rows + t * s.row_step + column;
            const auto c = hn::Set(d, s.coefficient[i][t]);
            x = hn::NegMulAdd(c, hn::LoadU(d, other), x);
            y = hn::NegMulAdd(c, hn::LoadU(d, other + lanes), y);
        }
        if (s.divides) {
            const auto divisor = hn::Set(d, s.divisor[i]);
            x = hn::Div(x, divisor);
            y = hn::Div(y, divisor);
        }
        hn::StoreU(x, d, own);
        hn::StoreU(y, d, own + lanes);
    }
}

/// One vector of columns: the end of a row, which may hold no more.
template <class T>
HWY_INLINE void substitute_last(const substitution<T>& s, index_t column) {
    const hn::ScalableTag<T> d;
    for (index_t i = 0; i < s.size; ++i) {
        T* const own = s.rows + i * s.row_step + column;
        auto x = hn::LoadU(d, own);
        for (index_t t = 0; t < i; ++t)
            x = hn::NegMulAdd(hn::Set(d, s.coefficient[i][t]), hn::LoadU(d, s.rows + t * s.row_step + column),
                              x);
        if (s.divides) x = hn::Div(x, hn::Set(d, s.divisor[i]));
        hn::StoreU(x, d, own);
    }
}

template <class T>
HWY_INLINE void substitute_all(const substitution<T>& s) {
    const auto lanes = static_cast<index_t>(hn::Lanes(hn::ScalableTag<T>()));
    index_t column = 0;
    for (; column + lanes < s.columns; column += 2 * lanes) substitute_columns(s, column);
    for (; column < s.columns; column += lanes) substitute_last(s, column);
}

/// The largest magnitude that each lane has met, and in which row. Rows must be met in ascending order.
template <class T>
class largest_by_lane {
    using tag = hn::ScalableTag<T>;
    using row_tag = hn::RebindToSigned<tag>;
    using row = hn::TFromD<row_tag>;

public:
    HWY_INLINE largest_by_lane(T first_value, index_t first_row)
        : magnitude_(hn::Abs(hn::Set(tag(), first_value))),
          row_(hn::Set(row_tag(), static_cast<row>(first_row))) {}
    HWY_INLINE void meet(hn::Vec<tag> values, index_t first_row) {
        const auto a = hn::Abs(values);
        const auto larger = hn::Gt(a, magnitude_);
        magnitude_ = hn::IfThenElse(larger, a, magnitude_);
        row_ = hn::IfThenElse(hn::RebindMask(row_tag(), larger),
                              hn::Iota(row_tag(), static_cast<row>(first_row)), row_);
    }
    [[nodiscard]] HWY_INLINE index_t result() const {
        HWY_ALIGN T magnitude[hn::MaxLanes(tag())];
        HWY_ALIGN row rows[hn::MaxLanes(tag())];
        hn::Store(magnitude_, tag(), magnitude);
        hn::Store(row_, row_tag(), rows);
        std::size_t best = 0;
        for (std::size_t i = 1; i < hn::Lanes(tag()); ++i)
            if (magnitude[i] > magnitude[best] || (magnitude[i] == magnitude[best] && rows[i] < rows[best]))
                best = i;
        return static_cast<index_t>(rows[best]);
    }

private:
    hn::Vec<tag> magnitude_;
    hn::Vec<row_tag> row_;
};

// The padding below a column holds 0, or NaN after a division by NaN: neither is larger than the first.
template <class T>
HWY_INLINE index_t find_largest(const tall_columns<T>& c, index_t first) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    largest_by_lane<T> largest(c.data[first], first);
    for (index_t i = first + 1; i < c.rows; i += lanes) largest.meet(hn::LoadU(d, c.data + i), i);
    return largest.result();
}

/// How a column becomes multipliers (problem.hpp, multiplier()).
enum class scaling { keep, multiply, divide };

template <scaling How, class T, class V>
HWY_INLINE V scaled(V below, V by) {
    if constexpr (How == scaling::multiply) return hn::Mul(below, by);
    if constexpr (How == scaling::divide) return hn::Div(below, by);
    return below;
}

/// `Others`: columns after the pivot's.
template <scaling How, int Others, class T>
HWY_INLINE index_t eliminate_columns(const tall_columns<T>& c, index_t pivot, T by) {
    const hn::ScalableTag<T> d;
    using V = hn::Vec<decltype(d)>;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const index_t first = pivot + 1;
    const V factor = hn::Set(d, by);
    V u[Others > 0 ? Others : 1];
    for (int t = 0; t < Others; ++t) u[t] = hn::Set(d, c.data[(t + 1) * c.leading + pivot]);
    T start = 0;  // row `first` of the next column as it will be
    if constexpr (Others > 0) {
        const V l = scaled<How, T>(hn::Set(d, c.data[first]), factor);
        start = hn::GetLane(hn::NegMulAdd(l, u[0], hn::Set(d, c.data[c.leading + first])));
    }
    largest_by_lane<T> largest(start, first);
    const auto pass = [&](index_t i, auto keep) HWY_ATTR {
        T* const at = c.data + i;
        const V before = hn::Load(d, at);
        const V l = keep(scaled<How, T>(before, factor), before);
        hn::Store(l, d, at);
        for (int t = 0; t < Others; ++t) {
            T* const other = at + (t + 1) * c.leading;
            const V old = hn::Load(d, other), x = keep(hn::NegMulAdd(l, u[t], old), old);
            hn::Store(x, d, other);
            if (t == 0) largest.meet(keep(x, hn::Zero(d)), i);
        }
    };
    // Whole vectors on their boundaries: of the first, the rows above stay as they are.
    index_t i = first / lanes * lanes;
    if (i < first) {
        const auto above = hn::FirstN(d, static_cast<std::size_t>(first - i));
        pass(i, [&](V now, V before) HWY_ATTR { return hn::IfThenElse(above, before, now); });
        i += lanes;
    }
    for (; i < c.rows; i += lanes) pass(i, [](V now, V) HWY_ATTR { return now; });
    return Others > 0 ? largest.result() : first;
}

template <scaling How, class T, int Others = 0>
HWY_INLINE index_t eliminate_scaled(const tall_columns<T>& c, index_t pivot, T by) {
    if constexpr (Others < 7)
        if (c.columns - 1 != Others) return eliminate_scaled<How, T, Others + 1>(c, pivot, by);
    return eliminate_columns<How, Others>(c, pivot, by);
}

template <class T>
HWY_INLINE index_t eliminate_any(const tall_columns<T>& c, index_t pivot) {
    if (pivot + 1 >= c.rows) return pivot + 1;
    const T value = c.data[pivot];
    if (value == T(0)) return eliminate_scaled<scaling::keep>(c, pivot, value);
    if (has_reciprocal(value)) return eliminate_scaled<scaling::multiply>(c, pivot, T(1) / value);
    return eliminate_scaled<scaling::divide>(c, pivot, value);
}

void substitute_f32(const substitution<float>& s) {
    substitute_all(s);
}
void substitute_f64(const substitution<double>& s) {
    substitute_all(s);
}
index_t find_largest_f32(const tall_columns<float>& c, index_t first) {
    return find_largest(c, first);
}
index_t find_largest_f64(const tall_columns<double>& c, index_t first) {
    return find_largest(c, first);
}
index_t eliminate_f32(const tall_columns<float>& c, index_t pivot) {
    return eliminate_any(c, pivot);
}
index_t eliminate_f64(const tall_columns<double>& c, index_t pivot) {
    return eliminate_any(c, pivot);
}

// Complex numbers: plain loops over their parts, which the compiler turns into the vectors of each target.
// Sums only, with a negated factor: of a difference beside a sum g++ 12 makes a fused vfmaddsub in vectors,
// whatever -ffp-contract says, and plain products behind the last vector, so that bits would depend on where
// lines end.

/// y -= x u, `count` numbers of each.
template <class R>
HWY_INLINE void subtract_multiple(R* HWY_RESTRICT y, const R* HWY_RESTRICT x, std::complex<R> u,
                                  index_t count) {
    const R re = u.real(), im = u.imag(), minus_im = -im;
    for (index_t i = 0; i < 2 * count; i += 2) {
        const R a = x[i], b = x[i + 1];
        y[i] -= a * re + b * minus_im;
        y[i + 1] -= a * im + b * re;
    }
}

template <class R>
HWY_INLINE void substitute_complex(const substitution<std::complex<R>>& s) {
    for (index_t i = 0; i < s.size; ++i) {
        auto* const own = s.rows + i * s.row_step;
        for (index_t t = 0; t < i; ++t)
            subtract_multiple(reinterpret_cast<R*>(own), reinterpret_cast<const R*>(s.rows + t * s.row_step),
                              s.coefficient[i][t], s.columns);
        for (index_t j = 0; s.divides && j < s.columns; ++j) own[j] /= s.divisor[i];
    }
}

template <class R>
HWY_INLINE index_t find_largest_complex(const tall_columns<std::complex<R>>& c, index_t first) {
    index_t best = first;
    R most = pivot_size(c.data[first]);
    for (index_t i = first + 1; i < c.rows; ++i) {
        const R size = pivot_size(c.data[i]);
        if (size > most) {
            most = size;
            best = i;
        }
    }
    return best;
}

template <class R>
HWY_INLINE index_t eliminate_complex(const tall_columns<std::complex<R>>& c, index_t pivot) {
    const index_t first = pivot + 1, count = c.rows - first;
    if (count <= 0) return first;
    auto* const below = c.data + first;
    const std::complex<R> value = c.data[pivot];
    if (has_reciprocal(value)) {
        const std::complex<R> by = R(1) / value;
        const R re = by.real(), im = by.imag(), minus_im = -im;
        auto* const l = reinterpret_cast<R*>(below);
        for (index_t i = 0; i < 2 * count; i += 2) {
            const R a = l[i], b = l[i + 1];
            l[i] = a * re + b * minus_im;
            l[i + 1] = a * im + b * re;
        }
    } else {
        for (index_t i = 0; i < count; ++i) below[i] = multiplier(below[i], value);
    }
    for (index_t j = 1; j < c.columns; ++j)
        subtract_multiple(reinterpret_cast<R*>(below + j * c.leading), reinterpret_cast<const R*>(below),
                          c.data[j * c.leading + pivot], count);
    if (c.columns == 1) return first;
    return find_largest_complex<R>({c.data + c.leading, c.leading, c.rows, c.columns - 1}, first);
}

void substitute_c64(const substitution<std::complex<float>>& s) {
    substitute_complex(s);
}
void substitute_c128(const substitution<std::complex<double>>& s) {
    substitute_complex(s);
}
index_t eliminate_c64(const tall_columns<std::complex<float>>& c, index_t pivot) {
    return eliminate_complex(c, pivot);
}
index_t eliminate_c128(const tall_columns<std::complex<double>>& c, index_t pivot) {
    return eliminate_complex(c, pivot);
}
index_t find_largest_c64(const tall_columns<std::complex<float>>& c, index_t first) {
    return find_largest_complex(c, first);
}
index_t find_largest_c128(const tall_columns<std::complex<double>>& c, index_t first) {
    return find_largest_complex(c, first);
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {

HWY_EXPORT(substitute_f32);
HWY_EXPORT(substitute_f64);
HWY_EXPORT(find_largest_f32);
HWY_EXPORT(find_largest_f64);
HWY_EXPORT(eliminate_f32);
HWY_EXPORT(eliminate_f64);
HWY_EXPORT(substitute_c64);
HWY_EXPORT(substitute_c128);
HWY_EXPORT(find_largest_c64);
HWY_EXPORT(find_largest_c128);
HWY_EXPORT(eliminate_c64);
HWY_EXPORT(eliminate_c128);

void substitute(const substitution<float>& s) {
    HWY_DYNAMIC_DISPATCH(substitute_f32)(s);
}
void substitute(const substitution<double>& s) {
    HWY_DYNAMIC_DISPATCH(substitute_f64)(s);
}
index_t row_of_largest(const tall_columns<float>& c, index_t first) {
    return HWY_DYNAMIC_DISPATCH(find_largest_f32)(c, first);
}
index_t row_of_largest(const tall_columns<double>& c, index_t first) {
    return HWY_DYNAMIC_DISPATCH(find_largest_f64)(c, first);
}
index_t eliminate(const tall_columns<float>& c, index_t pivot) {
    return HWY_DYNAMIC_DISPATCH(eliminate_f32)(c, pivot);
}
index_t eliminate(const tall_columns<double>& c, index_t pivot) {
    return HWY_DYNAMIC_DISPATCH(eliminate_f64)(c, pivot);
}
void substitute(const substitution<std::complex<float>>& s) {
    HWY_DYNAMIC_DISPATCH(substitute_c64)(s);
}
void substitute(const substitution<std::complex<double>>& s) {
    HWY_DYNAMIC_DISPATCH(substitute_c128)(s);
}
index_t row_of_largest(const tall_columns<std::complex<float>>& c, index_t first) {
    return HWY_DYNAMIC_DISPATCH(find_largest_c64)(c, first);
}
index_t row_of_largest(const tall_columns<std::complex<double>>& c, index_t first) {
    return HWY_DYNAMIC_DISPATCH(find_largest_c128)(c, first);
}
index_t eliminate(const tall_columns<std::complex<float>>& c, index_t pivot) {
    return HWY_DYNAMIC_DISPATCH(eliminate_c64)(c, pivot);
}
index_t eliminate(const tall_columns<std::complex<double>>& c, index_t pivot) {
    return HWY_DYNAMIC_DISPATCH(eliminate_c128)(c, pivot);
}

}  // namespace wale::lu
#endif
