// reconstruction - the solver's functions over arrays. The GIL is released around every computation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "bindings.hpp"

namespace wale::python {
namespace {

/// What Python says of every call: the number of an image's dimensions, whether the leading axis counts
/// images, and how many coordinates of a neighbour may differ.
struct call_options {
    std::string variant = "automatic";
    std::string method = "dilation";
    int rank = 2;
    bool batch = false;
    int connectivity = 0;  // as in scikit-image: 1..rank; 0 is rank
    bool clamp = false;
};

reconstruction_options options_of(const call_options& o) {
    constexpr int neighbours[2][3] = {{4, 8, 0}, {6, 18, 26}};
    if (o.rank != 2 && o.rank != 3)
        throw bad_argument("image: has " + std::to_string(o.rank) + " dimensions, expected 2 or 3");
    if (o.connectivity < 0 || o.connectivity > o.rank)
        throw bad_argument("connectivity: is " + std::to_string(o.connectivity) + ", expected 1.." +
                           std::to_string(o.rank));
    if (o.method != "dilation" && o.method != "erosion")
        throw bad_argument("method: is '" + o.method + "', expected dilation or erosion");
    reconstruction_options r;
    r.variant = o.variant;
    r.method = o.method == "erosion" ? reconstruction_method::erosion : reconstruction_method::dilation;
    r.connectivity = neighbours[o.rank - 2][(o.connectivity == 0 ? o.rank : o.connectivity) - 1];
    r.beyond = o.clamp ? marker_beyond::clamp : marker_beyond::refuse;
    return r;
}

template <class Array>
pixel pixel_of_array(const char* name, const Array& array) {
    if (array.dtype() == nb::dtype<bool>()) return pixel::boolean;
    if (holds<std::uint8_t>(array)) return pixel::u8;
    if (holds<std::uint16_t>(array)) return pixel::u16;
    if (holds<std::int32_t>(array)) return pixel::i32;
    if (holds<float>(array)) return pixel::f32;
    if (holds<double>(array)) return pixel::f64;
    throw bad_argument(std::string(name) + ": expected bool, uint8, uint16, int32, float32 or float64");
}

/// The array's axes as [images,] [planes,] rows, columns; the pixels of a row are contiguous.
template <class Array>
raster raster_of(const execution& where, const char* name, const Array& array, const call_options& o) {
    check_place(where, name, array.device_type(), array.device_id());
    const std::size_t axes = static_cast<std::size_t>(o.rank) + (o.batch ? 1 : 0);
    if (array.ndim() != axes)
        throw bad_argument(std::string(name) + ": has " + std::to_string(array.ndim()) +
                           " dimensions, expected " + std::to_string(axes));
    raster r;
    r.type = pixel_of_array(name, array);
    r.rank = o.rank;
    index_t* const sizes[] = {&r.columns, &r.rows, o.rank == 3 ? &r.planes : &r.images, &r.images};
    index_t* const strides[] = {nullptr, &r.row_stride, o.rank == 3 ? &r.plane_stride : &r.image_stride,
                                &r.image_stride};
    for (std::size_t k = 0; k < axes; ++k) *sizes[k] = static_cast<index_t>(array.shape(axes - 1 - k));
    r.pack();
    if (r.pixels() == 0) return r;  // strides of nothing mean nothing
    if (r.columns > 1 && array.stride(axes - 1) != 1)
        throw bad_argument(std::string(name) + ": expected contiguous rows");
    for (std::size_t k = 1; k < axes; ++k)
        if (*sizes[k] > 1) *strides[k] = array.stride(axes - 1 - k);
    return r;
}

const_image_view seen(const place& p, const char* name, const input& array, const call_options& o) {
    return {array.data(), raster_of(p.where, name, array, o)};
}
image_view written(const place& p, const output& array, const call_options& o) {
    return {array.data(), raster_of(p.where, "out", array, o)};
}

report rebuilt(const place& p, const input& marker, const input& mask, const output& out,
               const call_options& o) {
    const const_image_view seed = seen(p, "seed", marker, o), under = seen(p, "mask", mask, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const nb::gil_scoped_release release;
    return reconstruct(p.where, seed, under, to, options).run;
}

using plain_function = reconstruction_result (*)(const execution&, const const_image_view&, const image_view&,
                                                 const reconstruction_options&);
using height_function = reconstruction_result (*)(const execution&, const const_image_view&, double,
                                                  const image_view&, const reconstruction_options&);
using size_function = reconstruction_result (*)(const execution&, const const_image_view&, index_t,
                                                const image_view&, const reconstruction_options&);

/// Calls f(image, out, options) without the GIL.
template <class F>
report on_image(const place& p, const input& image, const output& out, const call_options& o, const F& f) {
    const const_image_view in = seen(p, "image", image, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const nb::gil_scoped_release release;
    return f(in, to, options).run;
}

template <plain_function Function>
report plain(const place& p, const input& image, const output& out, const call_options& o) {
    return on_image(p, image, out, o, [&](const auto& in, const auto& to, const auto& options) {
        return Function(p.where, in, to, options);
    });
}

template <height_function Function>
report with_height(const place& p, const input& image, double h, const output& out, const call_options& o) {
    return on_image(p, image, out, o, [&](const auto& in, const auto& to, const auto& options) {
        return Function(p.where, in, h, to, options);
    });
}

template <size_function Function>
report with_size(const place& p, const input& image, index_t size, const output& out, const call_options& o) {
    return on_image(p, image, out, o, [&](const auto& in, const auto& to, const auto& options) {
        return Function(p.where, in, size, to, options);
    });
}

report depressions(const place& p, const input& elevation, std::optional<double> no_data, const output& out,
                   const call_options& o) {
    const const_image_view in = seen(p, "elevation", elevation, o);
    const image_view to = written(p, out, o);
    depression_options options;
    static_cast<reconstruction_options&>(options) = options_of(o);
    options.has_no_data = no_data.has_value();
    options.no_data = no_data.value_or(0);
    const nb::gil_scoped_release release;
    return fill_depressions(p.where, in, to, options).run;
}

report imposed(const place& p, const input& image, const input& minima, const output& out,
               const call_options& o) {
    const const_image_view in = seen(p, "image", image, o), at = seen(p, "minima", minima, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const nb::gil_scoped_release release;
    return impose_minima(p.where, in, at, to, options).run;
}

report hysteresis(const place& p, const input& image, double low, double high, const output& out,
                  const call_options& o) {
    return on_image(p, image, out, o, [&](const auto& in, const auto& to, const auto& options) {
        return hysteresis_threshold(p.where, in, low, high, to, options);
    });
}

using point = std::tuple<index_t, index_t, index_t>;  // plane, row, column

std::tuple<index_t, report> selected(const place& p, const input& image, const std::vector<point>& points,
                                     const output& out, const call_options& o) {
    std::vector<pixel_position> positions;
    for (const auto& [plane, row, column] : points) positions.push_back({plane, row, column});
    const const_image_view in = seen(p, "image", image, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const nb::gil_scoped_release release;
    const selection_result r = select_objects(p.where, in, positions, to, options);
    return {r.area, r.run};
}

report flooded(const place& p, const input& image, const input& markers, std::optional<input> mask,
               const output& labels, bool line, const call_options& o) {
    const const_image_view in = seen(p, "image", image, o), from = seen(p, "markers", markers, o);
    const const_image_view within = mask ? seen(p, "mask", *mask, o) : const_image_view();
    const image_view to = written(p, labels, o);
    watershed_options options;
    options.variant = o.variant;
    options.connectivity = options_of(o).connectivity;
    options.line = line;
    const nb::gil_scoped_release release;
    return watershed(p.where, in, from, within, to, options).run;
}

std::string flaw(const input& marker, const input& mask, const input& result, const call_options& o) {
    const place host{on_reference{}};
    const const_image_view seed = seen(host, "seed", marker, o), under = seen(host, "mask", mask, o);
    const const_image_view found = seen(host, "result", result, o);
    const reconstruction_options options = options_of(o);
    const nb::gil_scoped_release release;
    return reconstruction_flaw(seed, under, found, options);
}

void bind_options(nb::module_& m) {
    nb::class_<call_options>(m, "ReconstructionOptions")
        .def(nb::init<>())
        .def_rw("variant", &call_options::variant)
        .def_rw("method", &call_options::method)
        .def_rw("rank", &call_options::rank)
        .def_rw("batch", &call_options::batch)
        .def_rw("connectivity", &call_options::connectivity)
        .def_rw("clamp", &call_options::clamp);
}

void bind_unary(nb::module_& m) {
    const auto def = [&m](const char* name, auto* function) {
        m.def(name, function, nb::arg("where"), nb::arg("image"), nb::arg("out"), nb::arg("options"));
    };
    def("fill_holes", &plain<fill_holes>);
    def("clear_border", &plain<clear_border>);
    def("regional_maxima", &plain<regional_maxima>);
    def("regional_minima", &plain<regional_minima>);
}

void bind_with_number(nb::module_& m) {
    const auto def = [&m](const char* name, const char* number, auto* function) {
        m.def(name, function, nb::arg("where"), nb::arg("image"), nb::arg(number), nb::arg("out"),
              nb::arg("options"));
    };
    def("h_maxima_transform", "h", &with_height<h_maxima_transform>);
    def("h_minima_transform", "h", &with_height<h_minima_transform>);
    def("h_domes", "h", &with_height<h_domes>);
    def("h_basins", "h", &with_height<h_basins>);
    def("extended_maxima", "h", &with_height<extended_maxima>);
    def("extended_minima", "h", &with_height<extended_minima>);
    def("opening_by_reconstruction", "size", &with_size<opening_by_reconstruction>);
    def("closing_by_reconstruction", "size", &with_size<closing_by_reconstruction>);
}

}  // namespace

void bind_reconstruction(nb::module_& m) {
    bind_options(m);
    bind_unary(m);
    bind_with_number(m);
    m.def("reconstruct", &rebuilt, nb::arg("where"), nb::arg("seed"), nb::arg("mask"), nb::arg("out"),
          nb::arg("options"));
    m.def("fill_depressions", &depressions, nb::arg("where"), nb::arg("elevation"), nb::arg("no_data").none(),
          nb::arg("out"), nb::arg("options"));
    m.def("impose_minima", &imposed, nb::arg("where"), nb::arg("image"), nb::arg("minima"), nb::arg("out"),
          nb::arg("options"));
    m.def("hysteresis_threshold", &hysteresis, nb::arg("where"), nb::arg("image"), nb::arg("low"),
          nb::arg("high"), nb::arg("out"), nb::arg("options"));
    m.def("select_objects", &selected, nb::arg("where"), nb::arg("image"), nb::arg("points"), nb::arg("out"),
          nb::arg("options"));
    m.def("watershed", &flooded, nb::arg("where"), nb::arg("image"), nb::arg("markers"),
          nb::arg("mask").none(), nb::arg("labels"), nb::arg("line"), nb::arg("options"));
    m.def("reconstruction_flaw", &flaw, nb::arg("seed"), nb::arg("mask"), nb::arg("result"),
          nb::arg("options"));
}

}  // namespace wale::python
