// mesh_su2 - SU2's ASCII meshes: keywords with counts, then as many lines; elements are named by VTK's
// numbers. Keywords need no order. Those that say nothing of a mesh of one zone (FFD boxes, what SEND_RECEIVE
// markers of older versions) are passed over with their lines.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <wale/error.hpp>

#include "cpu/poll.hpp"
#include "io/decimal.hpp"
#include "io/escape.hpp"
#include "io/mesh_format.hpp"
#include "io/text_numbers.hpp"
#include "io/text_pieces.hpp"
#include "io/vtk_types.hpp"

namespace wale::io {
namespace {

constexpr index_t most_points = std::numeric_limits<std::int32_t>::max();
constexpr index_t least_line = 2;  // bytes: a digit and the line's end

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

class su2_reader {
public:
    su2_reader(const mesh_input& in, std::string_view text)
        : in_(in), text_(text.substr(static_cast<std::size_t>(mark_bytes(text))), in.name) {
        e_.name = in.name;
    }

    mesh_elements read() {
        while (next()) {
            if (const std::size_t sign = rest_.find('='); sign != std::string_view::npos)
                keyword(upper(trimmed(rest_.substr(0, sign))), trimmed(rest_.substr(sign + 1)));
            else if (!passing_over_)
                refuse_word("a keyword such as NELEM=");
        }
        check_end();
        return std::move(e_);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { in_.refuse(line_, what); }
    [[noreturn]] void refuse_word(const std::string& expected) const {
        if (rest_.empty()) refuse("the line ends, expected " + expected);
        const char* const end = end_of_word(rest_.data(), rest_.data() + rest_.size());
        refuse(quoted({rest_.data(), static_cast<std::size_t>(end - rest_.data())}) + ", expected " +
               expected);
    }

    /// Takes the next line that says something, without comment; false at the end of the file.
    bool next() {
        while (!text_.at_end()) {
            line_ = text_.line_number();
            rest_ = text_.line();
            rest_ = trimmed(rest_.substr(0, rest_.find('%')));
            poll_();
            if (!rest_.empty()) return true;
        }
        line_ = text_.line_number();
        return false;
    }
    /// The same within a section; it must go on.
    void next_of(const char* what, index_t i, index_t count) {
        if (next() && rest_.find('=') == std::string_view::npos) return;
        const std::string so_far = std::to_string(i) + " of " + std::to_string(count) + " " + what;
        if (text_.at_end() && rest_.empty()) refuse("the file ends after " + so_far);
        refuse_word(std::string("more after ") + so_far);
    }

    template <class Number, class Read>
    Number take(const Read& read, const char* expected) {
        Number value{};
        const char *const begin = rest_.data(), *const end = begin + rest_.size();
        const char* const after = read(begin, end, value);
        if (after == nullptr || after == begin || (after != end && !is_blank(*after))) refuse_word(expected);
        rest_ = trimmed(rest_.substr(static_cast<std::size_t>(after - begin)));
        return value;
    }
    std::int64_t whole(const char* expected) { return take<std::int64_t>(read_whole, expected); }

    /// A section's count, of lines that the file can have.
    index_t count(const char* what) {
        const index_t n = whole(what);
        if (n < 0 || n > (static_cast<index_t>(text_.left()) + 1) / least_line)
            refuse(std::to_string(n) + ", expected " + what + " within the " + std::to_string(text_.left()) +
                   " bytes that follow");
        return n;
    }

    void once(bool& seen, const std::string& key) {
        if (seen) refuse(key + " stands here again");
        seen = true;
    }

    void keyword(const std::string& key, std::string_view value) {
        rest_ = value;
        passing_over_ = false;
        if (key == "NDIME") {
            once(has_dimensions_, key);
            const std::int64_t d = whole("the dimensions");
            if (d != 2 && d != 3) refuse(std::to_string(d) + " dimensions, expected 2 or 3");
            e_.dimensions = static_cast<int>(d);
        } else if (key == "NPOIN") {
            once(has_points_, key);
            read_points();
        } else if (key == "NELEM") {
            once(has_cells_, key);
            read_cells();
        } else if (key == "NMARK") {
            markers_ = whole("the number of markers");
        } else if (key == "MARKER_TAG") {
            read_tag(value);
        } else if (key == "MARKER_ELEMS") {
            read_marker();
        } else if (key == "NZONE") {
            if (const std::int64_t zones = whole("the number of zones"); zones != 1)
                refuse(std::to_string(zones) + " zones, expected 1");
        } else {
            passing_over_ = true;
        }
    }

    void need_dimensions(const char* what) {
        if (!has_dimensions_) refuse(std::string(what) + " before NDIME=, expected NDIME= first");
    }
    void end_of_line() {
        if (!rest_.empty()) refuse_word("the end of the line");
    }

    void read_points() {
        need_dimensions("points");
        const index_t n = count("a number of points");
        if (n > most_points) refuse(std::to_string(n) + " points, expected at most 2^31 - 1");
        e_.points.reserve(3 * static_cast<std::size_t>(n));
        read_section("points", n, &su2_reader::take_point);
    }
    void take_point() {
        for (int d = 0; d < 3; ++d)
            e_.points.push_back(d < e_.dimensions ? take<double>(read_real, "a coordinate, a finite number")
                                                  : 0);
        if (rest_.empty()) return;
        (void)whole("the point's index");  // points are numbered by their lines, as in SU2
        end_of_line();
    }

    /// The lines of a section: by all threads in pieces, and line by line what is in none.
    void read_section(const char* what, index_t n, void (su2_reader::*take_line)()) {
        const auto read = [&](text_piece<mesh_elements>& p) {
            su2_reader part(in_, p.text);
            part.e_.dimensions = e_.dimensions;
            for (; part.next(); ++p.items) {
                if (part.rest_.find('=') != std::string_view::npos) return;
                (part.*take_line)();
            }
            p.lines = part.line_ - 1;
            p.read = std::move(part.e_);
            p.whole = mark_bytes(p.text) == 0;
        };
        for (index_t i = 0; i < n;) {
            i += read_pieces<mesh_elements>(text_.all_left(), in_.options.threads, n - i, read,
                                            [&](const auto& p) { append(p); });
            const std::size_t end = text_.left() - std::min(text_.left(), piece_bytes);
            for (; i < n && (text_.left() > end || text_.at_end()); ++i) {
                next_of(what, i, n);
                (this->*take_line)();
            }
        }
    }
    void append(const text_piece<mesh_elements>& p) {
        const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        const index_t corners = std::ssize(e_.corners), lines = text_.line_number() - 1;
        add(e_.points, p.read.points);
        add(e_.shapes, p.read.shapes);
        add(e_.corners, p.read.corners);
        for (std::size_t i = 1; i < p.read.first_corner.size(); ++i)
            e_.first_corner.push_back(corners + p.read.first_corner[i]);
        for (const index_t line : p.read.line) e_.line.push_back(lines + line);
        text_.skip_lines(p.text.size(), p.lines);
    }

    std::int32_t corner() {
        const std::int64_t p = whole("a point's index");
        if (p < 0 || p >= most_points) refuse("point " + std::to_string(p) + ", expected 0 to 2^31 - 2");
        return static_cast<std::int32_t>(p);
    }
    /// Corners, and an index that says nothing.
    void read_corners(int corners, std::vector<std::int32_t>& out) {
        for (int i = 0; i < corners; ++i) out.push_back(corner());
        if (!rest_.empty()) (void)whole("the element's index");
        end_of_line();
    }

    void read_cells() {
        need_dimensions("elements");
        const index_t n = count("a number of elements");
        in_.check_cells(line_, n);
        read_section("elements", n, &su2_reader::take_cell);
    }
    void take_cell() {
        e_.line.push_back(line_);
        const std::int64_t number = whole("an element's type");
        const std::optional<cell_shape> shape = shape_of_vtk(number);
        if (!shape || dimensions_of(*shape) != e_.dimensions)
            refuse("element of type " + std::to_string(number) + ", expected " +
                   (e_.dimensions == 2 ? "5 or 9" : "10, 12, 13 or 14"));
        e_.shapes.push_back(*shape);
        read_corners(corners_of(*shape), e_.corners);
        e_.first_corner.push_back(std::ssize(e_.corners));
    }

    void read_tag(std::string_view name) {
        if (tag_) refuse("MARKER_TAG=, expected MARKER_ELEMS= of marker " + quoted(*tag_));
        if (name.empty()) refuse("MARKER_TAG= without a name");
        for (const mesh_elements::patch& p : e_.patches)
            if (p.name == name) refuse("marker " + quoted(name) + " stands here again");
        tag_ = std::string(name);
        ++found_;
    }

    void read_marker() {
        need_dimensions("markers");
        if (!tag_) refuse("MARKER_ELEMS=, expected MARKER_TAG= before it");
        const index_t n = count("a number of elements");
        const std::string name = std::move(*tag_);
        tag_.reset();
        passing_over_ = name == "SEND_RECEIVE";
        if (passing_over_) return;
        mesh_elements::patch& p = e_.patches.emplace_back();
        p.name = name;
        for (index_t i = 0; i < n; ++i) {
            next_of("elements", i, n);
            p.line.push_back(line_);
            const std::int64_t number = whole("an element's type");
            const int corners = corners_of_vtk_face(number);
            if (corners == 0 || (corners == 2) != (e_.dimensions == 2))
                refuse("marker's element of type " + std::to_string(number) + ", expected " +
                       (e_.dimensions == 2 ? "3" : "5 or 9"));
            read_corners(corners, p.corners);
            p.first_corner.push_back(std::ssize(p.corners));
        }
    }

    void check_end() {
        if (!has_dimensions_) refuse("the file ends, expected NDIME=");
        if (!has_cells_) refuse("the file ends, expected NELEM=");
        if (!has_points_) refuse("the file ends, expected NPOIN=");
        if (tag_) refuse("the file ends, expected MARKER_ELEMS= of marker " + quoted(*tag_));
        if (markers_ && *markers_ != found_)
            refuse("the file ends after " + std::to_string(found_) + " markers, expected " +
                   std::to_string(*markers_));
    }

    const mesh_input& in_;
    text_numbers text_;
    mesh_elements e_;
    std::string_view rest_;  // of the line
    cpu::rare_poll poll_{1 << 14};
    index_t line_ = 1;
    bool has_dimensions_ = false, has_points_ = false, has_cells_ = false;
    bool passing_over_ = false;            // lines up to the next keyword
    std::optional<std::string> tag_;       // of the marker whose elements come next
    std::optional<std::int64_t> markers_;  // that the file says it has
    index_t found_ = 0;
};

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Whether a face and its opposite face are the same face, and not two that a period joins.
bool is_one_face(const mesh& m, index_t cell, index_t row) {
    const index_t other = m.neighbour[at(row)];
    face_points a = points_of_face(m, cell, row);
    face_points b = points_of_face(m, other, m.first_face[at(other)] + m.opposite[at(row)]);
    std::sort(a.at.begin(), a.at.end());
    std::sort(b.at.begin(), b.at.end());
    return a.count == b.count && a.at == b.at;
}

void check(const mesh& m) {
    const auto refuse = [](const std::string& why) { throw bad_argument("mesh: " + why); };
    if (!m.has_points() && m.cells() > 0) refuse("has no points, expected corners of cells");
    for (const double x : m.points)
        if (!std::isfinite(x)) refuse("has a point that is not finite");
    for (const std::string& name : m.patches)
        if (name.empty() || name == "SEND_RECEIVE" || name.find_first_of(" \t\r\n%=") != std::string::npos)
            refuse("has a patch " + quoted(name) + ", expected a name of one word");
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r)
            if (!is_patch(m.neighbour[at(r)]) && !is_one_face(m, c, r))
                refuse("has faces joined by a period (of cell " + std::to_string(c) +
                       "), which SU2 meshes cannot say");
}

void append(std::string& line, std::int32_t point) {
    line += ' ';
    line += std::to_string(point);
}

void write_cells(const mesh& m, const mesh_sink& sink) {
    sink("NELEM= " + std::to_string(m.cells()) + "\n");
    std::string line;
    for (index_t c = 0; c < m.cells(); ++c) {
        line = std::to_string(vtk_type(m.shapes[at(c)]));
        for (index_t i = m.first_corner[at(c)]; i < m.first_corner[at(c + 1)]; ++i)
            append(line, m.corners[at(i)]);
        sink(line + "\n");
    }
}

void write_points(const mesh& m, const mesh_sink& sink) {
    const index_t points = std::ssize(m.points) / 3;
    sink("NPOIN= " + std::to_string(points) + "\n");
    std::string line;
    char digits[32];
    for (index_t p = 0; p < points; ++p) {
        line.clear();
        for (index_t d = 0; d < m.dimensions; ++d) {
            if (d > 0) line += ' ';
            line.append(digits, std::to_chars(digits, digits + sizeof digits, m.points[at(3 * p + d)]).ptr);
        }
        sink(line + "\n");
    }
}

/// The rows of each patch, in the order of the cells.
void write_markers(const mesh& m, const mesh_sink& sink) {
    std::vector<std::string> lines(m.patches.size());
    std::vector<index_t> count(m.patches.size());
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r) {
            if (!is_patch(m.neighbour[at(r)])) continue;
            const std::size_t patch = at(patch_of(m.neighbour[at(r)]));
            const face_points face = points_of_face(m, c, r);
            lines[patch] += std::to_string(vtk_face_type(face.count));
            for (int i = 0; i < face.count; ++i) append(lines[patch], face.at[at(i)]);
            lines[patch] += '\n';
            ++count[patch];
        }
    sink("NMARK= " + std::to_string(m.patches.size()) + "\n");
    for (std::size_t p = 0; p < m.patches.size(); ++p) {
        sink("MARKER_TAG= " + m.patches[p] + "\nMARKER_ELEMS= " + std::to_string(count[p]) + "\n");
        sink(lines[p]);
    }
}

}  // namespace

bool is_su2(std::string_view head) {
    head.remove_prefix(static_cast<std::size_t>(mark_bytes(head)));
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    const char c = head[first];
    return c == '%' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

mesh read_su2(const mesh_input& in) {
    const std::string text = in.all_text();
    return build_mesh(su2_reader(in, text).read());
}

void write_su2(const mesh& m, const mesh_sink& sink) {
    check(m);
    sink("NDIME= " + std::to_string(m.dimensions) + "\n");
    write_cells(m, sink);
    write_points(m, sink);
    write_markers(m, sink);
}

}  // namespace wale::io
