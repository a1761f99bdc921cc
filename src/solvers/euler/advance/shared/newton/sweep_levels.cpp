// sweep_levels - a cell's level is one more than the latest of its earlier neighbours'; its colour is the
// least that none of them has.
#include "solvers/euler/advance/shared/newton/sweep_levels.hpp"

#include <algorithm>

namespace wale::euler {
namespace {

/// Of each cell in the mesh's own order choose(levels of the earlier neighbours).
template <class Choose>
sweep_levels sweep_of(const flow_system& system, const Choose& choose) {
    const mesh& m = system.grid;
    const auto cells = static_cast<std::size_t>(m.cells());
    sweep_levels s;
    s.in_order.resize(cells);
    s.level.resize(cells);
    s.cells.resize(cells);
    for (index_t c = 0; c < m.cells(); ++c)
        s.in_order[static_cast<std::size_t>(system.number_of(c))] = static_cast<std::int32_t>(c);
    std::vector<index_t> size;
    std::vector<std::int32_t> before;
    for (const std::int32_t c : s.in_order) {
        const auto cell = static_cast<std::size_t>(c);
        before.clear();
        for (auto r = static_cast<std::size_t>(m.first_face[cell]);
             r < static_cast<std::size_t>(m.first_face[cell + 1]); ++r) {
            const std::int32_t other = m.neighbour[r];
            if (!is_patch(other) && system.number_of(other) < system.number_of(c))
                before.push_back(s.level[static_cast<std::size_t>(other)]);
        }
        const std::int32_t level = s.level[cell] = choose(before);
        if (static_cast<std::size_t>(level) >= size.size()) size.resize(static_cast<std::size_t>(level) + 1);
        ++size[static_cast<std::size_t>(level)];
    }
    s.first.assign(size.size() + 1, 0);
    for (std::size_t l = 0; l < size.size(); ++l) s.first[l + 1] = s.first[l] + size[l];
    std::vector<index_t> next(s.first.begin(), s.first.end() - 1);
    for (const std::int32_t c : s.in_order) {
        const auto level = static_cast<std::size_t>(s.level[static_cast<std::size_t>(c)]);
        s.cells[static_cast<std::size_t>(next[level]++)] = c;
    }
    return s;
}

}  // namespace

sweep_levels sweep_levels_of(const flow_system& system) {
    return sweep_of(system, [](const std::vector<std::int32_t>& before) {
        std::int32_t level = 0;
        for (const std::int32_t other : before) level = std::max(level, other + 1);
        return level;
    });
}

sweep_levels sweep_colours_of(const flow_system& system) {
    return sweep_of(system, [](const std::vector<std::int32_t>& before) {
        std::int32_t colour = 0;
        while (std::ranges::find(before, colour) != before.end()) ++colour;
        return colour;
    });
}

}  // namespace wale::euler
