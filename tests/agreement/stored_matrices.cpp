// stored_matrices - an image of the memory on the host, and its copy where the backend computes.
#include "agreement/stored_matrices.hpp"

#include <cstring>
#include <limits>

namespace wale::agreement {
namespace {

double read(scalar type, const std::byte* at) {
    if (type == scalar::f64) {
        double v = 0;
        std::memcpy(&v, at, sizeof v);
        return v;
    }
    float v = 0;
    std::memcpy(&v, at, sizeof v);
    return v;
}

void write(scalar type, std::byte* at, double v) {
    const auto narrow = static_cast<float>(v);
    std::memcpy(at, type == scalar::f64 ? static_cast<const void*>(&v) : &narrow,
                static_cast<std::size_t>(bytes_of(type)));
}

matrix_shape shape_of(const dense& a, const placement& how, index_t number) {
    matrix_shape s;
    s.type = how.type;
    s.order = how.order;
    index_t gap = how.gap;
    if (how.listed && number % 2 == 1) {
        s.order = s.row_major() ? storage_order::column_major : storage_order::row_major;
        gap += number % 3;
    }
    s.rows = a.rows;
    s.columns = a.columns;
    s.leading = s.line_size() + gap;
    s.stride = s.lines() * s.leading + how.apart;
    return s;
}

/// f(where the element lies from the matrix's first, row, column)
template <class F>
void for_each_element(const matrix_shape& s, F&& f) {
    for (index_t i = 0; i < s.rows; ++i)
        for (index_t j = 0; j < s.columns; ++j) f(i * s.row_step() + j * s.column_step(), i, j);
}

}  // namespace

stored_matrices::stored_matrices(const execution& where, const std::vector<dense>& all, const placement& how)
    : where_(where), type_(how.type) {
    place(all, how);
    std::byte* memory = image_.data();
    if (backend_of(where) == backend::cuda) {
        copy_ = to_device(where, std::span<const std::byte>(image_));
        memory = copy_.data();
    }
    for (std::size_t k = 0; k < list_.size(); ++k) {
        list_[k].data = memory + starts_[k] * bytes_of(type_);
        const_list_.emplace_back(list_[k]);
    }
    uniform_.type = type_;
    if (!list_.empty()) uniform_ = list_.front();
    uniform_.count = std::ssize(list_);
}

void stored_matrices::place(const std::vector<dense>& all, const placement& how) {
    index_t next = 0, end = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const matrix_shape s = shape_of(all[k], how, static_cast<index_t>(k));
        starts_.push_back(next);
        list_.emplace_back(nullptr, s);
        end = next + s.span_of_one();
        next += s.stride;
    }
    const auto size = static_cast<std::size_t>(bytes_of(type_));
    image_.resize(static_cast<std::size_t>(end) * size);
    for (std::size_t at = 0; at < image_.size(); at += size)
        write(type_, &image_[at], std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < all.size(); ++k)
        for_each_element(list_[k], [&](index_t offset, index_t i, index_t j) {
            write(type_, &image_[static_cast<std::size_t>(starts_[k] + offset) * size], all[k](i, j));
        });
}

void stored_matrices::fetch() {
    if (copy_.size() > 0) copy_bytes(where_, image_.data(), copy_.data(), copy_.size());
}

std::vector<dense> stored_matrices::get() {
    fetch();
    const auto size = static_cast<std::size_t>(bytes_of(type_));
    std::vector<dense> all;
    for (std::size_t k = 0; k < list_.size(); ++k) {
        all.emplace_back(list_[k].rows, list_[k].columns);
        for_each_element(list_[k], [&](index_t offset, index_t i, index_t j) {
            all[k](i, j) = read(type_, &image_[static_cast<std::size_t>(starts_[k] + offset) * size]);
        });
    }
    return all;
}

std::vector<std::byte> stored_matrices::bits() {
    fetch();
    return image_;
}

bool stored_matrices::gaps_untouched() {
    fetch();
    const auto size = static_cast<std::size_t>(bytes_of(type_));
    std::vector<bool> used(image_.size() / size);
    for (std::size_t k = 0; k < list_.size(); ++k)
        for_each_element(list_[k], [&](index_t offset, index_t, index_t) {
            used[static_cast<std::size_t>(starts_[k] + offset)] = true;
        });
    std::vector<std::byte> gap(size);
    write(type_, gap.data(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < used.size(); ++k)
        if (!used[k] && std::memcmp(&image_[k * size], gap.data(), size) != 0) return false;
    return true;
}

}  // namespace wale::agreement
