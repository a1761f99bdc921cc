// series_file - lines of numbers as text, by the rules of CSV without quotes, and matrices row by row.
#include <wale/series_file.hpp>

#include <charconv>
#include <cmath>
#include <utility>
#include <wale/error.hpp>

#include "io/matrix_format.hpp"
#include "io/npz.hpp"

namespace wale {
namespace {

constexpr index_t most_bytes = index_t{1} << 36;
constexpr std::string_view between = " \t\r,;";

bool is_mark(char c) {
    return c == ',' || c == ';' || c == '\t';
}

/// A line of text.
class line_reader {
public:
    explicit line_reader(std::string_view line) : rest_(line.substr(0, line.find('#'))) { skip_blanks(); }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    [[nodiscard]] std::string_view word() const { return rest_.substr(0, rest_.find_first_of(between)); }
    /// False: the word is no finite number, or an empty field follows that ends the line.
    bool next(double& v) {
        const std::string_view digits = word();
        const std::size_t sign = digits.starts_with('+') && !digits.starts_with("+-") ? 1 : 0;
        const char* const end = digits.data() + digits.size();
        const auto [stop, code] = std::from_chars(digits.data() + sign, end, v);
        if (code != std::errc() || stop != end || !std::isfinite(v)) return false;
        step_over_word();
        return !ends_in_mark_;
    }
    void step_over_word() {
        rest_.remove_prefix(word().size());
        skip_blanks();
        if (rest_.empty() || !is_mark(rest_.front())) return;
        rest_.remove_prefix(1);
        skip_blanks();
        ends_in_mark_ = rest_.empty();
    }

private:
    void skip_blanks() {
        std::size_t at = 0;
        while (at < rest_.size() && (rest_[at] == ' ' || rest_[at] == '\r')) ++at;
        rest_.remove_prefix(at);
    }
    std::string_view rest_;
    bool ends_in_mark_ = false;
};

/// A line without any number.
bool is_names(std::string_view line) {
    line_reader reader(line);
    for (double v = 0; !reader.at_end(); reader.step_over_word())
        if (reader.next(v)) return false;
    return true;
}

number_lines parse_text(std::string_view text, const std::string& name) {
    number_lines out;
    bool first = true;
    for (index_t line = 1; !text.empty(); ++line) {
        const std::string_view all = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), all.size() + 1));
        line_reader reader(all);
        if (reader.at_end() || (std::exchange(first, false) && is_names(all))) continue;
        for (double v = 0; !reader.at_end(); out.numbers.push_back(v))
            if (!reader.next(v))
                throw bad_input(name + ":" + std::to_string(line) + ": " + io::quoted(reader.word()) +
                                ", expected a finite number");
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
    return io::parse_source(
        parts.first, most_bytes, [](std::string_view) { return true; },
        [&](const io::byte_source& bytes, const std::string&) {
            return lines_of(bytes, io::input_name(path), parts.second);
        });
}

}  // namespace wale
