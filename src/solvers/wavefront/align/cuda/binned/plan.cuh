// plan - what the stages of a batch of alignment scores hand to each other.
//
// A pair is done by 2^l lanes of a warp. A word has two cells of 16 bits: the low half and the high half of
// lane g have `words` rows each, rows 2g * words and (2g + 1) * words on, and each half is one column behind
// the half above. So what leaves the last row of a half enters the next half by one funnel shift a column,
// and halves depend on nothing of their own step.
//
//          step 0  1  2  3  4
//   lane 0 low  0  1  2  3  4      the column at which a half is
//         high     0  1  2  3
//   lane 1 low        0  1  2
//         high           0  1
//
// Global and semi-global cells are stored as H(i, j) + extend * (i + j) + base: then to extend a gap costs
// nothing, a cell is four instructions, and the range of a table is what its scores may differ by, not what
// its gaps cost. Local ones are stored as H(i, j) + 2 open.
#pragma once

#include <cstdint>

#include "cuda/stream.cuh"
#include "solvers/wavefront/align/cuda/tuning.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront::binned {

using word = std::uint32_t;

inline constexpr int warp_size = 32;
inline constexpr int widths = 6;  // 1 to 32 lanes a pair
inline constexpr int most_letters = 32;

/// Classes of pairs: the packed kernel's shapes and widths, then cells of 32 and of 64 bits.
inline constexpr int wide_class = most_shapes * widths;
inline constexpr int long_class = wide_class + 2;  // of pairs that are traced: packed cells, several strips
inline constexpr int class_count = wide_class + 3;
inline constexpr int no_class = 255;  // pairs with an empty side: answered at once

/// The batch as the kernels see it.
struct pairs {
    const void* query = nullptr;
    const void* target = nullptr;
    const index_t* query_offsets = nullptr;
    const index_t* target_offsets = nullptr;
    index_t count = 0;
    int bytes = 1;  // of a symbol; of bytes `query` and `target` have codes, and offsets count from `first`
    index_t first[2] = {0, 0};
    index_t targets = 0;  // each query with each of so many targets; 0: with the target of its number
};

struct pair {
    index_t query, target;  // where the symbols begin
    int rows, columns;
};

__device__ inline pair pair_at(const pairs& all, index_t k) {
    const index_t q = all.targets == 0 ? k : k / all.targets;
    const index_t t = all.targets == 0 ? k : k % all.targets;
    const index_t a = all.query_offsets[q];
    const index_t b = all.target_offsets[t];
    return {a - all.first[0], b - all.first[1], static_cast<int>(all.query_offsets[q + 1] - a),
            static_cast<int>(all.target_offsets[t + 1] - b)};
}

/// Gaps and ends. extend <= open. An end that is free is so in semi-global mode only.
struct prices {
    bool local;
    bool query_begin, query_end, target_begin, target_end;
    int open, extend;

    __host__ __device__ std::int64_t gap(std::int64_t size) const {
        return size == 0 ? 0 : -(open + (size - 1) * std::int64_t{extend});
    }
    __host__ __device__ std::int64_t top(std::int64_t j) const { return local || target_begin ? 0 : gap(j); }
    __host__ __device__ std::int64_t left(std::int64_t i) const { return local || query_begin ? 0 : gap(i); }
    /// What opening a gap costs beyond a symbol's extension: 0 or less.
    __host__ __device__ int opening() const { return extend - open; }
    /// A local cell of score 0 as the packed kernel stores it.
    __host__ __device__ int zero() const { return 2 * open; }
    /// The corner of packed cells that are not local: as low as no intermediate value wraps, since cells are
    /// no lower than base + 2 * opening(), gaps than base + 3 * opening(), and a score no less than -128.
    __host__ __device__ int base() const { return -32768 - 4 * opening() + 256; }
};

/// What decides the class of a pair.
struct limits {
    bool packed;             // letters and scores fit the packed kernel's table
    int highest;             // score of two symbols, at least 0
    int largest;             // magnitude of any score or price
    int words[most_shapes];  // 0: not this shape
    int of_a_word, beside;
};

/// What the host reads after classify().
struct sizes {
    word of_class[256];
    int longest_carried;  // target of a pair with several strips of rows, per cell type
    int longest_wide;
    // of pairs that are traced
    int longest_of_shape[most_shapes], longest_long;  // targets
    int most_long_rows, most_wide_rows;
    int longest;  // sequence
};

inline constexpr int table_words = most_letters / 4;  // of a row of the packed table: a byte a letter

/// Work of one launch of the packed kernel: all widths of one shape.
struct packed_work {
    pairs input;
    prices price;
    const std::uint32_t* order;
    const word* table;  // [letter of the query, or one more for rows below the last][table_words]
    int letters;
    word one = 1;                          // see steps_of_cells
    std::uint32_t first_pair[widths + 1];  // in `order`, widest first
    std::uint32_t first_task[widths + 1];
    word* carries;        // carry_pitch words a block
    index_t carry_pitch;  // columns
    std::uint32_t* ticket;
    std::int64_t* scores;
};

/// Launches on `stream`, `blocks` warps. packed_local.cu, packed_global.cu, packed_tailed.cu; the last one is
/// for free ends of targets, as only that one looks at every column of the last row.
void launch_local(const packed_work&, int shape, unsigned blocks, cudaStream_t stream);
void launch_global(const packed_work&, int shape, unsigned blocks, cudaStream_t stream);
void launch_tailed(const packed_work&, int shape, unsigned blocks, cudaStream_t stream);

/// Where the ends, starts and paths of pairs go, and what a walk reads. Arrays have an entry a pair, in the
/// caller's order.
struct trace_work {
    const void* query = nullptr;  // symbols as the caller has them, from where offsets of `pairs` count
    const void* target = nullptr;
    int bytes = 1;
    bool folds_case = false;  // lower case equals upper case
    bool walks = false;       // starts are wanted
    bool writes = false;      // paths are wanted
    index_t* ends[2] = {};    // of query, of target
    index_t* begins[2] = {};
    /// The runs of a pair end before the sum of both sequences' ends, less first_run, which is that sum for
    /// the first symbols of the batch: a path has no more runs than symbols. As BAM has them: see run_code.
    word* runs = nullptr;
    word* run_counts = nullptr;
    index_t first_run = 0;
};

/// A run is its length * 16 and one of these.
enum run_code : word { insertion_run = 1, deletion_run = 2, equal_run = 7, unequal_run = 8 };
inline constexpr int run_shift = 4;

struct wide_work {
    pairs input;
    prices price;
    const std::uint32_t* order;
    bool by_equality;
    int match, mismatch;
    const std::int32_t* table;  // letters x letters
    int letters;
    std::uint32_t first_pair, last_pair;
    std::int64_t* carries;  // H, then gap: 2 * carry_pitch for each of carry_rows, a block
    index_t carry_pitch;    // columns
    std::uint32_t* ticket;
    std::int64_t* scores;
    index_t carry_rows = 1;  // strips whose last rows are kept
    trace_work trace{};      // of pairs that are traced, and their decisions: bits_pitch words a block
    word* bits = nullptr;
    index_t bits_pitch = 0;
};
/// Cells of 32 bits, or of 64. wide.cu
void launch_wide(const wide_work&, bool of_64_bits, bool traces, unsigned blocks, cudaStream_t stream);
inline constexpr int wide_depth = 8;  // rows of a lane

// passes.cu

/// Codes of bytes: to[i] = codes[from[i]].
void encode(const cuda::context&, const std::uint8_t* from, index_t size, const std::uint8_t* codes,
            std::uint8_t* to);
/// The least i with seen[from[i]] != 0, into *first, which is not less than any before.
void find_first(const cuda::context&, const std::uint8_t* from, index_t size, const std::uint8_t* wanted,
                unsigned long long* first);
/// What a look at the pairs finds.
struct classified {
    sizes* found;            // zeroed before
    std::uint32_t* keys;     // class, then the longest target first
    std::uint32_t* numbers;  // of the pairs
    std::int64_t* scores;    // of pairs of no class, which are answered at once
};
void classify(const cuda::context&, const pairs&, const prices&, const limits&, const classified&);
void classify_traced(const cuda::context&, const pairs&, const prices&, const limits&, const trace_work&,
                     const classified&);
/// Sets first_run[count + 1] from the counts of runs, and returns the last one of them after it waited.
index_t scan_runs(const cuda::context&, const word* run_counts, index_t count, index_t* first_run);
/// The runs of all pairs, one after the other.
void gather_runs(const cuda::context&, const pairs&, const trace_work&, const index_t* first_run, word* to);

}  // namespace wale::wavefront::binned
