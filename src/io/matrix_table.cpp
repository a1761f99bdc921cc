// matrix_table - a row of a matrix a line, its numbers separated by commas (CSV), by semicolons, or by
// blanks: what NumPy's savetxt, spreadsheets, MATLAB and R write. A line that starts with '#' is a comment;
// one with '%' is none, since a damaged banner of MatrixMarket must not pass for a table.
#include "io/decimal.hpp"
#include "io/matrix_format.hpp"

namespace wale::io {
namespace {

constexpr char blanks = ' ';  // as a separator: any number of them

/// The rows of a table; lines that are empty or start with '#' are none.
class table_lines {
public:
    explicit table_lines(const matrix_input& in, std::string_view all) : text_(all, in.name) {}

    /// Steps to the next row; false at the end.
    bool next() {
        if (begun_) (void)text_.line();
        for (begun_ = true; !text_.at_end(); (void)text_.line()) {
            rest_ = trimmed(text_.rest_of_line());
            if (!rest_.empty() && rest_.front() != '#') {
                if (separator_ == 0) separator_ = separator_of(rest_);
                line_is_open_ = true;
                return true;
            }
        }
        return false;
    }
    /// The next word of the row; false behind the last one. Refuses an empty one between separators.
    bool word(std::string_view& found) {
        if (!line_is_open_) return false;
        const std::size_t end =
            rest_.find_first_of(separator_ == blanks ? " \t" : std::string_view(&separator_, 1));
        found = trimmed(rest_.substr(0, end));
        line_is_open_ = end != std::string_view::npos;
        if (line_is_open_) rest_ = separator_ == blanks ? trimmed(rest_.substr(end)) : rest_.substr(end + 1);
        if (found.empty()) text_.refuse("an empty field, expected a number");
        return true;
    }
    [[nodiscard]] index_t words() {
        index_t count = 0;
        for (std::string_view found; word(found);) ++count;
        return count;
    }
    [[nodiscard]] const text_numbers& text() const { return text_; }
    [[nodiscard]] matrix_format format() const {
        return separator_ == blanks ? matrix_format::text : matrix_format::csv;
    }

private:
    static char separator_of(std::string_view row) {
        for (const char c : {';', ','})
            if (row.find(c) != std::string_view::npos) return c;
        return blanks;
    }

    text_numbers text_;
    std::string_view rest_;
    char separator_ = 0;
    bool begun_ = false, line_is_open_ = false;
};

void write_rows(const const_matrices& m, const matrix_sink& sink, char separator) {
    std::string line;
    for (index_t i = 0; i < m.rows; ++i) {
        line.clear();
        for (index_t j = 0; j < m.columns; ++j) {
            if (j > 0) line += separator;
            append_number(line, element_at(m, i, j).real(), m.type);
        }
        line += '\n';
        sink(line);
    }
}

}  // namespace

bool is_numbers(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    const char c = head[first];
    return (c >= '0' && c <= '9') || std::string_view("+-.#").find(c) != std::string_view::npos;
}

matrix_file_data read_table(const matrix_input& in, std::string_view all) {
    index_t rows = 0, columns = 0;
    table_lines lines(in, all);
    for (; lines.next(); ++rows) {
        const index_t found = lines.words();
        if (rows == 0) columns = found;
        if (found != columns)
            lines.text().refuse(std::to_string(found) + " numbers in the line, expected " +
                                std::to_string(columns) + " as in the first one");
    }
    if (rows == 0) in.refuse("has no numbers");
    matrix_file_data out = in.allocate(in.options.type.value_or(scalar::f64), rows, columns,
                                       storage_order::row_major, lines.format());
    const element_writer elements(out);
    index_t k = 0;
    std::string_view found;
    for (table_lines again(in, all); again.next();)
        while (again.word(found)) elements.set(k++, again.text().number(found, part_of(out.shape.type)));
    return out;
}

void write_csv(const const_matrices& m, const matrix_sink& sink) {
    write_rows(m, sink, ',');
}

void write_text(const const_matrices& m, const matrix_sink& sink) {
    write_rows(m, sink, ' ');
}

}  // namespace wale::io
