// texts - batches of short texts in Python's lists: read where Python keeps them, without arrays between.
#include "bindings.hpp"

#include <wale/distance_matrix.hpp>

namespace wale::python {
namespace {

/// A list or tuple of str, all of ASCII, or of bytes, end to end; not `good` of anything else, which takes
/// the way by arrays. The caller's objects are only borrowed: the GIL is held.
class text_list {
public:
    explicit text_list(nb::handle list) {
        const bool tuple = PyTuple_CheckExact(list.ptr());
        if (!tuple && !PyList_CheckExact(list.ptr())) return;
        const Py_ssize_t count = tuple ? PyTuple_Size(list.ptr()) : PyList_Size(list.ptr());
        if (count < 1) return;
        offsets_.reserve(static_cast<std::size_t>(count) + 1);
        offsets_.push_back(0);
        data_.reserve(static_cast<std::size_t>(count) * 16);
        for (Py_ssize_t k = 0; k < count; ++k)
            if (!append(tuple ? PyTuple_GetItem(list.ptr(), k) : PyList_GetItem(list.ptr(), k), k == 0))
                return;
        good = true;
    }
    [[nodiscard]] sequence_batch batch() const {
        return {data_.data(), offsets_.data(), std::ssize(offsets_) - 1, 1};
    }
    /// Symbols.
    [[nodiscard]] double size() const { return static_cast<double>(data_.size()); }

    bool good = false, is_text = false;

private:
    bool append(PyObject* item, bool first) {
        const bool text = PyUnicode_CheckExact(item);
        if (!text && !PyBytes_CheckExact(item)) return false;
        if (first) is_text = text;
        if (text != is_text) return false;
        const char* at = nullptr;
        Py_ssize_t size = 0;
        if (text) {
            const Py_ssize_t characters = PyUnicode_GetLength(item);
            if (characters > most_characters) return false;
            at = PyUnicode_AsUTF8AndSize(item, &size);
            if (at == nullptr) PyErr_Clear();  // a lone surrogate
            if (at == nullptr || size != characters) return false;
        } else {
            at = PyBytes_AsString(item);
            size = PyBytes_Size(item);
        }
        data_.insert(data_.end(), at, at + size);
        offsets_.push_back(std::ssize(data_));
        return true;
    }
    /// Python keeps the UTF-8 of a text that was asked for it: a long one would be there twice.
    static constexpr Py_ssize_t most_characters = 1 << 16;

    std::vector<char> data_;
    std::vector<index_t> offsets_;
};

/// The contiguous int32 array of NumPy that answers go to.
class answer_array {
public:
    explicit answer_array(nb::handle array) {
        held_ = PyObject_GetBuffer(array.ptr(), &view_, PyBUF_CONTIG) == 0;
        if (!held_) throw nb::python_error();
    }
    ~answer_array() {
        if (held_) PyBuffer_Release(&view_);
    }
    answer_array(const answer_array&) = delete;
    answer_array& operator=(const answer_array&) = delete;
    [[nodiscard]] std::int32_t* data(index_t count) const {
        if (view_.len != count * index_t{sizeof(std::int32_t)})
            throw bad_argument("answers: have " + std::to_string(view_.len) + " bytes, expected " +
                               std::to_string(count * index_t{sizeof(std::int32_t)}));
        return static_cast<std::int32_t*>(view_.buf);
    }

private:
    Py_buffer view_{};
    bool held_ = false;
};

/// Distances (`edit`) or LCS lengths of pairs of two lists; false where the lists need a closer look.
bool plain_pairs(nb::handle a, nb::handle b, nb::handle answers, bool edit, index_t bound) {
    const text_list x(a), y(b);
    if (!x.good || !y.good || x.is_text != y.is_text || x.batch().count != y.batch().count) return false;
    const answer_array out(answers);
    const std::span<std::int32_t> to(out.data(x.batch().count), static_cast<std::size_t>(x.batch().count));
    const released_gil release(x.size() * y.size() / static_cast<double>(to.size()) > short_work);
    remember(edit ? edit_distance(host(), x.batch(), y.batch(), to, {.bound = bound}).run
                  : lcs_length(host(), x.batch(), y.batch(), to).run);
    return true;
}

/// The same of each of `queries` with each of `targets`, with each other where the targets are None.
bool plain_matrix(nb::handle queries, nb::handle targets, nb::handle answers, bool edit, index_t cutoff) {
    const text_list x(queries);
    if (!x.good) return false;
    std::optional<text_list> other;
    if (!targets.is_none()) other.emplace(targets);
    const text_list& y = other ? *other : x;
    if (!y.good || x.is_text != y.is_text) return false;
    const answer_array out(answers);
    const index_t rows = x.batch().count, columns = y.batch().count;
    const matrix_view<std::int32_t> to(out.data(rows * columns), extents<2>{{rows, columns}});
    const released_gil release(x.size() * y.size() > short_work);
    const matrix_options options{.cutoff = cutoff};
    const sequence_batch left = x.batch(), right = y.batch();
    if (edit)
        remember((other ? edit_distances(host(), left, right, to, options)
                        : edit_distances(host(), left, to, options))
                     .run);
    else
        remember(
            (other ? lcs_lengths(host(), left, right, to, options) : lcs_lengths(host(), left, to, options))
                .run);
    return true;
}

}  // namespace

void bind_texts(nb::module_& m) {
    m.def("plain_pairs", &plain_pairs, nb::arg("a"), nb::arg("b"), nb::arg("answers"), nb::arg("edit"),
          nb::arg("bound"));
    m.def("plain_matrix", &plain_matrix, nb::arg("queries"), nb::arg("targets").none(), nb::arg("answers"),
          nb::arg("edit"), nb::arg("cutoff"));
}

}  // namespace wale::python
