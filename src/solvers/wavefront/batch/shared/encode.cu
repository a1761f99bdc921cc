// encode - the plan of the warps' work, and the symbols as the words that the warps read: a block makes the
// words of eight threads of a pair kernel. Threads of a warp follow each other in memory; a thread makes
// whole words, from four bytes at a time where four lie together, and a tile of shared memory turns the words
// into the order in which eight of them are stored together.
#include <algorithm>
#include <cub/block/block_scan.cuh>

#include "cuda/warp.cuh"
#include "solvers/wavefront/batch/shared/records.cuh"

namespace wale::wavefront::batch {
namespace {

__device__ index_t warp_number() {
    return (index_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_size;
}
__device__ index_t warp_total() {
    return index_t{gridDim.x} * blockDim.x / warp_size;
}

__device__ int find_class(const class_table& table, std::uint32_t warp) {
    int low = 0;  // the last class whose first warp is not beyond `warp`
    int high = class_count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (table.first_warp[middle] <= warp)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ void plan(encoding e, class_table table, shape_list list, warp_plan to) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (index_t w = warp_number(); w < e.tasks.count; w += warp_total()) {
        const auto number = static_cast<std::uint32_t>(w);
        const int class_ = find_class(table, number);
        const int log2_lanes = log2_lanes_of(class_);
        const int capacity = warp_lanes >> log2_lanes;  // pairs
        const std::uint32_t first = table.first_pair[class_] + (number - table.first_warp[class_]) *
                                                                   static_cast<std::uint32_t>(capacity);
        const std::uint32_t count =
            min(static_cast<std::uint32_t>(capacity), table.first_pair[class_ + 1] - first);
        std::int32_t longest = 0;
        std::int32_t shortest = INT32_MAX;
        std::int32_t most_rows = 0;
        for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < count; i += warp_size) {
            const pair p = pair_at(e.input, e.tasks.order[first + i]);
            longest = max(longest, p.columns);
            shortest = min(shortest, p.columns);
            most_rows = max(most_rows, p.rows);
        }
        longest = static_cast<std::int32_t>(cuda::largest_of_warp(static_cast<unsigned>(longest)));
        shortest = static_cast<std::int32_t>(cuda::least_of_warp(static_cast<unsigned>(shortest)));
        most_rows = static_cast<std::int32_t>(cuda::largest_of_warp(static_cast<unsigned>(most_rows)));
        if (lane != 0) continue;
        warp_task t = task_of(class_, list.of[e.shape], count, longest, shortest, most_rows);
        t.first_pair = first;
        to.tasks[w] = t;
        to.keys[w] =
            descending(static_cast<float>(t.chunks + 1) * static_cast<float>(t.rows << min(log2_lanes, 5)) *
                       static_cast<float>(t.strips));
        to.words_of[w] = words_of(t, list.of[e.shape].planes);
    }
}

constexpr int arranging = 1024;  // threads, and bins of keys: 6% of a task's work each

/// One block: where each task's words begin, and the tasks by falling work, in any order within a bin.
__global__ void __launch_bounds__(arranging) arrange(index_t count, warp_plan plan) {
    using scan = cub::BlockScan<index_t, arranging>;
    using scan_of_bins = cub::BlockScan<std::uint32_t, arranging>;
    __shared__ union {
        typename scan::TempStorage words;
        typename scan_of_bins::TempStorage bins;
    } storage;
    __shared__ std::uint32_t bins[arranging];
    const auto bin_of = [&](index_t w) { return bins + (plan.keys[w] >> 6); };
    bins[threadIdx.x] = 0;
    __syncthreads();
    index_t begun = 0;
    for (index_t first = 0; first < count; first += arranging) {
        const index_t w = first + threadIdx.x;
        index_t before = 0, all = 0;
        scan(storage.words).ExclusiveSum(w < count ? plan.words_of[w] : index_t{0}, before, all);
        if (w < count) {
            plan.tasks[w].offset = begun + before;
            atomicAdd(bin_of(w), 1u);
        }
        begun += all;
        __syncthreads();
    }
    std::uint32_t place = 0;
    scan_of_bins(storage.bins).ExclusiveSum(bins[threadIdx.x], place);
    __syncthreads();
    bins[threadIdx.x] = place;
    __syncthreads();
    for (index_t w = threadIdx.x; w < count; w += arranging)
        plan.order[atomicAdd(bin_of(w), 1u)] = static_cast<std::uint32_t>(w);
    if (threadIdx.x == 0) *plan.total = begun;
}

/// What the block reads of a pair.
struct alignas(16) encoded_pair {
    const char* text;
    std::int32_t columns;
    bool inner;  // the words of four bytes in which the text begins and ends, and the next one, are of the
                 // batch
    const char* pattern;
    std::int32_t rows;
};

__device__ encoded_pair encoded(const pairs& all, std::uint32_t k) {
    const pair p = pair_at(all, k);
    const pair_numbers at = numbers_of(all, k);
    const bool from_a = p.text == static_cast<const char*>(all.a) + all.a_offsets[at.a] * all.bytes;
    const index_t* offsets = from_a ? all.a_offsets : all.b_offsets;
    const index_t i = from_a ? at.a : at.b;
    const bool inner = offsets[i] - offsets[0] >= 3 && offsets[all.sequences(!from_a)] - offsets[i + 1] >= 7;
    return {p.text, p.columns, inner, p.pattern, p.rows};
}

/// The columns of a chunk of the pairs that share a word, all of them `inner`: 2^Bits columns of each. A word
/// that begins anywhere is made of two words of the device's memory.
template <int Bits, int Planes>
__device__ void add_words_of_text(record_of<Planes>& to, const encoded_pair* pairs, int chunk,
                                  const std::uint8_t* position) {
    constexpr int of_pair = (1 << Bits) / 4, fields = warp_size >> Bits;
    word bytes[fields][of_pair];
#pragma unroll
    for (int q = 0; q < fields; ++q) {
        const int left = pairs[q].columns - (chunk << Bits);
        const char* at = pairs[q].text + (chunk << Bits);
        const auto misplaced = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) & 3);
        const auto* from = reinterpret_cast<const word*>(at - misplaced);
        word next = left > 0 ? from[0] : 0;
#pragma unroll
        for (int u = 0; u < of_pair; ++u) {
            const word low = next;
            next = left > 4 * u ? from[u + 1] : 0;
            bytes[q][u] = __funnelshift_r(low, next, 8 * misplaced);
        }
    }
#pragma unroll
    for (int q = 0; q < fields; ++q)
#pragma unroll
        for (int u = 0; u < of_pair; ++u)
            to.add_four(bytes[q][u], min(max(pairs[q].columns - (chunk << Bits) - 4 * u, 0), 4), position);
}

/// False where a pair is not `inner`, or has fewer columns in a word than four.
template <int Planes>
__device__ bool add_words(record_of<Planes>& to, const encoded_pair* pairs, index_t chunk, int bits,
                          const std::uint8_t* position) {
    bool inner = bits >= 2;
    for (int q = 0; inner && q < warp_size >> bits; ++q) inner = pairs[q].inner;
    if (!inner) return false;
    const auto c = static_cast<int>(chunk);
    if (bits == 2) add_words_of_text<2>(to, pairs, c, position);
    if (bits == 3) add_words_of_text<3>(to, pairs, c, position);
    if (bits == 4) add_words_of_text<4>(to, pairs, c, position);
    if (bits == 5) add_words_of_text<5>(to, pairs, c, position);
    return true;
}

/// Any symbols: symbol first + i * step of the text or of the pattern is bit i of a pair.
template <bool Text, class Symbol, int Planes>
__device__ void add_symbols(record_of<Planes>& to, const encoded_pair* pairs, word first, word step, int bits,
                            const std::uint8_t* position) {
    for (int q = 0; q < warp_size >> bits; ++q) {
        const auto size = static_cast<word>(Text ? pairs[q].columns : pairs[q].rows);
        const auto* from = reinterpret_cast<const Symbol*>(Text ? pairs[q].text : pairs[q].pattern);
        word i = first;
        if (sizeof(Symbol) == 1 && bits >= 2) {
#pragma unroll 2
            for (int b = 0; b < 1 << bits; b += 4) {
                word bytes = 0;
                int valid = 0;
#pragma unroll
                for (int s = 0; s < 4; ++s, i += step) {
                    valid += i < size ? 1 : 0;
                    bytes |= (i < size ? static_cast<word>(from[i]) : 0) << 8 * s;
                }
                to.add_four(bytes, valid, position);
            }
        } else {
            for (int b = 0; b < 1 << bits; ++b, i += step)
                to.add(i < size ? static_cast<word>(from[i]) : 0, i < size, position);
        }
    }
}

template <class Symbol, int Planes>
__global__ void __launch_bounds__(pass_threads, Planes <= 8 ? 4 : 1) encode_kernel(encoding e) {
    using record = record_of<Planes>;
    __shared__ encoded_pair pairs[pass_threads];
    __shared__ word tile[units * (Planes + 1) * (slots + 1)];
    __shared__ std::uint8_t position[32];
    if (threadIdx.x < 32) position[threadIdx.x] = e.found->position[threadIdx.x];
    constexpr int parts = warp_size / slots;
    for (index_t job = blockIdx.x; job < e.tasks.count * parts; job += gridDim.x) {
        const warp_task t = e.tasks.at(job / parts);
        const int first = static_cast<int>(job % parts) * slots;
        const int bits = min(t.log2_lanes, 5), groups = t.log2_lanes - bits;
        const int columns = warp_size >> groups, fields = warp_size >> bits;
        // The pairs of eight columns of words, or of eight threads, of which 2^shift are at one pair.
        const auto find_pairs = [&](int shift) {
            __syncthreads();
            const int i = static_cast<int>(threadIdx.x);
            if (i < slots * fields) {
                const auto k =
                    static_cast<std::uint32_t>(((first + i / fields) >> shift) * fields + i % fields);
                pairs[i] = k < t.pair_count ? encoded(e.input, e.tasks.pair_number(t.first_pair + k))
                                            : encoded_pair{};
            }
            __syncthreads();
        };
        word* text = e.words + t.offset;
        if (first < columns) {
            find_pairs(0);
            encode_records<Planes>(text + first, t.chunks, min(3, 5 - groups), columns, tile,
                                   [&](int column, index_t chunk, record& to) {
                                       const encoded_pair* of = pairs + column * fields;
                                       if constexpr (sizeof(Symbol) == 1)
                                           if (add_words(to, of, chunk, bits, position)) return;
                                       add_symbols<true, Symbol>(to, of, static_cast<word>(chunk << bits), 1,
                                                                 bits, position);
                                   });
        }
        if (groups > 0) find_pairs(groups);
        const word strip_rows = static_cast<word>(t.rows) << t.log2_lanes;
        const auto make = [&](int slot, index_t row, record& to) {
            const word part = static_cast<word>(first + slot) & ((1u << groups) - 1);
            const auto at = static_cast<word>(row), rows = static_cast<word>(t.rows);
            const word first_row = at / rows * strip_rows + part * 32 * rows + at % rows;
            add_symbols<false, Symbol>(to, pairs + slot * fields, first_row, rows, bits, position);
        };
        encode_records<Planes>(text + index_t{t.chunks} * (Planes + 1) * columns + first,
                               index_t{t.strips} * t.rows, 3, warp_size, tile, make);
    }
}

unsigned blocks_for(const cuda::context& c, index_t warps) {
    const index_t wanted = (warps * warp_size + pass_threads - 1) / pass_threads;
    return static_cast<unsigned>(std::clamp<index_t>(wanted, 1, index_t{64} * c.multiprocessors()));
}

template <class Symbol, int Shape = 0>
void encode_symbols(const cuda::context& c, const encoding& e) {
    constexpr int planes = shapes[Shape].policy.planes;
    if constexpr (planes < 8 * sizeof(Symbol))
        if (e.shape != Shape) return encode_symbols<Symbol, Shape + 1>(c, e);
    const index_t wanted = e.tasks.count * (warp_size / slots);
    const auto blocks = static_cast<unsigned>(std::min(wanted, index_t{64} * c.multiprocessors()));
    encode_kernel<Symbol, planes><<<blocks, pass_threads, 0, c.stream()>>>(e);
    cuda::check_launch();
}

}  // namespace

void plan_warps(const cuda::context& c, const encoding& e, const class_table& table, const warp_plan& to) {
    plan<<<blocks_for(c, e.tasks.count), pass_threads, 0, c.stream()>>>(e, table, list_of_shapes(), to);
    cuda::check_launch();
    arrange<<<1, arranging, 0, c.stream()>>>(e.tasks.count, to);
    cuda::check_launch();
}

void encode(const cuda::context& c, const encoding& e) {
    if (e.tasks.cross.texts != nullptr) return encode_crossed(c, e);
    if (has_room(e.input, e.tasks)) return encode_in_room(c, e);
    if (e.input.bytes == 1) encode_symbols<std::uint8_t>(c, e);
    if (e.input.bytes == 2) encode_symbols<std::uint16_t>(c, e);
    if (e.input.bytes == 4) encode_symbols<std::uint32_t>(c, e);
}

}  // namespace wale::wavefront::batch
