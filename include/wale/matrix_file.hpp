// matrix_file - dense matrices in files: MatrixMarket, NPY, lines of numbers (CSV and others), and the text
// that Rodinia's lud reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/matrix.hpp>
#include <wale/output_file.hpp>

namespace wale {

enum class matrix_format {
    by_name,  // of the file: .mtx, .mm; .npy; .dat; .csv; .txt
    matrix_market,
    npy,
    rodinia,  // the number of rows, then the rows of a square matrix, as text
    csv,      // a row a line, numbers separated by commas (read: or by semicolons)
    text      // a row a line, numbers separated by blanks
};
[[nodiscard]] const char* name_of(matrix_format f) noexcept;  // "MatrixMarket"

struct matrix_file_options {
    /// What the elements become; unset: what the file holds, of text float64.
    std::optional<scalar> type{};
    index_t max_bytes = index_t{1} << 40;  // of elements
};

/// Elements of a file, lines without gaps, in the order of the file: row-major, or of MatrixMarket's arrays
/// and of NPY in Fortran order column-major.
struct matrix_file_data {
    memory elements;
    matrix_shape shape;
    matrix_format format = matrix_format::by_name;

    [[nodiscard]] const_matrices view() const noexcept { return {elements.data(), shape}; }
    [[nodiscard]] matrices view() noexcept { return {elements.data(), shape}; }
};

/// Reads a matrix, the format recognised by the first bytes: MatrixMarket (array or coordinate; real, integer
/// or complex; of every symmetry; what coordinates leave out is 0), NPY (real or complex of any width, one
/// axis is a column) or a member of an NPZ (`file.npz:name`), lines of numbers without headings (those that
/// start with '#' are comments), or Rodinia's text (a whole number alone, then lines of several numbers). `-`
/// is standard input.
/// Throws cannot_open, or bad_input "file:line: value, expected" for damage, numbers missing or too many, NaN
/// and Inf, numbers that the type does not hold (too large, or not 0 and rounded to 0), and fractions in a
/// file of integers. Memory is taken only for what a file of this size can hold, of coordinates for what this
/// machine has.
[[nodiscard]] matrix_file_data read_matrix(const std::string& path, const matrix_file_options& = {});

/// The same from memory; `name` stands in messages. This is what the fuzzers drive.
[[nodiscard]] matrix_file_data parse_matrix(std::string_view bytes, const std::string& name,
                                            const matrix_file_options& = {});

struct matrix_write_options {
    matrix_format format = matrix_format::by_name;
    std::vector<std::string> inputs{};  // files that must not be replaced
};

/// Writes one matrix in host memory whole or not at all (see output_file); `-` is standard output. Text has
/// as many digits as it takes to read the same bits again. NPY keeps the type and the storage order. Throws
/// bad_argument where the format cannot hold the matrix, and cannot_write.
void write_matrix(const std::string& path, const const_matrices& matrix, const matrix_write_options& = {});

/// The same into a file that is open, for its owner to commit. The format must be named.
void write_matrix(output_file& out, const const_matrices& matrix, matrix_format format);

/// An NPY of int32 with one axis: pivots, permutations.
void write_indices(output_file& out, std::span<const std::int32_t> indices);

/// The format that a file's name asks for; by_name if it says nothing.
[[nodiscard]] matrix_format matrix_format_of(const std::string& path);

/// Why write_matrix() would throw bad_argument; empty if it would not. The elements are read: text holds
/// finite numbers only.
[[nodiscard]] std::string why_unwritable(const std::string& path, const const_matrices& matrix,
                                         const matrix_write_options& = {});

/// The two matrices of Rodinia's lud, in host memory, square: its `-s N`, 10 exp(-0.001 |i - j|), and that of
/// its generator, L times U of uniform numbers in [0, 1) with L's diagonal 1, here with a seed.
void fill_rodinia_smooth(const matrices& a);
void fill_rodinia_product(const matrices& a, std::uint64_t seed);

}  // namespace wale
