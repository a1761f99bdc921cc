// strips - the whole table of any recurrence at the speed of the stores. A block takes a strip of columns;
// the compute warps of the block divide the strip, a lane holds a few columns in registers and runs one row
// behind the lane at its left (a shuffle hands the last column on). Finished rows are collected in shared
// memory and stored whole, by a bulk copy or by the store warps. The table is never read back.
//
// Who:   blocks take strips by ticket, from left to right; compute warp w of a block is `lag` groups of rows
// behind
//        warp w - 1; a barrier after each group of rows; store warp w stores the rows that compute warp w
//        finished.
// Waits: compute warp 0 for one word a row from the strip at its left; the others only at the barrier of the
// block. Why no deadlock: tickets go from left to right, so the strip waited for has started, and the
// leftmost unfinished
//        strip does not wait; whatever the number of resident blocks. A bounded wait raises `failed`; all
//        leave.
// Why relaxed: a word carries value and tag in one 64-bit store (cuda::tagged_word). Nothing else is handed
// over.
#include "solvers/wavefront/fill/cuda/strips/columns.cuh"
#include "solvers/wavefront/fill/cuda/tuning.hpp"
#include "solvers/wavefront/fill/shared/hand_over.cuh"
#include "solvers/wavefront/fill/shared/launch.cuh"

namespace wale::wavefront {
namespace {

/// What the policy means for cells of type T.
template <int Row, class T>
struct shape {
    static constexpr strip_policy p = strip_policies[Row].policy;
    static constexpr int columns = 16 / static_cast<int>(sizeof(T));  // of a lane
    static constexpr int warp_columns = 32 * columns;
    static constexpr int width = p.warps * warp_columns;        // of a strip
    static constexpr int lag = (p.group + 30) / p.group + 1;    // groups until a row has passed all 32 lanes
    static constexpr int pending = p.ring / p.group - lag - 1;  // bulk copies that may still read
    static constexpr int threads = 2 * p.warps * 32;
    static constexpr std::size_t shared =
        static_cast<std::size_t>(p.warps * p.ring * warp_columns) * sizeof(T);
    static_assert(p.group <= 32 && p.ring >= p.group * (lag + 1) && (p.ring & (p.ring - 1)) == 0);
    static_assert(width <= wide_inputs::padding);
};

template <class T>
struct strips_call {
    T* table;
    index_t rows, columns, pitch;
    int strips;
    bool aligned;          // rows of the table start on 16 bytes
    std::uint64_t* words;  // handed over: rows * carried<T>::words of each strip
    std::uint32_t* ticket;
    std::uint32_t* failed;
    int withheld;

    __device__ std::uint64_t* word(int strip, index_t row) const {
        return words + (strip * rows + row) * carried<T>::words;
    }
};

/// Shared memory that this thread wrote may be read by bulk copies of others after the next barrier.
__device__ inline void writes_for_bulk_copies() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// All but the last `Pending` groups of this thread's bulk copies have read their shared memory.
template <int Pending>
__device__ void bulk_copies_have_read() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
#endif
}

__device__ inline void bulk_copy(void* to, const void* from, int bytes) {
#if __CUDA_ARCH__ >= 900
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(from));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(bytes)
                 : "memory");
#endif
}

__device__ inline void bulk_commit() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
}

/// Where a group of rows goes.
template <class T>
struct row_block {
    T* table;
    index_t rows, columns, pitch;  // of the table
    index_t row, column;           // of the group's corner
    __device__ T* at(int k) const { return table + (row + k) * pitch + column; }
    __device__ bool has(int k) const { return row + k < rows; }
};

/// Called by one warp for its ring.
template <class S, class T>
__device__ void store_rows(const row_block<T>& block, bool aligned, const unsigned char* ring) {
    constexpr int group = S::p.group;
    constexpr int row_bytes = S::warp_columns * static_cast<int>(sizeof(T));
    const int lane = static_cast<int>(threadIdx.x % 32);
    const auto first = static_cast<int>(block.row) & (S::p.ring - 1);  // a group never wraps inside
    const unsigned char* from = ring + first * row_bytes;
    const index_t left = block.columns - block.column;
    const int bytes =
        left < S::warp_columns ? static_cast<int>(left) * static_cast<int>(sizeof(T)) : row_bytes;
    if (!aligned || bytes % 16 != 0) {
        for (int k = 0; k < group && block.has(k); ++k)
            for (int c = lane; c * static_cast<int>(sizeof(T)) < bytes; c += 32)
                block.at(k)[c] = reinterpret_cast<const T*>(from + k * row_bytes)[c];
    } else if (S::p.bulk) {
        if (lane < group && block.has(lane)) bulk_copy(block.at(lane), from + lane * row_bytes, bytes);
        bulk_commit();
        bulk_copies_have_read<S::pending>();
    } else {
#pragma unroll
        for (int k = 0; k < group; ++k)
#pragma unroll
            for (int v = 0; v < row_bytes / 512; ++v) {
                const int at = (v * 32 + lane) * 16;
                if (block.has(k) && at < bytes)
                    *reinterpret_cast<int4*>(reinterpret_cast<char*>(block.at(k)) + at) =
                        *reinterpret_cast<const int4*>(from + k * row_bytes + at);
            }
    }
}

/// One compute warp in one strip.
template <int Row, class R>
class compute_warp {
    using T = typename R::value_type;
    using S = shape<Row, T>;
    static constexpr int C = S::columns;
    static constexpr int G = S::p.group;

public:
    __device__ compute_warp(const R& r, const strips_call<T>& call, int strip, unsigned char* rings)
        : r_(r), call_(call), strip_(strip), lane_(threadIdx.x % 32), rings_(rings) {
        // Store warps construct one too, since the branch is inside the loop: they must not look past the
        // padding.
        warp_ = static_cast<int>(threadIdx.x / 32) % S::p.warps;
        column_ = static_cast<index_t>(strip) * S::width + warp_ * S::warp_columns + lane_ * C;
        now_.load_columns(r_, column_);
        next_.load_rows(r_, -lane_, column_, {call_.rows, call_.columns});
        incoming_.clear();
#pragma unroll
        for (int c = 0; c < C; ++c) above_[c] = T{};
    }

    /// Steps G * group ... of all lanes; false: the wait for the strip at the left ran out.
    __device__ bool run(index_t group) {
        if (!receive(group)) return false;
        __syncwarp();  // the lanes may have diverged in the wait; diverged lanes would make every shuffle
                       // slow
        now_.take_rows(next_);
        next_.load_rows(r_, (group + 1) * G - lane_, column_, {call_.rows, call_.columns});
        if (group * G < 32)
            steps<true>(group);
        else
            steps<false>(group);
        __syncwarp();
        if (warp_ == S::p.warps - 1) publish(group);
        return true;
    }

private:
    __device__ T* cell_in_ring(int warp, index_t row, int column) const {
        const auto slot = static_cast<int>(row) & (S::p.ring - 1);
        return reinterpret_cast<T*>(rings_) + (warp * S::p.ring + slot) * S::warp_columns + column;
    }

    /// The column at the warp's left, rows G * group + lane.
    __device__ bool receive(index_t group) {
        const index_t row = group * G + lane_;
        const bool wants = lane_ < G && row < call_.rows;
        if (warp_ > 0) {
            if (wants) left_ = *cell_in_ring(warp_ - 1, row, S::warp_columns - 1);
        } else if (strip_ == 0) {
            left_ = r_.left(row);
        } else {
            if (!await(incoming_, call_.word(strip_ - 1, wants ? row : 0), wants, call_.failed)) return false;
            left_ = incoming_.value();
            incoming_.clear();
            if (lane_ < G && row + G < call_.rows) incoming_.load(call_.word(strip_ - 1, row + G));
        }
        return true;
    }

    template <bool First>
    __device__ void steps(index_t group) {
        const auto base = static_cast<int>(group * G) - lane_;
#pragma unroll
        for (int k = 0; k < G; ++k) {
            T left = __shfl_up_sync(all_lanes, last_, 1);
            const T from_outside = __shfl_sync(all_lanes, left_, k);
            if (lane_ == 0) left = from_outside;
            if (First && base + k == 0) enter();
            row(k, left);
            memcpy(cell_in_ring(warp_, base + k, lane_ * C), above_, sizeof above_);
        }
    }

    /// This lane's row 0 comes next: above it is the border.
    __device__ void enter() {
        diagonal_ = border(r_, -1, column_ - 1);
#pragma unroll
        for (int c = 0; c < C; ++c) above_[c] = r_.top(column_ + c);
    }

    __device__ void row(int k, T left) {
        const R r = now_.aim(r_);
        T upper_left = diagonal_;
        diagonal_ = left;
        if constexpr (row_scan<R>::exact) last_ = last_of_row(r, k, upper_left, left);
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const T up = above_[c];
            left = above_[c] = r.cell(upper_left, up, left, k, c);
            upper_left = up;
        }
        if constexpr (!row_scan<R>::exact) last_ = left;
    }

    __device__ T last_of_row(const R& r, int k, T upper_left, T left) const {
        using scan = row_scan<R>;
        typename scan::word open[C];
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const T alone = r.cell(c ? above_[c ? c - 1 : 0] : upper_left, above_[c], scan::identity, k, c);
            open[c] = scan::extend(r, alone, C - 1 - c);
        }
#pragma unroll
        for (int width = C / 2; width > 0; width /= 2)
#pragma unroll
            for (int c = 0; c < width; ++c) open[c] = scan::join(open[c], open[c + width]);
        return static_cast<T>(scan::join(open[0], scan::extend(r, left, C)));
    }

    /// The strip's last column of the rows that lane 31 has just done.
    __device__ void publish(index_t group) const {
        const index_t row = group * G - 31 + lane_;
        if (lane_ >= G || row < 0 || row >= call_.rows) return;
        if (strip_ + 1 == call_.strips || strip_ == call_.withheld) return;
        carried<T>::store(call_.word(strip_, row), *cell_in_ring(warp_, row, S::warp_columns - 1));
    }

    const R& r_;
    const strips_call<T>& call_;
    int strip_, warp_, lane_;
    unsigned char* rings_;
    index_t column_;                  // this lane's first
    window<R, G, C> now_, next_;      // inputs of this group and of the next
    carried<T> incoming_;             // prefetched for the next group
    alignas(16) T above_[C];          // the row above, then the row itself
    T left_{}, diagonal_{}, last_{};  // left_: of row `lane` of the group, for lane 0
};

extern __shared__ __align__(128) unsigned char rings[];

template <int Row, class R>
__global__ void __launch_bounds__(shape<Row, typename R::value_type>::threads, 1)
    strips(const R r, const strips_call<typename R::value_type> call) {
    using T = typename R::value_type;
    using S = shape<Row, T>;
    __shared__ int taken;
    __shared__ bool gave_up[2];
    const int warp = static_cast<int>(threadIdx.x / 32);
    const index_t groups = (call.rows + 31 + S::p.group - 1) / S::p.group;
    const index_t phases = groups + (S::p.warps - 1) * S::lag + S::lag;
    if (threadIdx.x < 2) gave_up[threadIdx.x] = false;
    for (;;) {
        if (threadIdx.x == 0) taken = static_cast<int>(atomicAdd(call.ticket, 1u));
        __syncthreads();
        const int strip = taken;
        if (strip >= call.strips) return;
        compute_warp<Row, R> computes(r, call, strip, rings);
        for (index_t phase = 0; phase < phases; ++phase) {
            if (warp < S::p.warps) {
                const index_t group = phase - warp * S::lag;
                if (group >= 0 && group < groups && !computes.run(group)) gave_up[phase & 1] = true;
                if (S::p.bulk) writes_for_bulk_copies();
            } else {
                const int of = warp - S::p.warps;
                const index_t group = phase - (of + 1) * S::lag;
                const index_t column = static_cast<index_t>(strip) * S::width + of * S::warp_columns;
                if (group >= 0 && column < call.columns) {
                    const row_block<T> block{call.table, call.rows,          call.columns,
                                             call.pitch, group * S::p.group, column};
                    store_rows<S>(block, call.aligned, rings + of * (S::shared / S::p.warps));
                }
            }
            __syncthreads();
            if (gave_up[phase & 1]) return;
        }
        if (S::p.bulk && warp >= S::p.warps) bulk_copies_have_read<0>();
    }
}

template <int Row, class R>
void launch(fill_job& job, const cuda::context& on, const wide_inputs& inputs, const R& r) {
    using T = typename R::value_type;
    using S = shape<Row, T>;
    const index_t count = parts(job.columns, S::width);
    const cuda::scratch<std::uint64_t> words(on, count * job.rows * carried<T>::words);
    const cuda::scratch<std::uint32_t> control(on, 2);
    cuda::timer time(on);
    inputs.copy(on, job);
    words.fill_bytes(0);
    control.fill_bytes(0);
    const strips_call<T> call{static_cast<T*>(job.table), job.rows,          job.columns,  job.pitch,
                              static_cast<int>(count),    aligned_rows(job), words.data(), control.data(),
                              control.data() + 1,         withheld()};
    const index_t blocks =
        std::min<index_t>(count, resident_blocks(on, strips<Row, R>, S::threads, S::shared));
    strips<Row, R><<<static_cast<unsigned>(blocks), S::threads, S::shared, on.stream()>>>(r, call);
    cuda::check_launch();
    finish(job, on, time, call.failed);
    job.run->policy = "warps=" + std::to_string(S::p.warps) + " columns=" + std::to_string(S::width) +
                      " group=" + std::to_string(S::p.group) + (S::p.bulk ? " bulk" : "") +
                      (row_scan<R>::exact ? " ahead" : "");
}

void run(fill_job& job) {
    if (job.rows == 0 || job.columns == 0) return;
    const cuda::context on(job.where);
    const auto row = tuning::choose("wavefront/fill/strips", strip_policies, on.sm(), size_of(job.type));
    const wide_inputs inputs(on, job);
    visit_wide(job, inputs, [&](const auto& r) {
        tuning::with_row<strip_policies, 0>(row, [&]<int Row>() { launch<Row>(job, on, inputs, r); });
    });
}

/// Rows of 16-bit cells are stored in small pieces: on tables that are no strip and not large, cuda/hyperlane
/// takes 0.7 to 0.9 of the time (233 to 2780 rows).
bool suits(const fill_job& job) {
    constexpr index_t least = 128, most = 4096;
    const bool halves = job.type == element::i16 && std::min(job.rows, job.columns) >= least &&
                        std::max(job.rows, job.columns) <= most;
    return !is_small(job) && !halves;
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_strips{
    "cuda/strips", "columns in registers, lanes a row apart, rows stored whole; the table is never read back",
    run, nullptr, suits};

}  // namespace wale::wavefront
