// wavefront - the solver's functions over arrays. The GIL is released around every computation.
#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <wale/alignment.hpp>

namespace wale::python {
namespace {

using positions = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

/// Two dimensions with contiguous rows, as a view; the distance between rows is free.
template <class T, class Array>
matrix_view<T> matrix(const execution& where, const char* name, const Array& array) {
    check_place(where, name, array.device_type(), array.device_id());
    if (array.ndim() != 2)
        throw bad_argument(std::string(name) + ": has " + std::to_string(array.ndim()) +
                           " dimensions, expected 2");
    const extents<2> shape{{static_cast<index_t>(array.shape(0)), static_cast<index_t>(array.shape(1))}};
    if (shape.count() == 0) return {nullptr, shape};  // strides of nothing mean nothing
    const index_t pitch = shape[0] > 1 ? array.stride(0) : shape[1];
    if ((shape[1] > 1 && array.stride(1) != 1) || pitch < shape[1])
        throw bad_argument(std::string(name) + ": expected contiguous rows, in ascending order");
    return {static_cast<T*>(array.data()), layout_right::mapping<2>(shape, pitch)};
}

template <class T>
std::span<const T> series(const execution& where, const char* name, const input& array) {
    return {elements<T>(where, name, array), array.size()};
}

template <class A, class T>
report run_fill(const execution& where, A a, A b, matrix_view<T> table, const wavefront_options& o) {
    const released_gil release;
    return wavefront_fill(where, a, b, table, o).run;
}

report fill(const place& p, const input& a, const input& b, const output& table, const wavefront_options& o) {
    const execution& at = p.where;
    if (o.kind == recurrence::dtw) {
        const auto run = [&]<class T>(T) {
            return run_fill(at, series<T>(at, "a", a), series<T>(at, "b", b), matrix<T>(at, "table", table),
                            o);
        };
        if (holds<float>(table)) return run(float{});
        if (holds<double>(table)) return run(double{});
        throw bad_argument("table: expected float32 or float64 for kind dtw");
    }
    const sequence_view rows = sequence(at, "a", a);
    const sequence_view columns = sequence(at, "b", b);
    if (holds<std::int16_t>(table))
        return run_fill(at, rows, columns, matrix<std::int16_t>(at, "table", table), o);
    if (holds<std::int32_t>(table))
        return run_fill(at, rows, columns, matrix<std::int32_t>(at, "table", table), o);
    throw bad_argument("table: expected int16 or int32 for this kind");
}

template <class T>
report run_image(const execution& where, matrix_view<const std::uint8_t> image, matrix_view<T> table,
                 const wavefront_options& o) {
    const released_gil release;
    return wavefront_fill(where, image, table, o).run;
}

report summed_area(const place& p, const input& image, const output& table, const wavefront_options& o) {
    if (!holds<std::uint8_t>(image)) throw bad_argument("image: expected uint8");
    const auto pixels = matrix<const std::uint8_t>(p.where, "image", image);
    if (holds<std::int32_t>(table))
        return run_image(p.where, pixels, matrix<std::int32_t>(p.where, "table", table), o);
    if (holds<std::int64_t>(table))
        return run_image(p.where, pixels, matrix<std::int64_t>(p.where, "table", table), o);
    throw bad_argument("table: expected int32 or int64 for kind summed_area");
}

std::tuple<index_t, report> length(const place& p, const input& a, const input& b,
                                   const std::string& variant) {
    const sequence_view x = sequence(p.where, "a", a);
    const sequence_view y = sequence(p.where, "b", b);
    const released_gil release;
    const lcs_length_result r = lcs_length(p.where, x, y, {.variant = variant});
    return {r.length, r.run};
}

std::tuple<index_t, report> distance(const place& p, const input& a, const input& b, index_t bound,
                                     const std::string& variant) {
    const sequence_view x = sequence(p.where, "a", a);
    const sequence_view y = sequence(p.where, "b", b);
    const released_gil release;
    const edit_distance_result r = edit_distance(p.where, x, y, {.variant = variant, .bound = bound});
    return {r.distance, r.run};
}

/// Hands a vector to NumPy without a copy.
positions owned(std::vector<index_t>&& values) {
    auto keep = std::make_unique<std::vector<index_t>>(std::move(values));
    index_t* data = keep->data();
    const std::size_t size = keep->size();
    const nb::capsule owner(keep.release(),
                            [](void* v) noexcept { delete static_cast<std::vector<index_t>*>(v); });
    return positions(data, {size}, owner);
}

std::tuple<positions, positions, report> string(const place& p, const input& a, const input& b,
                                                const std::string& variant) {
    const sequence_view x = sequence(p.where, "a", a);
    const sequence_view y = sequence(p.where, "b", b);
    lcs_string_result r;
    {
        const released_gil release;
        r = lcs_string(p.where, x, y, {.variant = variant});
    }
    return {owned(std::move(r.in_a)), owned(std::move(r.in_b)), r.run};
}

struct pairs {
    input a_data, a_offsets, b_data, b_offsets;
};

report batches(const place& p, const pairs& in, const output& answers, bool edit, const edit_options& o) {
    const sequence_batch a = batch(p.where, "a", in.a_data, in.a_offsets);
    const sequence_batch b = batch(p.where, "b", in.b_data, in.b_offsets);
    const std::span<std::int32_t> to(elements<std::int32_t>(p.where, "answers", answers), answers.size());
    const released_gil release;
    if (edit) return edit_distance(p.where, a, b, to, o).run;
    return lcs_length(p.where, a, b, to, {.variant = o.variant}).run;
}

alignment_result alignment(const place& p, const input& query, const input& target,
                           const alignment_options& o) {
    const sequence_view x = sequence(p.where, "query", query);
    const sequence_view y = sequence(p.where, "target", target);
    const released_gil release;
    return align(p.where, x, y, o);
}

report alignment_scores(const place& p, const pairs& in, const output& scores, const alignment_options& o) {
    const sequence_batch query = batch(p.where, "query", in.a_data, in.a_offsets);
    const sequence_batch target = batch(p.where, "target", in.b_data, in.b_offsets);
    const std::span<std::int64_t> to(elements<std::int64_t>(p.where, "scores", scores), scores.size());
    const released_gil release;
    return align(p.where, query, target, to, o).run;
}

void bind_alignment(nb::module_& m) {
    nb::class_<substitution_matrix>(m, "SubstitutionMatrix")
        .def(nb::init<int, int>(), nb::arg("match"), nb::arg("mismatch"))
        .def(nb::init<std::string, std::vector<std::int32_t>>(), nb::arg("letters"), nb::arg("scores"))
        .def_static(
            "named", [](const std::string& name) { return substitution_matrix::named(name); },
            nb::arg("name"))
        .def_static("read", &substitution_matrix::read, nb::arg("path"))
        .def_static("names", &substitution_matrix::names)
        .def_prop_ro("letters", &substitution_matrix::letters)
        .def_prop_ro("scores", &substitution_matrix::scores);
    bind_options<free_ends>(m, "FreeEnds");
    bind_options<alignment_options>(m, "AlignmentOptions")
        .def_rw("ends", &alignment_options::ends)
        .def_rw("matrix", &alignment_options::matrix);
    nb::class_<alignment_result>(m, "AlignmentResult")
        .def_ro("score", &alignment_result::score)
        .def_ro("query_begin", &alignment_result::query_begin)
        .def_ro("query_end", &alignment_result::query_end)
        .def_ro("target_begin", &alignment_result::target_begin)
        .def_ro("target_end", &alignment_result::target_end)
        .def_ro("heuristic", &alignment_result::heuristic)
        .def_ro("report", &alignment_result::run)
        .def_prop_ro("cigar", &alignment_result::cigar)
        .def_prop_ro("identity", &alignment_result::identity)
        .def_prop_ro("best_ends", [](const alignment_result& r) {
            std::vector<std::tuple<index_t, index_t>> ends;
            for (const alignment_end& e : r.best_ends) ends.emplace_back(e.query, e.target);
            return ends;
        });
    m.def("align", &alignment, nb::arg("where"), nb::arg("query"), nb::arg("target"), nb::arg("options"));
    m.def("align_scores", &alignment_scores, nb::arg("where"), nb::arg("pairs"), nb::arg("scores"),
          nb::arg("options"));
}

void bind_arguments(nb::module_& m) {
    bind_options<wavefront_options>(m, "FillOptions")
        .def(
            "set_scores",
            [](wavefront_options& o, int match, int mismatch, int gap) {
                o.score = {match, mismatch, gap};
            },
            nb::arg("match"), nb::arg("mismatch"), nb::arg("gap"))
        .def(
            "set_tile",
            [](wavefront_options& o, index_t rows, index_t columns) {
                o.tile = {rows, columns};
            },
            nb::arg("rows"), nb::arg("columns"));
    nb::class_<pairs>(m, "Pairs")
        .def(
            "__init__",
            [](pairs* self, const input& a, const input& a_offsets, const input& b, const input& b_offsets) {
                new (self) pairs{a, a_offsets, b, b_offsets};
            },
            nb::arg("a"), nb::arg("a_offsets"), nb::arg("b"), nb::arg("b_offsets"));
}

}  // namespace

sequence_batch batch(const execution& where, const char* name, const input& data, const input& offsets) {
    const sequence_view symbols = sequence(where, name, data);
    const index_t* const at = elements<index_t>(where, name, offsets);
    if (offsets.size() == 0)
        throw bad_argument(std::string(name) + ": has no offsets, expected one more than sequences");
    const auto count = static_cast<index_t>(offsets.size()) - 1;
    // On the host the ends can be looked at before anything is read; ascending order is the library's check.
    const auto* const cuda = std::get_if<on_cuda>(&where);
    const bool on_host = cuda == nullptr || !cuda->devices.empty();
    if (on_host && (at[0] < 0 || at[count] > symbols.size()))
        throw bad_argument(std::string(name) + ": offsets go from " + std::to_string(at[0]) + " to " +
                           std::to_string(at[count]) + ", expected within 0.." +
                           std::to_string(symbols.size()));
    return {symbols.data(), at, count, symbols.symbol_bytes()};
}

void bind_wavefront(nb::module_& m) {
    bind_arguments(m);
    bind_alignment(m);
    m.def("lcs_length", &length, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("variant"));
    m.def("edit_distance", &distance, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("bound"),
          nb::arg("variant"));
    m.def("lcs_string", &string, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("variant"));
    m.def("fill", &fill, nb::arg("where"), nb::arg("a"), nb::arg("b"), nb::arg("table"), nb::arg("options"));
    m.def("summed_area", &summed_area, nb::arg("where"), nb::arg("image"), nb::arg("table"),
          nb::arg("options"));
    m.def(
        "lcs_lengths",
        [](const place& p, const pairs& in, const output& answers, const std::string& variant) {
            return batches(p, in, answers, false, {.variant = variant});
        },
        nb::arg("where"), nb::arg("pairs"), nb::arg("answers"), nb::arg("variant"));
    m.def(
        "edit_distances",
        [](const place& p, const pairs& in, const output& answers, index_t bound,
           const std::string& variant) {
            return batches(p, in, answers, true, {.variant = variant, .bound = bound});
        },
        nb::arg("where"), nb::arg("pairs"), nb::arg("answers"), nb::arg("bound"), nb::arg("variant"));
}

}  // namespace wale::python
