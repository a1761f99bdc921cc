// panel - a panel of up to 256 columns and all rows below its diagonal, factored by one cluster in one
// launch: `width` columns at a time are in registers; between two such strips the blocks bring the rest of
// the panel up to date, each the rows that its threads own. Rows move once, at the end.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/column.cuh"
#include "solvers/lu/factor/cuda/lookahead/panel_job.cuh"
#include "solvers/lu/factor/cuda/lookahead/row_tile.cuh"

namespace wale::lu {

template <class T, int Width, int Rows, int Threads>
struct panel_sizes {
    static constexpr int depth = Width;          // of the product
    static constexpr int rows = Rows * Threads;  // of a block
    // A stride of 4 mod 16 words of 8 bytes keeps the tensor units' loads free of bank conflicts.
    static constexpr int strip_stride = rows + 4;
    static constexpr int beside_stride(int columns) { return (columns + 7) / 16 * 16 + 20; }
    static constexpr std::size_t bytes(int columns) {
        return sizeof(column_shared<T, Width, Threads>) + std::size_t{rows} +
               sizeof(T) * (std::size_t{depth} * strip_stride + std::size_t(depth) * beside_stride(columns) +
                            std::size_t{Width} * Width) +
               64;
    }
};

/// x = L^-1 x; L by columns in shared memory, 16-byte aligned. The next column is under way while one is
/// subtracted; chunks may begin above the diagonal.
template <int N, class T>
__device__ void solve_unit_lower(T (&x)[N], const T* lower) {
    constexpr int chunk = 16 / static_cast<int>(sizeof(T));
    const auto* l = reinterpret_cast<const sixteen_bytes<T>*>(lower);
    sixteen_bytes<T> now[N / chunk], next[N / chunk];
#pragma unroll
    for (int q = 0; q < N / chunk; ++q) next[q] = l[q];
#pragma unroll
    for (int k = 0; k + 1 < N; ++k) {
#pragma unroll
        for (int q = (k + 1) / chunk; q < N / chunk; ++q) now[q] = next[q];
#pragma unroll
        for (int q = (k + 2) / chunk; q < N / chunk; ++q) next[q] = l[(k + 1) * (N / chunk) + q];
#pragma unroll
        for (int i = k + 1; i < N; ++i) x[i] = fma(-now[i / chunk].v[i % chunk], x[k], x[i]);
    }
}

/// A block's part of a panel.
template <class T, int Width, int Rows, int Threads>
class panel_part {
public:
    using sizes = panel_sizes<T, Width, Rows, Threads>;

    __device__ panel_part(const panel_job<T>& job, unsigned char* memory)
        : job_(job),
          shared_(*reinterpret_cast<column_shared<T, Width, Threads>*>(memory)),
          rank_(static_cast<int>(blockIdx.x)),
          blocks_(static_cast<int>(gridDim.x)),
          thread_(static_cast<int>(threadIdx.x)),
          beside_stride_(sizes::beside_stride(job.columns)),
          steps_(shared_, rank_, blocks_) {
        memory += (sizeof(column_shared<T, Width, Threads>) + 15) / 16 * 16;
        strip_ = reinterpret_cast<T*>(memory);
        beside_ = strip_ + sizes::depth * sizes::strip_stride;
        lower_ = beside_ + sizes::depth * beside_stride_;
        row_is_active_ = reinterpret_cast<unsigned char*>(lower_ + Width * Width);
    }

    __device__ void run() {
        begin();
        for (int s = 0; s < job_.columns; s += Width) {
            load(s);
            strip(s);
            if (s + Width < job_.columns) update_beside(s);
        }
        if (!alive_) note_failure(job_.report);
        publish_order();
        exchange_own_rows();
        invert_diagonal_blocks();
    }

private:
    static constexpr int solved_together = 2;  // columns of a warp

    [[nodiscard]] __device__ int own_row(int i) const { return (rank_ * Rows + i) * Threads + thread_; }
    [[nodiscard]] __device__ T& element(int row, int column) const {
        return job_.a[row + column * job_.leading];
    }

    __device__ void begin() {
        for (int i = thread_; i < offers_kept * panel_cluster; i += Threads) {
            auto& slot = shared_.slots[i / panel_cluster][i % panel_cluster];
            for (int c = 0; c < Width; ++c) slot.row[c] = T(0);
            slot.head = {T(1), INT_MAX, 0};
        }
        for (int i = thread_; i < sizes::depth * sizes::strip_stride; i += Threads) strip_[i] = T(0);
        for (int i = thread_; i < sizes::depth * beside_stride_; i += Threads) beside_[i] = T(0);
        if (thread_ < Width) {
            shared_.stage.row[thread_] = T(0);
            shared_.pivot_row[thread_] = 0;
            shared_.bytes[thread_] = steps_.bytes_of(thread_);
        }
        if (thread_ == 0) {
            for (int k = 0; k < offers_kept; ++k) byte_counter::begin(steps_.counter(k));
            byte_counter::publish_begin();
            for (int k = 0; k < offers_kept; ++k)
                byte_counter::expect(steps_.counter(k), steps_.bytes_of(k % Width));
        }
#pragma unroll
        for (int i = 0; i < Rows; ++i) {
            mine_.active[i] = own_row(i) < job_.rows;
            mine_.position[i] = mine_.active[i] ? own_row(i) : INT_MAX;
            mine_.multiplier[i] = T(0);
        }
        cluster_arrive();
        cluster_wait();
    }

    __device__ void load(int s) {
#pragma unroll
        for (int i = 0; i < Rows; ++i) {
            was_active_[i] = mine_.active[i];
            const T* at = &element(own_row(i), s);
#pragma unroll
            for (int c = 0; c < Width; ++c) {
                mine_.window[i][c] = was_active_[i] && s + c < job_.columns ? __ldcg(at) : T(0);
                at += job_.leading;
            }
        }
    }

    /// Factors the columns in registers.
    __device__ void strip(int s) {
        T x[Rows];
#pragma unroll
        for (int i = 0; i < Rows; ++i) x[i] = mine_.window[i][0];
        steps_.template offer_best<Width, false>(s, mine_, x);
        kept_ = strip_ + thread_;
        stored_ = &element(own_row(0), s);
        const int end = min(s + Width, job_.columns);
        stretches<Width>(s, end);
        __syncthreads();
        if (rank_ == 0 && s + thread_ < end)
            job_.pivots[s + thread_] = job_.first + shared_.exchanged[thread_];
    }
    template <int Live>
    __device__ void stretches(int k, int end) {
        constexpr int stretch = column_steps<T, Width, Rows, Threads>::stretch;
#pragma unroll 1
        for (const int stop = min(k + stretch, end); k < stop; ++k) column<Live>(k, end);
        if constexpr (Live > stretch)
            if (k < end) stretches<Live - stretch>(k, end);
    }
    template <int Live>
    __device__ void column(int k, int end) {
        const auto& won = steps_.take(k, mine_, alive_);
        T x[Rows];
#pragma unroll
        for (int i = 0; i < Rows; ++i)
            x[i] = Width > 1 ? fma(-mine_.multiplier[i], won.row[1], mine_.window[i][1]) : T(0);
        if (k + 1 < end) steps_.template offer_best<Live, true>(k + 1, mine_, x);
        keep_column();
        steps_.template subtract<Live>(mine_, won);
        if (thread_ == Threads - 1) note_column(k, won);
    }
    /// What became final. The flight of the next offers hides this, but not from the warp that sent one.
    __device__ void keep_column() {
#pragma unroll
        for (int i = 0; i < Rows; ++i) {
            const T v = mine_.active[i] ? mine_.multiplier[i] : mine_.window[i][0];
            kept_[i * Threads] = v;
            if (was_active_[i]) stored_[i * Threads] = v;
        }
        kept_ += sizes::strip_stride;
        stored_ += job_.leading;
    }
    /// And the counter for the column that will use this slot next.
    __device__ void note_column(int k, const offer<T, Width>& won) {
        if (k + offers_kept < job_.columns)
            byte_counter::expect(steps_.counter(k), shared_.bytes[(k + offers_kept) % Width]);
        shared_.pivot_row[k % Width] = min(won.head.row, job_.rows - 1);
        shared_.exchanged[k % Width] = min(won.head.position, job_.rows - 1);
    }

    /// The columns of the panel right of the strip: the blocks share the solution with the strip's triangle,
    /// then each subtracts the product from its own rows.
    __device__ void update_beside(int s) {
#pragma unroll
        for (int i = 0; i < Rows; ++i) row_is_active_[i * Threads + thread_] = mine_.active[i];
        cluster_arrive();  // every pivot's row is in memory up to and with the strip
        cluster_wait();
        for (int i = thread_; i < Width * Width; i += Threads)
            lower_[i] = __ldcg(&element(shared_.pivot_row[i % Width], s + i / Width));
        __syncthreads();
        const int beside = job_.columns - s - Width, warp = thread_ / 32;
        for (int c = rank_ + blocks_ * warp; c < beside; c += solved_together * blocks_ * (Threads / 32))
            solve_columns(s + Width, c, beside);
        cluster_arrive();
        cluster_wait();
        for (int i = thread_; i < Width * beside; i += Threads)
            beside_[i / beside * beside_stride_ + i % beside] = __ldcg(job_.solved + i);
        __syncthreads();
        for (int t = warp; t < sizes::rows / tile_rows; t += Threads / 32) update_tile(t, s + Width, beside);
        __syncthreads();
    }
    /// Some columns of U, a pivot's row a lane; from `c` on, as many columns apart as warps work on them.
    __device__ void solve_columns(int first_column, int c, int beside) {
        const int lane = thread_ % 32, apart = blocks_ * (Threads / 32);
        T* row = &element(shared_.pivot_row[lane % Width], first_column);
        T x[solved_together];
#pragma unroll
        for (int g = 0; g < solved_together; ++g)
            x[g] = c + g * apart < beside ? __ldcg(row + (c + g * apart) * job_.leading) : T(0);
#pragma unroll
        for (int k = 0; k + 1 < Width; ++k) {
            const T l = lane > k ? lower_[k * Width + lane % Width] : T(0);
#pragma unroll
            for (int g = 0; g < solved_together; ++g) x[g] = fma(-l, __shfl_sync(all_lanes, x[g], k), x[g]);
        }
        if (lane >= Width) return;
#pragma unroll
        for (int g = 0; g < solved_together; ++g) {
            if (c + g * apart >= beside) break;
            row[(c + g * apart) * job_.leading] = x[g];
            job_.solved[lane * beside + c + g * apart] = x[g];
        }
    }
    /// A warp's 32 rows.
    __device__ void update_tile(int t, int first_column, int beside) {
        using tile_type = row_tile<T, sizes::depth>;
        tile_type tile;
        tile.load([&](int row, int k) { return strip_[k * sizes::strip_stride + t * tile_rows + row]; });
        unsigned live = 0;
#pragma unroll
        for (int r = 0; r < tile_type::rows; ++r)
            live |=
                static_cast<unsigned>(row_is_active_[t * tile_rows + tile.row(0) + r * tile_type::row_step])
                << r;
        if (__ballot_sync(all_lanes, live != 0) == 0) return;
        constexpr int ahead = 2;  // blocks of 8 columns under way while as many are worked on
        constexpr int columns = tile_type::columns;
        T* at = &element(rank_ * sizes::rows + t * tile_rows + tile.row(0), first_column + tile.column(0));
        const index_t step = ahead * tile_columns * job_.leading;
        const int left = beside - tile.column(0);
        T c[ahead][8], next[ahead][8];
        const auto each = [&](int c0, auto&& f) {
#pragma unroll
            for (int g = 0; g < ahead; ++g)
#pragma unroll
                for (int j = 0; j < columns; ++j) {
                    T* column = at + (g * tile_columns + j) * job_.leading;
                    const bool there = c0 + g * tile_columns + j < left;
#pragma unroll
                    for (int r = 0; r < tile_type::rows; ++r)
                        f(g, r * columns + j, column + r * tile_type::row_step,
                          there && (live >> r & 1u) != 0);
                }
        };
        const auto fetch = [&](int g, int e, T* from, bool there) {
            next[g][e] = there ? __ldcg(from) : T(0);
        };
        each(0, fetch);
        for (int c0 = 0; c0 < beside; c0 += ahead * tile_columns) {
#pragma unroll
            for (int g = 0; g < ahead; ++g)
#pragma unroll
                for (int e = 0; e < 8; ++e) c[g][e] = next[g][e];
            at += step;
            each(c0 + ahead * tile_columns, fetch);
#pragma unroll
            for (int g = 0; g < ahead; ++g) tile.subtract_product(c[g], beside_ + c0 + 8 * g, beside_stride_);
            at -= step;
            each(c0, [&](int g, int e, T* to, bool there) {
                if (there) *to = c[g][e];
            });
            at += step;
        }
    }

    __device__ void publish_order() {
#pragma unroll
        for (int i = 0; i < Rows; ++i) {
            const int row = own_row(i), position = mine_.position[i];
            if (row >= job_.rows || position >= job_.rows) continue;
            job_.source[position] = job_.first + row;
            if (row < job_.columns) job_.to[row] = position;
            if (position < job_.columns) job_.from[position] = row;
        }
        cluster_arrive();
        cluster_wait();
    }
    /// A warp a column: only rows of the top block, and those that came there, have moved.
    __device__ void exchange_own_rows() {
        constexpr int most = largest_block / 32;
        const int lane = thread_ % 32, warp = thread_ / 32;
        int from[most], to[most];
#pragma unroll
        for (int q = 0; q < most; ++q) {
            const int t = lane + 32 * q;
            from[q] = t < job_.columns ? __ldcg(job_.from + t) : 0;
            to[q] = t < job_.columns ? __ldcg(job_.to + t) : 0;
        }
        for (int c = rank_ + blocks_ * warp; c < job_.columns; c += blocks_ * (Threads / 32)) {
            T* column = &element(0, c);
            T top[most], came[most];
#pragma unroll
            for (int q = 0; q < most; ++q)
                if (lane + 32 * q < job_.columns) {
                    top[q] = __ldcg(column + lane + 32 * q);
                    came[q] = __ldcg(column + from[q]);
                }
            __syncwarp();
#pragma unroll
            for (int q = 0; q < most; ++q)
                if (lane + 32 * q < job_.columns) {
                    column[lane + 32 * q] = came[q];
                    if (to[q] >= job_.columns) column[to[q]] = top[q];
                }
        }
        cluster_arrive();
        cluster_wait();
    }
    /// A warp a block of 32 x 32, a lane a column of the inverse. The strip's memory is free.
    __device__ void invert_diagonal_blocks() {
        const int lane = thread_ % 32, warp = thread_ / 32;
        const int count = (job_.columns + inverse_size - 1) / inverse_size;
        T* lower = strip_ + warp * inverse_size * inverse_size;
        for (int b = rank_ + blocks_ * warp; b < count; b += blocks_ * (Threads / 32)) {
            const int first = b * inverse_size;
            const int inside = first + lane < job_.columns ? lane : 0;  // columns left of the diagonal
            const T* row = &element(first + lane, first);
            T x[inverse_size];
#pragma unroll
            for (int k = 0; k < inverse_size; ++k) {
                x[k] = k < inside ? __ldcg(row) : T(0);
                row += job_.leading;
            }
#pragma unroll
            for (int k = 0; k < inverse_size; ++k) {
                lower[k * inverse_size + lane] = x[k];
                x[k] = k == lane ? T(1) : T(0);
            }
            __syncwarp();
            solve_unit_lower<inverse_size>(x, lower);
#pragma unroll
            for (int k = 0; k < inverse_size; ++k)
                job_.inverse[(b * inverse_size + lane) * inverse_size + k] = x[k];
            __syncwarp();
        }
    }

    panel_job<T> job_;
    column_shared<T, Width, Threads>& shared_;
    int rank_, blocks_, thread_;
    int beside_stride_;
    T* strip_;   // [depth][strip_stride] of the columns in registers: multipliers, and rows of U that are
                 // final
    T* beside_;  // [depth][beside_stride] the pivots' rows right of the strip
    T* lower_;   // [Width][Width] their L, by columns
    unsigned char* row_is_active_;
    column_steps<T, Width, Rows, Threads> steps_;
    lane_rows<T, Width, Rows> mine_;
    bool was_active_[Rows];
    T* kept_;    // where this thread keeps the current column, in shared memory
    T* stored_;  // and in the matrix
    bool alive_ = true;
};

/// Who does what: block b of the only cluster owns rows [b, b + 1) * Rows * 256 of the panel; for each column
/// it sends its best row to all blocks and takes the best of what they sent. What it waits for: the offers of
/// that column, counted in bytes in its own shared memory, and between strips the cluster's barrier. Why it
/// cannot deadlock: the blocks of a cluster run at the same time, each sends its offer for column k + 1 after
/// it took those for column k and before it waits again; a wait that is too long ends, and no later one
/// waits. Why this order of memory: st.async counts its bytes when they are visible to who waits with
/// acquire; a slot is filled again four columns later, after its readers have sent offers for a later column
/// than they read it for.
template <class T, int Width, int Rows, int Threads>
__global__ void __launch_bounds__(Threads, 1) panel_kernel(panel_job<T> job) {
    extern __shared__ __align__(16) unsigned char memory[];
    panel_part<T, Width, Rows, Threads>(job, memory).run();
}

}  // namespace wale::lu
