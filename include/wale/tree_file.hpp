// tree_file - Hines systems as text: the number of nodes N, then N lines `id upper lower rhs diagonal parent`
// (the right side stands before the diagonal; the root's parent is -1). Solved: `id upper lower x
// eliminated`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/output_file.hpp>
#include <wale/vectors.hpp>

namespace wale {

struct tree_file_options {
    scalar type = scalar::f64;
    bool forest = false;  // several roots are meant
    index_t max_nodes = index_t{1} << 28;
};

/// One system, each array flat and in host memory, by node.
struct tree_case {
    std::vector<std::int32_t> parent;  // -1: a root
    memory upper, lower, rhs, diagonal;
    scalar type = scalar::f64;

    [[nodiscard]] index_t size() const noexcept { return static_cast<index_t>(parent.size()); }
    [[nodiscard]] vector_shape shape() const noexcept { return vector_shape::flat(type, size()); }
    [[nodiscard]] vectors view(const memory& of) const noexcept { return {of.data(), shape()}; }
};

/// Reads a system; `-` is standard input. The lines may stand in any order. Throws cannot_open, or bad_input
/// "file:line: value, expected" for damage: numbers that are none or that the type does not hold, a node that
/// stands twice or is missing, a parent out of range, a cycle, several roots without `forest`. Memory is
/// taken only for what a file of this size can hold.
[[nodiscard]] tree_case read_tree_case(const std::string& path, const tree_file_options& options = {});

/// The same from memory; `name` stands in messages. This is what the fuzzer drives.
[[nodiscard]] tree_case parse_tree_case(std::string_view bytes, const std::string& name,
                                        const tree_file_options& options = {});

/// `id upper lower rhs diagonal` of every node, "%.8e": once `rhs` holds the unknowns and `diagonal` the
/// eliminated diagonal, what the course's programs print. Throws bad_argument for a number that is not
/// finite, as when float32 overflowed, before anything is written.
void write_tree_case(output_file& out, const tree_case& solved);

}  // namespace wale
