// series_file - series of numbers in files: CSV and other text with a line a row, NPY.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include <wale/layout.hpp>

namespace wale {

/// Lines of numbers end to end, of one length or of several.
struct number_lines {
    std::vector<double> numbers;
    std::vector<index_t> offsets{0};  // line k is numbers [offsets[k], offsets[k + 1])

    [[nodiscard]] index_t count() const noexcept { return std::ssize(offsets) - 1; }
    /// Numbers of a line, where all lines have as many; else -1. 0 where there is no line.
    [[nodiscard]] index_t width() const noexcept;
};

/// Text: numbers with commas, semicolons, tabs or blanks between them, comments after '#'; a first line that
/// is no line of numbers is taken as the columns' names. Or NPY, or a member of an NPZ (`file.npz:name`), of
/// one axis (lines of one number) or two, of any real type; or MatrixMarket. `-` is standard input. Throws
/// cannot_open, and bad_input with file:line for anything else, for NaN, Inf, and numbers beyond float64.
[[nodiscard]] number_lines read_number_lines(const std::string& path);
/// The same from memory; `name` stands in messages. This is what the fuzzer drives.
[[nodiscard]] number_lines parse_number_lines(std::string_view bytes, const std::string& name);

}  // namespace wale
