// problem - the numerics of one pivot and one element that every backend shares, and what is made of a
// finished factorisation. Inline, host and device, no loops over the domain but finish()'s.
#pragma once

#include <cfloat>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "base/scalar.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

/// Elements of one matrix by row and column, either storage order.
template <class T>
struct strided {
    T* data;
    index_t row_step, column_step;
    WALE_HD T& operator()(index_t row, index_t column) const {
        return data[row * row_step + column * column_step];
    }
    /// The part from (row, column) on.
    [[nodiscard]] WALE_HD strided from(index_t row, index_t column) const {
        return {data + row * row_step + column * column_step, row_step, column_step};
    }
    [[nodiscard]] WALE_HD strided transposed() const { return {data, column_step, row_step}; }
};
template <class T>
[[nodiscard]] strided<T> elements(const matrices& m) {
    return {static_cast<T*>(m.data), m.row_step(), m.column_step()};
}
template <class T>
[[nodiscard]] strided<const T> elements(const const_matrices& m) {
    return {static_cast<const T*>(m.data), m.row_step(), m.column_step()};
}

using base::is_complex_type, base::magnitude, base::pivot_size, base::real_of, base::wide_of;
using base::with_any_type, base::with_type;

/// A pivot too small to have a finite reciprocal is divided by; LAPACK's xGETF2 does the same.
template <class T>
WALE_HD bool has_reciprocal(T pivot) {
    using R = real_of<T>;
    return pivot_size(pivot) >= (sizeof(R) == 4 ? R(FLT_MIN) : R(DBL_MIN));
}

/// The multiplier of an element below the pivot. Below a zero pivot elements stay as they are, as in LAPACK:
/// there they are 0 under partial pivoting.
template <class T>
WALE_HD T multiplier(T below, T pivot) {
    if (pivot == T(0)) return below;
    return has_reciprocal(pivot) ? below * (T(1) / pivot) : below / pivot;
}

/// A pivot moved away from zero, keeping its sign, of a complex number its direction; 0 counts as positive
/// (Li and Demmel 1998).
template <class T>
WALE_HD T perturbed_pivot(T pivot, real_of<T> smallest) {
    if (!(pivot_size(pivot) < smallest)) return pivot;  // NaN stays
    if constexpr (is_complex_type<T>)
        return pivot == T(0) ? T(smallest) : pivot / pivot_size(pivot) * smallest;
    else
        return pivot < T(0) ? -smallest : smallest;
}

/// A power of two for A and U, so that the sums of a residual and of a norm stay finite: `largest` is the
/// largest magnitude in both. An infinite norm would make every residual look small.
WALE_HD inline double residual_scale(double largest) {
    return largest > 0x1p900 && largest <= DBL_MAX ? 0x1p-64 : 1;
}

/// Growth above this has eaten half of the digits.
template <class T>
[[nodiscard]] double worrying_growth() {
    return 1 / std::sqrt(static_cast<double>(std::numeric_limits<real_of<T>>::epsilon()));
}

/// Host: everything that follows from factors and pivots. Fills in job.out and job.result for all matrices.
void finish(const factor_job& job);

/// The same in parts, for rows that do it while the factors are still in cache: job.out of some matrices;
/// then job.result from the outcomes of all of them, added up in their order.
struct batch_outcome {
    index_t singular = 0, first_singular = -1, first_zero = -1, not_finite = 0;
    void add(const batch_outcome& next) {
        if (singular == 0 && next.singular > 0) {
            first_singular = next.first_singular;
            first_zero = next.first_zero;
        }
        singular += next.singular;
        not_finite += next.not_finite;
    }
};
[[nodiscard]] batch_outcome finish_matrices(const factor_job& job, index_t begin, index_t end);
void report_outcome(const factor_job& job, const batch_outcome& all);

/// Host: the sign of determinant i, with its imaginary part beside it where `type` is complex.
inline void write_sign(double* signs, index_t i, scalar type, const lu_determinant_result& d) {
    if (!is_complex(type)) {
        signs[i] = d.sign;
        return;
    }
    signs[2 * i] = d.sign;
    signs[2 * i + 1] = d.sign_imaginary;
}

/// Host: every element of b becomes its conjugate.
void conjugate(const matrices& b);

/// Host: sign and log of one determinant.
[[nodiscard]] lu_determinant_result determinant_of(const const_matrices& factors, const std::int32_t* pivots);

}  // namespace wale::lu
