// metis - multilevel k-way partition (Karypis and Kumar 1998).
#include <metis.h>

#include <limits>
#include <mutex>
#include <wale/error.hpp>

#include "mesh/partition.hpp"

namespace wale::meshes {

bool has_metis() noexcept {
    return true;
}

std::vector<std::int32_t> metis_partition(const cell_graph& graph, int parts) {
    if (graph.neighbours().size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
        throw bad_argument("mesh: has more neighbours than METIS's numbers reach; expected bisection");
    std::vector<idx_t> first(graph.offsets().begin(), graph.offsets().end());
    std::vector<idx_t> neighbour(graph.neighbours().begin(), graph.neighbours().end());
    std::vector<idx_t> part(static_cast<std::size_t>(graph.cells()));
    idx_t cells = static_cast<idx_t>(graph.cells()), weights = 1, count = parts, cut = 0;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_UFACTOR] = 20;  // parts up to 2% above the mean
    // It draws from rand(), which is the whole process's: two at once would disturb each other's parts.
    static std::mutex one_at_a_time;
    const std::lock_guard guard(one_at_a_time);
    const int outcome =
        METIS_PartGraphKway(&cells, &weights, first.data(), neighbour.data(), nullptr, nullptr, nullptr,
                            &count, nullptr, nullptr, options, &cut, part.data());
    if (outcome == METIS_ERROR_MEMORY) throw out_of_memory("METIS has too little memory", false);
    if (outcome != METIS_OK) throw error("METIS failed with code " + std::to_string(outcome));
    return {part.begin(), part.end()};
}

}  // namespace wale::meshes
