// matrix - views of dense matrices of any scalar type, row- or column-major: one, or many of one shape. Own
// nothing.
#pragma once

#include <complex>
#include <type_traits>
#include <wale/view.hpp>

namespace wale {

enum class scalar { f32, f64, c64, c128 };  // c: complex, a pair of floats of 32 or 64 bits

[[nodiscard]] constexpr index_t bytes_of(scalar s) noexcept {
    return s == scalar::f32 ? 4 : s == scalar::c128 ? 16 : 8;
}
[[nodiscard]] constexpr bool is_complex(scalar s) noexcept {
    return s == scalar::c64 || s == scalar::c128;
}
/// Whether it, or its parts, have 32 bits.
[[nodiscard]] constexpr bool is_single(scalar s) noexcept {
    return s == scalar::f32 || s == scalar::c64;
}
[[nodiscard]] constexpr const char* name_of(scalar s) noexcept {
    constexpr const char* names[] = {"float32", "float64", "complex64", "complex128"};
    return names[static_cast<int>(s)];
}

template <class T>
struct scalar_of;  // no value: not a scalar type
template <>
struct scalar_of<float> : std::integral_constant<scalar, scalar::f32> {};
template <>
struct scalar_of<double> : std::integral_constant<scalar, scalar::f64> {};
template <>
struct scalar_of<std::complex<float>> : std::integral_constant<scalar, scalar::c64> {};
template <>
struct scalar_of<std::complex<double>> : std::integral_constant<scalar, scalar::c128> {};

/// Which index of a matrix is contiguous: the column's number (C, NumPy) or the row's (Fortran, LAPACK).
enum class storage_order { row_major, column_major };

/// Where the elements of some matrices of one shape lie.
struct matrix_shape {
    scalar type = scalar::f64;
    storage_order order = storage_order::row_major;
    index_t rows = 0;
    index_t columns = 0;
    index_t leading = 0;  // elements from a row (row-major) or column (column-major) to the next
    index_t count = 1;    // matrices
    index_t stride = 0;   // elements from a matrix to the next

    [[nodiscard]] constexpr bool row_major() const noexcept { return order == storage_order::row_major; }
    [[nodiscard]] constexpr index_t lines() const noexcept { return row_major() ? rows : columns; }
    [[nodiscard]] constexpr index_t line_size() const noexcept { return row_major() ? columns : rows; }
    [[nodiscard]] constexpr index_t diagonal() const noexcept { return rows < columns ? rows : columns; }
    /// Elements from a row, or from a column, to the next.
    [[nodiscard]] constexpr index_t row_step() const noexcept { return row_major() ? leading : 1; }
    [[nodiscard]] constexpr index_t column_step() const noexcept { return row_major() ? 1 : leading; }
    /// Elements from the first to the last of one matrix, inclusive; of all matrices.
    [[nodiscard]] constexpr index_t span_of_one() const noexcept {
        return rows == 0 || columns == 0 ? 0 : (lines() - 1) * leading + line_size();
    }
    [[nodiscard]] constexpr index_t span_elements() const noexcept {
        return count == 0 || span_of_one() == 0 ? 0 : (count - 1) * stride + span_of_one();
    }
    template <class T, class Layout>
    [[nodiscard]] static constexpr matrix_shape of(const view<T, 2, Layout>& v) noexcept {
        static_assert(std::is_same_v<Layout, layout_right> || std::is_same_v<Layout, layout_left>);
        matrix_shape s;
        s.type = scalar_of<std::remove_cv_t<T>>::value;
        if constexpr (std::is_same_v<Layout, layout_left>) s.order = storage_order::column_major;
        s.rows = v.extent(0);
        s.columns = v.extent(1);
        s.leading = v.mapping().pitch;
        s.stride = s.leading * s.lines();
        return s;
    }
    /// The leading axis counts row-major matrices.
    template <class T>
    [[nodiscard]] static constexpr matrix_shape of(const view<T, 3>& v) noexcept {
        matrix_shape s;
        s.type = scalar_of<std::remove_cv_t<T>>::value;
        s.count = v.extent(0);
        s.rows = v.extent(1);
        s.columns = v.extent(2);
        s.leading = v.mapping().pitch;
        s.stride = s.rows * s.leading;
        return s;
    }
};

/// Matrices to read. A single matrix is a batch of one.
struct const_matrices : matrix_shape {
    const void* data = nullptr;

    constexpr const_matrices() = default;
    constexpr const_matrices(const void* elements, const matrix_shape& shape)
        : matrix_shape(shape), data(elements) {}
    template <class T, int Rank, class Layout>
    constexpr const_matrices(view<T, Rank, Layout> v) : const_matrices(v.data(), matrix_shape::of(v)) {}
    /// Matrix number i alone.
    [[nodiscard]] const_matrices operator[](index_t i) const noexcept {
        const_matrices one = *this;
        one.data = static_cast<const char*>(data) + i * stride * bytes_of(type);
        one.count = 1;
        return one;
    }
};

/// Matrices to write.
struct matrices : matrix_shape {
    void* data = nullptr;

    constexpr matrices() = default;
    constexpr matrices(void* elements, const matrix_shape& shape) : matrix_shape(shape), data(elements) {}
    template <class T, int Rank, class Layout>
        requires(!std::is_const_v<T>)
    constexpr matrices(view<T, Rank, Layout> v) : matrices(v.data(), matrix_shape::of(v)) {}
    constexpr operator const_matrices() const { return {data, *this}; }
    [[nodiscard]] matrices operator[](index_t i) const noexcept {
        matrices one = *this;
        one.data = static_cast<char*>(data) + i * stride * bytes_of(type);
        one.count = 1;
        return one;
    }
};

}  // namespace wale
