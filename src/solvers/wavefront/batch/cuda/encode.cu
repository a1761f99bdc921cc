// encode - one warp encodes what one thread of the pair kernels will read: 32 symbols at a time, a ballot a
// plane.
#include <algorithm>

#include "solvers/wavefront/batch/cuda/encode.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int threads = 256;
constexpr unsigned everyone = 0xffffffffu;
constexpr int together = 4;  // loads in flight of a thread

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

__global__ void plan(encoding e, class_table table, shape_list list, int shape, warp_task* tasks,
                     index_t* words_of) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (index_t w = warp_number(); w < e.task_count; w += warp_total()) {
        const auto number = static_cast<std::uint32_t>(w);
        const int class_ = find_class(table, number);
        const int log2_lanes = log2_lanes_of(class_);
        const int room = warp_lanes >> log2_lanes;  // pairs
        const std::uint32_t first =
            table.first_pair[class_] + (number - table.first_warp[class_]) * static_cast<std::uint32_t>(room);
        const std::uint32_t count =
            min(static_cast<std::uint32_t>(room), table.first_pair[class_ + 1] - first);
        std::int32_t longest = 0;
        std::int32_t shortest = INT32_MAX;
        std::int32_t most_rows = 0;
        for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < count; i += warp_size) {
            const pair p = pair_at(e.input, e.order[first + i]);
            longest = max(longest, p.columns);
            shortest = min(shortest, p.columns);
            most_rows = max(most_rows, p.rows);
        }
        longest = __reduce_max_sync(everyone, longest);
        shortest = __reduce_min_sync(everyone, shortest);
        most_rows = __reduce_max_sync(everyone, most_rows);
        if (lane != 0) continue;
        const int bits = log2_lanes < 5 ? log2_lanes : 5;
        warp_task t{};
        t.first_pair = first;
        t.pair_count = count;
        t.log2_lanes = log2_lanes;
        t.rows = list.rows[shape][class_ / widths];
        t.chunks = static_cast<std::int32_t>((index_t{longest} + (1 << bits) - 1) >> bits);
        t.shortest = count == static_cast<std::uint32_t>(room) ? shortest : 0;
        const index_t strip = index_t{t.rows} << log2_lanes;
        t.strips = static_cast<std::int32_t>((most_rows + strip - 1) / strip);
        tasks[w] = t;
        const int columns = room < warp_size ? room : warp_size;
        words_of[w] = index_t{t.chunks} * (e.planes + 1) * columns +
                      index_t{t.strips} * t.rows * (e.planes + 1) * warp_size +
                      (t.strips > 1 ? index_t{2} * t.chunks : 0);
    }
}

__global__ void place(index_t count, const index_t* sums, warp_task* tasks) {
    const index_t w = index_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (w < count) tasks[w].offset = sums[w];
}

/// Symbol i of a sequence as a code whose bit position[p] belongs to plane p.
template <class Symbol>
__device__ word code_at(const char* sequence, index_t i, const std::uint8_t* code) {
    const Symbol s = reinterpret_cast<const Symbol*>(sequence)[i];
    if constexpr (sizeof(Symbol) == 1) return code[s];
    return s;
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

/// Turns the codes of 32 lanes into a word a plane and the valid word, `stride` words apart.
__device__ void store_planes(word* to, int stride, int planes, word code, bool valid,
                             const std::uint8_t* position, int found_planes) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    word mine = 0;
    for (int p = 0; p < found_planes; ++p) {
        const word plane = __ballot_sync(everyone, valid && (code >> position[p] & 1));
        if (lane == p) mine = plane;
    }
    const word valid_word = __ballot_sync(everyone, valid);
    if (lane < planes) to[index_t{lane} * stride] = mine;
    if (lane == 0) to[index_t{planes} * stride] = valid_word;
}

template <class Symbol>
__global__ void __launch_bounds__(threads) encode_kernel(encoding e) {
    __shared__ std::uint8_t code[256];
    __shared__ std::uint8_t position[32];
    code[threadIdx.x] = e.found->code[threadIdx.x];
    if (threadIdx.x < 32) position[threadIdx.x] = e.found->position[threadIdx.x];
    __syncthreads();
    const int found_planes = e.found->planes;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (index_t job = warp_number(); job < e.task_count * warp_size; job += warp_total()) {
        const warp_task t = e.tasks[job / warp_size];
        const int slot = static_cast<int>(job % warp_size);
        const place_in_warp at = find_place(t, slot, lane);
        const bool there = at.pair < t.pair_count;
        pair p{nullptr, nullptr, 0, 0};
        if (there) p = pair_at(e.input, e.order[t.first_pair + at.pair]);
        const int record = e.planes + 1;
        const int bit = lane & ((1 << at.bits) - 1);
        word* text = e.words + t.offset;
        const int step = 1 << at.groups;
        for (int first = at.part; first < t.chunks; first += together * step) {
            word codes[together];
            bool valid[together];
#pragma unroll
            for (int u = 0; u < together; ++u) {
                const index_t column = (index_t{first} + u * step << at.bits) + bit;
                valid[u] = column < p.columns;
                codes[u] = valid[u] ? code_at<Symbol>(p.text, column, code) : 0;
            }
#pragma unroll
            for (int u = 0; u < together; ++u) {
                const index_t chunk = index_t{first} + u * step;
                if (chunk < t.chunks)  // the same for the whole warp
                    store_planes(text + chunk * record * at.columns + at.column, at.columns, e.planes,
                                 codes[u], valid[u], position, found_planes);
            }
        }
        word* pattern = text + index_t{t.chunks} * record * at.columns;
        const index_t strip_rows = index_t{t.rows} << t.log2_lanes;
        for (int strip = 0; strip < t.strips; ++strip)
            for (int k = 0; k < t.rows; ++k) {
                const index_t row = strip * strip_rows + index_t{at.part * 32 + bit} * t.rows + k;
                const bool valid = row < p.rows;
                const word symbol = valid ? code_at<Symbol>(p.pattern, row, code) : 0;
                store_planes(pattern + (index_t{strip} * t.rows + k) * record * warp_size + slot, warp_size,
                             e.planes, symbol, valid, position, found_planes);
            }
    }
}

unsigned blocks_for(const cuda::context& c, index_t warps) {
    const index_t wanted = (warps * warp_size + threads - 1) / threads;
    return static_cast<unsigned>(std::clamp<index_t>(wanted, 1, index_t{64} * c.multiprocessors()));
}

}  // namespace

void plan_warps(const cuda::context& c, const encoding& e, const class_table& table, int shape,
                warp_task* tasks, index_t* words_of) {
    plan<<<blocks_for(c, e.task_count), threads, 0, c.stream()>>>(e, table, list_of_shapes(), shape, tasks,
                                                                  words_of);
    cuda::check_launch();
}

void place_warps(const cuda::context& c, index_t count, const index_t* sums, warp_task* tasks) {
    place<<<static_cast<unsigned>((count + threads - 1) / threads), threads, 0, c.stream()>>>(count, sums,
                                                                                              tasks);
    cuda::check_launch();
}

void encode(const cuda::context& c, const encoding& e) {
    const unsigned blocks = blocks_for(c, e.task_count * warp_size);
    if (e.input.bytes == 1) encode_kernel<std::uint8_t><<<blocks, threads, 0, c.stream()>>>(e);
    if (e.input.bytes == 2) encode_kernel<std::uint16_t><<<blocks, threads, 0, c.stream()>>>(e);
    if (e.input.bytes == 4) encode_kernel<std::uint32_t><<<blocks, threads, 0, c.stream()>>>(e);
    cuda::check_launch();
}

}  // namespace wale::wavefront::batch
