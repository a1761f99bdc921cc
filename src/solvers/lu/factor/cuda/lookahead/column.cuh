// column - one column of a panel: every block offers its best row to all blocks of the cluster, all take the
// best offer, divide and subtract. The row on offer lacks the step before; the warp that sends it adds that
// on the way, so that the others need not wait for their own subtraction, which the flight of the offers
// hides.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/pivot.cuh"
#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"
#include "solvers/lu/factor/shared/cluster.cuh"

namespace wale::lu {

inline constexpr int offers_kept = 4;  // by column mod 4; 3 are in use at most

/// A row on offer: what is left of it from the current column on.
template <class T, int W>
struct alignas(16) offer {
    T row[W];
    struct alignas(16) head_type {
        T reciprocal;
        int position;  // of the row among the panel's rows now; INT_MAX: no row to offer
        int row;       // and when the panel began
    } head;
};
static_assert(sizeof(offer<double, 8>::head_type) == 16 && sizeof(offer<float, 8>::head_type) == 16);

template <class T, int W, int Threads>
struct column_shared {
    offer<T, W> slots[offers_kept][panel_cluster];
    offer<T, W> stage;   // as it leaves the thread that has it
    T stage_multiplier;  // its multiplier of the step before
    candidate<T> best[2][Threads / 32];
    alignas(8) std::uint64_t arrived[offers_kept];
    int bytes[W];      // that all blocks send for a column
    int pivot_row[W];  // of the columns in registers: where each lay when the panel began,
    int exchanged[W];  // and when it was chosen
};

/// The rows of one thread. window[i][c] is column k + c of row i.
template <class T, int W, int R>
struct lane_rows {
    T window[R][W];
    T multiplier[R];
    int position[R];  // INT_MAX: no row
    bool active[R];   // not yet a pivot's row
};

template <class T>
struct alignas(16) sixteen_bytes {
    T v[16 / sizeof(T)];
};
__device__ inline uint4 as_words(const sixteen_bytes<float>& x) {
    return {__float_as_uint(x.v[0]), __float_as_uint(x.v[1]), __float_as_uint(x.v[2]),
            __float_as_uint(x.v[3])};
}
__device__ inline uint4 as_words(const sixteen_bytes<double>& x) {
    return {static_cast<unsigned>(__double2loint(x.v[0])), static_cast<unsigned>(__double2hiint(x.v[0])),
            static_cast<unsigned>(__double2loint(x.v[1])), static_cast<unsigned>(__double2hiint(x.v[1]))};
}

constexpr int power_of_two_from(int x) {
    int p = 1;
    while (p < x) p *= 2;
    return p;
}

template <class T, int W, int R, int Threads>
class column_steps {
public:
    using shared_type = column_shared<T, W, Threads>;
    static constexpr int warps = Threads / 32;
    static constexpr int stretch = W < 8 ? W : 8;  // columns after which the window narrows
    static constexpr int per_chunk = 16 / static_cast<int>(sizeof(T));

    __device__ column_steps(shared_type& s, int rank, int blocks)
        : shared_(s), rank_(rank), blocks_(blocks) {}

    /// Bytes that all blocks send for column k of a strip.
    __device__ int bytes_of(int k) const {
        const int before = k == 0 ? 0 : (k - 1) / stretch;
        const int chunks = (W - before * stretch + per_chunk - 1) / per_chunk;
        return blocks_ * 16 * (chunks + 1);
    }
    __device__ std::uint32_t counter(int k) const {
        return shared_address(&shared_.arrived[k % offers_kept]);
    }

    /// Offers this block's best row for column k; x is that column. Pending: the window is still that of
    /// column k - 1 and lacks its subtraction.
    template <int Live, bool Pending>
    __device__ void offer_best(int k, const lane_rows<T, W, R>& mine, const T (&x)[R]) {
        candidate<T> best{0, INT_MAX};
        int which = 0;
        T value = x[0];
#pragma unroll
        for (int i = 0; i < R; ++i) {
            const magnitude_key<T> key = mine.active[i] ? key_of(x[i]) : 0;
            if (key > best.key || (key == best.key && key != 0 && mine.position[i] < best.position)) {
                best = {key, mine.position[i]};
                which = i;
                value = x[i];
            }
        }
        const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
        const T reciprocal = pivot_reciprocal(value);
        const bool won_warp = (winner_of_warp(best) >> lane & 1u) != 0;
        if (won_warp) shared_.best[k & 1][warp] = best;
        __syncthreads();
        candidate<T> of_warp = shared_.best[k & 1][lane % warps];
        if (lane >= warps) of_warp = {0, INT_MAX};
        if (winner_of_warp(of_warp) != 1u << warp) return;
        if (won_warp) {
            stage<Live>(mine, which);
            shared_.stage.head = {reciprocal, best.position, local_row(which)};
        }
        __syncwarp();
        send_stage<Live, Pending>(k);
    }

    /// Takes the best offer for column k and makes the multipliers. alive: no wait has run out.
    __device__ const offer<T, W>& take(int k, lane_rows<T, W, R>& mine, bool& alive) {
        if (!byte_counter::wait(counter(k), k / offers_kept & 1u, alive ? spin_limit : 0)) alive = false;
        const auto& slots = shared_.slots[k % offers_kept];
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const offer<T, W>& of_block = slots[lane % panel_cluster];
        candidate<T> best{key_of(of_block.row[0]), of_block.head.position};
        if (lane >= blocks_ || best.position == INT_MAX) best = {0, INT_MAX};
        const offer<T, W>& won = slots[31 - __clz(static_cast<int>(winner_of_warp(best)))];
        won_ = &won;
        const int from = won.head.position;
        const T reciprocal = won.head.reciprocal, pivot = won.row[0];
#pragma unroll
        for (int i = 0; i < R; ++i) {
            if (mine.position[i] == from) {
                mine.position[i] = k;
                mine.active[i] = false;
            } else if (mine.position[i] == k) {
                mine.position[i] = from;
            }
            mine.multiplier[i] = mine.active[i] ? scaled_below(mine.window[i][0], reciprocal, pivot) : T(0);
        }
        return won;
    }

    /// Subtracts the row that won from all but the first column of the window, which moves on by a column.
    template <int Live>
    __device__ static void subtract(lane_rows<T, W, R>& mine, const offer<T, W>& won) {
#pragma unroll
        for (int q = 0; q < (Live + per_chunk - 1) / per_chunk; ++q) {
            const auto u = reinterpret_cast<const sixteen_bytes<T>*>(won.row)[q];
#pragma unroll
            for (int e = 0; e < per_chunk; ++e) {
                const int c = q * per_chunk + e;
                if (c == 0 || c >= Live) continue;
#pragma unroll
                for (int i = 0; i < R; ++i)
                    mine.window[i][c - 1] = fma(-mine.multiplier[i], u.v[e], mine.window[i][c]);
            }
        }
    }

private:
    static constexpr std::uint32_t spin_limit = 1u << 21;

    __device__ int local_row(int i) const {
        return (rank_ * R + i) * Threads + static_cast<int>(threadIdx.x);
    }
    template <int Live>
    __device__ void stage(const lane_rows<T, W, R>& mine, int which) {
        T multiplier = mine.multiplier[0];
#pragma unroll
        for (int i = 1; i < R; ++i)
            if (which == i) multiplier = mine.multiplier[i];
        shared_.stage_multiplier = multiplier;
#pragma unroll
        for (int c = 0; c < Live; ++c) {
            T v = mine.window[0][c];
#pragma unroll
            for (int i = 1; i < R; ++i)
                if (which == i) v = mine.window[i][c];
            shared_.stage.row[c] = v;  // where it is in registers: whole chunks without moves
        }
    }
    /// Lanes take chunks of 16 bytes, several blocks at once.
    template <int Live, bool Pending>
    __device__ void send_stage(int k) {
        constexpr int chunks = (Live + per_chunk - 1) / per_chunk, stride = power_of_two_from(chunks);
        const int lane = static_cast<int>(threadIdx.x) % 32, chunk = lane % stride;
        const std::uint32_t here = shared_address(&shared_.slots[k % offers_kept][rank_]);
        const std::uint32_t count = counter(k);
        if (chunk < chunks) {
            sixteen_bytes<T> words;
#pragma unroll
            for (int e = 0; e < per_chunk; ++e) {
                const int c = chunk * per_chunk + e;
                if constexpr (Pending) {  // what the step before took is still in its slot
                    const int next = min(c + 1, W - 1);
                    words.v[e] = fma(-shared_.stage_multiplier, won_->row[next], shared_.stage.row[next]);
                } else {
                    words.v[e] = shared_.stage.row[c];
                }
            }
            for (int to = lane / stride; to < blocks_; to += 32 / stride)
                send(in_block(here + 16u * static_cast<unsigned>(chunk), to), as_words(words),
                     in_block(count, to));
        }
        const auto head = *reinterpret_cast<const uint4*>(&shared_.stage.head);
        if (lane < blocks_)
            send(in_block(here + static_cast<unsigned>(sizeof(T)) * W, lane), head, in_block(count, lane));
    }

    shared_type& shared_;
    int rank_, blocks_;
    const offer<T, W>* won_ = nullptr;
};

}  // namespace wale::lu
