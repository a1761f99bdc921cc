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

/// Searches that all mark what they have reached in one place.
class breadth_first {
public:
    explicit breadth_first(const cell_graph& graph)
        : graph_(graph),
          reached_(static_cast<std::size_t>(graph.cells()), 0),
          distance_(reached_.size(), -1) {}

    [[nodiscard]] bool reached(std::int32_t c) const noexcept {
        return reached_[static_cast<std::size_t>(c)] != 0;
    }

    /// Appends to `order` the unreached cells that are connected to `start`, nearest first; cells that one
    /// cell discovers are in order of their degree.
    void visit_by_degree(std::int32_t start, std::vector<std::int32_t>& order);

    /// A cell of start's component that is as far from another one as any, or nearly: steps to the far end
    /// until that is no farther (George and Liu 1979). Marks nothing.
    [[nodiscard]] std::int32_t outermost(std::int32_t start);

private:
    /// Cells from `start` on in order of their distance; `depth`: of the last one.
    std::vector<std::int32_t> levels(std::int32_t start, std::int32_t& depth);

    const cell_graph& graph_;
    std::vector<char> reached_;
    std::vector<std::int32_t> distance_;  // -1 between searches
};

}  // namespace wale::meshes
