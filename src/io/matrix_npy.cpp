// matrix_npy - matrices as NumPy saves them: the bytes as they are, in either order.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/checked.hpp"
#include "io/escape.hpp"
#include "io/matrix_format.hpp"
#include "io/npy_header.hpp"

namespace wale::io {
namespace {

constexpr std::int64_t most_whole = std::int64_t{1} << 53;
constexpr bool little = std::endian::native == std::endian::little;

/// Whether the elements are complex; their parts are then floats of `parts`.
struct stored_type {
    npy_type parts;
    bool complex = false;
};

stored_type elements_of(const matrix_input& in, const std::string& name) {
    if (const auto type = npy_type_of(name)) return {*type};
    if (name.size() > 1 && (name.substr(1) == "c8" || name.substr(1) == "c16"))
        if (const auto type = npy_type_of(name.substr(0, 1) + (name.size() == 3 ? "f4" : "f8")))
            return {*type, true};
    in.refuse("elements '" + escaped(name) +
              "', expected booleans, integers or floats of up to 64 bits, or complex numbers of up to 128");
}

/// The scalar type of a matrix of these elements, as Python's functions choose it.
scalar scalar_for(const stored_type& t) {
    const bool single = t.parts.kind == 'f' && t.parts.bytes < 8;
    return t.complex ? (single ? scalar::c64 : scalar::c128) : single ? scalar::f32 : scalar::f64;
}

void swap_bytes(char* at, index_t count, index_t size) {
    for (index_t k = 0; k < count; ++k, at += size) std::reverse(at, at + size);
}

/// Refuses element k of the memory, by its row and column from 0.
[[noreturn]] void refuse_element(const matrix_input& in, const matrix_shape& s, index_t k, double v,
                                 const std::string& expected) {
    const index_t line = k / s.leading, at = k % s.leading;
    in.refuse("element " + std::to_string(s.row_major() ? line : at) + ", " +
              std::to_string(s.row_major() ? at : line) + " is " + number_text(v, s.type) + ", expected " +
              expected);
}

/// As text cannot hold NaN and Inf, a binary file must not: no solver has an answer for them. `count`: of
/// parts.
template <class T>
void check_finite(const matrix_input& in, const matrix_file_data& m, index_t count) {
    const auto* const values = static_cast<const T*>(m.elements.data());
    const auto* const odd = std::find_if_not(values, values + count, [](T v) { return std::isfinite(v); });
    const index_t parts = is_complex(m.shape.type) ? 2 : 1;
    if (odd != values + count)
        refuse_element(in, m.shape, (odd - values) / parts, double{*odd}, "a finite number");
}

/// Elements of a type that no matrix has, in the type of `to`; refuses an integer that float64 does not hold.
void widen(const matrix_input& in, const npy_type& type, const void* elements, matrix_file_data& to,
           index_t count) {
    visit(type, [&]<class T>() {
        const T* const from = static_cast<const T*>(elements);
        if constexpr (std::is_same_v<T, half>) {
            std::copy_n(from, count, static_cast<float*>(to.elements.data()));
        } else {
            auto* const numbers = static_cast<double*>(to.elements.data());
            for (index_t k = 0; k < count; ++k) {
                numbers[k] = static_cast<double>(from[k]);
                if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
                    if (std::cmp_less(from[k], -most_whole) || std::cmp_greater(from[k], most_whole))
                        refuse_element(in, to.shape, k, numbers[k], "a whole number within -2^53..2^53");
            }
        }
    });
}

/// Finite elements of one type as another.
void convert(const matrix_input& in, const matrix_file_data& from, const element_writer& to) {
    const scalar wanted = *in.options.type;
    if (is_complex(from.shape.type) && !is_complex(wanted))
        in.refuse(std::string(name_of(from.shape.type)) + ", expected real numbers for " + name_of(wanted));
    matrix_shape packed = from.shape;  // one line
    packed.order = storage_order::row_major;
    packed.rows = 1;
    for (index_t k = 0; k < from.shape.rows * from.shape.columns; ++k) {
        const element all = element_at({from.elements.data(), packed}, 0, k);
        for (const double v : {all.real(), all.imag()})
            if (is_single(wanted))
                if (const auto narrow = static_cast<float>(v);
                    !std::isfinite(narrow) || (narrow == 0 && v != 0))
                    refuse_element(in, from.shape, k, v, "a number that float32 holds");
        to.set(k, all);
    }
}

}  // namespace

bool is_matrix_npy(std::string_view head) {
    return head.starts_with("\x93NUMPY");
}

matrix_file_data read_matrix_npy(const matrix_input& in) {
    const image_file_options unused;
    const npy_header h = read_npy_header({in.bytes, in.name, unused});
    const stored_type element_type = elements_of(in, h.element);
    const npy_type& stored = element_type.parts;
    const scalar type = scalar_for(element_type);
    const index_t parts = element_type.complex ? 2 : 1;
    if (h.shape.empty() || h.shape.size() > 2)
        in.refuse(std::to_string(h.shape.size()) + " axes, expected 1 or 2");
    const index_t rows = h.shape[0], columns = h.shape.size() == 2 ? h.shape[1] : 1,
                  size = parts * stored.bytes;
    const auto count = base::multiply(rows, columns);
    const auto bytes = count ? base::multiply(*count, size) : std::nullopt;
    const index_t found = in.bytes.size() - h.data;
    if (!bytes) in.refuse("a shape beyond 2^63 bytes");
    if (found != *bytes)
        in.refuse(std::to_string(found) + " bytes of elements, expected " + std::to_string(*bytes));
    const storage_order order = h.fortran ? storage_order::column_major : storage_order::row_major;
    matrix_file_data out = in.allocate(type, rows, columns, order, matrix_format::npy);
    const bool direct = stored.kind == 'f' && size == bytes_of(type);
    memory others;
    if (!direct) others = memory(*bytes, memory_space::host);
    void* const raw = direct ? out.elements.data() : others.data();
    if (*bytes > 0 && !in.bytes.read(h.data, raw, *bytes)) in.refuse("cannot be read");
    if (stored.swapped) swap_bytes(static_cast<char*>(raw), parts * *count, stored.bytes);
    if (!direct) widen(in, stored, raw, out, *count);
    is_single(type) ? check_finite<float>(in, out, parts * *count)
                    : check_finite<double>(in, out, parts * *count);
    if (!in.options.type || *in.options.type == type) return out;
    matrix_file_data other = in.allocate(*in.options.type, rows, columns, order, matrix_format::npy);
    convert(in, out, element_writer(other));
    return other;
}

void write_matrix_npy(const const_matrices& m, const matrix_sink& sink) {
    const std::string descr =
        std::string(little ? "<" : ">") + (is_complex(m.type) ? "c" : "f") + std::to_string(bytes_of(m.type));
    sink(npy_preamble(descr, !m.row_major(), {m.rows, m.columns}));
    if (m.span_of_one() == 0) return;
    const auto* at = static_cast<const char*>(m.data);
    for (index_t line = 0; line < m.lines(); ++line, at += m.leading * bytes_of(m.type))
        sink({at, static_cast<std::size_t>(m.line_size() * bytes_of(m.type))});
}

}  // namespace wale::io

namespace wale {

void write_indices(output_file& out, std::span<const std::int32_t> indices) {
    out.write(io::npy_preamble(io::little ? "<i4" : ">i4", false, {std::ssize(indices)}));
    out.write({reinterpret_cast<const char*>(indices.data()), indices.size_bytes()});
}

}  // namespace wale
