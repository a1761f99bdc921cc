// basins - cuda/basins: what it refuses, which type it runs, and the launch of the join.
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cuda/basins/join.cuh"
#include "solvers/reconstruction/reconstruct/shared/bounded.hpp"
#include "solvers/reconstruction/reconstruct/shared/one_tile.hpp"

#include "base/checked.hpp"

namespace wale::reconstruction {
namespace basins {

/// Each pixel type is compiled in a file of its own: u8.cu, u16.cu, ...
template <class T>
void run_type(const cuda::context& c, reconstruct_job& job);

namespace {

template <class Wide>
void join_with(const cuda::context& c, const graph<Wide>& given, const label_map& where) {
    const std::size_t row =
        tuning::choose("reconstruction/reconstruct/basins_join", join_policies, c.sm(), sizeof(Wide));
    tuning::with_row<join_policies, sizeof(Wide)>(row, [&]<int Row>() {
        constexpr join_policy p = join_policies[Row].policy;
        const auto kernel = join_tiles<Wide, Row>;
        const int resident = cuda::launch_limits::blocks(c, kernel, p.threads, 0);
        const index_t most = p.blocks == 0 ? 1 : index_t{std::min(resident, p.blocks)} * c.multiprocessors();
        // A block for as many edges as its threads take in four turns, if there are as many as there may be:
        // small graphs have one block, and barriers of few blocks are short.
        const index_t wanted = base::ceil_div(index_t{given.most_edges}, index_t{4} * p.threads * p.items);
        const auto blocks = static_cast<unsigned>(at_most(std::min(most, wanted)));
        graph<Wide> g = given;
        label_map labels = where;
        void* arguments[] = {&g, &labels};
        const auto* const code = reinterpret_cast<const void*>(kernel);
        if (blocks == 1)  // waits for no other, and a common launch takes less time
            cuda::check(cudaLaunchKernel(code, dim3(1), dim3(p.threads), arguments, 0, c.stream()));
        else
            cuda::check(
                cudaLaunchCooperativeKernel(code, dim3(blocks), dim3(p.threads), arguments, 0, c.stream()));
    });
}

/// Places of the tiles that cover one image: labels are addressed in 32 bits.
template <class Policies>
index_t places(const raster& r, const Policies& rows) {
    index_t most = 0;
    for (const auto& row : rows) {
        const tile_policy& p = row.policy;
        const index_t tiles = base::ceil_div(r.columns, index_t{p.columns}) *
                              base::ceil_div(r.rows, index_t{p.rows}) *
                              base::ceil_div(r.planes, index_t{p.planes});
        most = std::max(most, tiles * p.columns * p.rows * p.planes);
    }
    return most;
}

}  // namespace

void join(const cuda::context& c, const graph<std::uint32_t>& g, const label_map& where) {
    join_with(c, g, where);
}
void join(const cuda::context& c, const graph<std::uint64_t>& g, const label_map& where) {
    join_with(c, g, where);
}

}  // namespace basins

std::string refuses_basins(const reconstruct_job& job) {
    if (job.mask.type == pixel::bit) return refuses_bits(job);
    using namespace basins;
    const bool fits = job.mask.rank == 2 ? places(job.mask, flat_policies) <= most_pixels
                                         : places(job.mask, volume_policies) <= most_pixels;
    return fits ? "" : "takes images of at most 2^32 pixels";
}

void run_basins(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    const cuda::context context(job.where);
    visit(job.mask.type, [&]<class T>() { basins::run_type<T>(context, job); });
}

bool is_quick_in_tiles(const reconstruct_job& job) {
    constexpr index_t few = 2048;  // pixels of an image of bytes; bench/results/h200/atlas_reconstruction.csv
    const raster& r = job.mask;
    // Of two pixels in some direction all lie at the border.
    if (job.start == start_rule::border &&
        (std::min(r.rows, r.columns) <= 2 || (r.rank == 3 && r.planes <= 2)))
        return true;
    return is_one_tile(job) || (r.rank == 2 && bytes_of(r.type) == 1 && r.rows * r.columns <= few);
}

namespace {

/// Holes of all but the smallest images; volumes, and large images of domes of four bytes or more, where it
/// measured faster than tiles (bench/results/h200/reconstruction.csv); given markers that are flat where the
/// mask is not: values go long ways from the few that are not (up to 10 times faster than tiles, which visit
/// few pixels where all are near). Of markers that were not examined: images of several tiles up to a size at
/// which it loses little where values are near (8%), and wins 4 times where they are not.
bool suits(const reconstruct_job& job) {
    constexpr double flat = 0.75;
    constexpr index_t many = 1 << 18, most_unseen = 1 << 20;  // pixels of an image
    constexpr index_t thin = 32;                              // lines, half of a tile's
    const index_t pixels = job.mask.pixels() / std::max<index_t>(job.mask.images, 1);
    if (job.mask.rank == 3 || job.start == start_rule::border) return !is_quick_in_tiles(job);
    if (job.start != start_rule::given)
        return bytes_of(job.mask.type) >= 4 && pixels >= many &&
               std::min(job.mask.rows, job.mask.columns) >= thin;
    const bool unseen = job.flat_marker == reconstruct_job::not_looked_at && pixels <= most_unseen;
    return !is_quick_in_tiles(job) && (job.flat_marker > flat || unseen);
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_basins{
    "cuda/basins",
    "tiles contract to basins, edges at saddles, Boruvka's rounds to the source: no propagation, a bound",
    run_basins, refuses_basins, suits};

}  // namespace wale::reconstruction
