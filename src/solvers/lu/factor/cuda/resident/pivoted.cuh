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
// Why this memory order: every published word is its own flag (packets.cuh). Parked columns are read by the
//   same thread block, after a barrier.
#pragma once

#include "solvers/lu/factor/cuda/resident/pivot_search.cuh"
#include "solvers/lu/factor/cuda/resident/workspace.cuh"

namespace wale::lu::resident {

template <class T, int Rows, int Warps, int Sub>
class pivoted_block : pivot_search<T, Rows, Warps, Sub> {
    using search = pivot_search<T, Rows, Warps, Sub>;
    using search::choose, search::put_forward, search::decide, search::clear_candidates;
    using search::height, search::threads, search::gone;
    using search::sh_, search::lane_, search::warp_, search::row_, search::a_, search::place_;
    using typename search::choice, typename search::shared;
    static constexpr int sub = Sub;
    using strip = packet<T, Rows>;  // a column of this thread's rows
    using spots = packet<int, Rows>;

public:
    __device__ pivoted_block(const workspace<T>& in, shared& sh) : search(sh), in_(in) {}

    __device__ __forceinline__ void run() {
        int parked = -1;
        clear_candidates();
        for (int b = take_ticket(in_, &sh_.word); b < in_.blocks();) {
            fetch(b);
            const int sub_panels = min(b * (width / sub), in_.sub_panels(sub));
#pragma unroll 1
            for (int s = 0; s < sub_panels; ++s) apply(s, b);
            factor(b);
            const int next = take_ticket(in_, &sh_.word);
            if (next >= in_.blocks()) {
                order_rows();
                settle(b);
                if (b == in_.panels_wide() - 1 && warp_ == 0) publish_summary(in_, true, wait_);
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
            if (parked == in_.panels_wide() - 1 && warp_ == 0) publish_summary(in_, true, wait_);
        }
        if (wait_.exhausted) note_failure(in_.to);
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
        for (int r = 0; r < Rows; ++r) place_[r] = row_ + r < in_.rows ? row_ + r : gone;
    }

    struct sub_panel {
        strip l[sub];
        spots place;  // of this thread's rows after it
    };
    [[nodiscard]] __device__ __forceinline__ const T* multipliers(int s, int c) const {
        return in_.panels + (s * sub + c) * height + row_;
    }
    __device__ __forceinline__ void look_at(sub_panel& p, int s) const {
#pragma unroll
        for (int c = 0; c < sub; ++c) look(p.l[c], multipliers(s, c));
        look(p.place, in_.places + s * height + row_);
    }
    /// What was missing alone: the columns come one by one, and polls of all of them would fill the way.
    __device__ __forceinline__ void look_again(sub_panel& p, int s) const {
#pragma unroll
        for (int c = 0; c < sub; ++c)
            if (p.l[c].missing()) look(p.l[c], multipliers(s, c));
        if (p.place.missing()) look(p.place, in_.places + s * height + row_);
    }
    __device__ __forceinline__ static bool missing(const sub_panel& p) {
        bool any = p.place.missing();
#pragma unroll
        for (int c = 0; c < sub; ++c) any |= p.l[c].missing();
        return any;
    }
    /// The owner that comes next polls the numbers themselves; the others one word a warp.
    __device__ __forceinline__ void receive(sub_panel& p, int s, int b) {
        look_at(p, s);
        while (missing(p) && !wait_.spend()) {
            if (s + width / sub < b * (width / sub))
                while (look(in_.places + s * height + warp_ * (32 * Rows)) == -1 && !wait_.spend())
                    __nanosleep(64);
            look_again(p, s);
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
            place_[r] = p.place[r];
            const int c = place_[r] - s * sub;  // the step whose pivot the row was, if in 0..sub-1
            if (static_cast<unsigned>(c) < unsigned{sub}) give_pivot_row(buffer, c, r, p);
        }
        __syncthreads();
        solve(buffer);
        subtract(p);
    }
    __device__ __forceinline__ void give_pivot_row(int buffer, int c, int r, const sub_panel& p) {
#pragma unroll
        for (int q = 0; q < width; q += per_packet<T>) {
            packet<T> x;
#pragma unroll
            for (int e = 0; e < per_packet<T>; ++e) x[e] = a_[r][q + e];
            *reinterpret_cast<packet<T>*>(&sh_.raw[buffer][c][q]) = x;
        }
#pragma unroll
        for (int d = 0; d < sub; d += per_packet<T>) {
            packet<T> x;
#pragma unroll
            for (int e = 0; e < per_packet<T>; ++e) x[e] = p.l[d + e].v[r];
            *reinterpret_cast<packet<T>*>(&sh_.lower[buffer][c][d]) = x;
        }
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
            for (int d = 0; d < c; ++d) x[c] = cuda::less_product(x[c], sh_.lower[buffer][c][d], x[d]);
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
                for (int r = 0; r < Rows; ++r) a_[r][q] = cuda::less_product(a_[r][q], p.l[c][r], u);
            }
        __syncwarp();
    }

    /// The columns of block b. Where it has fewer pivots than columns the last steps find nothing to do: no
    /// row is left, or the columns are zero. Unrolled and without branches but for ties: taken branches cost
    /// more than the instructions they would save.
    __device__ __forceinline__ void factor(int b) {
        const int steps = own_steps(in_, b);
        if (steps > 0) {
            bool active[Rows];
#pragma unroll
            for (int r = 0; r < Rows; ++r) active[r] = place_[r] >= b * width;
            choice mine = choose(0, active);
            T* const out = in_.panels + b * (width * height) + row_;
#pragma unroll
            for (int c = 0; c < width; ++c) {
                step_of(b, c, mine, out + c * height);
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
        if (b == in_.panels_wide() - 1) note_permutation();
    }
    /// The element right of the pivot comes with the decision, so that the search for the next pivot does not
    /// wait for the rest of the row, which is fetched by the decision's outcome.
    __device__ __forceinline__ void step_of(int b, int c, choice& mine, T* out) {
        const int step = b * width + c, buffer = c & 1;
        put_forward(c, mine);
        __syncthreads();
        record<T> best;
        const int from_warp = decide(c, mine, best), place = best.its_place();
        const T* u = sh_.candidate[buffer][from_warp];
        strip l, done;
        bool below[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            below[r] = static_cast<bool>((mine.key[r] != 0) & (place_[r] != place));
            exchange(place_[r], step, place);
            l[r] = below[r] ? base::product(a_[r][c], best.v[best.rate]) : T(0);
            done[r] = below[r] ? l[r] : a_[r][c];
        }
        if (c + 1 < width) {
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                a_[r][c + 1] = cuda::less_product(a_[r][c + 1], l[r], best.v[best.next]);
            mine = choose(c + 1, below);
        }
#pragma unroll
        for (int q = c + 2; q < width; ++q)
#pragma unroll
            for (int r = 0; r < Rows; ++r) a_[r][q] = cuda::less_product(a_[r][q], l[r], u[q]);
        publish(out, l);
        if (c % sub == sub - 1) publish_places(step / sub);
        *reinterpret_cast<strip*>(&sh_.stash[c][row_]) = done;
        if (threadIdx.x == 0) {
            sh_.exchanges[c] = place;
            sh_.pivots[c] = u[c];
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
    __device__ __forceinline__ void publish_places(int s) {
        spots out;
#pragma unroll
        for (int r = 0; r < Rows; ++r) out[r] = place_[r];
        publish(in_.places + s * height + row_, out);
    }
    __device__ __forceinline__ void note_permutation() {
        if (in_.out.permutation == nullptr) return;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (row_ + r < in_.rows) in_.out.permutation[place_[r]] = row_ + r;
    }

    /// The places after the last sub-panel are final.
    __device__ __forceinline__ void order_rows() {
        const int* places = in_.places + (in_.sub_panels(sub) - 1) * height;
        for (int i = static_cast<int>(threadIdx.x); i < in_.rows; i += threads) {
            int place = look(places + i);
            while (place == -1 && !wait_.spend()) {
                __nanosleep(32);
                place = look(places + i);
            }
            if (place >= 0 && place < in_.rows) sh_.row_in[place] = i;
        }
        ordered_ = !__syncthreads_or(wait_.exhausted);
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

    const workspace<T>& in_;
    cuda::wait_budget wait_;
    bool ordered_ = false;
};

template <int Row, int Shape, class T>
__global__ void __launch_bounds__(32 * pivoted_policies[Row].policy.of[Shape].warps, 1)
    factor_pivoted(const __grid_constant__ workspace<T> in) {
    constexpr shape s = pivoted_policies[Row].policy.of[Shape];
    extern __shared__ uint4 memory[];
    using shared = pivoted_shared<T, s.warps, s.height(sizeof(T)), s.sub>;
    pivoted_block<T, s.rows(sizeof(T)), s.warps, s.sub>(in, *reinterpret_cast<shared*>(memory)).run();
}

struct pivoted {
    template <int Row, int Shape>
    static constexpr shape of = pivoted_policies[Row].policy.of[Shape];
    template <class T, int Row, int Shape>
    static constexpr int shared_bytes = static_cast<int>(sizeof(
        pivoted_shared<T, of<Row, Shape>.warps, of<Row, Shape>.height(sizeof(T)), of<Row, Shape>.sub>));
    template <class T, int Row, int Shape>
    [[nodiscard]] static auto kernel() {
        return factor_pivoted<Row, Shape, T>;
    }
    static constexpr auto& policies = pivoted_policies;
    static constexpr const char* name = "lu/factor/resident_pivoted";
};

}  // namespace wale::lu::resident
