// thomas_one_pass - launches the sweep.
#include <algorithm>
#include <optional>

#include "cuda/brief_timer.cuh"
#include "solvers/tree/chains/cuda/thomas_one_pass/sweep.cuh"
#include "solvers/tree/chains/shared/refusals.hpp"
#include "solvers/tree/elimination/cuda/tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::tree {
namespace one_pass {
namespace {

/// Systems beside each other in memory, and how many of them may be one word.
index_t neighbours(const vector_shape& s) {
    return s.layout == vector_layout::block_interleaved ? s.width : s.count;
}
bool allows_words(const chain_job& job, int words) {
    const auto bytes = static_cast<std::uintptr_t>(words * bytes_of(job.a.type()));
    const auto aligned = [&](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; };
    return job.a.shape().step() % words == 0 && job.a.systems() % words == 0 && aligned(job.a.lower.data) &&
           aligned(job.a.diagonal.data) && aligned(job.a.upper.data) && aligned(job.rhs.data) &&
           aligned(job.solution.data);
}

bool fits(const tuning::row<tile_policy>& row, const chain_job& job, int sm) {
    const tile_policy& p = row.policy;
    return sm >= row.from_sm && (row.element_size == 0 || row.element_size == bytes_of(job.a.type())) &&
           p.pivoted == (job.pivoting == pivoting::partial) && job.a.shape().size <= p.most_rows() &&
           allows_words(job, p.words);
}

/// The number of the row for a job, or none.
std::optional<std::size_t> choose(const chain_job& job, int sm) {
    for (std::size_t i = 0; i < std::size(tiles); ++i) {
        if (!fits(tiles[i], job, sm)) continue;
        const auto asked = tuning::overridden("tree/chains/thomas_one_pass", std::size(tiles), i);
        return fits(tiles[asked], job, sm) ? asked : i;
    }
    return std::nullopt;
}

struct grid {
    int chunks, ranks, blocks;
    std::size_t bytes;
};

template <class T, int Row>
grid prepare(const cuda::context& here, index_t rows, index_t tiles_of_job) {
    constexpr tile_policy p = tiles[Row].policy;
    const auto kernel = sweep<T, Row>;
    grid g{};
    const int chunks = static_cast<int>((rows + p.rows - 1) / p.rows);
    for (g.ranks = 1; g.ranks * p.chunks < chunks;) g.ranks *= 2;
    g.chunks = (chunks + g.ranks - 1) / g.ranks;
    g.bytes = static_cast<std::size_t>(shape_of_sweep<T, Row>::bytes(g.chunks, g.ranks));
    using limits = cuda::launch_limits;
    const int threads = g.chunks * p.lanes;
    const int together =  // clusters that are resident at a time
        g.ranks == 1 ? here.multiprocessors() * limits::blocks(here, kernel, threads, g.bytes)
                     : limits::clusters(here, kernel, g.ranks, threads, g.bytes);
    if (together == 0) throw device_error("cuda/thomas_one_pass: no multiprocessor can hold a block");
    g.blocks = static_cast<int>(std::min<index_t>(tiles_of_job, together)) * g.ranks;
    return g;
}

template <class T, int Row>
void launch(const cuda::context& here, sweep_job<T> work) {
    const grid g = prepare<T, Row>(here, work.at.size, work.tiles);
    work.chunks = g.chunks;
    work.ranks = g.ranks;
    // A cluster has two tiles before it asks for a third one.
    const cuda::scratch<unsigned> next_tile(here, work.tiles > 2 * (g.blocks / g.ranks) ? 1 : 0);
    next_tile.fill_bytes(0);
    work.next_tile = next_tile.data();
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(g.ranks), 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(g.blocks));
    config.blockDim = dim3(static_cast<unsigned>(g.chunks * tiles[Row].policy.lanes));
    config.dynamicSmemBytes = g.bytes;
    config.stream = here.stream();
    config.attrs = &cluster;
    config.numAttrs = g.ranks > 1 ? 1 : 0;
    cuda::check(cudaLaunchKernelEx(&config, sweep<T, Row>, work));
}

template <class T>
sweep_job<T> sweep_of(const chain_job& job) {
    const chain_matrix& a = job.a;
    const auto elements = [](const const_vectors& v) { return static_cast<const T*>(v.data); };
    const index_t step = a.shape().step();
    sweep_job<T> work{};
    work.low = a.transposed ? elements(a.upper) - step : elements(a.lower);
    work.middle = elements(a.diagonal);
    work.up = a.transposed ? elements(a.lower) + step : elements(a.upper);
    work.rhs = elements(job.rhs);
    work.solution = static_cast<T*>(job.solution.data);
    work.at = places_of(a.shape(), nullptr);
    return work;
}

template <class T>
void solve(chain_job& job) {
    const cuda::context here(job.where);
    const std::size_t row = choose(job, here.sm()).value();
    const status_of_call status(here, job.status, job.a.systems(), job.asynchronous);
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(here);
    sweep_job<T> work = sweep_of<T>(job);
    work.bad = status.on_device();
    tuning::with_number<std::size(tiles)>(row, [&]<int Row>() {
        if constexpr (tiles[Row].element_size == 0 || tiles[Row].element_size == sizeof(T)) {
            constexpr index_t width = shape_of_sweep<T, Row>::width;
            work.tiles = (work.at.count + width - 1) / width;
            if (work.at.size > 0) launch<T, Row>(here, work);
        }
    });
    const tile_policy& p = tiles[row].policy;
    job.result->run.policy = "rows=" + std::to_string(p.rows) +
                             ",systems=" + std::to_string(p.lanes * p.words) +
                             ",ahead=" + std::to_string(p.ahead);
    job.result->run.iterations = 1;
    if (!timer) return;
    job.result->run.compute_seconds = timer->stop(status.words());
    status.report(*job.result);
}

}  // namespace
}  // namespace one_pass

std::string refuses_one_pass(const chain_job& job) {
    const vector_shape& s = job.a.shape();
    if (job.a.periodic) return "periodic systems";
    if (!job.uniform()) return "a matrix shared by several right sides, or vectors that lie differently";
    if (s.ragged() ||
        (s.layout != vector_layout::interleaved && s.layout != vector_layout::block_interleaved))
        return "vectors that are not interleaved";
    if (!one_pass::choose(job, cuda::context(job.where).sm()))
        return "more rows than a cluster of blocks holds";
    return "";
}

namespace {

bool suits_one_pass(const chain_job& job) {
    constexpr index_t sector = 32;  // bytes: what memory hands out at least
    const index_t size = job.a.shape().size, count = job.rhs.count;
    if (thomas::suits_held(job.a.shape())) return false;
    // Few systems: two passes of a thread each take as long as a thread takes for the rows of a system.
    if (count <= 8192) return true;
    if (one_pass::neighbours(job.a.shape()) * bytes_of(job.a.type()) < sector) return false;
    if (job.pivoting == pivoting::none) return true;
    using one_pass::pivoted_sizes;
    const int sm = cuda::context(job.where).sm(), element = static_cast<int>(bytes_of(job.a.type()));
    const one_pass::pivoted_policy& p = pivoted_sizes[tuning::pick(pivoted_sizes, sm, element)].policy;
    const index_t rows = job.a.shape().size;
    return rows <= p.largest || (rows <= p.largest_whole && rows % p.whole == 0);
}

void solve_one_pass(chain_job& job) {
    if (job.workspace) {
        *job.workspace = 0;
        return;
    }
    if (job.a.systems() == 0) return;
    with_type(job.a.type(), [&](auto zero) { one_pass::solve<decltype(zero)>(job); });
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cuda_thomas_one_pass{
    "cuda/thomas_one_pass",
    "interleaved: a lane a system, chunks of its rows in the registers of warps, one pass", solve_one_pass,
    refuses_one_pass, suits_one_pass};

}  // namespace wale::tree
