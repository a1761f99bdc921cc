// matrix_fuzz - what holds for arbitrary bytes that may be a matrix file, of whatever format.
#pragma once

#include <cstring>
#include <string>
#include <wale/matrix_file.hpp>

#include "fuzz/demand.hpp"
#include "io/matrix_format.hpp"
#include "io/npz.hpp"

namespace wale::fuzz {

constexpr index_t most_bytes = 1 << 18;  // of elements

/// Whether the bytes are a matrix. The name's ending decides what a column of numbers is.
inline bool reads(std::string_view bytes, const matrix_file_options& options, matrix_file_data& out,
                  const char* name = "fuzz") {
    return takes([&] { out = parse_matrix(bytes, name, options); });
}

inline void check_round_trip(const matrix_file_data& file, matrix_format format) {
    if (!why_unwritable("-", file.view(), {.format = format}).empty()) return;
    std::string bytes;
    io::write_any_matrix(format, file.view(), [&](std::string_view part) { bytes += part; });
    matrix_file_data again;
    const bool lines = format == matrix_format::csv || format == matrix_format::text;
    demand(
        reads(bytes, {.type = file.shape.type, .max_bytes = most_bytes}, again, lines ? "fuzz.csv" : "fuzz"),
        "what was written is read");
    demand(again.shape.rows == file.shape.rows && again.shape.columns == file.shape.columns,
           "the shape survives");
    if (file.shape.span_of_one() == 0) return;  // however many empty rows
    for (index_t i = 0; i < file.shape.rows; ++i)
        for (index_t j = 0; j < file.shape.columns; ++j) {
            const io::element a = io::element_at(file.view(), i, j), b = io::element_at(again.view(), i, j);
            demand(std::memcmp(&a, &b, sizeof a) == 0, "a matrix survives being written and read");
        }
}

inline void check_options(std::string_view bytes, matrix_format format, const matrix_file_options& options) {
    matrix_file_data file;
    if (!reads(bytes, options, file)) return;
    const bool lines = file.format == matrix_format::csv || file.format == matrix_format::text;
    demand(file.format == format || (lines && format == matrix_format::rodinia),
           "other formats are not for this target");
    demand(!options.type || file.shape.type == *options.type, "the type is the wanted one");
    demand(file.elements.bytes() == file.shape.rows * file.shape.columns * bytes_of(file.shape.type),
           "elements fill the memory");
    demand(file.elements.bytes() <= options.max_bytes, "the limit holds");
    for (const matrix_format other : {matrix_format::matrix_market, matrix_format::npy,
                                      matrix_format::rodinia, matrix_format::csv, matrix_format::text})
        check_round_trip(file, other);
}

/// What has the first bytes of the format.
inline void check(std::string_view input, matrix_format format) {
    const bool is_market = io::is_matrix_market(input),
               is_npy = io::is_matrix_npy(input) || io::is_zip(input);
    const bool is_text = io::is_numbers(input);
    if (!(format == matrix_format::matrix_market ? is_market
          : format == matrix_format::npy         ? is_npy
                                                 : is_text))
        return;
    option_bytes chosen(input);
    constexpr std::optional<scalar> types[] = {std::nullopt, scalar::f32, scalar::f64, scalar::c128};
    if (chosen.chosen()) {
        const auto type = types[chosen.next(4)];
        return check_options(chosen.file(), format, {.type = type, .max_bytes = chosen.limit(most_bytes)});
    }
    for (const auto& type : types) check_options(input, format, {.type = type, .max_bytes = most_bytes});
}

}  // namespace wale::fuzz
