// wide - a warp a pair with cells of 32 or 64 bits: symbols of any width, any scores, any length. Lane l has
// `depth` rows, and column s - l in step s. A block is a warp; no warp waits for another. For ends and paths
// the last row of each strip is kept, and the strips that a path crosses are swept again (traced.cuh).
#include "solvers/wavefront/align/cuda/binned/walk.cuh"

namespace wale::wavefront::binned {
namespace {

using cuda::whole_warp;

constexpr int depth = wide_depth;
constexpr int of_strip = depth * warp_size;

/// Traces: ends are wanted, and maybe starts and paths; else the score alone.
template <class T, bool Traces>
class wide_pair {
public:
    __device__ wide_pair(const wide_work& w, index_t number)
        : w_(w),
          p_(pair_at(w.input, number)),
          lane_(static_cast<int>(threadIdx.x)),
          carries_(w.carries + 2 * index_t{blockIdx.x} * w.carry_pitch * w.carry_rows),
          bits_(w.bits + index_t{blockIdx.x} * w.bits_pitch),
          upto_(p_.columns),
          best_(w.price.local ? 0 : static_cast<T>(sizeof(T) == 4 ? INT32_MIN : INT64_MIN)) {}

    /// The score, in every lane.
    __device__ std::int64_t score() {
        for (first_ = 0; first_ < p_.rows; first_ += of_strip) {
            enter();
            sweep<false>();
            leave();
            __syncwarp();  // the carries of this strip before they are read
        }
        if (w_.price.query_end) offer(static_cast<T>(w_.price.top(p_.columns)), 0, p_.columns);
        if (w_.price.target_end) offer(static_cast<T>(w_.price.left(p_.rows)), p_.rows, 0);
        for (int d = warp_size / 2; d > 0; d /= 2) {
            const T other = __shfl_xor_sync(whole_warp, best_, d);
            if constexpr (Traces)
                offer(other, __shfl_xor_sync(whole_warp, best_i_, d),
                      __shfl_xor_sync(whole_warp, best_j_, d));
            else
                best_ = max(best_, other);
        }
        return best_;
    }

    /// After score(): the place of the end and, where they are wanted, the start and the path.
    __device__ void trace(index_t number) {
        if (lane_ == 0) {
            w_.trace.ends[0][number] = best_i_;
            w_.trace.ends[1][number] = best_j_;
        }
        if (!w_.trace.walks) return;
        if (w_.price.local)
            walk<true>(number);
        else
            walk<false>(number);
    }

private:
    template <bool Local>
    __device__ void walk(index_t number) {
        path_lanes<Local, T, 0> path(w_.trace, w_.price, lane_, 5);
        path.begin(p_, best_i_, best_j_, best_);
        while (!path.done()) {
            first_ = (path.row() - 1) / of_strip * index_t{of_strip};
            upto_ = path.column();
            recorded_from_ = max(upto_ - recorded_columns, index_t{0});
            enter();
            sweep<true>();
            __syncwarp();  // decisions before they are read
            const auto bits = [&](int i, int j) {
                const index_t row = i - 1 - first_, lane = row / depth;
                return bits_[(j - 1 + lane - recorded_from_) * warp_size + lane] >> (4 * (row % depth)) & 15u;
            };
            const auto score_at = [&](int i, int j) {
                return price_of(symbol(w_.input.query, p_.query + i - 1, w_.input.bytes),
                                symbol(w_.input.target, p_.target + j - 1, w_.input.bytes));
            };
            path.walk(bits, score_at, static_cast<int>(first_), static_cast<int>(recorded_from_));
            __syncwarp();  // decisions are read before those of the next strip replace them
        }
        path.finish(number);
    }

    /// Of cells that are equally high the leftmost counts, then the uppermost.
    __device__ void offer(T h, int i, int j) {
        if constexpr (Traces) {
            if (h < best_ || (h == best_ && (j > best_j_ || (j == best_j_ && i >= best_i_)))) return;
            best_i_ = i;
            best_j_ = j;
            best_ = h;
        } else {
            best_ = max(best_, h);
        }
    }

    [[nodiscard]] __device__ index_t first_row() const { return first_ + lane_ * depth; }

    __device__ void enter() {
        const index_t first = first_row();
        rows_ = static_cast<int>(min(max(p_.rows - first, index_t{0}), index_t{depth}));
#pragma unroll
        for (int r = 0; r < depth; ++r) {
            symbol_[r] = r < rows_ ? symbol(w_.input.query, p_.query + first + r, w_.input.bytes) : 0;
            h_[r] = static_cast<T>(w_.price.left(first + r + 1));
            e_[r] = h_[r] - w_.price.open;
        }
        diagonal_ = static_cast<T>(w_.price.left(first));
        h_out_ = f_out_ = 0;
    }

    [[nodiscard]] __device__ T price_of(word a, word b) const {
        if (w_.by_equality) return a == b ? w_.match : w_.mismatch;
        return w_.table[a * static_cast<word>(w_.letters) + b];
    }

    /// The row of carries that leaves the strip whose first row is `first`, H and F of a column.
    [[nodiscard]] __device__ std::int64_t* carries_of(index_t first) const {
        return carries_ + (w_.carry_rows == 1 ? 0 : first / of_strip) * 2 * w_.carry_pitch;
    }

    /// Columns up to upto_. Record: decisions are written, instead of best cells being looked for.
    template <bool Record>
    __device__ void sweep() {
        const index_t used =
            (min(p_.rows - first_, index_t{of_strip}) + depth - 1) / depth;  // lanes that have rows
        const bool carried_on = !Record && first_ + of_strip < p_.rows;
        std::int64_t* const to = carries_of(first_);
        const std::int64_t* const from = carries_of(max(first_ - of_strip, index_t{0}));
        for (index_t s = 0; s < upto_ + used - 1; ++s) {
            T h_above = __shfl_up_sync(whole_warp, h_out_, 1);
            T f_above = __shfl_up_sync(whole_warp, f_out_, 1);
            const index_t j = s - lane_;
            if (rows_ == 0 || j < 0 || j >= upto_) continue;
            if (lane_ == 0 && first_ > 0) {
                h_above = static_cast<T>(from[2 * j]);
                f_above = static_cast<T>(from[2 * j + 1]);
            } else if (lane_ == 0) {
                h_above = static_cast<T>(w_.price.top(j + 1));
                f_above = h_above - w_.price.open;
            }
            const word decided = column<Record>(j, h_above, f_above);
            if (Record && s >= recorded_from_) bits_[(s - recorded_from_) * warp_size + lane_] = decided;
            if (carried_on && lane_ == warp_size - 1) {
                to[2 * j] = h_out_;
                to[2 * j + 1] = f_out_;
            }
        }
    }

    /// Returns the decisions of the lane's cells where they are recorded, four bits a row.
    template <bool Record>
    __device__ word column(index_t j, T above, T f) {
        const word letter = symbol(w_.input.target, p_.target + j, w_.input.bytes);
        word decided = 0;
        T before = diagonal_;
        diagonal_ = above;
#pragma unroll
        for (int r = 0; r < depth; ++r) {
            if (r >= rows_) break;
            const T paired = before + price_of(symbol_[r], letter);
            T h = max(paired, max(e_[r], f));
            if (w_.price.local) h = max(h, T{0});
            if (!Record && w_.price.local)
                offer(h, static_cast<int>(first_row()) + r + 1, static_cast<int>(j) + 1);
            const T opened = h - w_.price.open;
            const T gap = max(opened, e_[r] - w_.price.extend);
            before = h_[r];
            h_[r] = h;
            f = max(opened, f - w_.price.extend);
            if (Record)
                decided |= ((h != paired ? 1u : 0u) | (h != e_[r] ? 2u : 0u) | (gap != opened ? 4u : 0u) |
                            (f != opened ? 8u : 0u))
                           << (4 * r);
            e_[r] = gap;
            h_out_ = h;
        }
        f_out_ = f;
        if (!Record && w_.price.target_end && first_row() + rows_ == p_.rows)
            offer(h_out_, p_.rows, static_cast<int>(j) + 1);
        return decided;
    }

    /// The last column, which the rows keep.
    __device__ void leave() {
        if (w_.price.local) return;
#pragma unroll
        for (int r = 0; r < depth; ++r)
            if (r < rows_ && (w_.price.query_end || first_row() + r + 1 == p_.rows))
                offer(h_[r], static_cast<int>(first_row()) + r + 1, p_.columns);
    }

    const wide_work& w_;
    const pair p_;
    const int lane_;
    std::int64_t* carries_;  // of a column H, then F
    word* bits_;             // of a step a word a lane
    index_t first_ = 0;      // row of the strip
    index_t upto_;           // columns of a sweep
    index_t recorded_from_;  // the first step whose decisions are kept
    int rows_ = 0;           // of this lane
    word symbol_[depth];
    T h_[depth], e_[depth];
    T diagonal_, h_out_, f_out_;
    T best_;
    int best_i_ = 0, best_j_ = 0;
};

template <class T, bool Traces>
__global__ void __launch_bounds__(warp_size) wide_kernel(const __grid_constant__ wide_work w) {
    for (;;) {
        std::uint32_t task = 0;
        if (threadIdx.x == 0) task = atomicAdd(w.ticket, 1u);
        task = __shfl_sync(whole_warp, task, 0) + w.first_pair;
        if (task >= w.last_pair) return;
        const index_t number = w.order[task];
        wide_pair<T, Traces> pair(w, number);
        const std::int64_t score = pair.score();
        if (threadIdx.x == 0) w.scores[number] = score;
        if constexpr (Traces) pair.trace(number);
    }
}

}  // namespace

void launch_wide(const wide_work& w, bool of_64_bits, bool traces, unsigned blocks, cudaStream_t stream) {
    using kernel = void (*)(wide_work);
    constexpr kernel kernels[2][2] = {{wide_kernel<std::int32_t, false>, wide_kernel<std::int64_t, false>},
                                      {wide_kernel<std::int32_t, true>, wide_kernel<std::int64_t, true>}};
    kernels[traces ? 1 : 0][of_64_bits ? 1 : 0]<<<blocks, warp_size, 0, stream>>>(w);
    cuda::check_launch();
}

}  // namespace wale::wavefront::binned
