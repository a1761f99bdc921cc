// column - one column of a panel: every block offers its best row to all blocks of the cluster, all take the
// best offer, divide and subtract. The row on offer lacks the step before; the warp that sends it adds that
// on the way, so that the others need not wait for their own subtraction, which the flight of the offers
// hides.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/cluster.cuh"
#include "solvers/lu/factor/cuda/lookahead/pivot.cuh"
#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"

namespace wale::lu {

inline constexpr int offers_kept = 4;  // by column mod 4; 3 are in use at most

/// What decides about a row on offer, and what follows from it.
template <class T>
struct alignas(16) offer_head {
    using place = std::conditional_t<sizeof(T) == 4, int, std::uint16_t>;
    T reciprocal;
    std::uint32_t key;  // upper half of the magnitude's; 0: no row to offer
    place position;     // of the row among the panel's rows now,
    place row;          // and when the panel began
};
static_assert(sizeof(offer_head<double>) == 16 && sizeof(offer_head<float>) == 16);

/// A row on offer: what is left of it from the current column on.
template <class T, int W>
struct alignas(16) offer {
    T row[W];
    offer_head<T> head;
};

template <class T, int W, int Threads>
struct column_shared {
    offer<T, W> slots[offers_kept][panel_cluster];
    offer<T, W> stage;                               // as it leaves the thread that has it
    T stage_multiplier;                              // its multiplier of the step before
    alignas(16) std::uint32_t key[2][Threads / 32];  // upper halves of the warps' best
    candidate<T> best[2][Threads / 32];
    alignas(8) std::uint64_t arrived[offers_kept];
    int bytes[W];      // that all blocks together send for a column
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
    static_assert(warps % 4 == 0 && warps <= 32 && W >= per_chunk && W > 1);

    __device__ column_steps(shared_type& s, int rank) : shared_(s), rank_(rank) {}

    /// Bytes that all blocks together send for column k of a strip.
    __device__ int bytes_of(int k) const {
        const int before = k == 0 ? 0 : (k - 1) / stretch;
        const int chunks = (W - before * stretch + per_chunk - 1) / per_chunk;
        return blocks_in_cluster() * 16 * (chunks + 1);
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
        const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
        const std::uint32_t key = upper_half<T>(best.key), most = cuda::largest_of_warp(key);
        unsigned first = __ballot_sync(all_lanes, key == most);
        if (several(first)) [[unlikely]]
            first = settle_tie(first, static_cast<std::uint32_t>(best.key), best.position);
        const bool won_warp = (first >> lane & 1u) != 0;
        if (won_warp) {
            shared_.key[k & 1][warp] = most;
            shared_.best[k & 1][warp] = best;
        }
        __syncthreads();
        const unsigned warps_first = leading_warps(k);
        const T reciprocal = pivot_reciprocal(value);  // here it waits for nothing
        if (warps_first != 1u << warp && !goes_first(k, warp, warps_first)) return;
        if (won_warp) {
            using place = typename offer_head<T>::place;
            stage<Live>(mine, which);
            shared_.stage.head = {reciprocal, most, static_cast<place>(best.position),
                                  static_cast<place>(local_row(which))};
        }
        __syncwarp();
        send_stage<Live, Pending>(k);
    }

    /// Takes the best offer for column k and makes the multipliers. alive: no wait has run out.
    __device__ const offer<T, W>& take(int k, lane_rows<T, W, R>& mine, bool& alive) {
        if (!byte_counter::wait(counter(k), k / offers_kept & 1u, alive ? spin_limit : 0)) alive = false;
        const auto& slots = shared_.slots[k % offers_kept];
        const int lane = static_cast<int>(threadIdx.x % 32);
        const std::uint32_t offered = slots[threadIdx.x % panel_cluster].head.key;
        const std::uint32_t key = lane < blocks_in_cluster() ? offered : 0;
        unsigned first = __ballot_sync(all_lanes, key == cuda::largest_of_warp(key));
        if (several(first)) [[unlikely]] {
            const offer<T, W>& of_block = slots[threadIdx.x % panel_cluster];
            first = settle_tie(first, static_cast<std::uint32_t>(key_of(of_block.row[0])),
                               of_block.head.position);
        }
        const offer<T, W>& won = slots[__ffs(static_cast<int>(first)) - 1];
        const offer_head<T> head = won.head;
        const auto begins = *reinterpret_cast<const sixteen_bytes<T>*>(won.row);
        won_ = &won;
        next_ = begins.v[1];
        const int from = head.position;
#pragma unroll
        for (int i = 0; i < R; ++i) {
            const bool chosen = mine.position[i] == from, displaced = mine.position[i] == k;
            mine.active[i] = mine.active[i] && !chosen;
            mine.position[i] = chosen ? k : displaced ? from : mine.position[i];
            const T product = mine.window[i][0] * head.reciprocal;
            mine.multiplier[i] = mine.active[i] ? product : T(0);
        }
        if (head.reciprocal == T(0)) [[unlikely]]
            divide(mine, begins.v[0]);
        return won;
    }
    /// The second element of what take() returned.
    __device__ T next() const {
        return next_;
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

    /// The warps with the largest upper half. Comparisons of what all read: shorter than a vote.
    __device__ unsigned leading_warps(int k) const {
        const unsigned lane = threadIdx.x % 32;
        const std::uint32_t listed = shared_.key[k & 1][lane % warps];
        const auto* keys = reinterpret_cast<const uint4*>(shared_.key[k & 1]);
        std::uint32_t most = 0;
#pragma unroll
        for (int q = 0; q < warps / 4; ++q) {
            const uint4 four = keys[q];
            most = max(most, max(max(four.x, four.y), max(four.z, four.w)));
        }
        return __ballot_sync(all_lanes, lane < warps && listed == most);
    }
    /// Rare where `warp` is among several of them.
    __device__ bool goes_first(int k, int warp, unsigned first) const {
        if (!several(first)) return false;
        const candidate<T>& best = shared_.best[k & 1][threadIdx.x % warps];
        return settle_tie(first, static_cast<std::uint32_t>(best.key), best.position) == 1u << warp;
    }
    /// Rare: the reciprocal would be out of range.
    __device__ static void divide(lane_rows<T, W, R>& mine, T pivot) {
#pragma unroll
        for (int i = 0; i < R; ++i)
            if (mine.active[i]) mine.multiplier[i] = mine.window[i][0] / pivot;
    }
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
        const int lane = static_cast<int>(threadIdx.x % 32), chunk = lane & (stride - 1);
        const std::uint32_t here = shared_address(&shared_.slots[k % offers_kept][rank_]);
        const std::uint32_t count = counter(k);
        {
            sixteen_bytes<T> words;
#pragma unroll
            for (int e = 0; e < per_chunk; ++e) {
                const int c = min(chunk, chunks - 1) * per_chunk + e;
                if constexpr (Pending) {  // what the step before took is still in its slot
                    const int next = min(c + 1, W - 1);
                    words.v[e] = fma(-shared_.stage_multiplier, won_->row[next], shared_.stage.row[next]);
                } else {
                    words.v[e] = shared_.stage.row[c];
                }
            }
            constexpr int together = 32 / stride, rounds = (panel_cluster + together - 1) / together;
            const int most = chunk < chunks ? blocks_in_cluster() : 0;
#pragma unroll
            for (int q = 0; q < rounds; ++q) {
                const int to = static_cast<int>(threadIdx.x % 32 / stride) + q * together;
                if (to < most)
                    send(in_block(here + 16u * static_cast<unsigned>(chunk), to), as_words(words),
                         in_block(count, to));
            }
        }
        const auto head = *reinterpret_cast<const uint4*>(&shared_.stage.head);
        if (lane < blocks_in_cluster())
            send(in_block(here + static_cast<unsigned>(sizeof(T)) * W, lane), head, in_block(count, lane));
    }

    shared_type& shared_;
    int rank_;
    const offer<T, W>* won_ = nullptr;
    T next_{};
};

}  // namespace wale::lu
