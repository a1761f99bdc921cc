// complex_matrices - batches of complex matrices in either order, in the memory of any backend, and what they
// are judged by: LAPACK's pivots, and ratios by plain loops in f64.
#pragma once

#include <cmath>
#include <complex>
#include <numeric>
#include <random>

#include "agreement/lu_rows.hpp"

// OpenBLAS contains LAPACK; its header for C is a package of its own.
extern "C" {
void cgetrf_(const int* m, const int* n, std::complex<float>* a, const int* lda, int* pivots, int* info);
void zgetrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, int* pivots, int* info);
}

namespace wale::agreement {

using wide = std::complex<double>;
using enum storage_order;

/// `count` matrices of type T, one behind the other with a gap, in either order.
template <class T>
struct complex_matrices {
    matrix_shape shape;
    std::vector<T> values;

    complex_matrices(index_t rows, index_t columns, index_t count, storage_order order, index_t gap = 0) {
        shape.type = scalar_of<T>::value;
        shape.order = order;
        shape.rows = rows;
        shape.columns = columns;
        shape.leading = shape.line_size() + gap;
        shape.count = count;
        shape.stride = shape.leading * shape.lines() + gap;
        values.assign(static_cast<std::size_t>(shape.stride * count), T(NAN, NAN));
    }
    T& at(index_t k, index_t i, index_t j) {
        return values[static_cast<std::size_t>(k * shape.stride + i * shape.row_step() +
                                               j * shape.column_step())];
    }
    template <class F>
    complex_matrices& fill(F&& f) {
        for (index_t k = 0; k < shape.count; ++k)
            for (index_t i = 0; i < shape.rows; ++i)
                for (index_t j = 0; j < shape.columns; ++j) at(k, i, j) = f(k, i, j);
        return *this;
    }
    complex_matrices& random(unsigned seed) {
        std::mt19937 draw(seed);
        std::uniform_real_distribution<typename T::value_type> value(-1, 1);
        return fill([&](auto...) { return T(value(draw), value(draw)); });
    }
};

/// Matrices in the memory of a backend, there and back.
template <class T>
class there {
public:
    there(const execution& where, complex_matrices<T>& m)
        : where_(where), m_(m), data_(to_device(where, std::span<const T>(m.values))) {}
    [[nodiscard]] matrices view() const { return {data_.data(), m_.shape}; }
    void fetch() {
        copy_bytes(where_, m_.values.data(), data_.data(), std::ssize(m_.values) * index_t{sizeof(T)});
    }

private:
    execution where_;
    complex_matrices<T>& m_;
    buffer<T> data_;
};

template <class T>
std::vector<std::int32_t> lapack_pivots(complex_matrices<T>& a, index_t k) {
    const int m = static_cast<int>(a.shape.rows), n = static_cast<int>(a.shape.columns),
              leading = std::max(1, m);
    std::vector<T> columns(static_cast<std::size_t>(m * n));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) columns[static_cast<std::size_t>(j * m + i)] = a.at(k, i, j);
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(a.shape.diagonal()));
    int info = 0;
    if constexpr (sizeof(T) == 8)
        cgetrf_(&m, &n, columns.data(), &leading, pivots.data(), &info);
    else
        zgetrf_(&m, &n, columns.data(), &leading, pivots.data(), &info);
    for (std::int32_t& p : pivots) --p;
    return pivots;
}

/// |P A - L U| / (max(m, n) |A| eps) in the 1-norm, by plain loops in f64.
template <class T>
double plain_ratio(complex_matrices<T>& a, complex_matrices<T>& lu, index_t k, const std::int32_t* pivots) {
    const index_t m = a.shape.rows, n = a.shape.columns;
    std::vector<index_t> from(static_cast<std::size_t>(m));
    std::iota(from.begin(), from.end(), index_t{0});
    for (index_t p = 0; p < a.shape.diagonal(); ++p)
        std::swap(from[static_cast<std::size_t>(p)], from[static_cast<std::size_t>(pivots[p])]);
    double error = 0, norm = 0;
    for (index_t j = 0; j < n; ++j) {
        double off = 0, size = 0;
        for (index_t i = 0; i < m; ++i) {
            wide sum = a.at(k, from[static_cast<std::size_t>(i)], j);
            size += std::abs(sum);
            for (index_t p = 0; p <= std::min(i, j); ++p)
                sum -= (p == i ? wide(1) : wide(lu.at(k, i, p))) * wide(lu.at(k, p, j));
            off += std::abs(sum);
        }
        error = std::max(error, off);
        norm = std::max(norm, size);
    }
    const double eps = std::numeric_limits<typename T::value_type>::epsilon();
    return error == 0 ? 0 : error / (norm * static_cast<double>(std::max(m, n)) * eps);
}

/// max |b - op(A) x| / (n eps (|A| |x| + |b|)), column sums.
template <class T>
double plain_solve_ratio(complex_matrices<T>& a, complex_matrices<T>& x, complex_matrices<T>& b, index_t k,
                         bool transposed, bool conjugated) {
    const index_t n = a.shape.rows;
    double worst = 0;
    for (index_t c = 0; c < x.shape.columns; ++c) {
        double error = 0, scale = 0;
        for (index_t i = 0; i < n; ++i) {
            wide sum = b.at(k, i, c);
            double size = std::abs(sum);
            for (index_t j = 0; j < n; ++j) {
                const wide found = transposed ? a.at(k, j, i) : a.at(k, i, j),
                           element = conjugated ? std::conj(found) : found;
                sum -= element * wide(x.at(k, j, c));
                size += std::abs(element) * std::abs(wide(x.at(k, j, c)));
            }
            error += std::abs(sum);
            scale += size;
        }
        const double eps = std::numeric_limits<typename T::value_type>::epsilon();
        const double ratio = error == 0 ? 0 : error / (scale * static_cast<double>(n) * eps);
        worst = std::isnan(ratio) ? ratio : std::max(worst, ratio);
    }
    return worst;
}

}  // namespace wale::agreement
