// matrices - what the agreement tests of lu need: dense matrices that carry their values as doubles, and the
// kinds of matrices that such solvers have failed on.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>
#include <wale/wale.hpp>

namespace wale::agreement {

/// Row by row.
struct dense {
    index_t rows = 0, columns = 0;
    std::vector<double> values;

    dense() = default;
    dense(index_t m, index_t n, double v = 0)
        : rows(m), columns(n), values(static_cast<std::size_t>(m * n), v) {}
    [[nodiscard]] double& operator()(index_t i, index_t j) {
        return values[static_cast<std::size_t>(i * columns + j)];
    }
    [[nodiscard]] double operator()(index_t i, index_t j) const {
        return values[static_cast<std::size_t>(i * columns + j)];
    }
    [[nodiscard]] index_t diagonal() const { return rows < columns ? rows : columns; }
    [[nodiscard]] bool square() const { return rows == columns; }
};

/// f(i, j) in every place.
[[nodiscard]] dense dense_of(index_t rows, index_t columns, const std::function<double(index_t, index_t)>& f);
[[nodiscard]] dense transposed(const dense& a);
/// As the type holds it.
[[nodiscard]] dense rounded(dense a, scalar type);
/// Sums in double, in the order of the inner index.
[[nodiscard]] dense product(const dense& a, const dense& b);
[[nodiscard]] double one_norm(const dense& a);
[[nodiscard]] double largest_magnitude(const dense& a);
[[nodiscard]] bool all_finite(const dense& a);
[[nodiscard]] double epsilon_of(scalar type);   // 2^-52, 2^-23
[[nodiscard]] double denormal_of(scalar type);  // the smallest positive number
[[nodiscard]] double smallest_of(scalar type);  // the smallest normal one

/// Uniform in [-1, 1).
[[nodiscard]] dense random_matrix(index_t rows, index_t columns, unsigned seed);
/// Random with a heavy diagonal: needs no pivoting.
[[nodiscard]] dense dominant_matrix(index_t rows, index_t columns, unsigned seed);
/// Orthogonal times singular values from 1 to 1 / condition times orthogonal.
[[nodiscard]] dense conditioned_matrix(index_t rows, index_t columns, double condition, unsigned seed);
/// Kac-Murdock-Szego, scale rho^|i-j|: factors, determinant and inverse are known in closed form.
[[nodiscard]] dense kms_matrix(index_t n, double scale, double rho);
[[nodiscard]] dense kms_lower(index_t n, double rho);
[[nodiscard]] dense kms_upper(index_t n, double scale, double rho);
[[nodiscard]] dense kms_inverse(index_t n, double scale, double rho);
[[nodiscard]] dense hilbert_matrix(index_t rows, index_t columns);
/// On which partial pivoting grows by 2^(n-1), all of it in exact arithmetic.
[[nodiscard]] dense growing_matrix(index_t n);

/// A kind of matrix to factor.
struct matrix_kind {
    const char* name;
    dense (*make)(index_t rows, index_t columns, scalar type, unsigned seed);
    bool any_shape = true;   // else square ones only
    bool unpivoted = false;  // has a good factorisation without pivoting
    bool grows = false;      // the backward error grows with the growth factor
    index_t largest = 1 << 20;
};
[[nodiscard]] std::span<const matrix_kind> matrix_kinds();

}  // namespace wale::agreement
