// kernel - a chain on the whole device at once: every block keeps its rows in shared memory, reduces them to
// one segment and publishes the segment; each block closes the chain of segments for itself and solves its
// rows. 5 words an unknown. (SPIKE: Polizzi and Sameh 2006, with the reduced system solved by every block.)
#pragma once

#include "cuda/queued_read.cuh"
#include "cuda/wait.cuh"
#include "solvers/tree/chains/cuda/spike/tuning.hpp"
#include "solvers/tree/chains/shared/tile.cuh"
#include "solvers/tree/chains/shared/tree.cuh"
#include "solvers/tree/cuda/status.cuh"

namespace wale::tree::spike {

using namespace partition;

/// What the blocks of one launch share. Zeroed before the launch.
struct exchange {
    std::uint64_t* words;  // [vector][word][block], tagged
    std::uint32_t* failed;
    index_t first_vector;
    int blocks;  // of a vector
};

template <class T>
inline constexpr int segment_words = static_cast<int>(sizeof(segment<T>) / sizeof(std::uint32_t));

template <class T>
union segment_bits {
    segment<T> value;
    std::uint32_t words[segment_words<T>];
};

/// Publishes this block's segment. Whole blocks; `shared_copy` is shared memory.
template <class T>
__device__ void publish(const exchange& x, const segment<T>& mine, segment<T>& shared_copy) {
    if (threadIdx.x == 0) shared_copy = mine;
    __syncthreads();
    const int w = static_cast<int>(threadIdx.x), vector = static_cast<int>(blockIdx.x) / x.blocks;
    if (w >= segment_words<T>) return;
    const auto bits = reinterpret_cast<const std::uint32_t*>(&shared_copy)[w];
    const int place = (vector * segment_words<T> + w) * x.blocks + static_cast<int>(blockIdx.x) % x.blocks;
    cuda::tagged_word::store(x.words + place, 1, bits);
}

/// Waits for the segment of block `number` of this block's vector; false: it did not come.
template <class T>
__device__ bool fetch(const exchange& x, int number, segment<T>& s) {
    const std::uint64_t* from =
        x.words + static_cast<int>(blockIdx.x) / x.blocks * segment_words<T> * x.blocks + number;
    segment_bits<T> bits;
    const auto arrived = [&] {
        bool all = true;
#pragma unroll
        for (int w = 0; w < segment_words<T>; ++w) {
            const std::uint64_t word = cuda::tagged_word::load(from + w * x.blocks);
            all = all && cuda::tagged_word::is_of(word, 1);
            bits.words[w] = cuda::tagged_word::value(word);
        }
        return all;
    };
    if (!cuda::wait_until(arrived, schedule::shared_bound<cuda::thread_sync>{x.failed})) return false;
    s = bits.value;
    return true;
}

template <class How, class T, int Warps>
struct shared_parts {
    segment<T> mine, of_warps[2][Warps];
    ends<T> about;
};

template <int Row, int Shape, class T>
using tile_of =
    tile<T, 32 * policies[Row].policy.warps,
         policies[Row].policy.run_bytes[Shape] / static_cast<int>(sizeof(T)), policies[Row].policy.kept>;

template <int Row, int Shape, class How, class T>
inline constexpr int shared_bytes =
    tile_of<Row, Shape, T>::bytes +
    static_cast<int>(sizeof(shared_parts<How, T, policies[Row].policy.warps>));

/// Who does what: block b of a vector reduces its rows to a segment, publishes the segment (publish), and
/// thread t < blocks of every block fetches block t's (fetch). What it waits for: the tags of all segments of
/// its vector. Why it cannot deadlock: the launch is cooperative, so all blocks are resident or none starts;
/// a block publishes before it waits; the polls are bounded, and past the bound `failed` is set and all
/// leave. Why this memory order: relaxed; each 64-bit word carries its tag and 32 bits of data, which cannot
/// be torn apart, and nothing else is handed over.
template <int Row, int Shape, class How, class T>
__global__ void __launch_bounds__(32 * policies[Row].policy.warps)
    spike(chain_view<T> c, exchange x, device_status status) {
    constexpr int warps = policies[Row].policy.warps;
    using tile_type = tile_of<Row, Shape, T>;
    extern __shared__ __align__(16) unsigned char memory[];
    auto& shared = *reinterpret_cast<shared_parts<How, T, warps>*>(memory + tile_type::bytes);
    const int me = static_cast<int>(threadIdx.x), number = static_cast<int>(blockIdx.x) % x.blocks;
    const index_t vector = x.first_vector + static_cast<int>(blockIdx.x) / x.blocks;
    const index_t first = index_t{number} * tile_type::height, mine = first + index_t{me} * tile_type::rows;
    const tile_type t(memory, me);
    const chain<T> one = chain_at(c, vector);
    // What is not kept is needed first.
    if (tile_type::kept == 3 && mine < c.size)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(
            one.of[0].data + (mine == 0 ? one.of[0].first_row : mine) * one.of[0].step));
#pragma unroll
    for (int k = 4 - tile_type::kept; k < 4; ++k) t.load(k, one.of[k], first);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    t.set_corners(one, first, c.size);

    const index_t left = c.size - mine;
    const run_of_rows<T, tile_type> run{
        t,         me,   static_cast<int>(left < 0 ? 0 : left < tile_type::rows ? left : tile_type::rows),
        one.of[0], mine, one.first_lower};
    const index_t block_rows = c.size - first < tile_type::height ? c.size - first : tile_type::height;
    const int used = static_cast<int>((block_rows + tile_type::rows - 1) / tile_type::rows);
    const auto note = [&](T pivot, index_t row) {
        if (is_bad(pivot)) status.note(c.first_system + vector / c.each, row);
    };
    block_tree<How, T, warps> rows_tree(shared.of_warps[0]), blocks_tree(shared.of_warps[1]);
    const segment<T> all = rows_tree.up(
        segment_of_run<How>(run, [&](T p, int j) { note(p, mine + j); }), used,
        [&](T p, int at, bool right) { note(p, first + index_t{at} * tile_type::rows - (right ? 0 : 1)); });
    publish(x, all, shared.mine);
    segment<T> other{};
    const bool came = me >= x.blocks || fetch(x, me, other);
    if (!__syncthreads_and(came)) return;
    const segment<T> chain = blocks_tree.up(other, x.blocks, [&](T p, int at, bool right) {
        if (number == 0) note(p, index_t{at} * tile_type::height - (right ? 0 : 1));
    });
    T pivots[2];
    ends<T> about = close<How>(chain, c.periodic, pivots);
    if (number == 0 && me == 0) {
        note(pivots[0], 0);
        note(pivots[1], c.size - 1);
    }
    about = blocks_tree.down(about);
    if (me == number) shared.about = about;
    __syncthreads();
    solve_run<How>(run, rows_tree.down(shared.about));
    __syncthreads();
    t.store(one.solution, one.step, first, c.size);
}

}  // namespace wale::tree::spike
