// encode - one warp encodes what one thread of the pair kernels will read: 32 symbols at a time, a ballot a
// plane.
#include <algorithm>
#include <cub/block/block_scan.cuh>

#include "cuda/warp.cuh"
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
    for (index_t w = warp_number(); w < e.task_count; w += warp_total()) {
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
            const pair p = pair_at(e.input, e.order[first + i]);
            longest = max(longest, p.columns);
            shortest = min(shortest, p.columns);
            most_rows = max(most_rows, p.rows);
        }
        longest = static_cast<std::int32_t>(cuda::largest_of_warp(static_cast<unsigned>(longest)));
        shortest = static_cast<std::int32_t>(cuda::least_of_warp(static_cast<unsigned>(shortest)));
        most_rows = static_cast<std::int32_t>(cuda::largest_of_warp(static_cast<unsigned>(most_rows)));
        if (lane != 0) continue;
        const int bits = log2_lanes < 5 ? log2_lanes : 5;
        warp_task t{};
        t.first_pair = first;
        t.pair_count = count;
        t.log2_lanes = log2_lanes;
        t.rows_index = rows_index_of(class_);
        t.rows = list.of[e.shape].rows[t.rows_index];
        t.chunks = static_cast<std::int32_t>((index_t{longest} + (1 << bits) - 1) >> bits);
        t.shortest = count == static_cast<std::uint32_t>(capacity) ? shortest : 0;
        const index_t strip = index_t{t.rows} << log2_lanes;
        t.strips = static_cast<std::int32_t>((most_rows + strip - 1) / strip);
        to.tasks[w] = t;
        to.keys[w] = descending(static_cast<float>(t.chunks + 1) * static_cast<float>(t.rows << bits) *
                                static_cast<float>(t.strips));
        const int columns = capacity < warp_size ? capacity : warp_size;
        to.words_of[w] = index_t{t.chunks} * (list.of[e.shape].planes + 1) * columns +
                         index_t{t.strips} * t.rows * (list.of[e.shape].planes + 1) * warp_size +
                         (t.strips > 1 ? index_t{2} * t.chunks : 0);
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

/// A symbol as a code whose bit position[p] is in plane p. Planes beyond those that distinguish symbols
/// repeat plane 0, which changes no comparison.
struct encoded_symbol {
    word code = 0;
    bool valid = false;
};

template <class Symbol>
__device__ encoded_symbol symbol_at(const char* sequence, index_t i, index_t size, const std::uint8_t* code) {
    if (i >= size) return {};
    const Symbol s = reinterpret_cast<const Symbol*>(sequence)[i];
    if constexpr (sizeof(Symbol) == 1) return {code[s], true};
    return {s, true};
}

/// What a thread of the pair kernels is to a task: thread `slot`, lanes of one pair or of several.
struct place_in_warp {
    int bits;    // log2 of a pair's bits in a word
    int groups;  // log2 of a pair's threads
    int column;  // of the text words
    int columns;
    int part;            // which of the pair's threads
    std::uint32_t pair;  // of this lane, within the task
};

__device__ place_in_warp find_place(const warp_task& t, int slot, int lane) {
    place_in_warp p;
    p.bits = min(t.log2_lanes, 5);
    p.groups = t.log2_lanes - p.bits;
    p.column = slot >> p.groups;
    p.columns = warp_size >> p.groups;
    p.part = slot - (p.column << p.groups);
    const int field = lane >> p.bits;
    p.pair = static_cast<std::uint32_t>((p.column << (5 - p.bits)) + field);
    return p;
}

/// Encodes `items` records of planes and valid word, `first` and every `step`-th: symbol_of(item) is this
/// lane's symbol, and the words of a record lie `stride` apart from to[item * record * stride]. Several
/// records are on their way at once; a store writes as many of them as the warp has lanes.
template <int Planes, class SymbolOf>
__device__ void encode_records(word* to, int stride, int first, int items, int step,
                               const std::uint8_t* position, const SymbolOf& symbol_of) {
    constexpr int record = Planes + 1;
    constexpr int at_once = record > 16 ? 1 : record > 8 ? 2 : 4;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (int item = first; item < items; item += at_once * step) {
        encoded_symbol symbols[at_once];
#pragma unroll
        for (int u = 0; u < at_once; ++u)
            if (item + index_t{u} * step < items) symbols[u] = symbol_of(item + u * step);
        word mine = 0;
        word last = 0;
#pragma unroll
        for (int u = 0; u < at_once; ++u) {
#pragma unroll
            for (int p = 0; p < Planes; ++p) {
                const word plane =
                    __ballot_sync(everyone, symbols[u].valid && (symbols[u].code >> position[p] & 1));
                if (lane == u * record + p) mine = plane;
            }
            const word valid = __ballot_sync(everyone, symbols[u].valid);
            if (lane == u * record + Planes) mine = valid;
            last = valid;
        }
        const int u = lane / record;
        if (u < at_once && item + index_t{u} * step < items)
            to[((index_t{item} + index_t{u} * step) * record + lane % record) * stride] = mine;
        if (record > warp_size && lane == 0) to[(index_t{item} * record + Planes) * stride] = last;
    }
}

template <class Symbol, int Planes>
__global__ void __launch_bounds__(threads) encode_kernel(encoding e) {
    __shared__ std::uint8_t code[256];
    __shared__ std::uint8_t position[32];
    code[threadIdx.x] = e.found->code[threadIdx.x];
    if (threadIdx.x < 32) position[threadIdx.x] = e.found->position[threadIdx.x];
    __syncthreads();
    constexpr int record = Planes + 1;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (index_t job = warp_number(); job < e.task_count * warp_size; job += warp_total()) {
        const warp_task t = e.tasks[job / warp_size];
        const int slot = static_cast<int>(job % warp_size);
        const place_in_warp at = find_place(t, slot, lane);
        pair p{nullptr, nullptr, 0, 0};
        if (at.pair < t.pair_count) p = pair_at(e.input, e.order[t.first_pair + at.pair]);
        const int bit = lane & ((1 << at.bits) - 1);
        word* text = e.words + t.offset;
        encode_records<Planes>(text + at.column, at.columns, at.part, t.chunks, 1 << at.groups, position,
                               [&](int chunk) {
                                   const index_t column = (index_t{chunk} << at.bits) + bit;
                                   return symbol_at<Symbol>(p.text, column, p.columns, code);
                               });
        word* pattern = text + index_t{t.chunks} * record * at.columns + slot;
        const index_t strip_rows = index_t{t.rows} << t.log2_lanes;
        for (int strip = 0; strip < t.strips; ++strip) {
            const index_t first_row = strip * strip_rows + index_t{at.part * 32 + bit} * t.rows;
            encode_records<Planes>(
                pattern + index_t{strip} * t.rows * record * warp_size, warp_size, 0, t.rows, 1, position,
                [&](int k) { return symbol_at<Symbol>(p.pattern, first_row + k, p.rows, code); });
        }
    }
}

unsigned blocks_for(const cuda::context& c, index_t warps) {
    const index_t wanted = (warps * warp_size + threads - 1) / threads;
    return static_cast<unsigned>(std::clamp<index_t>(wanted, 1, index_t{64} * c.multiprocessors()));
}

template <class Symbol>
void encode_symbols(const cuda::context& c, const encoding& e) {
    const unsigned blocks = blocks_for(c, e.task_count * warp_size);
    [&]<int... S>(std::integer_sequence<int, S...>) {
        ((e.shape == S ? encode_kernel<Symbol, shapes[S].policy.planes><<<blocks, threads, 0, c.stream()>>>(e)
                       : void()),
         ...);
    }
    (std::make_integer_sequence<int, shape_count>{});
    cuda::check_launch();
}

}  // namespace

void plan_warps(const cuda::context& c, const encoding& e, const class_table& table, const warp_plan& to) {
    plan<<<blocks_for(c, e.task_count), threads, 0, c.stream()>>>(e, table, list_of_shapes(), to);
    cuda::check_launch();
    arrange<<<1, arranging, 0, c.stream()>>>(e.task_count, to);
    cuda::check_launch();
}

void encode(const cuda::context& c, const encoding& e) {
    if (e.input.bytes == 1) encode_symbols<std::uint8_t>(c, e);
    if (e.input.bytes == 2) encode_symbols<std::uint16_t>(c, e);
    if (e.input.bytes == 4) encode_symbols<std::uint32_t>(c, e);
}

}  // namespace wale::wavefront::batch
