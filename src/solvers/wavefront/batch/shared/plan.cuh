// plan - the stages of a bit-sliced batch, and what the stages hand to each other: the pairs, the classes,
// the work of a warp.
//
// Bits. A word of 32 bits is 32 lanes. Each lane holds `rows` consecutive rows of one pair's table, a word
// for each row; 2^log2_lanes lanes hold one pair. Lane i works one column behind lane i-1, so what leaves the
// last row of one lane enters the first row of the next by a shift of one bit, and no carry runs along a
// word. Short patterns put several pairs into one word, long ones spread a pair over the words of several
// threads.
#pragma once

#include <cstdint>

#include "cuda/stream.cuh"
#include "solvers/wavefront/batch/cuda/tuning.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront::batch {

using word = std::uint32_t;

inline constexpr int warp_size = 32;
inline constexpr int most_log2_lanes = 10;               // of a pair: a whole warp
inline constexpr int warp_lanes = 1 << most_log2_lanes;  // 32 threads of 32 bits
inline constexpr int widths = most_log2_lanes + 1;
inline constexpr int class_count = most_shapes * widths;
inline constexpr int no_class = 255;  // pairs with an empty side: answered at once

/// The batch as the kernels see it. The shorter sequence of a pair is the pattern, its symbols are rows.
struct pairs {
    const void* a = nullptr;
    const void* b = nullptr;
    const index_t* a_offsets = nullptr;
    const index_t* b_offsets = nullptr;
    index_t count = 0;
    int bytes = 1;  // of a symbol
};

struct pair {
    const char* pattern;
    const char* text;
    std::int32_t rows;
    std::int32_t columns;
};

__device__ inline pair pair_at(const pairs& all, index_t k) {
    const index_t a = all.a_offsets[k];
    const index_t b = all.b_offsets[k];
    const auto m = static_cast<std::int32_t>(all.a_offsets[k + 1] - a);
    const auto n = static_cast<std::int32_t>(all.b_offsets[k + 1] - b);
    const char* x = static_cast<const char*>(all.a) + a * all.bytes;
    const char* y = static_cast<const char*>(all.b) + b * all.bytes;
    if (m <= n) return {x, y, m, n};
    return {y, x, n, m};
}

/// What the survey finds out, in device memory; the host reads it once.
struct findings {
    unsigned long long first_bad;   // 2 * pair + side of the first bad offset; ~0: none
    unsigned long long cells_low;   // sum of m*n: of its low 32 bits ...
    unsigned long long cells_high;  // ... and of its high ones
    word any, all;                  // OR and AND of the symbols of 2 or 4 bytes
    int planes;                     // bits that distinguish the symbols
    int shape;                      // row of `shapes`
    word class_size[256];           // pairs in each class
    std::uint8_t position[32];      // plane p is bit position[p] of a code
    std::uint8_t code[256];         // of a byte
    std::uint8_t seen[256];         // bytes that occur
};

/// Where the pairs of each class lie in the sorted order, and which warps do them.
struct class_table {
    std::uint32_t first_pair[class_count + 1];
    std::uint32_t first_warp[class_count + 1];
};

/// The table `shapes` as a kernel argument: device code cannot index a host table.
struct shape_list {
    shape_policy of[shape_count];
};

constexpr shape_list list_of_shapes() {
    shape_list list{};
    for (int s = 0; s < shape_count; ++s) list.of[s] = shapes[s].policy;
    return list;
}

/// A class is a number of rows and a number of lanes. The most work for a warp comes first, so that the
/// device is not left with it at the end.
__host__ __device__ constexpr int class_of(int rows_index, int log2_lanes) {
    return (most_shapes - 1 - rows_index) * widths + most_log2_lanes - log2_lanes;
}
__host__ __device__ constexpr int rows_index_of(int class_) {
    return most_shapes - 1 - class_ / widths;
}
__host__ __device__ constexpr int log2_lanes_of(int class_) {
    return most_log2_lanes - class_ % widths;
}

/// A 16-bit key that sorts sizes from the largest to the smallest, to 11 binary digits. 0 <= size < 2^63.
__device__ inline std::uint32_t descending(float size) {
    if (size < 1) return 0xffffu;
    return 0xffffu - 1 - ((__float_as_uint(size) >> 13) - (127u << 10));
}

/// The work of one warp. Its words lie at `offset` of the encoded batch:
///   text     [chunk][plane, then valid][column of pairs]   a chunk is as many columns as a pair has bits in
///   a word pattern  [strip][row][plane, then valid][thread] carries  [chunk][carry] only where a pair has
///   several strips of rows
struct warp_task {
    index_t offset;            // words
    std::uint32_t first_pair;  // in sorted order
    std::uint32_t pair_count;
    std::int32_t log2_lanes;
    std::int32_t rows;        // of a lane
    std::int32_t rows_index;  // in its shape
    std::int32_t chunks;      // of the longest text
    std::int32_t shortest;    // text, columns; 0 where pairs are missing
    std::int32_t strips;
};

// survey.cu - are the offsets good, which symbols occur, which class has each pair?

/// What the caller asked for, as far as the stages need it.
struct request {
    pairs input;
    std::int32_t* answers = nullptr;
    index_t bound = -1;
    bool edit = false;
};

/// How pairs may be spread over lanes.
struct spread_limits {
    int least_log2_lanes;  // a batch of few pairs uses more lanes for each
    bool exactly;          // all pairs take least_log2_lanes where their rows fit
    int least_rows;
    int padded_log2;
};

/// Enqueues the part of the survey that holds for any recurrence: offsets, cells, symbols and their codes.
void look(const cuda::context&, const pairs&, findings* found);

/// Enqueues the survey. After it `found` is complete, and keys[k] sorts pair k by class, longest text first.
void survey(const cuda::context&, const request&, const spread_limits&, findings* found, std::uint32_t* keys,
            std::uint32_t* order);

inline constexpr int key_bits = 24;  // class: 8, text: 16

// encode.cu - from symbols to bit planes in the order in which the warps read them.

struct encoding {
    pairs input;
    const std::uint32_t* order;
    const findings* found;
    const warp_task* tasks;
    index_t task_count;
    int shape;
    word* words;
};

/// What the plan says of each warp: its task, the words that it needs, and a key that sorts the longest work
/// to the front; then the order of the tasks, and the words of all.
struct warp_plan {
    warp_task* tasks;
    index_t* words_of;
    std::uint32_t* keys;
    std::uint32_t* order;
    index_t* total;
};
void plan_warps(const cuda::context&, const encoding&, const class_table&, const warp_plan&);

/// Writes the planes of all texts and patterns.
void encode(const cuda::context&, const encoding&);

// run.cu - all stages, from offsets on the device to answers on the device.

inline constexpr int lanes_by_length = -1;

/// Throws bad_argument for the findings' first bad offset.
[[noreturn]] void refuse_offsets(const cuda::context&, const pairs&, unsigned long long first_bad,
                                 const char* const (&names)[2]);

/// log2_lanes: of each pair (5: a thread, 10: a warp), or lanes_by_length. Pairs that need more get more.
void run(batch_job& job, bool edit, int log2_lanes);

}  // namespace wale::wavefront::batch
