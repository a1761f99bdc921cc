// numpy_arrays - see the header.
#include "numpy_arrays.hpp"

#include <array>
#include <cstring>
#include <string_view>

namespace wale::python {
namespace {

/// The beginning of PyArrayObject and of PyArray_Descr, which NumPy's C interface fixes for compiled users.
struct array_fields {
    PyObject head;
    char* data;
    int axes;
    Py_ssize_t *shape, *strides;
    PyObject *base, *type;
    int flags;
};
struct type_fields {
    PyObject head;
    PyObject* scalar;
    char kind, letter, order, reserved;
    int number;
};
constexpr int gapless = 1, writeable = 0x400;  // NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE

/// By NumPy's number of a type: the format of the buffer protocol and the size of an element.
struct number_format {
    const char* format;
    Py_ssize_t size;
};
constexpr number_format formats[] = {{"?", 1},
                                     {"b", 1},
                                     {"B", 1},
                                     {"h", 2},
                                     {"H", 2},
                                     {"i", 4},
                                     {"I", 4},
                                     {"l", sizeof(long)},
                                     {"L", sizeof(long)},
                                     {"q", 8},
                                     {"Q", 8},
                                     {"f", 4},
                                     {"d", 8},
                                     {nullptr, 0},  // long double
                                     {"Zf", 8},
                                     {"Zd", 16}};
int number_of(element type) {
    constexpr bool wide = sizeof(long) == 8;
    constexpr int numbers[] = {5, wide ? 7 : 9, 11, 12, 14, 15, 0, 1, 2, 3, 4, 6, wide ? 8 : 10};
    return numbers[static_cast<int>(type)];
}

/// Fills a view of an array of NumPy's own class; false for types that are not in the table, the other byte
/// order, and where the array is not as it should be to be written.
bool read_fields(PyObject* array, bool written, Py_buffer& view) {
    const auto& a = *reinterpret_cast<const array_fields*>(array);
    const auto& type = *reinterpret_cast<const type_fields*>(a.type);
    if (type.number < 0 || type.number >= std::ssize(formats) || (type.order != '=' && type.order != '|'))
        return false;
    const number_format& number = formats[type.number];
    if (number.format == nullptr || (written && (~a.flags & (gapless | writeable)) != 0)) return false;
    view = {};
    view.buf = a.data;
    view.itemsize = number.size;
    view.format = const_cast<char*>(number.format);
    view.ndim = a.axes;
    view.shape = a.shape;
    view.strides = a.strides;
    view.len = number.size;
    for (int k = 0; k < a.axes; ++k) view.len *= a.shape[k];
    return true;
}

/// Whether the fields of an array say what the protocol says.
bool reads_right(const nb::object& array) {
    Py_buffer ours, theirs;
    if (PyObject_GetBuffer(array.ptr(), &theirs, PyBUF_RECORDS_RO) != 0) throw nb::python_error();
    bool same = is_array(array.ptr()) && read_fields(array.ptr(), false, ours);
    same = same && ours.buf == theirs.buf && ours.ndim == theirs.ndim && ours.len == theirs.len &&
           ours.itemsize == theirs.itemsize && std::string_view(ours.format) == theirs.format;
    for (int k = 0; same && k < ours.ndim; ++k)
        same = ours.shape[k] == theirs.shape[k] && ours.strides[k] == theirs.strides[k];
    PyBuffer_Release(&theirs);
    return same;
}

/// Asked once: whether this NumPy keeps its arrays as the fields above say.
bool fields_are_known() {
    try {
        const nb::object arange = nb::module_::import_("numpy").attr("arange");
        for (const char* type :
             {"float32", "float64", "complex64", "complex128", "uint8", "int32", "int64"}) {
            const nb::object whole = arange(12, nb::arg("dtype") = type).attr("reshape")(3, 4);
            if (!reads_right(whole) || !reads_right(nb::object(whole.attr("T"))[nb::int_(1)])) return false;
        }
        return true;
    } catch (nb::python_error&) {
        return false;
    }
}

/// NumPy's table of functions; null where this NumPy is none of the two whose table is known.
void** functions_of_numpy() {
    for (const char* place : {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"}) {
        try {
            const nb::object table = nb::module_::import_(place).attr("_ARRAY_API");
            auto** const functions = static_cast<void**>(PyCapsule_GetPointer(table.ptr(), nullptr));
            if (functions == nullptr) throw nb::python_error();
            const unsigned version = reinterpret_cast<unsigned (*)()>(functions[0])();
            return version == 0x01000009 || version == 0x02000000 ? functions : nullptr;
        } catch (nb::python_error&) {
            continue;
        }
    }
    return nullptr;
}

using make_array = PyObject* (*)(PyTypeObject*, int, const Py_ssize_t*, int, const Py_ssize_t*, void*, int,
                                 int, PyObject*);

nb::object array_by_python(element type, std::span<const Py_ssize_t> shape) {
    constexpr const char* names[] = {"int32",      "int64",  "float32", "float64", "complex64",
                                     "complex128", "bool",   "int8",    "uint8",   "int16",
                                     "uint16",     "uint32", "uint64"};
    nb::object axes = nb::steal(PyTuple_New(std::ssize(shape)));
    for (Py_ssize_t k = 0; k < std::ssize(shape); ++k)
        PyTuple_SetItem(axes.ptr(), k, PyLong_FromSsize_t(shape[static_cast<std::size_t>(k)]));
    return nb::module_::import_("numpy").attr("empty")(axes, names[static_cast<int>(type)]);
}

PyObject* class_of_arrays() {
    static PyObject* const type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
    return type;
}

}  // namespace

bool is_array(PyObject* value) {
    return reinterpret_cast<PyObject*>(Py_TYPE(value)) == class_of_arrays();
}

array_view::~array_view() {
    if (protocol_) PyBuffer_Release(&view);
    Py_XDECREF(held_);
}

bool array_view::read(PyObject* array, bool written) {
    static const bool known = fields_are_known();
    if (!known || !is_array(array) || !read_fields(array, written, view)) return false;
    gapless_ = (reinterpret_cast<const array_fields*>(array)->flags & gapless) != 0;
    held_ = array;
    Py_INCREF(array);
    return true;
}

bool array_view::look_at(PyObject* array, int flags) {
    if (read(array, (flags & PyBUF_WRITABLE) != 0)) return true;
    protocol_ = PyObject_GetBuffer(array, &view, flags) == 0;
    if (protocol_) return true;
    PyErr_Clear();
    view = {};
    return false;
}

nb::object new_array(element type, std::span<const Py_ssize_t> shape) {
    static void** const functions = functions_of_numpy();
    if (functions == nullptr) return array_by_python(type, shape);
    const auto make = reinterpret_cast<make_array>(functions[93]);  // PyArray_New
    nb::object made =
        nb::steal(make(reinterpret_cast<PyTypeObject*>(class_of_arrays()), static_cast<int>(shape.size()),
                       shape.data(), number_of(type), nullptr, nullptr, 0, 0, nullptr));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

}  // namespace wale::python
