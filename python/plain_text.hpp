// plain_text - one text of a short call: read where Python keeps it, without arrays between.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "numpy_arrays.hpp"
#include "object_codes.hpp"

namespace wale::python {

/// The code points of a str where Python keeps them, one, two or four bytes each; nothing where Python does
/// not show them: of its limited interface only those of ASCII.
[[nodiscard]] inline std::optional<sequence_view> code_points(PyObject* text) {
    const Py_ssize_t size = PyUnicode_GetLength(text);
#ifndef Py_LIMITED_API
    return sequence_view(PyUnicode_DATA(text), size, static_cast<int>(PyUnicode_KIND(text)));
#else
    // Python makes and keeps the UTF-8 of a text beyond ASCII: most such texts show by their first symbol,
    // and a long one would be there twice.
    constexpr Py_ssize_t most_characters = 1 << 16;
    if (size > most_characters || (size > 0 && PyUnicode_ReadChar(text, 0) > 127)) return std::nullopt;
    Py_ssize_t bytes = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(text, &bytes);
    if (utf8 == nullptr) PyErr_Clear();  // a lone surrogate
    if (utf8 == nullptr || bytes != size) return std::nullopt;
    return sequence_view(utf8, size, 1);
#endif
}

/// Appends symbols of any width in four bytes each.
template <class Symbols>
void append_wide(Symbols& to, const sequence_view& from) {
    const auto each = [&]<class Symbol>(const Symbol* first) {
        const std::size_t before = to.size();
        to.resize(before + static_cast<std::size_t>(from.size()));
        std::copy(first, first + from.size(), to.data() + before);
    };
    if (from.symbol_bytes() == 1) each(static_cast<const std::uint8_t*>(from.data()));
    if (from.symbol_bytes() == 2) each(static_cast<const std::uint16_t*>(from.data()));
    if (from.symbol_bytes() == 4) each(static_cast<const std::uint32_t*>(from.data()));
}

/// A str by code points; bytes, and arrays of integers below 2^32; lists and tuples of hashable objects by
/// their codes. Of kind `none` is what needs a closer look.
class plain_text {
public:
    enum class kinds { none, text, numbers, objects };

    plain_text(PyObject* value, object_codes& codes) {
        if (PyUnicode_CheckExact(value)) {
            kind = kinds::text;
            if (const auto found = code_points(value)) {
                symbols = *found;
            } else {
                wide_.resize(static_cast<std::size_t>(PyUnicode_GetLength(value)));
                const auto size = static_cast<Py_ssize_t>(wide_.size());
                if (size > 0 && PyUnicode_AsUCS4(value, wide_.data(), size, 0) == nullptr)
                    throw nb::python_error();
                show_wide();
            }
        } else if (PyBytes_CheckExact(value)) {
            kind = kinds::numbers;
            symbols = sequence_view(PyBytes_AsString(value), PyBytes_Size(value), 1);
        } else if (object_codes::takes(value)) {
            if (codes.append(value, wide_)) kind = kinds::objects;
            show_wide();
        } else if (is_array(value)) {
            if (array_.look_at(value, PyBUF_RECORDS_RO) && array_.view.ndim == 1 &&
                array_.view.format != nullptr && read_numbers())
                kind = kinds::numbers;
        }
    }
    plain_text(const plain_text&) = delete;
    plain_text& operator=(const plain_text&) = delete;
    /// Four bytes a symbol, as the other text may have them.
    void widen() {
        if (symbols.symbol_bytes() == 4) return;
        append_wide(wide_, symbols);
        show_wide();
    }

    /// Whether four bytes hold numbers that one byte holds: codes of objects mostly are few.
    [[nodiscard]] bool is_low() const {
        std::uint32_t all = 0;
        for (const std::uint32_t x : wide_) all |= x;
        return all < 256;
    }
    /// One byte a symbol, in the same memory.
    void narrow() {
        auto* const to = reinterpret_cast<unsigned char*>(wide_.data());
        for (std::size_t k = 0; k < wide_.size(); ++k) to[k] = static_cast<unsigned char>(wide_[k]);
        symbols = sequence_view(to, static_cast<index_t>(wide_.size()), 1);
    }

    sequence_view symbols;
    kinds kind = kinds::none;

private:
    void show_wide() { symbols = sequence_view(wide_.data(), static_cast<index_t>(wide_.size()), 4); }

    bool read_numbers() {
        std::string_view format(array_.view.format);
        if (format == "B" && (array_.view.strides[0] == 1 || array_.view.shape[0] <= 1)) {
            symbols = sequence_view(array_.view.buf, array_.view.shape[0], 1);
            return true;
        }
        constexpr char other_order = std::endian::native == std::endian::little ? '>' : '<';
        const bool swapped = format.size() == 2 && format[0] == other_order;
        if (swapped) format.remove_prefix(1);
        if (format.size() != 1) return false;
        const bool of_eight = array_.view.itemsize == 8;
        switch (format[0]) {
            case '?':
            case 'B':
                return copy_numbers<std::uint8_t>(swapped);
            case 'b':
                return copy_numbers<std::int8_t>(swapped);
            case 'H':
                return copy_numbers<std::uint16_t>(swapped);
            case 'h':
                return copy_numbers<std::int16_t>(swapped);
            case 'I':
                return copy_numbers<std::uint32_t>(swapped);
            case 'i':
                return copy_numbers<std::int32_t>(swapped);
            case 'l':
            case 'q':
                return of_eight ? copy_numbers<std::int64_t>(swapped) : false;
            case 'L':
            case 'Q':
                return of_eight ? copy_numbers<std::uint64_t>(swapped) : false;
            default:
                return false;
        }
    }
    /// False where a number does not fit 32 bits.
    template <class Number>
    bool copy_numbers(bool swapped) {
        return swapped ? copied<Number, true>() : copied<Number, false>();
    }
    template <class Number, bool Swapped>
    bool copied() {
        const auto size = static_cast<std::size_t>(array_.view.shape[0]);
        wide_.resize(size);
        bool fits = true;
        for (std::size_t k = 0; k < size; ++k) {
            std::array<unsigned char, sizeof(Number)> bytes;
            std::memcpy(bytes.data(),
                        static_cast<const char*>(array_.view.buf) +
                            static_cast<Py_ssize_t>(k) * array_.view.strides[0],
                        sizeof bytes);
            if constexpr (Swapped) std::reverse(bytes.begin(), bytes.end());
            const auto x = std::bit_cast<Number>(bytes);
            wide_[k] = static_cast<std::uint32_t>(x);
            fits = fits && std::cmp_equal(wide_[k], x);
        }
        show_wide();
        return fits;
    }

    array_view array_;
    few_or_many<std::uint32_t, 64> wide_;
};

/// Whether both can be compared; in one width of symbols then.
[[nodiscard]] inline bool made_alike(plain_text& x, plain_text& y) {
    if (x.kind != y.kind || x.kind == plain_text::kinds::none) return false;
    if (x.symbols.symbol_bytes() != y.symbols.symbol_bytes()) x.widen(), y.widen();
    if (x.symbols.symbol_bytes() == 4 && x.kind != plain_text::kinds::text && x.is_low() && y.is_low())
        x.narrow(), y.narrow();
    return true;
}

/// Different symbols of both.
inline index_t alphabet_of(sequence_view a, sequence_view b) {
    if (a.symbol_bytes() == 1) {
        std::bitset<256> seen;
        for (const sequence_view& s : {a, b})
            for (index_t i = 0; i < s.size(); ++i) seen.set(static_cast<const std::uint8_t*>(s.data())[i]);
        return static_cast<index_t>(seen.count());
    }
    std::vector<std::uint32_t> both;
    append_wide(both, a);
    append_wide(both, b);
    return std::ssize(std::unordered_set<std::uint32_t>(both.begin(), both.end()));
}

/// Columns of a path.
struct path_columns {
    index_t equal = 0, all = 0;
};
[[nodiscard]] inline path_columns columns_of(std::string_view cigar) {
    index_t run = 0;
    path_columns out;
    for (const char c : cigar) {
        if (c >= '0' && c <= '9') {
            run = 10 * run + (c - '0');
            continue;
        }
        out.all += run;
        if (c == '=') out.equal += run;
        run = 0;
    }
    return out;
}
/// Equal columns of a path over all.
[[nodiscard]] inline double identity_of(std::string_view cigar) {
    const path_columns c = columns_of(cigar);
    return static_cast<double>(c.equal) / static_cast<double>(c.all);
}

}  // namespace wale::python
