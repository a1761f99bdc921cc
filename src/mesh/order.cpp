// order - numberings of cells: random, reverse Cuthill-McKee, along Hilbert's curve; and meshes renumbered.
#include <algorithm>
#include <numeric>
#include <utility>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "mesh/graph.hpp"
#include "mesh/hilbert.hpp"
#include "mesh/random.hpp"

namespace wale {
namespace meshes {
namespace {

std::vector<std::int32_t> natural(index_t cells) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(cells));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<std::int32_t> random_order(index_t cells, std::uint64_t seed) {
    std::vector<std::int32_t> order = natural(cells);
    random_source(seed).shuffle(order);
    return order;
}

/// Cuthill and McKee 1969, begun in each component at a cell that is as far out as any, reversed. A cell's
/// neighbours come by degree, then by number.
std::vector<std::int32_t> reverse_cuthill_mckee(const mesh& m) {
    const cell_graph graph(m);
    std::vector<char> reached(static_cast<std::size_t>(m.cells()), 0);
    std::vector<std::int32_t> order;
    order.reserve(reached.size());
    const auto reach = [&](std::int32_t c) {
        if (!std::exchange(reached[static_cast<std::size_t>(c)], 1)) order.push_back(c);
    };
    const auto lower_degree = [&](std::int32_t a, std::int32_t b) {
        return graph.neighbours(a).size() < graph.neighbours(b).size();
    };
    breadth_first search(graph);
    for (std::int32_t c = 0; c < m.cells(); ++c) {
        if (reached[static_cast<std::size_t>(c)]) continue;
        std::size_t next = order.size();
        reach(search.outermost(c, [](std::int32_t) { return true; }));
        for (; next < order.size(); ++next) {
            const index_t found = std::ssize(order);
            for (const std::int32_t n : graph.neighbours(order[next])) reach(n);
            std::stable_sort(order.begin() + found, order.end(), lower_degree);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

std::vector<std::int32_t> hilbert_order(const mesh& m) {
    if (!m.has_centres())
        throw bad_argument(
            "order: hilbert needs the cells' centres, which this mesh lacks; expected corners "
            "to be recovered first");
    const std::vector<std::uint64_t> keys = hilbert_keys(m.centre, m.dimensions);
    std::vector<std::int32_t> order = natural(m.cells());
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const std::uint64_t ka = keys[static_cast<std::size_t>(a)], kb = keys[static_cast<std::size_t>(b)];
        return ka != kb ? ka < kb : a < b;
    });
    return order;
}

/// inverse[old] = new. Throws bad_argument unless `order` is a permutation.
std::vector<std::int32_t> inverse_of(std::span<const std::int32_t> order, index_t cells) {
    if (std::ssize(order) != cells)
        base::refuse("order", "has " + std::to_string(order.size()) + " cells", std::to_string(cells));
    std::vector<std::int32_t> inverse(order.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int32_t old = order[i];
        if (old < 0 || old >= cells || inverse[static_cast<std::size_t>(old)] >= 0)
            base::refuse("order", "element " + std::to_string(i) + " is " + std::to_string(old),
                         "each of 0 to " + std::to_string(cells - 1) + " once");
        inverse[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(i);
    }
    return inverse;
}

/// The groups of `values` (`width` values an element) between the offsets `first`, in a new order.
template <class T>
std::vector<T> permuted(const std::vector<T>& values, const std::vector<index_t>& first, index_t width,
                        std::span<const std::int32_t> order) {
    std::vector<T> out;
    out.reserve(values.size());
    if (values.empty()) return out;
    for (const std::int32_t old : order) {
        const auto c = static_cast<std::size_t>(old);
        out.insert(out.end(), values.begin() + first[c] * width, values.begin() + first[c + 1] * width);
    }
    return out;
}

std::vector<index_t> permuted_offsets(const std::vector<index_t>& first,
                                      std::span<const std::int32_t> order) {
    std::vector<index_t> out{0};
    if (first.empty()) return {};
    out.reserve(first.size());
    for (const std::int32_t old : order) {
        const auto c = static_cast<std::size_t>(old);
        out.push_back(out.back() + first[c + 1] - first[c]);
    }
    return out;
}

}  // namespace
}  // namespace meshes

const char* name_of(cell_order o) noexcept {
    switch (o) {
        case cell_order::natural:
            return "natural";
        case cell_order::random:
            return "random";
        case cell_order::reverse_cuthill_mckee:
            return "reverse_cuthill_mckee";
        case cell_order::hilbert:
            return "hilbert";
    }
    return "";
}

std::vector<std::int32_t> order_cells(const mesh& m, cell_order o, std::uint64_t seed) {
    base::check_enumerator("order_cells", "o", o, cell_order::hilbert);
    switch (o) {
        case cell_order::random:
            return meshes::random_order(m.cells(), seed);
        case cell_order::reverse_cuthill_mckee:
            return meshes::reverse_cuthill_mckee(m);
        case cell_order::hilbert:
            return meshes::hilbert_order(m);
        case cell_order::natural:
            break;
    }
    return meshes::natural(m.cells());
}

mesh renumbered(const mesh& m, std::span<const std::int32_t> order) {
    using namespace meshes;
    const std::vector<std::int32_t> inverse = inverse_of(order, m.cells());
    const std::vector<index_t> one_each = [&] {
        std::vector<index_t> first(order.size() + 1);
        std::iota(first.begin(), first.end(), 0);
        return first;
    }();
    mesh out;
    out.dimensions = m.dimensions;
    out.patches = m.patches;
    out.normal_scale = m.normal_scale;
    out.points = m.points;
    out.first_face = permuted_offsets(m.first_face, order);
    out.neighbour = permuted(m.neighbour, m.first_face, 1, order);
    for (std::int32_t& n : out.neighbour)
        if (!is_patch(n) && n < m.cells()) n = inverse[static_cast<std::size_t>(n)];
    out.opposite = permuted(m.opposite, m.first_face, 1, order);
    out.normal = permuted(m.normal, m.first_face, 3, order);
    out.face_offset = permuted(m.face_offset, m.first_face, 3, order);
    out.volume = permuted(m.volume, one_each, 1, order);
    out.centre = permuted(m.centre, one_each, 3, order);
    out.shapes = permuted(m.shapes, one_each, 1, order);
    out.first_corner = permuted_offsets(m.first_corner, order);
    out.corners = permuted(m.corners, m.first_corner, 1, order);
    return out;
}

}  // namespace wale
