// strips_kernel - a warp a task: a strip of a panel.
#pragma once

#include <climits>

#include "cuda/wait.cuh"
#include "solvers/wavefront/warping/shared/strips.cuh"

namespace wale::wavefront::warping {

/// Numbers that are their own flags: no cost is a number that is not one, all of whose bits are set.
template <class T>
struct flagged;
template <>
struct flagged<float> {
    using bits = std::uint32_t;
    __device__ static bits load(const float* p) {
        return cuda::load_relaxed(reinterpret_cast<const std::uint32_t*>(p));
    }
    __device__ static void clear(float* p) { cuda::store_relaxed(reinterpret_cast<std::uint32_t*>(p), ~0u); }
    __device__ static float value(bits b) { return __uint_as_float(b); }
    __device__ static void store(float* p, const float (&x)[2]) {
        asm volatile("st.relaxed.gpu.global.v2.f32 [%0],{%1,%2};" ::"l"(p), "f"(x[0]), "f"(x[1]) : "memory");
    }
    __device__ static void store(float* p, const float (&x)[4]) {
        asm volatile("st.relaxed.gpu.global.v4.f32 [%0],{%1,%2,%3,%4};" ::"l"(p), "f"(x[0]), "f"(x[1]),
                     "f"(x[2]), "f"(x[3])
                     : "memory");
    }
};
template <>
struct flagged<double> {
    using bits = std::uint64_t;
    __device__ static bits load(const double* p) {
        return cuda::tagged_word::load(reinterpret_cast<const std::uint64_t*>(p));
    }
    __device__ static void clear(double* p) {
        asm volatile("st.relaxed.gpu.global.u64 [%0],%1;" ::"l"(p), "l"(~std::uint64_t{0}) : "memory");
    }
    __device__ static double value(bits b) { return __longlong_as_double(static_cast<long long>(b)); }
    __device__ static void store(double* p, const double (&x)[2]) {
        asm volatile("st.relaxed.gpu.global.v2.f64 [%0],{%1,%2};" ::"l"(p), "d"(x[0]), "d"(x[1]) : "memory");
    }
    __device__ static void store(double* p, const double (&x)[4]) {
        store(p, {x[0], x[1]});
        store(p + 2, {x[2], x[3]});
    }
};

template <class Cell, int Rows, int Columns, int Chunk, bool One>
class strip {
    using T = typename Cell::number;
    using flag = flagged<T>;
    using bits = typename flag::bits;
    static constexpr int height = warp_size * Rows;

public:
    static constexpr int steps = Chunk / Columns;
    int event = 0;  // the lane's next tile behind which something is kept, or its last one

    __device__ __forceinline__ strip(const strips_job<Cell>& w, T* chunk, std::uint32_t number)
        : w_(w),
          task_(w.tasks[number]),
          pair_(w.pairs[task_.pair]),
          number_(number),
          lane_(static_cast<int>(threadIdx.x % warp_size)),
          first_row_(task_.strip * height),
          panel_begin_(task_.panel * w.panel),
          rows_(w.cell, pair_, pair_.rows + index_t{task_.strip} * height * w.cell.dimensions + lane_,
                warp_size, first_row_ + lane_ * Rows),
          chunk_(chunk),
          to_(row(number) - panel_begin_ * Columns) {
        begin_ = max(first_tile(pair_, first_row_, Columns), panel_begin_);
        last_ = end_tile(pair_, first_row_ + height - 1, Columns);
        end_ = min(last_, panel_begin_ + w.panel);
        lowest_ = first_row_ + height >= pair_.row_count;
        if (!lowest_) put_from_ = max(first_tile(pair_, first_row_ + height, Columns), panel_begin_);
        if (const int step = w.kept.row_step; w.kept.rows != nullptr && (task_.strip + 1) % step == 0)
            kept_row_ = w.kept.rows + ((task_.strip + 1) / step - 1) * w.kept.row_pitch;
        if (task_.strip > 0) {
            from_above_ = row(task_.above);
            above_end_ = min(end_tile(pair_, first_row_ - 1, Columns), panel_begin_ + w.panel) * Columns;
        }
    }

    /// False: a wait ran out.
    __device__ __forceinline__ bool run() {
        if (begin_ < end_) {
            if (!wait_for(task_.left) || !wait_for_reader(number_)) return false;
            if (task_.strip > 0 && !wait_for_reader(task_.above)) return false;
            if (begin_ > first_tile(pair_, first_row_, Columns)) enter();
            event = end_ - 1;
            if (const int step = w_.kept.column_step; w_.kept.columns != nullptr)
                event = min(event, (begin_ / step + 1) * step - 1);
            load(0);
            const int behind =
                lowest_ && end_ == last_ ? (pair_.row_count - 1 - first_row_) / Rows : warp_size - 1;
            if (!sweep<Rows, Columns, One>(pair_, rows_, *this, warp_size, first_row_, begin_, end_,
                                           end_ - begin_ + behind))
                return false;
        }
        __syncwarp();  // all lanes' numbers before the release of one
        if (lane_ == 0) cuda::store_release(w_.done + number_, 1);
        return true;
    }

    /// What is above the columns of the next steps.
    __device__ __forceinline__ bool take(int s) {
        const int at = s * Columns;
        T* const from = at_above(at);
        const bool wanted = is_wanted(at);
        bits now = next_;
        if (__any_sync(whole_warp, wanted && now == bits(~bits{0})) &&
            !cuda::wait_until(
                [&] {
                    if (wanted) now = flag::load(from);
                    return !__any_sync(whole_warp, wanted && now == bits(~bits{0}));
                },
                cuda::warp_bound{w_.failed}))
            return false;
        if (wanted) flag::clear(from);
        const bool corner = task_.strip == 0 && begin_ * Columns + at + lane_ == pair_.offset - 1;
        __syncwarp();  // all have read the chunk before
        if (lane_ < Chunk) chunk_[lane_] = wanted ? flag::value(now) : corner ? T{0} : infinity<T>();
        __syncwarp();
        load(at + Chunk);
        return true;
    }
    __device__ __forceinline__ void above(int step, T (&x)[Columns]) const {
        load_tile<Columns>(chunk_ + step * Columns, x);
    }
    __device__ __forceinline__ void put(int tile, const T (&x)[Columns]) {
        if (lane_ == warp_size - 1 && tile >= put_from_ && tile < end_) {
            flag::store(to_ + tile * Columns, x);
            if (kept_row_ != nullptr) {
#pragma unroll
                for (int c = 0; c < Columns; ++c) kept_row_[tile * Columns + c] = x[c];
            }
        }
    }
    /// This lane is behind a tile whose last column is kept, or behind its last tile of the panel.
    __device__ __forceinline__ void happen(int tile) {
        const kept_lines<T>& kept = w_.kept;
        if (kept.columns != nullptr && (tile + 1) % kept.column_step == 0) {
            T* const to = kept.columns + ((tile + 1) / kept.column_step - 1) * kept.column_pitch +
                          first_row_ + lane_ * Rows;
#pragma unroll
            for (int r = 0; r < Rows; ++r) to[r] = rows_.h[r];
        }
        if (tile == end_ - 1)
            leave();
        else
            event = min(end_ - 1, event + kept.column_step);
    }

private:
    __device__ __forceinline__ void leave() {
        if (end_ < last_) {
            T* const to = state();
#pragma unroll
            for (int r = 0; r < Rows; ++r) to[r * warp_size] = rows_.h[r];
            to[Rows * warp_size] = rows_.diagonal;
        } else if (lowest_) {
            const int last = pair_.row_count - 1 - first_row_ - lane_ * Rows;
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (r == last) {
                    *pair_.answer = rows_.h[r];
                    if (pair_.mirror != nullptr) *pair_.mirror = rows_.h[r];
                }
        }
    }

    [[nodiscard]] __device__ bool wait_for(std::uint32_t number) const {
        return number == no_task ||
               cuda::wait_until(
                   [&] { return __all_sync(whole_warp, cuda::load_acquire(w_.done + number) != 0) != 0; },
                   cuda::warp_bound{w_.failed});
    }
    /// Until the row of the ring in which this task writes has been read by those who used it before.
    [[nodiscard]] __device__ bool wait_for_reader(std::uint32_t number) const {
        const auto ring = static_cast<std::uint32_t>(w_.ring);
        return number < ring || wait_for(w_.tasks[number - ring].below);
    }
    [[nodiscard]] __device__ T* row(std::uint32_t number) const {
        return w_.hand + number % static_cast<std::uint32_t>(w_.ring) * w_.hand_pitch;
    }
    [[nodiscard]] __device__ T* state() const {
        return w_.states + pair_.first_state + index_t{task_.strip} * ((Rows + 1) * warp_size) + lane_;
    }
    __device__ __forceinline__ void enter() {
        const T* const from = state();
#pragma unroll
        for (int r = 0; r < Rows; ++r) rows_.h[r] = from[r * warp_size];
        rows_.diagonal = from[Rows * warp_size];
    }

    [[nodiscard]] __device__ T* at_above(int at) const {
        return from_above_ + (begin_ - panel_begin_) * Columns + at + lane_;
    }
    [[nodiscard]] __device__ bool is_wanted(int at) const {
        return lane_ < Chunk && begin_ * Columns + at + lane_ < above_end_;
    }
    __device__ void load(int at) {
        if (is_wanted(at)) next_ = flag::load(at_above(at));
    }

    const strips_job<Cell>& w_;
    const strip_task task_;
    const packed_pair<T> pair_;
    const std::uint32_t number_;
    const int lane_, first_row_, panel_begin_;
    lane_rows<Cell, Rows, Columns, One> rows_;
    T* const chunk_;          // of shared memory
    T* const to_;             // where column 0 would be handed on
    int begin_, end_, last_;  // tiles: of this task; end of the strip
    bool lowest_;
    int put_from_ = INT_MAX;
    T *from_above_ = nullptr, *kept_row_ = nullptr;
    int above_end_ = 0;  // columns
    bits next_ = 0;
};

template <bool One>
constexpr const sweep_policy& shape_of(int row) {
    if constexpr (One)
        return sweeps[row].policy;
    else
        return general_sweeps[row].policy;
}
// Who:   a warp takes the next task by ticket and goes through the tiles of its panel; its last lane
//        publishes the lowest row; each lane writes what enters the next panel.
// Waits: at first for the task at the left, for the reader of what the row of the ring had that this task
//        writes, and for the reader of what the row had that it reads; then, some columns at a time, for
//        numbers of the task above.
// Why no deadlock: tasks are in an order in which each one's left and upper neighbours come before it, and
//        the ring is so long that the reader of a row's old numbers comes before its next writer (plan.cu
//        takes care of the distance). So the lowest unfinished task waits for none, whatever the number of
//        resident blocks. No warp waits for another of its block otherwise: there is no barrier.
// Why this order: a number and its flag are the same aligned word, so relaxed is enough. A reader clears
//        what it has read before it releases `done`; the next writer of the row and the next reader acquire
//        that, so that neither sees a number of before. What enters a panel is released by its writer's
//        `done` and acquired by its reader's wait.
template <class Cell, int Row, bool One>
__global__ void __launch_bounds__(shape_of<One>(Row).warps* warp_size,
                                  blocks_of<typename Cell::number>(shape_of<One>(Row)))
    strips_kernel(const __grid_constant__ strips_job<Cell> w) {
    constexpr sweep_policy policy = shape_of<One>(Row);
    using T = typename Cell::number;
    __shared__ alignas(16) T chunks[policy.warps][warp_size];
    for (;;) {
        std::uint32_t number = 0;
        if (threadIdx.x % warp_size == 0) number = atomicAdd(w.ticket, 1u);
        number = __shfl_sync(whole_warp, number, 0);
        if (number >= w.task_count) return;
        strip<Cell, policy.rows, policy.columns, policy.chunk, One> s(w, chunks[threadIdx.x / warp_size],
                                                                      number);
        if (!s.run()) return;
    }
}

template <bool One, class F>
decltype(auto) with_shape(int shape, F&& f) {
    if constexpr (One)
        return tuning::with_number<std::size(sweeps)>(static_cast<std::size_t>(shape), f);
    else
        return tuning::with_number<std::size(general_sweeps)>(static_cast<std::size_t>(shape), f);
}

template <class Cell, bool One>
int resident_blocks(const cuda::context& c, int shape) {
    return with_shape<One>(shape, [&]<int Row>() {
        return cuda::launch_limits::blocks(c, strips_kernel<Cell, Row, One>,
                                           shape_of<One>(Row).warps * warp_size, 0) *
               c.multiprocessors();
    });
}
template <class Cell, bool One>
void launch_strips(const cuda::context& c, const strips_job<Cell>& w, int shape, unsigned blocks) {
    with_shape<One>(shape, [&]<int Row>() {
        strips_kernel<Cell, Row, One><<<blocks, shape_of<One>(Row).warps * warp_size, 0, c.stream()>>>(w);
        cuda::check_launch();
    });
}

}  // namespace wale::wavefront::warping
