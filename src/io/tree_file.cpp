// tree_file - lines into arrays, then whether the parents make a tree.
#include <wale/tree_file.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <wale/host_memory.hpp>

#include "base/argument.hpp"
#include "io/byte_source.hpp"
#include "io/escape.hpp"
#include "io/text_numbers.hpp"

namespace wale {
namespace {

constexpr index_t most_bytes = index_t{1} << 36;  // of a file
constexpr index_t least_line = 12;                // bytes: "0 0 0 0 0 0" and its end

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

void set(const memory& array, scalar type, index_t i, double v) {
    if (type == scalar::f32)
        static_cast<float*>(array.data())[i] = static_cast<float>(v);
    else
        static_cast<double*>(array.data())[i] = v;
}
double get(const memory& array, scalar type, index_t i) {
    return type == scalar::f32 ? static_cast<const float*>(array.data())[i]
                               : static_cast<const double*>(array.data())[i];
}

class case_reader {
public:
    case_reader(std::string_view bytes, const std::string& name, const tree_file_options& options)
        : text_(bytes, name), name_(name), options_(options) {}

    tree_case read() {
        read_size();
        for (index_t k = 0; k < size_; ++k) read_node(k);
        text_.skip(false);
        if (!text_.at_end())
            text_.refuse_word(text_.word(""),
                              "the end of the file after " + std::to_string(size_) + " nodes");
        check_roots();
        check_cycles();
        return std::move(out_);
    }

private:
    void read_size() {
        text_.skip(false);
        size_ = text_.count("the number of nodes");
        const index_t most = std::min<index_t>(options_.max_nodes, std::numeric_limits<std::int32_t>::max());
        if (size_ > most)
            text_.refuse(std::to_string(size_) + " nodes, expected at most " + std::to_string(most));
        if (size_ > (static_cast<index_t>(text_.left()) + 1) / least_line)
            text_.refuse(std::to_string(size_) + " nodes, whose lines the " + std::to_string(text_.left()) +
                         " bytes that follow cannot hold");
        out_.type = options_.type;
        out_.parent.assign(at(size_), -1);
        line_.assign(at(size_), 0);
        for (memory* array : {&out_.upper, &out_.lower, &out_.rhs, &out_.diagonal})
            *array = memory(size_ * bytes_of(out_.type), memory_space::host);
    }

    /// A whole number of [least, size).
    index_t node_number(const char* what, index_t least) {
        const std::string_view word = text_.word(what);
        index_t value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || end != word.data() + word.size() || value < least || value >= size_)
            text_.refuse_word(
                word, std::string(what) + ", " + std::to_string(least) + " to " + std::to_string(size_ - 1));
        return value;
    }

    void read_node(index_t before) {
        text_.skip(false);
        if (text_.at_end()) {
            const auto lost = std::find(line_.begin(), line_.end(), 0) - line_.begin();
            text_.refuse("the file ends after " + std::to_string(before) + " of " + std::to_string(size_) +
                         " nodes, node " + std::to_string(lost) + " is missing");
        }
        const index_t line = text_.line_number(), node = node_number("a node", 0);
        if (line_[at(node)] != 0)
            text_.refuse("node " + std::to_string(node) + " stands here again, first in line " +
                         std::to_string(line_[at(node)]));
        line_[at(node)] = line;
        for (const memory* array : {&out_.upper, &out_.lower, &out_.rhs, &out_.diagonal})
            set(*array, out_.type, node, text_.number(out_.type));
        const index_t parent = node_number("the parent", -1);
        if (parent == node) text_.refuse("node " + std::to_string(node) + " is its own parent");
        out_.parent[at(node)] = static_cast<std::int32_t>(parent);
        text_.end_line("6 columns");
    }

    [[noreturn]] void refuse(index_t node, const std::string& what) const {
        throw bad_input(name_ + ":" + std::to_string(line_[at(node)]) + ": node " + std::to_string(node) +
                        " " + what);
    }

    /// The first two roots as they stand in the file.
    void check_roots() const {
        if (options_.forest) return;
        index_t first = -1, second = -1;
        for (index_t i = 0; i < size_; ++i) {
            if (out_.parent[at(i)] >= 0) continue;
            if (first < 0 || line_[at(i)] < line_[at(first)]) {
                second = first;
                first = i;
            } else if (second < 0 || line_[at(i)] < line_[at(second)]) {
                second = i;
            }
        }
        if (second >= 0)
            refuse(second, "is a second root, the first is in line " + std::to_string(line_[at(first)]) +
                               "; expected one tree");
    }

    /// Every path of parents ends at a root or at a node whose path was followed before. Each path has a
    /// number: a path that reaches its own number is a cycle.
    void check_cycles() const {
        std::vector<std::int32_t> path(at(size_), -1);
        for (std::int32_t start = 0; start < static_cast<std::int32_t>(size_); ++start) {
            std::int32_t node = start;
            while (node >= 0 && path[at(node)] < 0) {
                path[at(node)] = start;
                node = out_.parent[at(node)];
            }
            if (node < 0 || path[at(node)] != start) continue;
            std::int32_t lowest = node;
            for (std::int32_t k = out_.parent[at(node)]; k != node; k = out_.parent[at(k)])
                lowest = std::min(lowest, k);
            refuse(lowest, "is among its own ancestors (a cycle)");
        }
    }

    io::text_numbers text_;
    const std::string& name_;
    const tree_file_options& options_;
    tree_case out_;
    index_t size_ = 0;
    std::vector<index_t> line_;  // of each node; 0: not seen
};

void append(std::string& line, double v) {
    char digits[32];
    line += ' ';
    line.append(digits,
                std::to_chars(digits, digits + sizeof digits, v, std::chars_format::scientific, 8).ptr);
}

}  // namespace

tree_case parse_tree_case(std::string_view bytes, const std::string& name, const tree_file_options& options) {
    if (is_complex(options.type))
        base::refuse("options.type", std::string("is ") + name_of(options.type), "float32 or float64");
    const std::string shown = io::escaped(name);
    try {
        return case_reader(bytes, shown, options).read();
    } catch (const std::bad_alloc&) {
        throw out_of_memory(shown + ": its nodes", out_of_memory::unknown, available_host_memory());
    }
}

tree_case read_tree_case(const std::string& path, const tree_file_options& options) {
    return io::parse_source(path, most_bytes, io::not_zero,
                            [&](const io::byte_source& bytes, const std::string& name) {
                                return parse_tree_case(io::all_bytes(bytes, name, most_bytes),
                                                       path == "-" ? name : path, options);
                            });
}

void write_tree_case(output_file& out, const tree_case& solved) {
    const std::pair<const char*, const memory*> columns[] = {{"upper", &solved.upper},
                                                             {"lower", &solved.lower},
                                                             {"rhs", &solved.rhs},
                                                             {"diagonal", &solved.diagonal}};
    for (const auto& [name, array] : columns)
        for (index_t i = 0; i < solved.size(); ++i)
            if (const double v = get(*array, solved.type, i); !std::isfinite(v))
                base::refuse(std::string(name) + "[" + std::to_string(i) + "]", "is " + std::to_string(v),
                             std::string("finite numbers (") + name_of(solved.type) +
                                 " has overflowed, or the system is singular)");
    std::string line;
    for (index_t i = 0; i < solved.size(); ++i) {
        line = std::to_string(i);
        for (const auto& [name, array] : columns) append(line, get(*array, solved.type, i));
        line += '\n';
        out.write(line);
    }
}

}  // namespace wale
