// packed - the kernel of 16-bit cells, two in a word (plan.cuh). A block is a warp; no warp waits for
// another.
#pragma once

#include "solvers/wavefront/align/cuda/binned/words.cuh"

namespace wale::wavefront::binned {

/// What a kernel looks at beside the last column.
enum class kind {
    local,   // every cell
    global,  // nothing
    tailed   // the last row
};

/// What a cell adds, of both halves. Local cells are stored as H + 2 open: gaps are -open or more, so that no
/// half of a cell or gap less open is below 0. One subtraction of words does both halves then, and as a
/// product with a 1 that the compiler does not know the multiplier does it, beside the unit that does the
/// rest of a cell.
struct steps_of_cells {
    word open;    // local: the word to add to both at once
    word extend;  // local
    word zero;    // local: as it is stored
    word one;     // local

    template <kind Kind>
    __device__ static steps_of_cells of(const packed_work& w) {
        if constexpr (Kind == kind::local)
            return {0u - twice(w.price.open), twice(-w.price.extend), twice(w.price.zero()), w.one};
        return {twice(w.price.opening()), 0, 0, 0};
    }
};

/// The rows of a lane, and what enters and leaves them from column to column.
template <kind Kind, int Words>
struct lane_rows {
    word h[Words], e[Words];
    word is_last[Kind == kind::tailed ? Words : 1];  // all bits of the half that is the table's last row
    word diagonal;                                   // H above the first row, a column before
    word h_out, f_out;                               // of the last row
    word best;                                       // local

    /// One column of both halves; returns the last row's H where this lane has that row. Edge: halves that
    /// are not `active` keep what they have.
    template <bool Edge>
    __device__ __forceinline__ word column(const word* low_scores, const word* high_scores, word above,
                                           word f, word active, const steps_of_cells& by) {
        word before = diagonal;
        word last = 0;
        diagonal = Edge ? select(active, above, before) : above;
#pragma unroll
        for (int r = 0; r < Words; ++r) {
            const word low = low_scores[r / 4 * warp_size];
            const word high = high_scores[r / 4 * warp_size];
            const word score = permuted(low, high, row_of_four(r));
            const word next_before = h[r];
            word now, gap;
            if constexpr (Kind == kind::local) {
                // As to open costs no less than to extend, F needs no F within H: one maximum a row is in
                // turn.
                const word without_f = __viaddmax_s16x2(before, score, e[r]);
                now = __vimax3_s16x2(without_f, f, by.zero);
                f = __viaddmax_s16x2(f, by.extend, multiplied(without_f, by.one, by.open));
                gap = __viaddmax_s16x2(e[r], by.extend, multiplied(now, by.one, by.open));
            } else {  // open is prices::opening(); as it is not above 0, F needs no F within H
                const word without_f = __viaddmax_s16x2(before, score, e[r]);
                now = __vmaxs2(without_f, f);
                f = __viaddmax_s16x2(without_f, by.open, f);
                gap = __viaddmax_s16x2(now, by.open, e[r]);
            }
            h[r] = Edge ? select(active, now, h[r]) : now;
            e[r] = Edge ? select(active, gap, e[r]) : gap;
            if constexpr (Kind == kind::local)
                if (r % 2 == 1) best = __vimax3_s16x2(best, h[r - 1], h[r]);
            if constexpr (Kind == kind::tailed) last |= h[r] & is_last[r];
            before = next_before;
        }
        h_out = h[Words - 1];
        f_out = f;
        return last;
    }
};

/// One pair in a group of lanes, of which this thread is one.
template <kind Kind, int Words>
class group {
public:
    __device__ group(const packed_work& w, word* profile, int lane, int log2_lanes)
        : w_(w),
          profile_(profile + lane),
          lane_(lane),
          part_(lane & ((1 << log2_lanes) - 1)),
          lanes_(1 << log2_lanes),
          carries_(w.carries + index_t{blockIdx.x} * w.carry_pitch) {}

    /// `number`: of the pair, in the caller's order; or -1 for none. Not Fills: the profile is there, and the
    /// pair has one strip of rows.
    template <bool Fills>
    __device__ void run(index_t number) {
        p_ = number < 0 ? pair{0, 0, 0, 0} : pair_at(w_.input, number);
        target_ = static_cast<const std::uint8_t*>(w_.input.target) + p_.target;
        const int of_strip = 2 * lanes_ * Words;
        const int strips = static_cast<int>(
            cuda::largest_of_warp(static_cast<unsigned>((p_.rows + of_strip - 1) / of_strip)));
        best_ = INT32_MIN;
        rows_.best = Kind == kind::local ? twice(w_.price.zero()) : 0;
        for (int strip = 0; strip < strips; ++strip) {
            first_row_ = strip * of_strip + 2 * part_ * Words;
            if constexpr (Fills) fill(first_row_, query(), p_.rows);
            enter();
            const int rows_here = min(p_.rows - strip * of_strip, of_strip);
            if (strips == 1)
                sweep<false>(0, false, rows_here);
            else
                sweep<true>(strip, strip + 1 < strips, rows_here);
            __syncwarp();  // the carries of this strip before they are read
        }
        answer(number);
    }
    /// The profile of this lane's rows of a query, from `first` on.
    __device__ void fill(int first, const std::uint8_t* query, int rows) {
        fill_profile<Words>(profile_, w_.table, w_.letters, [&](int r) {
            const int i = first + r;
            return i < rows ? int{query[i]} : w_.letters;
        });
    }
    [[nodiscard]] __device__ int first_row_of_lane() const { return 2 * part_ * Words; }

private:
    [[nodiscard]] __device__ const std::uint8_t* query() const {
        return static_cast<const std::uint8_t*>(w_.input.query) + p_.query;
    }

    /// A cell of the left border, from 0, as it is stored.
    [[nodiscard]] __device__ int left(int i) const {
        if (Kind == kind::local) return w_.price.zero();
        if (i == 0) return w_.price.base();
        return w_.price.base() +
               (w_.price.query_begin ? w_.price.extend * min(i, p_.rows) : w_.price.opening());
    }
    /// What a gap that opens after a cell is below the cell, as both are stored.
    [[nodiscard]] __device__ int opening() const {
        return Kind == kind::local ? -w_.price.open : w_.price.opening();
    }
    __device__ void enter() {
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
    }

    /// All columns of a strip. Carried: the pair has several strips.
    template <bool Carried>
    __device__ void sweep(int strip, bool carried_on, int rows_here) {
        const bool has_pair = p_.rows > 0;
        const int last_half = has_pair ? (rows_here - 1) / Words : 0;
        const int steps = static_cast<int>(
            cuda::largest_of_warp(static_cast<unsigned>(has_pair ? p_.columns + last_half : 0)));
        const int filled = 2 * lanes_ - 1;  // from here on all halves have begun
        const int drained = static_cast<int>(cuda::least_of_warp(
            has_pair ? static_cast<unsigned>(p_.columns) : 0x7fffffffu));  // from here on some are done
        begin(strip);
        const auto by = steps_of_cells::of<Kind>(w_);
        int s = 0;
        for (; s < min(filled, steps); ++s) step<true, Carried>(s, strip, carried_on, by);
        // A step reads the letter of the next column.
        const int whole = min(drained - 1, steps);
#pragma unroll 2
        for (; s < whole; ++s) step<false, Carried>(s, strip, carried_on, by);
        for (; s < steps; ++s) step<true, Carried>(s, strip, carried_on, by);
        leave();
    }

    __device__ void begin(int strip) {
        const prices& price = w_.price;
        if (Kind == kind::local) {
            top_ = price.zero();
            top_step_ = 0;
        } else if (price.target_begin) {
            top_ = price.base() + price.extend;
            top_step_ = price.extend;
        } else {
            top_ = price.base() + price.opening();
            top_step_ = 0;
        }
        before_ = profile_;
        coming_ = letter_at(-2 * part_);
        if (strip > 0) carry_coming_ = carry_at(lane_);
    }
    [[nodiscard]] __device__ int letter_at(int column) const {
        return column >= 0 && column < p_.columns ? target_[column] : 0;
    }
    [[nodiscard]] __device__ word carry_at(int column) const {
        return column < p_.columns ? carries_[column] : 0;
    }

    template <bool Edge, bool Carried>
    __device__ __forceinline__ void step(int s, int strip, bool carried_on, const steps_of_cells& by) {
        const int column = s - 2 * part_;  // of the low half
        const word* low = profile_ + coming_ * (Words / 2 * warp_size);
        const word* high = before_ + Words / 4 * warp_size;
        before_ = low;
        coming_ = Edge ? letter_at(column + 1) : int{target_[column + 1]};
        word h_above = __shfl_up_sync(whole_warp, rows_.h_out, 1);
        word f_above = __shfl_up_sync(whole_warp, rows_.f_out, 1);
        if (Carried && strip > 0) {
            if (s % warp_size == 0) {
                carry_ = carry_coming_;
                carry_coming_ = carry_at(s + warp_size + lane_);
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
            active = (column >= 0 && column < p_.columns ? 0xffffu : 0u) |
                     (column > 0 && column <= p_.columns ? 0xffff0000u : 0u);
        const word last = rows_.template column<Edge>(low, high, __funnelshift_l(h_above, rows_.h_out, 16),
                                                      __funnelshift_l(f_above, rows_.f_out, 16), active, by);
        if constexpr (Kind == kind::tailed) look_at_tail(last, active, column);
        if (Carried && carried_on && part_ == lanes_ - 1 && column > 0 && column <= p_.columns)
            carries_[column - 1] = permuted(rows_.h_out, rows_.f_out, 0x7632);
    }

    /// The last row's cell of this column, less what is added for its column.
    __device__ void look_at_tail(word last, word active, int column) {
        const int row = p_.rows - 1 - first_row_;
        if (row >= 0 && row < Words && (active & 1u))
            best_ = max(best_, low_half(last) - w_.price.extend * (column + 1 + p_.rows));
        if (row >= Words && row < 2 * Words && (active >> 16 & 1u))
            best_ = max(best_, high_half(last) - w_.price.extend * (column + p_.rows));
    }

    /// The last column, which the rows keep.
    __device__ void leave() {
        if constexpr (Kind != kind::local) {
#pragma unroll
            for (int r = 0; r < Words; ++r) {
                offer(first_row_ + r + 1, low_half(rows_.h[r]));
                offer(first_row_ + Words + r + 1, high_half(rows_.h[r]));
            }
        }
    }
    __device__ void offer(int i, int h) {
        if (i == p_.rows || (w_.price.query_end && i < p_.rows))
            best_ = max(best_, h - w_.price.extend * (i + p_.columns));
    }

    __device__ void answer(index_t number) {
        if constexpr (Kind == kind::local)
            best_ = max(low_half(rows_.best), high_half(rows_.best)) - w_.price.zero();
        for (int d = lanes_ / 2; d > 0; d /= 2) best_ = max(best_, __shfl_xor_sync(whole_warp, best_, d));
        if (number < 0 || part_ != 0) return;
        std::int64_t score = best_;
        if (Kind != kind::local) {
            score -= w_.price.base();
            if (w_.price.query_end) score = max(score, w_.price.top(p_.columns));
            if (w_.price.target_end) score = max(score, w_.price.left(p_.rows));
        }
        w_.scores[number] = score;
    }

    const packed_work& w_;
    word* profile_;
    const int lane_, part_, lanes_;
    word* carries_;
    pair p_;
    lane_rows<Kind, Words> rows_;
    int first_row_;       // of the low half
    int best_;            // not local: with base
    int top_, top_step_;  // the border above the first strip at the step's column, as it is stored
    const std::uint8_t* target_;
    const word* before_;         // the profile of the letter of the column before
    int coming_;                 // the letter of the next column
    word carry_, carry_coming_;  // 32 columns of the row above the strip, a column a lane
};

template <kind Kind, int Words>
__global__ void __launch_bounds__(warp_size) packed_kernel(const __grid_constant__ packed_work w) {
    extern __shared__ word profile[];
    const int lane = static_cast<int>(threadIdx.x);
    for (;;) {
        std::uint32_t task = 0;
        if (lane == 0) task = atomicAdd(w.ticket, 1u);
        task = __shfl_sync(whole_warp, task, 0);
        if (task >= w.first_task[widths]) return;
        int k = 0;  // the widest first
        while (task >= w.first_task[k + 1]) ++k;
        const int log2_lanes = widths - 1 - k;
        const std::uint32_t at = w.first_pair[k] + ((task - w.first_task[k]) << k) +
                                 static_cast<std::uint32_t>(lane >> log2_lanes);
        group<Kind, Words>(w, profile, lane, log2_lanes)
            .template run<true>(at < w.first_pair[k + 1] ? index_t{w.order[at]} : -1);
    }
}

template <kind Kind>
void launch_packed(const packed_work& w, int shape, unsigned blocks, cudaStream_t stream) {
    const auto launch = [&]<int Shape>(std::integral_constant<int, Shape>) {
        constexpr int words = shapes[0].policy.words[Shape];
        const auto bytes = static_cast<unsigned>(w.letters * words * 2 * warp_size);
        const auto kernel = packed_kernel<Kind, words>;
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(bytes)));
        kernel<<<blocks, warp_size, bytes, stream>>>(w);
        cuda::check_launch();
    };
    [&]<int... S>(std::integer_sequence<int, S...>) {
        ((shape == S ? launch(std::integral_constant<int, S>()) : void()), ...);
    }
    (std::make_integer_sequence<int, most_shapes>{});
}

}  // namespace wale::wavefront::binned
