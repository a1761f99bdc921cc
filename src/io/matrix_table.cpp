// matrix_table - a row of a matrix a line, its numbers separated by commas (CSV), by semicolons, or by
// blanks: what NumPy's savetxt, spreadsheets, MATLAB and R write.
#include "io/matrix_format.hpp"
#include "io/table_lines.hpp"

namespace wale::io {
namespace {

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
    head = without_mark(head);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    const char c = head[first];
    return (c >= '0' && c <= '9') || std::string_view("+-.#").find(c) != std::string_view::npos;
}

matrix_file_data read_table(const matrix_input& in, std::string_view all) {
    index_t rows = 0, columns = 0;
    table_lines lines(all, in.name);
    for (; lines.next(); ++rows) {
        const index_t found = lines.words();
        if (rows == 0) columns = found;
        if (found != columns)
            lines.text().refuse(std::to_string(found) + " numbers in the line, expected " +
                                std::to_string(columns) + " as in the first one");
    }
    if (rows == 0) in.refuse("has no numbers");
    matrix_file_data out =
        in.allocate(in.options.type.value_or(scalar::f64), rows, columns, storage_order::row_major,
                    lines.separator() == table_lines::blanks ? matrix_format::text : matrix_format::csv);
    const element_writer elements(out);
    index_t k = 0;
    std::string_view found;
    for (table_lines again(all, in.name); again.next();)
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
