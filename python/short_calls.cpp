// short_calls - functions about few and short texts, chains and small images as functions of CPython's own
// kind: a call of two words takes no longer than its arguments' way through an interpreter, so that nothing
// stands between but a look at their types. What needs a closer look goes on to the function of Python that
// has the same name, doc and arguments.
#include "short_calls.hpp"

#include <algorithm>
#include <array>

#include "chains.hpp"
#include "plain_text.hpp"
#include "texts.hpp"

namespace wale::python {
namespace {

constexpr std::size_t length = 0, distance = 1, alignment = 2, lengths = 3, distances = 4, matrix = 5,
                      chains = 6;
extern std::array<short_function, 7> functions;

struct words {
    long long bound = -1;
    int threads = 0;
    bool edit = true;
    bool plain = true;  // no others, and of the types that they should have
    kept_answers kept;
};

/// `bound`: the word that a function has for the bound, or null.
words read_words(const char* bound, bool metric, PyObject* const* values, PyObject* names) {
    words out;
    for (Py_ssize_t k = 0; names != nullptr && k < PyTuple_Size(names); ++k) {
        PyObject* const name = PyTuple_GetItem(names, k);
        const auto is = [&](const char* word) { return PyUnicode_CompareWithASCIIString(name, word) == 0; };
        if (bound != nullptr && is(bound)) {
            if (values[k] == Py_None) continue;
            out.bound = whole_number(values[k], 1LL << 40);
            out.plain = out.plain && out.bound >= 0;
        } else if (metric && is("metric")) {
            const bool text = PyUnicode_CheckExact(values[k]);
            out.edit = text && PyUnicode_CompareWithASCIIString(values[k], "edit_distance") == 0;
            out.plain =
                out.plain && (out.edit || (text && PyUnicode_CompareWithASCIIString(values[k], "lcs") == 0));
        } else if (metric && is("top")) {
            if (values[k] == Py_None) continue;
            out.kept.top = whole_number(values[k], 1 << 20);
            out.plain = out.plain && out.kept.top > 0;
        } else if (metric && is("sparse")) {
            out.kept.sparse = values[k] == Py_True;
            out.plain = out.plain && (out.kept.sparse || values[k] == Py_False);
        } else {
            out.threads = is("threads") ? static_cast<int>(whole_number(values[k], 1 << 10)) : -1;
            out.plain = out.plain && out.threads >= 0;
        }
    }
    out.plain = out.plain && (out.edit || out.bound < 0) &&
                (!out.kept.sparse || (out.bound >= 0 && out.kept.top == 0));
    return out;
}

/// Symbols of both texts in a call that keeps the GIL.
constexpr index_t most_symbols = 1 << 13;

PyObject* brief_answer(std::size_t function, sequence_view x, sequence_view y, index_t bound) {
    if (bound < 0 && x.size() + y.size() > most_symbols) return nullptr;
    const auto found = function == length ? brief_lcs_length(x, y) : brief_edit_distance(x, y, bound);
    if (!found) return nullptr;
    remember(*found, static_cast<double>(x.size()) * static_cast<double>(y.size()));
    return PyLong_FromLongLong(found->value);
}

/// The symbols of a str or of bytes where Python keeps them.
std::optional<sequence_view> symbols_in_place(PyObject* value, bool text) {
    if (text) return code_points(value);
    return sequence_view(PyBytes_AsString(value), PyBytes_Size(value), 1);
}

/// The answer for two short texts; null for others, and where anything goes wrong, which the function of
/// Python then says.
PyObject* brief_answer(std::size_t function, PyObject* a, PyObject* b, index_t bound) {
    try {
        const bool text = PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b);
        if (text || (PyBytes_CheckExact(a) && PyBytes_CheckExact(b))) {  // as most calls are
            const auto x = symbols_in_place(a, text), y = symbols_in_place(b, text);
            if (x && y && x->symbol_bytes() == y->symbol_bytes())
                return brief_answer(function, *x, *y, bound);
        }
        object_codes codes;
        plain_text x(a, codes), y(b, codes);
        if (!made_alike(x, y)) return nullptr;
        return brief_answer(function, x.symbols, y.symbols, bound);
    } catch (...) {
        return nullptr;
    }
}

template <std::size_t Function>
PyObject* call(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    if (count == 2) {
        const words asked = read_words(Function == distance ? "bound" : nullptr, false, values + 2, names);
        if (asked.plain)
            if (PyObject* const found = brief_answer(Function, values[0], values[1], asked.bound))
                return found;
    }
    return functions[Function].hand_over(values, count, names);
}

// ----------------------------------------------------------------------------------------- lists of texts

template <std::size_t Function>
PyObject* call_pairs(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    constexpr bool edit = Function == distances;
    if (count == 2) {
        const words asked = read_words(edit ? "bound" : nullptr, false, values + 2, names);
        PyObject* const found =
            asked.plain ? brief_pairs(values[0], values[1], {edit, asked.bound, asked.threads}) : nullptr;
        if (found != nullptr || PyErr_Occurred() != nullptr) return found;
    }
    return functions[Function].hand_over(values, count, names);
}

PyObject* call_matrix(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    if (count == 1 || count == 2) {
        const words asked = read_words("cutoff", true, values + count, names);
        PyObject* const found = asked.plain
                                    ? brief_matrix(values[0], count == 2 ? values[1] : Py_None,
                                                   {asked.edit, asked.bound, asked.threads}, asked.kept)
                                    : nullptr;
        if (found != nullptr || PyErr_Occurred() != nullptr) return found;
    }
    return functions[matrix].hand_over(values, count, names);
}

PyObject* call_chains(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    if (PyObject* const found = brief_chains(values, count, names)) return found;
    return functions[chains].hand_over(values, count, names);
}

// ------------------------------------------------------------------------------------------- align, by unit
// costs

/// Python's words that align() compares with, and its class Alignment; kept as the functions are.
struct align_objects {
    PyObject *type, *distance, *alphabet, *locations, *cigar, *facts, *texts;
};
align_objects kept{};

template <class Value>
struct named_value {
    const char* name;
    Value value;
};
constexpr named_value<brief_mode> modes[] = {{"NW", brief_mode::global},   {"HW", brief_mode::infix},
                                             {"SHW", brief_mode::prefix},  {"global", brief_mode::global},
                                             {"infix", brief_mode::infix}, {"prefix", brief_mode::prefix}};
constexpr named_value<infix_task> tasks[] = {
    {"distance", infix_task::distance}, {"locations", infix_task::locations}, {"path", infix_task::path}};

template <class Value, std::size_t Count>
bool read_name(PyObject* word, const named_value<Value> (&all)[Count], Value& out) {
    if (!PyUnicode_CheckExact(word)) return false;
    for (const auto& one : all)
        if (PyUnicode_CompareWithASCIIString(word, one.name) == 0) {
            out = one.value;
            return true;
        }
    return false;
}

struct align_words {
    brief_mode mode = brief_mode::global;
    infix_task task = infix_task::distance;
    index_t bound = -1;

    /// False for what needs a closer look. `which`: the place of the word among the arguments.
    bool read(Py_ssize_t which, PyObject* value) {
        if (which == 2) return read_name(value, modes, mode);
        if (which == 3) return read_name(value, tasks, task);
        if (!PyLong_CheckExact(value)) return false;
        int beyond = 0;
        bound = std::max<index_t>(-1, PyLong_AsLongLongAndOverflow(value, &beyond));
        return beyond == 0 && bound < index_t{1} << 40;
    }
};

/// Pairs of inclusive positions, as edlib has them.
nb::object listed(const std::vector<infix_location>& parts) {
    nb::object list = nb::steal(PyList_New(std::ssize(parts)));
    for (Py_ssize_t k = 0; k < std::ssize(parts); ++k) {
        const infix_location& one = parts[static_cast<std::size_t>(k)];
        const nb::object begin = one.begin < 0 ? nb::none() : nb::steal(PyLong_FromLongLong(one.begin));
        const nb::object end = nb::steal(PyLong_FromLongLong(one.end - 1));
        PyList_SetItem(list.ptr(), k, PyTuple_Pack(2, begin.ptr(), end.ptr()));
    }
    return list;
}

void set_key(const nb::object& dict, PyObject* key, const nb::object& value) {
    if (PyDict_SetItem(dict.ptr(), key, value.ptr()) != 0) throw nb::python_error();
}

/// In the words of both ways, whose last bits differ: alignment_result::identity() of whole texts, else
/// identity_of().
double identity(std::string_view cigar, bool whole) {
    const path_columns c = columns_of(cigar);
    return whole ? 1 - static_cast<double>(c.all - c.equal) / static_cast<double>(c.all) : identity_of(cigar);
}

/// The class Alignment with its keys; its attributes are made of `_facts` and `_texts` when they are asked
/// for.
PyObject* made_alignment(PyObject* query, PyObject* target, const infix_match& m, bool whole,
                         index_t alphabet, index_t bound) {
    nb::object out = nb::steal(PyObject_CallObject(kept.type, nullptr));
    if (!out.is_valid()) throw nb::python_error();
    const nb::object found = nb::steal(PyLong_FromLongLong(m.distance)), list = listed(m.locations);
    const bool path = !m.cigar.empty();
    set_key(out, kept.distance, found);
    set_key(out, kept.alphabet, nb::steal(PyLong_FromLongLong(alphabet)));
    set_key(out, kept.locations, list);
    set_key(out, kept.cigar, path ? nb::object(nb::str(m.cigar.c_str(), m.cigar.size())) : nb::none());
    const nb::object first = m.distance < 0 ? nb::none() : nb::borrow(PyList_GetItem(list.ptr(), 0));
    const nb::object score = m.distance < 0 ? nb::object(nb::int_(bound + 1)) : found;
    const nb::object share = path ? nb::object(nb::float_(identity(m.cigar, whole))) : nb::none();
    const nb::object facts = nb::steal(PyTuple_Pack(3, score.ptr(), first.ptr(), share.ptr()));
    const nb::object texts = nb::steal(PyTuple_Pack(2, query, target));
    if (PyObject_SetAttr(out.ptr(), kept.facts, facts.ptr()) != 0 ||
        PyObject_SetAttr(out.ptr(), kept.texts, texts.ptr()) != 0)
        throw nb::python_error();
    return out.release().ptr();
}

/// Of whole texts beyond the bound, whose ends the attributes give all the same.
PyObject* made_beyond(PyObject* query, PyObject* target, index_t distance, index_t alphabet,
                      const align_words& asked) {
    PyObject* const out = made_alignment(query, target, {}, true, alphabet, asked.bound);
    const nb::object held = nb::steal(out);
    const Py_ssize_t begin = asked.task == infix_task::distance ? -1 : 0;
    const nb::object facts =
        nb::steal(Py_BuildValue("(LnnnnOO)", static_cast<long long>(-distance), begin, PyObject_Length(query),
                                begin, PyObject_Length(target), Py_None, Py_False));
    if (!facts.is_valid() || PyObject_SetAttr(out, kept.facts, facts.ptr()) != 0) throw nb::python_error();
    return nb::object(held).release().ptr();
}

/// Null as brief_answer().
PyObject* brief_alignment(PyObject* query, PyObject* target, const align_words& asked) {
    const bool texts = PyUnicode_CheckExact(query) && PyUnicode_CheckExact(target);
    if (!texts && !(PyBytes_CheckExact(query) && PyBytes_CheckExact(target))) return nullptr;
    try {
        object_codes codes;
        plain_text x(query, codes), y(target, codes);
        if (x.symbols.symbol_bytes() != 1 || y.symbols.symbol_bytes() != 1) return nullptr;
        const auto found = brief_align(x.symbols, y.symbols, asked.mode, asked.task, asked.bound);
        if (!found) return nullptr;
        const bool whole = asked.mode == brief_mode::global;
        const index_t alphabet = alphabet_of(x.symbols, y.symbols);
        std::optional<brief_result> beyond;
        if (whole && found->distance < 0)  // what a task that walks back comes to know
            beyond = asked.task == infix_task::distance ? brief_result{asked.bound + 1, ""}
                                                        : brief_edit_distance(x.symbols, y.symbols);
        if (whole && found->distance < 0 && !beyond) return nullptr;
        remember({found->distance, whole ? "cpu/bit_vector" : "cpu/words"},
                 static_cast<double>(x.symbols.size()) * static_cast<double>(y.symbols.size()));
        if (beyond) return made_beyond(query, target, beyond->value, alphabet, asked);
        return made_alignment(query, target, *found, whole, alphabet, asked.bound);
    } catch (...) {
        PyErr_Clear();
        return nullptr;
    }
}

PyObject* call_align(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    align_words asked;
    bool plain = count >= 2 && count <= 5;
    for (Py_ssize_t k = 2; plain && k < count; ++k) plain = asked.read(k, values[k]);
    for (Py_ssize_t k = 0; plain && names != nullptr && k < PyTuple_Size(names); ++k) {
        PyObject* const name = PyTuple_GetItem(names, k);
        Py_ssize_t which = 0;
        for (const auto& [word, place] : {std::pair{"mode", 2}, std::pair{"task", 3}, std::pair{"k", 4}})
            if (PyUnicode_CompareWithASCIIString(name, word) == 0) which = place;
        plain = which >= count && asked.read(which, values[count + k]);
    }
    if (plain)
        if (PyObject* const found = brief_alignment(values[0], values[1], asked)) return found;
    return functions[alignment].hand_over(values, count, names);
}

/// The class that align() answers with.
void keep_alignment(const nb::handle type) {
    const auto word = [](const char* text) { return PyUnicode_InternFromString(text); };
    kept = {nb::borrow(type).release().ptr(),
            word("editDistance"),
            word("alphabetLength"),
            word("locations"),
            word("cigar"),
            word("_facts"),
            word("_texts")};
}

std::array<short_function, 7> functions{{{"lcs_length", &call<length>},
                                         {"edit_distance", &call<distance>},
                                         {"align", &call_align},
                                         {"lcs_lengths", &call_pairs<lengths>},
                                         {"edit_distances", &call_pairs<distances>},
                                         {"cdist", &call_matrix},
                                         {"solve_tridiagonal", &call_chains}}};

short_function& named_function(const std::string& name) {
    for (const std::span<short_function> all : {std::span<short_function>(functions), image_functions()})
        for (short_function& f : all)
            if (name == f.name) return f;
    throw bad_argument("slow: is " + name + ", expected a function that has a short form");
}

/// The short form of a function of Python, `signature` as text.
nb::object short_form(const nb::callable& slow, const std::string& signature) {
    short_function& f = named_function(nb::cast<std::string>(slow.attr("__name__")));
    const nb::object doc = slow.attr("__doc__");  // None with python -OO
    f.doc = f.name + signature + "\n--\n\n" + (doc.is_none() ? std::string() : nb::cast<std::string>(doc));
    f.slow = nb::object(slow).release().ptr();
    f.definition = {f.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(f.entry)),
                    METH_FASTCALL | METH_KEYWORDS, f.doc.c_str()};
    const nb::object module = slow.attr("__module__");
    return nb::steal(PyCFunction_NewEx(&f.definition, nullptr, module.ptr()));
}

}  // namespace

long long whole_number(PyObject* value, long long most) {
    if (!PyLong_CheckExact(value)) return -1;
    int beyond = 0;
    const long long found = PyLong_AsLongLongAndOverflow(value, &beyond);
    return beyond == 0 && found <= most ? found : -1;
}

void bind_short_calls(nb::module_& m) {
    m.def("keep_alignment", &keep_alignment, nb::arg("type"));
    m.def("short_form", &short_form, nb::arg("slow"), nb::arg("signature"));
}

}  // namespace wale::python
