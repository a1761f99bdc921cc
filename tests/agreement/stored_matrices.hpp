// stored_matrices - dense matrices in the memory of a backend, in either storage order, with foreign elements
// between lines and matrices that no row may read or write; and small arrays beside them.
#pragma once

#include <cstddef>
#include <vector>

#include "agreement/matrices.hpp"

namespace wale::agreement {

struct placement {
    scalar type = scalar::f64;
    storage_order order = storage_order::column_major;
    index_t gap = 0;      // elements between lines
    index_t apart = 0;    // elements between matrices
    bool listed = false;  // as a list, in which storage orders and gaps take turns
};

/// The gaps are NaN, so that who reads them shows it. There is nothing behind the last element, so that
/// AddressSanitizer sees who reads there.
class stored_matrices {
public:
    stored_matrices(const execution& where, const std::vector<dense>& all, const placement& how);
    stored_matrices(const stored_matrices&) = delete;
    stored_matrices& operator=(const stored_matrices&) = delete;

    [[nodiscard]] const std::vector<matrices>& list() const { return list_; }
    [[nodiscard]] const std::vector<const_matrices>& const_list() const { return const_list_; }
    /// All of one shape.
    [[nodiscard]] const matrices& uniform() const { return uniform_; }
    [[nodiscard]] index_t count() const { return std::ssize(list_); }
    [[nodiscard]] std::vector<dense> get();
    [[nodiscard]] std::vector<std::byte> bits();
    [[nodiscard]] bool gaps_untouched();

private:
    void place(const std::vector<dense>& all, const placement& how);
    void fetch();
    execution where_;
    scalar type_;
    std::vector<index_t> starts_;  // elements
    std::vector<std::byte> image_;
    buffer<std::byte> copy_;
    std::vector<matrices> list_;
    std::vector<const_matrices> const_list_;
    matrices uniform_;
};

/// An array in the memory of a backend.
template <class T>
class stored_array {
public:
    stored_array(const execution& where, const std::vector<T>& from)
        : where_(where), size_(std::ssize(from)), data_(to_device(where, std::span<const T>(from))) {}
    stored_array(const execution& where, index_t size, T fill)
        : stored_array(where, std::vector<T>(static_cast<std::size_t>(size), fill)) {}
    [[nodiscard]] T* data() const { return data_.data(); }
    [[nodiscard]] std::vector<T> get() const {
        std::vector<T> all(static_cast<std::size_t>(size_));
        copy_bytes(where_, all.data(), data_.data(), size_ * index_t{sizeof(T)});
        return all;
    }

private:
    execution where_;
    index_t size_;
    buffer<T> data_;
};

}  // namespace wale::agreement
