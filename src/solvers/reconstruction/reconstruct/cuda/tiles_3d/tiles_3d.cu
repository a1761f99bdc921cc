// tiles_3d - launches the first pass, the persistent warps and the last pass.
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/tiles_3d.cuh"

#include "cuda/queued_read.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/passes.cuh"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace tiles_3d {
namespace {

/// States, ring and counters, in one piece that one memset clears.
struct list_memory {
    index_t tiles, slots;
    list_memory(index_t tiles_, index_t workers)
        : tiles(tiles_),
          slots(static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(larger(tiles_, workers))))) {}
    [[nodiscard]] index_t bytes() const {
        return static_cast<index_t>(sizeof(tiles::control)) + 4 * (slots + tiles);
    }
    [[nodiscard]] tiles::worklist in(unsigned char* memory, index_t workers) const {
        tiles::worklist work{};
        work.all = reinterpret_cast<tiles::control*>(memory);
        work.slots = reinterpret_cast<std::uint32_t*>(memory + sizeof(tiles::control));
        work.state = work.slots + slots;
        work.slot_mask = static_cast<std::uint32_t>(slots - 1);
        work.tiles = static_cast<std::uint32_t>(tiles);
        work.workers = static_cast<std::uint32_t>(workers);
        work.jitter = tiles::hook("tiles_3d", "jitter");
        work.withheld = tiles::hook("tiles_3d", "withhold");
        return work;
    }
};

template <class T>
[[nodiscard]] bool has_words(const const_image_view& p) {
    const auto whole = [](index_t elements) { return elements * static_cast<index_t>(sizeof(T)) % 4 == 0; };
    return reinterpret_cast<std::uintptr_t>(p.data) % 4 == 0 && (p.rows <= 1 || whole(p.row_stride)) &&
           (p.planes <= 1 || whole(p.plane_stride)) && (p.images <= 1 || whole(p.image_stride));
}

template <int Row, class T, int Reach>
class run {
public:
    explicit run(reconstruct_job& job, const cuda::context& on) : job_(job), on_(on) {}

    void operator()() const {
        const grid<T> cut(job_.mask, p.planes);
        const unsigned blocks =
            tiles::resident_blocks(on_, "tiles_3d", settle_tiles<Row, T, Reach>, p.warps, shared, cut.tiles);
        const index_t workers = index_t{blocks} * p.warps;
        const list_memory list(cut.tiles, workers);
        const cuda::scratch<unsigned char> memory(on_, list.bytes());
        const cuda::scratch<word> mask(on_, cut.words()), risen(on_, cut.words());
        const task<T> of{mask.data(),
                         risen.data(),
                         static_cast<int>(cut.tiles_x),
                         static_cast<int>(cut.tiles_y),
                         static_cast<int>(cut.tiles_z),
                         list.in(memory.data(), workers)};
        const auto queue = [&] {
            memory.fill_bytes(0);
            queue_all(of, cut, blocks, mask.data(), risen.data());
        };
        job_.result->run.policy = "tile=" + std::to_string(pack<T>::columns) + "x" + std::to_string(rows) +
                                  "x" + std::to_string(p.planes) + " warps=" + std::to_string(p.warps);
        if (job_.asynchronous) return queue();
        tiles::control all{};
        const cuda::queued_read left(on_, of.work.all, sizeof all);
        cuda::timer watch(on_);
        queue();
        job_.result->run.compute_seconds = watch.stop(left);
        left.copy_to(&all);
        job_.result->tile_visits = all.visits;
        if (all.failed != tiles::none) throw device_error("cuda/tiles_3d: a wait for another tile ran out");
    }

private:
    using word = typename pack<T>::word;
    static constexpr policy p = policies[Row].policy;
    static constexpr std::size_t shared =
        sizeof(word) * 2 * visitor<T, p.planes, Reach>::words * static_cast<std::size_t>(p.warps);

    void queue_all(const task<T>& of, const grid<T>& cut, unsigned blocks, word* mask, word* risen) const {
        const bool out_words = job_.finish != finish_rule::flag && has_words<T>(job_.out);
        const pass<T> ends{
            typed_job<T>(job_), cut, {has_words<T>(job_.mask), has_words<T>(job_.marker), out_words}};
        const auto pass_grid = static_cast<unsigned>(
            smaller(cut.tiles * index_t{cut.planes}, index_t{pass_blocks} * on_.multiprocessors()));
        start_tiles<<<pass_grid, pass_threads, 0, on_.stream()>>>(ends, mask, risen);
        cuda::check_launch();
        settle_tiles<Row, T, Reach><<<blocks, 32 * p.warps, shared, on_.stream()>>>(of);
        cuda::check_launch();
        finish_tiles<<<pass_grid, pass_threads, 0, on_.stream()>>>(ends, mask, risen);
        cuda::check_launch();
    }

    reconstruct_job& job_;
    const cuda::context& on_;
};

template <class T>
void run_typed(reconstruct_job& job) {
    const cuda::context on(job.where);
    const auto row = tuning::choose("reconstruction/reconstruct/tiles_3d", policies, on.sm(), sizeof(T));
    tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
        if (job.reach == 1) return run<Row, T, 1>(job, on)();
        if (job.reach == 2) return run<Row, T, 2>(job, on)();
        run<Row, T, 3>(job, on)();
    });
}

}  // namespace
}  // namespace tiles_3d

namespace {

std::string refusal(const reconstruct_job& job) {
    if (job.mask.rank != 3) return "takes volumes only";
    return refuses_bits(job);
}

void run(reconstruct_job& job) {
    if (job.mask.pixels() == 0) return;
    visit(job.mask.type, [&]<class T>() { tiles_3d::run_typed<T>(job); });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cuda_tiles_3d{
    "cuda/tiles_3d",
    "volumes: asynchronous worklist of tiles in shared memory, sweeps through planes, rows and columns", run,
    refusal};

}  // namespace wale::reconstruction
