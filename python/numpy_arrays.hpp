// numpy_arrays - arrays of NumPy's own class, read where NumPy keeps what it knows of them and made by its C
// interface: the buffer protocol and functions of Python take longer than the work of a short call.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include "bindings.hpp"

namespace wale::python {

/// Whether it is an array of NumPy's own class: of subclasses the elements alone do not say everything.
[[nodiscard]] bool is_array(PyObject* value);

/// The memory of an object, as PyObject_GetBuffer() shows it, while this view is there.
class array_view {
public:
    array_view() = default;
    array_view(PyObject* array, int flags) { look_at(array, flags); }
    ~array_view();
    array_view(const array_view&) = delete;
    array_view& operator=(const array_view&) = delete;

    /// Once. False, with an empty view and no exception of Python, for what has no such memory. `flags`:
    /// PyBUF_RECORDS_RO or PyBUF_STRIDES | PyBUF_FORMAT, of any strides; PyBUF_CONTIG | PyBUF_FORMAT to
    /// write.
    bool look_at(PyObject* array, int flags);

    [[nodiscard]] bool held() const { return held_ != nullptr || protocol_; }
    /// Whether elements lie without gaps, each at a multiple of `part` bytes.
    [[nodiscard]] bool packed(std::size_t part) const {
        return held() && reinterpret_cast<std::uintptr_t>(view.buf) % part == 0 &&
               (gapless_ || PyBuffer_IsContiguous(&view, 'C') != 0);
    }

    Py_buffer view;  // not set before look_at(): clearing the view takes longer than two words do

private:
    bool read(PyObject* array, bool written);

    PyObject* held_ = nullptr;  // an array of NumPy that was read without the protocol
    bool protocol_ = false, gapless_ = false;
};

/// Types of the arrays that short calls make.
enum class element {
    int32,
    int64,
    float32,
    float64,
    complex64,
    complex128,
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    uint32,
    uint64
};
/// numpy.empty(shape, type).
[[nodiscard]] nb::object new_array(element type, std::span<const Py_ssize_t> shape);
[[nodiscard]] inline nb::object new_array(element type, std::initializer_list<Py_ssize_t> shape) {
    return new_array(type, std::span(shape.begin(), shape.size()));
}

}  // namespace wale::python
