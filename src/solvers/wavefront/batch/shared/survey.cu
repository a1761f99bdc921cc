// survey - the passes themselves. None waits on another block; what one finds the next launch reads.
#include <algorithm>

#include "cuda/warp.cuh"
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int threads = pass_threads;
constexpr unsigned everyone = 0xffffffffu;

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

/// The length of sequence k, or -1 where its offsets are bad.
__device__ index_t checked_length(const index_t* offsets, index_t k) {
    const index_t begin = offsets[k];
    const index_t end = offsets[k + 1];
    return begin < 0 || end < begin || end - begin > INT32_MAX ? -1 : end - begin;
}

__global__ void check_offsets(pairs all, findings* found) {
    unsigned long long low = 0;
    unsigned long long high = 0;
    for (index_t k = thread_number(); k < all.count; k += thread_count()) {
        const index_t m = checked_length(all.a_offsets, k);
        const index_t n = checked_length(all.b_offsets, k);
        if (m < 0 || n < 0) {
            atomicMin(&found->first_bad, static_cast<unsigned long long>(2 * k + (m < 0 ? 0 : 1)));
            continue;
        }
        low += static_cast<unsigned long long>(m * n) & 0xffffffffu;
        high += static_cast<unsigned long long>(m * n) >> 32;
    }
    low = warp_sum(low);
    high = warp_sum(high);
    if (threadIdx.x % warp_size == 0) {
        if (low != 0) atomicAdd(&found->cells_low, low);
        if (high != 0) atomicAdd(&found->cells_high, high);
    }
}

/// Marks the bytes that occur, sixteen at a time. blockIdx.y is the side.
__global__ void find_bytes(pairs all, findings* found) {
    __shared__ std::uint8_t seen[256];
    if (found->first_bad != ~0ull) return;  // the same for all threads
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads) seen[i] = 0;
    __syncthreads();
    const index_t* offsets = blockIdx.y ? all.b_offsets : all.a_offsets;
    const auto* data = static_cast<const std::uint8_t*>(blockIdx.y ? all.b : all.a);
    const std::uint8_t* begin = data + offsets[0];
    const std::uint8_t* end = data + offsets[all.count];
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uint8_t* aligned = begin + (16 - address % 16) % 16;
    const index_t blocks = aligned < end ? (end - aligned) / 16 : 0;
    // Letters of one case share their upper three bits: such words mark bits of a register, others bytes of
    // shared memory, which takes five times as long.
    word upper = 0, marks = 0;
    if (thread_number() < blocks)
        upper = (reinterpret_cast<const uint4*>(aligned)[thread_number()].x & 0xe0u) * 0x01010101u;
    for (index_t i = thread_number(); i < blocks; i += thread_count()) {
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
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads)
        if (seen[i] != 0) found->seen[i] = 1;
}

/// OR and AND of symbols of 2 or 4 bytes: the bits where they differ distinguish symbols.
template <class Symbol>
__global__ void find_bits(pairs all, findings* found) {
    if (found->first_bad != ~0ull) return;
    const index_t* offsets = blockIdx.y ? all.b_offsets : all.a_offsets;
    const auto* data = static_cast<const Symbol*>(blockIdx.y ? all.b : all.a);
    word any = 0;
    word every = ~0u;
    const index_t end = offsets[all.count];
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
}

/// One block: the code of each byte is its rank among those that occur; then the shape that holds the planes.
__global__ void choose_codes(int bytes, shape_list list, findings* found) {
    const int i = static_cast<int>(threadIdx.x);
    int rank = 0;
    for (int c = 0; c < i; ++c) rank += found->seen[c];
    found->code[i] = static_cast<std::uint8_t>(rank);
    if (i < 255) return;
    const int distinct = rank + found->seen[255];
    const word varying =
        bytes == 1 ? (distinct < 2 ? 0 : ~0u >> __clz(distinct - 1)) : found->any & ~found->all;
    int planes = 0;
    for (int p = 0; p < 32; ++p)
        if (varying >> p & 1) found->position[planes++] = static_cast<std::uint8_t>(p);
    int shape = 0;
    while (list.of[shape].planes < planes) ++shape;
    found->planes = planes;
    found->shape = shape;
}

/// The fewest lanes whose rows hold the pattern, more where few pairs must fill the device or where a long
/// text would make the padding of its warp's other pairs too large.
__device__ int choose_lanes(index_t m, index_t n, const shape_policy& shape, int most_rows,
                            const spread_limits& limits) {
    const auto fits = [&](int l) {
        return (m + (1 << l) - 1) >> l <= (l > 5 ? shape.most_grouped : most_rows);
    };
    int lanes = limits.exactly ? limits.least_log2_lanes : 0;
    while (lanes < most_log2_lanes && !fits(lanes)) ++lanes;
    while (lanes < limits.least_log2_lanes && m >> (lanes + 1) >= limits.least_rows) ++lanes;
    while (lanes < most_log2_lanes && n << (most_log2_lanes - lanes) > index_t{1} << limits.padded_log2)
        ++lanes;
    return lanes;
}

/// The number of the least rows that hold `wanted`, or of the most that there are.
__device__ int choose_rows(index_t wanted, const shape_policy& shape, bool grouped) {
    int i = 0;
    const auto next = [&] { return i + 1 < most_shapes ? shape.rows[i + 1] : 0; };
    while (shape.rows[i] < wanted && next() != 0 && !(grouped && next() > shape.most_grouped)) ++i;
    return i;
}

__global__ void classify(request r, shape_list list, spread_limits limits, findings* found,
                         std::uint32_t* keys, std::uint32_t* order) {
    __shared__ word sizes[256];
    if (found->first_bad != ~0ull) return;
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += threads) sizes[i] = 0;
    __syncthreads();
    const shape_policy shape = list.of[found->shape];
    const int most_rows = shape.rows[choose_rows(INT32_MAX, shape, false)];
    for (index_t k = thread_number(); k < r.input.count; k += thread_count()) {
        const pair p = pair_at(r.input, k);
        order[k] = static_cast<std::uint32_t>(k);
        int class_ = no_class;
        if (p.rows == 0) {
            index_t distance = r.edit ? p.columns : 0;
            if (r.bound >= 0 && distance > r.bound) distance = r.bound + 1;
            r.answers[k] = static_cast<std::int32_t>(distance);
        } else {
            const int lanes = choose_lanes(p.rows, p.columns, shape, most_rows, limits);
            const index_t wanted = (index_t{p.rows} + (1 << lanes) - 1) >> lanes;
            class_ = class_of(choose_rows(wanted, shape, lanes > 5), lanes);
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
}

unsigned blocks_for(const cuda::context& c, index_t count) {
    return static_cast<unsigned>(std::min<index_t>(8 * c.multiprocessors(), (count + threads - 1) / threads));
}

}  // namespace

void look(const cuda::context& c, const pairs& all, findings* found) {
    const auto stream = c.stream();
    start<<<1, threads, 0, stream>>>(found);
    cuda::check_launch();
    check_offsets<<<blocks_for(c, all.count), threads, 0, stream>>>(all, found);
    cuda::check_launch();
    const dim3 both(static_cast<unsigned>(4 * c.multiprocessors()), 2);
    if (all.bytes == 1) find_bytes<<<both, threads, 0, stream>>>(all, found);
    if (all.bytes == 2) find_bits<std::uint16_t><<<both, threads, 0, stream>>>(all, found);
    if (all.bytes == 4) find_bits<std::uint32_t><<<both, threads, 0, stream>>>(all, found);
    cuda::check_launch();
    choose_codes<<<1, 256, 0, stream>>>(all.bytes, list_of_shapes(), found);
    cuda::check_launch();
}

void survey(const cuda::context& c, const request& r, const spread_limits& limits, findings* found,
            std::uint32_t* keys, std::uint32_t* order) {
    look(c, r.input, found);
    classify<<<blocks_for(c, r.input.count), threads, 0, c.stream()>>>(r, list_of_shapes(), limits, found,
                                                                       keys, order);
    cuda::check_launch();
}

}  // namespace wale::wavefront::batch
