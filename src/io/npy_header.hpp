// npy_header - the header of an NPY file, a literal of Python, and the element types of NumPy.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/image_format.hpp"

namespace wale::io {

/// Booleans, integers and floats of up to 64 bits.
struct npy_type {
    char kind = 'f';  // b, u, i or f
    int bytes = 8;
    bool swapped = false;  // the other byte order
};

/// Of a name such as "<f4" or "|b1"; nothing for any other type.
[[nodiscard]] constexpr std::optional<npy_type> npy_type_of(std::string_view name) noexcept {
    if (name.size() != 3) return std::nullopt;
    const char order = name[0], kind = name[1];
    const int bytes = name[2] - '0';
    const bool good = kind == 'b'                  ? bytes == 1
                      : kind == 'u' || kind == 'i' ? bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8
                      : kind == 'f'                ? bytes == 2 || bytes == 4 || bytes == 8
                                                   : false;
    if (!good || !(order == '<' || order == '>' || (order == '|' && bytes == 1))) return std::nullopt;
    constexpr char other = std::endian::native == std::endian::little ? '>' : '<';
    return npy_type{kind, bytes, order == other && bytes > 1};
}

/// A float of 16 bits as IEEE 754-2008 has it: sign, 5 bits of exponent, 10 of fraction.
struct half {
    std::uint16_t bits;
    [[nodiscard]] operator float() const noexcept {
        const int exponent = bits >> 10 & 31, fraction = bits & 1023;
        const float size = exponent == 0    ? std::ldexp(static_cast<float>(fraction), -24)
                           : exponent == 31 ? (fraction == 0 ? HUGE_VALF : std::nanf(""))
                                            : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
        return bits >> 15 != 0 ? -size : size;
    }
};

/// Calls f.template operator()<T>() with the C++ type of the elements; a boolean is a byte.
template <class F>
void visit(const npy_type& t, F&& f) {
    switch (t.kind) {
        case 'f':
            if (t.bytes == 2) return f.template operator()<half>();
            if (t.bytes == 4) return f.template operator()<float>();
            return f.template operator()<double>();
        case 'i':
            if (t.bytes == 1) return f.template operator()<std::int8_t>();
            if (t.bytes == 2) return f.template operator()<std::int16_t>();
            if (t.bytes == 4) return f.template operator()<std::int32_t>();
            return f.template operator()<std::int64_t>();
        default:
            if (t.bytes == 1) return f.template operator()<std::uint8_t>();
            if (t.bytes == 2) return f.template operator()<std::uint16_t>();
            if (t.bytes == 4) return f.template operator()<std::uint32_t>();
            return f.template operator()<std::uint64_t>();
    }
}

struct npy_header {
    std::string element;  // "<f4"
    bool fortran = false;
    std::vector<index_t> shape;
    index_t data = 0;  // byte at which the elements start
};

[[nodiscard]] npy_header read_npy_header(const image_input& in);

/// Everything before the elements of a file of version 1.
[[nodiscard]] std::string npy_preamble(std::string_view element, bool fortran,
                                       const std::vector<index_t>& shape);

}  // namespace wale::io
