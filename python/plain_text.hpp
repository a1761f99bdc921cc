// plain_text - one text of a short call: read where Python keeps it, without arrays between.
#pragma once

#include <string_view>
#include <vector>

#include "object_codes.hpp"

namespace wale::python {

/// bytes, or str by code points, where they lie; `wide` takes the code points that no byte holds.
class plain_text {
public:
    plain_text(nb::handle value, object_codes& codes) : value_(value.ptr()) {
        if (PyBytes_CheckExact(value_)) {
            set(PyBytes_AsString(value_), PyBytes_Size(value_));
        } else if (PyUnicode_CheckExact(value_) && PyUnicode_GetLength(value_) <= most_characters) {
            is_text = true;
            // Python makes and keeps the UTF-8 of a text beyond ASCII: most such texts show by their first
            // symbol.
            if (PyUnicode_GetLength(value_) > 0 && PyUnicode_ReadChar(value_, 0) > 127) return;
            Py_ssize_t bytes = 0;
            const char* const utf8 = PyUnicode_AsUTF8AndSize(value_, &bytes);
            if (utf8 == nullptr) PyErr_Clear();  // a lone surrogate
            if (utf8 != nullptr && bytes == PyUnicode_GetLength(value_)) set(utf8, bytes);
        } else if (object_codes::takes(value_)) {
            is_objects = codes.append(value_, wide_);
            symbols = sequence_view(wide_.data(), std::ssize(wide_), 4);
        } else if (!PyUnicode_Check(value_) && PyObject_CheckBuffer(value_)) {  // NumPy's array of uint8
            held_ = PyObject_GetBuffer(value_, &view_, PyBUF_CONTIG_RO | PyBUF_FORMAT) == 0;
            if (!held_) PyErr_Clear();  // strides
            if (held_ && view_.ndim == 1 && view_.format == std::string_view("B"))
                set(static_cast<const char*>(view_.buf), view_.len);
        }
    }
    plain_text(const plain_text&) = delete;
    ~plain_text() {
        if (held_) PyBuffer_Release(&view_);
    }
    void widen() {
        wide_.resize(static_cast<std::size_t>(PyUnicode_GetLength(value_)));
        const auto size = static_cast<Py_ssize_t>(wide_.size());
        if (size > 0 && PyUnicode_AsUCS4(value_, wide_.data(), size, 0) == nullptr) throw nb::python_error();
        symbols = sequence_view(wide_.data(), size, 4);
    }

    sequence_view symbols;
    bool is_text = false, is_narrow = false, is_objects = false;

private:
    /// Python keeps the UTF-8 of a text that was asked for it: a long one would be there twice.
    static constexpr Py_ssize_t most_characters = 1 << 16;

    void set(const char* data, Py_ssize_t size) {
        symbols = sequence_view(data, size, 1);
        is_narrow = true;
    }

    PyObject* value_;
    Py_buffer view_{};
    bool held_ = false;
    std::vector<std::uint32_t> wide_;
};

}  // namespace wale::python
