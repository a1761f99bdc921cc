// encode - the plan of the warps' work, and the symbols as the words that the warps read: a block makes the
// words of eight threads of a pair kernel. Threads of a warp follow each other in memory; a thread makes
// whole words, from four bytes at a time where four lie together, and a tile of shared memory turns the words
// into the order in which eight of them are stored together.
#include <algorithm>
#include <cub/block/block_scan.cuh>

#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int threads = pass_threads;
constexpr unsigned everyone = 0xffffffffu;

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
        longest = __reduce_max_sync(everyone, longest);
        shortest = __reduce_min_sync(everyone, shortest);
        most_rows = __reduce_max_sync(everyone, most_rows);
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

constexpr int slots = 8;                // of a block: threads of the pair kernel
constexpr int units = threads / slots;  // chunks, or rows, that are on their way at once

/// What the block reads of a pair.
struct encoded_pair {
    const char* text;
    const char* pattern;
    std::int32_t columns, rows;
    bool inner;  // the words of four bytes in which the text begins and ends, and the next one, are of the
                 // batch
};

__device__ encoded_pair encoded(const pairs& all, std::uint32_t k) {
    const pair p = pair_at(all, k);
    const pair_numbers at = numbers_of(all, k);
    const bool from_a = p.text == static_cast<const char*>(all.a) + all.a_offsets[at.a] * all.bytes;
    const index_t* offsets = from_a ? all.a_offsets : all.b_offsets;
    const index_t i = from_a ? at.a : at.b;
    const bool inner = offsets[i] - offsets[0] >= 3 && offsets[all.sequences(!from_a)] - offsets[i + 1] >= 7;
    return {p.text, p.pattern, p.columns, p.rows, inner};
}

/// Planes and valid word of 32 symbols, as they are put together; and whether a sample showed all symbols.
template <class Symbol, int Planes>
struct record_of {
    word plane[Planes + 1] = {};
    word odd = 0;      // differences of the upper bits
    word known = ~0u;  // bit 0: all symbols are letters
    word letters, upper;

    __device__ void add(Symbol symbol, bool valid, const std::uint8_t* position) {
        const word s = symbol;
#pragma unroll
        for (int p = 0; p < Planes; ++p)
            plane[p] = __funnelshift_r(plane[p], valid ? s >> position[p] : 0, 1);
        plane[Planes] = __funnelshift_r(plane[Planes], valid ? 1u : 0u, 1);
        if (sizeof(Symbol) > 1 || !valid) return;
        odd |= s ^ upper;
        known &= __funnelshift_r(letters, 0, s);
    }
    /// Four bytes, of which the first `valid` count, and which all are bytes of the batch or a letter. The
    /// product moves the lowest bits of the bytes to bits 28 to 31.
    __device__ void add_four(word bytes, int valid, const std::uint8_t* position) {
#pragma unroll
        for (int p = 0; p < Planes; ++p)
            plane[p] = plane[p] >> 4 | ((bytes >> position[p] & 0x01010101u) * 0x10204080u & 0xf0000000u);
        plane[Planes] = plane[Planes] >> 4 | ((1u << valid) - 1) << 28;
        odd |= bytes ^ upper * 0x01010101u;
#pragma unroll
        for (int s = 0; s < 32; s += 8) known &= __funnelshift_r(letters, 0, bytes >> s);
    }
    __device__ void finish() {
#pragma unroll
        for (int p = 0; p < Planes; ++p) plane[p] &= plane[Planes];
    }
    [[nodiscard]] __device__ bool missed() const {
        return (odd & 0xe0e0e0e0u) != 0 || (known & 1) == 0;
    }
};

/// The columns of a chunk of the pairs that share a word, all of them `inner`. bits: log2 of a pair's
/// columns, 2 to 5. A word that begins anywhere is made of two words of the device's memory.
template <int Planes>
__device__ void add_words_of_text(record_of<std::uint8_t, Planes>& to, const encoded_pair* pairs,
                                  index_t chunk, int bits, const std::uint8_t* position, word letter) {
    constexpr int words = warp_size / 4;
    const int inside = (1 << bits) - 1;
    word bytes[words];
    int valid[words];
    word next = 0;
#pragma unroll
    for (int g = 0; g < words; ++g) {
        const encoded_pair& p = pairs[4 * g >> bits];
        const index_t column = (chunk << bits) + (4 * g & inside);
        valid[g] = static_cast<int>(min(max(p.columns - column, index_t{0}), index_t{4}));
        const char* at = p.text + column;
        const auto misplaced = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) & 3);
        const auto* from = reinterpret_cast<const word*>(at - misplaced);
        const bool first = (4 * g & inside) == 0;
        const word low = !first ? next : valid[g] > 0 ? from[0] : 0;
        next = valid[g] > 0 ? from[1] : 0;
        bytes[g] = valid[g] > 0 ? __funnelshift_r(low, next, 8 * misplaced) : letter * 0x01010101u;
    }
#pragma unroll
    for (int g = 0; g < words; ++g) to.add_four(bytes[g], valid[g], position);
}

__device__ bool all_inner(const encoded_pair* pairs, int fields) {
    bool all = true;
    for (int q = 0; q < fields; ++q) all = all && pairs[q].inner;
    return all;
}

/// Any symbols, one by one: symbol first + i * step of the text or of the pattern is bit i of a pair.
template <bool Text, class Symbol, int Planes>
__device__ void add_symbols(record_of<Symbol, Planes>& to, const encoded_pair* pairs, word first, word step,
                            int bits, const std::uint8_t* position) {
#pragma unroll 8
    for (int b = 0; b < 32; ++b) {
        const encoded_pair& p = pairs[b >> bits];
        const word i = first + static_cast<word>(b & ((1 << bits) - 1)) * step;
        const bool valid = i < static_cast<word>(Text ? p.columns : p.rows);
        const auto* from = reinterpret_cast<const Symbol*>(Text ? p.text : p.pattern);
        to.add(valid ? from[i] : Symbol(0), valid, position);
    }
}

/// Encodes `count` records for each of 2^log2_width columns of words: make(column, record, &words). The words
/// of a record are `columns` apart from to[record * (Planes + 1) * columns + column]. All threads take part.
template <int Planes, class Record, class Make>
__device__ bool encode_records(word* to, index_t count, int log2_width, int columns, word* tile,
                               const Record& fresh, const Make& make) {
    constexpr int size = Planes + 1;
    const int at_once = threads >> log2_width;
    const int width = 1 << log2_width, pitch = width == slots ? slots + 1 : width;  // the tile holds no more
    const int column = static_cast<int>(threadIdx.x) / at_once,
              mine = static_cast<int>(threadIdx.x) % at_once;
    bool missed = false;
    for (index_t first = 0; first < count; first += at_once) {
        if (first + mine < count) {
            Record record = fresh;
            make(column, first + mine, record);
            record.finish();
            missed = missed || record.missed();
#pragma unroll
            for (int p = 0; p < size; ++p) tile[(mine * size + p) * pitch + column] = record.plane[p];
        }
        __syncthreads();
        const int words = static_cast<int>(min(count - first, index_t{at_once})) * size << log2_width;
        for (int i = static_cast<int>(threadIdx.x); i < words; i += threads) {
            const int row = i >> log2_width, c = i & (width - 1);
            to[(first * size + row) * columns + c] = tile[row * pitch + c];
        }
        __syncthreads();
    }
    return missed;
}

template <class Symbol, int Planes>
__global__ void __launch_bounds__(threads, Planes <= 8 ? 4 : 1) encode_kernel(encoding e) {
    using record = record_of<Symbol, Planes>;
    __shared__ encoded_pair pairs[threads];
    __shared__ word tile[units * (Planes + 1) * (slots + 1)];
    __shared__ std::uint8_t position[32];
    if (threadIdx.x < 32) position[threadIdx.x] = e.found->position[threadIdx.x];
    const word letters = e.found->letters, upper = e.found->upper;
    const word letter = letters == 0 ? 0 : upper | static_cast<word>(__ffs(static_cast<int>(letters)) - 1);
    record fresh;
    fresh.letters = letters;
    fresh.upper = upper;
    bool missed = false;
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
            const auto make = [&](int column, index_t chunk, record& to) {
                const encoded_pair* of = pairs + column * fields;
                if constexpr (sizeof(Symbol) == 1)
                    if (bits >= 2 && all_inner(of, fields))
                        return add_words_of_text(to, of, chunk, bits, position, letter);
                add_symbols<true>(to, of, static_cast<word>(chunk << bits), 1, bits, position);
            };
            missed |= encode_records<Planes>(text + first, t.chunks, min(3, 5 - groups), columns, tile, fresh,
                                             make);
        }
        if (groups > 0) find_pairs(groups);
        const word strip_rows = static_cast<word>(t.rows) << t.log2_lanes;
        const auto make = [&](int slot, index_t row, record& to) {
            const word part = static_cast<word>(first + slot) & ((1u << groups) - 1);
            const auto at = static_cast<word>(row), rows = static_cast<word>(t.rows);
            const word first_row = at / rows * strip_rows + part * 32 * rows + at % rows;
            add_symbols<false>(to, pairs + slot * fields, first_row, rows, bits, position);
        };
        word* patterns = text + index_t{t.chunks} * (Planes + 1) * columns;
        missed |= encode_records<Planes>(patterns + first, index_t{t.strips} * t.rows, 3, warp_size, tile,
                                         fresh, make);
    }
    if (sizeof(Symbol) == 1 && missed && e.found->sampled != 0) e.found->missed = 1;
}

unsigned blocks_for(const cuda::context& c, index_t warps) {
    const index_t wanted = (warps * warp_size + threads - 1) / threads;
    return static_cast<unsigned>(std::clamp<index_t>(wanted, 1, index_t{64} * c.multiprocessors()));
}

template <class Symbol, int Shape = 0>
void encode_symbols(const cuda::context& c, const encoding& e) {
    constexpr int planes = shapes[Shape].policy.planes;
    if constexpr (planes < 8 * sizeof(Symbol))
        if (e.shape != Shape) return encode_symbols<Symbol, Shape + 1>(c, e);
    const index_t wanted = e.tasks.count * (warp_size / slots);
    const auto blocks = static_cast<unsigned>(std::min(wanted, index_t{64} * c.multiprocessors()));
    encode_kernel<Symbol, planes><<<blocks, threads, 0, c.stream()>>>(e);
    cuda::check_launch();
}

}  // namespace

void plan_warps(const cuda::context& c, const encoding& e, const class_table& table, const warp_plan& to) {
    plan<<<blocks_for(c, e.tasks.count), threads, 0, c.stream()>>>(e, table, list_of_shapes(), to);
    cuda::check_launch();
    arrange<<<1, arranging, 0, c.stream()>>>(e.tasks.count, to);
    cuda::check_launch();
}

void encode(const cuda::context& c, const encoding& e) {
    if (e.input.bytes == 1) encode_symbols<std::uint8_t>(c, e);
    if (e.input.bytes == 2) encode_symbols<std::uint16_t>(c, e);
    if (e.input.bytes == 4) encode_symbols<std::uint32_t>(c, e);
}

}  // namespace wale::wavefront::batch
