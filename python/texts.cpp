// texts - batches of short texts in Python's lists: read where Python keeps them, without arrays between.
#include "texts.hpp"

#include "plain_text.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <wale/alignment.hpp>
#include <wale/distance_matrix.hpp>
#include <wale/infix.hpp>
#include <wale/search.hpp>

namespace wale::python {
namespace {

/// A list or tuple of str, of bytes, of lists and tuples of hashable objects, or of arrays of integers, end
/// to end; not `good` of anything else, which takes the way by arrays. The caller's objects are only
/// borrowed: the GIL is held.
class text_list {
public:
    enum class kind { none, text, bytes, objects, arrays };

    text_list(nb::handle list, object_codes& codes) : codes_(codes) {
        const bool tuple = PyTuple_CheckExact(list.ptr());  // of two arrays: data and offsets
        if (!tuple && !PyList_CheckExact(list.ptr())) return;
        const Py_ssize_t count = tuple ? PyTuple_Size(list.ptr()) : PyList_Size(list.ptr());
        if (count < 1) return;
        arrays_ = !tuple;
        offsets_.reserve(static_cast<std::size_t>(count) + 1);
        offsets_.push_back(0);
        data_.reserve(static_cast<std::size_t>(count) * 16);
        for (Py_ssize_t k = 0; k < (tuple ? count : PyList_Size(list.ptr())); ++k) {
            PyObject* const item = tuple ? PyTuple_GetItem(list.ptr(), k) : PyList_GetItem(list.ptr(), k);
            if (!append(nb::borrow(item))) return;
        }
        good = std::ssize(offsets_) == count + 1;
    }
    [[nodiscard]] sequence_batch batch() const {
        return {wide_ ? static_cast<const void*>(words_.data()) : data_.data(), offsets_.data(),
                std::ssize(offsets_) - 1, wide_ ? 4 : 1};
    }
    /// Symbols.
    [[nodiscard]] double size() const { return static_cast<double>(offsets_.back()); }
    [[nodiscard]] bool wide() const { return wide_; }
    /// 32 bits a symbol, as the other side has them.
    void widen() {
        if (wide_) return;
        words_.reserve(data_.capacity());
        words_.assign(data_.begin(), data_.end());
        wide_ = true;
    }

    /// Whether one byte would hold the symbols, whose four hold codes of objects or numbers.
    [[nodiscard]] bool is_low() const {
        return wide_ && of != kind::text &&
               std::all_of(words_.begin(), words_.end(), [](std::uint32_t x) { return x < 256; });
    }
    void narrow() {
        data_.assign(words_.begin(), words_.end());
        wide_ = false;
    }

    bool good = false;
    kind of = kind::none;

private:
    bool append(const nb::object& held) {
        PyObject* const item = held.ptr();
        const kind found = PyUnicode_CheckExact(item)  ? kind::text
                           : PyBytes_CheckExact(item)  ? kind::bytes
                           : object_codes::takes(item) ? kind::objects
                                                       : kind::arrays;
        if (of == kind::none) of = found;
        if (found != of || (found == kind::arrays && !arrays_)) return false;
        if (found == kind::objects) {
            wide_ = true;
            if (!codes_.append(item, words_)) return false;
        } else if (found == kind::bytes) {
            data_.insert(data_.end(), PyBytes_AsString(item), PyBytes_AsString(item) + PyBytes_Size(item));
        } else if (found == kind::text ? !append_text(item) : !append_array(item)) {
            return false;
        }
        offsets_.push_back(wide_ ? std::ssize(words_) : std::ssize(data_));
        return true;
    }
    bool append_text(PyObject* item) {
        if (const auto found = code_points(item)) {
            append(*found);
            return true;
        }
        widen();
        const Py_ssize_t characters = PyUnicode_GetLength(item);
        const std::size_t before = words_.size();
        words_.resize(before + static_cast<std::size_t>(characters));
        if (characters > 0 && PyUnicode_AsUCS4(item, words_.data() + before, characters, 0) == nullptr)
            throw nb::python_error();
        return true;
    }
    bool append_array(PyObject* item) {
        const plain_text array(item, codes_);
        if (array.kind != plain_text::kinds::numbers) return false;
        append(array.symbols);
        return true;
    }
    void append(const sequence_view& symbols) {
        if (symbols.symbol_bytes() == 1 && !wide_) {
            const auto* const first = static_cast<const std::uint8_t*>(symbols.data());
            data_.insert(data_.end(), first, first + symbols.size());
            return;
        }
        widen();
        append_wide(words_, symbols);
    }

    object_codes& codes_;
    std::vector<std::uint8_t> data_;      // while all symbols are of one byte
    std::vector<std::uint32_t> words_;    // else
    bool wide_ = false, arrays_ = false;  // arrays_: may hold arrays
    std::vector<index_t> offsets_;
};

/// Whether both can be compared; in one width of symbols then.
bool made_alike(text_list& x, text_list& y) {
    if (!x.good || !y.good || x.of != y.of) return false;
    if (x.wide() != y.wide()) x.widen(), y.widen();
    if (x.is_low() && y.is_low()) {
        x.narrow();
        if (&x != &y) y.narrow();
    }
    return true;
}

/// The contiguous array of NumPy that answers go to.
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
    template <class T = std::int32_t>
    [[nodiscard]] T* data(index_t count) const {
        if (view_.len != count * index_t{sizeof(T)})
            throw bad_argument("answers: have " + std::to_string(view_.len) + " bytes, expected " +
                               std::to_string(count * index_t{sizeof(T)}));
        return static_cast<T*>(view_.buf);
    }

private:
    Py_buffer view_{};
    bool held_ = false;
};

}  // namespace

bool plain_pairs(nb::handle a, nb::handle b, nb::handle answers, bool edit, index_t bound, int threads) {
    object_codes codes;
    text_list x(a, codes), y(b, codes);
    if (!made_alike(x, y) || x.batch().count != y.batch().count) return false;
    const answer_array out(answers);
    const std::span<std::int32_t> to(out.data(x.batch().count), static_cast<std::size_t>(x.batch().count));
    const released_gil release(x.size() * y.size() / static_cast<double>(to.size()) > short_work);
    remember(edit ? edit_distance(host(threads), x.batch(), y.batch(), to, {.bound = bound}).run
                  : lcs_length(host(threads), x.batch(), y.batch(), to).run);
    return true;
}

bool plain_matrix(nb::handle queries, nb::handle targets, nb::handle answers, bool edit, index_t cutoff,
                  int threads) {
    object_codes codes;
    text_list x(queries, codes);
    if (!x.good) return false;
    std::optional<text_list> other;
    if (!targets.is_none()) other.emplace(targets, codes);
    text_list& y = other ? *other : x;
    if (!made_alike(x, y)) return false;
    const answer_array out(answers);
    const index_t rows = x.batch().count, columns = y.batch().count;
    const matrix_view<std::int32_t> to(out.data(rows * columns), extents<2>{{rows, columns}});
    const released_gil release(x.size() * y.size() > short_work);
    const matrix_options options{.cutoff = cutoff};
    const sequence_batch left = x.batch(), right = y.batch();
    if (edit)
        remember((other ? edit_distances(host(threads), left, right, to, options)
                        : edit_distances(host(threads), left, to, options))
                     .run);
    else
        remember((other ? lcs_lengths(host(threads), left, right, to, options)
                        : lcs_lengths(host(threads), left, to, options))
                     .run);
    return true;
}

namespace {

/// Scores of the best alignments of pairs of two lists.
bool plain_scores(nb::handle queries, nb::handle targets, nb::handle scores, const alignment_options& options,
                  int threads) {
    object_codes codes;
    text_list x(queries, codes), y(targets, codes);
    const bool texts = x.of == text_list::kind::text || x.of == text_list::kind::bytes;
    if (!texts || !made_alike(x, y) || x.wide() || x.batch().count != y.batch().count) return false;
    const answer_array out(scores);
    const std::span<std::int64_t> to(out.data<std::int64_t>(x.batch().count),
                                     static_cast<std::size_t>(x.batch().count));
    const released_gil release(x.size() * y.size() / static_cast<double>(to.size()) > short_work);
    remember(align(host(threads), x.batch(), y.batch(), to, options).run);
    return true;
}

using span_of_symbols = std::tuple<index_t, index_t>;
/// What Python's class Hit has, in its order.
using hit_fields = std::tuple<index_t, std::string, index_t, double, double, span_of_symbols, span_of_symbols,
                              std::string, std::optional<double>>;

/// The records of a list that resemble each query of another one most; nothing where they need a closer look.
std::optional<std::vector<std::vector<hit_fields>>> plain_search(nb::handle queries, nb::handle records,
                                                                 const search_options& options, int threads) {
    object_codes codes;
    text_list x(queries, codes), y(records, codes);
    const bool texts = x.of == text_list::kind::text || x.of == text_list::kind::bytes;
    if (!texts || !made_alike(x, y) || x.wide()) return std::nullopt;
    search_result r;
    {
        const released_gil release(x.size() * y.size() > short_work);
        r = search(host(threads), x.batch(), y.batch(), options);
    }
    remember(std::move(r.run));
    std::vector<std::vector<hit_fields>> out;
    for (const std::vector<search_hit>& of_one : r.hits) {
        std::vector<hit_fields>& list = out.emplace_back();
        for (const search_hit& h : of_one) {
            const alignment_result& a = h.alignment;
            const bool path = options.path;
            list.emplace_back(h.target, h.name, h.score, h.evalue, h.bits,
                              span_of_symbols{a.query_begin, a.query_end},
                              span_of_symbols{a.target_begin, a.target_end}, path ? a.cigar() : "",
                              path ? std::optional<double>(a.identity()) : std::nullopt);
        }
    }
    return out;
}

using located = std::tuple<index_t, index_t, bool>;
using place_of_query =
    std::tuple<index_t, std::vector<located>, std::string>;  // distance, locations, operations

/// The parts of a text that are nearest to each query of a list; nothing where they need a closer look.
std::optional<std::vector<place_of_query>> plain_places(nb::handle queries, nb::handle text,
                                                        const infix_options& options, int threads) {
    object_codes codes;
    text_list x(queries, codes);
    plain_text subject(text.ptr(), codes);
    const bool texts = x.of == text_list::kind::text && subject.kind == plain_text::kinds::text;
    if (!x.good || !(texts || (x.of == text_list::kind::bytes && PyBytes_CheckExact(text.ptr()))))
        return std::nullopt;
    if (x.wide() || subject.symbols.symbol_bytes() != 1) x.widen(), subject.widen();
    infix_result r;
    {
        const released_gil release(x.size() * static_cast<double>(subject.symbols.size()) > short_work);
        r = infix_align(host(threads), x.batch(), subject.symbols, options);
    }
    remember(std::move(r.run));
    std::vector<place_of_query> out;
    for (infix_match& m : r.matches) {
        std::vector<located> at;
        for (const infix_location& l : m.locations) at.emplace_back(l.begin, l.end, l.reverse);
        out.emplace_back(m.distance, std::move(at), std::move(m.cigar));
    }
    return out;
}

}  // namespace

void bind_texts(nb::module_& m) {
    m.def("plain_pairs", &plain_pairs, nb::arg("a"), nb::arg("b"), nb::arg("answers"), nb::arg("edit"),
          nb::arg("bound"), nb::arg("threads") = 0);
    m.def("plain_scores", &plain_scores, nb::arg("queries").none(), nb::arg("targets").none(),
          nb::arg("scores"), nb::arg("options"), nb::arg("threads"));
    m.def("plain_search", &plain_search, nb::arg("queries").none(), nb::arg("records").none(),
          nb::arg("options"), nb::arg("threads"));
    m.def("plain_places", &plain_places, nb::arg("queries").none(), nb::arg("text").none(),
          nb::arg("options"), nb::arg("threads"));
    m.def("plain_matrix", &plain_matrix, nb::arg("queries"), nb::arg("targets").none(), nb::arg("answers"),
          nb::arg("edit"), nb::arg("cutoff"), nb::arg("threads") = 0);
}

}  // namespace wale::python
