// widen - see widen.hpp.
#include "widen.hpp"

#include <cstring>
#include <type_traits>

namespace wale::cli {

scalar common_type(scalar a, scalar b) {
    const bool single = is_single(a) && is_single(b);
    if (is_complex(a) || is_complex(b)) return single ? scalar::c64 : scalar::c128;
    return single ? scalar::f32 : scalar::f64;
}

matrix_file_data widened(const matrix_file_data& m, scalar type) {
    const index_t parts = is_complex(m.shape.type) ? 2 : 1, step = is_complex(type) ? 2 / parts : 1;
    const index_t count = m.elements.bytes() / bytes_of(m.shape.type);
    matrix_file_data out{memory(count * bytes_of(type), memory_space::host), m.shape, m.format};
    out.shape.type = type;
    std::memset(out.elements.data(), 0, static_cast<std::size_t>(out.elements.bytes()));
    const auto copy = [&](const auto* from, auto* to) {
        for (index_t k = 0; k < parts * count; ++k)
            to[step * k] = static_cast<std::remove_pointer_t<decltype(to)>>(from[k]);
    };
    const auto copy_from = [&](const auto* from) {
        is_single(type) ? copy(from, static_cast<float*>(out.elements.data()))
                        : copy(from, static_cast<double*>(out.elements.data()));
    };
    is_single(m.shape.type) ? copy_from(static_cast<const float*>(m.elements.data()))
                            : copy_from(static_cast<const double*>(m.elements.data()));
    return out;
}

matrix_file_data turned(const matrix_file_data& m) {
    matrix_file_data out{memory(m.elements.bytes(), memory_space::host), m.shape, m.format};
    out.shape.order = m.shape.row_major() ? storage_order::column_major : storage_order::row_major;
    out.shape.leading = out.shape.line_size();
    const index_t bytes = bytes_of(m.shape.type);
    const auto* const from = static_cast<const char*>(m.elements.data());
    auto* const to = static_cast<char*>(out.elements.data());
    for (index_t line = 0; line < m.shape.lines(); ++line)
        for (index_t k = 0; k < m.shape.line_size(); ++k)
            std::memcpy(to + (k * out.shape.leading + line) * bytes,
                        from + (line * m.shape.leading + k) * bytes, static_cast<std::size_t>(bytes));
    return out;
}

}  // namespace wale::cli
