// texts - batches of short texts in Python's lists: read where Python keeps them, without arrays between.
#include "texts.hpp"

#include "answers.hpp"
#include "owned_array.hpp"
#include "plain_text.hpp"

#include <nanobind/stl/tuple.h>

#include <bit>
#include <tuple>
#include <wale/alignment.hpp>
#include <wale/distance_matrix.hpp>
#include <wale/infix.hpp>
#include <wale/packed_sequences.hpp>
#include <wale/search.hpp>

namespace wale::python {
namespace {

/// Codes of a byte for the symbols of texts that have at most 256 different ones: letters of any script, and
/// most objects. What follows takes bytes only, or takes bytes faster.
class byte_codes {
public:
    /// `symbols`: no fewer than the texts have.
    explicit byte_codes(std::size_t symbols)
        : shift_(64 - std::min(static_cast<int>(std::bit_width(symbols)) + 1, 9)) {
        slots_.resize(std::size_t{1} << (64 - shift_));
        std::fill(slots_.begin(), slots_.end(), slot{});
    }
    /// False where there are more symbols.
    [[nodiscard]] bool encode(const std::vector<std::uint32_t>& from, std::vector<std::uint8_t>& to) {
        to.resize(from.size());
        for (std::size_t k = 0; k < from.size(); ++k) {
            slot& at = slot_of(from[k]);
            if (!at.used) {
                if (size_ == most) return false;
                at = {from[k], static_cast<std::uint8_t>(size_++), true};
            }
            to[k] = at.code;
        }
        return true;
    }

private:
    static constexpr std::size_t most = 256;
    struct slot {
        std::uint32_t symbol = 0;
        std::uint8_t code = 0;
        bool used = false;
    };
    /// Where the symbol is, or the free slot where it would be: at least half of them are free.
    slot& slot_of(std::uint32_t symbol) {
        std::size_t at = std::uint64_t{symbol} * 0x9e3779b97f4a7c15u >> shift_;
        while (slots_[at].used && slots_[at].symbol != symbol) at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }
    few_or_many<slot, 128> slots_;
    int shift_;
    std::size_t size_ = 0;
};

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

    /// Whether one byte holds the symbols, as it does codes of a few objects.
    [[nodiscard]] bool is_low() const {
        return wide_ && std::all_of(words_.begin(), words_.end(), [](std::uint32_t x) { return x < 256; });
    }
    void narrow() {
        data_.assign(words_.begin(), words_.end());
        wide_ = false;
    }
    /// What narrow() changed, if the other side cannot follow.
    void widen_again() { wide_ = true; }
    /// Codes of a byte each for the symbols; false where `codes` has no more of them.
    [[nodiscard]] bool narrow(byte_codes& codes) {
        if (!codes.encode(words_, data_)) return false;
        wide_ = false;
        return true;
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

/// Whether both can be compared; in one width of symbols then, bytes if few symbols show quickly. `often`:
/// texts are read several times, so that new codes for a few symbols are worth their while.
bool made_alike(text_list& x, text_list& y, bool often) {
    if (!x.good || !y.good || x.of != y.of) return false;
    if (x.wide() != y.wide()) x.widen(), y.widen();
    if (!x.wide()) return true;
    if (x.is_low() && y.is_low()) {
        x.narrow();
        if (&x != &y) y.narrow();
    } else if (often && x.batch().count > 1 && y.batch().count > 1) {
        byte_codes codes(static_cast<std::size_t>(x.size() + y.size()));
        if (x.narrow(codes) && &x != &y && !y.narrow(codes)) x.widen_again();
    }
    return true;
}

/// Texts, or bytes, of a list or tuple end to end: bytes of symbols, offsets, bytes of a symbol, and whether
/// they are texts. Nothing of anything else, and where Python does not show a text. The GIL is held, so that
/// the texts stay while threads copy them.
std::optional<nb::tuple> packed_texts(nb::handle list) {
    const bool tuple = PyTuple_CheckExact(list.ptr());
    if (!tuple && !PyList_CheckExact(list.ptr())) return std::nullopt;
    const Py_ssize_t count = tuple ? PyTuple_Size(list.ptr()) : PyList_Size(list.ptr());
    const auto item = [&](Py_ssize_t k) {  // borrowed
        return tuple ? PyTuple_GetItem(list.ptr(), k) : PyList_GetItem(list.ptr(), k);
    };
    if (count == 0) return std::nullopt;
    const bool texts = PyUnicode_CheckExact(item(0));
    constexpr Py_ssize_t ahead = 16;  // texts lie anywhere: what is read next is asked for before
    std::vector<sequence_view> views;
    views.reserve(static_cast<std::size_t>(count));
    for (Py_ssize_t k = 0; k < count; ++k) {
        if (k + ahead < count) __builtin_prefetch(item(k + ahead));
        PyObject* const x = item(k);
        if (texts ? !PyUnicode_CheckExact(x) : !PyBytes_CheckExact(x)) return std::nullopt;
        const std::optional<sequence_view> found =
            texts ? code_points(x) : sequence_view(PyBytes_AsString(x), PyBytes_Size(x), 1);
        if (!found) return std::nullopt;
        views.push_back(*found);
    }
    packed_sequences all = pack(views);
    return nb::make_tuple(owned_column(std::move(all.data)), owned_column(std::move(all.offsets)),
                          all.symbol_bytes, texts);
}

}  // namespace

bool plain_pairs(nb::handle a, nb::handle b, std::span<std::int32_t> answers, const text_measure& how) {
    object_codes codes;
    text_list x(a, codes), y(b, codes);
    const auto count = std::ssize(answers);
    if (!made_alike(x, y, false) || x.batch().count != count || y.batch().count != count) return false;
    const released_gil release(x.size() * y.size() / static_cast<double>(count) > short_work);
    remember(how.edit
                 ? edit_distance(host(how.threads), x.batch(), y.batch(), answers, {.bound = how.bound}).run
                 : lcs_length(host(how.threads), x.batch(), y.batch(), answers).run);
    return true;
}

bool plain_matrix(nb::handle queries, nb::handle targets, std::span<std::int32_t> answers,
                  const text_measure& how) {
    object_codes codes;
    text_list x(queries, codes);
    if (!x.good) return false;
    std::optional<text_list> other;
    if (!targets.is_none()) other.emplace(targets, codes);
    text_list& y = other ? *other : x;
    if (!made_alike(x, y, true)) return false;
    const index_t rows = x.batch().count, columns = y.batch().count;
    if (rows * columns != std::ssize(answers)) return false;
    const matrix_view<std::int32_t> to(answers.data(), extents<2>{{rows, columns}});
    const released_gil release(x.size() * y.size() > short_work);
    const matrix_options options{.cutoff = how.bound};
    const sequence_batch left = x.batch(), right = y.batch();
    const execution where = host(how.threads);
    if (how.edit)
        remember((other ? edit_distances(where, left, right, to, options)
                        : edit_distances(where, left, to, options))
                     .run);
    else
        remember(
            (other ? lcs_lengths(where, left, right, to, options) : lcs_lengths(where, left, to, options))
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
    if (!texts || !x.good || !y.good || x.of != y.of) return false;
    if (x.wide() || y.wide() || x.batch().count != y.batch().count) return false;
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
    if (!texts || !made_alike(x, y, false) || x.wide()) return std::nullopt;
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
    m.def("packed_texts", &packed_texts, nb::arg("texts").none());
    m.def(
        "plain_pairs",
        [](nb::handle a, nb::handle b, nb::handle answers, bool edit, index_t bound, int threads) {
            return plain_pairs(a, b, answer_array(answers).all(), {edit, bound, threads});
        },
        nb::arg("a"), nb::arg("b"), nb::arg("answers"), nb::arg("edit"), nb::arg("bound"),
        nb::arg("threads") = 0);
    m.def("plain_scores", &plain_scores, nb::arg("queries").none(), nb::arg("targets").none(),
          nb::arg("scores"), nb::arg("options"), nb::arg("threads"));
    m.def("plain_search", &plain_search, nb::arg("queries").none(), nb::arg("records").none(),
          nb::arg("options"), nb::arg("threads"));
    m.def("plain_places", &plain_places, nb::arg("queries").none(), nb::arg("text").none(),
          nb::arg("options"), nb::arg("threads"));
    m.def(
        "plain_matrix",
        [](nb::handle queries, nb::handle targets, nb::handle answers, bool edit, index_t cutoff,
           int threads) {
            return plain_matrix(queries, targets, answer_array(answers).all(), {edit, cutoff, threads});
        },
        nb::arg("queries"), nb::arg("targets").none(), nb::arg("answers"), nb::arg("edit"), nb::arg("cutoff"),
        nb::arg("threads") = 0);
}

}  // namespace wale::python
