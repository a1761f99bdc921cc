// brief_lists - short lists of texts: pairs and small tables are computed where Python keeps the texts,
// others as plain_pairs() and plain_matrix() do.
#include "texts.hpp"

#include <algorithm>
#include <limits>

#include "answers.hpp"
#include "plain_text.hpp"
#include "short_calls.hpp"

namespace wale::python {

namespace {

/// Lists of at most so many texts: what a longer call takes beside its texts does not matter.
constexpr Py_ssize_t most_texts = 1 << 10;
constexpr Py_ssize_t most_of_a_column = 512;  // longer columns of Arrow are read where they lie

bool is_short_list(PyObject* value) {
    return PyList_CheckExact(value) && PyList_Size(value) > 0 && PyList_Size(value) <= most_texts;
}

/// A short list as it is; texts of an array of NumPy, or of a short column of Arrow, as a list. Else not
/// valid.
nb::object short_list(PyObject* value) {
    if (PyList_CheckExact(value)) return is_short_list(value) ? nb::borrow(value) : nb::object();
    const bool array = is_array(value);
    const nb::object type = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(value)));
    if (!array && !nb::hasattr(type, "to_pylist")) return {};
    const Py_ssize_t size = PyObject_Length(value);
    nb::object list;
    if (size > 0 && size <= (array ? most_texts : most_of_a_column))
        list = nb::steal(PyObject_CallMethod(value, array ? "tolist" : "to_pylist", nullptr));
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    if (!list.is_valid() || !is_short_list(list.ptr())) return {};
    PyObject* const first = PyList_GetItem(list.ptr(), 0);  // of numbers the type of the array matters
    return PyUnicode_CheckExact(first) || PyBytes_CheckExact(first) ? list : nb::object();
}

/// The texts of a list where Python keeps them; not `good` if they are not all str or all bytes.
class kept_texts {
public:
    explicit kept_texts(PyObject* list) {
        const Py_ssize_t count = PyList_Size(list);
        views_.resize(static_cast<std::size_t>(count));
        for (Py_ssize_t k = 0; k < count; ++k) {
            PyObject* const item = PyList_GetItem(list, k);
            text = text || (k == 0 && PyUnicode_CheckExact(item));
            if (text ? !PyUnicode_CheckExact(item) : !PyBytes_CheckExact(item)) return;
            auto found = text ? code_points(item)
                              : std::optional(sequence_view(PyBytes_AsString(item), PyBytes_Size(item), 1));
            if (!found) return;
            views_[static_cast<std::size_t>(k)] = *found;
            symbols += static_cast<double>(found->size());
            bytes = k == 0 ? found->symbol_bytes() : bytes == found->symbol_bytes() ? bytes : 0;
        }
        good = bytes > 0;
    }
    [[nodiscard]] std::span<const sequence_view> all() const { return {views_.begin(), views_.end()}; }
    [[nodiscard]] std::size_t size() const { return views_.size(); }

    bool good = false, text = false;
    double symbols = 0;
    int bytes = 0;  // a symbol of each text

private:
    few_or_many<sequence_view, 32> views_;
};

/// Whether the texts of both can be compared as they are.
bool are_alike(const kept_texts& x, const kept_texts& y) {
    return x.good && y.good && x.text == y.text && x.bytes == y.bytes;
}

bool brief_answers(std::span<const sequence_view> x, std::span<const sequence_view> y,
                   std::span<std::int32_t> answers, const text_measure& how) {
    return how.edit ? brief_edit_distances(x, y, answers, how.bound) : brief_lcs_lengths(x, y, answers);
}

/// Cells that take some ten microseconds in words of rows: more are worth what a batch needs beside them.
constexpr double few_cells = 1 << 20;
/// Bounds that few steps from diagonal to diagonal settle, and that a word of diagonals holds: a column or
/// less a symbol, of symbols that take some hundred microseconds.
constexpr index_t few_edits = 3, word_edits = 63;
constexpr double few_bounded_symbols = 1 << 20;

/// Whether most symbols of a sample of pairs stand in a common beginning or end, which costs a look.
bool mostly_equal(std::span<const sequence_view> x, std::span<const sequence_view> y) {
    constexpr std::size_t looked_at = 8;
    index_t shorter = 0, common = 0;
    for (std::size_t k = 0; k < x.size(); k += x.size() / looked_at + 1) {
        const index_t bytes = x[k].symbol_bytes(), size = bytes * std::min(x[k].size(), y[k].size());
        const auto *a = static_cast<const char*>(x[k].data()), *b = static_cast<const char*>(y[k].data());
        const char *a_end = a + bytes * x[k].size(), *b_end = b + bytes * y[k].size();
        const index_t prefix = std::mismatch(a, a + size, b).first - a;
        index_t suffix = 0;
        while (prefix + suffix < size && a_end[-1 - suffix] == b_end[-1 - suffix]) ++suffix;
        shorter += size;
        common += prefix + suffix;
    }
    return 2 * common > shorter;
}

bool brief_pairs(PyObject* a, PyObject* b, std::span<std::int32_t> answers, const text_measure& how) {
    const kept_texts x(a);
    if (!x.good) return false;
    const kept_texts y(b);
    if (!are_alike(x, y) || x.size() != y.size()) return false;
    if (x.symbols * y.symbols > few_cells * static_cast<double>(x.size())) {
        const bool few = how.bound >= 0 && how.bound <= word_edits;
        double looked_at = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const index_t m = x.all()[k].size(), n = y.all()[k].size();
            if (how.bound < 0 || std::abs(m - n) <= how.bound) looked_at += static_cast<double>(m + n);
        }
        if (looked_at > few_bounded_symbols || !(few || mostly_equal(x.all(), y.all()))) return false;
    }
    if (!brief_answers(x.all(), y.all(), answers, how)) return false;
    double work = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
        work += static_cast<double>(x.all()[k].size()) * static_cast<double>(y.all()[k].size());
    remember({0, "cpu/pairs"}, work);
    return true;
}

/// Columns of words that take some hundred microseconds.
constexpr double few_columns = 1 << 17;

/// Whether a table is soon done on this thread: a few texts; a few queries of one word, whose words serve all
/// targets; long texts with a bound that most pairs show soon to be beyond. Many short queries fill the lanes
/// of vectors, one each.
bool is_soon_done(const kept_texts& x, const kept_texts& y, std::size_t answers, const text_measure& how) {
    constexpr std::size_t few = 40, few_bounded = 16, few_queries = 6, many_bounded = 1 << 12;
    constexpr double long_text = 32;
    const double columns = static_cast<double>(x.size()) * y.symbols;
    const bool edits = how.bound >= 0 && how.bound <= (x.bytes == 1 ? word_edits : few_edits);
    if (edits && columns >= long_text * static_cast<double>(answers)) return answers <= many_bounded;
    const auto of_one_word = [](const sequence_view& text) { return text.size() <= 64; };
    if (x.size() <= few_queries && std::ranges::all_of(x.all(), of_one_word)) return columns <= few_columns;
    return answers <= (how.bound < 0 ? few : few_bounded) && x.symbols * y.symbols <= few_cells;
}

/// Fills a row of a table: of `top` targets the rest may be larger than it is once so many are equal to the
/// query.
bool fill_row(std::span<const sequence_view> query, std::span<const sequence_view> targets,
              std::span<std::int32_t> row, const text_measure& how, index_t top) {
    const std::size_t count = targets.size(), at_once = top > 0 && how.edit ? 32 : count;
    for (std::size_t t = 0; t < count; t += at_once) {
        const std::size_t some = std::min(at_once, count - t);
        if (!brief_answers(query.first(some), targets.subspan(t, some), row.subspan(t, some), how))
            return false;
        top -= how.edit ? std::ranges::count(row.subspan(t, some), 0) : 0;
        if (at_once < count && top <= 0) {
            std::ranges::fill(row.subspan(t + some), std::numeric_limits<std::int32_t>::max());
            break;
        }
    }
    return true;
}

/// `top`: targets of each query that are wanted; 0: all.
bool brief_table(PyObject* queries, PyObject* targets, std::span<std::int32_t> answers,
                 const text_measure& how, index_t top) {
    if (answers.size() > few_columns) return false;
    const bool own = targets == Py_None;
    const kept_texts x(queries);
    if (!x.good) return false;
    std::optional<kept_texts> other;
    if (!own) other.emplace(targets);
    const kept_texts& y = own ? x : *other;
    if (!are_alike(x, y) || !is_soon_done(x, y, answers.size(), how)) return false;
    few_or_many<sequence_view, 64> query;
    query.resize(y.size());
    const std::size_t columns = y.size();
    for (std::size_t q = 0; q < x.size(); ++q) {
        const std::size_t first = own ? q : 0, count = columns - first;
        std::fill_n(query.begin(), count, x.all()[q]);
        const std::span<std::int32_t> row = answers.subspan(q * columns, columns);
        if (!fill_row({query.begin(), count}, y.all().subspan(first), row.subspan(first), how, own ? 0 : top))
            return false;
        for (std::size_t t = first; own && t < columns; ++t) answers[t * columns + q] = row[t];
    }
    remember({0, "cpu/pairs"}, x.symbols * y.symbols * (own ? 0.5 : 1));
    return true;
}

/// fill() of answers that Python is given; see brief_pairs().
template <class Fill>
PyObject* filled(const Fill& fill) {
    try {
        nb::object answers = fill();
        if (answers.is_valid()) return answers.release().ptr();
    } catch (const interrupted&) {
        try {
            if (const std::exception_ptr reason = released_gil::taken()) std::rethrow_exception(reason);
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        } catch (nb::python_error& reason) {
            reason.restore();
        }
    } catch (...) {
        PyErr_Clear();
    }
    return nullptr;
}

/// The table of a call that keeps a part of its answers.
struct table {
    std::span<const std::int32_t> answers;
    index_t rows, columns;
    bool own;
};

/// Numbers and values of the best targets of each query, equal ones by their number; a place without a target
/// has number -1.
nb::object best_of(const table& all, const text_measure& how, index_t top) {
    nb::object numbers = new_array(element::int64, {all.rows, top}),
               values = new_array(element::int32, {all.rows, top});
    const answer_array number_memory(numbers), value_memory(values);
    std::int64_t* number = number_memory.data<std::int64_t>(all.rows * top);
    std::int32_t* value = value_memory.data(all.rows * top);
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    const auto missing = static_cast<std::int32_t>(how.bound >= 0 ? std::min(how.bound, most - 1) + 1 : -1);
    std::vector<std::int64_t> order;  // value, then number
    for (index_t q = 0; q < all.rows; ++q) {
        const std::int32_t* const row = all.answers.data() + q * all.columns;
        order.clear();
        for (index_t t = 0; t < all.columns; ++t) {
            if ((all.own && t == q) || (how.bound >= 0 && row[t] > how.bound)) continue;
            order.push_back((std::int64_t{how.edit ? row[t] : -row[t]} << 31) + t);
        }
        const index_t found = std::min(top, static_cast<index_t>(order.size()));
        std::partial_sort(order.begin(), order.begin() + found, order.end());
        for (index_t k = 0; k < top; ++k) {
            const index_t t = k < found ? order[static_cast<std::size_t>(k)] & 0x7fffffff : -1;
            *number++ = t;
            *value++ = t < 0 ? missing : row[t];
        }
    }
    return nb::steal(PyTuple_Pack(2, numbers.ptr(), values.ptr()));
}

/// Rows, columns and values of the answers within the bound.
nb::object within(const table& all, index_t bound) {
    const auto each = [&](const auto& f) {
        for (index_t q = 0; q < all.rows; ++q)
            for (index_t t = all.own ? q + 1 : 0; t < all.columns; ++t) {
                const std::int32_t value = all.answers[static_cast<std::size_t>(q * all.columns + t)];
                if (value <= bound) f(q, t, value);
            }
    };
    index_t count = 0;
    each([&](index_t, index_t, std::int32_t) { ++count; });
    nb::object rows = new_array(element::int64, {count}), columns = new_array(element::int64, {count}),
               values = new_array(element::int32, {count});
    const answer_array row_memory(rows), column_memory(columns), value_memory(values);
    std::int64_t *row = row_memory.data<std::int64_t>(count),
                 *column = column_memory.data<std::int64_t>(count);
    std::int32_t* value = value_memory.data(count);
    each([&](index_t q, index_t t, std::int32_t found) { *row++ = q, *column++ = t, *value++ = found; });
    return nb::steal(PyTuple_Pack(3, rows.ptr(), columns.ptr(), values.ptr()));
}

}  // namespace

PyObject* brief_pairs(PyObject* a, PyObject* b, const text_measure& how) {
    return filled([&]() -> nb::object {
        const nb::object x = short_list(a), y = x.is_valid() ? short_list(b) : nb::object();
        if (!y.is_valid() || PyList_Size(x.ptr()) != PyList_Size(y.ptr())) return {};
        nb::object made = new_array(element::int32, {PyList_Size(x.ptr())});
        const std::span<std::int32_t> to = answer_array(made).all();
        return brief_pairs(x.ptr(), y.ptr(), to, how) || plain_pairs(x, y, to, how) ? made : nb::object();
    });
}

PyObject* brief_matrix(PyObject* queries, PyObject* targets, const text_measure& how,
                       const kept_answers& kept) {
    return filled([&]() -> nb::object {
        const bool own = targets == Py_None;
        const nb::object x = short_list(queries), y = own            ? nb::none()
                                                      : x.is_valid() ? short_list(targets)
                                                                     : nb::object();
        if (!x.is_valid() || !y.is_valid()) return {};
        const Py_ssize_t rows = PyList_Size(x.ptr()), columns = own ? rows : PyList_Size(y.ptr());
        const auto compute = [&](std::span<std::int32_t> to) {
            return brief_table(x.ptr(), y.ptr(), to, how, kept.top) || plain_matrix(x, y, to, how);
        };
        if (kept.top == 0 && !kept.sparse) {
            nb::object made = new_array(element::int32, {rows, columns});
            return compute(answer_array(made).all()) ? made : nb::object();
        }
        few_or_many<std::int32_t, 256> answers;
        answers.resize(static_cast<std::size_t>(rows * columns));
        const std::span<std::int32_t> to(answers.data(), answers.size());
        if (!compute(to)) return {};
        const table all{to, rows, columns, own};
        return kept.sparse ? within(all, how.bound) : best_of(all, how, kept.top);
    });
}

}  // namespace wale::python
