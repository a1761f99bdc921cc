// wide - a warp a pair with cells of 32 or 64 bits: symbols of any width, any scores, any length. Lane l has
// `depth` rows, and column s - l in step s. A block is a warp; no warp waits for another.
#include "cuda/warp.cuh"
#include "solvers/wavefront/align/cuda/binned/plan.cuh"

namespace wale::wavefront::binned {
namespace {

using cuda::whole_warp;

constexpr int depth = 8;
constexpr int of_strip = depth * warp_size;

__device__ word symbol(const void* data, index_t i, int bytes) {
    if (bytes == 1) return static_cast<const std::uint8_t*>(data)[i];
    if (bytes == 2) return static_cast<const std::uint16_t*>(data)[i];
    return static_cast<const std::uint32_t*>(data)[i];
}

template <class T>
class wide_pair {
public:
    __device__ wide_pair(const wide_work& w, index_t number)
        : w_(w),
          p_(pair_at(w.input, number)),
          lane_(static_cast<int>(threadIdx.x)),
          carries_(w.carries + 2 * index_t{blockIdx.x} * w.carry_pitch),
          best_(w.price.local ? 0 : static_cast<T>(sizeof(T) == 4 ? INT32_MIN : INT64_MIN)) {}

    /// The score, in every lane.
    __device__ std::int64_t score() {
        for (first_ = 0; first_ < p_.rows; first_ += of_strip) {
            enter();
            sweep();
            leave();
            __syncwarp();  // the carries of this strip before they are read
        }
        if (w_.price.query_end) best_ = max(best_, static_cast<T>(w_.price.top(p_.columns)));
        if (w_.price.target_end) best_ = max(best_, static_cast<T>(w_.price.left(p_.rows)));
        for (int d = warp_size / 2; d > 0; d /= 2) best_ = max(best_, __shfl_xor_sync(whole_warp, best_, d));
        return best_;
    }

private:
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

    __device__ void sweep() {
        const index_t used =
            (min(p_.rows - first_, index_t{of_strip}) + depth - 1) / depth;  // lanes that have rows
        const bool carried_on = first_ + of_strip < p_.rows;
        for (index_t s = 0; s < p_.columns + used - 1; ++s) {
            T h_above = __shfl_up_sync(whole_warp, h_out_, 1);
            T f_above = __shfl_up_sync(whole_warp, f_out_, 1);
            const index_t j = s - lane_;
            if (rows_ == 0 || j < 0 || j >= p_.columns) continue;
            if (lane_ == 0 && first_ > 0) {
                h_above = static_cast<T>(carries_[2 * j]);
                f_above = static_cast<T>(carries_[2 * j + 1]);
            } else if (lane_ == 0) {
                h_above = static_cast<T>(w_.price.top(j + 1));
                f_above = h_above - w_.price.open;
            }
            column(j, h_above, f_above);
            if (carried_on && lane_ == warp_size - 1) {
                carries_[2 * j] = h_out_;
                carries_[2 * j + 1] = f_out_;
            }
        }
    }

    __device__ void column(index_t j, T above, T f) {
        const word letter = symbol(w_.input.target, p_.target + j, w_.input.bytes);
        T before = diagonal_;
        diagonal_ = above;
#pragma unroll
        for (int r = 0; r < depth; ++r) {
            if (r >= rows_) break;
            T h = max(before + price_of(symbol_[r], letter), max(e_[r], f));
            if (w_.price.local) {
                h = max(h, T{0});
                best_ = max(best_, h);
            }
            before = h_[r];
            h_[r] = h;
            e_[r] = max(h - w_.price.open, e_[r] - w_.price.extend);
            f = max(h - w_.price.open, f - w_.price.extend);
            h_out_ = h;
        }
        f_out_ = f;
        if (w_.price.target_end && first_row() + rows_ == p_.rows) best_ = max(best_, h_out_);
    }

    /// The last column, which the rows keep.
    __device__ void leave() {
        if (w_.price.local) return;
#pragma unroll
        for (int r = 0; r < depth; ++r)
            if (r < rows_ && (w_.price.query_end || first_row() + r + 1 == p_.rows))
                best_ = max(best_, h_[r]);
    }

    const wide_work& w_;
    const pair p_;
    const int lane_;
    std::int64_t* carries_;  // of a column H, then F
    index_t first_ = 0;      // row of the strip
    int rows_ = 0;           // of this lane
    word symbol_[depth];
    T h_[depth], e_[depth];
    T diagonal_, h_out_, f_out_;
    T best_;
};

template <class T>
__global__ void __launch_bounds__(warp_size) wide_kernel(const __grid_constant__ wide_work w) {
    for (;;) {
        std::uint32_t task = 0;
        if (threadIdx.x == 0) task = atomicAdd(w.ticket, 1u);
        task = __shfl_sync(whole_warp, task, 0) + w.first_pair;
        if (task >= w.last_pair) return;
        const index_t number = w.order[task];
        const std::int64_t score = wide_pair<T>(w, number).score();
        if (threadIdx.x == 0) w.scores[number] = score;
    }
}

}  // namespace

void launch_wide(const wide_work& w, bool of_64_bits, unsigned blocks, cudaStream_t stream) {
    (of_64_bits ? wide_kernel<std::int64_t> : wide_kernel<std::int32_t>)<<<blocks, warp_size, 0, stream>>>(w);
    cuda::check_launch();
}

}  // namespace wale::wavefront::binned
