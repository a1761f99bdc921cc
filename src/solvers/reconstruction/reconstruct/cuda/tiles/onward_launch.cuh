// onward_launch - the launches of onward.cuh, for one pixel type.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles/onward.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles/run.cuh"

namespace wale::reconstruction::tiles {

/// What visits would have published of tiles that are at rest.
template <class T>
__global__ void __launch_bounds__(32 * onward_warps) publish_rims(const task<T> of) {
    using word = typename cell<T>::word;
    __shared__ word memory[onward_warps][side * pitch];
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    word* const own = memory[warp];
    const plane<const T> risen{of.risen.data, of.risen.row_stride, of.risen.image_stride, of.risen.vectors};
    const auto encode = [&](word w, int) { return of.code.encode(w); };
    for (std::uint32_t tile = blockIdx.x * onward_warps + static_cast<std::uint32_t>(warp);
         tile < of.work.tiles; tile += gridDim.x * onward_warps) {
        const tile_io<T> io{of.locate(tile), lane};
        io.load(of.mask, own, encode);
        __syncwarp();
        rims<T>::publish(of.mask_rims, tile, rims<T>::own(own, lane), lane, ~word{0});
        __syncwarp();
        io.load(risen, own, encode);
        __syncwarp();
        rims<T>::publish(of.risen_rims, tile, rims<T>::own(own, lane), lane, 0);
        if (lane == 0) of.work.state[tile] = idle;
        __syncwarp();
    }
}

/// No wake yet, and no first visits to come.
__global__ inline void start_list(worklist work) {
    *work.all = control{};
    work.all->head = work.tiles;
    work.all->settled = 0u - work.tiles;
}

template <class T>
struct onward_launch {
    const cuda::context& on;
    const reconstruct_job& job;
    index_t across, tiles;

    onward_launch(const cuda::context& c, const reconstruct_job& j)
        : on(c),
          job(j),
          across((j.mask.columns + cell<T>::columns - 1) / cell<T>::columns),
          tiles(across * ((j.mask.rows + cell<T>::rows - 1) / cell<T>::rows)) {
        if (tiles >= index_t{1} << 30) throw bad_argument("cuda/tiles: the images have 2^30 tiles or more");
    }
    [[nodiscard]] task<T> task_in(unsigned char* memory, index_t workers) const {
        task<T> t{plane_of(static_cast<const T*>(job.mask.data), job.mask),
                  {},
                  plane_of(static_cast<T*>(job.out.data), job.out),
                  codec<T>(recipe<T>(job)),
                  false,
                  true,
                  job.mask.rows,
                  job.mask.columns,
                  static_cast<int>(across),
                  static_cast<int>((job.mask.rows + cell<T>::rows - 1) / cell<T>::rows),
                  nullptr,
                  nullptr,
                  {}};
        layout<T>(tiles, workers).place_in(memory, t);
        t.work.workers = static_cast<std::uint32_t>(workers);
        t.work.jitter = hook("tiles", "jitter");
        t.work.withheld = hook("tiles", "withhold");
        return t;
    }
    /// f(kernel, threads of a block, shared memory of a block)
    template <class F>
    void with_kernel(std::size_t row, F&& f) const {
        tuning::with_row<tiles_policies, sizeof(T)>(row, [&]<int Row>() {
            constexpr int warps = tiles_policies[Row].policy.warps;
            const auto with = [&]<bool Wide>() {
                constexpr std::size_t shared = sizeof(typename cell<T>::word) * 2 * visitor<T, Wide>::words *
                                               static_cast<std::size_t>(warps);
                f(tiles_kernel<Row, T, Wide>, warps, shared);
            };
            if (job.reach == 2)
                with.template operator()<true>();
            else
                with.template operator()<false>();
        });
    }
};

template <class T>
onward<T>::onward(const cuda::context& on, const reconstruct_job& job)
    : job_(job),
      row_(tuning::choose("reconstruction/reconstruct/tiles", tiles_policies, on.sm(), sizeof(T))) {
    const onward_launch<T> launch(on, job_);
    across_ = launch.across;
    tiles_ = launch.tiles;
    launch.with_kernel(row_, [&](auto kernel, int warps, std::size_t shared) {
        blocks_ = resident_blocks(on, "tiles", kernel, warps, shared, tiles_);
        workers_ = index_t{blocks_} * warps;
    });
    memory_ = cuda::device_array<unsigned char>(layout<T>(tiles_, workers_).bytes(), on.device());
    const task<T> t = launch.task_in(memory_.data(), workers_);
    const auto blocks = static_cast<unsigned>(
        smaller((tiles_ + onward_warps - 1) / onward_warps, index_t{onward_blocks} * on.multiprocessors()));
    publish_rims<T><<<blocks, 32 * onward_warps, 0, on.stream()>>>(t);
    cuda::check_launch();
}

template <class T>
wake_list onward<T>::queue_start(const cuda::context& on) const {
    const onward_launch<T> launch(on, job_);
    const task<T> t = launch.task_in(memory_.data(), workers_);
    const std::size_t slots = std::size_t{t.work.slot_mask} + 1;
    cuda::check(cudaMemsetAsync(t.work.slots, 0, slots * sizeof(std::uint32_t), on.stream()));
    start_list<<<1, 1, 0, on.stream()>>>(t.work);
    cuda::check_launch();
    return {t.work, t.across, cell<T>::rows, cell<T>::columns};
}

template <class T>
void onward<T>::queue(const cuda::context& on) const {
    const onward_launch<T> launch(on, job_);
    const task<T> t = launch.task_in(memory_.data(), workers_);
    launch.with_kernel(row_, [&](auto kernel, int warps, std::size_t shared) {
        kernel<<<blocks_, 32 * warps, shared, on.stream()>>>(t);
        cuda::check_launch();
    });
}

template <class T>
void onward<T>::finish(const cuda::context& on) const {
    const onward_launch<T> launch(on, job_);
    const task<T> t = launch.task_in(memory_.data(), workers_);
    std::uint32_t failed = none;
    cuda::read_back(on, &failed, &t.work.all->failed, sizeof failed);
    if (failed != none) throw device_error("cuda/tiles: a wait for another tile ran out");
}

}  // namespace wale::reconstruction::tiles
