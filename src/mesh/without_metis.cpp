// without_metis - what a Wale says of METIS that was built without it.
#include <wale/error.hpp>

#include "mesh/graph.hpp"

namespace wale::meshes {

bool has_metis() noexcept {
    return false;
}

std::vector<std::int32_t> metis_partition(const cell_graph&, int) {
    throw bad_argument("method: this Wale was built without METIS");
}

}  // namespace wale::meshes
