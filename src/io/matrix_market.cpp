// matrix_market - the exchange format of NIST: a banner, comments, sizes, then all numbers by columns (array)
// or those that are not 0 with their places (coordinate).
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/checked.hpp"
#include "io/matrix_format.hpp"

namespace wale::io {
namespace {

constexpr std::size_t sink_size = 1 << 16;  // bytes at once
constexpr std::string_view banner = "%%MatrixMarket";
constexpr index_t least_of_a_number = 2;      // bytes: a digit and what parts it from the next
constexpr index_t least_of_a_coordinate = 4;  // "1 1" and its end

enum class symmetry { general, symmetric, skew, hermitian };

/// Bytes of memory in this machine.
index_t machine_memory() {
    return base::multiply(sysconf(_SC_PHYS_PAGES), sysconf(_SC_PAGE_SIZE)).value_or(0);
}

class market_reader {
public:
    market_reader(const matrix_input& in, std::string_view text) : in_(in), text_(text, in.name) {}

    matrix_file_data read() {
        read_banner();
        text_.skip(true);
        rows_ = text_.count("the number of rows");
        columns_ = text_.count("the number of columns");
        if (coordinates_) entries_ = text_.count("the number of entries");
        if (symmetry_ != symmetry::general && rows_ != columns_)
            text_.refuse(std::to_string(rows_) + " x " + std::to_string(columns_) +
                         ", expected as many rows as columns in a symmetric matrix");
        text_.end_line("the end of the line of sizes");
        matrix_file_data out = coordinates_ ? read_coordinates() : read_array();
        text_.skip(true);
        if (!text_.at_end()) text_.refuse_word(text_.word(""), "the end of the file after its last number");
        return out;
    }

private:
    template <std::size_t N>
    std::size_t choice(const std::array<const char*, N>& all) {
        std::string expected;
        for (const char* one : all) expected += (expected.empty() ? "" : " or ") + std::string(one);
        const std::string_view word = text_.word(expected.c_str());
        const auto found = std::find(all.begin(), all.end(), lower(word));
        if (found == all.end()) text_.refuse_word(word, expected);
        return static_cast<std::size_t>(found - all.begin());
    }

    void read_banner() {
        const std::string_view first = text_.word(banner.data());
        if (first != banner) text_.refuse_word(first, std::string(banner));
        (void)choice(std::array{"matrix"});
        coordinates_ = choice(std::array{"array", "coordinate"}) == 1;
        const std::size_t field =
            choice(std::array{"real", "integer", "complex", "double", "unsigned-integer", "pattern"});
        whole_ = field == 1 || field == 4;
        complex_ = field == 2;
        pattern_ = field == 5;
        if (pattern_ && !coordinates_) text_.refuse("an array of a pattern, expected coordinates");
        symmetry_ = static_cast<symmetry>(
            complex_ ? choice(std::array{"general", "symmetric", "skew-symmetric", "hermitian"})
                     : choice(std::array{"general", "symmetric", "skew-symmetric"}));
        if (complex_ && in_.options.type && !is_complex(*in_.options.type))
            text_.refuse(std::string("complex numbers, expected real ones for ") +
                         name_of(*in_.options.type));
        text_.end_line("the end of the banner");
    }

    [[nodiscard]] scalar type() const {
        return in_.options.type.value_or(complex_ ? scalar::c128 : scalar::f64);
    }
    /// What lies on the other side of the diagonal from v.
    [[nodiscard]] element mirrored(element v) const {
        return symmetry_ == symmetry::skew ? -v : symmetry_ == symmetry::hermitian ? std::conj(v) : v;
    }
    void expect_real(index_t i, index_t j, element v) const {
        if (symmetry_ == symmetry::hermitian && i == j && v.imag() != 0)
            text_.refuse("an imaginary part on the diagonal, expected none in a hermitian matrix");
    }

    void expect_room(index_t count, index_t least) const {
        if ((static_cast<index_t>(text_.left()) + 1) / least < count)
            text_.refuse(std::to_string(count) + " entries, which the " + std::to_string(text_.left()) +
                         " bytes that follow cannot hold");
    }

    [[nodiscard]] matrix_file_data allocate(storage_order order) const {
        return in_.allocate(type(), rows_, columns_, order, matrix_format::matrix_market);
    }

    /// By columns; of a symmetric matrix what lies on and below the diagonal, of a skew one what lies below.
    matrix_file_data read_array() {
        const auto all = base::multiply(rows_, columns_);
        if (!all) text_.refuse("a matrix beyond 2^63 elements");
        const bool half = symmetry_ != symmetry::general;
        expect_room(half ? *all / 2 - (symmetry_ == symmetry::skew ? rows_ / 2 : 0) : *all,
                    least_of_a_number);
        matrix_file_data out = allocate(storage_order::column_major);
        const element_writer elements(out);
        for (index_t j = 0; j < columns_ && rows_ > 0; ++j) {
            if (symmetry_ == symmetry::skew) elements.set(j * rows_ + j, 0);
            for (index_t i = !half ? 0 : symmetry_ == symmetry::skew ? j + 1 : j; i < rows_; ++i) {
                text_.skip(true);
                const element v = value(out.shape.type);
                expect_real(i, j, v);
                elements.set(j * rows_ + i, v);
                if (half && i != j) elements.set(i * rows_ + j, mirrored(v));
            }
        }
        return out;
    }

    element value(scalar type) {
        const scalar part = part_of(type);
        if (pattern_) return 1;
        if (whole_) return text_.whole_number(part);
        const double re = text_.number(part);
        return complex_ ? element(re, text_.number(part)) : element(re);
    }

    index_t place(const char* what, index_t extent) {
        const index_t at = text_.count(what);
        if (at < 1 || at > extent)
            text_.refuse(std::string(what) + " is " + std::to_string(at) + ", expected 1 to " +
                         std::to_string(extent));
        return at - 1;
    }

    void expect_memory(scalar type) const {
        const auto all = base::multiply(rows_, columns_);
        const auto bytes = all ? base::multiply(*all, bytes_of(type)) : std::nullopt;
        if (!bytes || *bytes > machine_memory())
            text_.refuse(std::to_string(rows_) + " x " + std::to_string(columns_) +
                         ", which this machine's memory cannot hold as a dense matrix");
    }

    matrix_file_data read_coordinates() {
        expect_room(entries_, least_of_a_coordinate);
        expect_memory(type());
        matrix_file_data out = allocate(storage_order::row_major);
        const element_writer elements(out);
        const index_t size = rows_ * columns_;
        for (index_t k = 0; k < size; ++k) elements.set(k, 0);
        std::vector<bool> given(static_cast<std::size_t>(size));
        for (index_t k = 0; k < entries_; ++k) {
            text_.skip(true);
            const index_t i = place("row", rows_), j = place("column", columns_);
            const element v = value(out.shape.type);
            expect_real(i, j, v);
            if (symmetry_ == symmetry::skew && i == j)
                text_.refuse("an entry on the diagonal, expected none in a skew-symmetric matrix");
            set_once(elements, given, i, j, v);
            if (symmetry_ != symmetry::general && i != j) set_once(elements, given, j, i, mirrored(v));
            text_.end_line("the end of the entry");
        }
        return out;
    }

    void set_once(const element_writer& elements, std::vector<bool>& given, index_t i, index_t j,
                  element v) const {
        const index_t at = i * columns_ + j;
        if (given[static_cast<std::size_t>(at)])
            text_.refuse("entry " + std::to_string(i + 1) + ", " + std::to_string(j + 1) +
                         " for the second time, expected it once");
        given[static_cast<std::size_t>(at)] = true;
        elements.set(at, v);
    }

    const matrix_input& in_;
    text_numbers text_;
    bool coordinates_ = false, whole_ = false, complex_ = false, pattern_ = false;
    symmetry symmetry_ = symmetry::general;
    index_t rows_ = 0, columns_ = 0, entries_ = 0;
};

}  // namespace

bool is_matrix_market(std::string_view head) {
    return head.starts_with("%%Matrix");
}

matrix_file_data read_matrix_market(const matrix_input& in) {
    const std::string text = in.all_text();
    return market_reader(in, text).read();
}

void write_matrix_market(const const_matrices& m, const matrix_sink& sink) {
    sink(std::string(banner) + " matrix array " + (is_complex(m.type) ? "complex" : "real") + " general\n" +
         std::to_string(m.rows) + " " + std::to_string(m.columns) + "\n");
    std::string lines;
    for (index_t j = 0; j < m.columns && m.rows > 0; ++j)
        for (index_t i = 0; i < m.rows; ++i) {
            const element v = element_at(m, i, j);
            append_number(lines, v.real(), m.type);
            if (is_complex(m.type)) {
                lines += ' ';
                append_number(lines, v.imag(), m.type);
            }
            lines += '\n';
            if (lines.size() < sink_size) continue;
            sink(lines);
            lines.clear();
        }
    sink(lines);
}

}  // namespace wale::io
