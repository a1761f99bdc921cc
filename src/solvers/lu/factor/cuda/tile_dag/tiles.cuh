// tiles - the kernel of cuda/tile_dag: blocks take tiles by ticket and finish each in one go.
#pragma once

#include "cuda/wait.cuh"
#include "schedule/tile_dag.hpp"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/factor/cuda/tile_dag/by_groups.cuh"
#include "solvers/lu/factor/cuda/tile_dag/by_steps.cuh"

namespace wale::lu::tile_dag {

/// What the diagonal tiles of one matrix found so far. They are finished one after the other.
struct matrix_summary {
    int first_zero_and_one;  // 0: none
    int not_finite;
};

/// One matrix, or a square part on the diagonal of one. Passed by value.
template <class T>
struct tile_problem {
    T* a;  // column-major
    index_t rows, columns, leading;
    bool aligned;  // columns of `a` begin at multiples of 16 bytes
    bool bordered;
    T *lower_inverse, *upper_inverse;  // tile (r, c) lies at r * inverse_row + c * inverse_column
    index_t inverse_row, inverse_column, inverse_leading;
    real_of<T>* scale;             // [2], set here, the real parts alone: a power of two, of which the
                                   // inverses are those of scale * a, and 1
    const double* smallest_pivot;  // of this matrix; null: pivots stay
    std::int32_t* pivots;          // of this part, to be set to k; null: not wanted
    index_t first_column;          // of this part in its matrix
    matrix_summary* summary;
    outcome* to;
    index_t matrix;           // its number, when this is its last part; else -1
    std::uint32_t* counters;  // tile_counters

    [[nodiscard]] WALE_HD schedule::tile_dag dag() const {
        return {(rows + tile - 1) / tile, (columns + tile - 1) / tile, bordered};
    }
    [[nodiscard]] WALE_HD index_t steps() const { return rows < columns ? rows : columns; }
};

using counters = schedule::tile_counters<cuda::block_sync>;

/// Shared memory of a block: `stages` halves of tiles, or what the end of a task needs.
template <class T, int Stages>
union workplace {
    struct {
        T x[tile / 2 * column<T>];  // columns of the left factor
        T y[tile * short_column<T>];
    } stage[Stages];
    struct {
        T sum[tile * column<T>];
        T inverse[tile * column<T>];
    } end;
    finished_tile<T> finished;
};

template <class T, int Stages>
struct tile_worker {
    using R = real_of<T>;
    const tile_problem<T>& p;
    const schedule::tile_dag dag;
    const counters sync;
    workplace<T, Stages>& shared;
    volatile std::uint32_t (&seen)[2][2];  // [parity][left, top]: how far the counters were
    R scale_ = R(0);                       // 0: not asked for

    __device__ bool in_border_row(const schedule::tile_task& t) const { return t.row >= dag.rows; }
    __device__ bool in_border_column(const schedule::tile_task& t) const { return t.column >= dag.columns; }

    /// Tile (r, c) of A or its border, from row `down` and column `across` of the tile on.
    __device__ part_of_matrix<T> at(index_t r, index_t c, int down = 0, int across = 0) const {
        if (r >= dag.rows) return inverse(p.upper_inverse, r - dag.rows, c, down, across);
        if (c >= dag.columns) return inverse(p.lower_inverse, r, c - dag.columns, down, across);
        const index_t row = r * tile + down, col = c * tile + across;
        return {p.a + row + col * p.leading, p.leading, limited(p.rows - row), limited(p.columns - col),
                p.aligned};
    }
    __device__ part_of_matrix<T> inverse(const T* from, index_t r, index_t c, int down, int across) const {
        return {from + r * p.inverse_row + c * p.inverse_column + down + across * p.inverse_leading,
                p.inverse_leading, tile, tile, true};
    }
    __device__ static int limited(index_t n) { return n > tile ? tile : n > 0 ? static_cast<int>(n) : 0; }

    /// The negative of the tile as it was: 0 in the border.
    __device__ void start(const schedule::tile_task& t, fragment<T>& sum) const {
        if (in_border_row(t) || in_border_column(t)) return;
        const part_of_matrix<T> a = at(t.row, t.column);
#pragma unroll
        for (int e = 0; e < 16; ++e)
            if (sum.row(e) < a.rows && sum.column(e) < a.columns)
                sum.v[e] = -load_cached(a.data + sum.row(e) + sum.column(e) * a.leading);
    }

    __device__ void load_stage(const schedule::tile_task& t, int chunk) const {
        auto& stage = shared.stage[chunk % Stages];
        const index_t k = t.first + chunk / 2;
        const int half = chunk % 2 * depth;
        load_later<tile, depth, column<T>>(stage.x, at(t.row, k, 0, half));
        load_later<depth, tile, short_column<T>>(stage.y, at(k, t.column, half, 0));
    }

    /// sum += products of the tiles to the left and above, as they become ready. Two threads look at a
    /// counter each; when nothing is left to compute they wait. False: leave.
    __device__ bool accumulate(const schedule::tile_task& t, fragment<T>& sum) const {
        const int total = 2 * static_cast<int>(t.level - t.first);
        const bool looks = threadIdx.x == 0 || threadIdx.x == 32;
        std::uint32_t* counter = threadIdx.x == 0 ? sync.left(t.row) : sync.top(t.column);
        std::uint32_t known = 0;
        int issued = 0, done = 0;
        for (int parity = 0; done < total; parity ^= 1) {
            if (looks) {
                const index_t needed = t.first + issued / 2 + 1;
                if (issued < total && known < needed)
                    known = issued == done ? sync.wait(counter, needed) : cuda::load_acquire(counter);
                seen[parity][threadIdx.x / 32] = issued == done && known == 0 ? ~0u : known;
            }
            const bool ready = issued > done;
            if (issued - done >= 3)
                wait_copies<2>();
            else if (issued - done == 2)
                wait_copies<1>();
            else
                wait_copies<0>();
            __syncthreads();
            const std::uint32_t a = seen[parity][0], b = seen[parity][1];
            if (a == ~0u || b == ~0u) return false;
            const index_t available = 2 * (static_cast<index_t>(a < b ? a : b) - t.first);
            while (issued < total && issued < available && issued < done + Stages) {
                load_stage(t, issued++);
                close_copies();
            }
            if (!ready) continue;
            const auto& stage = shared.stage[done % Stages];
            sum.add_product(stage.x, stage.y, short_column<T>, depth);
            ++done;
        }
        __syncthreads();
        return true;
    }

    __device__ void put(const fragment<T>& f) const {
#pragma unroll
        for (int e = 0; e < 16; ++e) shared.end.sum[f.column(e) * column<T> + f.row(e)] = -f.v[e];
    }

    /// True in all threads if it is in thread 0.
    __device__ static bool agree(bool mine) {
        return __syncthreads_and(threadIdx.x != 0 || mine) != 0;
    }

    /// L = sum inv(U) or U = inv(L) sum.
    template <bool UnitUpper>
    __device__ bool finish_side(const schedule::tile_task& t, const fragment<T>& sum) {
        put(sum);
        if (!agree(threadIdx.x != 0 || sync.wait(sync.diagonals(), t.level + 1) != 0)) return false;
        const bool lower = t.kind == schedule::tile_kind::lower;
        load_later<tile, tile, column<T>>(
            shared.end.inverse, inverse(lower ? p.upper_inverse : p.lower_inverse, t.level, t.level, 0, 0));
        close_copies();
        wait_copies<0>();
        __syncthreads();
        const R scale = lower == UnitUpper ? R(1) : known_scale();  // of the triangle with the pivots
        fragment<T> product;
        product.add_product(lower ? shared.end.sum : shared.end.inverse,
                            lower ? shared.end.inverse : shared.end.sum, column<T>, tile);
        const part_of_matrix<T> to = at(t.row, t.column);
        T* const data = const_cast<T*>(to.data);
#pragma unroll
        for (int e = 0; e < 16; ++e)
            if (product.row(e) < to.rows && product.column(e) < to.columns)
                data[product.row(e) + product.column(e) * to.leading] = product.v[e] * scale;
        __syncthreads();
        if (threadIdx.x == 0) sync.publish(t);
        return true;
    }

    /// By the first warp.
    __device__ void note_summary(const finished_tile<T>& f, index_t k, int steps, matrix_summary all) const {
        bool finite;
        const int zero = first_zero_of(f, steps, finite);
        if (threadIdx.x != 0) return;
        if (zero < tile && all.first_zero_and_one == 0)
            all.first_zero_and_one = static_cast<int>(p.first_column + k * tile) + zero + 1;
        if (!finite) all.not_finite = 1;
        *p.summary = all;
        note_perturbed(p.to, static_cast<unsigned long long>(f.perturbed));
        if (p.matrix >= 0 && k * tile + steps == p.steps())
            note(p.to, p.matrix, all.first_zero_and_one - 1, all.not_finite == 0);
    }

    /// Element i of the walk of a block through a tile: 8 x 4 a warp, which in shared memory hit no bank
    /// twice.
    __device__ static int walk_row(int i) {
        return i % 8 + i / 32 % 8 * 8;
    }
    __device__ static int walk_column(int i) {
        return i / 8 % 4 + i / 256 * 4;
    }

    template <bool UnitUpper>
    __device__ void write_inverses(const finished_tile<T>& f, index_t k, int steps) const {
        T* const lower = p.lower_inverse + k * (p.inverse_row + p.inverse_column);
        T* const upper = p.upper_inverse + k * (p.inverse_row + p.inverse_column);
#pragma unroll 4
        for (int i = static_cast<int>(threadIdx.x); i < tile * tile; i += threads) {
            const int r = walk_row(i), c = walk_column(i);
            T l = f.rows[r * column<T> + c], u = f.columns[c * column<T> + r];
            T& unfinished = UnitUpper ? l : u;
            unfinished = base::product(unfinished, f.reciprocal[UnitUpper ? r : c]);
            lower[r + c * p.inverse_leading] = r >= c && r < steps ? l : T(0);
            upper[r + c * p.inverse_leading] = r <= c && c < steps ? u : T(0);
        }
    }

    template <bool UnitUpper>
    __device__ void write_factors(const finished_tile<T>& f, index_t k, int steps, R scale) const {
        const part_of_matrix<T> to = at(k, k);
        T* const data = const_cast<T*>(to.data);
        const R unscale = 1 / scale;
#pragma unroll 4
        for (int i = static_cast<int>(threadIdx.x); i < tile * tile; i += threads) {
            const int r = walk_row(i), c = walk_column(i);
            if (r >= to.rows || c >= to.columns) continue;
            T v = r > c ? f.columns[c * column<T> + r] : r < c ? f.rows[r * column<T> + c] : f.pivot[r];
            if (r != c && (r < c) == UnitUpper)
                v = base::product(v, f.reciprocal[r < c ? r : c]);
            else
                v *= unscale;
            data[r + c * to.leading] = v;
        }
        if (p.pivots != nullptr && static_cast<int>(threadIdx.x) < steps)
            p.pivots[k * tile + threadIdx.x] =
                static_cast<std::int32_t>(p.first_column + k * tile) + static_cast<std::int32_t>(threadIdx.x);
    }

    /// After the first diagonal tile. A block asks memory once.
    __device__ R known_scale() {
        if (scale_ == R(0)) scale_ = __ldcg(p.scale);
        return scale_;
    }

    /// The inverse of a matrix near overflow or underflow would leave the range: the first tile decides by
    /// what all are scaled. 1 for all others.
    __device__ R scale_of(const fragment<T>& x, index_t level) {
        if (level > 0) return known_scale();
        R most = 0;
#pragma unroll
        for (const T v : x.v) most = fmax(most, larger_part(v));  // NaN does not count
        constexpr int common = sizeof(R) == 4 ? 60 : 500,
                      limit = 2 * common;  // both 2^limit and 2^-limit exist
        int exponent = 0;
        (void)frexp(most, &exponent);
        if (!(most > R(0)) || isinf(most)) exponent = -100000;
        int& largest = shared.finished.perturbed;
        if (threadIdx.x == 0) largest = -100000;
        __syncthreads();
        atomicMax(&largest, exponent);
        __syncthreads();
        exponent = largest;
        __syncthreads();
        const R scale = exponent == -100000 || abs(exponent) <= common
                            ? R(1)
                            : ldexp(R(1), exponent < -limit  ? limit
                                          : exponent > limit ? -limit
                                                             : -exponent);
        if (threadIdx.x == 0) p.scale[0] = scale, p.scale[sizeof(T) / sizeof(R)] = R(1);
        scale_ = scale;
        return scale;
    }

    /// The inverses go out first: all others wait for them, and none for the factors.
    template <bool UnitUpper>
    __device__ void finish_diagonal(const schedule::tile_task& t, fragment<T>& sum) {
        const matrix_summary before{__ldcg(&p.summary->first_zero_and_one), __ldcg(&p.summary->not_finite)};
        const int steps = limited(p.steps() - t.level * tile);
        const R scale = scale_of(sum, t.level);
        if (scale != R(1))
#pragma unroll
            for (T& v : sum.v) v *= scale;
        const R smallest = p.smallest_pivot != nullptr ? static_cast<R>(*p.smallest_pivot) * scale : R(0);
        finished_tile<T>& f = shared.finished;
        eliminate<UnitUpper>(sum, f, steps, smallest);
        __syncthreads();
        this->template write_inverses<UnitUpper>(f, t.level, steps);
        if (threadIdx.x < 32) note_summary(f, t.level, steps, before);
        __syncthreads();
        if (threadIdx.x == 0) {
            sync.publish(t);
            if (dag.bordered) sync.publish_border(dag.rows + t.level, dag.columns + t.level, t.level);
        }
        this->template write_factors<UnitUpper>(f, t.level, steps, scale);
        __syncthreads();
    }
};

/// Who does what: a block takes the next tile by ticket, sums the products of the tiles left of it and above
/// it in the order of their levels, and multiplies by the inverse of its level's diagonal tile, or
/// eliminates. What it waits for: the counters of its tile's row and column, and of the diagonal; all for
/// lower tickets. Why it cannot deadlock: a ticket is taken by a block that runs, and the lowest unfinished
/// one waits for no other. Why this memory order: a tile is written, then a barrier, then one thread's
/// release of its counter; readers acquire the counter in one thread and go through a barrier before they
/// read (schedule/tile_dag.hpp).
template <class T, int Row, bool UnitUpper>
__global__ __launch_bounds__(threads, 1) void tiles_kernel(tile_problem<T> p) {
    constexpr int stages = policies[Row].policy.stages;
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ std::uint32_t seen[2][2];
    __shared__ index_t next;
    const schedule::tile_dag dag = p.dag();
    const index_t count = dag.count();
    const counters sync(p.counters, dag);
    tile_worker<T, stages> worker{p, dag, sync, *reinterpret_cast<workplace<T, stages>*>(raw), seen};
    schedule::tile_cursor cursor{dag};
    for (;;) {
        if (threadIdx.x == 0) next = sync.take();
        __syncthreads();
        const index_t ticket = next;
        __syncthreads();
        if (ticket >= count) return;
        const schedule::tile_task task = cursor.at(ticket);
        fragment<T> sum;
        worker.start(task, sum);
        bool good = worker.accumulate(task, sum);
        if (good && task.kind == schedule::tile_kind::diagonal)
            worker.template finish_diagonal<UnitUpper>(task, sum);
        else if (good)
            good = worker.template finish_side<UnitUpper>(task, sum);
        if (!good) {
            if (threadIdx.x == 0) note_failure(p.to);
            return;
        }
    }
}

}  // namespace wale::lu::tile_dag
