// partition - cells in parts of equal size with few faces between them.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "mesh/graph.hpp"

namespace wale {
namespace meshes {
namespace {

constexpr double imbalance = 1.03;

/// Cuts groups of cells in two until each is a part: along the difference of the distances from two cells
/// that are as far from each other as any.
class bisection {
public:
    explicit bisection(const cell_graph& graph)
        : search_(graph), part_(static_cast<std::size_t>(graph.cells()), 0) {}

    std::vector<std::int32_t> into(int parts) {
        std::vector<std::int32_t> all(part_.size());
        std::iota(all.begin(), all.end(), 0);
        std::vector<group> waiting{{std::move(all), 0, parts}};
        while (!waiting.empty()) {
            group g = std::move(waiting.back());
            waiting.pop_back();
            if (g.parts == 1 || g.cells.empty()) continue;
            const int low = g.parts / 2;
            const std::vector<std::int32_t> order = across(g);
            const auto cut = order.begin() + std::ssize(order) * low / g.parts;
            waiting.push_back({{order.begin(), cut}, g.first, low});
            waiting.push_back({{cut, order.end()}, g.first + low, g.parts - low});
            for (const std::int32_t c : waiting.back().cells) part(c) = g.first + low;
        }
        return std::move(part_);
    }

private:
    struct group {
        std::vector<std::int32_t> cells;
        std::int32_t first;  // part; all of the cells are in it so far
        int parts;
    };
    std::int32_t& part(std::int32_t c) { return part_[static_cast<std::size_t>(c)]; }

    /// The group's cells from one end to the other, one connected piece after another.
    std::vector<std::int32_t> across(const group& g) {
        std::vector<std::int32_t> order;
        order.reserve(g.cells.size());
        const auto inside = [&](std::int32_t c) { return part(c) == g.first; };
        for (const std::int32_t start : g.cells) {
            if (!inside(start)) continue;
            const level_order from_end = search_.levels(search_.outermost(start, inside), inside);
            const level_order back = search_.levels(from_end.cells.back(), inside);
            append(order, from_end, back);
            for (const std::int32_t c : back.cells) part(c) = -1;  // done
        }
        for (const std::int32_t c : order) part(c) = g.first;
        return order;
    }

    void append(std::vector<std::int32_t>& order, const level_order& near, const level_order& far) {
        position_.resize(part_.size());
        for (std::size_t i = 0; i < near.cells.size(); ++i)
            position_[static_cast<std::size_t>(near.cells[i])] = near.distances[i];
        for (std::size_t i = 0; i < far.cells.size(); ++i)
            position_[static_cast<std::size_t>(far.cells[i])] -= far.distances[i];
        const auto begin = order.insert(order.end(), near.cells.begin(), near.cells.end());
        std::stable_sort(begin, order.end(), [this](std::int32_t a, std::int32_t b) {
            return position_[static_cast<std::size_t>(a)] < position_[static_cast<std::size_t>(b)];
        });
    }

    breadth_first search_;
    std::vector<std::int32_t> part_, position_;
};

bool balanced(const std::vector<std::int32_t>& part, int parts) {
    std::vector<index_t> sizes(static_cast<std::size_t>(parts), 0);
    for (const std::int32_t p : part) ++sizes[static_cast<std::size_t>(p)];
    const auto cells = static_cast<double>(part.size());
    return static_cast<double>(*std::max_element(sizes.begin(), sizes.end())) <=
           std::max(imbalance * cells / parts, std::ceil(cells / parts));
}

}  // namespace
}  // namespace meshes

std::vector<std::int32_t> partition(const mesh& m, int parts, partition_method method) {
    using namespace meshes;
    if (parts < 1) base::refuse("parts", "is " + std::to_string(parts), "1 or more");
    base::check_enumerator("partition", "method", method, partition_method::bisection);
    if (method == partition_method::metis && !has_metis())
        throw bad_argument("method: this Wale was built without METIS; expected bisection");
    const cell_graph graph(m);
    if (method != partition_method::bisection && has_metis() && parts > 1 && parts <= m.cells()) {
        std::vector<std::int32_t> part = metis_partition(graph, parts);
        if (method == partition_method::metis || balanced(part, parts)) return part;
    }
    return bisection(graph).into(parts);
}

}  // namespace wale
