// strips_bits - the LCS table by bit vectors: a row of the table is a start value and one bit a column, "no
// increment here" (Hyyro 2004, V' = (V + (V & M)) | (V & ~M)). A block takes a strip of columns; one warp
// holds V of the strip, some bits a lane, and computes a row with one long addition: two ballots say which
// lanes generate and which propagate a carry, and one scalar addition resolves all of them, so the lanes stay
// on one row and nothing is skewed. The other warps expand V to numbers and store whole rows; the table is
// never read back.
//
// Who:   blocks take strips by ticket, from left to right; warp 0 advances, the others store the group
// before; a
//        barrier after each group of rows.
// Waits: warp 0 for one word a group, the carries of the group out of the strip at its left.
// Why no deadlock: tickets go from left to right, so the strip waited for has started, and the leftmost
// unfinished
//        strip does not wait; whatever the number of resident blocks. A bounded wait raises `failed`; all
//        leave.
// Why relaxed: a word contains the carries and their tag in one 64-bit store (cuda::tagged_word).
#include <type_traits>

#include "solvers/wavefront/fill/cuda/tuning.hpp"
#include "solvers/wavefront/fill/shared/hand_over.cuh"
#include "solvers/wavefront/fill/shared/launch.cuh"

namespace wale::wavefront {
namespace {

/// Which columns of a strip hold a given symbol, as bits, for any alphabet. The distinct symbols of a strip
/// are at most its columns, so a hash table of twice as many slots in shared memory finds them; symbols that
/// do not occur share one empty row of masks.
template <int Bits>
class match_masks {
public:
    static constexpr int columns = 32 * Bits;

    /// Called by the whole block, between barriers of its own.
    __device__ void build(const std::uint32_t* symbols) {
        const int threads = static_cast<int>(blockDim.x);
        const int thread = static_cast<int>(threadIdx.x);
        for (int k = thread; k < slots; k += threads) slot_[k] = free_slot;
        for (int k = thread; k < (columns + 1) * 32; k += threads) mask_[k / 32][k % 32] = 0;
        for (int c = thread; c < columns; c += threads) symbol_[c] = symbols[c];
        __syncthreads();
        for (int c = thread; c < columns; c += threads) insert(c);
        __syncthreads();
        // A lane's masks are words of its own, so one thread sets all bits of a lane without atomics.
        if (thread < 32)
            for (int k = 0; k < Bits; ++k)
                mask_[find(symbol_[thread * Bits + k])][thread] |= static_cast<word>(1u << k);
        __syncthreads();
    }

    /// The row of masks of a symbol: the first column that claimed it, or the empty row.
    __device__ int find(std::uint32_t symbol) const {
        for (std::uint32_t at = place(symbol);; at = (at + 1) % slots) {
            const int column = slot_[at];
            if (column == free_slot) return columns;
            if (symbol_[column] == symbol) return column;
        }
    }
    __device__ std::uint32_t of(int found, int lane) const { return mask_[found][lane]; }

private:
    using word = std::conditional_t<(Bits > 16), std::uint32_t, std::uint16_t>;
    static constexpr int slots = 2 * columns;
    static constexpr int free_slot = -1;

    __device__ static std::uint32_t place(std::uint32_t symbol) {
        return (symbol * 2654435769u >> 16) % slots;
    }

    __device__ void insert(int column) {
        for (std::uint32_t at = place(symbol_[column]);; at = (at + 1) % slots) {
            const int before = atomicCAS(&slot_[at], free_slot, column);
            if (before == free_slot || symbol_[before] == symbol_[column]) return;
        }
    }

    int slot_[slots];
    std::uint32_t symbol_[columns];
    word mask_[columns + 1][32];
};

template <int Row>
struct shape {
    static constexpr strip_bits_policy p = strip_bits_policies[Row].policy;
    static constexpr int width = 32 * p.bits;  // columns of a strip
    static constexpr std::uint32_t mask = p.bits == 32 ? ~0u : (1u << (p.bits % 32)) - 1;
    static_assert(p.group <= 32 && p.warps > 1 && p.bits <= 32 && width <= wide_inputs::padding);
    using masks = match_masks<p.bits>;
    struct cells {
        std::uint32_t bits;  // V of a lane's columns
        std::uint32_t base;  // the cell at the left of them
    };
    struct memory {
        masks match;
        cells ring[2][p.group][32];  // the group in work, the group being stored
        int found[2][32];            // of the rows of the next group and the one after: match.find(symbol)
    };
};

template <class T>
struct bits_call {
    const std::uint32_t* a;
    const std::uint32_t* b;
    T* table;
    index_t rows, columns, pitch;
    int strips;
    bool aligned;          // rows of the table start on 16 bytes
    std::uint64_t* words;  // handed over: one a group of rows of each strip
    std::uint32_t* ticket;
    std::uint32_t* failed;
    int withheld;
};

/// Warp 0 in one strip.
template <int Row, class T>
class advancing_warp {
    using S = shape<Row>;
    static constexpr int G = S::p.group;

public:
    __device__ advancing_warp(const bits_call<T>& call, int strip, typename S::memory& shared)
        : call_(call),
          shared_(shared),
          strip_(strip),
          lane_(threadIdx.x % 32),
          groups_((call.rows + G - 1) / G) {
        incoming_.clear();
        load_masks(0, match_);
    }

    __device__ bool run(index_t group) {
        std::uint32_t carries = 0;  // bit k: into the strip, row k of the group
        if (strip_ > 0) {
            const bool wants = lane_ == 0;
            if (!await(incoming_, word(strip_ - 1, group), wants, call_.failed)) return false;
            carries = __shfl_sync(all_lanes, incoming_.value(), 0);
            incoming_.clear();
            if (wants && group + 1 < groups_) incoming_.load(word(strip_ - 1, group + 1));
        }
        __syncwarp();  // the lanes may have diverged in the wait; diverged lanes would make every ballot slow
        std::uint32_t next[G];
        load_masks(group + 1, next);
        std::uint32_t out = 0;
#pragma unroll
        for (int k = 0; k < G; ++k)
            out |= row(match_[k], (carries >> k) & 1, shared_.ring[group & 1][k]) << k;
        if (lane_ == 0 && strip_ + 1 < call_.strips && strip_ != call_.withheld)
            carried<std::uint32_t>::store(word(strip_, group), out);
#pragma unroll
        for (int k = 0; k < G; ++k) match_[k] = next[k];
        __syncwarp();
        return true;
    }

private:
    __device__ std::uint64_t* word(int strip, index_t group) const {
        return call_.words + strip * groups_ + group;
    }

    __device__ void load_masks(index_t group, std::uint32_t (&match)[G]) const {
#pragma unroll
        for (int k = 0; k < G; ++k) match[k] = shared_.match.of(shared_.found[group & 1][k], lane_);
    }

    /// The long addition of one row; returns the carry out of the strip. Both outcomes of a lane's carry-in
    /// are ready before the ballots are: they, one addition and one selection are the way from row to row.
    __device__ std::uint32_t row(std::uint32_t match, std::uint32_t carry, typename S::cells* ring) {
        const std::uint32_t sum = v_ + (v_ & match);
        const std::uint32_t rest = v_ & ~match;
        const bool generates = S::p.bits == 32 ? sum < v_ : sum > S::mask;
        const bool passes_on = S::p.bits == 32 ? generates || sum == S::mask : sum >= S::mask;
        const std::uint32_t without = (sum | rest) & S::mask;
        const std::uint32_t with = ((sum + 1) | rest) & S::mask;
        // Bit n of each word is one bit of a binary addition whose carries are the lanes': 1 + 1 generates, 1
        // + 0 passes on, 0 + 0 does neither. The carry into lane n is where the sum differs from its terms'
        // exclusive or.
        const std::uint32_t a = __ballot_sync(all_lanes, passes_on);
        const std::uint32_t b = __ballot_sync(all_lanes, generates);
        const std::uint32_t added = a + b + carry;
        const bool mine = ((added ^ a ^ b) & 1u << lane_) != 0;
        v_ = mine ? with : without;
        base_ += mine;
        ring[lane_] = {v_, base_};
        return (b | (a & ~added)) >> 31;
    }

    const bits_call<T>& call_;
    typename S::memory& shared_;
    int strip_, lane_;
    index_t groups_;
    carried<std::uint32_t> incoming_;  // prefetched for the next group
    std::uint32_t match_[G];           // of this group's rows, this lane's columns
    std::uint32_t v_ = S::mask, base_ = 0;
};

/// Neighbouring cells that are stored with one instruction.
template <class T, int Vector>
struct alignas(sizeof(T) * Vector) packed {
    T cell[Vector];
    __device__ void store(T* to) const {
        if constexpr (sizeof *this == 16) {
            int4 all;  // the compiler takes a struct's copy apart, a vector's not
            memcpy(&all, cell, sizeof all);
            *reinterpret_cast<int4*>(to) = all;
        } else {
            *to = cell[0];
        }
    }
};

/// Vector neighbouring cells from one lane's word: a running count of the increments.
template <class S, class T, int Vector>
__device__ packed<T, Vector> expand(const typename S::cells* row, int column) {
    packed<T, Vector> out;
    const typename S::cells word = row[column / S::p.bits];
    const int offset = column % S::p.bits;
    const std::uint32_t steps = ~word.bits;
    std::uint32_t value = word.base + __popc(steps & ((1u << offset) - 1));
#pragma unroll
    for (int k = 0; k < Vector; ++k) {
        value += steps >> (offset + k) & 1;
        out.cell[k] = static_cast<T>(value);
    }
    return out;
}

/// The storing warps share a group: a warp's turn is 32 * Vector columns of a row.
template <int Row, int Vector, class T>
__device__ void store_group(const bits_call<T>& call, int strip, index_t group,
                            const typename shape<Row>::memory& m) {
    using S = shape<Row>;
    constexpr int turns = S::width / (32 * Vector);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const index_t left = call.columns - static_cast<index_t>(strip) * S::width;
#pragma unroll 4
    for (int turn = static_cast<int>(threadIdx.x / 32) - 1; turn < S::p.group * turns;
         turn += S::p.warps - 1) {
        const int k = turn / turns;
        const int column = (turn % turns * 32 + lane) * Vector;
        const index_t i = group * S::p.group + k;
        const auto out = expand<S, T, Vector>(m.ring[group & 1][k], column);
        T* to = call.table + i * call.pitch + static_cast<index_t>(strip) * S::width + column;
        if (i < call.rows && column + Vector <= left)
            out.store(to);
        else if (i < call.rows)
#pragma unroll
            for (int c = 0; c < Vector; ++c)
                if (column + c < left) to[c] = out.cell[c];
    }
}

/// Warp 1 looks the symbols of a group of rows up, two groups ahead; it loads them one group earlier still.
template <int Row, class T>
class looking_up_warp {
    static constexpr int G = shape<Row>::p.group;

public:
    __device__ looking_up_warp(const bits_call<T>& call, typename shape<Row>::memory& shared)
        : a_(call.a + threadIdx.x % 32), shared_(shared), symbol_(a_[0]) {}
    __device__ void run(index_t group) {
        if (threadIdx.x % 32 < G) shared_.found[group & 1][threadIdx.x % 32] = shared_.match.find(symbol_);
        __syncwarp();
        symbol_ = a_[(group + 1) * G];
    }

private:
    const std::uint32_t* a_;
    typename shape<Row>::memory& shared_;
    std::uint32_t symbol_;  // of row `lane` of the next group
};

extern __shared__ __align__(16) unsigned char strip_memory[];

template <int Row, class T>
__global__ void __launch_bounds__(shape<Row>::p.warps * 32) strips_bits(const bits_call<T> call) {
    using S = shape<Row>;
    __shared__ int taken;
    __shared__ bool gave_up[2];
    auto& memory = *reinterpret_cast<typename S::memory*>(strip_memory);
    const index_t groups = (call.rows + S::p.group - 1) / S::p.group;
    if (threadIdx.x < 2) gave_up[threadIdx.x] = false;
    for (;;) {
        if (threadIdx.x == 0) taken = static_cast<int>(atomicAdd(call.ticket, 1u));
        __syncthreads();
        const int strip = taken;
        if (strip >= call.strips) return;
        memory.match.build(call.b + static_cast<index_t>(strip) * S::width);
        looking_up_warp<Row, T> looks_up(call, memory);
        const int warp = static_cast<int>(threadIdx.x / 32);
        for (int group = 0; group < 2 && warp == 1; ++group) looks_up.run(group);
        __syncthreads();
        advancing_warp<Row, T> advances(call, strip, memory);
        __syncthreads();  // it has taken group 0's before they are overwritten
        for (index_t phase = 0; phase <= groups; ++phase) {
            if (warp == 0) {
                if (phase < groups && !advances.run(phase)) gave_up[phase & 1] = true;
            } else {
                if (warp == 1) looks_up.run(phase + 2);
                if (phase > 0 && call.aligned)
                    store_group<Row, 16 / sizeof(T)>(call, strip, phase - 1, memory);
                else if (phase > 0)
                    store_group<Row, 1>(call, strip, phase - 1, memory);
            }
            __syncthreads();
            if (gave_up[phase & 1]) return;
        }
    }
}

template <int Row, class T>
void launch(fill_job& job, const cuda::context& on, const wide_inputs& inputs) {
    using S = shape<Row>;
    const index_t count = parts(job.columns, S::width);
    const index_t groups = parts(job.rows, S::p.group);
    const cuda::scratch<std::uint64_t> words(on, count * groups);
    const cuda::scratch<std::uint32_t> control(on, 2);
    cuda::timer time(on);
    inputs.copy(on, job);
    words.fill_bytes(0);
    control.fill_bytes(0);
    const bits_call<T> call{inputs.a(),   inputs.b(),     static_cast<T*>(job.table), job.rows,
                            job.columns,  job.pitch,      static_cast<int>(count),    aligned_rows(job),
                            words.data(), control.data(), control.data() + 1,         withheld()};
    constexpr int threads = S::p.warps * 32;
    constexpr std::size_t shared = sizeof(typename S::memory);
    const index_t blocks =
        std::min<index_t>(count, resident_blocks(on, strips_bits<Row, T>, threads, shared));
    strips_bits<Row, T><<<static_cast<unsigned>(blocks), threads, shared, on.stream()>>>(call);
    cuda::check_launch();
    finish(job, on, time, call.failed);
    job.run->policy = "warps=" + std::to_string(S::p.warps) + " columns=" + std::to_string(S::width) +
                      " group=" + std::to_string(S::p.group);
}

std::string refusal(const fill_job& job) {
    return job.kind == recurrence::lcs ? "" : "bit vectors hold the LCS table only, not this recurrence";
}

void run(fill_job& job) {
    if (job.rows == 0 || job.columns == 0) return;
    const cuda::context on(job.where);
    const auto row =
        tuning::choose("wavefront/fill/strips_bits", strip_bits_policies, on.sm(), size_of(job.type));
    const wide_inputs inputs(on, job);
    tuning::with_row<strip_bits_policies, 0>(row, [&]<int Row>() {
        if (job.type == element::i16) return launch<Row, std::int16_t>(job, on, inputs);
        launch<Row, std::int32_t>(job, on, inputs);
    });
}

/// Strips are cut from the columns: few columns keep few warps busy (6919 x 7: twice the time of
/// cuda/strips).
bool suits(const fill_job& job) {
    constexpr index_t least_columns = 32;
    return !is_small(job) && job.columns >= least_columns;
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_strips_bits{
    "cuda/strips_bits", "a warp advances LCS bit vectors of a strip of columns, others expand and store them",
    run, refusal, suits};

}  // namespace wale::wavefront
