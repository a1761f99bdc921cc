// reconstruction - the solver's functions over arrays. The GIL is released around every computation.
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bindings.hpp"

namespace wale::python {

/// The options of a call from Python: the number of an image's dimensions, whether the leading axis counts
/// images, and how many coordinates of a neighbour may differ.
struct call_options {
    std::string variant = "automatic";
    reconstruction_method method = reconstruction_method::dilation;
    int rank = 2;
    bool batch = false;
    int connectivity = 0;  // as in scikit-image: 1..rank; 0 is rank
    bool clamp = false;
};

namespace {

reconstruction_options options_of(const call_options& o) {
    constexpr int neighbours[2][3] = {{4, 8, 0}, {6, 18, 26}};
    if (o.rank != 2 && o.rank != 3)
        throw bad_argument("image: has " + std::to_string(o.rank) + " dimensions, expected 2 or 3");
    if (o.connectivity < 0 || o.connectivity > o.rank)
        throw bad_argument("connectivity: is " + std::to_string(o.connectivity) + ", expected 1.." +
                           std::to_string(o.rank));
    reconstruction_options r;
    r.variant = o.variant;
    r.method = o.method;
    r.connectivity = neighbours[o.rank - 2][(o.connectivity == 0 ? o.rank : o.connectivity) - 1];
    r.beyond = o.clamp ? marker_beyond::clamp : marker_beyond::refuse;
    return r;
}

template <class Array>
pixel pixel_of_array(const char* name, const Array& array) {
    if (holds<bool>(array)) return pixel::boolean;
    if (holds<std::uint8_t>(array)) return pixel::u8;
    if (holds<std::uint16_t>(array)) return pixel::u16;
    if (holds<std::int32_t>(array)) return pixel::i32;
    if (holds<float>(array)) return pixel::f32;
    if (holds<double>(array)) return pixel::f64;
    throw bad_argument(std::string(name) + ": is " + name_of(array.dtype()) +
                       ", expected bool, uint8, uint16, int32, float32 or float64");
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
    const released_gil release;
    return reconstruct(p.where, seed, under, to, options).run;
}

/// What follows from the outermost pixels of `risen`, in place; not on the CPU the whole reconstruction.
report went_on(const place& p, const input& mask, const output& risen, const call_options& o) {
    const const_image_view under = seen(p, "mask", mask, o);
    const image_view to = written(p, risen, o);
    reconstruction_options options = options_of(o);
    options.beyond = marker_beyond::clamp;
    const released_gil release;
    if (const auto* cpu = std::get_if<on_cpu>(&p.where))
        return reconstruct_onward(*cpu, to, under, options).run;
    return reconstruct(p.where, to, under, to, options).run;
}

/// Calls f(image, out, options) without the GIL.
template <class F>
report on_image(const place& p, const input& image, const output& out, const call_options& o, const F& f) {
    const const_image_view in = seen(p, "image", image, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const released_gil release;
    return f(in, to, options).run;
}

report depressions(const place& p, const input& elevation, std::optional<double> no_data, const output& out,
                   const call_options& o) {
    const const_image_view in = seen(p, "elevation", elevation, o);
    const image_view to = written(p, out, o);
    depression_options options;
    static_cast<reconstruction_options&>(options) = options_of(o);
    options.has_no_data = no_data.has_value();
    options.no_data = no_data.value_or(0);
    const released_gil release;
    return fill_depressions(p.where, in, to, options).run;
}

report imposed(const place& p, const input& image, const input& minima, const output& out,
               const call_options& o) {
    const const_image_view in = seen(p, "image", image, o), at = seen(p, "minima", minima, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const released_gil release;
    return impose_minima(p.where, in, at, to, options).run;
}

using point = std::tuple<index_t, index_t, index_t>;  // plane, row, column

std::tuple<index_t, report> selected(const place& p, const input& image, const std::vector<point>& points,
                                     const output& out, const call_options& o) {
    std::vector<pixel_position> positions;
    for (const auto& [plane, row, column] : points) positions.push_back({plane, row, column});
    const const_image_view in = seen(p, "image", image, o);
    const image_view to = written(p, out, o);
    const reconstruction_options options = options_of(o);
    const released_gil release;
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
    const released_gil release;
    return watershed(p.where, in, from, within, to, options).run;
}

std::string flaw(const input& marker, const input& mask, const input& result, const call_options& o) {
    const place host{on_reference{}};
    const const_image_view seed = seen(host, "seed", marker, o), under = seen(host, "mask", mask, o);
    const const_image_view found = seen(host, "result", result, o);
    const reconstruction_options options = options_of(o);
    const released_gil release;
    return reconstruction_flaw(seed, under, found, options);
}

/// Functions of an image and of numbers.
template <class... Numbers>
struct on_one_image {
    template <class... Names>
    static void def(nb::module_& m, const char* name,
                    reconstruction_result (*function)(const execution&, const const_image_view&, Numbers...,
                                                      const image_view&, const reconstruction_options&),
                    Names... names) {
        m.def(
            name,
            [function](const place& p, const input& image, Numbers... numbers, const output& out,
                       const call_options& o) {
                return on_image(p, image, out, o, [&](const auto& in, const auto& to, const auto& options) {
                    return function(p.where, in, numbers..., to, options);
                });
            },
            nb::arg("where"), nb::arg("image"), nb::arg(names)..., nb::arg("out"), nb::arg("options"));
    }
};

}  // namespace
}  // namespace wale::python

namespace wale {

template <>
struct fields<python::call_options> {
    using type = python::call_options;
    static constexpr auto all = std::tuple{field{"variant", &type::variant},
                                           field{"method", &type::method},
                                           field{"rank", &type::rank},
                                           field{"batch", &type::batch},
                                           field{"connectivity", &type::connectivity},
                                           field{"clamp", &type::clamp}};
};

}  // namespace wale

namespace wale::python {

void bind_reconstruction(nb::module_& m) {
    bind_options<call_options>(m, "ReconstructionOptions");
    on_one_image<>::def(m, "fill_holes", &fill_holes);
    on_one_image<>::def(m, "clear_border", &clear_border);
    on_one_image<>::def(m, "regional_maxima", &regional_maxima);
    on_one_image<>::def(m, "regional_minima", &regional_minima);
    on_one_image<double>::def(m, "h_maxima_transform", &h_maxima_transform, "h");
    on_one_image<double>::def(m, "h_minima_transform", &h_minima_transform, "h");
    on_one_image<double>::def(m, "h_domes", &h_domes, "h");
    on_one_image<double>::def(m, "h_basins", &h_basins, "h");
    on_one_image<double>::def(m, "extended_maxima", &extended_maxima, "h");
    on_one_image<double>::def(m, "extended_minima", &extended_minima, "h");
    on_one_image<index_t>::def(m, "opening_by_reconstruction", &opening_by_reconstruction, "size");
    on_one_image<index_t>::def(m, "closing_by_reconstruction", &closing_by_reconstruction, "size");
    on_one_image<double, double>::def(m, "hysteresis_threshold", &hysteresis_threshold, "low", "high");
    m.def("reconstruct", &rebuilt, nb::arg("where"), nb::arg("seed"), nb::arg("mask"), nb::arg("out"),
          nb::arg("options"));
    m.def("reconstruct_onward", &went_on, nb::arg("where"), nb::arg("mask"), nb::arg("out"),
          nb::arg("options"));
    m.def("fill_depressions", &depressions, nb::arg("where"), nb::arg("elevation"), nb::arg("no_data").none(),
          nb::arg("out"), nb::arg("options"));
    m.def("impose_minima", &imposed, nb::arg("where"), nb::arg("image"), nb::arg("minima"), nb::arg("out"),
          nb::arg("options"));
    m.def("select_objects", &selected, nb::arg("where"), nb::arg("image"), nb::arg("points"), nb::arg("out"),
          nb::arg("options"));
    m.def("watershed", &flooded, nb::arg("where"), nb::arg("image"), nb::arg("markers"),
          nb::arg("mask").none(), nb::arg("labels"), nb::arg("line"), nb::arg("options"));
    m.def("reconstruction_flaw", &flaw, nb::arg("seed"), nb::arg("mask"), nb::arg("result"),
          nb::arg("options"));
}

}  // namespace wale::python
