// tiles - the row cuda/tiles: what it takes, what suits it, and the pixel types.
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/shared/bounded.hpp"
#include "solvers/reconstruction/reconstruct/shared/one_tile.hpp"

namespace wale::reconstruction {
namespace tiles {

/// Each pixel type is compiled in a file of its own: u8.cu, u16.cu, ...
template <class T>
void run_tiles(reconstruct_job& job);

}  // namespace tiles

bool is_one_tile(const reconstruct_job& job) {
    const index_t bytes = bytes_of(job.mask.type), rows = bytes > 2 ? 32 : 64, columns = bytes > 1 ? 32 : 64;
    return job.mask.rank == 2 && job.mask.rows <= rows && job.mask.columns <= columns;
}

namespace {

std::string refusal(const reconstruct_job& job) {
    const std::string bits = refuses_bits(job);
    return bits.empty() ? refuses_volumes(job) : bits;
}

/// Domes settle in a few visits a tile. Holes drain along long ways, which basins do not walk.
bool suits(const reconstruct_job& job) {
    return job.start != start_rule::border || is_quick_in_tiles(job) || !refuses_basins(job).empty();
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    visit(job.mask.type, [&]<class T>() { tiles::run_tiles<T>(job); });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_tiles{
    "cuda/tiles",
    "asynchronous worklist of tiles in shared memory; a tile wakes those neighbours that can rise", run,
    refusal, suits};

}  // namespace wale::reconstruction
