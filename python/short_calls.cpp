// short_calls - lcs_length and edit_distance as functions of CPython's own kind: a call of two words takes no
// longer than its arguments' way through an interpreter, so that nothing stands between but a look at their
// types. What needs a closer look goes on to the function of Python that has the same name, doc and
// arguments.
#include "short_calls.hpp"

#include <array>

#include "bindings.hpp"
#include "plain_text.hpp"

namespace wale::python {
namespace {

/// A function, the one that it hands over to, and the texts that CPython keeps pointers to. They stay until
/// the process ends, as functions of a module do.
struct short_function {
    PyObject* slow = nullptr;
    std::string name, doc;
    PyMethodDef definition{};
};
std::array<short_function, 2> functions;
constexpr std::size_t length = 0, distance = 1;

struct words {
    long long bound = -1;
    bool plain = true;  // no others, and of the types that they should have
};

/// A whole number of Python's own type in 0..most; else -1.
long long whole(PyObject* value, long long most) {
    if (!PyLong_CheckExact(value)) return -1;
    int beyond = 0;
    const long long found = PyLong_AsLongLongAndOverflow(value, &beyond);
    return beyond == 0 && found <= most ? found : -1;
}

words read_words(std::size_t function, PyObject* const* values, PyObject* names) {
    words out;
    for (Py_ssize_t k = 0; names != nullptr && k < PyTuple_Size(names); ++k) {
        PyObject* const name = PyTuple_GetItem(names, k);
        if (function == distance && PyUnicode_CompareWithASCIIString(name, "bound") == 0) {
            if (values[k] == Py_None) continue;
            out.bound = whole(values[k], 1LL << 40);
            out.plain = out.plain && out.bound >= 0;
        } else {
            out.plain = out.plain && PyUnicode_CompareWithASCIIString(name, "threads") == 0 &&
                        whole(values[k], 1 << 10) >= 0;
        }
    }
    return out;
}

/// Symbols of both texts in a call that keeps the GIL.
constexpr index_t most_symbols = 1 << 13;

/// The answer for two short texts; null for others, and where anything goes wrong, which the function of
/// Python then says.
PyObject* brief_answer(std::size_t function, PyObject* a, PyObject* b, index_t bound) {
    try {
        object_codes codes;
        plain_text x(a, codes), y(b, codes);
        if (!made_alike(x, y)) return nullptr;
        if (bound < 0 && x.symbols.size() + y.symbols.size() > most_symbols) return nullptr;
        const auto found = function == length ? brief_lcs_length(x.symbols, y.symbols)
                                              : brief_edit_distance(x.symbols, y.symbols, bound);
        if (!found) return nullptr;
        remember(*found, static_cast<double>(x.symbols.size()) * static_cast<double>(y.symbols.size()));
        return PyLong_FromLongLong(found->value);
    } catch (...) {
        return nullptr;
    }
}

template <std::size_t Function>
PyObject* call(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    if (count == 2) {
        const words asked = read_words(Function, values + 2, names);
        if (asked.plain)
            if (PyObject* const found = brief_answer(Function, values[0], values[1], asked.bound))
                return found;
    }
    return PyObject_Vectorcall(functions[Function].slow, values, static_cast<std::size_t>(count), names);
}

/// The short form of a function of Python, `signature` as text.
nb::object short_form(const nb::callable& slow, const std::string& signature) {
    const std::string name = nb::cast<std::string>(slow.attr("__name__"));
    const std::size_t at = name == "lcs_length" ? length : distance;
    short_function& f = functions[at];
    f.name = name;
    f.doc = name + signature + "\n--\n\n" + nb::cast<std::string>(slow.attr("__doc__"));
    f.slow = nb::object(slow).release().ptr();
    const _PyCFunctionFastWithKeywords entry = at == length ? &call<length> : &call<distance>;
    f.definition = {f.name.c_str(), reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(entry)),
                    METH_FASTCALL | METH_KEYWORDS, f.doc.c_str()};
    const nb::object module = slow.attr("__module__");
    return nb::steal(PyCFunction_NewEx(&f.definition, nullptr, module.ptr()));
}

}  // namespace

void bind_short_calls(nb::module_& m) {
    m.def("short_form", &short_form, nb::arg("slow"), nb::arg("signature"));
}

}  // namespace wale::python
