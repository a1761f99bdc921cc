// unpivoted - the whole factorisation without exchanges in one launch, a block of columns in the registers of
// a thread block. The warps of a block work at their own pace: a lane holds one row of each of its warp's
// groups of 32 rows, and groups are dealt to the warps in turn, so that all have work to the end.
//
// Who does what: a thread block takes the next block of `width` columns by ticket and subtracts the panels of
//   all blocks before it in order. The warp with the rows of panel k's diagonal block solves for U there;
//   every warp subtracts L U from its rows. In the block's own panel the warp with the diagonal block factors
//   it, the others divide by it.
// What it waits for: the multipliers of its rows from the blocks on its left, and in shared memory U of the
//   panel, and the diagonal block, from another warp of its own block.
// Why it cannot deadlock: multipliers are published by a block with a lower ticket, which runs already and
//   waits for still lower ones; no block waits for a later one, so that one resident block is enough. In a
//   block, the warp that makes U of panel k waits for U of earlier panels alone. Every wait is bounded.
// Why this memory order: a published word is its own flag (packets.cuh). In shared memory U is written,
//   the warp synchronised, and then a flag released in the block's scope, which the readers acquire.
#pragma once

#include "solvers/lu/factor/cuda/resident/shared_flag.cuh"
#include "solvers/lu/factor/cuda/resident/workspace.cuh"

namespace wale::lu::resident {

template <class T, int Height>
struct unpivoted_shared {
    static constexpr int pitch = width + per_packet<T>;  // 16-byte words of 8 rows lie in different banks
    alignas(16) T stash[Height][pitch];                  // finished rows: U, then L
    alignas(16) T lower[width][pitch];                   // L of the diagonal block of the panel at hand
    alignas(16) divisor<T> divisors[width];              // of the own pivots
    // U of panel k is in the stash; the last: the own diagonal block is
    std::uint64_t ready[Height / width + 1];
    int word;
};

template <class T, int Rows, int Warps>
class unpivoted_block {
    static constexpr int height = 32 * Warps * Rows;
    static constexpr int groups = Warps * Rows;
    static constexpr int wide = per_packet<T>;    // columns of a packet
    static constexpr int packets = width / wide;  // of a row of a panel
    using shared = unpivoted_shared<T, height>;

public:
    __device__ unpivoted_block(const workspace<T>& in, shared& sh)
        : in_(in),
          sh_(sh),
          lane_(static_cast<int>(threadIdx.x % 32)),
          warp_(static_cast<int>(threadIdx.x / 32)) {
        if (in.smallest_pivot) smallest_ = static_cast<T>(in.smallest_pivot[in.number]);
    }

    __device__ void run() {
        bool again = false;
        for (int b = take_ticket(in_, &sh_.word); b < in_.blocks(); b = take_ticket(in_, &sh_.word)) {
            for (int k = static_cast<int>(threadIdx.x); k <= height / width; k += 32 * Warps)
                lower_flag(&sh_.ready[k], again);
            again = true;
            __syncthreads();
            fetch(b);
            const int panels = min(b, in_.panels_wide());
#pragma unroll 1
            for (int k = 0; k < panels; ++k) apply(k, b, k == b - 1 && own_steps(in_, b) > 0 ? b / 2 : -1);
            if (own_steps(in_, b) > 0) {
                if (b == 0 && warp_ == 0) start_panel(b);
                await(&sh_.ready[height / width], wait_);
                divide(b);
            }
            settle(b);
            if (b == in_.panels_wide() - 1 && warp_ == 0) publish_summary(in_, false, wait_);
        }
        if (wait_.exhausted) note_failure(in_.to);
    }

private:
    [[nodiscard]] __device__ __forceinline__ int group(int r) const {
        return r * Warps + warp_;
    }
    [[nodiscard]] __device__ __forceinline__ int row(int r) const {
        return group(r) * 32 + lane_;
    }
    [[nodiscard]] __device__ __forceinline__ bool used(int r) const {
        return group(r) * 32 < in_.rows;
    }
    /// Multipliers of panel k: packets of a row, 32 rows of a packet side by side.
    [[nodiscard]] __device__ __forceinline__ T* multipliers(int k, int g) const {
        return in_.panels + (k * groups + g) * (32 * width) + lane_ * wide;
    }

    struct place {
        int row, column;
    };
    /// Element k of `width` of this lane in group g: a warp takes them in the order of memory.
    __device__ __forceinline__ place in_memory_order(int g, int k, bool by_columns) const {
        return {g * 32 + (by_columns ? lane_ : 2 * k + lane_ / width), by_columns ? k : lane_ % width};
    }
    __device__ __forceinline__ T& element(int i, int b, int c) const {
        return in_.a(i, index_t{b} * width + c);
    }
    __device__ __forceinline__ void fetch(int b) {
        const int count = min(width, in_.columns - b * width);
        const bool by_columns = in_.a.row_step == 1;
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            T x[width];  // all loads before the first store
#pragma unroll
            for (int k = 0; k < width; ++k) {
                const place at = in_memory_order(group(r), k, by_columns);
                x[k] = at.column < count && at.row < in_.rows ? element(at.row, b, at.column) : T(0);
            }
#pragma unroll
            for (int k = 0; k < width; ++k) {
                const place at = in_memory_order(group(r), k, by_columns);
                sh_.stash[at.row][at.column] = x[k];
            }
        }
        __syncwarp();
#pragma unroll
        for (int r = 0; r < Rows; ++r) from_stash(a_[r], row(r));
    }
    __device__ __forceinline__ void from_stash(T (&x)[width], int i) const {
#pragma unroll
        for (int c = 0; c < width; ++c) x[c] = sh_.stash[i][c];
    }
    __device__ __forceinline__ void to_stash(const T (&x)[width], int i) {
#pragma unroll
        for (int c = 0; c < width; ++c) sh_.stash[i][c] = x[c];
    }
    /// The rows of a warp are finished by itself, so that no other need be waited for.
    __device__ __forceinline__ void settle(int b) {
        const int count = min(width, in_.columns - b * width);
        const bool by_columns = in_.a.row_step == 1;
        __syncwarp();
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int k = 0; k < width; ++k) {
                const place at = in_memory_order(group(r), k, by_columns);
                if (at.column < count && at.row < in_.rows)
                    element(at.row, b, at.column) = sh_.stash[at.row][at.column];
            }
    }

    /// Columns [half * Half, + Half) of the multipliers of a group.
    static constexpr int half_width = width / 2;
    struct strip {
        packet<T> l[half_width / wide];
    };
    __device__ __forceinline__ void look_at(strip& s, int k, int g, int half) const {
        const T* from = multipliers(k, g) + half * (half_width / wide) * (32 * wide);
#pragma unroll
        for (int p = 0; p < half_width / wide; ++p) look(s.l[p], from + p * (32 * wide));
    }
    __device__ __forceinline__ static bool missing(const strip& s) {
        bool any = false;
#pragma unroll
        for (int p = 0; p < half_width / wide; ++p) any |= s.l[p].missing();
        return __any_sync(all_lanes, any);
    }

    /// Subtracts panel k from the groups below its diagonal block. `except`: the group of the own diagonal
    /// block if this is the last panel before it, else -1.
    __device__ __forceinline__ void apply(int k, int b, int except) {
        const int diagonal = k / 2;  // the group with the diagonal block of panel k
        if (warp_ == diagonal % Warps) {
            T x[width];
            get(x, diagonal);
            solve(x, k, b);
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (group(r) == diagonal)
#pragma unroll
                    for (int q = 0; q < width; ++q) a_[r][q] = x[q];
            if (diagonal == except) start_panel(b);
        }
        strip s[Rows];
        bool mine[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) mine[r] = group(r) > diagonal && used(r);
#pragma unroll 1
        for (int turn = except > diagonal && warp_ == except % Warps ? 0 : 1; turn < 2; ++turn) {
            // Turn 0: the group of the own diagonal block alone, which others wait for.
#pragma unroll
            for (int half = 0; half < 2; ++half) {
#pragma unroll
                for (int r = 0; r < Rows; ++r)
                    if (mine[r] && (turn == 1 || group(r) == except)) look_at(s[r], k, group(r), half);
                if (half == 0 && warp_ != diagonal % Warps) await(&sh_.ready[k], wait_);
#pragma unroll
                for (int r = 0; r < Rows; ++r)
                    if (mine[r] && (turn == 1 || group(r) == except)) {
                        while (missing(s[r]) && !wait_.spend()) {
                            if (k + 1 < b) __nanosleep(64);
                            look_at(s[r], k, group(r), half);
                        }
                        subtract(a_[r], s[r], k, half);
                    }
            }
            if (turn == 1) continue;
#pragma unroll
            for (int r = 0; r < Rows; ++r) mine[r] = mine[r] && group(r) != except;
            start_panel(b);
        }
    }
    __device__ __forceinline__ void get(T (&x)[width], int g) const {
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (group(r) == g)
#pragma unroll
                for (int q = 0; q < width; ++q) x[q] = a_[r][q];
    }
    __device__ __forceinline__ void subtract(T (&x)[width], const strip& s, int k, int half) const {
#pragma unroll
        for (int c = 0; c < half_width; ++c) {
            const T* u = sh_.stash[k * width + half * half_width + c];
#pragma unroll
            for (int q = 0; q < width; ++q) x[q] = fma(-s.l[c / wide][c % wide], u[q], x[q]);
        }
    }

    /// U of panel k from the rows of its diagonal block, and the update of the rows below in the same group.
    __device__ __forceinline__ void solve(T (&x)[width], int k, int b) {
        const int g = k / 2, in_block = lane_ - k % 2 * width;  // the row in the diagonal block
        const bool of_block = in_block >= 0 && in_block < width;
        strip s[2];
#pragma unroll
        for (int half = 0; half < 2; ++half) look_at(s[half], k, g, half);
        while ((missing(s[0]) | missing(s[1])) && !wait_.spend()) {
            if (k + 1 < b) __nanosleep(64);
#pragma unroll
            for (int half = 0; half < 2; ++half) look_at(s[half], k, g, half);
        }
        if (of_block) {
            to_stash(x, g * 32 + lane_);
#pragma unroll
            for (int c = 0; c < width; ++c)
                sh_.lower[in_block][c] = s[c / half_width].l[c % half_width / wide][c % wide];
        }
        __syncwarp();
        const int q = lane_ % width;
        T u[width];
#pragma unroll
        for (int i = 0; i < width; ++i) u[i] = sh_.stash[k * width + i][q];
#pragma unroll
        for (int c = 0; c < width - 1; ++c)
#pragma unroll
            for (int i = c + 1; i < width; ++i) u[i] = fma(-sh_.lower[i][c], u[c], u[i]);
        __syncwarp();
        if (lane_ < width)
#pragma unroll
            for (int i = 0; i < width; ++i) sh_.stash[k * width + i][q] = u[i];
        raise(&sh_.ready[k]);
        if (in_block >= width) {
            subtract(x, s[0], k, 0);
            subtract(x, s[1], k, 1);
        }
    }

    /// The warp with the own diagonal block, as soon as its rows are up to date.
    __device__ __forceinline__ void start_panel(int b) {
        T x[width];
        get(x, b / 2);
        factor_diagonal(x, b);
    }
    /// A packet of finished columns of one row into the stash, its multipliers out to the other blocks.
    __device__ __forceinline__ void keep(const packet<T>& done, int g, int p) {
        *reinterpret_cast<packet<T>*>(&sh_.stash[g * 32 + lane_][p * wide]) = done;
    }
    __device__ __forceinline__ void send(const packet<T>& l, int b, int g, int p) {
        publish(multipliers(b, g) + p * (32 * wide), l);
    }

    /// The diagonal block by one warp; the rows below in the same group go with it.
    __device__ __forceinline__ void factor_diagonal(T (&x)[width], int b) {
        const int g = b / 2, in_block = lane_ - b % 2 * width, steps = own_steps(in_, b);
        int moved = 0;
        factor_columns(x, b, moved);
        raise(&sh_.ready[height / width]);
        if (in_block >= 0 && in_block < steps) {
            publish(in_.diagonal + b * width + in_block, sh_.stash[g * 32 + lane_][in_block]);
            if (in_.out.pivots) in_.out.pivots[b * width + in_block] = b * width + in_block;
        }
        if (lane_ == 0) note_perturbed(in_.to, static_cast<unsigned long long>(moved));
        if (b == in_.panels_wide() - 1 && in_.out.permutation)
            for (int i = lane_; i < in_.rows; i += 32) in_.out.permutation[i] = i;
    }
    __device__ __forceinline__ void factor_columns(T (&x)[width], int b, int& moved) {
        const int g = b / 2, first = b % 2 * width, in_block = lane_ - first, steps = own_steps(in_, b);
#pragma unroll
        for (int p = 0; p < packets; ++p) {
            packet<T> l, done;
#pragma unroll
            for (int e = 0; e < wide; ++e) {
                const int c = p * wide + e;
                const T given = __shfl_sync(all_lanes, x[c], first + c);
                T u[width];
#pragma unroll
                for (int q = c + 1; q < width; ++q) u[q] = __shfl_sync(all_lanes, x[q], first + c);
                const T pivot = perturbed_pivot(given, smallest_);
                moved += c < steps && pivot != given && pivot == pivot;
                const divisor<T> by = divisor_of(pivot);
                if (lane_ == 0) sh_.divisors[c] = by;
                const T quotient = by.under(x[c]);
                l[e] = in_block > c ? quotient : T(0);
                done[e] = in_block > c ? quotient : in_block == c ? pivot : x[c];
#pragma unroll
                for (int q = c + 1; q < width; ++q) x[q] = fma(-l[e], u[q], x[q]);
            }
            send(l, b, g, p);
            if (in_block >= 0) keep(done, g, p);  // the rows above have their U there
        }
    }
    /// The rows below the diagonal block, in the other groups.
    __device__ __forceinline__ void divide(int b) {
#pragma unroll
        for (int p = 0; p < packets; ++p) {
            packet<T> l[Rows];
#pragma unroll
            for (int e = 0; e < wide; ++e) {
                const int c = p * wide + e;
                const divisor<T> by = sh_.divisors[c];
#pragma unroll
                for (int r = 0; r < Rows; ++r) l[r][e] = by.under(a_[r][c]);
#pragma unroll
                for (int q = c + 1; q < width; ++q) {
                    const T u = sh_.stash[b * width + c][q];
#pragma unroll
                    for (int r = 0; r < Rows; ++r) a_[r][q] = fma(-l[r][e], u, a_[r][q]);
                }
            }
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                if (group(r) > b / 2 && used(r)) {
                    send(l[r], b, group(r), p);
                    keep(l[r], group(r), p);
                }
        }
    }

    const workspace<T>& in_;
    shared& sh_;
    int lane_, warp_;
    T smallest_ = T(0);
    T a_[Rows][width];
    cuda::wait_budget wait_;
};

template <int Row, int Shape, class T>
__global__ void __launch_bounds__(32 * unpivoted_policies[Row].policy.of[Shape].warps, 1)
    factor_unpivoted(const __grid_constant__ workspace<T> in) {
    constexpr shape s = unpivoted_policies[Row].policy.of[Shape];
    extern __shared__ uint4 memory[];
    using shared = unpivoted_shared<T, s.height(sizeof(T))>;
    unpivoted_block<T, s.rows(sizeof(T)), s.warps>(in, *reinterpret_cast<shared*>(memory)).run();
}

struct unpivoted {
    template <class T, int Row, int Shape>
    static constexpr int shared_bytes = static_cast<int>(
        sizeof(unpivoted_shared<T, unpivoted_policies[Row].policy.of[Shape].height(sizeof(T))>));
    template <class T, int Row, int Shape>
    [[nodiscard]] static auto kernel() {
        return factor_unpivoted<Row, Shape, T>;
    }
    static constexpr auto& policies = unpivoted_policies;
    static constexpr const char* name = "lu/factor/resident_unpivoted";
};

}  // namespace wale::lu::resident
