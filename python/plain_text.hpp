// plain_text - one text of a short call: read where Python keeps it, without arrays between.
#pragma once

#include <bitset>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <vector>

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
inline void append_wide(std::vector<std::uint32_t>& to, const sequence_view& from) {
    const auto each = [&]<class Symbol>(const Symbol* first) {
        to.insert(to.end(), first, first + from.size());
    };
    if (from.symbol_bytes() == 1) each(static_cast<const std::uint8_t*>(from.data()));
    if (from.symbol_bytes() == 2) each(static_cast<const std::uint16_t*>(from.data()));
    if (from.symbol_bytes() == 4) each(static_cast<const std::uint32_t*>(from.data()));
}

/// Whether it is an array of NumPy's own class: of subclasses the elements alone do not say everything.
[[nodiscard]] inline bool is_array(PyObject* value) {
    static PyObject* const type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
    return reinterpret_cast<PyObject*>(Py_TYPE(value)) == type;
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
            held_ = PyObject_GetBuffer(value, &view_, PyBUF_RECORDS_RO) == 0;
            if (!held_) PyErr_Clear();
            if (held_ && view_.ndim == 1 && view_.format != nullptr && read_numbers()) kind = kinds::numbers;
        }
    }
    plain_text(const plain_text&) = delete;
    plain_text& operator=(const plain_text&) = delete;
    ~plain_text() {
        if (held_) PyBuffer_Release(&view_);
    }
    /// Four bytes a symbol, as the other text may have them.
    void widen() {
        if (symbols.symbol_bytes() == 4) return;
        append_wide(wide_, symbols);
        show_wide();
    }

    sequence_view symbols;
    kinds kind = kinds::none;

private:
    void show_wide() { symbols = sequence_view(wide_.data(), std::ssize(wide_), 4); }

    bool read_numbers() {
        const std::string_view format(view_.format);
        if (format == "B" && (view_.strides[0] == 1 || view_.shape[0] <= 1)) {
            symbols = sequence_view(view_.buf, view_.shape[0], 1);
            return true;
        }
        if (format == "B") return copy_numbers<std::uint8_t>();
        if (format == "H") return copy_numbers<std::uint16_t>();
        if (format == "I") return copy_numbers<std::uint32_t>();
        if (format == "h") return copy_numbers<std::int16_t>();
        if (format == "i") return copy_numbers<std::int32_t>();
        if (format == "l" || format == "q") return view_.itemsize == 8 && copy_numbers<std::int64_t>();
        if (format == "L" || format == "Q") return view_.itemsize == 8 && copy_numbers<std::uint64_t>();
        return false;
    }
    /// False where a number does not fit 32 bits.
    template <class Number>
    bool copy_numbers() {
        const auto size = static_cast<std::size_t>(view_.shape[0]);
        wide_.resize(size);
        bool fits = true;
        for (std::size_t k = 0; k < size; ++k) {
            Number x;
            std::memcpy(&x,
                        static_cast<const char*>(view_.buf) + static_cast<Py_ssize_t>(k) * view_.strides[0],
                        sizeof x);
            wide_[k] = static_cast<std::uint32_t>(x);
            fits = fits && std::cmp_equal(wide_[k], x);
        }
        show_wide();
        return fits;
    }

    Py_buffer view_{};
    bool held_ = false;
    std::vector<std::uint32_t> wide_;
};

/// Whether both can be compared; in one width of symbols then.
[[nodiscard]] inline bool made_alike(plain_text& x, plain_text& y) {
    if (x.kind != y.kind || x.kind == plain_text::kinds::none) return false;
    if (x.symbols.symbol_bytes() != y.symbols.symbol_bytes()) x.widen(), y.widen();
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

/// Equal columns of a path over all.
inline double identity_of(std::string_view cigar) {
    index_t run = 0, equal = 0, columns = 0;
    for (const char c : cigar) {
        if (c >= '0' && c <= '9') {
            run = 10 * run + (c - '0');
            continue;
        }
        columns += run;
        if (c == '=') equal += run;
        run = 0;
    }
    return static_cast<double>(equal) / static_cast<double>(columns);
}

}  // namespace wale::python
