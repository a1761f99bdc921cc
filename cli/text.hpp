// text - numbers and tables as people read them.
#pragma once

#include <string>
#include <vector>
#include <wale/report.hpp>

namespace wale::cli {

[[nodiscard]] std::string time_text(double seconds);  // "12.3 ms"
/// "56.7 GCUPS": 1e9 cells a second; "3.1 Gpixel/s".
[[nodiscard]] std::string rate_text(double work, const std::string& unit = "cell");
[[nodiscard]] std::string percent_text(double fraction);  // "43 %"
[[nodiscard]] std::string short_text(double value);       // three significant digits
[[nodiscard]] std::string fraction_text(double value);    // six decimals
[[nodiscard]] std::string number_text(double value);      // whole numbers in full

/// " (cpu/rows, AVX2, 4 threads, tile=64": what ran, for the caller to go on and close.
[[nodiscard]] std::string ran_text(const report& run);
/// ", transfers 1 ms to the device and 2 ms back"; empty where nothing was moved.
[[nodiscard]] std::string transfers_text(double to_device, double from_device, double inside = 0);

/// Writes to standard output.
void write_standard_output(const std::string& text);

/// A file's name as messages show it: a terminal must not obey its control bytes.
[[nodiscard]] std::string printable(const std::string& text);

/// "'algin' is no verb, expected align, lu or tree; did you mean align?" The question where a word is near;
/// "no verb, expected ..." without a word.
[[nodiscard]] std::string unknown_text(const std::string& word, const char* what,
                                       const std::vector<std::string>& known);

/// CLI11's "--format: bam not in {paf,sam}" as all other messages are: "--format: is 'bam', expected paf or
/// sam".
[[nodiscard]] std::string reworded(const std::string& what);

/// Columns as wide as their widest cell, two blanks between; the first row is underlined. `left` columns
/// (from the first) are flush left, and the last one as well; the others flush right.
[[nodiscard]] std::string table_text(const std::vector<std::vector<std::string>>& rows, std::size_t left);

}  // namespace wale::cli
