// level_order - levels one after the other, and the children of one parent together.
#include "solvers/tree/cable/shared/level_order.hpp"

#include "solvers/tree/cable/shared/host_session.hpp"

namespace wale::tree {

level_order::level_order(const cable_system& s) : size(s.size) {
    const auto n = static_cast<std::size_t>(size), lanes = static_cast<std::size_t>(lane_count());
    // Breadth first: levels one after the other, and the children of one parent together.
    std::vector<std::vector<std::int32_t>> children(n);
    for (std::size_t i = 1; i < n; ++i)
        children[static_cast<std::size_t>(s.parent[i])].push_back(static_cast<std::int32_t>(i));
    caller.assign(n > 0 ? 1 : 0, 0);
    for (std::size_t k = 0; k < caller.size(); ++k) {
        const std::vector<std::int32_t>& own = children[static_cast<std::size_t>(caller[k])];
        caller.insert(caller.end(), own.begin(), own.end());
    }
    place.resize(n);
    for (std::size_t k = 0; k < n; ++k)
        place[static_cast<std::size_t>(caller[k])] = static_cast<std::int32_t>(k);
    padded = static_cast<index_t>((n + lanes - 1) / lanes * lanes);
    axial.assign(static_cast<std::size_t>(padded), 0);
    parent.assign(n, 0);
    std::vector<char> channels(static_cast<std::size_t>(padded), 0);
    for (std::size_t k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(caller[k]);
        if (k > 0) parent[k] = place[static_cast<std::size_t>(s.parent[i])];
        axial[k] = s.axial[i];
        channels[k / lanes * lanes] |= static_cast<char>(s.active[i]);
    }
    for (std::size_t k = 0; k < channels.size(); ++k)
        if (channels[k]) active.push_back(static_cast<std::int32_t>(k));
}

}  // namespace wale::tree
