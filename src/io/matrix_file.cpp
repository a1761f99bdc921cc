// matrix_file - formats by their first bytes or their names; limits; files.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <vector>
#include <wale/host_memory.hpp>

#include "base/checked.hpp"
#include "io/escape.hpp"
#include "io/gzip.hpp"
#include "io/matrix_format.hpp"
#include "io/npz.hpp"

namespace wale {
namespace io {
namespace {

constexpr index_t most_extent = 2147483647;  // as the solvers have it: pivots have 32 bits

struct format_row {
    matrix_format format;
    const char* name;
    std::vector<const char*> endings;
    bool (*is)(std::string_view head);
    matrix_file_data (*read)(const matrix_input&);
    void (*write)(const const_matrices&, const matrix_sink&);
};

const std::vector<format_row>& formats() {
    static const std::vector<format_row>& all = *new std::vector<format_row>{
        {matrix_format::matrix_market,
         "MatrixMarket",
         {".mtx", ".mm"},
         is_matrix_market,
         read_matrix_market,
         write_matrix_market},
        {matrix_format::npy, "NPY", {".npy"}, is_matrix_npy, read_matrix_npy, write_matrix_npy},
        {matrix_format::rodinia, "Rodinia's text", {".dat"}, is_numbers, read_numbers, write_rodinia},
        {matrix_format::csv, "CSV", {".csv"}, is_numbers, read_numbers, write_csv},
        {matrix_format::text, "a text of numbers", {".txt"}, is_numbers, read_numbers, write_text}};
    return all;
}

bool known(std::string_view head) {
    return is_zip(head) || is_gzip(head) ||
           std::any_of(formats().begin(), formats().end(), [&](const format_row& f) { return f.is(head); });
}

/// The row of a format, by its name's ending if need be; nullptr if that says nothing.
const format_row* row_of(matrix_format format, const std::string& path) {
    const std::string name = lower(path);
    for (const format_row& f : formats())
        if (f.format == format || (format == matrix_format::by_name &&
                                   std::any_of(f.endings.begin(), f.endings.end(),
                                               [&](const char* e) { return name.ends_with(e); })))
            return &f;
    return nullptr;
}

std::string why_not(const format_row& f, const const_matrices& m) {
    if (m.count != 1) return "has " + std::to_string(m.count) + " matrices, expected 1";
    if (m.rows < 0 || m.columns < 0)
        return "is " + std::to_string(m.rows) + " x " + std::to_string(m.columns) + ", expected 0 or more";
    if (m.data == nullptr && m.span_of_one() > 0) return "data is null";
    if (f.format == matrix_format::npy) return {};
    if (f.format == matrix_format::rodinia && m.rows != m.columns)
        return "is " + std::to_string(m.rows) + " x " + std::to_string(m.columns) +
               ", expected as many rows as columns (" + f.name + " holds no others)";
    if (f.format != matrix_format::matrix_market && is_complex(m.type))
        return std::string("is ") + name_of(m.type) + ", expected real numbers (" + f.name +
               " holds no others)";
    const bool lines = f.format == matrix_format::csv || f.format == matrix_format::text;
    if (m.span_of_one() == 0)  // however many empty rows
        return lines ? "is " + std::to_string(m.rows) + " x " + std::to_string(m.columns) +
                           ", expected elements (" + f.name + " has no empty matrix)"
                     : "";
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t j = 0; j < m.columns; ++j)
            if (const element v = element_at(m, i, j); !std::isfinite(v.real()) || !std::isfinite(v.imag()))
                return "element " + std::to_string(i) + ", " + std::to_string(j) + " is " +
                       number_text(std::isfinite(v.real()) ? v.imag() : v.real(), m.type) +
                       ", expected finite numbers (" + f.name + " holds no others, NPY does)";
    return {};
}

}  // namespace

void matrix_input::refuse(const std::string& what) const {
    throw bad_input(name + ": " + what);
}

matrix_file_data matrix_input::allocate(scalar type, index_t rows, index_t columns, storage_order order,
                                        matrix_format format) const {
    for (const index_t extent : {rows, columns})
        if (extent > most_extent)
            refuse(std::to_string(rows) + " x " + std::to_string(columns) + ", expected extents up to " +
                   std::to_string(most_extent));
    const auto count = base::multiply(rows, columns);
    const auto size = count ? base::multiply(*count, bytes_of(type)) : std::nullopt;
    if (!size) refuse("a matrix beyond 2^63 bytes");
    if (*size > options.max_bytes)
        refuse(std::to_string(*size) + " bytes of elements, expected at most " +
               std::to_string(options.max_bytes));
    matrix_shape s;
    s.type = type;
    s.order = order;
    s.rows = rows;
    s.columns = columns;
    s.leading = s.line_size();
    s.stride = *count;
    return {memory(*size, memory_space::host), s, format};
}

std::string matrix_input::all_text() const {
    return all_bytes(bytes, name, bytes.size());
}

element element_at(const const_matrices& m, index_t i, index_t j) {
    const index_t at = i * m.row_step() + j * m.column_step();
    const auto part = [&](index_t k) {
        return is_single(m.type) ? static_cast<const float*>(m.data)[k]
                                 : static_cast<const double*>(m.data)[k];
    };
    return is_complex(m.type) ? element(part(2 * at), part(2 * at + 1)) : element(part(at));
}

std::string number_text(double v, scalar type) {
    std::string text;
    append_number(text, v, type);
    return text;
}

void append_number(std::string& text, double v, scalar type) {
    char digits[32];
    const auto [end, code] = is_single(type)
                                 ? std::to_chars(digits, digits + sizeof digits, static_cast<float>(v))
                                 : std::to_chars(digits, digits + sizeof digits, v);
    (void)code;  // 32 characters hold every number
    text.append(digits, end);
}

matrix_file_data read_any_matrix(const matrix_input& in, const std::string& member) {
    try {
        std::string head(static_cast<std::size_t>(std::min(in.bytes.size(), head_bytes)), '\0');
        if (!in.bytes.read(0, head.data(), std::ssize(head))) in.refuse("cannot be read");
        if (is_gzip(head)) {
            const std::string plain = unzipped(in.bytes, in.name, in.options.max_bytes);
            if (is_gzip(plain)) in.refuse("a gzip of a gzip, expected one of a matrix");
            const memory_source bytes(plain);
            return read_any_matrix({bytes, in.name, in.options}, member);
        }
        if (is_zip(head)) {
            const std::string array = npz_member({in.bytes, in.name, in.options.max_bytes}, member);
            const memory_source bytes(array);
            return read_matrix_npy({bytes, in.name, in.options});
        }
        for (const format_row& f : formats())
            if (f.is(head)) return f.read(in);
        in.refuse((head.empty() ? "an empty file" : "starts with " + shown(head.front())) +
                  ", expected MatrixMarket, NPY, NPZ, or lines of numbers");
    } catch (const std::bad_alloc&) {
        throw out_of_memory(in.name + ": its matrix", out_of_memory::unknown, available_host_memory());
    }
}

void write_any_matrix(matrix_format format, const const_matrices& m, const matrix_sink& sink) {
    row_of(format, {})->write(m, sink);
}

}  // namespace io

const char* name_of(matrix_format f) noexcept {
    const io::format_row* row = io::row_of(f, {});
    return row != nullptr ? row->name : "by name";
}

matrix_file_data read_matrix(const std::string& path, const matrix_file_options& options) {
    const auto parts = io::split_member(path);
    return io::parse_source(
        parts.first, options.max_bytes, io::known, [&](const io::byte_source& bytes, const std::string&) {
            return io::read_any_matrix({bytes, io::input_name(path), options}, parts.second);
        });
}

matrix_file_data parse_matrix(std::string_view bytes, const std::string& name,
                              const matrix_file_options& options) {
    const io::memory_source source(bytes);
    return io::read_any_matrix({source, io::escaped(name), options}, {});
}

std::string why_unwritable(const std::string& path, const const_matrices& matrix,
                           const matrix_write_options& options) {
    const std::string name = path == "-" ? "standard output" : io::escaped(path);
    const io::format_row* row = io::row_of(options.format, path);
    if (row == nullptr) return name + ": names no format, expected .mtx, .mm, .npy, .csv, .txt or .dat";
    const std::string why = io::why_not(*row, matrix);
    return why.empty() ? why : name + ": " + why;
}

matrix_format matrix_format_of(const std::string& path) {
    const io::format_row* row = io::row_of(matrix_format::by_name, path);
    return row != nullptr ? row->format : matrix_format::by_name;
}

void write_matrix(output_file& out, const const_matrices& matrix, matrix_format format) {
    if (const std::string why = why_unwritable("matrix", matrix, {.format = format}); !why.empty())
        throw bad_argument(why);
    io::write_any_matrix(format, matrix, [&](std::string_view bytes) { out.write(bytes); });
}

void write_matrix(const std::string& path, const const_matrices& matrix,
                  const matrix_write_options& options) {
    if (const std::string why = why_unwritable(path, matrix, options); !why.empty()) throw bad_argument(why);
    output_file out(path, options.inputs);
    write_matrix(out, matrix,
                 options.format == matrix_format::by_name ? matrix_format_of(path) : options.format);
    out.commit();
}

}  // namespace wale
