// run - launches the persistent warps and the pass that finishes, for one pixel type.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <string>

#include "cuda/queued_read.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles/tiles.cuh"
#include "solvers/reconstruction/reconstruct/shared/bounded.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction::tiles {

template <class T>
[[nodiscard]] plane<T> plane_of(T* data, const raster& r) {
    const bool vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
                         r.row_stride * static_cast<index_t>(sizeof(T)) % 16 == 0 &&
                         (r.images <= 1 || r.image_stride * static_cast<index_t>(sizeof(T)) % 16 == 0);
    return {data, r.row_stride, r.image_stride, vectors};
}

/// Rims, states, ring and counters, in one piece that one memset clears.
template <class T>
struct layout {
    using word = typename cell<T>::word;
    index_t tiles, slots, rim_words;
    layout(index_t tiles_, index_t workers)
        : tiles(tiles_),
          slots(static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(larger(tiles_, workers))))),
          rim_words(tiles_ * rims<T>::lines * side) {}
    [[nodiscard]] index_t bytes() const {
        return static_cast<index_t>(sizeof(control)) + 2 * rim_words * static_cast<index_t>(sizeof(word)) +
               4 * (slots + tiles);
    }
    void place_in(unsigned char* memory, task<T>& t) const {
        t.work.all = reinterpret_cast<control*>(memory);
        t.risen_rims = reinterpret_cast<word*>(memory + sizeof(control));
        t.mask_rims = t.risen_rims + rim_words;
        t.work.slots = reinterpret_cast<std::uint32_t*>(t.mask_rims + rim_words);
        t.work.state = t.work.slots + slots;
        t.work.slot_mask = static_cast<std::uint32_t>(slots - 1);
        t.work.tiles = static_cast<std::uint32_t>(tiles);
    }
};

template <class T, class Out>
void finish(const cuda::context& on, const reconstruct_job& job, const plane<const T>& risen) {
    const index_t lines = job.mask.images * job.mask.rows;
    const index_t parts = (job.mask.columns + tiles_finish_threads - 1) / tiles_finish_threads;
    const dim3 grid(static_cast<unsigned>(smaller(parts, index_t{1024})),
                    static_cast<unsigned>(smaller(lines, index_t{32768})));
    tiles_finish_kernel<T, Out><<<grid, tiles_finish_threads, 0, on.stream()>>>(
        plane_of(static_cast<const T*>(job.mask.data), job.mask), risen,
        plane_of(static_cast<Out*>(job.out.data), job.out), recipe<T>(job), job.mask.images, job.mask.rows,
        job.mask.columns);
    cuda::check_launch();
}

template <class T>
class tiles_run {
public:
    explicit tiles_run(reconstruct_job& job) : job_(job), on_(job.where) {}

    void operator()() {
        const auto row =
            tuning::choose("reconstruction/reconstruct/tiles", tiles_policies, on_.sm(), sizeof(T));
        tuning::with_row<tiles_policies, sizeof(T)>(row, [&]<int Row>() {
            if (job_.reach == 2)
                propagate<Row, true>();
            else
                propagate<Row, false>();
        });
    }

private:
    /// J lies in the output where that holds keys of the mask's type.
    [[nodiscard]] bool needs_scratch() const { return job_.finish == finish_rule::flag && sizeof(T) > 1; }
    /// The output then holds I - J from the first visit on: no last pass.
    [[nodiscard]] bool keeps_residue() const {
        return job_.finish == finish_rule::residue && cell<T>::paired;
    }

    template <int Row, bool Wide>
    void propagate() {
        constexpr tiles_policy policy = tiles_policies[Row].policy;
        const raster& shape = job_.mask;
        const index_t across = (shape.columns + cell<T>::columns - 1) / cell<T>::columns;
        const index_t down = (shape.rows + cell<T>::rows - 1) / cell<T>::rows;
        const index_t tiles = across * down * shape.images;
        if (tiles >= index_t{1} << 30) throw bad_argument("cuda/tiles: the images have 2^30 tiles or more");
        parts_ = static_cast<std::uint64_t>(tiles);
        task<T> t{plane_of(static_cast<const T*>(job_.mask.data), job_.mask),
                  plane_of(static_cast<const T*>(job_.marker.data), job_.marker),
                  plane_of(static_cast<T*>(job_.out.data), job_.out),
                  codec<T>(recipe<T>(job_)),
                  keeps_residue(),
                  false,
                  shape.rows,
                  shape.columns,
                  static_cast<int>(across),
                  static_cast<int>(down),
                  nullptr,
                  nullptr,
                  {}};
        t.work.tiles = static_cast<std::uint32_t>(tiles);
        describe(policy.warps);
        const bool tested = time_limit(tiles) == 0 || hook("tiles", "withhold") != 0;
        if (tiles == shape.images && writes_at_once() && !tested) return visit_once<Wide>(t);
        constexpr auto kernel = tiles_kernel<Row, T, Wide>;
        constexpr std::size_t shared = sizeof(typename cell<T>::word) * 2 * visitor<T, Wide>::words *
                                       static_cast<std::size_t>(policy.warps);
        const unsigned blocks = resident_blocks(on_, "tiles", kernel, policy.warps, shared, tiles);
        const index_t workers = index_t{blocks} * policy.warps;
        const layout<T> parts(tiles, workers);
        const cuda::scratch<unsigned char> memory(on_, parts.bytes());
        raster kept = job_.mask;
        kept.pack();
        const cuda::scratch<T> values(on_, needs_scratch() ? kept.span_elements() : 0);
        if (needs_scratch()) t.risen = plane_of(values.data(), kept);
        const plane<const T> risen{t.risen.data, t.risen.row_stride, t.risen.image_stride, t.risen.vectors};
        parts.place_in(memory.data(), t);
        t.work.workers = static_cast<std::uint32_t>(workers);
        t.work.budget = budget(tiles);
        t.work.time_limit = t.work.budget == 0 ? 0 : time_limit(tiles);
        t.work.jitter = hook("tiles", "jitter");
        t.work.withheld = hook("tiles", "withhold");
        const auto work = [&] {
            memory.fill_bytes(0);
            kernel<<<blocks, 32 * policy.warps, shared, on_.stream()>>>(t);
            cuda::check_launch();
            finish_all(risen);
        };
        if (job_.asynchronous) return work();
        const cuda::queued_read left(on_, &t.work.all->failed, sizeof(control) - offsetof(control, failed));
        cuda::timer time(on_);
        work();
        job_.result->run.compute_seconds = time.stop(left);
        take(left);
    }

    /// Whether a tile's own visits leave the answer.
    [[nodiscard]] bool writes_at_once() const { return job_.finish == finish_rule::value || keeps_residue(); }
    template <bool Wide>
    void visit_once(const task<T>& t) {
        std::optional<cuda::timer> time;
        if (!job_.asynchronous) time.emplace(on_);
        const unsigned blocks = (t.work.tiles + lone_tile_warps - 1) / lone_tile_warps;
        tiles_lone<T, Wide><<<blocks, 32 * lone_tile_warps, 0, on_.stream()>>>(t);
        cuda::check_launch();
        job_.result->tile_visits = static_cast<index_t>(parts_);
        job_.result->run.iterations = 1;
        if (time) job_.result->run.compute_seconds = time->stop();
    }

    /// Of visits; 0 where basins cannot take over: it starts again, and so needs the marker and an answer.
    [[nodiscard]] std::uint32_t budget(index_t tiles) const {
        const bool overwritten = job_.start == start_rule::given && job_.marker.data == job_.out.data;
        if (job_.asynchronous || overwritten || !refuses_basins(job_).empty()) return 0;
        if (const std::uint32_t wanted = hook("tiles", "budget"); wanted != 0) return wanted;
        return static_cast<std::uint32_t>(
            smaller(larger(index_t{tiles_budget} * tiles, index_t{tiles_least_budget}), index_t{1} << 31));
    }
    /// Tests that ask for a budget, for pauses or for few blocks want no clock beside it.
    [[nodiscard]] static std::uint64_t time_limit(index_t tiles) {
        for (const char* asked : {"budget", "jitter", "max_blocks"})
            if (hook("tiles", asked) != 0) return 0;
        return static_cast<std::uint64_t>(tiles_least_time_limit + index_t{tiles_time_limit} * tiles);
    }
    void finish_all(const plane<const T>& risen) const {
        if (job_.finish == finish_rule::residue && !keeps_residue()) finish<T, T>(on_, job_, risen);
        if (job_.finish == finish_rule::flag) finish<T, std::uint8_t>(on_, job_, risen);
    }
    void describe(int warps) const {
        report& r = job_.result->run;
        r.policy = "tile=" + std::to_string(cell<T>::columns) + "x" + std::to_string(cell<T>::rows) +
                   " warps=" + std::to_string(warps);
    }
    void take(const cuda::queued_read& left) const {
        control all{};
        left.copy_to(&all.failed);
        job_.result->tile_visits = all.visits;
        job_.result->run.iterations = static_cast<index_t>(all.sweeps * tiles_chunk / (side * parts_));
        if (all.failed == wait_ran_out) throw device_error("cuda/tiles: a wait for another tile ran out");
        if (all.failed == over_budget) finish_by_basins();
    }

    void finish_by_basins() const {
        report& run = job_.result->run;
        const double spent = run.compute_seconds;
        const std::string policy = run.policy;
        run_basins(job_);
        run.compute_seconds += spent;
        run.policy = policy + ", then basins: " + run.policy;
        job_.result->guarded = true;
    }

    reconstruct_job& job_;
    cuda::context on_;
    std::uint64_t parts_ = 1;  // tiles
};

template <class T>
void run_tiles(reconstruct_job& job) {
    tiles_run<T>{job}();
}

}  // namespace wale::reconstruction::tiles
