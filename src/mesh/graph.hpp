// graph - cells and their neighbours, as numberings and partitions see them.
#pragma once

#include <span>
#include <vector>
#include <wale/mesh.hpp>

namespace wale::meshes {

/// The neighbours of each cell, by number, each once; no patches, not the cell itself, none that do not
/// exist. A pair is in both lists even where only one cell names the other.
class cell_graph {
public:
    explicit cell_graph(const mesh& m);
    [[nodiscard]] index_t cells() const noexcept { return std::ssize(first_) - 1; }
    [[nodiscard]] std::span<const std::int32_t> neighbours(std::int32_t c) const noexcept {
        const auto at = static_cast<std::size_t>(c);
        return {neighbour_.data() + first_[at], neighbour_.data() + first_[at + 1]};
    }
    [[nodiscard]] const std::vector<index_t>& offsets() const noexcept { return first_; }
    [[nodiscard]] const std::vector<std::int32_t>& neighbours() const noexcept { return neighbour_; }

private:
    std::vector<index_t> first_;
    std::vector<std::int32_t> neighbour_;
};

/// Cells in order of their distance from the first.
struct level_order {
    std::vector<std::int32_t> cells, distances;
};

/// Searches over one graph, which must outlive them.
class breadth_first {
public:
    explicit breadth_first(const cell_graph& graph)
        : graph_(graph), seen_(static_cast<std::size_t>(graph.cells()), 0) {}

    /// The cells for which inside(cell) holds that are connected to `start` by such cells.
    template <class Inside>
    [[nodiscard]] level_order levels(std::int32_t start, const Inside& inside) {
        level_order found{{start}, {0}};
        seen_[static_cast<std::size_t>(start)] = 1;
        for (std::size_t next = 0; next < found.cells.size(); ++next)
            for (const std::int32_t n : graph_.neighbours(found.cells[next])) {
                if (seen_[static_cast<std::size_t>(n)] || !inside(n)) continue;
                seen_[static_cast<std::size_t>(n)] = 1;
                found.cells.push_back(n);
                found.distances.push_back(found.distances[next] + 1);
            }
        for (const std::int32_t c : found.cells) seen_[static_cast<std::size_t>(c)] = 0;
        return found;
    }

    /// Of those, one that is as far from another one as any, or nearly: steps to the far end until that is
    /// no farther (George and Liu 1979).
    template <class Inside>
    [[nodiscard]] std::int32_t outermost(std::int32_t start, const Inside& inside) {
        for (std::int32_t depth = -1;;) {
            const level_order found = levels(start, inside);
            if (found.distances.back() <= depth) return start;
            depth = found.distances.back();
            start = found.cells.back();
        }
    }

private:
    const cell_graph& graph_;
    std::vector<char> seen_;  // 0 between searches
};

/// What METIS does where the build has METIS.
[[nodiscard]] bool has_metis() noexcept;
/// 1 < parts <= cells. Throws error where METIS fails or its 32-bit numbers do not suffice.
[[nodiscard]] std::vector<std::int32_t> metis_partition(const cell_graph& graph, int parts);

}  // namespace wale::meshes
