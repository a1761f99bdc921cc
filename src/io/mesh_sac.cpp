// mesh_sac - fvcorr's numbers as lists of the SAC language, bounds first: "[1,N: volumes ]", then four rows
// of N neighbours (cells from 0; -1 is the wall, less the far field), then 12 N numbers of normals in one of
// the orders of normal_order. Brackets within a list do not matter but for the outermost of the normals.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <wale/error.hpp>

#include "io/decimal.hpp"
#include "io/escape.hpp"
#include "io/mesh_records.hpp"

namespace wale::io {
namespace {

constexpr index_t least_record =
    2 * (1 + 4 * record_faces);  // bytes: a digit and what parts it from the next
constexpr std::array<const char*, 3> lists{"volumes", "neighbours", "normals"};

/// The numbers of a file, and in which list they stand.
class list_reader {
public:
    list_reader(const mesh_input& in, std::string_view text)
        : in_(in), p_(text.data()), end_(p_ + text.size()) {
        p_ += mark_bytes(text);
    }
    [[nodiscard]] index_t line() const { return line_; }
    [[nodiscard]] int list() const { return list_; }  // -1 before the first
    [[nodiscard]] bool inside() const { return depth_ > 0; }
    [[nodiscard]] index_t bound() const { return bound_; }              // the last upper bound
    [[nodiscard]] index_t outer_bound() const { return outer_bound_; }  // of the list's first bracket
    [[nodiscard]] index_t left() const { return end_ - p_; }

    /// Steps into the first list; false if something else comes first.
    bool find_list() {
        for (; p_ != end_ && (is_blank(*p_) || *p_ == '\n'); ++p_) line_ += *p_ == '\n';
        if (p_ == end_ || *p_ != '[') return false;
        open();
        ++p_;
        return true;
    }
    /// Steps over blanks and brackets to the next number; false at the end of the file.
    bool find() {
        for (; p_ != end_; ++p_) {
            if (*p_ == '[')
                open();
            else if (*p_ == ']')
                close();
            else if (*p_ == '\n')
                ++line_;
            else if (!is_blank(*p_) && *p_ != ',')
                return true;
        }
        return false;
    }

    template <class Number>
    void pass(Number read, const char* expected) {
        const char* const after = read(p_, end_);
        if (after == nullptr || after != end_of_number()) refuse(expected);
        p_ = after;
    }
    void pass() { p_ = end_of_number(); }

    [[noreturn]] void refuse(const std::string& expected) const {
        const char* const stop = std::max(end_of_number(), std::min(p_ + 1, end_));
        in_.refuse(line_, quoted({p_, static_cast<std::size_t>(stop - p_)}) + ", expected " + expected);
    }

private:
    [[nodiscard]] const char* end_of_number() const {
        return std::find_if(
            p_, end_, [](char c) { return is_blank(c) || c == '\n' || c == ',' || c == '[' || c == ']'; });
    }
    void skip_blanks() { p_ = after_blanks(p_, end_); }
    /// "[1,N:", up to the colon.
    void open() {
        index_t bounds[2] = {};
        for (int i = 0; i < 2; ++i) {
            ++p_;
            skip_blanks();
            const char* const after = read_whole(p_, end_, bounds[i]);
            if (after == nullptr) refuse("bounds such as [1,8:");
            p_ = after;
            skip_blanks();
            if (p_ == end_ || *p_ != (i == 0 ? ',' : ':')) refuse("bounds such as [1,8:");
        }
        bound_ = bounds[1];
        if (depth_++ > 0) return;
        ++list_;
        outer_bound_ = bound_;
    }
    void close() {
        if (depth_-- == 0) refuse("'[' before it");
    }

    const mesh_input& in_;
    const char *p_, *end_;
    index_t line_ = 1, depth_ = 0, bound_ = 0, outer_bound_ = 0;
    int list_ = -1;
};

/// In which order the normals stand. SaC's benchmark computes with normals that point into the cell; its
/// files declare [1,3:[1,4:[1,N: and hold, for each component, the four faces of cell 0, then of cell 1, ...
enum class normal_order {
    rows,            // "[1,4:[1,N:[1,3:", outward: face 0 of all cells, three numbers each, then face 1, ...
    cell_by_cell,    // as SaC's benchmark has them: inward
    face_after_face  // as the declaration of these files says: for each component face 0 of all cells; inward
};

class sac_reader {
public:
    sac_reader(const mesh_input& in, std::string_view text) : in_(in), text_(text), file_(in, text) {}

    mesh read() {
        const index_t n = read_size();
        mesh m = empty_records(n);
        const bool lenient = in_.options.open_ends;
        const auto real = [](double& v) {
            return [&v](const char* p, const char* end) { return read_real(p, end, v); };
        };
        for (index_t c = 0; c < n; ++c) next(0, c, n, real(m.volume[at(c)]), "a volume, a finite number");
        for (index_t i = 0; i < record_faces * n; ++i) {
            std::int64_t id = 0;
            const auto read_id = [&](const char* p, const char* end) {
                p = read_whole(p, end, id);
                return id <= std::numeric_limits<std::int32_t>::max() ? p : nullptr;
            };
            next(1, i, record_faces * n, read_id, "a neighbour, a whole number of 32 bits");
            m.neighbour[at(row(i, n))] = record_neighbour(
                static_cast<std::int32_t>(std::max<std::int64_t>(id, far_field)), n, lenient);
        }
        std::vector<double> normals(at(3 * record_faces * n));
        for (index_t i = 0; i < std::ssize(normals); ++i)
            next(2, i, std::ssize(normals), real(normals[at(i)]), "a part of a normal, a finite number");
        check_end(n);
        place_normals(m, normals);
        finish_records(m, {in_, 0, [&](index_t cell, int face) {
                               return line_of_number(face < 0 ? cell : n + face * n + cell);
                           }});
        return m;
    }

private:
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    /// The row of the mesh that number i of four rows of n is about.
    static index_t row(index_t i, index_t n) { return record_faces * (i % n) + i / n; }

    static void place(mesh& m, const std::vector<double>& normals, normal_order order) {
        const index_t rows = m.rows();
        for (index_t i = 0; i < 3 * rows; ++i) {
            const double v = normals[at(i)];
            if (order == normal_order::rows)
                m.normal[at(3 * row(i / 3, m.cells()) + i % 3)] = v;
            else if (order == normal_order::cell_by_cell)
                m.normal[at(3 * (i % rows) + i / rows)] = -v;
            else
                m.normal[at(3 * row(i % rows, m.cells()) + i / rows)] = -v;
        }
    }
    /// Where components are outermost, in the order that leaves the fewest cells open; two files with the
    /// same brackets may differ in that order.
    void place_normals(mesh& m, const std::vector<double>& normals) const {
        using enum normal_order;
        if (file_.outer_bound() != 3) return place(m, normals, rows);
        normal_order best = cell_by_cell;
        index_t fewest = m.cells() + 1;
        for (const normal_order order : {cell_by_cell, face_after_face, rows}) {
            place(m, normals, order);
            index_t open = 0;
            for (index_t c = 0; c < m.cells(); ++c) open += is_open(m, c);
            if (open < fewest) best = order, fewest = open;
            if (open == 0) return;
        }
        place(m, normals, best);
    }

    index_t read_size() {
        if (!file_.find_list()) in_.refuse(file_.line(), "no list, expected [1,N: and N volumes");
        const index_t n = file_.bound();
        in_.check_cells(file_.line(), n);
        if (n > (file_.left() + 1) / least_record)
            in_.refuse(file_.line(), std::to_string(n) + " cells, whose numbers the " +
                                         std::to_string(file_.left()) + " bytes that follow cannot hold");
        return n;
    }

    /// Number i of the `count` that list `list` must have.
    template <class Number>
    void next(int list, index_t i, index_t count, Number read, const char* expected) {
        if (!file_.find())
            in_.refuse(file_.line(), "the file ends after " + std::to_string(i) + " of " +
                                         std::to_string(count) + " " + lists[at(list)]);
        if (file_.list() > list || !file_.inside())
            in_.refuse(file_.line(), "the list of " + std::string(lists[at(list)]) + " ends after " +
                                         std::to_string(i) + " of " + std::to_string(count));
        if (file_.list() < list) file_.refuse("the end of the list of " + std::string(lists[at(list - 1)]));
        file_.pass(read, expected);
    }

    void check_end(index_t n) {
        if (file_.find()) file_.refuse("the end of the file after " + std::to_string(n) + " cells");
        if (file_.inside()) in_.refuse(file_.line(), "the file ends, expected ']'");
        if (file_.list() != 2)
            in_.refuse(file_.line(), std::to_string(file_.list() + 1) + " lists, expected 3");
    }

    [[nodiscard]] index_t line_of_number(index_t number) const {
        list_reader again(in_, text_);
        for (index_t i = 0; again.find() && i < number; ++i) again.pass();
        return again.line();
    }

    const mesh_input& in_;
    std::string_view text_;
    list_reader file_;
};

void append(std::string& line, double v) {
    char digits[32];
    line.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}

}  // namespace

bool is_sac(std::string_view head) {
    head.remove_prefix(static_cast<std::size_t>(mark_bytes(head)));
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '[';
}

mesh read_sac(const mesh_input& in) {
    const std::string text = in.all_text();
    return sac_reader(in, text).read();
}

void write_sac(const mesh& m, const mesh_sink& sink) {
    if (const std::string why = why_no_records(m); !why.empty()) throw bad_argument(why);
    const std::string row = "[1," + std::to_string(m.cells()) + ":\n";
    std::string line;
    sink(row);
    for (const double v : m.volume) {
        line.clear();
        append(line, v);
        sink(line + "\n");
    }
    sink("]\n[1,4:\n");
    for (index_t k = 0; k < record_faces; ++k) {
        sink(row);
        for (index_t c = 0; c < m.cells(); ++c)
            sink(std::to_string(neighbour_in_record(m, record_faces * c + k)) + "\n");
        sink("]\n");
    }
    sink("]\n[1,4:\n");
    for (index_t k = 0; k < record_faces; ++k) {
        sink(row);
        for (index_t c = 0; c < m.cells(); ++c) {
            line = "[1,3:";
            for (index_t d = 0; d < 3; ++d) {
                if (d > 0) line += ' ';
                append(line,
                       m.normal[static_cast<std::size_t>(3 * (record_faces * c + k) + d)] * m.normal_scale);
            }
            sink(line + "]\n");
        }
        sink("]\n");
    }
    sink("]\n");
}

}  // namespace wale::io
