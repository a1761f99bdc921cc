// short_images - functions of small images as functions of CPython's own kind, which take less time than the
// steps of an interpreter: a mask of 32 x 32 pixels is filled in a microsecond. What needs a closer look goes
// on to the function of Python that has the same name, doc and arguments.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "numpy_arrays.hpp"
#include "short_calls.hpp"

namespace wale::python {
namespace {

/// Of an image: a larger one does not notice the steps of an interpreter. Few keep the GIL.
constexpr Py_ssize_t most_pixels = 1 << 14, few_pixels = 1 << 12;

/// Calls f<Element>(type) for the format of a buffer; false for other formats.
template <class F>
bool with_element(const char* format, const F& f) {
    if (format == nullptr || format[0] == 0 || format[1] != 0) return false;
    constexpr bool wide = sizeof(long) == 8;
    switch (format[0]) {
        case '?':
            return f.template operator()<bool>(element::boolean);
        case 'b':
            return f.template operator()<std::int8_t>(element::int8);
        case 'B':
            return f.template operator()<std::uint8_t>(element::uint8);
        case 'h':
            return f.template operator()<std::int16_t>(element::int16);
        case 'H':
            return f.template operator()<std::uint16_t>(element::uint16);
        case 'i':
            return f.template operator()<std::int32_t>(element::int32);
        case 'I':
            return f.template operator()<std::uint32_t>(element::uint32);
        case 'l':
            return wide && f.template operator()<std::int64_t>(element::int64);
        case 'L':
            return wide && f.template operator()<std::uint64_t>(element::uint64);
        case 'f':
            return f.template operator()<float>(element::float32);
        case 'd':
            return f.template operator()<double>(element::float64);
        default:
            return false;
    }
}

/// Whether pixels of T are computed as they are; others as int32.
template <class T>
concept own_pixel = requires {
    pixel_of<T>::value;
};

/// An image of a few pixels in a type of the library: where NumPy keeps it, or a copy without gaps.
class small_image {
public:
    /// Not good() for what needs a closer look.
    explicit small_image(PyObject* array) {
        if (!is_array(array) || !array_.look_at(array, PyBUF_STRIDES | PyBUF_FORMAT)) return;
        const Py_buffer& v = array_.view;
        if ((v.ndim != 2 && v.ndim != 3) || v.len == 0 || v.len / v.itemsize > most_pixels) return;
        const Py_ssize_t* shape = v.shape;
        if (v.ndim == 3 && (shape[2] == 3 || shape[2] == 4) && std::min(shape[0], shape[1]) >= 32)
            return;  // colours, perhaps: there is a warning
        view.rank = v.ndim;
        view.planes = v.ndim == 3 ? shape[0] : 1;
        view.rows = shape[v.ndim - 2];
        view.columns = shape[v.ndim - 1];
        view.pack();
        good_ = with_element(v.format, [&]<class T>(element type) { return take<T>(type); });
    }
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool has_own_type() const { return own_type_; }
    [[nodiscard]] element type() const { return type_; }
    [[nodiscard]] std::span<const Py_ssize_t> shape() const {
        return {array_.view.shape, static_cast<std::size_t>(array_.view.ndim)};
    }

    const_image_view view;

private:
    template <class T>
    bool take(element type) {
        type_ = type;
        own_type_ = own_pixel<T>;
        if constexpr (own_pixel<T>) {
            view.type = pixel_of<T>::value;
            view.data = array_.view.buf;
            return array_.packed(sizeof(T)) || copy<T, T>();
        } else {
            view.type = pixel::i32;
            return copy<T, std::int32_t>();
        }
    }

    /// False where int32 does not hold every difference of the values.
    template <class From, class To>
    bool copy() {
        const Py_buffer& v = array_.view;
        memory_ =
            std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(view.pixels()) * sizeof(To));
        To* to = reinterpret_cast<To*>(memory_.get());
        view.data = to;
        const Py_ssize_t* strides = v.strides + v.ndim - 2;
        bool held = true;
        for (index_t plane = 0; plane < view.planes; ++plane)
            for (index_t row = 0; row < view.rows; ++row) {
                const char* from = static_cast<const char*>(v.buf) + row * strides[0] +
                                   (v.ndim == 3 ? plane * v.strides[0] : 0);
                for (index_t c = 0; c < view.columns; ++c, from += strides[1]) {
                    From value;
                    std::memcpy(&value, from, sizeof value);
                    if constexpr (sizeof(From) >= 4 && !own_pixel<From>)
                        held = held && std::cmp_less(value, 1 << 30) && std::cmp_greater(value, -(1 << 30));
                    *to++ = static_cast<To>(value);
                }
            }
        return held;
    }

    array_view array_;
    std::unique_ptr<char[]> memory_;
    element type_ = element::uint8;
    bool good_ = false, own_type_ = false;
};

/// A new array of NumPy, and the image that the library writes: the array's memory, or int32 beside it.
class small_answer {
public:
    small_answer(const small_image& like, element type, pixel written)
        : object_(new_array(type, like.shape())) {
        if (!array_.look_at(object_.ptr(), PyBUF_CONTIG | PyBUF_FORMAT)) throw nb::python_error();
        static_cast<raster&>(view) = like.view;
        view.type = written;
        view.data = array_.view.buf;
        if (array_.view.itemsize == bytes_of(written)) return;
        beside_ = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(view.pixels()));
        view.data = beside_.get();
    }
    /// The array, filled; of int32 what lies beyond its type becomes the type's end.
    [[nodiscard]] PyObject* finished() {
        if (beside_)
            with_element(array_.view.format, [&]<class T>(element) {
                if constexpr (std::is_integral_v<T>) fill(static_cast<T*>(array_.view.buf));
                return true;
            });
        return object_.release().ptr();
    }

    image_view view;

private:
    template <class T>
    void fill(T* to) const {
        using ends = std::numeric_limits<T>;
        std::transform(beside_.get(), beside_.get() + view.pixels(), to, [](std::int32_t value) {
            if constexpr (!std::is_same_v<T, bool>) {
                if (std::cmp_less(value, ends::min())) return ends::min();
                if (std::cmp_greater(value, ends::max())) return ends::max();
            }
            return static_cast<T>(value);
        });
    }

    nb::object object_;
    array_view array_;
    std::unique_ptr<std::int32_t[]> beside_;
};

using one_image = reconstruction_result (*)(const execution&, const const_image_view&, const image_view&,
                                            const reconstruction_options&);
using by_height = reconstruction_result (*)(const execution&, const const_image_view&, double,
                                            const image_view&, const reconstruction_options&);

/// The report of `run()`, which other threads of Python need not wait for where it takes long. Ctrl-C waits.
template <class F>
void remember_run(const small_image& image, const F& run) {
    std::optional<nb::gil_scoped_release> release;
    if (image.view.pixels() > few_pixels) release.emplace();
    report found = run();
    release.reset();
    remember(std::move(found));
}

/// A word of scikit-image that changes nothing where its value is this one.
struct idle_word {
    enum class value { none, no, yes };
    const char* name;
    value idle;

    bool is(PyObject* given) const {
        return given == (idle == value::none ? Py_None : idle == value::no ? Py_False : Py_True);
    }
};
constexpr idle_word of_extrema[] = {{"footprint", idle_word::value::none},
                                    {"connectivity", idle_word::value::none},
                                    {"indices", idle_word::value::no},
                                    {"allow_borders", idle_word::value::yes}};
constexpr idle_word of_watershed[] = {{"mask", idle_word::value::none},
                                      {"watershed_line", idle_word::value::no}};

/// The words of a call: those of the library, and numbers that come after the images.
struct image_words {
    std::span<const idle_word> idle;
    reconstruction_options options;
    int connectivity = 0, threads = 0;  // 0: all neighbours; all threads
    double numbers[2] = {};

    /// False for what needs a closer look.
    bool read_number(int which, PyObject* value) {
        if (PyFloat_CheckExact(value)) {
            numbers[which] = PyFloat_AsDouble(value);
            return true;
        }
        const long long whole = whole_number(value, 1LL << 50);
        numbers[which] = static_cast<double>(whole);
        return whole >= 0;
    }
    bool read_method(PyObject* value) {
        if (!PyUnicode_CheckExact(value)) return false;
        const bool erosion = PyUnicode_CompareWithASCIIString(value, "erosion") == 0;
        options.method = erosion ? reconstruction_method::erosion : reconstruction_method::dilation;
        return erosion || PyUnicode_CompareWithASCIIString(value, "dilation") == 0;
    }
    bool read(PyObject* name, PyObject* value, bool with_method) {
        const auto is = [&](const char* word) { return PyUnicode_CompareWithASCIIString(name, word) == 0; };
        for (const idle_word& word : idle)
            if (is(word.name) && word.is(value)) return true;
        if (is("connectivity")) return read_connectivity(value);
        if (with_method && is("method")) return read_method(value);
        threads = static_cast<int>(whole_number(value, 1 << 10));
        return is("threads") && threads >= 0;
    }
    bool read_connectivity(PyObject* value) {
        connectivity = static_cast<int>(whole_number(value, 3));
        return connectivity > 0;
    }
    /// Says the connectivity in neighbours; false for one that an image of this rank has not.
    bool apply(int rank) {
        constexpr int neighbours[2][3] = {{4, 8, 0}, {6, 18, 26}};
        options.connectivity = neighbours[rank - 2][(connectivity == 0 ? rank : connectivity) - 1];
        return options.connectivity > 0;
    }
};

/// The keywords that begin at values[count].
bool read_keywords(image_words& asked, PyObject* const* values, Py_ssize_t count, PyObject* names,
                   bool with_method = false) {
    for (Py_ssize_t k = 0; names != nullptr && k < PyTuple_Size(names); ++k)
        if (!asked.read(PyTuple_GetItem(names, k), values[count + k], with_method)) return false;
    return true;
}

/// What a function answers with.
enum class answer { like_image, flags };

/// f(image) and f(image, numbers...) with the answer's type.
template <auto Function, answer Answer, int Numbers>
PyObject* of_one(PyObject* const* values, Py_ssize_t count, PyObject* names) {
    image_words asked;
    constexpr bool thresholds = Numbers == 2;
    if constexpr (thresholds) asked.connectivity = 1;
    if constexpr (Answer == answer::flags && Numbers == 0) asked.idle = of_extrema;
    if (count != 1 + Numbers || !read_keywords(asked, values, count, names)) return nullptr;
    for (int k = 0; k < Numbers; ++k)
        if (!asked.read_number(k, values[1 + k])) return nullptr;
    const small_image image(values[0]);
    if (!image.good() || !asked.apply(image.view.rank)) return nullptr;
    if (Numbers == 1 && !image.has_own_type()) return nullptr;  // heights end where the caller's type ends
    constexpr bool flags = Answer == answer::flags;
    small_answer out(image, flags ? element::boolean : image.type(),
                     flags ? pixel::boolean : image.view.type);
    const auto run = [&](auto... numbers) -> report {
        return Function(host(asked.threads), image.view, numbers..., out.view, asked.options).run;
    };
    remember_run(image, [&] {
        if constexpr (Numbers == 2)
            return run(asked.numbers[0], asked.numbers[1]);
        else if constexpr (Numbers == 1)
            return run(asked.numbers[0]);
        else
            return run();
    });
    return out.finished();
}

reconstruction_result without_depressions(const execution& where, const const_image_view& image,
                                          const image_view& out, const reconstruction_options& options) {
    depression_options all;
    static_cast<reconstruction_options&>(all) = options;
    return fill_depressions(where, image, out, all);
}

/// Whole heights of unsigned integers: 1 where a dome, or a basin, reaches the height.
template <by_height Domes, class T>
PyObject* of_heights(const small_image& image, const image_words& asked) {
    const double h = asked.numbers[0];
    const T* const first = static_cast<const T*>(image.view.data);
    const auto [least, most] = std::minmax_element(first, first + image.view.pixels());
    if (h != std::floor(h) || h < 1 || h > *most - *least) return nullptr;
    small_answer domes(image, image.type(), image.view.type), out(image, element::uint8, pixel::u8);
    remember_run(image,
                 [&] { return Domes(host(asked.threads), image.view, h, domes.view, asked.options).run; });
    const T* const from = static_cast<const T*>(domes.view.data);
    std::transform(from, from + image.view.pixels(), static_cast<std::uint8_t*>(out.view.data),
                   [h](T height) { return static_cast<std::uint8_t>(height >= h); });
    return out.finished();
}

template <by_height Domes>
PyObject* of_extended(PyObject* const* values, Py_ssize_t count, PyObject* names) {
    image_words asked;
    if (count != 2 || !asked.read_number(0, values[1]) || !read_keywords(asked, values, count, names))
        return nullptr;
    const small_image image(values[0]);
    if (!image.good() || !asked.apply(image.view.rank)) return nullptr;
    if (image.view.type == pixel::u8) return of_heights<Domes, std::uint8_t>(image, asked);
    return image.view.type == pixel::u16 ? of_heights<Domes, std::uint16_t>(image, asked) : nullptr;
}

PyObject* of_two(PyObject* const* values, Py_ssize_t count, PyObject* names) {
    image_words asked;
    if (count < 2 || count > 3 || (count == 3 && !asked.read_method(values[2])) ||
        !read_keywords(asked, values, count, names, count == 2))
        return nullptr;
    const small_image seed(values[0]), mask(values[1]);
    if (!seed.good() || !mask.good() || seed.type() != mask.type() || !seed.view.same_shape(mask.view) ||
        !asked.apply(mask.view.rank))
        return nullptr;
    small_answer out(mask, mask.type(), mask.view.type);
    remember_run(mask, [&] {
        return reconstruct(host(asked.threads), seed.view, mask.view, out.view, asked.options).run;
    });
    return out.finished();
}

PyObject* of_markers(PyObject* const* values, Py_ssize_t count, PyObject* names) {
    image_words asked;
    asked.idle = of_watershed;
    asked.connectivity = 1;
    if (count < 2 || count > 3 || (count == 3 && !asked.read_connectivity(values[2])) ||
        !read_keywords(asked, values, count, names))
        return nullptr;
    const small_image image(values[0]), markers(values[1]);
    if (!image.good() || !markers.good() || markers.view.type != pixel::i32 ||
        !image.view.same_shape(markers.view) || !asked.apply(image.view.rank))
        return nullptr;
    small_answer labels(image, markers.type(), pixel::i32);
    watershed_options options;
    options.connectivity = asked.options.connectivity;
    remember_run(image, [&] {
        return watershed(host(asked.threads), image.view, markers.view, {}, labels.view, options).run;
    });
    return labels.finished();
}

using brief_form = PyObject* (*)(PyObject* const*, Py_ssize_t, PyObject*);
extern std::array<short_function, 16> functions;

template <std::size_t Which, brief_form Brief>
PyObject* call(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    try {
        if (PyObject* const found = Brief(values, count, names)) return found;
    } catch (...) {  // the function of Python says what is wrong
        PyErr_Clear();
    }
    return functions[Which].hand_over(values, count, names);
}

constexpr answer like = answer::like_image, flags = answer::flags;
std::array<short_function, 16> functions{{
    {"fill_holes", &call<0, &of_one<&fill_holes, like, 0>>},
    {"clear_border", &call<1, &of_one<&clear_border, like, 0>>},
    {"fill_depressions", &call<2, &of_one<&without_depressions, like, 0>>},
    {"local_maxima", &call<3, &of_one<&regional_maxima, flags, 0>>},
    {"local_minima", &call<4, &of_one<&regional_minima, flags, 0>>},
    {"h_maxima_transform", &call<5, &of_one<&h_maxima_transform, like, 1>>},
    {"h_minima_transform", &call<6, &of_one<&h_minima_transform, like, 1>>},
    {"h_domes", &call<7, &of_one<&h_domes, like, 1>>},
    {"h_basins", &call<8, &of_one<&h_basins, like, 1>>},
    {"extended_maxima", &call<9, &of_one<&extended_maxima, flags, 1>>},
    {"extended_minima", &call<10, &of_one<&extended_minima, flags, 1>>},
    {"apply_hysteresis_threshold", &call<11, &of_one<&hysteresis_threshold, flags, 2>>},
    {"h_maxima", &call<12, &of_extended<&h_domes>>},
    {"h_minima", &call<13, &of_extended<&h_basins>>},
    {"reconstruction", &call<14, &of_two>},
    {"watershed", &call<15, &of_markers>},
}};

}  // namespace

std::span<short_function> image_functions() {
    return functions;
}

}  // namespace wale::python
