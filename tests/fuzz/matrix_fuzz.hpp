// matrix_fuzz - what holds for arbitrary bytes that may be a matrix file, of whatever format.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <wale/matrix_file.hpp>

#include "io/matrix_format.hpp"

namespace wale::fuzz {

constexpr index_t most_bytes = 1 << 18;  // of elements

inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "does not hold: " << what << '\n';
    std::abort();
}

/// Whether the bytes are a matrix; only bad_input may be thrown, and its message has no control bytes.
inline bool reads(std::string_view bytes, const matrix_file_options& options, matrix_file_data& out) {
    try {
        out = parse_matrix(bytes, "fuzz", options);
        return true;
    } catch (const bad_input& e) {
        for (const char* c = e.what(); *c != '\0'; ++c)
            demand(static_cast<unsigned char>(*c) >= 0x20, "messages have no control bytes");
        return false;
    }
}

inline void check_round_trip(const matrix_file_data& file, matrix_format format,
                             const matrix_file_options& options) {
    if (!why_unwritable("-", file.view(), {.format = format}).empty()) return;
    std::string bytes;
    io::write_any_matrix(format, file.view(), [&](std::string_view part) { bytes += part; });
    matrix_file_data again;
    demand(reads(bytes, {.type = file.shape.type, .max_bytes = options.max_bytes}, again),
           "what was written is read");
    demand(again.shape.rows == file.shape.rows && again.shape.columns == file.shape.columns,
           "the shape survives");
    if (file.shape.span_of_one() == 0) return;  // however many empty rows
    for (index_t i = 0; i < file.shape.rows; ++i)
        for (index_t j = 0; j < file.shape.columns; ++j) {
            const double a = io::element_at(file.view(), i, j), b = io::element_at(again.view(), i, j);
            demand(std::memcmp(&a, &b, sizeof a) == 0, "a matrix survives being written and read");
        }
}

inline void check(const std::uint8_t* data, std::size_t size, matrix_format format) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const std::optional<scalar> type : {std::optional<scalar>(), std::optional(scalar::f32)}) {
        const matrix_file_options options{.type = type, .max_bytes = most_bytes};
        matrix_file_data file;
        if (!reads(bytes, options, file)) continue;
        demand(file.format == format, "other formats are not for this target");
        demand(file.elements.bytes() == file.shape.rows * file.shape.columns * bytes_of(file.shape.type),
               "elements fill the memory");
        for (const matrix_format other :
             {matrix_format::matrix_market, matrix_format::npy, matrix_format::rodinia})
            check_round_trip(file, other, options);
    }
}

}  // namespace wale::fuzz
