// stored_vectors - vectors in the memory of a backend, in any layout, with NaN between and beside them that
// no variant may read or write.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "agreement/rows.hpp"

namespace wale::agreement {

/// Values of one vector after the other: double, or std::complex<double> for the complex types.
template <class V>
using values_of = std::vector<std::vector<V>>;
using values = values_of<double>;

/// Random numbers in [-1, 1), of complex ones both parts; every sequence another.
template <class V = double>
[[nodiscard]] std::vector<V> random_values(index_t size, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<V> all(static_cast<std::size_t>(size));
    for (V& v : all) {
        v = uniform(engine);
        if constexpr (!std::is_same_v<V, double>) v.imag(uniform(engine));
    }
    return all;
}

template <class V>
class stored_vectors_of {
    using half = std::conditional_t<std::is_same_v<V, double>, float, std::complex<float>>;

public:
    /// As many values as the shape has elements, rounded to its type. There is nothing behind the last
    /// element, so that AddressSanitizer sees who reads there.
    stored_vectors_of(const execution& where, const vector_shape& shape, const values_of<V>& all)
        : where_(where), shape_(shape), narrow_(bytes_of(shape.type) == sizeof(half)) {
        const index_t size = shape.span_elements();
        image_.resize(static_cast<std::size_t>(size * bytes_of(shape.type)));
        for (index_t i = 0; i < size; ++i) put(i, V(std::nan("")));
        for (index_t v = 0; v < shape.count; ++v)
            for (index_t i = 0; i < shape.size_of(v); ++i)
                put(shape.at(v, i), all[static_cast<std::size_t>(v)][static_cast<std::size_t>(i)]);
        copy_ = to_device(where, std::span<const std::byte>(image_));
    }
    [[nodiscard]] vectors view() const { return {copy_.data(), shape_}; }
    [[nodiscard]] const_vectors const_view() const { return {copy_.data(), shape_}; }
    [[nodiscard]] std::vector<std::byte> bits() const {
        std::vector<std::byte> now(image_.size());
        copy_bytes(where_, now.data(), copy_.data(), static_cast<index_t>(now.size()));
        return now;
    }
    /// What was given, as the scalar type holds it.
    [[nodiscard]] values_of<V> given() const { return read(image_); }
    [[nodiscard]] values_of<V> now() const { return read(bits()); }
    [[nodiscard]] bool untouched() const { return bits() == image_; }
    /// Every byte that belongs to no element is as it was.
    [[nodiscard]] bool gaps_untouched() const {
        std::vector<std::byte> now = bits();
        const auto width = static_cast<std::size_t>(bytes_of(shape_.type));
        for (index_t v = 0; v < shape_.count; ++v)
            for (index_t i = 0; i < shape_.size_of(v); ++i) {
                const std::size_t at = static_cast<std::size_t>(shape_.at(v, i)) * width;
                std::memcpy(now.data() + at, image_.data() + at, width);
            }
        return now == image_;
    }

private:
    void put(index_t at, V value) { narrow_ ? put_as(at, static_cast<half>(value)) : put_as(at, value); }
    template <class T>
    void put_as(index_t at, T value) {
        std::memcpy(image_.data() + static_cast<std::size_t>(at) * sizeof(T), &value, sizeof(T));
    }
    [[nodiscard]] values_of<V> read(const std::vector<std::byte>& from) const {
        values_of<V> all;
        for (index_t v = 0; v < shape_.count; ++v) {
            std::vector<V>& one = all.emplace_back();
            for (index_t i = 0; i < shape_.size_of(v); ++i)
                one.push_back(narrow_ ? V(element<half>(from, shape_.at(v, i)))
                                      : element<V>(from, shape_.at(v, i)));
        }
        return all;
    }
    template <class T>
    static T element(const std::vector<std::byte>& from, index_t at) {
        T value;
        std::memcpy(&value, from.data() + static_cast<std::size_t>(at) * sizeof(T), sizeof(T));
        return value;
    }
    execution where_;
    vector_shape shape_;
    bool narrow_;  // float, or complex numbers of floats
    std::vector<std::byte> image_;
    buffer<std::byte> copy_;
};
using stored_vectors = stored_vectors_of<double>;

/// The rows of a table, and `automatic` on each of its backends.
template <class Job>
[[nodiscard]] std::vector<named_row> rows_and_automatic(catalogue::table<Job>& (*get)()) {
    std::vector<named_row> all = rows_of(get);
    for (const backend b : {backend::cpu, backend::cuda})
        all.push_back({std::string(name_of(b)) + "/automatic", b});
    return all;
}

/// What to ask the library for.
[[nodiscard]] inline std::string variant_of(const named_row& row) {
    return row.name.ends_with("/automatic") ? "automatic" : row.name;
}

}  // namespace wale::agreement
