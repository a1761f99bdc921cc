// plain_arrays - NumPy's arrays of matrices and vectors in short calls, copied without memory of their own.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "numpy_arrays.hpp"

namespace wale::python {

/// An array of the host.
class plain_array : public array_view {
public:
    explicit plain_array(nb::handle array, bool written = false)
        : array_view(array.ptr(), (written ? PyBUF_CONTIG : PyBUF_STRIDES) | PyBUF_FORMAT) {
        constexpr std::pair<const char*, scalar> formats[] = {
            {"d", scalar::f64}, {"f", scalar::f32}, {"Zd", scalar::c128}, {"Zf", scalar::c64}};
        for (const auto& [format, one] : formats)
            if (view.format != nullptr && std::strcmp(view.format, format) == 0) type = one;
    }

    /// Contiguous matrices [count,] rows, columns; none of another array.
    [[nodiscard]] std::optional<matrices> whole() const {
        if (!type || view.ndim < 2 || view.ndim > 3 || view.len == 0) return std::nullopt;
        const index_t rows = view.shape[view.ndim - 2], columns = view.shape[view.ndim - 1];
        return matrices{view.buf,
                        {.type = *type,
                         .rows = rows,
                         .columns = columns,
                         .leading = columns,
                         .count = view.ndim == 3 ? view.shape[0] : 1,
                         .stride = rows * columns}};
    }
    /// Matrices whose rows or columns have no gaps, where they lie; none of another array.
    [[nodiscard]] std::optional<matrices> in_place() const {
        auto m = whole();
        if (!m || !aligned()) return std::nullopt;
        index_t down = view.strides[view.ndim - 2], right = view.strides[view.ndim - 1];
        if (m->columns > 1 && right != view.itemsize) {
            m->order = storage_order::column_major;
            std::swap(down, right);
        }
        if (m->line_size() > 1 && right != view.itemsize) return std::nullopt;
        const index_t leading = m->lines() > 1 ? down : m->line_size() * view.itemsize;
        const index_t stride = m->count > 1 ? view.strides[0] : m->lines() * leading;
        m->leading = leading / view.itemsize;
        m->stride = stride / view.itemsize;
        const bool fits = leading % view.itemsize == 0 && stride % view.itemsize == 0 &&
                          m->leading >= m->line_size() && m->stride >= m->lines() * m->leading;
        return fits ? m : std::nullopt;
    }
    /// Whether elements lie without gaps, each at a multiple of the size of its parts.
    [[nodiscard]] bool packed() const { return array_view::packed(part()); }
    /// So many integers, or null.
    [[nodiscard]] std::int32_t* integers(index_t count) const {
        const bool good = packed() && view.format != nullptr && std::strcmp(view.format, "i") == 0 &&
                          view.len == count * index_t{sizeof(std::int32_t)};
        return good ? static_cast<std::int32_t*>(view.buf) : nullptr;
    }
    /// As many numbers as there are matrices, or null.
    [[nodiscard]] void* numbers(scalar wanted, index_t count) const {
        return type == wanted && view.len == count * bytes_of(wanted) ? view.buf : nullptr;
    }

    std::optional<scalar> type;

private:
    [[nodiscard]] std::size_t part() const {
        return static_cast<std::size_t>(view.itemsize / (type && is_complex(*type) ? 2 : 1));
    }
    [[nodiscard]] bool aligned() const { return reinterpret_cast<std::uintptr_t>(view.buf) % part() == 0; }
};

/// A copy of square matrices without gaps, whatever their strides.
class plain_copy {
public:
    explicit plain_copy(const plain_array& from) {
        const auto found = from.whole();
        if (!found || found->rows != found->columns) return;
        of = *found;
        const Py_buffer& v = from.view;
        const index_t item = v.itemsize, n = of.rows;
        if (v.len > std::ssize(few_)) many_.resize(static_cast<std::size_t>(v.len));
        char* to = many_.empty() ? few_ : many_.data();
        of.data = to;
        index_t down = v.strides[v.ndim - 2], right = v.strides[v.ndim - 1];
        if (right != item && down == item) {
            of.order = storage_order::column_major;
            std::swap(down, right);
        }
        const bool whole = right == item && (n == 1 || down == n * item);
        for (index_t k = 0; k < of.count; ++k) {
            const char* at = static_cast<const char*>(v.buf) + (v.ndim == 3 ? k * v.strides[0] : 0);
            for (index_t i = 0; i < (whole ? 1 : n); ++i, at += down) {
                const index_t elements = whole ? n * n : n;
                if (right == item) {
                    std::memcpy(to, at, static_cast<std::size_t>(elements * item));
                } else {
                    for (index_t j = 0; j < n; ++j)
                        std::memcpy(to + j * item, at + j * right, static_cast<std::size_t>(item));
                }
                to += elements * item;
            }
        }
        good = true;
    }
    [[nodiscard]] std::int32_t* pivots() {
        const index_t wanted = of.count * of.rows;
        if (wanted <= std::ssize(few_pivots_)) return few_pivots_;
        many_pivots_.resize(static_cast<std::size_t>(wanted));
        return many_pivots_.data();
    }

    bool good = false;
    matrices of;

private:
    alignas(64) char few_[8192];
    std::int32_t few_pivots_[256];
    std::vector<char> many_;
    std::vector<std::int32_t> many_pivots_;
};

}  // namespace wale::python
