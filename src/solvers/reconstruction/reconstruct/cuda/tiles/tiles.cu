// tiles - the row cuda/tiles: what it takes, what suits it, and the pixel types.
#include "solvers/reconstruction/reconstruct/cuda/rows.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles/types.hpp"
#include "solvers/reconstruction/visit.hpp"

namespace wale::reconstruction {

std::string refuses_tiles(const reconstruct_job& job) {
    const std::string bits = refuses_bits(job);
    return bits.empty() ? refuses_volumes(job) : bits;
}

// Domes settle in a few visits a tile. Holes drain along long ways, which basins do not walk.
bool suits_tiles(const reconstruct_job& job) {
    return job.start != start_rule::border || !refuses_basins(job).empty();
}

void reconstruct_tiles(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    visit(job.mask.type, [&]<class T>() { tiles::run_tiles<T>(job); });
}

}  // namespace wale::reconstruction
