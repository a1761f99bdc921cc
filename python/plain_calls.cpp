// plain_calls - short calls about two texts, without arrays, options or objects but the answer.
#include "bindings.hpp"
#include "plain_text.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <wale/alignment.hpp>
#include <wale/infix.hpp>

namespace wale::python {
namespace {

/// answer(where, a, b) of two str or two bytes on all threads of the host; None for what needs a closer look.
/// Short calls are as dear as what surrounds them: no arrays, no options, no objects but the answer.
template <class Answer>
auto of_plain(const nb::handle a, const nb::handle b, int threads, const Answer& answer)
    -> std::optional<decltype(answer(execution(), sequence_view(), sequence_view()))> {
    object_codes codes;
    plain_text x(a.ptr(), codes), y(b.ptr(), codes);
    if (!made_alike(x, y)) return std::nullopt;
    const double cells = static_cast<double>(x.symbols.size()) * static_cast<double>(y.symbols.size());
    const released_gil release(cells > short_work);
    return answer(host(threads), x.symbols, y.symbols);
}

std::optional<index_t> plain_length(const nb::handle a, const nb::handle b, int threads) {
    return of_plain(a, b, threads, [](const execution& where, sequence_view x, sequence_view y) {
        lcs_length_result r = lcs_length(where, x, y);
        remember(std::move(r.run));
        return r.length;
    });
}

std::optional<index_t> plain_distance(const nb::handle a, const nb::handle b, const nb::handle asked,
                                      int threads) {
    index_t bound = -1;
    if (!asked.is_none()) {
        int beyond = 0;
        if (!PyLong_CheckExact(asked.ptr())) return std::nullopt;
        bound = PyLong_AsLongLongAndOverflow(asked.ptr(), &beyond);
        if (bound < 0 || beyond != 0) return std::nullopt;
    }
    return of_plain(a, b, threads, [bound](const execution& where, sequence_view x, sequence_view y) {
        edit_distance_result r = edit_distance(where, x, y, {.bound = bound});
        remember(std::move(r.run));
        return r.distance;
    });
}

/// Inclusive positions, as edlib has them; no begin where it was not asked for.
using plain_part = std::pair<std::optional<index_t>, index_t>;
/// The distance, -1 above the bound; the alphabet's size; the best parts of the target; operations and their
/// share of equal columns.
using plain_alignment =
    std::tuple<index_t, index_t, std::vector<plain_part>, std::string, std::optional<double>>;

plain_part part_of(index_t begin, index_t end) {
    return {begin < 0 ? std::nullopt : std::optional<index_t>(begin), end - 1};
}

/// Both whole, by unit costs.
plain_alignment whole_alignment(const execution& where, sequence_view x, sequence_view y, alignment_task task,
                                index_t bound) {
    const index_t begin = task == alignment_task::ends ? -1 : 0;
    const bool path_wanted = task == alignment_task::path;
    if (path_wanted && (bound < 0 || edit_distance(where, x, y, {.bound = bound}).distance <= bound)) {
        static const alignment_options path{.task = alignment_task::path};
        const alignment_result r = align(where, x, y, path);
        remember(r.run);
        return {-r.score, 0, {part_of(begin, y.size())}, r.cigar(), r.identity()};
    }
    edit_distance_result r = edit_distance(where, x, y, {.bound = bound});
    remember(std::move(r.run));
    if (bound >= 0 && r.distance > bound) return {-1, 0, {}, {}, {}};
    return {r.distance, 0, {part_of(begin, y.size())}, {}, {}};
}

/// The query with the parts of the target that are nearest to it.
plain_alignment part_alignment(const execution& where, sequence_view x, sequence_view y, alignment_task task,
                               index_t bound, infix_mode mode) {
    const index_t offsets[] = {0, x.size()};
    const sequence_batch one{x.data(), offsets, 1, static_cast<int>(x.symbol_bytes())};
    const infix_task wanted = task == alignment_task::ends     ? infix_task::distance
                              : task == alignment_task::starts ? infix_task::locations
                                                               : infix_task::path;
    infix_result r = infix_align(where, one, y, {.mode = mode, .task = wanted, .bound = bound});
    remember(std::move(r.run));
    infix_match& m = r.matches.front();
    if (m.distance < 0) return {-1, 0, {}, {}, {}};
    std::vector<plain_part> parts;
    for (const infix_location& part : m.locations) parts.push_back(part_of(part.begin, part.end));
    std::optional<double> identity;
    if (wanted == infix_task::path) identity = identity_of(m.cigar);
    return {m.distance, 0, std::move(parts), std::move(m.cigar), identity};
}

/// align() of two plain texts by unit costs: what edlib answers. None for empty ones.
std::optional<plain_alignment> plain_align(const nb::handle query, const nb::handle target,
                                           const std::string& mode, const std::string& task, index_t bound,
                                           int threads) {
    if (PyObject_Length(query.ptr()) < 1 || PyObject_Length(target.ptr()) < 1) return std::nullopt;
    const auto wanted = named<alignment_task>("task", task);
    bound = std::max<index_t>(bound, -1);
    auto found =
        of_plain(query, target, threads, [&](const execution& where, sequence_view x, sequence_view y) {
            plain_alignment one = mode == "global" ? whole_alignment(where, x, y, wanted, bound)
                                                   : part_alignment(where, x, y, wanted, bound,
                                                                    named<infix_mode>("mode", mode));
            std::get<1>(one) = alphabet_of(x, y);
            return one;
        });
    return found;
}

/// Words that the answer is made with; kept until the process ends.
PyObject* kept_word(const char* text) {
    return PyUnicode_InternFromString(text);
}

void set_key(const nb::object& dict, PyObject* key, const nb::object& value) {
    if (PyDict_SetItem(dict.ptr(), key, value.ptr()) != 0) throw nb::python_error();
}

/// The class Alignment with edlib's keys, and what its attributes are made of.
nb::object made_alignment(const nb::handle type, const nb::handle query, const nb::handle target,
                          const alignment_result& r, alignment_task task, index_t alphabet) {
    static PyObject *const distance = kept_word("editDistance"), *const letters = kept_word("alphabetLength"),
                           *const locations = kept_word("locations"), *const path = kept_word("cigar"),
                           *const facts = kept_word("_facts"), *const texts = kept_word("_texts");
    nb::object out = nb::steal(PyObject_CallObject(type.ptr(), nullptr));
    nb::object list = nb::steal(PyList_New(0));
    if (!out.is_valid() || !list.is_valid()) throw nb::python_error();
    const bool known = r.target_begin >= 0, traced = task == alignment_task::path;
    const auto number = [](index_t value) { return nb::steal(PyLong_FromLongLong(value)); };
    if (task != alignment_task::score) {
        const nb::object begin = known ? nb::object(number(r.target_begin)) : nb::none(),
                         end = number(r.target_end - 1);
        const nb::object part = nb::steal(PyTuple_Pack(2, begin.ptr(), end.ptr()));
        if (!part.is_valid() || PyList_Append(list.ptr(), part.ptr()) != 0) throw nb::python_error();
    }
    set_key(out, distance, nb::none());
    set_key(out, letters, number(alphabet));
    set_key(out, locations, list);
    set_key(out, path, traced ? nb::object(nb::str(r.cigar().c_str())) : nb::none());
    const nb::object share = traced ? nb::object(nb::float_(r.identity())) : nb::none();
    const nb::object all = nb::steal(
        Py_BuildValue("(LLLLLOO)", static_cast<long long>(r.score), static_cast<long long>(r.query_begin),
                      static_cast<long long>(r.query_end), static_cast<long long>(r.target_begin),
                      static_cast<long long>(r.target_end), share.ptr(), r.heuristic ? Py_True : Py_False));
    const nb::object both = nb::steal(PyTuple_Pack(2, query.ptr(), target.ptr()));
    if (!all.is_valid() || !both.is_valid() || PyObject_SetAttr(out.ptr(), facts, all.ptr()) != 0 ||
        PyObject_SetAttr(out.ptr(), texts, both.ptr()) != 0)
        throw nb::python_error();
    return out;
}

/// align() of two plain texts by any scores, as `type`. None for empty ones, and for what needs a closer
/// look.
nb::object plain_scored(const nb::handle type, const nb::handle query, const nb::handle target,
                        const alignment_options& options, int threads) {
    if (PyObject_Length(query.ptr()) < 1 || PyObject_Length(target.ptr()) < 1) return nb::none();
    index_t alphabet = 0;
    auto found =
        of_plain(query, target, threads, [&](const execution& where, sequence_view x, sequence_view y) {
            alphabet = alphabet_of(x, y);
            return align(where, x, y, options);
        });
    if (!found) return nb::none();
    remember(std::move(found->run));
    return made_alignment(type, query, target, *found, options.task, alphabet);
}

}  // namespace

void bind_plain_calls(nb::module_& m) {
    m.def("plain_lcs_length", &plain_length, nb::arg("a").none(), nb::arg("b").none(),
          nb::arg("threads") = 0);
    m.def("plain_edit_distance", &plain_distance, nb::arg("a").none(), nb::arg("b").none(),
          nb::arg("bound").none(), nb::arg("threads") = 0);
    m.def("plain_align", &plain_align, nb::arg("query"), nb::arg("target"), nb::arg("mode"), nb::arg("task"),
          nb::arg("bound"), nb::arg("threads"));
    m.def("plain_scored", &plain_scored, nb::arg("type"), nb::arg("query"), nb::arg("target"),
          nb::arg("options"), nb::arg("threads"));
}

}  // namespace wale::python
