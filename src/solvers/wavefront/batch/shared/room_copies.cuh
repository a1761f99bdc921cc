// room_copies - symbols and offsets of the jobs of encode_room.cu on their way to shared memory.
#pragma once

#include "solvers/wavefront/batch/shared/records.cuh"

namespace wale::wavefront::batch {

inline constexpr int least_bits = 2;  // lanes of a pair: a word of four symbols at least
inline constexpr int most_of_job = slots * (warp_size >> least_bits);

/// Where a block has the symbols of a pair, in bytes.
struct alignas(16) pair_in_room {
    word text, pattern;
    std::int32_t columns;
    std::int16_t lanes, more;  // lanes that have all their rows; rows that one more lane has
};

/// Bytes to shared memory, 8 or 16, without a wait: a block may wait until all copies but those behind its
/// last copies_end() are there.
template <class Bytes>
__device__ inline void copy_later(Bytes* to, const Bytes* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    *to = *from;
#else
    const auto place = static_cast<word>(__cvta_generic_to_shared(to));
    if constexpr (sizeof(Bytes) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(place), "l"(from) : "memory");
#endif
}
__device__ inline void copies_end() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// `Behind`: ends of copies that need not be reached, 0 or 1.
template <int Behind>
__device__ inline void copies_are_there() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Behind) : "memory");
#endif
}

/// The pairs of a job, which is one of the groups of eight threads of a task.
struct job_of_block {
    index_t task, begin, last;  // pairs from `begin` on; `last`: behind the task's pairs
    index_t some, end;          // pairs whose symbols are copied, one at least
    int first;                  // thread

    __device__ job_of_block(const task_list& tasks, index_t job) {
        constexpr int parts = warp_size / slots;
        const int fields = warp_size >> tasks.alike.log2_lanes;
        task = job / parts;
        first = static_cast<int>(job % parts) * slots;
        last = min((task + 1) * tasks.alike.pair_count, tasks.pairs);
        begin = task * tasks.alike.pair_count + first * fields;
        some = min(begin, last - 1);
        end = min(some + slots * fields, last);
    }
};

/// Offsets of both sides of the pairs of a job, from `some` to `end`.
struct offsets_of_job {
    index_t of[2][most_of_job + 1];

    __device__ void copy(const encoding& e, index_t number) {
        if (number >= e.tasks.count * (warp_size / slots)) return;
        const job_of_block job(e.tasks, number);
        constexpr int threads_of_side = pass_threads / 2;
        static_assert(most_of_job < threads_of_side);
        const int side = static_cast<int>(threadIdx.x) / threads_of_side,
                  i = static_cast<int>(threadIdx.x) % threads_of_side;
        if (i <= job.end - job.some)
            copy_later(&of[side][i], (side == 0 ? e.input.a_offsets : e.input.b_offsets) + job.some + i);
    }
};

/// Offsets of a side's first symbol and behind its last one.
struct ends_of_side {
    index_t first, last;
};

/// A side's symbols of the pairs of a job, in blocks of sixteen bytes.
struct stretch {
    const std::uint8_t* from;  // a multiple of 16
    index_t first;             // offset of the first symbol
    index_t low, high;         // of the batch's bytes, from `from` on
    word skew;                 // of the first symbol, in bytes
    int blocks;
    int whole, cut;  // blocks [whole, cut) have nothing but bytes of the batch

    __device__ stretch(const void* data, const ends_of_side& all, index_t begin, index_t end, word behind)
        : first(begin) {
        const auto* at = static_cast<const std::uint8_t*>(data) + first;
        skew = static_cast<word>(reinterpret_cast<std::uintptr_t>(at) & 15);
        from = at - skew;
        blocks = static_cast<int>((skew + static_cast<word>(end - first) + behind + 15) / 16);
        low = all.first - first + skew;
        high = all.last - first + skew;
        whole = low > 0 ? 1 : 0;
        cut = static_cast<int>(min(high / 16, index_t{blocks}));
    }
    /// Begins to copy all blocks; those at an end of the batch are filled up.
    __device__ void copy(uint4* to, word filler) const {
        for (int i = static_cast<int>(threadIdx.x); i < blocks; i += pass_threads)
            if (i >= whole && i < cut)
                copy_later(to + i, reinterpret_cast<const uint4*>(from + index_t{16} * i));
            else
                to[i] = filled_up(i, filler);
    }

private:
    __device__ uint4 filled_up(int i, word filler) const {
        word of[4] = {filler, filler, filler, filler};
#pragma unroll 1
        for (int b = 0; b < 16; ++b) {
            const index_t at = index_t{16} * i + b;
            const word byte = at >= low && at < high ? from[at] : filler & 255;
#pragma unroll
            for (int w = 0; w < 4; ++w)
                if (w == b / 4) of[w] = (of[w] & ~(255u << 8 * (b % 4))) | byte << 8 * (b % 4);
        }
        return {of[0], of[1], of[2], of[3]};
    }
};

}  // namespace wale::wavefront::batch
