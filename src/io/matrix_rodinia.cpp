// matrix_rodinia - the text that Rodinia's lud reads, and the matrices that it makes itself.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/argument.hpp"
#include "base/checked.hpp"
#include "io/decimal.hpp"
#include "io/matrix_format.hpp"

namespace wale {
namespace {

void check_square(const matrices& a) {
    if (a.rows != a.columns || a.count != 1)
        base::refuse("a",
                     "is " + std::to_string(a.count) + " of " + std::to_string(a.rows) + " x " +
                         std::to_string(a.columns),
                     "one square matrix");
    if (is_complex(a.type)) base::refuse("a", std::string("is ") + name_of(a.type), "float32 or float64");
    if (a.data == nullptr && a.rows > 0) throw bad_argument("a: data is null");
}

void set(const matrices& a, index_t i, index_t j, double v) {
    const index_t at = i * a.row_step() + j * a.column_step();
    if (a.type == scalar::f32)
        static_cast<float*>(a.data)[at] = static_cast<float>(v);
    else
        static_cast<double*>(a.data)[at] = v;
}

}  // namespace

void fill_rodinia_smooth(const matrices& a) {
    check_square(a);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.columns; ++j)
            set(a, i, j, 10 * std::exp(-0.001 * static_cast<double>(i < j ? j - i : i - j)));
}

void fill_rodinia_product(const matrices& a, std::uint64_t seed) {
    check_square(a);
    const auto n = static_cast<std::size_t>(a.rows);
    std::mt19937_64 engine(seed);
    const auto uniform = [&] { return std::ldexp(static_cast<double>(engine() >> 11), -53); };
    std::vector<double> upper(n * n), row(n);  // U, row by row
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = k; j < n; ++j) upper[k * n + j] = uniform();
    for (std::size_t i = 0; i < n; ++i) {
        row.assign(n, 0);
        for (std::size_t k = 0; k <= i; ++k) {
            const double l = k == i ? 1 : uniform();
            for (std::size_t j = k; j < n; ++j) row[j] += l * upper[k * n + j];
        }
        for (std::size_t j = 0; j < n; ++j) set(a, static_cast<index_t>(i), static_cast<index_t>(j), row[j]);
    }
}

namespace io {

namespace {

/// Whether the name has one of two endings, before .gz or not.
bool is_named(const std::string& file, const char* one, const char* other) {
    std::string name = lower(file);
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    return name.ends_with(one) || name.ends_with(other);
}

/// Whether a number of rows comes first: a whole number alone in its line, then a line of several. Where
/// numbers are alone in all lines, a file named .csv or .txt is a column; any other is Rodinia's text of none
/// or one row if it can be.
bool begins_with_count(std::string_view all, const std::string& file) {
    std::vector<std::string_view> lines;
    while (!all.empty() && lines.size() < 3) {
        const std::size_t end = std::min(all.find('\n'), all.size());
        if (const std::string_view line = trimmed(all.substr(0, end)); !line.empty()) lines.push_back(line);
        all.remove_prefix(std::min(end + 1, all.size()));
    }
    if (lines.empty() || lines[0].find_first_not_of("0123456789") != std::string_view::npos) return false;
    if (lines.size() > 1 && std::ranges::any_of(lines[1], is_blank)) return true;
    return !is_named(file, ".csv", ".txt") && (lines.size() == 1 || (lines.size() == 2 && lines[0] == "1"));
}

matrix_file_data read_rodinia(const matrix_input& in, std::string_view all) {
    text_numbers text(all, in.name);
    text.skip(false);
    const index_t n = text.count("the number of rows");
    const auto size = base::multiply(n, n);
    if (!size ||
        (static_cast<index_t>(text.left()) + 1) / 2 < *size)  // a digit and what parts it from the next
        text.refuse(std::to_string(n) + " rows, whose numbers the " + std::to_string(text.left()) +
                    " bytes that follow cannot hold");
    matrix_file_data out = in.allocate(in.options.type.value_or(scalar::f64), n, n, storage_order::row_major,
                                       matrix_format::rodinia);
    const element_writer elements(out);
    for (index_t k = 0; k < *size; ++k) {
        text.skip(false);
        elements.set(k, text.number(part_of(out.shape.type)));
    }
    text.skip(false);
    if (!text.at_end())
        text.refuse_word(text.word(""), "the end of the file after " + std::to_string(*size) + " numbers");
    return out;
}

}  // namespace

matrix_file_data read_numbers(const matrix_input& in) {
    const std::string all = in.all_text();
    if (begins_with_count(all, in.name)) return read_rodinia(in, all);
    if (is_named(in.name, ".mtx", ".mm"))  // without its banner coordinates would pass for a table
        in.refuse("starts with numbers, expected %%MatrixMarket as the name says");
    return read_table(in, all);
}

void write_rodinia(const const_matrices& m, const matrix_sink& sink) {
    sink(std::to_string(m.rows) + "\n");
    write_text(m, sink);
}

}  // namespace io
}  // namespace wale
