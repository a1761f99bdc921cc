// stored_vectors - vectors in the memory of a backend, in any layout, with NaN between and beside them that
// no variant may read or write.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "agreement/rows.hpp"

namespace wale::agreement {

/// Values of one vector after the other.
using values = std::vector<std::vector<double>>;

/// Random numbers in [-1, 1), every sequence another.
[[nodiscard]] inline std::vector<double> random_values(index_t size, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> all(static_cast<std::size_t>(size));
    for (double& v : all) v = uniform(engine);
    return all;
}

class stored_vectors {
public:
    /// As many values as the shape has elements, rounded to its type. There is nothing behind the last
    /// element, so that AddressSanitizer sees who reads there.
    stored_vectors(const execution& where, const vector_shape& shape, const values& all)
        : where_(where), shape_(shape) {
        const bool narrow = shape.type == scalar::f32;
        const index_t size = shape.span_elements();
        image_.resize(static_cast<std::size_t>(size * bytes_of(shape.type)));
        for (index_t i = 0; i < size; ++i)
            narrow ? put<float>(i, std::nanf("")) : put<double>(i, std::nan(""));
        for (index_t v = 0; v < shape.count; ++v)
            for (index_t i = 0; i < shape.size_of(v); ++i) {
                const double value = all[static_cast<std::size_t>(v)][static_cast<std::size_t>(i)];
                narrow ? put<float>(shape.at(v, i), static_cast<float>(value))
                       : put<double>(shape.at(v, i), value);
            }
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
    [[nodiscard]] values given() const { return read(image_); }
    [[nodiscard]] values now() const { return read(bits()); }
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
    template <class T>
    void put(index_t at, T value) {
        std::memcpy(image_.data() + static_cast<std::size_t>(at) * sizeof(T), &value, sizeof(T));
    }
    [[nodiscard]] values read(const std::vector<std::byte>& from) const {
        values all;
        for (index_t v = 0; v < shape_.count; ++v) {
            std::vector<double>& one = all.emplace_back();
            for (index_t i = 0; i < shape_.size_of(v); ++i)
                one.push_back(shape_.type == scalar::f32 ? element<float>(from, shape_.at(v, i))
                                                         : element<double>(from, shape_.at(v, i)));
        }
        return all;
    }
    template <class T>
    static double element(const std::vector<std::byte>& from, index_t at) {
        T value;
        std::memcpy(&value, from.data() + static_cast<std::size_t>(at) * sizeof(T), sizeof(T));
        return static_cast<double>(value);
    }
    execution where_;
    vector_shape shape_;
    std::vector<std::byte> image_;
    buffer<std::byte> copy_;
};

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
