// traced - the kernel of ends, starts and paths with 16-bit cells, two in a word: the sweep of packed.cuh,
// which also records the decisions of its cells, and the walk back through them. A block is a warp; no warp
// waits for another.
//
// A pair of one strip of rows is swept once. Of a pair of several strips the first sweep keeps the last row
// of each strip; then the strips that the path crosses are swept again, the last one first, each up to the
// column at which the path enters it.
#pragma once

#include "solvers/wavefront/align/cuda/binned/traced_rows.cuh"
#include "solvers/wavefront/align/cuda/binned/walk.cuh"

namespace wale::wavefront::binned {

/// A cell where an alignment may end: the highest one, then the leftmost, then the uppermost.
struct best_end {
    int score, i, j;
    __device__ void offer(int other, int at_i, int at_j) {
        if (other < score || (other == score && (at_j > j || (at_j == j && at_i >= i)))) return;
        *this = {other, at_i, at_j};
    }
};

/// One pair in a group of lanes, of which this thread is one. Long: of several strips, all lanes of the warp.
template <kind Kind, int Words, bool Long>
class traced_group {
    using rows_of_lane = traced_rows<Kind, Words>;
    static constexpr int recorded = rows_of_lane::recorded;

public:
    /// kept: of local alignments, words for two columns of a warp.
    __device__ traced_group(const traced_work& w, word* profile, word* kept, int lane, int log2_lanes)
        : w_(w),
          price_(w.packed.price),
          profile_(profile + lane),
          kept_(kept + lane),
          lane_(lane),
          part_(lane & ((1 << log2_lanes) - 1)),
          lanes_(1 << log2_lanes),
          carries_(w.packed.carries + index_t{blockIdx.x} * w.packed.carry_pitch * w.carry_rows),
          bits_(w.bits + index_t{blockIdx.x} * w.bits_pitch),
          path_(w.trace, price_, lane, log2_lanes) {}

    /// `number`: of the pair, in the caller's order; or -1 for none.
    __device__ void run(index_t number) {
        p_ = number < 0 ? pair{0, 0, 0, 0} : pair_at(w_.packed.input, number);
        target_ = static_cast<const std::uint8_t*>(w_.packed.input.target) + p_.target;
        of_strip_ = 2 * lanes_ * Words;
        upto_ = p_.columns;
        best_ = {INT32_MIN, 0, 0};
        if constexpr (Long) {
            strips_ = (p_.rows + of_strip_ - 1) / of_strip_;
            for (int strip = 0; strip < strips_; ++strip) sweep<false, true>(strip);
        } else if (w_.trace.walks) {
            sweep<true, true>(0);
        } else {
            sweep<false, true>(0);
        }
        find_end(number);
        if (w_.trace.walks) walk(number);
    }

private:
    [[nodiscard]] __device__ const std::uint8_t* query() const {
        return static_cast<const std::uint8_t*>(w_.packed.input.query) + p_.query;
    }
    [[nodiscard]] __device__ int base() const {
        return Kind == kind::local ? traced_zero(price_) : traced_base(price_);
    }
    /// A cell of the left border, from 0, as it is stored.
    [[nodiscard]] __device__ int left(int i) const {
        if (Kind == kind::local || i == 0) return base();
        return base() + (price_.query_begin ? price_.extend * min(i, p_.rows) : price_.opening());
    }
    /// What a gap that opens after a cell is below the cell, as both are stored.
    [[nodiscard]] __device__ int opening() const {
        return Kind == kind::local ? -price_.open : price_.opening();
    }

    __device__ void enter(int strip) {
        first_row_ = strip * of_strip_ + 2 * part_ * Words;
        fill_profile<Words>(profile_, w_.packed.table, w_.packed.letters, [&](int r) {
            const int i = first_row_ + r;
            return i < p_.rows ? int{query()[i]} : w_.packed.letters;
        });
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            const int low = first_row_ + r, high = low + Words;
            rows_.h[r] = both(left(low + 1), left(high + 1));
            rows_.e[r] = both(left(low + 1) + opening(), left(high + 1) + opening());
            if constexpr (Kind == kind::tailed)
                rows_.is_last[r] =
                    (low + 1 == p_.rows ? 0xffffu : 0u) | (high + 1 == p_.rows ? 0xffff0000u : 0u);
        }
        rows_.diagonal = both(left(first_row_), left(first_row_ + Words));
        rows_.h_out = rows_.f_out = 0;
        // What later strips have as high and further to the left is better: it has to be looked at.
        if constexpr (Kind == kind::local) seen_ = twice(max(best_.score + base() - 1, base()));
        column_of_[0] = column_of_[1] = 0;
        if (price_.target_begin && Kind != kind::local) {
            top_ = base() + price_.extend;
            top_step_ = price_.extend;
        } else {
            top_ = base() + (Kind == kind::local ? 0 : price_.opening());
            top_step_ = 0;
        }
        before_ = profile_;
        coming_ = letter_at(-2 * part_);
        if (Long && strip > 0) carry_coming_ = carry_at(strip, lane_);
        to_bits_ = bits_ + lane_ * recorded;
    }
    [[nodiscard]] __device__ int letter_at(int column) const {
        return column >= 0 && column < upto_ ? target_[column] : 0;
    }
    /// Row of carries that a strip reads; the one below is what the strip writes.
    [[nodiscard]] __device__ word* carry_row(int strip) const {
        return carries_ + index_t{w_.carry_rows == 1 ? 0 : strip - 1} * w_.packed.carry_pitch;
    }
    /// Behind the last column the last one: cells that do not count must stay close to their neighbours too,
    /// as the difference of a low half may not carry into the high one.
    [[nodiscard]] __device__ word carry_at(int strip, int column) const {
        return carry_row(strip)[min(column, upto_ - 1)];
    }

    /// Columns up to upto_ of a strip. Record: of a long pair the last ones alone, from step recorded_from_
    /// on.
    template <bool Record, bool Track>
    __device__ void sweep(int strip) {
        enter(strip);
        recorded_from_ = Long ? max(upto_ - recorded_columns, 0) : 0;
        const bool has_pair = p_.rows > 0;
        const int last_half = has_pair ? (min(p_.rows - strip * of_strip_, of_strip_) - 1) / Words : 0;
        const int steps =
            static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(has_pair ? upto_ + last_half : 0)));
        const int filled = 2 * lanes_ - 1;  // from here on all halves have begun
        const int drained = static_cast<int>(cuda::least_of_warp(
            has_pair ? static_cast<unsigned>(upto_) : 0x7fffffffu));  // from here on some are done
        const auto by = traced_steps::of<Kind>(w_);
        int s = 0;
        const int whole = min(drained - 1, steps);  // a step reads the letter of the next column
        if (Record && Long && recorded_from_ > 0) {
            for (; s < min(filled, recorded_from_); ++s) step<true, false, Track>(s, strip, by);
            for (; s < min(whole, recorded_from_); ++s) step<false, false, Track>(s, strip, by);
            for (; s < recorded_from_; ++s) step<true, false, Track>(s, strip, by);
        }
        for (; s < min(filled, steps); ++s) step<true, Record, Track>(s, strip, by);
#pragma unroll 2
        for (; s < whole; ++s) step<false, Record, Track>(s, strip, by);
        for (; s < steps; ++s) step<true, Record, Track>(s, strip, by);
        if constexpr (Track) leave();
        __syncwarp();  // carries and decisions before they are read
    }

    template <bool Edge, bool Record, bool Track>
    __device__ __forceinline__ void step(int s, int strip, const traced_steps& by) {
        const int column = s - 2 * part_;  // of the low half
        const word* low = profile_ + coming_ * (Words / 2 * warp_size);
        const word* high = before_ + Words / 4 * warp_size;
        before_ = low;
        coming_ = Edge ? letter_at(column + 1) : int{target_[column + 1]};
        word h_above = __shfl_up_sync(whole_warp, rows_.h_out, 1);
        word f_above = __shfl_up_sync(whole_warp, rows_.f_out, 1);
        if (Long && strip > 0) {
            if (s % warp_size == 0) {
                carry_ = carry_coming_;
                carry_coming_ = carry_at(strip, s + warp_size + lane_);
            }
            const word carry = __shfl_sync(whole_warp, carry_, s % warp_size);
            if (part_ == 0) {
                h_above = carry << 16;
                f_above = carry;
            }
        } else if (part_ == 0) {
            h_above = static_cast<word>(top_) << 16;
            f_above = static_cast<word>(top_ + opening()) << 16;
        }
        if (Kind != kind::local) top_ += top_step_;
        word active = whole_warp;
        if (Edge)
            active = (column >= 0 && column < upto_ ? 0xffffu : 0u) |
                     (column > 0 && column <= upto_ ? 0xffff0000u : 0u);
        const word last =
            rows_.template column<Edge, Record, Track>(low, high, __funnelshift_l(h_above, rows_.h_out, 16),
                                                       __funnelshift_l(f_above, rows_.f_out, 16), active, by);
        if constexpr (Record) write_bits();
        if constexpr (Track && Kind == kind::local) look_at_column(column);
        if constexpr (Track && Kind == kind::tailed) look_at_tail(last, active, column);
        if (Long && Track && strip + 1 < strips_ && part_ == lanes_ - 1 && column > 0 && column <= upto_)
            carry_row(strip + 1)[column - 1] = permuted(rows_.h_out, rows_.f_out, 0x7632);
    }

    __device__ __forceinline__ void write_bits() {
        if (first_row_ < p_.rows) {
            if constexpr (recorded % 4 == 0) {
#pragma unroll
                for (int k = 0; k < recorded; k += 4)
                    *reinterpret_cast<uint4*>(to_bits_ + k) = {rows_.bits[k], rows_.bits[k + 1],
                                                               rows_.bits[k + 2], rows_.bits[k + 3]};
            } else if constexpr (recorded % 2 == 0) {
#pragma unroll
                for (int k = 0; k < recorded; k += 2)
                    *reinterpret_cast<uint2*>(to_bits_ + k) = {rows_.bits[k], rows_.bits[k + 1]};
            } else {
#pragma unroll
                for (int k = 0; k < recorded; ++k) to_bits_[k] = rows_.bits[k];
            }
        }
        to_bits_ += recorded * warp_size;
    }

    /// Keeps the first column that has the highest cell so far, of each half.
    __device__ __forceinline__ void look_at_column(int column) {
        const word higher = __vmaxu2(seen_, rows_.highest);
        if (higher == seen_) return;
        const word changed = higher ^ seen_;
        seen_ = higher;
        if ((changed & 0xffffu) != 0) {
            column_of_[0] = column + 1;
#pragma unroll
            for (int r = 0; r < Words; ++r) kept_[r * warp_size] = rows_.h[r];
        }
        if ((changed >> 16) != 0) {
            column_of_[1] = column;
#pragma unroll
            for (int r = 0; r < Words; ++r) kept_[(Words + r) * warp_size] = rows_.h[r];
        }
    }

    /// The last row's cell of this column, less what is added for its column.
    __device__ void look_at_tail(word last, word active, int column) {
        const int row = p_.rows - 1 - first_row_;
        if (row >= 0 && row < Words && (active & 1u)) offer(p_.rows, column + 1, last & 0xffffu);
        if (row >= Words && row < 2 * Words && (active >> 16 & 1u)) offer(p_.rows, column, last >> 16);
    }
    __device__ void offer(int i, int j, word h) {
        best_.offer(static_cast<int>(h) - base() - price_.extend * (i + j), i, j);
    }

    /// The last column, which the rows keep; of local alignments the columns of the highest cells.
    __device__ void leave() {
        if constexpr (Kind == kind::local) {
            const word high[2] = {seen_ & 0xffffu, seen_ >> 16};
            for (int half = 0; half < 2; ++half) {
                if (column_of_[half] == 0) continue;
                int r = 0;
                while (r < Words - 1 &&
                       (kept_[(half * Words + r) * warp_size] >> (16 * half) & 0xffffu) != high[half])
                    ++r;
                best_.offer(static_cast<int>(high[half]) - base(), first_row_ + half * Words + r + 1,
                            column_of_[half]);
            }
        } else {
#pragma unroll
            for (int r = 0; r < Words; ++r) {
                const int low = first_row_ + r + 1, high = low + Words;
                if (low == p_.rows || (price_.query_end && low < p_.rows))
                    offer(low, p_.columns, rows_.h[r] & 0xffffu);
                if (high == p_.rows || (price_.query_end && high < p_.rows))
                    offer(high, p_.columns, rows_.h[r] >> 16);
            }
        }
    }

    /// The best end of all lanes and of the border; in every lane of the pair.
    __device__ void find_end(index_t number) {
        for (int d = lanes_ / 2; d > 0; d /= 2)
            best_.offer(__shfl_xor_sync(whole_warp, best_.score, d), __shfl_xor_sync(whole_warp, best_.i, d),
                        __shfl_xor_sync(whole_warp, best_.j, d));
        if (number < 0) {
            best_ = {0, 0, 0};
            return;
        }
        if (Kind == kind::local) {
            if (best_.score <= 0) best_ = {0, 0, 0};
        } else {
            if (price_.query_end) best_.offer(static_cast<int>(price_.top(p_.columns)), 0, p_.columns);
            if (price_.target_end) best_.offer(static_cast<int>(price_.left(p_.rows)), p_.rows, 0);
        }
        if (part_ != 0) return;
        w_.packed.scores[number] = best_.score;
        w_.trace.ends[0][number] = best_.i;
        w_.trace.ends[1][number] = best_.j;
    }

    __device__ void walk(index_t number) {
        path_.begin(p_, best_.i, best_.j, best_.score);
        const auto score = [&](int i, int j) {
            const word of = target_[j - 1];
            const word four = w_.packed.table[word{query()[i - 1]} * table_words + of / 4];
            return int{static_cast<std::int8_t>(four >> (8 * (of % 4)))};
        };
        const word* const of_lanes = bits_ + (lane_ - part_) * recorded;
        int strip = 0;
        const auto bits = [&](int i, int j) {
            const int row = i - 1 - strip * of_strip_, half = row / Words;
            const int step = j - 1 + half - recorded_from_;
            return rows_of_lane::decisions(of_lanes + (step * warp_size + half / 2) * recorded, row % Words,
                                           half & 1);
        };
        if constexpr (Long) {
            while (!path_.done()) {
                strip = (path_.row() - 1) / of_strip_;
                upto_ = path_.column();
                sweep<true, false>(strip);
                path_.walk(bits, score, strip * of_strip_, recorded_from_);
            }
        } else {
            path_.walk(bits, score, 0, 0);
        }
        path_.finish(number);
        __syncwarp();  // decisions are read before those of the next pair replace them
    }

    const traced_work& w_;
    const prices& price_;
    word* profile_;
    word* kept_;
    const int lane_, part_, lanes_;
    word* carries_;
    word* bits_;
    path_lanes<Kind == kind::local, int, 1> path_;
    pair p_;
    rows_of_lane rows_;
    best_end best_;
    int of_strip_, strips_ = 1;
    int upto_;            // columns of a sweep
    int recorded_from_;   // the first step whose decisions are kept
    int first_row_;       // of the low half
    word seen_;           // local: the highest cells of this strip so far
    int column_of_[2];    // local: their columns, from 1; 0: none
    int top_, top_step_;  // the border above the first strip at the step's column, as it is stored
    const std::uint8_t* target_;
    const word* before_;         // the profile of the letter of the column before
    int coming_;                 // the letter of the next column
    word carry_, carry_coming_;  // 32 columns of the row above the strip, a column a lane
    word* to_bits_;
};

template <kind Kind, int Words, bool Long>
__global__ void __launch_bounds__(warp_size) traced_kernel(const __grid_constant__ traced_work w) {
    extern __shared__ word profile[];
    word* const kept = profile + w.packed.letters * (Words / 2 * warp_size);
    const int lane = static_cast<int>(threadIdx.x);
    for (;;) {
        std::uint32_t task = 0;
        if (lane == 0) task = atomicAdd(w.packed.ticket, 1u);
        task = __shfl_sync(whole_warp, task, 0);
        if (task >= w.packed.first_task[widths]) return;
        int k = 0;  // the widest first
        while (task >= w.packed.first_task[k + 1]) ++k;
        const int log2_lanes = Long ? widths - 1 : widths - 1 - k;
        const std::uint32_t at = w.packed.first_pair[k] + ((task - w.packed.first_task[k]) << k) +
                                 static_cast<std::uint32_t>(lane >> log2_lanes);
        traced_group<Kind, Words, Long>(w, profile, kept, lane, log2_lanes)
            .run(at < w.packed.first_pair[k + 1] ? index_t{w.packed.order[at]} : -1);
    }
}

template <kind Kind, int Words, bool Long>
int launch_traced(const traced_work& w, unsigned blocks, const cuda::context& c) {
    const std::size_t kept = Kind == kind::local ? 2 * Words * warp_size : 0;
    const std::size_t bytes =
        4 * (static_cast<std::size_t>(w.packed.letters * (Words / 2)) * warp_size + kept);
    const auto kernel = traced_kernel<Kind, Words, Long>;
    cuda::launch_limits::permit(c, kernel, bytes);
    if (blocks == 0) return cuda::launch_limits::blocks(c, kernel, warp_size, bytes);
    kernel<<<blocks, warp_size, bytes, c.stream()>>>(w);
    cuda::check_launch();
    return 0;
}

template <kind Kind>
int launch_traced(const traced_work& w, int shape, bool of_long, unsigned blocks, const cuda::context& c) {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
        const auto launch = [&]<int Shape>(std::integral_constant<int, Shape>) {
            constexpr int words = traced_shapes[0].policy.words[Shape];
            constexpr bool is_there = Kind == kind::global || words <= most_words_looking;
            constexpr bool is_long = Shape == long_shapes[0] || Shape == long_shapes[1];
            if constexpr (is_there && is_long)
                if (of_long) return launch_traced<Kind, words, true>(w, blocks, c);
            if constexpr (is_there) return launch_traced<Kind, words, false>(w, blocks, c);
            return 0;
        };
        return ((shape == S ? launch(std::integral_constant<int, S>()) : 0) + ...);
    }
    (std::make_integer_sequence<int, most_shapes>{});
}

}  // namespace wale::wavefront::binned
