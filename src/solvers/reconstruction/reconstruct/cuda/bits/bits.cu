// bits - launches the three kernels.
#include "solvers/reconstruction/reconstruct/cuda/bits/bits.cuh"

#include <string>

#include "cuda/stream.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/shared/one_tile.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace {

using namespace bits;

[[nodiscard]] index_t parts(index_t size, index_t part) {
    return (size + part - 1) / part;
}

[[nodiscard]] pixels pixels_of(const const_image_view& p) {
    const bool vectors = reinterpret_cast<std::uintptr_t>(p.data) % 16 == 0 && p.row_stride % 16 == 0 &&
                         p.image_stride % 16 == 0;
    return {p.data, p.row_stride, p.image_stride, p.type != pixel::bit, vectors};
}

[[nodiscard]] std::size_t chosen_row(int sm) {
    return tuning::choose("reconstruction/reconstruct/bits", bits_tile_policies, sm, 0);
}

[[nodiscard]] index_t tiles_of(const raster& r, const bits_tile_policy& p) {
    return r.images * parts(r.rows, p.rows) * parts(r.columns, 32 * p.words);
}

[[nodiscard]] task task_of(const reconstruct_job& job) {
    task t{};
    t.marker = pixels_of(job.marker);
    t.mask = pixels_of(job.mask);
    t.out = pixels_of(job.out);
    t.images = job.mask.images;
    t.rows = job.mask.rows;
    t.columns = job.mask.columns;
    t.row_words = parts(t.columns, 32);
    t.eight = job.reach > 1;
    t.mirror = job.method == reconstruction_method::erosion;
    t.start = job.start;
    t.finish = job.finish;
    return t;
}

template <int Row>
void run_kernels(const cuda::context& on, task t, index_t tiles) {
    using shape = tile<Row>;
    t.tiles_down = static_cast<std::uint32_t>(parts(t.rows, shape::rows));
    t.tiles_across = static_cast<std::uint32_t>(parts(t.columns, shape::columns));
    const auto blocks = static_cast<unsigned>(tiles);
    label_tiles<Row><<<blocks, shape::threads, 0, on.stream()>>>(t);
    cuda::check_launch();
    if (const line_blocks between(t); between.all > 0) {
        merge_tiles<Row><<<between.all, bits_merge_threads, 0, on.stream()>>>(t, between);
        cuda::check_launch();
    }
    fill_tiles<Row><<<blocks, shape::threads, 0, on.stream()>>>(t);
    cuda::check_launch();
}

std::string refusal(const reconstruct_job& job) {
    if (const std::string grey = refuses_grey(job); !grey.empty()) return grey;
    if (job.mask.rank == 3) return refuses_volumes(job);
    constexpr index_t most_edges = index_t{1} << 31;
    const cuda::context on(job.where);
    const bits_tile_policy p = bits_tile_policies[chosen_row(on.sm())].policy;
    if (tiles_of(job.mask, p) >= most_edges / (64 * p.words + 2 * p.rows))
        return "has 31-bit numbers for the pixels on edges of tiles";
    return {};
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    const cuda::context on(job.where);
    const std::size_t row = chosen_row(on.sm());
    const bits_tile_policy p = bits_tile_policies[row].policy;
    task t = task_of(job);
    const index_t words = t.images * t.rows * t.row_words, tiles = tiles_of(job.mask, p);
    const cuda::scratch<std::uint32_t> packed(on, 2 * words);
    const cuda::scratch<std::uint16_t> runs(on, runs_of_word * words);
    const cuda::scratch<std::uint32_t> parents(on, 1 + tiles * (64 * p.words + 2 * p.rows));
    t.packed_mask = packed.data();
    t.filled = packed.data() + words;
    t.runs = runs.data();
    t.parents = parents.data();
    const auto queue = [&] {
        tuning::with_row<bits_tile_policies, 0>(row, [&]<int Row>() { run_kernels<Row>(on, t, tiles); });
    };
    job.result->run.policy = "tile=" + std::to_string(p.rows) + "x" + std::to_string(32 * p.words);
    job.result->run.iterations = 1;
    job.result->tile_visits = 2 * tiles;
    if (job.asynchronous) return queue();
    cuda::timer time(on);
    queue();
    job.result->run.compute_seconds = time.stop();
}

/// Not bytes of one tile: three launches take longer there than one, where runs are many.
bool suits(const reconstruct_job& job) {
    return job.mask.type == pixel::bit || !is_one_tile(job);
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_bits{
    "cuda/bits",
    "binary: runs of 32-pixel words joined by union-find in tiles, then across them: no propagation, a bound",
    run, refusal, suits};

}  // namespace wale::reconstruction
