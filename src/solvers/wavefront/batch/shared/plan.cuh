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
#include "solvers/wavefront/search_jobs.hpp"

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
    // Each of `queries` in a with each of `targets` in b; 0: pair by pair. Pair k is number first + k of all.
    index_t queries = 0, targets = 0, first = 0;
    bool mirrored = false;  // b is a, and each two sequences are one pair
    bool by_sides = false;  // a survey looks at the sequences of each side, not at the pairs

    [[nodiscard]] __host__ __device__ index_t sequences(bool of_b) const {
        return queries == 0 ? count : of_b ? targets : queries;
    }
    /// What a survey goes through.
    [[nodiscard]] __host__ __device__ index_t surveyed() const {
        return !by_sides ? count : queries > targets ? queries : targets;
    }
};

struct pair_numbers {
    index_t a, b;
};

/// Which sequences pair k has. Of mirrored pairs, the upper triangle of a table, two rows make one of a
/// rectangle: a row, and the one that is as far from the last.
__host__ __device__ inline pair_numbers numbers_of(const pairs& all, index_t k) {
    if (all.queries == 0) return {k, k};
    const index_t n = all.targets, odd = n % 2;
    const index_t width = all.mirrored ? n + 1 - odd : n;
    const index_t row = (all.first + k) / width, column = (all.first + k) % width;
    if (!all.mirrored) return {row, column};
    if (column > row - odd) return {row, column - 1 + odd};
    return {n - 1 - row + odd, n - 1 - column};
}

/// The length of sequence k, or -1 where its offsets are bad.
__device__ inline index_t checked_length(const index_t* offsets, index_t k) {
    const index_t begin = offsets[k];
    const index_t end = offsets[k + 1];
    return begin < 0 || end < begin || end - begin > INT32_MAX ? -1 : end - begin;
}

struct pair {
    const char* pattern;
    const char* text;
    std::int32_t rows;
    std::int32_t columns;
};

__device__ inline pair pair_at(const pairs& all, index_t k) {
    const pair_numbers at = numbers_of(all, k);
    const index_t a = all.a_offsets[at.a];
    const index_t b = all.b_offsets[at.b];
    const auto m = static_cast<std::int32_t>(all.a_offsets[at.a + 1] - a);
    const auto n = static_cast<std::int32_t>(all.b_offsets[at.b + 1] - b);
    const char* x = static_cast<const char*>(all.a) + a * all.bytes;
    const char* y = static_cast<const char*>(all.b) + b * all.bytes;
    if (m <= n) return {x, y, m, n};
    return {y, x, n, m};
}

/// What the survey finds out, in device memory; the host reads it once.
struct findings {
    unsigned long long first_bad;        // 2 * pair + side of the first bad offset; ~0: none
    unsigned long long cells_low;        // sum of m*n: of its low 32 bits ...
    unsigned long long cells_high;       // ... and of its high ones
    std::int32_t least_rows, most_rows;  // of all pairs; by sides: sizes in a
    std::int32_t least_columns,
        most_columns;           // of all pairs; by sides: sizes in b, and `cells` their squares
    index_t letters[2];         // of each side
    word any, all;              // OR and AND of the symbols of 2 or 4 bytes
    word blocks_done;           // of the pass over the symbols
    int planes;                 // bits that distinguish the symbols
    int shape;                  // row of `shapes`
    word class_size[256];       // pairs in each class
    std::uint8_t position[32];  // plane p is bit position[p] of a symbol
    std::uint8_t seen[256];     // bytes that occur
    // Of up to four bytes: the byte of code (x, y) is 0 + x * 1 + y * 2 + xy * 3 of these, the first of which
    // is repeated in each byte; and one that occurs.
    word term[4];
    std::uint8_t filler;
    word wrong;  // a byte occurs that a sample did not have
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
    // Each with each: the patterns lie apart, and one text is that of all pairs.
    bool crossed;
    index_t patterns;  // words
    index_t text;      // its number
};

/// Each with each where patterns are alike: a task is a text with as many patterns as a warp holds. The words
/// of a text or of a run of patterns are written once.
struct crossing {
    const index_t* texts = nullptr;     // offsets; null: not crossed
    const index_t* patterns = nullptr;  // offsets
    index_t text_count = 0, pattern_count = 0;
    index_t groups = 0;         // of patterns
    index_t words_of_text = 0;  // of the longest text
    index_t words_of_group = 0;
    bool patterns_are_a = false;

    [[nodiscard]] __host__ __device__ index_t words() const {
        return text_count * words_of_text + groups * words_of_group;
    }
};

/// The tasks of a batch: listed one by one; or, where all pairs are alike, the same task for each run of
/// pairs.
struct task_list {
    const warp_task* tasks = nullptr;      // null: alike
    const std::uint32_t* order = nullptr;  // of the pairs; null: their own
    index_t count = 0;                     // tasks
    index_t pairs = 0;
    warp_task alike{};
    index_t words = 0;  // of a task that is alike
    crossing cross;

    [[nodiscard]] __device__ warp_task at(index_t w) const {
        if (tasks != nullptr) return tasks[w];
        if (cross.texts != nullptr) return crossed(w);
        warp_task t = alike;
        const index_t first = w * t.pair_count;
        t.offset = w * words;
        t.first_pair = static_cast<std::uint32_t>(first);
        if (first + t.pair_count > pairs) {  // the last task
            t.pair_count = static_cast<std::uint32_t>(pairs - first);
            t.shortest = 0;
        }
        return t;
    }
    [[nodiscard]] __device__ std::uint32_t pair_number(std::uint32_t i) const {
        return order == nullptr ? i : order[i];
    }

private:
    [[nodiscard]] __device__ warp_task crossed(index_t w) const {
        warp_task t = alike;
        const index_t group = w % cross.groups, first = group * t.pair_count;
        t.text = w / cross.groups;
        t.offset = t.text * cross.words_of_text;
        t.patterns = cross.text_count * cross.words_of_text + group * cross.words_of_group;
        const auto columns = static_cast<std::int32_t>(cross.texts[t.text + 1] - cross.texts[t.text]);
        const int bits = t.log2_lanes < 5 ? t.log2_lanes : 5;
        t.chunks = static_cast<std::int32_t>((index_t{columns} + (1 << bits) - 1) >> bits);
        t.shortest = columns;
        t.first_pair = static_cast<std::uint32_t>(first);
        if (first + t.pair_count > cross.pattern_count)
            t.pair_count = static_cast<std::uint32_t>(cross.pattern_count - first);
        return t;
    }
};

// survey.cu - are the offsets good, which symbols occur, which class has each pair?

/// What the caller asked for, as far as the stages need it.
struct request {
    pairs input;
    std::int32_t* answers = nullptr;
    index_t bound = -1;
    bool edit = false;
    index_t pitch = 0;  // of the answers of each with each
};

__device__ inline void store(const request& r, const pair_numbers& at, std::int32_t answer) {
    r.answers[at.a * r.pitch + at.b] = answer;
    if (r.input.mirrored) r.answers[at.b * r.pitch + at.a] = answer;
}
__device__ inline void store(const request& r, index_t k, std::int32_t answer) {
    if (r.input.queries == 0)
        r.answers[k] = answer;
    else
        store(r, numbers_of(r.input, k), answer);
}

/// How pairs may be spread over lanes.
struct spread_limits {
    int least_log2_lanes;  // a batch of few pairs uses more lanes for each
    bool exactly;          // all pairs take least_log2_lanes where their rows fit
    int least_rows;
    int padded_log2;
};

/// The number of the least rows that hold `wanted`, or of the most that there are.
__host__ __device__ inline int choose_rows(index_t wanted, const shape_policy& shape, bool grouped) {
    int i = 0;
    const auto next = [&] { return i + 1 < most_shapes ? shape.rows[i + 1] : 0; };
    while (shape.rows[i] < wanted && next() != 0 && !(grouped && next() > shape.most_grouped)) ++i;
    return i;
}

/// The fewest lanes whose rows hold the pattern, more where few pairs must fill the device or where a long
/// text would make the padding of its warp's other pairs too large.
__host__ __device__ inline int choose_lanes(index_t m, index_t n, const shape_policy& shape, int most_rows,
                                            const spread_limits& limits) {
    const auto fits = [&](int l) {
        return (m + (1 << l) - 1) >> l <= (l > 5 ? shape.most_grouped : most_rows);
    };
    int lanes = limits.exactly ? limits.least_log2_lanes : 0;
    while (lanes < most_log2_lanes && !fits(lanes)) ++lanes;
    while (lanes < limits.least_log2_lanes && (m + (1 << lanes) - 1) >> lanes > limits.least_rows) ++lanes;
    // Pairs so few that idle lanes cost nothing: the words of a thread hold one pair, which is encoded
    // sooner.
    constexpr int thread = 5, few_pairs = 8;
    if (!limits.exactly && limits.least_log2_lanes >= few_pairs && lanes < thread) lanes = thread;
    while (lanes < most_log2_lanes && n << (most_log2_lanes - lanes) > index_t{1} << limits.padded_log2)
        ++lanes;
    return lanes;
}

__host__ __device__ inline int choose_class(index_t m, index_t n, const shape_policy& shape,
                                            const spread_limits& limits) {
    const int most_rows = shape.rows[choose_rows(INT32_MAX, shape, false)];
    const int lanes = choose_lanes(m, n, shape, most_rows, limits);
    return class_of(choose_rows((m + (1 << lanes) - 1) >> lanes, shape, lanes > 5), lanes);
}

/// The task of `count` pairs of a class, its place apart.
__host__ __device__ inline warp_task task_of(int class_, const shape_policy& shape, std::uint32_t count,
                                             std::int32_t longest, std::int32_t shortest,
                                             std::int32_t most_rows) {
    const int log2_lanes = log2_lanes_of(class_);
    const int bits = log2_lanes < 5 ? log2_lanes : 5;
    warp_task t{};
    t.pair_count = count;
    t.log2_lanes = log2_lanes;
    t.rows_index = rows_index_of(class_);
    t.rows = shape.rows[t.rows_index];
    t.chunks = static_cast<std::int32_t>((index_t{longest} + (1 << bits) - 1) >> bits);
    t.shortest = count == static_cast<std::uint32_t>(warp_lanes >> log2_lanes) ? shortest : 0;
    const index_t strip = index_t{t.rows} << log2_lanes;
    t.strips = static_cast<std::int32_t>((most_rows + strip - 1) / strip);
    return t;
}

/// Of the encoded form of a task.
__host__ __device__ inline index_t words_of(const warp_task& t, int planes) {
    const int capacity = warp_lanes >> t.log2_lanes;
    const int columns = capacity < warp_size ? capacity : warp_size;
    return index_t{t.chunks} * (planes + 1) * columns +
           index_t{t.strips} * t.rows * (planes + 1) * warp_size + (t.strips > 1 ? index_t{2} * t.chunks : 0);
}

/// Answers the batch at once by systolic.cu and waits; false, with answers that do not count, where a pair is
/// beyond its rows or columns or has bad offsets. Symbols are bytes.
[[nodiscard]] bool run_systolic(const cuda::context&, const request&, report& run);

/// Enqueues the part of the survey that holds for any recurrence: offsets, cells, lengths, symbols and the
/// bits that distinguish them. Sampled: of some of the bytes only, which encode() then compares all with.
void look(const cuda::context&, const pairs&, findings* found, bool sampled = false);

/// Whether to look at a sample first: symbols of many pairs, one by one.
bool may_sample(const pairs&);

/// Enqueues the classes. After it class_size is complete, and keys[k] sorts pair k by class, longest text
/// first.
void classify(const cuda::context&, const request&, const spread_limits&, findings* found,
              std::uint32_t* keys, std::uint32_t* order);

inline constexpr int key_bits = 24;  // class: 8, text: 16

// encode.cu - from symbols to bit planes in the order in which the warps read them.

struct encoding {
    pairs input;
    task_list tasks;
    findings* found;
    int shape;
    word* words;
    bool sampled = false;  // sets found->wrong where a byte is none of the sample's
};

/// The same of texts and patterns that are crossed.
void encode_crossed(const cuda::context&, const encoding&);

/// Whether a block has room for all symbols of its pairs: of alike pairs side by side. Only then may
/// `sampled` be set.
bool has_room(const pairs&, const task_list&);

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

/// Each with each; patterns that are not alike, and those of several strips, pair by pair and in parts of
/// which the bit planes fit into memory.
void run(cross_job& job, bool edit);

}  // namespace wale::wavefront::batch
