// mesh_fvcorr - Rodinia's text: the number of cells, then for each its volume and four times a neighbour
// (cells from 1; 0 is the wall, negative the far field) and an outward normal. Genuine files have records of
// one length, in the columns of Fortran's (E15.7, 4(I10, 3E15.7)): those are read by all threads at once, in
// pieces, without the text ever being in memory. Anything else that has the same numbers in the same order is
// read as words, by one thread; it is also what says where a file is wrong.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <wale/error.hpp>

#include "cpu/team.hpp"
#include "io/decimal.hpp"
#include "io/escape.hpp"
#include "io/mesh_records.hpp"

namespace wale::io {
namespace {

constexpr index_t record_numbers = 1 + 4 * record_faces;
constexpr index_t whole_column = 10;  // bytes
constexpr index_t record_columns = real_column + record_faces * (whole_column + 3 * real_column);
constexpr index_t least_record = 2 * record_numbers;  // bytes: a digit and what parts it from the next
constexpr index_t piece = index_t{1} << 18;  // bytes that a thread reads at once: they stay in its cache
constexpr index_t longest_record = 4096;     // bytes; longer ones are read as words
constexpr std::int64_t most_id = std::numeric_limits<std::int32_t>::max();

/// The word that starts at p: a neighbour as mesh has it, of a mesh of `cells`.
const char* read_neighbour(const char* p, const char* end, std::int32_t& v) {
    std::int64_t id = 0;
    p = read_whole(p, end, id);
    if (p == nullptr || id > most_id) return nullptr;
    v = id > 0 ? static_cast<std::int32_t>(id - 1) : id == 0 ? wall : far_field;
    return p;
}

/// Where the numbers of the cells go.
class record_sink {
public:
    record_sink(mesh& m, const mesh_file_options& options) : m_(m), lenient_(options.open_ends) {}

    /// Number i of a cell, which starts at p; the place behind it, or nullptr if it is none.
    const char* set(index_t cell, index_t i, const char* p, const char* end) const {
        if (i == 0) return read_real(p, end, volume(cell));
        const index_t row = record_faces * cell + (i - 1) / 4, d = (i - 1) % 4;
        return d > 0 ? read_real(p, end, normal(row)[d - 1]) : set_neighbour(row, p, end);
    }
    const char* set_neighbour(index_t row, const char* p, const char* end) const {
        std::int32_t& neighbour = m_.neighbour[static_cast<std::size_t>(row)];
        p = read_neighbour(p, end, neighbour);
        neighbour = record_neighbour(neighbour, m_.cells(), lenient_);
        return p;
    }
    [[nodiscard]] double& volume(index_t cell) const { return m_.volume[static_cast<std::size_t>(cell)]; }
    [[nodiscard]] double* normal(index_t row) const { return m_.normal.data() + 3 * row; }
    [[nodiscard]] index_t cells() const { return m_.cells(); }

private:
    mesh& m_;
    bool lenient_;
};

/// One record in its columns; false if it is written in another way.
bool read_columns(const record_sink& to, index_t cell, const char* p, const char* end) {
    if (end - p < record_columns || after_blanks(p + record_columns, end) != end) return false;
    bool good = read_real_column(p, to.volume(cell));
    p += real_column;
    for (index_t row = record_faces * cell; row < record_faces * (cell + 1); ++row) {
        const char* const number_end = p + whole_column;
        good &= to.set_neighbour(row, after_blanks(p, number_end), number_end) == number_end;
        p = number_end;
        for (double* n = to.normal(row); n != to.normal(row + 1); ++n, p += real_column)
            good &= read_real_column(p, *n);
    }
    return good;
}

/// One record, exactly its line; false if it is anything else.
bool read_record(const record_sink& to, index_t cell, const char* p, const char* end) {
    for (index_t i = 0; i < record_numbers; ++i) {
        p = after_blanks(p, end);
        p = to.set(cell, i, p, end);
        if (p == nullptr || (p != end && !is_blank(*p))) return false;
    }
    return after_blanks(p, end) == end;
}

/// Records of one length, each its own line.
struct regular {
    index_t body;    // where the first one starts
    index_t stride;  // bytes from one to the next, the line's end with it, which the last one may lack
};

/// False if a record is not as it must be: then the caller reads words.
bool read_regular(const mesh_input& in, const regular& shape, const record_sink& to) {
    const index_t cells = to.cells(), at_once = std::max<index_t>(piece / shape.stride, 1);
    const index_t pieces = (cells + at_once - 1) / at_once;
    std::atomic<index_t> next = 0;
    std::atomic<bool> good = true;
    cpu::run_team(cpu::team_size(in.options.threads, pieces), [&](int) {
        std::vector<char> text(static_cast<std::size_t>(at_once * shape.stride));
        for (index_t i = next++; i < pieces && good.load(std::memory_order_relaxed); i = next++) {
            const index_t first = i * at_once, count = std::min(at_once, cells - first);
            const index_t start = shape.body + first * shape.stride;
            const index_t bytes = std::min(count * shape.stride, in.bytes.size() - start);
            in.read(start, text.data(), bytes);
            if (bytes < count * shape.stride) text[static_cast<std::size_t>(bytes)] = '\n';  // the last one
            for (index_t c = 0; c < count; ++c) {
                const char* const line = text.data() + c * shape.stride;
                const char* const end = line + shape.stride - 1;
                if (*end != '\n' ||
                    (!read_columns(to, first + c, line, end) && !read_record(to, first + c, line, end)))
                    return good.store(false);
            }
        }
    });
    return good;
}

/// All words of a file, in order.
class words {
public:
    words(const mesh_input& in, std::string_view text) : in_(in), p_(text.data()), end_(p_ + text.size()) {
        p_ += mark_bytes(text);
    }
    [[nodiscard]] const char* begin() const { return p_; }
    [[nodiscard]] const char* end() const { return end_; }
    [[nodiscard]] index_t line() const { return line_; }
    /// Steps to the next word; false at the end of the file.
    bool find() {
        for (; p_ != end_ && (is_blank(*p_) || *p_ == '\n'); ++p_) line_ += *p_ == '\n';
        return p_ != end_;
    }
    /// Steps behind the word, which must be a number that ends at `after`.
    void pass(const char* after, const char* expected) {
        const char* const stop = end_of_word(p_, end_);
        if (after != stop)
            in_.refuse(line_, quoted({p_, static_cast<std::size_t>(stop - p_)}) + ", expected " + expected);
        p_ = stop;
    }
    void pass() { p_ = end_of_word(p_, end_); }

private:
    const mesh_input& in_;
    const char *p_, *end_;
    index_t line_ = 1;
};

const char* expected_number(index_t i) {
    if (i == 0) return "a volume, a finite number";
    return i % 4 == 1 ? "a neighbour, a whole number of 32 bits" : "a part of a normal, a finite number";
}

void read_words(const mesh_input& in, std::string_view text, const record_sink& to) {
    words file(in, text);
    (void)file.find();
    file.pass();
    for (index_t cell = 0; cell < to.cells(); ++cell)
        for (index_t i = 0; i < record_numbers; ++i) {
            if (!file.find())
                in.refuse(file.line(), "the file ends in cell " + std::to_string(cell + 1) + " of " +
                                           std::to_string(to.cells()) + ", expected " + expected_number(i));
            file.pass(to.set(cell, i, file.begin(), file.end()), expected_number(i));
        }
    if (file.find())
        file.pass(nullptr, ("the end of the file after " + std::to_string(to.cells()) + " cells").c_str());
}

/// The line of word `number`, the first being 0.
index_t line_of_word(const mesh_input& in, index_t number) {
    const std::string text = in.all_text();
    words file(in, text);
    for (index_t i = 0; file.find() && i < number; ++i) file.pass();
    return file.line();
}

struct header {
    index_t cells = 0;
    std::optional<regular> shape;
};

/// The number of cells, and the records' length where the size of the file determines it.
header read_header(const mesh_input& in) {
    std::string head(static_cast<std::size_t>(std::min(in.bytes.size(), 2 * longest_record)), '\0');
    in.read(0, head.data(), std::ssize(head));
    words file(in, head);
    header out;
    if (!file.find()) in.refuse(file.line(), "the file ends, expected the number of cells");
    const char* const after = read_whole(file.begin(), file.end(), out.cells);
    file.pass(after, "the number of cells");
    in.check_cells(file.line(), out.cells);
    const index_t left = in.bytes.size() - (after - head.data());
    if (out.cells > (left + 1) / least_record)
        in.refuse(file.line(), std::to_string(out.cells) + " cells, whose numbers the " +
                                   std::to_string(left) + " bytes that follow cannot hold");
    const std::size_t body = head.find('\n', static_cast<std::size_t>(after - head.data()));
    if (body == std::string::npos || after_blanks(after, head.data() + body) != head.data() + body)
        return out;
    const std::size_t next = head.find('\n', body + 1);
    if (next == std::string::npos && out.cells != 1) return out;
    const index_t start = static_cast<index_t>(body) + 1;
    const index_t stride = static_cast<index_t>(std::min(next, head.size())) - static_cast<index_t>(body);
    const index_t rest = in.bytes.size() - start - stride * out.cells;
    if (rest == 0 || rest == -1) out.shape = regular{start, stride};
    return out;
}

void append_real(std::string& line, double v) {
    // d.dddddde+xx to 0.dddddddE+yy: the exponent is one more.
    char digits[32];
    const char* const end =
        std::to_chars(digits, digits + sizeof digits, std::abs(v), std::chars_format::scientific, 6).ptr;
    int power = 0;
    const char* const exponent = std::find(digits, digits + (end - digits), 'e') + 1;
    std::from_chars(exponent + (*exponent == '+'), end, power);
    power += v != 0;
    line += std::signbit(v) ? " -0." : "  0.";
    line += digits[0];
    line.append(digits + 2, 6);
    line += power < 0 ? "E-" : "E+";
    const std::string size = std::to_string(std::abs(power));
    line += size.size() < 2 ? "0" + size : size;
}

void append_whole(std::string& line, std::int64_t v) {
    const std::string digits = std::to_string(v);
    line.append(std::max<std::size_t>(10 - std::min<std::size_t>(digits.size(), 10), 1), ' ');
    line += digits;
}

}  // namespace

bool is_fvcorr(std::string_view head) {
    head.remove_prefix(static_cast<std::size_t>(mark_bytes(head)));
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos &&
           (is_digit(head[first]) || head[first] == '-' || head[first] == '+');
}

mesh read_fvcorr(const mesh_input& in) {
    const header head = read_header(in);
    mesh m = empty_records(head.cells);
    const record_sink to(m, in.options);
    if (!head.shape || !read_regular(in, *head.shape, to)) read_words(in, in.all_text(), to);
    finish_records(m, {in, 1, [&](index_t cell, int face) {
                           return line_of_word(in, 1 + record_numbers * cell + (face < 0 ? 0 : 1 + 4 * face));
                       }});
    return m;
}

void write_fvcorr(const mesh& m, const mesh_sink& sink) {
    if (const std::string why = why_no_records(m); !why.empty()) throw bad_argument(why);
    std::string line;
    append_whole(line, m.cells());
    sink(line + "\n");
    for (index_t c = 0; c < m.cells(); ++c) {
        line.clear();
        append_real(line, m.volume[static_cast<std::size_t>(c)]);
        for (index_t r = record_faces * c; r < record_faces * (c + 1); ++r) {
            const std::int32_t n = neighbour_in_record(m, r);
            append_whole(line, n >= 0 ? std::int64_t{n} + 1 : n == wall ? 0 : -1);
            for (index_t d = 0; d < 3; ++d)
                append_real(line, m.normal[static_cast<std::size_t>(3 * r + d)] * m.normal_scale);
        }
        sink(line + "\n");
    }
}

}  // namespace wale::io
