// swc_file - points as lines, then who grew from whom.
#include <wale/swc_file.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <utility>
#include <wale/host_memory.hpp>

#include "base/decimal_text.hpp"
#include "io/byte_source.hpp"
#include "io/escape.hpp"
#include "io/text_numbers.hpp"

namespace wale {
namespace {

constexpr index_t most_bytes = index_t{1} << 34;  // of a file
constexpr double most_extent = 1e9;               // [um] of a coordinate: squares and areas stay in range

/// One line's whole number, in full range of its type. Some programs write it as 1.0.
template <class T>
T integer(io::text_numbers& text, const char* what, T least) {
    std::string_view word = text.word(what);
    word = word.substr(0, word.find('#'));
    T value{};
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    const std::string_view rest(end, static_cast<std::size_t>(word.data() + word.size() - end));
    const bool whole = rest.empty() || (rest[0] == '.' && rest.find_first_not_of('0', 1) == rest.npos);
    if (code != std::errc() || !whole || value < least)
        text.refuse_word(word, std::string(what) + ", a whole number from " + std::to_string(least));
    return value;
}

double extent(io::text_numbers& text, const char* what) {
    const double value = text.number(scalar::f64);
    if (std::fabs(value) > most_extent)
        text.refuse(std::string(what) + " is beyond 1e9 um, expected micrometres");
    return value;
}

/// The points in the order of the file; the parents' numbers in `parents`.
class line_reader {
public:
    line_reader(std::string_view bytes, const std::string& name, const swc_options& options)
        : bytes_(bytes.starts_with("\xef\xbb\xbf") ? bytes.substr(3) : bytes),
          text_(bytes_, name),
          options_(options) {}

    void read(std::vector<swc_point>& points, std::vector<std::int64_t>& parents) {
        for (index_t line = next_line(); line > 0; line = next_line()) {
            if (std::ssize(points) == options_.max_points)
                text_.refuse("more points than the limit of " + std::to_string(options_.max_points));
            swc_point p;
            p.line = line;
            p.number = integer<std::int64_t>(text_, "a point's number", 0);
            p.type = integer<int>(text_, "a point's type", 0);
            p.x = extent(text_, "x");
            p.y = extent(text_, "y");
            p.z = extent(text_, "z");
            p.radius = extent(text_, "the radius");
            if (p.radius < 0) text_.refuse("radius " + base::decimal_text(p.radius) + ", expected 0 or more");
            parents.push_back(integer<std::int64_t>(text_, "the parent's number", -1));
            (void)text_.line();  // a comment, or columns that other programs add
            points.push_back(p);
        }
    }

private:
    /// Steps to the next line with numbers; its number, or 0 at the end.
    index_t next_line() {
        while (true) {
            text_.skip(false);
            const std::size_t at = bytes_.size() - text_.left();
            lines_ += std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                 bytes_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            counted_ = at;
            if (text_.at_end()) return 0;
            if (bytes_[at] != '#') return lines_ + 1;
            (void)text_.line();
        }
    }

    std::string_view bytes_;
    io::text_numbers text_;
    const swc_options& options_;
    std::size_t counted_ = 0;  // bytes whose line ends are in lines_
    index_t lines_ = 0;
};

/// Turns numbers into places, and puts parents first.
class grower {
public:
    grower(swc_tree& tree, const std::vector<std::int64_t>& parents) : tree_(tree), parents_(parents) {}
    void grow() {
        if (tree_.points.empty()) throw bad_input(tree_.name + ": has no points, expected an SWC tree");
        if (std::ssize(tree_.points) > std::numeric_limits<std::int32_t>::max())
            throw bad_input(tree_.name + ": has more than 2^31 - 1 points");
        find_parents();
        bool ascending = true;
        for (std::size_t i = 1; i < tree_.points.size(); ++i)
            ascending = ascending && tree_.points[i].parent < static_cast<std::int32_t>(i);
        if (!(ascending && tree_.points.front().parent < 0)) reorder();
    }

private:
    [[noreturn]] void refuse(std::size_t point, const std::string& what) const {
        throw bad_input(tree_.place_of(static_cast<index_t>(point)) + ": " + what);
    }

    void find_parents() {
        std::vector<std::pair<std::int64_t, std::size_t>> by_number(tree_.points.size());
        for (std::size_t i = 0; i < by_number.size(); ++i) by_number[i] = {tree_.points[i].number, i};
        std::sort(by_number.begin(), by_number.end());
        for (std::size_t i = 1; i < by_number.size(); ++i)
            if (by_number[i].first == by_number[i - 1].first)
                refuse(by_number[i].second, "point " + std::to_string(by_number[i].first) +
                                                " stands here again, first in line " +
                                                std::to_string(tree_.points[by_number[i - 1].second].line));
        for (std::size_t i = 0; i < by_number.size(); ++i) {
            if (parents_[i] < 0) {
                if (root_ != none)
                    refuse(i, "a second root, the first is in line " +
                                  std::to_string(tree_.points[root_].line) + "; expected one tree");
                root_ = i;
                continue;
            }
            const auto found = std::lower_bound(by_number.begin(), by_number.end(),
                                                std::pair<std::int64_t, std::size_t>{parents_[i], 0});
            if (found == by_number.end() || found->first != parents_[i])
                refuse(i, "parent " + std::to_string(parents_[i]) + " is no point of this file");
            tree_.points[i].parent = static_cast<std::int32_t>(found->second);
        }
    }

    /// Depth first, children in the order of the file; a point that is not reached is behind a cycle.
    void reorder() {
        const std::size_t size = tree_.points.size();
        std::vector<std::size_t> start(size + 1), children(size), stack, place(size, none);
        for (const swc_point& p : tree_.points)
            if (p.parent >= 0) ++start[static_cast<std::size_t>(p.parent) + 1];
        for (std::size_t i = 0; i < size; ++i) start[i + 1] += start[i];
        std::vector<std::size_t> next = start;
        for (std::size_t i = 0; i < size; ++i)
            if (const std::int32_t p = tree_.points[i].parent; p >= 0)
                children[next[static_cast<std::size_t>(p)]++] = i;
        std::vector<swc_point> ordered;
        ordered.reserve(size);
        if (root_ != none) stack.push_back(root_);
        while (!stack.empty()) {
            const std::size_t i = stack.back();
            stack.pop_back();
            place[i] = ordered.size();
            swc_point p = tree_.points[i];
            if (p.parent >= 0)
                p.parent = static_cast<std::int32_t>(place[static_cast<std::size_t>(p.parent)]);
            ordered.push_back(p);
            for (std::size_t k = start[i + 1]; k-- > start[i];) stack.push_back(children[k]);
        }
        if (ordered.size() < size) refuse_cycle(place);
        tree_.points = std::move(ordered);
    }

    [[noreturn]] void refuse_cycle(const std::vector<std::size_t>& place) const {
        const auto lost =
            static_cast<std::size_t>(std::find(place.begin(), place.end(), none) - place.begin());
        const auto parent_of = [&](std::size_t i) {
            return static_cast<std::size_t>(tree_.points[i].parent);
        };
        std::size_t on_cycle = lost;
        for (std::size_t k = 0; k < place.size(); ++k) on_cycle = parent_of(on_cycle);
        for (std::size_t first = on_cycle, i = parent_of(first); i != first; i = parent_of(i))
            on_cycle = std::min(on_cycle, i);
        refuse(on_cycle, "point " + std::to_string(tree_.points[on_cycle].number) +
                             " is among its own ancestors (a cycle)");
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    swc_tree& tree_;
    const std::vector<std::int64_t>& parents_;
    std::size_t root_ = none;
};

/// Gives points of radius 0 the radius that swc_tree::thickened names. Points stand after their parents.
void thicken(swc_tree& tree) {
    double least = 0;  // the smallest positive radius
    for (const swc_point& p : tree.points)
        if (p.radius > 0 && (least == 0 || p.radius < least)) least = p.radius;
    for (std::size_t i = 0; i < tree.points.size(); ++i) {
        swc_point& p = tree.points[i];
        if (p.radius > 0) continue;
        if (least == 0)
            throw bad_input(tree.place_of(static_cast<index_t>(i)) +
                            ": radius 0, expected at least one point of the file with a positive radius");
        if (tree.thickened++ == 0) tree.first_thickened = p.line;
        const swc_point* const parent =
            p.parent < 0 ? nullptr : &tree.points[static_cast<std::size_t>(p.parent)];
        const bool alike =
            parent != nullptr && (parent->type != swc_point::soma || p.type == swc_point::soma);
        p.radius = alike ? parent->radius : least;
    }
}

/// Each CR that ends a line alone, as old Macintosh programs write it, as LF. What follows the columns of a
/// line is left out, so that a file of such lines would be one point.
void end_lines_by_lf(std::string& text) {
    for (std::size_t at = text.find('\r'); at != text.npos; at = text.find('\r', at + 1))
        if (at + 1 == text.size() || (text[at + 1] != '\n' && text[at + 1] != '\r')) text[at] = '\n';
}

}  // namespace

std::string swc_tree::place_of(index_t point) const {
    const swc_point& p = points[static_cast<std::size_t>(point)];
    return p.line > 0 ? name + ":" + std::to_string(p.line)
                      : (name.empty() ? "tree" : name) + ": point " + std::to_string(p.number);
}

swc_tree parse_swc(std::string_view bytes, const std::string& name, const swc_options& options) {
    swc_tree tree;
    tree.name = io::escaped(name);
    std::vector<std::int64_t> parents;
    try {
        std::string own;
        if (bytes.find('\r') != bytes.npos) {
            own = bytes;
            end_lines_by_lf(own);
            bytes = own;
        }
        line_reader(bytes, tree.name, options).read(tree.points, parents);
        grower(tree, parents).grow();
        thicken(tree);
    } catch (const std::bad_alloc&) {
        throw out_of_memory(tree.name + ": its points", out_of_memory::unknown, available_host_memory());
    }
    return tree;
}

swc_tree read_swc(const std::string& path, const swc_options& options) {
    return io::parse_source(
        path, most_bytes, io::not_zero, [&](const io::byte_source& bytes, const std::string& name) {
            return parse_swc(io::all_bytes(bytes, name, most_bytes), path == "-" ? name : path, options);
        });
}

void write_swc(output_file& out, const swc_tree& tree) {
    out.write("# number type x y z radius parent [um]\n");
    std::string line;
    for (std::size_t i = 0; i < tree.points.size(); ++i) {
        const swc_point& p = tree.points[i];
        line = std::to_string(i + 1);
        line += ' ';
        line += std::to_string(p.type);
        for (const double v : {p.x, p.y, p.z, p.radius}) {
            char digits[32];
            line += ' ';
            line.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
        }
        line += ' ';
        line += std::to_string(p.parent < 0 ? -1 : p.parent + 1);
        line += '\n';
        out.write(line);
    }
}

}  // namespace wale
