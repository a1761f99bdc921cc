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
    __device__ static void store_if(bool stores, float* p, const float (&x)[2]) {
        asm volatile(
            "{.reg .pred p; setp.ne.s32 p,%0,0; @p st.relaxed.gpu.global.v2.f32 [%1],{%2,%3};}" ::"r"(
                static_cast<int>(stores)),
            "l"(p), "f"(x[0]), "f"(x[1])
            : "memory");
    }
    __device__ static void store_if(bool stores, float* p, const float (&x)[4]) {
        asm volatile(
            "{.reg .pred p; setp.ne.s32 p,%0,0; @p st.relaxed.gpu.global.v4.f32 [%1],{%2,%3,%4,%5};}" ::"r"(
                static_cast<int>(stores)),
            "l"(p), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3])
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
    __device__ static void store_if(bool stores, double* p, const double (&x)[2]) {
        asm volatile(
            "{.reg .pred p; setp.ne.s32 p,%0,0; @p st.relaxed.gpu.global.v2.f64 [%1],{%2,%3};}" ::"r"(
                static_cast<int>(stores)),
            "l"(p), "d"(x[0]), "d"(x[1])
            : "memory");
    }
    __device__ static void store_if(bool stores, double* p, const double (&x)[4]) {
        store_if(stores, p, {x[0], x[1]});
        store_if(stores, p + 2, {x[2], x[3]});
    }
};
/// More columns than a store has.
template <class T, int Columns>
__device__ __forceinline__ void store_columns(bool stores, T* p, const T (&x)[Columns]) {
    if constexpr (Columns <= 4)
        flagged<T>::store_if(stores, p, x);
    else
#pragma unroll
        for (int c = 0; c < Columns; c += 4)
            flagged<T>::store_if(stores, p + c, {x[c], x[c + 1], x[c + 2], x[c + 3]});
}

/// What a warp shares: the row above some columns, and the points of the tiles that its lanes are in.
template <class T, int Columns, bool One>
struct warp_memory {
    static constexpr int tiles = One ? 64 : 1;  // a power of two, 31 and those of two chunks at least
    alignas(16) T above[warp_size + Columns];   // the last step looks at one step more
    alignas(16) T points[tiles * Columns];
};

/// Enters: whether tables may have several panels. The question in each step costs its loads' latency even
/// where nothing is loaded.
template <class Cell, int Rows, int Columns, int Chunk, int Unrolled, bool One, bool Enters>
class strip {
    using T = typename Cell::number;
    using memory = warp_memory<T, Columns, One>;
    using flag = flagged<T>;
    using bits = typename flag::bits;
    static constexpr int height = warp_size * Rows;

public:
    static constexpr int steps = Chunk / Columns;
    static constexpr int unrolled = sizeof(T) == 8 && Rows > 6 ? (Unrolled + 1) / 2 : Unrolled;  // more code
    static constexpr bool enters = Enters, plain = One && Unrolled > 0;
    static_assert(!One || warp_size - 1 + 2 * steps <= memory::tiles);
    int entrance = INT_MIN;  // the first tile, of a strip that goes on in this panel
    int event = 0;           // the lane's next tile behind which something is kept, or its last one
    int plain_begin = 0, plain_end = 0;

    __device__ __forceinline__ strip(const strips_job<Cell>& w, memory& shared, std::uint32_t number)
        : w_(w),
          task_(w.tasks[number]),
          pair_(w.pairs[task_.pair]),
          number_(number),
          lane_(static_cast<int>(threadIdx.x % warp_size)),
          first_row_(task_.strip * height),
          panel_begin_(task_.panel * w.panel),
          rows_(w.cell, pair_, pair_.rows + index_t{task_.strip} * height * w.cell.dimensions + lane_,
                warp_size, first_row_ + lane_ * Rows),
          shared_(shared),
          to_(row(number) - panel_begin_ * Columns),
          above_at_(w.hand) {
        begin_ = max(first_tile(pair_, first_row_, Columns), panel_begin_);
        last_ = end_tile(pair_, first_row_ + height - 1, Columns);
        end_ = min(last_, panel_begin_ + w.panel);
        lowest_ = first_row_ + height >= pair_.row_count;
        column_ = begin_ * Columns + lane_;
        corner_ = task_.strip == 0 ? pair_.offset - 1 : -1;
        if (!lowest_) put_from_ = max(first_tile(pair_, first_row_ + height, Columns), panel_begin_);
        if (!lowest_ && lane_ == warp_size - 1) put_count_ = static_cast<unsigned>(max(end_ - put_from_, 0));
        if (const int step = w.kept.row_step; w.kept.rows != nullptr && (task_.strip + 1) % step == 0)
            kept_row_ = w.kept.rows + ((task_.strip + 1) / step - 1) * w.kept.row_pitch;
        if (task_.strip > 0) {
            above_at_ = row(task_.above) + (column_ - panel_begin_ * Columns);
            above_end_ = min(end_tile(pair_, first_row_ - 1, Columns), panel_begin_ + w.panel) * Columns;
        }
    }

    /// False: a wait ran out.
    __device__ __forceinline__ bool run() {
        if (!wait_for(task_.left) || !wait_for_reader(number_)) return false;
        if (task_.strip > 0 && !wait_for_reader(task_.above)) return false;
        if (begin_ < end_) {
            if (begin_ > first_tile(pair_, first_row_, Columns)) entrance = begin_;
            event = end_ - 1;
            if (const int step = w_.kept.column_step; w_.kept.columns != nullptr)
                event = min(event, (begin_ / step + 1) * step - 1);
            if (entrance == begin_) plain_begin = warp_size;
            plain_end = w_.kept.columns != nullptr ? 0 : lowest_ || end_ < last_ ? event - begin_ : INT_MAX;
            load();
            const int behind =
                lowest_ && end_ == last_ ? (pair_.row_count - 1 - first_row_) / Rows : warp_size - 1;
            if (!sweep<Rows, Columns, One>(pair_, rows_, *this, warp_size, first_row_, begin_,
                                           end_ - begin_ + behind))
                return false;
        }
        __syncwarp();  // all lanes' numbers before the release of one
        if (lane_ == 0) cuda::store_release(w_.done + number_, 1);
        return true;
    }

    /// What is above the columns of the next steps, and their points.
    __device__ __forceinline__ bool take() {
        bits now = next_;
        if (__any_sync(whole_warp, wanted_ && now == bits(~bits{0})) &&
            !cuda::wait_until(
                [&] {
                    if (wanted_) now = flag::load(above_at_);
                    return !__any_sync(whole_warp, wanted_ && now == bits(~bits{0}));
                },
                cuda::warp_bound{w_.failed}))
            return false;
        if (wanted_) flag::clear(above_at_);
        __syncwarp();  // all have read the chunk before
        if (lane_ < Chunk) {
            shared_.above[lane_] = wanted_ ? flag::value(now) : column_ == corner_ ? T{0} : infinity<T>();
            if constexpr (One) shared_.points[column_ & (memory::tiles * Columns - 1)] = next_point_;
        }
        __syncwarp();
        column_ += Chunk;
        above_at_ += Chunk;
        load();
        return true;
    }
    __device__ __forceinline__ void above(int step, T (&x)[Columns]) const {
        load_tile<Columns>(shared_.above + step * Columns, x);
    }
    __device__ __forceinline__ void points(int tile, T (&x)[Columns]) const {
        load_tile<Columns>(shared_.points + (tile & (memory::tiles - 1)) * Columns, x);
    }
    __device__ __forceinline__ void enter() {
        const T* const from = state();
#pragma unroll
        for (int r = 0; r < Rows; ++r) rows_.h[r] = from[r * warp_size];
        rows_.diagonal = from[Rows * warp_size];
    }
    __device__ __forceinline__ void put(int tile, const T (&x)[Columns]) {
        if (static_cast<unsigned>(tile - put_from_) < put_count_) {
            store_columns(true, to_ + tile * Columns, x);
            if (kept_row_ != nullptr) {
#pragma unroll
                for (int c = 0; c < Columns; ++c) kept_row_[tile * Columns + c] = x[c];
            }
        }
    }
    __device__ __forceinline__ void put_plain(int tile, const T (&x)[Columns]) const {
        store_columns(static_cast<unsigned>(tile - put_from_) < put_count_, to_ + tile * Columns, x);
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
    /// Until the row of the ring that a task writes has been read by those who used it before: the task that
    /// had the row last, where no task reads it, has waited for those before it.
    [[nodiscard]] __device__ bool wait_for_reader(std::uint32_t number) const {
        const auto ring = static_cast<std::uint32_t>(w_.ring);
        if (number < ring) return true;
        const std::uint32_t reader = w_.tasks[number - ring].below;
        return wait_for(reader == no_task ? number - ring : reader);
    }
    [[nodiscard]] __device__ T* row(std::uint32_t number) const {
        return w_.hand + number % static_cast<std::uint32_t>(w_.ring) * w_.hand_pitch;
    }
    [[nodiscard]] __device__ T* state() const {
        return w_.states + pair_.first_state + index_t{task_.strip} * ((Rows + 1) * warp_size) + lane_;
    }
    /// Both loads stay in flight until the next chunk is taken: no branch round them, and the wait polls into
    /// registers of its own.
    __device__ __forceinline__ void load() {
        wanted_ = lane_ < Chunk && column_ < above_end_;
        next_ = flag::load(wanted_ ? above_at_ : w_.hand);
        if constexpr (One) next_point_ = pair_.columns[column_];
    }

    const strips_job<Cell>& w_;
    const strip_task task_;
    const packed_pair<T> pair_;
    const std::uint32_t number_;
    const int lane_, first_row_, panel_begin_;
    lane_rows<Cell, Rows, Columns, One> rows_;
    memory& shared_;
    T* const to_;             // where column 0 would be handed on
    int begin_, end_, last_;  // tiles: of this task; end of the strip
    bool lowest_;
    int put_from_ = 0;        // the first tile that the strip below reads
    unsigned put_count_ = 0;  // of the last lane: tiles handed on
    T *above_at_, *kept_row_ = nullptr;
    int column_, corner_;  // of the next chunk: the lane's; the one above which the table's corner is
    int above_end_ = 0;    // columns
    bool wanted_ = false;  // the lane's column is handed on by the strip above
    bits next_ = 0;
    T next_point_ = 0;
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
//        writes, and for the reader of what the row had that it reads (where no task reads a row, for the
//        task that might have written it, which has waited likewise); then, some columns at a time, for
//        numbers of the task above.
// Why no deadlock: tasks are in an order in which each one's left and upper neighbours come before it, and
//        the ring is so long that the reader of a row's old numbers comes before its next writer (sweeper.cuh
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
    using memory = warp_memory<T, policy.columns, One>;
    __shared__ memory shared[policy.warps];
    memory& mine = shared[threadIdx.x / warp_size];
    for (int k = static_cast<int>(threadIdx.x % warp_size); k < memory::tiles * policy.columns;
         k += warp_size)
        mine.points[k] = 0;  // what lanes before their first tile may find, but no NaN
    for (;;) {
        std::uint32_t number = 0;
        if (threadIdx.x % warp_size == 0) number = atomicAdd(w.ticket, 1u);
        number = __shfl_sync(whole_warp, number, 0);
        if (number >= w.task_count) return;
        strip<Cell, policy.rows, policy.columns, policy.chunk, policy.unrolled, One, Row == 0> s(w, mine,
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
