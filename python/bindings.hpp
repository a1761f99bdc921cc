// bindings - what the parts of the extension module wale._wale share. The module is a thin, typed skin over
// include/wale; what Python users see (strings, lists, defaults, docstrings) is written in Python, in wale/.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <wale/wale.hpp>

namespace wale::python {

namespace nb = nanobind;

/// Any array that speaks NumPy's buffer protocol or DLPack, on any device; inputs may be read-only.
using input = nb::ndarray<nb::ro>;
using output = nb::ndarray<>;

/// wale::execution as one Python class.
struct place {
    execution where;
};

/// DLPack's code and width of an element type.
template <class T, class Array>
[[nodiscard]] bool holds(const Array& array) {
    return array.dtype() == nb::dtype<T>();
}

/// Throws bad_argument unless `where` can reach the array's memory.
void check_place(const execution& where, const char* name, int device_type, int device_id);

/// The array as a sequence: one dimension, contiguous, unsigned of 8, 16 or 32 bits.
[[nodiscard]] sequence_view sequence(const execution& where, const char* name, const input& array);

void bind_errors(nb::module_& m);
void bind_execution(nb::module_& m);
void bind_memory(nb::module_& m);
void bind_wavefront(nb::module_& m);
void bind_reconstruction(nb::module_& m);
void bind_lu(nb::module_& m);
void bind_study(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_cable(nb::module_& m);
void bind_euler(nb::module_& m);

}  // namespace wale::python
