// pivoted - the whole factorisation with row exchanges in one launch, a block of columns in the registers of
// a thread block. Rows never move before the end: every thread knows in which place each of its rows is by
// now, and a row whose place is below the number of the step has been a pivot.
//
// Who does what: a thread block takes the next block of `width` columns by ticket, applies the eight-column
//   sub-panels of all blocks before it in order, factors its own columns and publishes their multipliers.
//   The block that owns the last pivot publishes the final places; each puts its rows in order then.
// What it waits for: the numbers of sub-panels on its left, and at its very end the final places.
// Why it cannot deadlock: a sub-panel is published by a block with a lower ticket, which runs already and
//   waits for still lower ones. A block waits for the final places only when all tickets have been taken;
//   until then it parks its columns, unordered, in the matrix and takes another ticket. So it works with any
//   number of resident blocks, one included. Every wait is bounded.
// Why this memory order: every published word is its own flag (words.cuh). Parked columns are read by the
//   same thread block, after a barrier.
#pragma once

#include "cuda/warp.cuh"
#include "solvers/lu/factor/cuda/resident/room.cuh"

namespace wale::lu::resident {

/// A row that would be a pivot: how large, and in which place (the lowest wins a tie).
template <class T>
struct alignas(sizeof(T) == 4 ? 8 : 16) claim {
    bits<T> magnitude;
    int place;
    __device__ __forceinline__ bool beats(const claim& other) const {
        // Without && and ||: a branch here costs more than the comparison.
        return static_cast<bool>((magnitude > other.magnitude) |
                                 ((magnitude == other.magnitude) & (place < other.place)));
    }
};

template <class T, int Warps, int Height>
struct pivoted_shared {
    static constexpr int pitch = Height + per_packet<T>;  // its columns begin in different banks
    alignas(16) T stash[width][pitch];                    // the finished columns, by row of A
    alignas(16) T candidate[2][Warps][width];
    alignas(16) T upper[Warps][sub][width];
    alignas(16) T raw[2][sub][width];  // pivot rows as they came
    alignas(16) T lower[2][sub][sub];  // and their multipliers
    alignas(16) claim<T> claims[2][Warps];
    alignas(16) divisor<T> divisors[2][Warps];
    T pivots[width];  // of this block, and where their rows came from
    int exchanges[width];
    int word;
    int row_in[Height];  // the row of A that ends in this place
};

template <class T, int Rows, int Warps>
class pivoted_block {
    static constexpr int height = 32 * Warps * Rows;
    static constexpr int threads = 32 * Warps;
    using shared = pivoted_shared<T, Warps, height>;
    using strip = packet<T, Rows>;  // a column of this thread's rows

public:
    __device__ pivoted_block(const room<T>& in, shared& sh)
        : in_(in),
          sh_(sh),
          lane_(static_cast<int>(threadIdx.x % 32)),
          warp_(static_cast<int>(threadIdx.x / 32)),
          row_(static_cast<int>(threadIdx.x) * Rows) {}

    __device__ __forceinline__ void run() {
        int parked = -1;
        for (int b = take_ticket(in_, &sh_.word); b < in_.blocks();) {
            fetch(b);
            const int sub_panels = min(b * (width / sub), (in_.steps() + sub - 1) / sub);
#pragma unroll 1
            for (int s = 0; s < sub_panels; ++s) apply(s, b);
            factor(b);
            const int next = take_ticket(in_, &sh_.word);
            if (next >= in_.blocks()) {
                order_rows();
                settle(b);
                if (b == in_.panels_wide() - 1 && warp_ == 0) tell(in_, true, wait_);
            } else {
                park(b);
                if (threadIdx.x == 0) in_.parked[b] = parked;
                parked = b;
            }
            b = next;
        }
        __syncthreads();
        for (; parked >= 0; parked = in_.parked[parked]) {
            unpark(parked);
            settle(parked);
            if (parked == in_.panels_wide() - 1 && warp_ == 0) tell(in_, true, wait_);
        }
        if (wait_.gone && in_.to) in_.to->failed = 1;
    }

private:
    [[nodiscard]] __device__ __forceinline__ bool columns_are_contiguous() const {
        return in_.a.row_step == 1;
    }
    [[nodiscard]] __device__ __forceinline__ T& element(int row, int b, int c) const {
        return in_.a(row, index_t{b} * width + c);
    }

    struct spot {
        int row, column;
    };
    /// Element k of Rows * width of this thread: a block takes them in the order of memory.
    __device__ __forceinline__ spot in_memory_order(int k, bool by_columns) const {
        const int t = static_cast<int>(threadIdx.x);
        if (by_columns) return {t + k % Rows * threads, k / Rows};
        return {t / width + k * (threads / width), t % width};
    }
    __device__ __forceinline__ bool inside(const spot& at, int b) const {
        return at.row < in_.rows && b * width + at.column < in_.columns;
    }
    __device__ __forceinline__ void fill_stash(int b) {
        const bool by_columns = columns_are_contiguous();
        constexpr int at_once = 16;  // loads before the first store
#pragma unroll 1
        for (int k = 0; k < Rows * width; k += at_once) {
            T x[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const spot at = in_memory_order(k + i, by_columns);
                x[i] = inside(at, b) ? element(at.row, b, at.column) : T(0);
            }
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const spot at = in_memory_order(k + i, by_columns);
                sh_.stash[at.column][at.row] = x[i];
            }
        }
    }
    /// Row i of block b becomes row source(i) of the stash.
    template <class F>
    __device__ __forceinline__ void write(int b, F&& source) {
        const bool by_columns = columns_are_contiguous();
        const int count = min(width, in_.columns - b * width), t = static_cast<int>(threadIdx.x);
        if (by_columns) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                const int i = t + r * threads;
                if (i >= in_.rows) continue;
                const int from = source(i);
                T* to = &element(i, b, 0);
#pragma unroll
                for (int c = 0; c < width; ++c)
                    if (c < count) to[c * in_.a.column_step] = sh_.stash[c][from];
            }
        } else if (t % width < count) {
#pragma unroll 8
            for (int i = t / width; i < in_.rows; i += threads / width)
                element(i, b, t % width) = sh_.stash[t % width][source(i)];
        }
    }

    __device__ __forceinline__ void fetch(int b) {
        if (columns_are_contiguous()) {
#pragma unroll
            for (int c = 0; c < width; ++c)
#pragma unroll
                for (int r = 0; r < Rows; ++r)
                    a_[r][c] = inside({row_ + r, c}, b) ? element(row_ + r, b, c) : T(0);
        } else {
            fill_stash(b);
            __syncthreads();
#pragma unroll
            for (int c = 0; c < width; ++c) {
                const strip x = *reinterpret_cast<const strip*>(&sh_.stash[c][row_]);
#pragma unroll
                for (int r = 0; r < Rows; ++r) a_[r][c] = x[r];
            }
        }
#pragma unroll
        for (int r = 0; r < Rows; ++r) place_[r] = row_ + r < in_.rows ? row_ + r : -1;
    }

    struct sub_panel {
        strip l[sub];
        int exchange[sub];
    };
    __device__ __forceinline__ void look_at(sub_panel& p, int s) const {
        const T* from = in_.panels + s * (sub * height) + row_;
#pragma unroll
        for (int c = 0; c < sub; ++c) look(p.l[c], from + c * height);
        packet<float> e0, e1;
        look(e0, reinterpret_cast<const float*>(in_.exchanges + s * sub));
        look(e1, reinterpret_cast<const float*>(in_.exchanges + s * sub + 4));
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            p.exchange[c] = __float_as_int(e0[c]);
            p.exchange[c + 4] = __float_as_int(e1[c]);
        }
    }
    __device__ __forceinline__ static bool missing(const sub_panel& p) {
        bool any = false;
#pragma unroll
        for (int c = 0; c < sub; ++c) any |= p.l[c].missing() | (p.exchange[c] == -1);
        return any;
    }
    /// The owner that comes next polls the numbers themselves; the others one word, so as not to crowd it.
    __device__ __forceinline__ void receive(sub_panel& p, int s, int b) {
        look_at(p, s);
        while (missing(p) && !wait_.lost()) {
            if (s + width / sub < b * (width / sub))
                while (look(in_.exchanges + s * sub + sub - 1) == -1 && !wait_.lost()) __nanosleep(64);
            look_at(p, s);
        }
    }

    /// Applies sub-panel s to the columns: their pivot rows are found, solved for U by every warp for itself.
    __device__ __forceinline__ void apply(int s, int b) {
        sub_panel p;
        receive(p, s, b);
        const int buffer = s & 1;
        if (s * sub + sub > in_.steps()) {  // fewer steps than a sub-panel has: rows that are not there are 0
            for (int i = static_cast<int>(threadIdx.x); i < sub * width; i += threads)
                sh_.raw[buffer][i / width][i % width] = sh_.lower[buffer][i / width][i % sub] = T(0);
            __syncthreads();
        }
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const bool before = place_[r] >= s * sub;
#pragma unroll
            for (int c = 0; c < sub; ++c) exchange(place_[r], s * sub + c, p.exchange[c]);
            const int c = place_[r] - s * sub;
            if (before && c < sub && c >= 0) {
#pragma unroll
                for (int q = 0; q < width; ++q) sh_.raw[buffer][c][q] = a_[r][q];
#pragma unroll
                for (int d = 0; d < sub; ++d) sh_.lower[buffer][c][d] = p.l[d][r];
            }
        }
        __syncthreads();
        solve(buffer);
        subtract(p);
    }
    __device__ __forceinline__ static void exchange(int& place, int step, int with) {
        place = place == with ? step : place == step ? with : place;
    }
    /// U of a sub-panel: a lane a column.
    __device__ __forceinline__ void solve(int buffer) {
        const int q = lane_ % width;
        T x[sub];
#pragma unroll
        for (int c = 0; c < sub; ++c) x[c] = sh_.raw[buffer][c][q];
#pragma unroll
        for (int c = 1; c < sub; ++c)
#pragma unroll
            for (int d = 0; d < c; ++d) x[c] = fma(-sh_.lower[buffer][c][d], x[d], x[c]);
        if (lane_ < width)
#pragma unroll
            for (int c = 0; c < sub; ++c) sh_.upper[warp_][c][q] = x[c];
        __syncwarp();
    }
    __device__ __forceinline__ void subtract(const sub_panel& p) {
#pragma unroll
        for (int c = 0; c < sub; ++c)
#pragma unroll
            for (int q = 0; q < width; ++q) {
                const T u = sh_.upper[warp_][c][q];
#pragma unroll
                for (int r = 0; r < Rows; ++r) a_[r][q] = fma(-p.l[c][r], u, a_[r][q]);
            }
        __syncwarp();
    }

    /// The best of this thread's rows in a column.
    struct choice {
        claim<T> best;
        int row;
        divisor<T> by;
        bool in_front;  // none in the warp is larger
    };
    __device__ __forceinline__ choice choose(int c, int step) const {
        choice best{};
        T value = T(0);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const bool active = place_[r] >= step;
            const claim<T> mine{active ? to_bits(fabs(a_[r][c])) : bits<T>{0}, active ? place_[r] : INT_MAX};
            const bool better = r == 0 || mine.beats(best.best);
            best.best.magnitude = better ? mine.magnitude : best.best.magnitude;
            best.best.place = better ? mine.place : best.best.place;
            best.row = better ? r : best.row;
            value = better ? a_[r][c] : value;
        }
        best.in_front = in_front_of_warp(best.best.magnitude);
        best.by = divisor_of(value);
        return best;
    }
    __device__ __forceinline__ static bool in_front_of_warp(std::uint32_t magnitude) {
        return magnitude == cuda::largest_of_warp(magnitude);
    }
    __device__ __forceinline__ static bool in_front_of_warp(std::uint64_t magnitude) {
        const auto high = static_cast<std::uint32_t>(magnitude >> 32);
        const bool high_wins = high == cuda::largest_of_warp(high);
        const std::uint32_t low = high_wins ? static_cast<std::uint32_t>(magnitude) : 0;
        const std::uint32_t most = cuda::largest_of_warp(low);  // all lanes ask
        return high_wins && low == most;
    }
    /// The first lane whose claim wins, and of equals has the lowest place. `distinct`: lanes that may tie.
    __device__ __forceinline__ static int winner(bool in_front, int place, unsigned distinct) {
        unsigned lanes = __ballot_sync(all_lanes, in_front) & distinct;
        if (lanes & (lanes - 1)) {
            const std::uint32_t key = in_front ? ~static_cast<std::uint32_t>(place) : 0;
            const std::uint32_t most = cuda::largest_of_warp(key);  // all lanes ask
            lanes = __ballot_sync(all_lanes, in_front && key == most);
        }
        return __ffs(lanes) - 1;
    }

    /// The columns of block b. Where it has fewer pivots than columns the last steps find nothing to do: no
    /// row is left, or the columns are zero. Unrolled and without branches but for ties: taken branches cost
    /// more than the instructions they would save.
    __device__ __forceinline__ void factor(int b) {
        const int steps = own_steps(in_, b);
        if (steps > 0) {
            choice mine = choose(0, b * width);
#pragma unroll
            for (int c = 0; c < width; ++c) {
                step_of(b, c, mine);
                if (c % sub == sub - 1) publish_exchanges(b, c / sub);
            }
            publish_pivots(b, steps);
        } else {
#pragma unroll
            for (int c = 0; c < width; ++c) {
                strip out;
#pragma unroll
                for (int r = 0; r < Rows; ++r) out[r] = a_[r][c];
                *reinterpret_cast<strip*>(&sh_.stash[c][row_]) = out;
            }
        }
        if (b == in_.panels_wide() - 1) publish_places();
    }
    __device__ __forceinline__ void step_of(int b, int c, choice& mine) {
        const int step = b * width + c, buffer = c & 1;
        put_forward(c, mine);
        __syncthreads();
        const int from_warp = decide(buffer);
        const int place = sh_.claims[buffer][from_warp].place;
        const divisor<T> by = sh_.divisors[buffer][from_warp];
        const T* u = sh_.candidate[buffer][from_warp];
        strip l, done;
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const bool below = static_cast<bool>((place_[r] >= step) & (place_[r] != place));
            exchange(place_[r], step, place);
            l[r] = below ? by.under(a_[r][c]) : T(0);
            done[r] = below ? l[r] : a_[r][c];
        }
        if (c + 1 < width) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) a_[r][c + 1] = fma(-l[r], u[c + 1], a_[r][c + 1]);
            mine = choose(c + 1, step + 1);
        }
#pragma unroll
        for (int q = c + 2; q < width; ++q)
#pragma unroll
            for (int r = 0; r < Rows; ++r) a_[r][q] = fma(-l[r], u[q], a_[r][q]);
        publish(in_.panels + step * height + row_, l);
        *reinterpret_cast<strip*>(&sh_.stash[c][row_]) = done;
        if (threadIdx.x == 0) sh_.exchanges[c] = place;
        if (threadIdx.x == 0) sh_.pivots[c] = u[c];
    }
    /// The claim of the warp, and its row from column c on, for the other warps.
    __device__ __forceinline__ void put_forward(int c, const choice& mine) {
        const int buffer = c & 1;
        const bool first = lane_ == winner(mine.in_front, mine.best.place, all_lanes);
        if (first) sh_.claims[buffer][warp_] = mine.best;
        if (first) sh_.divisors[buffer][warp_] = mine.by;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int q = c / per_packet<T> * per_packet<T>; q < width; q += per_packet<T>) {
                packet<T> out;
#pragma unroll
                for (int e = 0; e < per_packet<T>; ++e) out[e] = a_[r][q + e];
                store_if(first && mine.row == r, &sh_.candidate[buffer][warp_][q], out);
            }
    }
    __device__ __forceinline__ static void store_if(bool yes, float* p, const packet<float>& f) {
        asm volatile(
            "{ .reg .pred yes; setp.ne.s32 yes,%5,0; @yes st.shared.v4.f32 [%0],{%1,%2,%3,%4}; }" ::"r"(
                shared_address(p)),
            "f"(f[0]), "f"(f[1]), "f"(f[2]), "f"(f[3]), "r"(static_cast<int>(yes))
            : "memory");
    }
    __device__ __forceinline__ static void store_if(bool yes, double* p, const packet<double>& f) {
        asm volatile("{ .reg .pred yes; setp.ne.s32 yes,%3,0; @yes st.shared.v2.f64 [%0],{%1,%2}; }" ::"r"(
                         shared_address(p)),
                     "d"(f[0]), "d"(f[1]), "r"(static_cast<int>(yes))
                     : "memory");
    }
    /// The warp that has put the winning row forward: every thread compares a few claims; of more, a lane
    /// looks at a warp's, and the reduction costs less than the comparisons.
    __device__ __forceinline__ int decide(int buffer) const {
        if constexpr (Warps > compared_by_each) {
            const claim<T> one = sh_.claims[buffer][lane_ % Warps];
            return winner(in_front_of_warp(one.magnitude), one.place, (1u << Warps) - 1);
        } else {
            claim<T> best = sh_.claims[buffer][0];
            int warp = 0;
#pragma unroll
            for (int w = 1; w < Warps; ++w) {
                const claim<T> other = sh_.claims[buffer][w];
                const bool better = other.beats(best);
                best.magnitude = better ? other.magnitude : best.magnitude;
                best.place = better ? other.place : best.place;
                warp = better ? w : warp;
            }
            return warp;
        }
    }
    __device__ __forceinline__ void publish_exchanges(int b, int half) {
        if (warp_ != 0) return;
        __syncwarp();
        const int c = half * sub + lane_;
        if (lane_ < sub) publish(in_.exchanges + b * width + c, sh_.exchanges[c]);
    }
    __device__ __forceinline__ void publish_pivots(int b, int steps) {
        if (warp_ != 0 || lane_ >= steps) return;
        publish(in_.diagonal + b * width + lane_, sh_.pivots[lane_]);
        if (in_.out.pivots) in_.out.pivots[b * width + lane_] = sh_.exchanges[lane_];
    }
    __device__ __forceinline__ void publish_places() {
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            if (row_ + r >= in_.rows) continue;
            publish(in_.places + row_ + r, place_[r]);
            if (in_.out.permutation) in_.out.permutation[place_[r]] = row_ + r;
        }
    }

    __device__ __forceinline__ void order_rows() {
        for (int i = static_cast<int>(threadIdx.x); i < in_.rows; i += threads) {
            int place = look(in_.places + i);
            while (place == -1 && !wait_.lost()) {
                __nanosleep(32);
                place = look(in_.places + i);
            }
            if (place >= 0 && place < in_.rows) sh_.row_in[place] = i;
        }
        ordered_ = !__syncthreads_or(wait_.gone);
    }
    /// The stash into the matrix, every row in its place.
    __device__ __forceinline__ void settle(int b) {
        if (ordered_) write(b, [&](int i) { return sh_.row_in[i]; });
        __syncthreads();
    }
    __device__ __forceinline__ void park(int b) {
        write(b, [](int i) { return i; });
        __syncthreads();
    }
    __device__ __forceinline__ void unpark(int b) {
        fill_stash(b);
        __syncthreads();
    }

    const room<T>& in_;
    shared& sh_;
    int lane_, warp_, row_;
    T a_[Rows][width];
    int place_[Rows];  // of each row; -1: beyond the matrix
    patience wait_;
    bool ordered_ = false;
};

template <int Row, int Shape, class T>
__global__ void __launch_bounds__(32 * pivoted_policies[Row].policy.of[Shape].warps, 1)
    factor_pivoted(const __grid_constant__ room<T> in) {
    constexpr shape s = pivoted_policies[Row].policy.of[Shape];
    extern __shared__ uint4 memory[];
    using shared = pivoted_shared<T, s.warps, s.height(sizeof(T))>;
    pivoted_block<T, s.rows(sizeof(T)), s.warps>(in, *reinterpret_cast<shared*>(memory)).run();
}

struct pivoted {
    template <class T, int Row, int Shape>
    static constexpr int shared_bytes =
        static_cast<int>(sizeof(pivoted_shared<T, pivoted_policies[Row].policy.of[Shape].warps,
                                               pivoted_policies[Row].policy.of[Shape].height(sizeof(T))>));
    template <class T, int Row, int Shape>
    [[nodiscard]] static auto kernel() {
        return factor_pivoted<Row, Shape, T>;
    }
    static constexpr auto& policies = pivoted_policies;
    static constexpr const char* name = "lu/factor/resident_pivoted";
};

}  // namespace wale::lu::resident
