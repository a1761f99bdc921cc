// survey - the passes themselves. None waits on another block; what one finds the next launch reads.
#include <algorithm>

#include "cuda/warp.cuh"
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int threads = pass_threads;
constexpr unsigned everyone = 0xffffffffu;
constexpr index_t few_pairs = 2048;  // of which each block reads all offsets

__device__ index_t thread_number() {
    return index_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ index_t thread_count() {
    return index_t{gridDim.x} * blockDim.x;
}

template <class T>
__device__ T warp_sum(T v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(everyone, v, d);
    return v;
}

/// What a block finds in the offsets.
struct found_offsets {
    unsigned long long first_bad, low, high;
    std::int32_t least_rows, most_rows, least_columns, most_columns;
};

/// Sequence k of each side that has so many.
__device__ void survey_sequences(const pairs& all, index_t k, found_offsets& mine) {
    for (const bool of_b : {false, true}) {
        if (k >= all.sequences(of_b)) continue;
        const index_t size = checked_length(of_b ? all.b_offsets : all.a_offsets, k);
        if (size < 0) {
            mine.first_bad = min(mine.first_bad, static_cast<unsigned long long>(2 * k + (of_b ? 1 : 0)));
            continue;
        }
        const auto n = static_cast<std::int32_t>(size);
        std::int32_t &least = of_b ? mine.least_columns : mine.least_rows,
                     &most = of_b ? mine.most_columns : mine.most_rows;
        least = min(least, n);
        most = max(most, n);
        if (!of_b) continue;
        mine.low += static_cast<unsigned long long>(size * size) & 0xffffffffu;
        mine.high += static_cast<unsigned long long>(size * size) >> 32;
    }
}

/// Surveys pairs first, first + step ...; all threads of the block take part.
__device__ void survey_offsets(const pairs& all, index_t first, index_t step, found_offsets& block) {
    if (threadIdx.x == 0) block = {~0ull, 0, 0, INT32_MAX, 0, INT32_MAX, 0};
    __syncthreads();
    found_offsets mine{~0ull, 0, 0, INT32_MAX, 0, INT32_MAX, 0};
    for (index_t k = first; k < all.surveyed(); k += step) {
        if (all.by_sides) {
            survey_sequences(all, k, mine);
            continue;
        }
        const pair_numbers at = numbers_of(all, k);
        const index_t m = checked_length(all.a_offsets, at.a);
        const index_t n = checked_length(all.b_offsets, at.b);
        if (m < 0 || n < 0) {
            const index_t where = m < 0 ? 2 * at.a : 2 * at.b + 1;
            mine.first_bad = min(mine.first_bad, static_cast<unsigned long long>(where));
            continue;
        }
        const auto rows = static_cast<std::int32_t>(min(m, n)),
                   columns = static_cast<std::int32_t>(max(m, n));
        mine.least_rows = min(mine.least_rows, rows);
        mine.most_rows = max(mine.most_rows, rows);
        mine.least_columns = min(mine.least_columns, columns);
        mine.most_columns = max(mine.most_columns, columns);
        mine.low += static_cast<unsigned long long>(m * n) & 0xffffffffu;
        mine.high += static_cast<unsigned long long>(m * n) >> 32;
    }
    if (mine.first_bad != ~0ull) atomicMin(&block.first_bad, mine.first_bad);
    mine.low = warp_sum(mine.low);
    mine.high = warp_sum(mine.high);
    const auto least = [](std::int32_t v) {
        return static_cast<int>(cuda::least_of_warp(static_cast<unsigned>(v)));
    };
    const auto largest = [](std::int32_t v) {
        return static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(v)));
    };
    mine.least_rows = least(mine.least_rows);
    mine.most_rows = largest(mine.most_rows);
    mine.least_columns = least(mine.least_columns);
    mine.most_columns = largest(mine.most_columns);
    if (threadIdx.x % warp_size == 0) {
        atomicAdd(&block.low, mine.low);
        atomicAdd(&block.high, mine.high);
        atomicMin(&block.least_rows, mine.least_rows);
        atomicMax(&block.most_rows, mine.most_rows);
        atomicMin(&block.least_columns, mine.least_columns);
        atomicMax(&block.most_columns, mine.most_columns);
    }
    __syncthreads();
}

__device__ void report(const pairs& all, const found_offsets& block, findings* found) {
    if (threadIdx.x != 0) return;
    found->letters[0] = all.a_offsets[all.sequences(false)] - all.a_offsets[0];  // each block the same
    found->letters[1] = all.b_offsets[all.sequences(true)] - all.b_offsets[0];
    if (block.first_bad != ~0ull) atomicMin(&found->first_bad, block.first_bad);
    if (block.low != 0) atomicAdd(&found->cells_low, block.low);
    if (block.high != 0) atomicAdd(&found->cells_high, block.high);
    atomicMin(&found->least_rows, block.least_rows);
    atomicMax(&found->most_rows, block.most_rows);
    atomicMin(&found->least_columns, block.least_columns);
    atomicMax(&found->most_columns, block.most_columns);
}

__global__ void check_offsets(pairs all, findings* found) {
    __shared__ found_offsets block;
    survey_offsets(all, thread_number(), thread_count(), block);
    report(all, block, found);
}

/// Whether the offsets are bad. Of few pairs each block reads all of them, and no launch comes before; the
/// first block reports them.
__device__ bool offsets_are_bad(const pairs& all, findings* found) {
    __shared__ found_offsets block;
    if (all.surveyed() > few_pairs) return found->first_bad != ~0ull;
    survey_offsets(all, threadIdx.x, threads, block);
    if (blockIdx.x == 0 && blockIdx.y == 0) report(all, block, found);
    return block.first_bad != ~0ull;
}

/// Marks the bytes that occur, sixteen at a time; of a sample, each thread once. blockIdx.y is the side.
__device__ void mark_bytes(const pairs& all, std::uint8_t* seen, bool sampled) {
    const index_t* offsets = blockIdx.y ? all.b_offsets : all.a_offsets;
    const auto* data = static_cast<const std::uint8_t*>(blockIdx.y ? all.b : all.a);
    const std::uint8_t* begin = data + offsets[0];
    const std::uint8_t* end = data + offsets[all.sequences(blockIdx.y != 0)];
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uint8_t* aligned = begin + (16 - address % 16) % 16;
    const index_t blocks = aligned < end ? (end - aligned) / 16 : 0;
    // Letters of one case share their upper three bits: such words mark bits of a register, others bytes of
    // shared memory, which takes five times as long.
    const index_t first = thread_number();
    word upper = 0, marks = 0;
    if (first < blocks) upper = (reinterpret_cast<const uint4*>(aligned)[first].x & 0xe0u) * 0x01010101u;
    const index_t apart = sampled ? max(blocks / thread_count(), index_t{1}) : 1;
    for (index_t i = first * apart; i < blocks; i += sampled ? blocks : thread_count()) {
        const uint4 v = reinterpret_cast<const uint4*>(aligned)[i];
        for (const word w : {v.x, v.y, v.z, v.w}) {
            if ((w & 0xe0e0e0e0u) == upper) {
                marks |= 1u << (w & 31) | 1u << (w >> 8 & 31) | 1u << (w >> 16 & 31) | 1u << (w >> 24 & 31);
                continue;
            }
#pragma unroll
            for (int s = 0; s < 32; s += 8) seen[w >> s & 255] = 1;  // all write the same
        }
    }
    for (; marks != 0; marks &= marks - 1)
        seen[(upper & 0xe0u) | static_cast<word>(__ffs(static_cast<int>(marks)) - 1)] = 1;
    if (blockIdx.x == 0) {  // the ragged ends, fewer than 16 bytes each
        const std::uint8_t* head = aligned < end ? aligned : end;
        const std::uint8_t* tail = aligned + 16 * blocks;
        if (begin + threadIdx.x < head) seen[begin[threadIdx.x]] = 1;
        if (blocks >= 0 && tail + threadIdx.x < end) seen[tail[threadIdx.x]] = 1;
    }
}

/// Whether this block is the last one of the launch to come here: it sees what the others wrote.
__device__ bool is_last_block(findings* found) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&found->blocks_done, 1u) == gridDim.x * gridDim.y - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
}

/// The planes of a set of bits, and the shape that holds them. One thread.
__device__ void take_bits(word varying, const shape_list& list, findings* found) {
    int planes = 0;
    for (; varying != 0; varying &= varying - 1)
        found->position[planes++] = static_cast<std::uint8_t>(__ffs(static_cast<int>(varying)) - 1);
    int shape = 0;
    while (list.of[shape].planes < planes) ++shape;
    // The planes that are left repeat the first one, which changes no comparison.
    for (int p = planes; p < list.of[shape].planes; ++p) found->position[p] = found->position[0];
    found->planes = planes;
    found->shape = shape;
}

/// The fewest bits that distinguish the bytes that occur: a thread tries the set of bits of its number.
__device__ void choose_bits(const shape_list& list, findings* found) {
    __shared__ std::uint8_t bytes[256];
    __shared__ word distinct, best;
    __shared__ word met[8][threads];
    static_assert(threads == 256, "one for each byte, and for each set of its bits");
    const word mine = threadIdx.x;
    if (mine == 0) {
        distinct = 0;
        best = ~0u;
    }
    __syncthreads();
    if (__ldcg(&found->seen[mine]) != 0) bytes[atomicAdd(&distinct, 1u)] = static_cast<std::uint8_t>(mine);
    __syncthreads();
    const word size = __popc(mine);
    bool good = distinct <= 1u << size;
    for (int i = 0; i < 8; ++i) met[i][mine] = 0;
    for (word i = 0; good && i < distinct; ++i) {
        const word code = bytes[i] & mine, bit = 1u << (code & 31);
        good = (met[code / 32][mine] & bit) == 0;
        met[code / 32][mine] |= bit;
    }
    if (good) atomicMin(&best, size << 8 | mine);
    __syncthreads();
    if (mine != 0) return;
    take_bits(best & 255, list, found);
    if (distinct == 0 || found->planes > 2) return;
    std::uint8_t of_code[4];
    for (std::uint8_t& byte : of_code) byte = bytes[0];
    for (word i = 0; i < distinct; ++i)
        of_code[(bytes[i] >> found->position[0] & 1) | (bytes[i] >> found->position[1] & 1) << 1] = bytes[i];
    found->filler = bytes[0];
    const word none = of_code[0], x = of_code[1], y = of_code[2], both = of_code[3];
    found->term[0] = none * 0x01010101u;
    found->term[1] = x - none;
    found->term[2] = y - none;
    found->term[3] = both + none - x - y;
}

__global__ void __launch_bounds__(threads)
    find_bytes(pairs all, shape_list list, findings* found, bool sampled) {
    __shared__ std::uint8_t seen[256];
    if (offsets_are_bad(all, found)) return;  // the same for all threads
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads) seen[i] = 0;
    __syncthreads();
    mark_bytes(all, seen, sampled);
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads)
        if (seen[i] != 0) found->seen[i] = 1;
    if (is_last_block(found)) choose_bits(list, found);
}

/// OR and AND of symbols of 2 or 4 bytes: the bits where they differ distinguish symbols.
template <class Symbol>
__global__ void __launch_bounds__(threads) find_bits(pairs all, shape_list list, findings* found) {
    if (offsets_are_bad(all, found)) return;
    const index_t* offsets = blockIdx.y ? all.b_offsets : all.a_offsets;
    const auto* data = static_cast<const Symbol*>(blockIdx.y ? all.b : all.a);
    word any = 0;
    word every = ~0u;
    const index_t end = offsets[all.sequences(blockIdx.y != 0)];
    for (index_t i = offsets[0] + thread_number(); i < end; i += thread_count()) {
        any |= data[i];
        every &= data[i];
    }
    any = cuda::union_of_warp(any);
    every = cuda::intersection_of_warp(every);
    if (threadIdx.x % warp_size == 0) {
        atomicOr(&found->any, any);
        atomicAnd(&found->all, every);
    }
    if (!is_last_block(found) || threadIdx.x != 0) return;
    take_bits(atomicOr(&found->any, 0u) & ~atomicOr(&found->all, 0u), list, found);
}

__global__ void classify_kernel(request r, shape_list list, spread_limits limits, findings* found,
                                std::uint32_t* keys, std::uint32_t* order) {
    __shared__ word sizes[256];
    if (found->first_bad != ~0ull) return;
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads) sizes[i] = 0;
    __syncthreads();
    const shape_policy shape = list.of[found->shape];
    for (index_t k = thread_number(); k < r.input.count; k += thread_count()) {
        const pair p = pair_at(r.input, k);
        order[k] = static_cast<std::uint32_t>(k);
        int class_ = no_class;
        if (p.rows == 0) {
            index_t distance = r.edit ? p.columns : 0;
            if (r.bound >= 0 && distance > r.bound) distance = r.bound + 1;
            store(r, k, static_cast<std::int32_t>(distance));
        } else {
            class_ = choose_class(p.rows, p.columns, shape, limits);
        }
        keys[k] = static_cast<std::uint32_t>(class_) << 16 | descending(static_cast<float>(p.columns));
        atomicAdd(&sizes[class_], 1u);
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads)
        if (sizes[i] != 0) atomicAdd(&found->class_size[i], sizes[i]);
}

/// One block.
__global__ void start(findings* found) {
    auto* const words = reinterpret_cast<word*>(found);
    for (unsigned i = threadIdx.x; i < sizeof(findings) / sizeof(word); i += threads) words[i] = 0;
    __syncthreads();
    if (threadIdx.x != 0) return;
    found->first_bad = ~0ull;
    found->all = ~0u;
    found->least_rows = found->least_columns = INT32_MAX;
}

unsigned blocks_for(const cuda::context& c, index_t count) {
    return static_cast<unsigned>(std::min<index_t>(8 * c.multiprocessors(), (count + threads - 1) / threads));
}

}  // namespace

bool may_sample(const pairs& all) {
    return all.bytes == 1 && all.queries == 0 && all.count > few_pairs;
}

void look(const cuda::context& c, const pairs& all, findings* found, bool sampled) {
    const auto stream = c.stream();
    start<<<1, threads, 0, stream>>>(found);
    cuda::check_launch();
    const index_t surveyed = all.surveyed();
    if (surveyed > few_pairs) {
        check_offsets<<<blocks_for(c, surveyed), threads, 0, stream>>>(all, found);
        cuda::check_launch();
    }
    const int blocks = sampled ? 8 : (surveyed > few_pairs ? 4 : 1) * c.multiprocessors();
    const dim3 both(static_cast<unsigned>(blocks), 2);
    const shape_list list = list_of_shapes();
    if (all.bytes == 1) find_bytes<<<both, threads, 0, stream>>>(all, list, found, sampled);
    if (all.bytes == 2) find_bits<std::uint16_t><<<both, threads, 0, stream>>>(all, list, found);
    if (all.bytes == 4) find_bits<std::uint32_t><<<both, threads, 0, stream>>>(all, list, found);
    cuda::check_launch();
}

void classify(const cuda::context& c, const request& r, const spread_limits& limits, findings* found,
              std::uint32_t* keys, std::uint32_t* order) {
    classify_kernel<<<blocks_for(c, r.input.count), threads, 0, c.stream()>>>(r, list_of_shapes(), limits,
                                                                              found, keys, order);
    cuda::check_launch();
}

}  // namespace wale::wavefront::batch
