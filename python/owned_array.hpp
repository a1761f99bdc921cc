// owned_array - memory of C++ that becomes an array of NumPy without a copy.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace wale::python {

using index_pairs = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 2>>;

/// Steps of a path, one or more.
[[nodiscard]] inline index_pairs owned(std::vector<std::array<index_t, 2>>&& path) {
    auto keep = std::make_unique<std::vector<std::array<index_t, 2>>>(std::move(path));
    index_t* const data = keep->front().data();
    const std::size_t size = keep->size();
    const nb::capsule owner(keep.release(), [](void* v) noexcept {
        delete static_cast<std::vector<std::array<index_t, 2>>*>(v);
    });
    return index_pairs(data, {size, 2}, owner);
}

/// The elements of a vector.
template <class Vector>
[[nodiscard]] nb::object owned_column(Vector&& values) {
    using T = typename Vector::value_type;
    auto keep = std::make_unique<Vector>(std::move(values));
    T* const data = keep->data();
    const std::size_t size = keep->size();
    const nb::capsule owner(keep.release(), [](void* v) noexcept { delete static_cast<Vector*>(v); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
}

/// A matrix, row by row.
template <class T>
[[nodiscard]] nb::object owned(std::unique_ptr<T[]>&& matrix, std::size_t rows, std::size_t columns) {
    T* const data = matrix.get();
    const nb::capsule owner(matrix.release(), [](void* v) noexcept { delete[] static_cast<T*>(v); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {rows, columns}, owner));
}

}  // namespace wale::python
