// graph - cells and their neighbours, as numberings and partitions see them.
#include "mesh/graph.hpp"

#include <algorithm>

namespace wale::meshes {

cell_graph::cell_graph(const mesh& m) : first_(static_cast<std::size_t>(m.cells()) + 1, 0) {
    const auto each_pair = [&m](const auto& visit) {
        for (index_t c = 0; c < m.cells(); ++c)
            for (index_t r = m.first_face[static_cast<std::size_t>(c)];
                 r < m.first_face[static_cast<std::size_t>(c) + 1]; ++r) {
                const std::int32_t n = m.neighbour[static_cast<std::size_t>(r)];
                if (is_patch(n) || n == c || n >= m.cells()) continue;
                visit(static_cast<std::int32_t>(c), n);
                visit(n, static_cast<std::int32_t>(c));
            }
    };
    // Both ways for each row: every pair that is mutual comes twice.
    std::vector<index_t> fill(first_.size(), 0);
    each_pair([&](std::int32_t a, std::int32_t) { ++fill[static_cast<std::size_t>(a) + 1]; });
    for (std::size_t i = 1; i < fill.size(); ++i) fill[i] += fill[i - 1];
    std::vector<std::int32_t> all(static_cast<std::size_t>(fill.back()));
    const std::vector<index_t> begin = fill;
    each_pair([&](std::int32_t a, std::int32_t b) {
        all[static_cast<std::size_t>(fill[static_cast<std::size_t>(a)]++)] = b;
    });
    for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
        std::sort(all.begin() + begin[c], all.begin() + begin[c + 1]);
        std::unique_copy(all.begin() + begin[c], all.begin() + begin[c + 1], std::back_inserter(neighbour_));
        first_[c + 1] = std::ssize(neighbour_);
    }
}

}  // namespace wale::meshes
