// lanes - what cuda/hyperlane, hyperlane_flags and hyperlane_streams share: skewed tiles in shared memory.
// One block computes a row of tiles (a lane). A tile is a parallelogram of `columns` antidiagonals with one
// cell a thread, so every thread has a cell in each step inside the lane. The first and the last tile are
// half rectangles (their corners lie beside the table), the last may be short. Only the cells of the tile are
// written back, in runs along the rows. After Li & Schwiebert 2020 and PeerWave (Belviranli et al. 2015),
// with one counter a lane, or PeerWave's flag a tile.
//
// Who:   blocks take lanes by ticket, from the top (or get one by launch, lanes launched from the top).
// Waits: before a tile, for as many tiles of the lane above as the top edge of the tile needs.
// Why no deadlock: by ticket, see schedule/ready_rows.hpp. By launches: one host thread launches lane after
// lane, so
//        any queue, be it a stream or several streams that the device makes one queue of, holds its lanes in
//        order and the lowest unfinished lane is never behind a higher one; a stream runs one block at a time
//        and there are no more streams than blocks fit, so the block of that lane is resident. A bounded wait
//        raises `failed`.
// Why this order: the cells of a tile are written by many threads; a barrier and one thread's release publish
// the
//        cells, another thread's acquire and a barrier take the cells over. The last thread publishes and the
//        first one waits, so that a block's release and its next acquire are under way at the same time.
#pragma once

#include <limits>

#include "cuda/wait.cuh"
#include "schedule/ready_rows.hpp"
#include "solvers/wavefront/fill/shared/launch.cuh"

namespace wale::wavefront {

enum class signal { counter, flags };

/// Shared memory of a block: antidiagonals q = -1 (the last of the tile before) to columns - 1, and the
/// symbols of b. Antidiagonal q starts at (q + 1) * pitch; slot 0 is the row above the lane, slot k + 1 is
/// row k. With x the place of a cell: left = x - pitch, up = x - pitch - 1, diagonal = x - 2 * pitch - 1, and
/// neighbours on an antidiagonal are neighbours in memory. Thread k keeps left and diagonal in registers:
/// they are its own last cell and the `up` that it read before.
struct lane_shape {
    int rows, columns;
    __host__ __device__ int pitch() const {
        return (rows + 1) | 1;
    }  // odd: rows of the tile are read back aslant
    __host__ __device__ index_t cells() const { return (index_t{1} + columns) * pitch(); }
    [[nodiscard]] __host__ __device__ index_t bytes(int cell) const {
        return parts(cells() * cell, 8) * 8 + (index_t{rows} + columns) * (cell > 4 ? cell : 4);
    }
};

template <class T>
struct lanes_call {
    T* table;
    index_t rows, columns, pitch;
    lane_shape tile;
    int lanes, tiles;  // tiles of each lane
    schedule::ready_rows<cuda::block_sync> sync;
    int withheld;
};

template <class R, signal Signal>
class lane_of_tiles {
    using T = typename R::value_type;

public:
    __device__ lane_of_tiles(const R& r, const lanes_call<T>& call, int lane, unsigned char* memory)
        : r_(r),
          call_(call),
          tile_(call.tile),
          lane_(lane),
          k_(static_cast<int>(threadIdx.x)),
          cells_(reinterpret_cast<T*>(memory)),
          symbols_(reinterpret_cast<std::uint32_t*>(memory + parts(tile_.cells() * sizeof(T), 8) * 8)),
          top_(static_cast<index_t>(lane) * tile_.rows) {
        has_row_ = k_ < tile_.rows && top_ + k_ < call.rows;
        if (!has_row_) return;
        left_ = r.left(top_ + k_);
        upper_left_ = border(r, top_ + k_ - 1, -1);
        if constexpr (over_sequences<R>) symbol_ = r.a[top_ + k_];
    }

    /// Waits for the tiles of the lane above that tile t needs: up to the one with the last cell of t's top
    /// edge.
    __device__ bool wait(int t) const {
        if (lane_ == 0) return true;
        const index_t last = static_cast<index_t>(t + 1) * tile_.columns + tile_.rows - 2;
        const int needed = static_cast<int>(smaller<index_t>(call_.tiles, last / tile_.columns + 1));
        if (Signal == signal::flags) return call_.sync.wait((lane_ - 1) * call_.tiles + needed - 1, 1);
        return call_.sync.wait(lane_ - 1, static_cast<std::uint32_t>(needed));
    }

    __device__ void publish(int t) const {
        if (lane_ == call_.withheld) return;
        if (Signal == signal::flags)
            call_.sync.publish(lane_ * call_.tiles + t, 1);
        else
            call_.sync.publish(lane_, static_cast<std::uint32_t>(t + 1));
    }

    /// Before the wait, and beside it: the last antidiagonal becomes the one before the first, and the
    /// symbols of b come. Warp 0 is left out where there are others, since its first thread is the one that
    /// waits.
    __device__ void prepare(int t) {
        const index_t first = static_cast<index_t>(t) * tile_.columns;
        const int threads = static_cast<int>(blockDim.x);
        const int spared = threads > 32 ? 32 : 0;
        if (t > 0 && k_ < tile_.rows) slot(-1, k_ + 1) = slot(tile_.columns - 1, k_ + 1);
        if constexpr (over_sequences<R>)
            for (int q = k_ - spared; q < tile_.columns + tile_.rows - 1; q += threads - spared) {
                const index_t j = first + q - (tile_.rows - 1);
                if (q >= 0 && k_ >= spared && j >= 0 && j < call_.columns)
                    reinterpret_cast<symbol_of<R>*>(symbols_)[q] = r_.b[j];
            }
    }

    /// After the wait: the top edge comes from the lane above.
    __device__ void load(int t) {
        const index_t first = static_cast<index_t>(t) * tile_.columns;
        for (int q = k_; q < tile_.columns; q += static_cast<int>(blockDim.x))
            if (first + q < call_.columns)
                slot(q - 1, 0) =
                    top_ > 0 ? __ldcg(call_.table + (top_ - 1) * call_.pitch + first + q) : r_.top(first + q);
        __syncthreads();
    }

    __device__ void compute(int t) {
        const index_t first = static_cast<index_t>(t) * tile_.columns - k_;
        const int begin = static_cast<int>(first < 0 ? smaller<index_t>(-first, tile_.columns) : 0);
        const index_t left = call_.columns - first;
        const int end = !has_row_ || left <= 0 ? 0 : static_cast<int>(smaller<index_t>(left, tile_.columns));
        if (is_whole(t))
            advance<true>(first, begin, end);
        else
            advance<false>(first, begin, end);
    }

    __device__ void store(int t) const {
        const int warps = static_cast<int>(blockDim.x / 32);
        for (int k = k_ / 32; k < tile_.rows && top_ + k < call_.rows; k += warps) {
            T* row = call_.table + (top_ + k) * call_.pitch;
            const index_t first = static_cast<index_t>(t) * tile_.columns - k;
            const int begin = static_cast<int>(first < 0 ? smaller<index_t>(-first, tile_.columns) : 0);
            const int end = static_cast<int>(smaller<index_t>(call_.columns - first, tile_.columns));
            const T* from = &slot(0, k + 1);
            row += first;
#pragma unroll 4
            for (int q = k_ % 32; q < tile_.columns; q += 32)
                if (q >= begin && q < end) row[q] = from[q * tile_.pitch()];
        }
        __syncthreads();
    }

private:
    /// Whether every thread has a cell on every antidiagonal: all but the ends of a lane and the last lane.
    __device__ bool is_whole(int t) const {
        return static_cast<index_t>(t) * tile_.columns >= tile_.rows - 1 &&
               static_cast<index_t>(t + 1) * tile_.columns <= call_.columns &&
               top_ + tile_.rows <= call_.rows && static_cast<int>(blockDim.x) == tile_.rows;
    }

    /// The tile's antidiagonals, a barrier after each; cells outside [begin, end) of this row are not the
    /// table's.
    template <bool Whole>
    __device__ void advance(index_t first, int begin, int end) {
        const R r = aimed(first);
        const int pitch = tile_.pitch();
        const T* up = cells_ + k_;
        T* own = cells_ + pitch + k_ + 1;
#pragma unroll 8
        for (int q = 0; q < tile_.columns; ++q) {
            if (Whole || (q >= begin && q < end)) {
                const T above = *up;
                left_ = r.cell(upper_left_, above, left_, 0, q);
                upper_left_ = above;
                *own = left_;
            }
            up += pitch;
            own += pitch;
            __syncthreads();
        }
    }

    __device__ T& slot(int q, int k) const {
        return cells_[(q + 1) * tile_.pitch() + k];
    }

    /// The recurrence with this thread's row as row 0 and its column `first` as column 0.
    __device__ R aimed(index_t first) const {
        if constexpr (over_sequences<R>) {
            return over(r_, &symbol_,
                        reinterpret_cast<const symbol_of<R>*>(symbols_) + (tile_.rows - 1 - k_));
        } else {
            return over(r_, r_.image + (top_ + k_) * r_.pitch + first, r_.pitch);
        }
    }

    const R& r_;
    const lanes_call<T>& call_;
    lane_shape tile_;
    int lane_, k_;
    T* cells_;
    std::uint32_t* symbols_;
    index_t top_;
    bool has_row_;
    T left_{}, upper_left_{};
    symbol_of<R> symbol_{};
};

extern __shared__ __align__(16) unsigned char lane_memory[];

template <signal Signal, class R>
__device__ bool do_lane(const R& r, const lanes_call<typename R::value_type>& call, int lane) {
    __shared__ bool may_go_on;
    lane_of_tiles<R, Signal> tiles(r, call, lane, lane_memory);
    for (int t = 0; t < call.tiles; ++t) {
        if (threadIdx.x == 0) may_go_on = tiles.wait(t);
        tiles.prepare(t);
        __syncthreads();
        if (!may_go_on) return false;
        tiles.load(t);
        tiles.compute(t);
        tiles.store(t);
        if (threadIdx.x == blockDim.x - 1) tiles.publish(t);
    }
    return true;
}

/// A block's work: lanes by ticket until none is left.
template <signal Signal, class R>
__device__ void take_lanes(const R& r, const lanes_call<typename R::value_type>& call) {
    __shared__ int taken;
    do {
        __syncthreads();
        if (threadIdx.x == 0) taken = call.sync.take(call.lanes);
        __syncthreads();
    } while (taken >= 0 && do_lane<Signal>(r, call, taken));
}

[[nodiscard]] inline lane_shape shape_for(const fill_job& job, int sm) {
    const auto row = tuning::choose("wavefront/fill/hyperlane", hyperlane_policies, sm, size_of(job.type));
    const tile_shape t = chosen_tile(job, hyperlane_policies[row].policy);
    constexpr index_t most = 1 << 24;  // beyond any shared memory; refused
    return {static_cast<int>(std::min(t.rows, most)), static_cast<int>(std::min(t.columns, most))};
}

/// Counters or flags, the ticket and `failed`, all zero.
class lane_words {
public:
    lane_words(const cuda::context& on, index_t ready) : words_(on, ready + 2) {}
    void clear() const { words_.fill_bytes(0); }
    [[nodiscard]] std::uint32_t* failed() const { return words_.data() + 1; }
    [[nodiscard]] schedule::ready_rows<cuda::block_sync> sync() const {
        return {words_.data(), words_.data() + 2, failed()};
    }

private:
    cuda::scratch<std::uint32_t> words_;
};

template <class T>
lanes_call<T> call_for(const fill_job& job, const lane_shape& tile) {
    const index_t lanes = parts(job.rows, tile.rows);
    const index_t tiles = parts(job.columns + tile.rows - 1, tile.columns);
    return {static_cast<T*>(job.table), job.rows, job.columns, job.pitch, tile, static_cast<int>(lanes),
            static_cast<int>(tiles),    {},       withheld()};
}

/// run(recurrence, call, threads, shared bytes) once the words are there.
template <class Run>
void over_lanes(fill_job& job, const cuda::context& on, signal with, const Run& run) {
    const lane_shape tile = shape_for(job, on.sm());
    const wide_inputs inputs(on, job);
    visit_wide(job, inputs, [&](const auto& r) {
        auto call = call_for<typename std::decay_t<decltype(r)>::value_type>(job, tile);
        const lane_words words(on, index_t{call.lanes} * (with == signal::flags ? call.tiles : 1));
        call.sync = words.sync();
        cuda::timer time(on);
        inputs.copy(on, job);
        words.clear();
        run(r, call, static_cast<int>(parts(tile.rows, 32) * 32),
            static_cast<std::size_t>(tile.bytes(size_of(job.type))));
        finish(job, on, time, words.failed());
    });
    job.run->policy = text_of({tile.rows, tile.columns});
}

/// One launch of a kernel whose blocks take lanes by ticket: kernel_for(recurrence) is the kernel.
template <class KernelFor>
void persistent(fill_job& job, signal with, const KernelFor& kernel_for) {
    if (job.rows == 0 || job.columns == 0) return;
    const cuda::context on(job.where);
    over_lanes(job, on, with, [&](const auto& r, const auto& call, int threads, std::size_t shared) {
        const auto kernel = kernel_for(r);
        const int blocks = std::min(call.lanes, resident_blocks(on, kernel, threads, shared));
        kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), shared, on.stream()>>>(r,
                                                                                                       call);
        cuda::check_launch();
    });
    job.run->iterations = 1;
}

[[nodiscard]] inline std::string hyperlane_refusal(const fill_job& job) {
    const cuda::context on(job.where);
    const lane_shape tile = shape_for(job, on.sm());
    const std::string name = text_of({tile.rows, tile.columns});
    if (tile.rows > 1024) return name + " has more than 1024 rows, a thread each";
    const index_t limit = shared_limit(on) - 64;  // the block's own few words
    if (tile.bytes(size_of(job.type)) > limit)
        return name + " needs " + std::to_string(tile.bytes(size_of(job.type))) +
               " bytes of shared memory, a block has " + std::to_string(limit);
    const index_t flags = parts(job.rows, tile.rows) * parts(job.columns + tile.rows - 1, tile.columns);
    return flags <= std::numeric_limits<int>::max() ? ""
                                                    : name + " makes more tiles than 32-bit numbers count";
}

}  // namespace wale::wavefront
