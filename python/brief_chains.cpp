// brief_chains - short tridiagonal systems, as a call of CPython's own kind solves them.
#include <string_view>

#include "chains.hpp"
#include "plain_arrays.hpp"

namespace wale::python {
namespace {

struct chain_words {
    tridiagonal_options options{.pivoting = pivoting::partial};
    bool verify = true, interleaved = false;
    int threads = 0;

    /// False for what needs a closer look.
    bool read(PyObject* name, PyObject* value) {
        const auto is = [&](const char* word) { return PyUnicode_CompareWithASCIIString(name, word) == 0; };
        if (is("pivoting")) return read_pivoting(value);
        if (is("periodic")) return read_truth(value, options.periodic);
        if (is("transposed")) return read_truth(value, options.transposed);
        if (is("verify")) return read_truth(value, verify);
        if (!PyLong_CheckExact(value)) return false;
        int beyond = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &beyond);
        if (is("axis")) {
            interleaved = number == 0;
            return beyond == 0 && (number == 0 || number == -1);
        }
        threads = static_cast<int>(number);
        return is("threads") && beyond == 0 && number >= 0 && number < 1 << 10;
    }

private:
    bool read_pivoting(PyObject* value) {
        if (!PyUnicode_CheckExact(value)) return false;
        const bool none = PyUnicode_CompareWithASCIIString(value, "none") == 0;
        options.pivoting = none ? pivoting::none : pivoting::partial;
        return none || PyUnicode_CompareWithASCIIString(value, "partial") == 0;
    }
    static bool read_truth(PyObject* value, bool& to) {
        to = value == Py_True;
        return to || value == Py_False;
    }
};

/// Elements: longer calls do not notice a step of the interpreter.
constexpr Py_ssize_t most_elements = 1 << 14;

/// A new array of the shape of a view.
nb::object array_of(scalar type, const Py_buffer& like) {
    const auto made_of = [&] {
        switch (type) {
            case scalar::f32:
                return element::float32;
            case scalar::f64:
                return element::float64;
            case scalar::c64:
                return element::complex64;
            case scalar::c128:
                break;
        }
        return element::complex128;
    };
    return new_array(made_of(), {like.shape, static_cast<std::size_t>(like.ndim)});
}

}  // namespace

PyObject* brief_chains(PyObject* const* values, Py_ssize_t count, PyObject* names) {
    if (count != 4) return nullptr;
    for (Py_ssize_t k = 0; k < count; ++k)
        if (!is_array(values[k])) return nullptr;
    chain_words asked;
    for (Py_ssize_t k = 0; names != nullptr && k < PyTuple_Size(names); ++k)
        if (!asked.read(PyTuple_GetItem(names, k), values[count + k])) return nullptr;
    try {
        PyObject* const b = values[3];
        const plain_array right(b);
        if (!right.type || !right.packed() || right.view.len > most_elements * right.view.itemsize)
            return nullptr;
        const nb::object x = array_of(*right.type, right.view);
        const bool verify = asked.verify && asked.options.pivoting == pivoting::none;
        const bool good = plain_chains(values[0], values[1], values[2], b, x, asked.interleaved,
                                       asked.options, verify, asked.threads, most_elements);
        return good ? nb::object(x).release().ptr() : nullptr;
    } catch (...) {
        PyErr_Clear();
        return nullptr;
    }
}

}  // namespace wale::python
