// bindings - what the parts of the extension module wale._wale share. The module is a thin, typed skin over
// include/wale; what Python users see (strings, lists, defaults, docstrings) is written in Python, in wale/.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <type_traits>
#include <wale/enumerators.hpp>
#include <wale/interrupt.hpp>
#include <wale/option_fields.hpp>
#include <wale/result_fields.hpp>
#include <wale/wale.hpp>

namespace wale::python {

namespace nb = nanobind;

/// Any array that speaks NumPy's buffer protocol or DLPack, on any device; inputs may be read-only.
using input = nb::ndarray<nb::ro>;
using output = nb::ndarray<>;

/// The GIL is released, and the first thread's calls notice Ctrl-C while they compute.
class released_gil {
public:
    /// The Python exception that ask() met, once.
    [[nodiscard]] static std::exception_ptr taken();
    /// `released`: false for work of a few microseconds, in which other threads gain nothing.
    explicit released_gil(bool released = true) {
        if (released) release_.emplace();
    }

private:
    [[nodiscard]] static bool ask();
    std::optional<nb::gil_scoped_release> release_;
    interruption_check check_{&ask};
};

/// Cells of two sequences that take some microseconds.
inline constexpr double short_work = 1 << 16;

/// The host, for short calls that say no more of it than threads; 0: all.
inline execution host(int threads) {
    return on_cpu{.threads = threads};
}

/// Keeps what wale.last_report() gives in this thread.
void remember(report run);

/// wale::execution as one Python class.
struct place {
    execution where;
};

/// DLPack's code and width of an element type.
template <class T, class Array>
[[nodiscard]] bool holds(const Array& array) {
    return array.dtype() == nb::dtype<T>();
}
[[nodiscard]] std::string name_of(nb::dlpack::dtype type);
[[nodiscard]] bool contiguous(const input& array);

/// Throws bad_argument unless `where` can reach the array's memory.
void check_place(const execution& where, const char* name, int device_type, int device_id);

/// Of the types that matrices and vectors may have; throws bad_argument for an array of anything else, or
/// where `where` cannot reach it.
template <class Array>
[[nodiscard]] scalar scalar_of(const execution& where, const char* name, const Array& array) {
    check_place(where, name, array.device_type(), array.device_id());
    if (holds<float>(array)) return scalar::f32;
    if (holds<double>(array)) return scalar::f64;
    if (holds<std::complex<float>>(array)) return scalar::c64;
    if (holds<std::complex<double>>(array)) return scalar::c128;
    throw bad_argument(std::string(name) + ": is " + name_of(array.dtype()) +
                       ", expected float32, float64, complex64 or complex128");
}

inline constexpr index_t any_size = -1;

/// The elements of a contiguous array of T that `where` can reach. Throws bad_argument for another array.
template <class T, class Array>
[[nodiscard]] auto* elements(const execution& where, const char* name, const Array& array,
                             index_t size = any_size) {
    check_place(where, name, array.device_type(), array.device_id());
    if (!holds<T>(array) || !contiguous(input(array)) ||
        (size == any_size ? array.ndim() != 1 : static_cast<index_t>(array.size()) != size))
        throw bad_argument(std::string(name) + ": is " + name_of(array.dtype()) + " of " +
                           std::to_string(array.size()) + " elements in " + std::to_string(array.ndim()) +
                           " dimensions, expected " +
                           (size == any_size ? "one contiguous dimension of "
                                             : std::to_string(size) + " contiguous elements of ") +
                           name_of(nb::dtype<T>()));
    using pointer = std::conditional_t<std::is_same_v<Array, output>, T*, const T*>;
    return static_cast<pointer>(array.data());
}

/// The array as a sequence: one dimension, contiguous, unsigned of 8, 16 or 32 bits.
[[nodiscard]] sequence_view sequence(const execution& where, const char* name, const input& array);

/// What a notebook shows of a result: a row for each field with its name, value and explanation.
struct shown_field {
    const char* name;
    const char* text;
};
[[nodiscard]] std::string html_table(nb::handle result, const std::vector<shown_field>& fields);
/// The same in one line: Name(field=value, ...).
[[nodiscard]] std::string plain_fields(nb::handle result, const std::vector<shown_field>& fields);

/// Sequences end to end in `data`, one more offset than there are. Throws bad_argument for offsets outside.
[[nodiscard]] sequence_batch batch(const execution& where, const char* name, const input& data,
                                   const input& offsets);

/// Pickle and copy of a structure by its fields.
template <class T>
void carry_fields(nb::class_<T>& type) {
    type.def("__getstate__", [](const T& from) {
        nb::list values;
        for_each_field<T>([&]<class M>(const field<T, M>& f) {
            if constexpr (std::is_enum_v<M>)
                values.append(static_cast<int>(from.*f.member));
            else
                values.append(nb::cast(from.*f.member));
        });
        return nb::tuple(values);
    });
    type.def("__setstate__", [](T& to, const nb::tuple& values) {
        auto* const made = new (&to) T();
        std::size_t k = 0;
        for_each_field<T>([&]<class M>(const field<T, M>& f) {
            const nb::object value = values[k++];
            if constexpr (std::is_enum_v<M>)
                made->*f.member = static_cast<M>(nb::cast<int>(value));
            else
                made->*f.member = nb::cast<M>(value);
        });
    });
}

/// A class with the fields of a result as attributes that cannot be set; enumerators are their names.
template <class T>
nb::class_<T> bind_result(nb::module_& m, const char* name, const char* text) {
    nb::class_<T> type(m, name, text);
    carry_fields(type);
    for_each_field<T>([&type]<class M>(const field<T, M>& f) {
        if constexpr (std::is_enum_v<M>)
            type.def_prop_ro(
                f.name, [member = f.member](const T& r) { return std::string(wale::name_of(r.*member)); },
                f.text);
        else
            type.def_ro(f.name, f.member, f.text);
    });
    std::vector<shown_field> fields;
    for_each_field<T>([&fields](const auto& f) { fields.push_back({f.name, f.text}); });
    type.def("__repr__", [fields](nb::handle self) { return plain_fields(self, fields); });
    type.def("_repr_html_", [fields](nb::handle self) { return html_table(self, fields); });
    return type;
}

/// A class with the fields of options as attributes; enumerators are set by their names.
template <class T>
nb::class_<T> bind_options(nb::module_& m, const char* name) {
    nb::class_<T> type(m, name);
    type.def(nb::init<>());
    for_each_field<T>([&type]<class M>(const field<T, M>& f) {
        if constexpr (std::is_enum_v<M>)
            type.def_prop_rw(
                f.name, [member = f.member](const T& o) { return std::string(wale::name_of(o.*member)); },
                [member = f.member, name = f.name](T& o, const std::string& word) {
                    o.*member = named<M>(name, word);
                });
        else
            type.def_rw(f.name, f.member);
    });
    return type;
}

void bind_errors(nb::module_& m);
void bind_html(nb::module_& m);
void bind_execution(nb::module_& m);
void bind_memory(nb::module_& m);
void bind_wavefront(nb::module_& m);
void bind_pair_alignments(nb::module_& m);
void bind_plain_calls(nb::module_& m);
void bind_search(nb::module_& m);
void bind_verification(nb::module_& m);
void bind_profile(nb::module_& m);
void bind_texts(nb::module_& m);
void bind_warping(nb::module_& m);
void bind_reconstruction(nb::module_& m);
void bind_lu(nb::module_& m);
void bind_study(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_cable(nb::module_& m);
void bind_euler(nb::module_& m);

}  // namespace wale::python
