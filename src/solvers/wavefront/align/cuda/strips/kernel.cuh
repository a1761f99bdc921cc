// kernel - a warp a task: a strip of a panel.
#pragma once

#include "cuda/wait.cuh"
#include "solvers/wavefront/align/cuda/strips/scores.cuh"

namespace wale::wavefront::strips {

using binned::both;
using binned::high_half;
using binned::low_half;
using binned::select;
using binned::twice;
using cuda::tagged_word;

template <bool Local, template <int> class Scores, int Words>
class strip {
public:
    __device__ strip(const sweep_job& w, word* shared, std::uint32_t number)
        : w_(w),
          task_(w.tasks[number]),
          number_(number),
          lane_(static_cast<int>(threadIdx.x % warp_size)),
          first_column_(task_.panel * w.hand.panel),
          columns_(min(w.hand.panel, w.columns - first_column_)),
          out_(w.rows_out + number % static_cast<std::uint32_t>(w.ring) * w.hand.pitch()),
          scores_(w, shared) {
        in_ = task_.above == no_task
                  ? w.top + task_.panel * w.hand.pitch()
                  : w.rows_out + task_.above % static_cast<std::uint32_t>(w.ring) * w.hand.pitch();
    }

    /// False: a wait ran out.
    __device__ bool run() {
        if (!wait_for(task_.left) || !wait_for_row()) return false;
        enter();
        const int steps = columns_ + 2 * warp_size - 1;
        for (int s = 0; s < steps; s += warp_size) {
            if (s < columns_) {
                if (s == next_block_ && !begin_block(s)) return false;
                if (!take(s)) return false;
            }
            if (s - begin_ < 2 * warp_size || s + warp_size > columns_) {
                for (int k = 0; k < min(warp_size, steps - s); ++k) step<true>(s + k, k);
            } else {
                for (int k = 0; k < warp_size; ++k) step<false>(s + k, k);
            }
        }
        leave();
        __syncwarp();  // all lanes' words before the release of one
        if (lane_ == 0) cuda::store_release(w_.done + number_, 1);
        return true;
    }

private:
    [[nodiscard]] __device__ bool wait_for(std::uint32_t number) const {
        return number == no_task ||
               cuda::wait_until(
                   [&] { return __all_sync(whole_warp, cuda::load_acquire(w_.done + number) != 0) != 0; },
                   cuda::warp_bound{w_.failed});
    }
    /// Until the task that reads what this row of the ring had before is done.
    [[nodiscard]] __device__ bool wait_for_row() const {
        const auto ring = static_cast<std::uint32_t>(w_.ring);
        return number_ < ring || wait_for(w_.tasks[number_ - ring].below);
    }

    __device__ void enter() {
        first_row_ = task_.strip * (2 * warp_size * Words) + lane_ * (2 * Words);
        scores_.load_rows(w_, first_row_);
        const word* state = w_.state + index_t{task_.strip} * (2 * Words * warp_size) + lane_;
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            h_[r] = state[r * warp_size];
            e_[r] = state[(Words + r) * warp_size];
        }
        corner_ = corner_before_ = w_.state_corner[task_.strip];
        const word last_above = __shfl_up_sync(whole_warp, h_[Words - 1], 1);
        diagonal_ = __funnelshift_l(lane_ == 0 ? 0 : last_above, h_[Words - 1], 16);
        if constexpr (Local) {
            // Another strip's score may be reached once more, further left; this strip's own may not.
            const auto others =
                static_cast<std::int64_t>(*static_cast<volatile unsigned long long*>(w_.best_score));
            found_ = {max(w_.best[task_.strip].score, others - 1), 0, 0};
        }
        load(0);
        coming_ = scores_.letter(first_column_ - 2 * lane_);
        tail_ = task_.below == no_task && w_.last_row != nullptr;
        publishes_ = task_.below != no_task && lane_ == warp_size - 1;
        const kept_lines& kept = w_.kept;
        if (task_.below != no_task && kept.row_stride != 0 && (task_.strip + 1) % kept.row_stride == 0)
            kept_row_ = kept.rows + index_t{task_.strip / kept.row_stride} * w_.columns + first_column_;
    }

    __device__ void load(int s) {
        if (s + lane_ < columns_) next_ = tagged_word::load(in_ + s + lane_);
    }
    /// The word at in_ + i of each lane that needs one.
    [[nodiscard]] __device__ bool arrived(const std::uint64_t* at, bool wanted, std::uint64_t& to) const {
        const std::uint32_t tag = task_.above == no_task ? 0 : task_.above + 1;
        if (!__any_sync(whole_warp, wanted && !tagged_word::is_of(to, tag))) return true;
        return cuda::wait_until(
            [&] {
                if (wanted) to = tagged_word::load(at);
                return !__any_sync(whole_warp, wanted && !tagged_word::is_of(to, tag));
            },
            cuda::warp_bound{w_.failed});
    }

    /// Columns s to s + 31 of the row above, a column a lane.
    [[nodiscard]] __device__ bool take(int s) {
        std::uint64_t now = next_;
        if (!arrived(in_ + s + lane_, s + lane_ < columns_, now)) return false;
        carry_ = __vadd2(tagged_word::value(now), from_above_);
        load(s + warp_size);
        return true;
    }

    /// The corner moves to the row above the strip at the column before s; halves follow when they are there.
    [[nodiscard]] __device__ bool begin_block(int s) {
        corner_before_ = corner_;
        moved_ = 0;
        if (s > 0) {
            const int corner = low_half(__shfl_sync(whole_warp, carry_, warp_size - 1));
            corner_ += corner - index_t{w_.price.extend} * w_.hand.block;
            moved_ = twice(corner);
        }
        begin_ = s;
        next_block_ = s + w_.hand.block;
        const int at = w_.hand.panel + s / w_.hand.block * 2 + lane_;
        const auto mine =
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(corner_) >> (32 * (lane_ & 1)));
        if (lane_ < 2 && task_.below != no_task) tagged_word::store(out_ + at, number_ + 1, mine);
        if (lane_ == 0 && kept_row_ != nullptr) {
            const index_t blocks = (w_.columns + w_.hand.block - 1) / w_.hand.block;
            w_.kept.row_corners[index_t{task_.strip / w_.kept.row_stride} * blocks +
                                (first_column_ + s) / w_.hand.block] = corner_;
        }
        std::uint64_t above = lane_ < 2 ? tagged_word::load(in_ + at) : 0;
        if (!arrived(in_ + at, lane_ < 2, above)) return false;
        // Of the difference 16 bits are enough: what they are added to is in range.
        const word low = __shfl_sync(whole_warp, tagged_word::value(above), 0);
        from_above_ = twice(static_cast<int>(low - static_cast<word>(corner_)));
        return true;
    }

    /// A half (the bits of `mask`) enters the block.
    __device__ void enter_block(word mask) {
        const word by = moved_ & mask;
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            h_[r] = __vsub2(h_[r], by);
            e_[r] = __vsub2(e_[r], by);
        }
        diagonal_ = __vsub2(diagonal_, by);
        if constexpr (Local) {
            const std::int64_t most = 32767 - w_.price.extend * (w_.hand.block + 2 * warp_size);
            const auto clamped = [&](std::int64_t v) {
                return twice(static_cast<int>(min(max(v - corner_, std::int64_t{-32768}), most)));
            };
            floor_ = select(mask, clamped(0), floor_);
            best_ = select(mask, clamped(found_.score), best_);
        }
    }

    template <bool Edge>
    __device__ __forceinline__ void step(int s, int k) {
        const int column = s - 2 * lane_;  // of the low half
        scores_.enter(coming_);
        coming_ = scores_.letter(first_column_ + column + 1);
        word above = __shfl_up_sync(whole_warp, h_out_, 1);
        word f = __shfl_up_sync(whole_warp, f_out_, 1);
        const word carry = __shfl_sync(whole_warp, carry_, k);
        if (lane_ == 0) {
            above = carry << 16;
            f = carry;
        }
        word active = whole_warp;
        if (Edge) {
            active = (column >= 0 && column < columns_ ? 0xffffu : 0u) |
                     (column > 0 && column <= columns_ ? 0xffff0000u : 0u);
            if (column == begin_) enter_block(0xffffu);
            if (column == begin_ + 1) enter_block(0xffff0000u);
        }
        column_of_words<Edge>(__funnelshift_l(above, h_out_, 16), __funnelshift_l(f, f_out_, 16), active,
                              column);
        if (tail_) write_tail(column);
        if (publishes_ && (!Edge || (active >> 16) != 0)) {
            const word lowest = binned::permuted(h_out_, f_out_, 0x7632);
            tagged_word::store(out_ + column - 1, number_ + 1, lowest);
            if (kept_row_ != nullptr) kept_row_[column - 1] = lowest;
        }
    }

    template <bool Edge>
    __device__ __forceinline__ void column_of_words(word above, word f, word active, int column) {
        const word open = twice(-w_.price.open), extend = twice(-w_.price.extend),
                   opening = twice(w_.price.opening());
        if constexpr (Local) {
            floor_ = __vsub2(floor_, extend);
            best_ = __vsub2(best_, extend);
        }
        word before = diagonal_, best = best_;
        diagonal_ = Edge ? select(active, above, diagonal_) : above;
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            const word next_before = h_[r];
            // H without F: as a gap's first symbol costs no less than the others, F needs no F within H; nor
            // does what is worse than nothing matter in a gap.
            const word without_f = __viaddmax_s16x2(before, scores_.at(r), e_[r]);
            const word now = Local ? __vimax3_s16x2(without_f, f, floor_) : __vmaxs2(without_f, f);
            f = __viaddmax_s16x2(f, extend, __vadd2(without_f, open));
            const word gap = __viaddmax_s16x2(now, opening, e_[r]);
            h_[r] = Edge ? select(active, now, h_[r]) : now;
            e_[r] = Edge ? select(active, gap, e_[r]) : gap;
            if constexpr (Local)
                if (r % 2 == 1) best = __vimax3_s16x2(best, h_[r - 1], h_[r]);
            before = next_before;
        }
        h_out_ = h_[Words - 1];
        f_out_ = f;
        if constexpr (Local) {
            if (Edge) best = select(active, best, best_);
            if (best != best_) note_best(best, column);
        }
    }

    /// Cells better than any before. A strip has few such columns: those of its best alignment.
    __device__ __forceinline__ void note_best(word best, int column) {
        for (int half = 1; half >= 0; --half) {  // the high half is in the column before
            const int value = half == 1 ? high_half(best) : low_half(best);
            if (value == (half == 1 ? high_half(best_) : low_half(best_))) continue;
            const int c = column - half;
            const bool entered = c >= begin_;
            const int from = entered ? begin_ : begin_ - w_.hand.block;
            const std::int64_t score =
                (entered ? corner_ : corner_before_) + value - index_t{w_.price.extend} * (c + 1 - from);
            if (score <= found_.score) continue;
            int row = Words;
#pragma unroll
            for (int r = Words - 1; r >= 0; --r)
                if ((half == 1 ? high_half(h_[r]) : low_half(h_[r])) == value) row = r;
            found_ = {score, first_column_ + c + 1, first_row_ + half * Words + row + 1};
        }
        best_ = best;
    }

    /// The last row of the table.
    __device__ void write_tail(int column) {
        const int row = w_.rows - 1 - first_row_;
        if (row < 0 || row >= 2 * Words) return;
        const int half = row / Words, c = column - half;
        if (c < 0 || c >= columns_) return;
        const word at = 1u << row % Words;  // not a comparison with r: for that the words are put into memory
        word held = 0;
#pragma unroll
        for (int r = 0; r < Words; ++r) held |= (at >> r & 1u) != 0 ? h_[r] : 0;
        const bool entered = c >= begin_;
        w_.last_row[first_column_ + c] =
            (entered ? corner_ : corner_before_) + (half == 1 ? high_half(held) : low_half(held)) -
            index_t{w_.price.extend} * (c + 1 - (entered ? begin_ : begin_ - w_.hand.block));
    }

    __device__ void leave() {
        const int corner = low_half(__shfl_sync(whole_warp, diagonal_, 0));
        const std::int64_t moved = index_t{w_.price.extend} * (columns_ - begin_);
        if (task_.panel + 1 == w_.panels) {
#pragma unroll
            for (int r = 0; r < Words; ++r) {
                write_last(first_row_ + r, corner_ - moved + low_half(h_[r]));
                write_last(first_row_ + Words + r, corner_ - moved + high_half(h_[r]));
            }
        } else {
            keep_state(w_.state, w_.state_corner, corner, moved);
            const int stride = w_.kept.column_stride, panel = task_.panel + 1;
            if (stride != 0 && panel % stride == 0) {
                const index_t first = index_t{panel / stride - 1} * w_.strips;
                keep_state(w_.kept.states + first * (2 * Words * warp_size), w_.kept.state_corners + first,
                           corner, moved);
            }
        }
        if constexpr (Local) keep_best();
    }
    /// What enters the next panel.
    __device__ void keep_state(word* state, std::int64_t* corners, int corner, std::int64_t moved) const {
        state += index_t{task_.strip} * (2 * Words * warp_size) + lane_;
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            state[r * warp_size] = __vsub2(h_[r], twice(corner));
            state[(Words + r) * warp_size] = __vsub2(e_[r], twice(corner));
        }
        if (lane_ == 0) corners[task_.strip] = corner_ + corner - moved;
    }
    __device__ void write_last(int row, std::int64_t h) const {
        if (row < w_.rows && w_.last_column != nullptr) w_.last_column[row] = h;
        if (row == w_.rows - 1) *w_.last_cell = h;
    }

    /// The greatest score, of those the leftmost, of those the uppermost.
    __device__ void keep_best() {
        for (int d = warp_size / 2; d > 0; d /= 2) {
            const best_cell other{__shfl_xor_sync(whole_warp, found_.score, d),
                                  __shfl_xor_sync(whole_warp, found_.column, d),
                                  __shfl_xor_sync(whole_warp, found_.row, d)};
            if (other.column > 0 && (found_.column == 0 || precedes(other, found_))) found_ = other;
        }
        if (lane_ != 0 || found_.column == 0) return;
        w_.best[task_.strip] = found_;  // better than that of the panels before
        atomicMax(w_.best_score, static_cast<unsigned long long>(found_.score));
    }
    [[nodiscard]] __device__ static bool precedes(const best_cell& a, const best_cell& b) {
        if (a.score != b.score) return a.score > b.score;
        return a.column != b.column ? a.column < b.column : a.row < b.row;
    }

    const sweep_job& w_;
    const task task_;
    const std::uint32_t number_;
    const int lane_, first_column_, columns_;
    const std::uint64_t* in_;
    std::uint64_t* const out_;
    Scores<Words> scores_;
    word h_[Words], e_[Words];
    word diagonal_ = 0, h_out_ = 0, f_out_ = 0;
    word floor_ = 0, best_ = 0;  // local
    best_cell found_{};          // local; column 0: only what must be exceeded
    std::int64_t corner_ = 0, corner_before_ = 0;
    int begin_ = 0, next_block_ = 0;  // columns of the panel
    word moved_ = 0, from_above_ = 0;
    int first_row_ = 0;  // of the low half
    word coming_ = 0;    // letter of the next column
    word carry_ = 0;     // 32 columns of the row above, a column a lane
    std::uint64_t next_ = 0;
    word* kept_row_ = nullptr;
    bool tail_ = false, publishes_ = false;
};

// Who:   a warp takes the next task by ticket and goes through the columns of its panel; lane 31 publishes
//        the lowest row, a tagged word a column; at the end the warp writes what enters the next panel.
// Waits: at first for the task at the left, and for the reader of what the row of the ring had; then, 32
//        columns at a time, for the words of the task above.
// Why no deadlock: tasks are in an order in which each one's left and upper neighbours come before it, and
//        the ring is so long that the reader of the row's old words comes before, too (strips.cu checks the
//        distance). So the lowest unfinished task waits for none, whatever the number of resident blocks. No
//        warp waits for another of its block otherwise: there is no barrier.
// Why this order: tagged words bring value and number of the task in one aligned access, so relaxed is
//        enough; what enters a panel is released by its writer's `done` and acquired by its reader's wait. A
//        row of the ring is written again only after its reader's `done` was acquired.
template <bool Local, template <int> class Scores, int Row>
__global__ void __launch_bounds__(shapes[Row].policy.warps* warp_size, shapes[Row].policy.blocks)
    sweep_kernel(const __grid_constant__ sweep_job w) {
    extern __shared__ word shared[];
    constexpr int words = shapes[Row].policy.words;
    const int each = Scores<words>::shared_words(w.letters);
    for (;;) {
        std::uint32_t number = 0;
        if (threadIdx.x % warp_size == 0) number = atomicAdd(w.ticket, 1u);
        number = __shfl_sync(whole_warp, number, 0);
        if (number >= w.task_count) return;
        word* mine = shared + static_cast<int>(threadIdx.x / warp_size) * each;
        if (!strip<Local, Scores, words>(w, mine, number).run()) return;
    }
}

template <template <int> class Scores, class F>
decltype(auto) with_kernel(const sweep_job& w, int row, F&& f) {
    return tuning::with_number<std::size(shapes)>(static_cast<std::size_t>(row), [&]<int Row>() {
        constexpr sweep_policy policy = shapes[Row].policy;
        const int bytes = policy.warps * Scores<policy.words>::shared_words(w.letters) * int{sizeof(word)};
        if (w.price.local) return f(sweep_kernel<true, Scores, Row>, policy.warps * warp_size, bytes);
        return f(sweep_kernel<false, Scores, Row>, policy.warps * warp_size, bytes);
    });
}

template <template <int> class Scores>
void launch_sweep(const sweep_job& w, const launch_shape& shape) {
    with_kernel<Scores>(w, shape.row, [&](auto kernel, int threads, int bytes) {
        kernel<<<shape.blocks, threads, bytes, shape.stream>>>(w);
        cuda::check_launch();
    });
}
template <template <int> class Scores>
int resident(const cuda::context& c, const sweep_job& w, int row) {
    return with_kernel<Scores>(w, row, [&](auto kernel, int threads, int bytes) {
        cuda::launch_limits::permit(c, kernel, bytes);
        return cuda::launch_limits::blocks(c, kernel, threads, static_cast<std::size_t>(bytes)) *
               c.multiprocessors();
    });
}

}  // namespace wale::wavefront::strips
