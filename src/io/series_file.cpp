// series_file - lines of numbers as text, by the rules of CSV without quotes, and matrices row by row.
#include <wale/series_file.hpp>

#include <charconv>
#include <wale/error.hpp>

#include "io/gzip.hpp"
#include "io/matrix_format.hpp"
#include "io/npz.hpp"
#include "io/table_lines.hpp"

namespace wale {
namespace {

constexpr index_t most_bytes = index_t{1} << 36;
/// Whether a line names columns: none of its words is a number, or begins as one.
bool is_names(io::table_lines& row) {
    for (std::string_view word; row.word(word);) {
        const std::size_t first = word.find_first_not_of("+-.");
        if (first != std::string_view::npos && word[first] >= '0' && word[first] <= '9') return false;
        double v = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), v);
        if (code != std::errc::invalid_argument && end == word.data() + word.size()) return false;
    }
    return true;
}

number_lines parse_text(std::string_view text, const std::string& name) {
    number_lines out;
    io::table_lines rows(text, name);
    io::table_lines first = rows;
    if (first.next() && is_names(first)) (void)rows.next();
    while (rows.next()) {
        for (std::string_view word; rows.word(word);)
            out.numbers.push_back(rows.text().number(word, scalar::f64));
        out.offsets.push_back(std::ssize(out.numbers));
    }
    if (out.numbers.empty()) throw bad_input(name + ":1: has no line of numbers, expected one or more");
    return out;
}

number_lines lines_of(const const_matrices& m) {
    number_lines out;
    out.numbers.reserve(static_cast<std::size_t>(m.rows * m.columns));
    for (index_t i = 0; i < m.rows; ++i) {
        for (index_t j = 0; j < m.columns; ++j) out.numbers.push_back(io::element_at(m, i, j).real());
        out.offsets.push_back(std::ssize(out.numbers));
    }
    return out;
}

number_lines lines_of(const io::byte_source& bytes, const std::string& name, const std::string& member) {
    std::string head(static_cast<std::size_t>(std::min(bytes.size(), io::head_bytes)), '\0');
    if (!bytes.read(0, head.data(), std::ssize(head))) throw bad_input(name + ": cannot be read");
    if (io::is_gzip(head)) {
        const std::string plain = io::unzipped(bytes, name, most_bytes);
        if (io::is_gzip(plain)) throw bad_input(name + ": a gzip of a gzip, expected one of numbers");
        return lines_of(io::memory_source(plain), name, member);
    }
    if (!io::is_zip(head) && !head.starts_with("\x93NUMPY") && !io::is_matrix_market(head))
        return parse_text(io::all_bytes(bytes, name, most_bytes), name);
    const matrix_file_options as_double{.type = scalar::f64};
    const matrix_file_data matrix = io::read_any_matrix({bytes, name, as_double}, member);
    if (matrix.shape.span_elements() == 0) throw bad_input(name + ": has no numbers, expected one or more");
    return lines_of(matrix.view());
}

}  // namespace

index_t number_lines::width() const noexcept {
    const index_t first = count() == 0 ? 0 : offsets[1];
    for (std::size_t k = 1; k < offsets.size(); ++k)
        if (offsets[k] - offsets[k - 1] != first) return -1;
    return first;
}

number_lines parse_number_lines(std::string_view bytes, const std::string& name) {
    return lines_of(io::memory_source(bytes), io::escaped(name), {});
}

number_lines read_number_lines(const std::string& path) {
    const auto parts = io::split_member(path);
    return io::parse_source(parts.first, most_bytes, io::not_zero,
                            [&](const io::byte_source& bytes, const std::string&) {
                                return lines_of(bytes, io::input_name(path), parts.second);
                            });
}

}  // namespace wale
