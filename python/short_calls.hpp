// short_calls - calls of some ten nanoseconds: what the module keeps of them.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <wale/brief.hpp>

namespace wale::python {

/// Keeps what wale.last_report() gives in this thread, of which a report is made when it is asked for.
/// `work`: cells.
void remember(const brief_result& run, double work);

/// A function of CPython's own kind, and the one of Python that it hands over to. CPython keeps pointers to
/// the texts: they stay until the process ends, as functions of a module do.
struct short_function {
    const char* name;
    _PyCFunctionFastWithKeywords entry;
    PyObject* slow = nullptr;
    std::string doc{};
    PyMethodDef definition{};

    [[nodiscard]] PyObject* hand_over(PyObject* const* values, Py_ssize_t count, PyObject* names) const {
        return PyObject_Vectorcall(slow, values, static_cast<std::size_t>(count), names);
    }
};

/// Those of images (short_images.cpp).
[[nodiscard]] std::span<short_function> image_functions();

/// A whole number of Python's own type in 0..most; else -1.
[[nodiscard]] long long whole_number(PyObject* value, long long most);

void bind_short_calls(nanobind::module_& m);

}  // namespace wale::python
