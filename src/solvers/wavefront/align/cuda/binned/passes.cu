// passes - over all symbols and over all pairs. None waits on another block.
#include <algorithm>

#include "solvers/wavefront/align/cuda/binned/traced_plan.cuh"

namespace wale::wavefront::binned {
namespace {

__device__ index_t thread_number() {
    return index_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ index_t thread_count() {
    return index_t{gridDim.x} * blockDim.x;
}

__global__ void encode_kernel(const std::uint8_t* from, index_t size, const std::uint8_t* codes,
                              std::uint8_t* to) {
    __shared__ std::uint8_t code[256];
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += pass_threads) code[i] = codes[i];
    __syncthreads();
    for (index_t i = thread_number(); i < size; i += thread_count()) to[i] = code[from[i]];
}

__global__ void find_kernel(const std::uint8_t* from, index_t size, const std::uint8_t* wanted,
                            unsigned long long* first) {
    for (index_t i = thread_number(); i < size; i += thread_count())
        if (wanted[from[i]] != 0) {
            atomicMin(first, static_cast<unsigned long long>(i));
            return;
        }
}

/// The score of a pair of which a side is empty.
__device__ std::int64_t score_of_border(const prices& price, const pair& p) {
    if (price.local) return 0;
    std::int64_t best = p.rows == 0 ? price.top(p.columns) : price.left(p.rows);
    if (p.rows == 0 && price.target_end) best = max(best, std::int64_t{0});
    if (p.columns == 0 && price.query_end) best = max(best, std::int64_t{0});
    return best;
}

/// Whether no value of the packed kernel leaves 16 bits.
__device__ bool is_narrow(const prices& price, const limits& limit, std::int64_t m, std::int64_t n) {
    constexpr std::int64_t most = std::int64_t{1} << 30;  // a column has to fit in 31 bits
    if (max(m, n) >= most) return false;
    const std::int64_t highest = limit.highest * min(m, n);
    if (price.local) return price.zero() + highest <= 32767 - 128;
    return price.base() + highest + price.extend * (m + n) <= 32767 - 128;
}

/// The shape and the width that are cheapest for a pair that the packed kernel can do.
__device__ int packed_class(const limits& limit, std::int64_t m, std::int64_t n) {
    int best = 0;
    std::int64_t least = INT64_MAX;
    for (int shape = 0; shape < most_shapes; ++shape)
        for (int k = 0; k < widths && limit.words[shape] > 0; ++k) {
            const std::int64_t lanes = 1 << k;
            const std::int64_t strips =
                (m + 2 * lanes * limit.words[shape] - 1) / (2 * lanes * limit.words[shape]);
            if (strips > 1 && k + 1 < widths) continue;
            const std::int64_t cost =
                strips * (n + 2 * lanes) * lanes * (limit.of_a_word * limit.words[shape] + limit.beside);
            if (cost >= least) continue;
            least = cost;
            best = shape * widths + widths - 1 - k;  // the widest first
        }
    return best;
}

/// Counts the classes of the pairs of a block.
class class_counter {
public:
    __device__ explicit class_counter(word* count) : count_(count) {
        for (int i = static_cast<int>(threadIdx.x); i < class_count; i += pass_threads) count_[i] = 0;
        __syncthreads();
    }
    __device__ void add(const classified& to, index_t k, int class_, int columns) {
        to.keys[k] = static_cast<std::uint32_t>(class_) << 24 |
                     (0xffffffu - static_cast<std::uint32_t>(min(columns, 0xffffff)));
        to.numbers[k] = static_cast<std::uint32_t>(k);
        if (class_ != no_class) atomicAdd(&count_[class_], 1u);
    }
    __device__ void finish(sizes* found) {
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < class_count; i += pass_threads)
            if (count_[i] != 0) atomicAdd(&found->of_class[i], count_[i]);
    }

private:
    word* count_;
};

/// Of magnitude: no value is beyond all symbols' dearest scores and three openings.
__device__ int class_of_wide(const limits& limit, const pair& p) {
    return wide_class + ((index_t{p.rows} + p.columns + 4) * limit.largest <= INT32_MAX ? 0 : 1);
}
__device__ int rows_of_class(const limits& limit, int class_) {
    return 2 * limit.words[class_ / widths] << (widths - 1 - class_ % widths);
}

__global__ void classify_kernel(pairs all, prices price, limits limit, classified to) {
    __shared__ word count[class_count];
    class_counter classes(count);
    for (index_t k = thread_number(); k < all.count; k += thread_count()) {
        const pair p = pair_at(all, k);
        int class_ = no_class;
        if (p.rows == 0 || p.columns == 0) {
            to.scores[k] = score_of_border(price, p);
        } else if (limit.packed && is_narrow(price, limit, p.rows, p.columns)) {
            class_ = packed_class(limit, p.rows, p.columns);
            if (p.rows > rows_of_class(limit, class_)) atomicMax(&to.found->longest_carried, p.columns);
        } else {
            class_ = class_of_wide(limit, p);
            atomicMax(&to.found->longest_wide, p.columns);
        }
        classes.add(to, k, class_, p.columns);
    }
    classes.finish(to.found);
}

/// End, start and path of a pair of which a side is empty.
__device__ void trace_border(const prices& price, const trace_work& trace, const pair& p, index_t k) {
    int i = p.columns > 0 || price.local || price.query_end ? 0 : p.rows;
    int j = p.rows > 0 || price.local || price.target_end ? 0 : p.columns;
    trace.ends[0][k] = i;
    trace.ends[1][k] = j;
    if (!trace.walks) return;
    word run = 0;
    if (j > 0 && !price.target_begin) run = static_cast<word>(j) << run_shift | deletion_run;
    if (i > 0 && !price.query_begin) run = static_cast<word>(i) << run_shift | insertion_run;
    trace.begins[0][k] = price.query_begin ? i : 0;
    trace.begins[1][k] = price.target_begin ? j : 0;
    if (!trace.writes) return;
    trace.run_counts[k] = run != 0 ? 1 : 0;
    if (run != 0) trace.runs[p.query + p.rows + p.target + p.columns - trace.first_run - 1] = run;
}

__device__ int traced_class(const prices& price, const limits& limit, const pair& p, sizes* found) {
    constexpr int most = 1 << 30;  // a column has to fit in 31 bits
    const index_t highest = limit.highest * index_t{min(p.rows, p.columns)};
    if (!limit.packed || max(p.rows, p.columns) >= most ||
        !traced_narrow(price, highest, index_t{p.rows} + p.columns)) {
        atomicMax(&found->longest_wide, p.columns);
        atomicMax(&found->most_wide_rows, p.rows);
        return class_of_wide(limit, p);
    }
    const int class_ = packed_class(limit, p.rows, p.columns), shape = class_ / widths;
    if (p.rows <= rows_of_class(limit, class_) && p.columns <= traced_columns / limit.words[shape]) {
        atomicMax(&found->longest_of_shape[shape], p.columns);
        return class_;
    }
    atomicMax(&found->longest_long, p.columns);
    atomicMax(&found->most_long_rows, p.rows);
    return long_class;
}

__global__ void classify_traced_kernel(pairs all, prices price, limits limit, trace_work trace,
                                       classified to) {
    __shared__ word count[class_count];
    class_counter classes(count);
    for (index_t k = thread_number(); k < all.count; k += thread_count()) {
        const pair p = pair_at(all, k);
        int class_ = no_class;
        if (p.rows == 0 || p.columns == 0) {
            to.scores[k] = score_of_border(price, p);
            trace_border(price, trace, p, k);
        } else {
            class_ = traced_class(price, limit, p, to.found);
        }
        atomicMax(&to.found->longest, max(p.rows, p.columns));
        classes.add(to, k, class_, p.columns);
    }
    classes.finish(to.found);
}

unsigned blocks_for(const cuda::context& c, index_t count) {
    const index_t wanted = (count + pass_threads - 1) / pass_threads;
    return static_cast<unsigned>(std::clamp<index_t>(wanted, 1, 8 * c.multiprocessors()));
}

}  // namespace

void encode(const cuda::context& c, const std::uint8_t* from, index_t size, const std::uint8_t* codes,
            std::uint8_t* to) {
    encode_kernel<<<blocks_for(c, size), pass_threads, 0, c.stream()>>>(from, size, codes, to);
    cuda::check_launch();
}

void find_first(const cuda::context& c, const std::uint8_t* from, index_t size, const std::uint8_t* wanted,
                unsigned long long* first) {
    find_kernel<<<blocks_for(c, size), pass_threads, 0, c.stream()>>>(from, size, wanted, first);
    cuda::check_launch();
}

void classify(const cuda::context& c, const pairs& all, const prices& price, const limits& limit,
              const classified& to) {
    classify_kernel<<<blocks_for(c, all.count), pass_threads, 0, c.stream()>>>(all, price, limit, to);
    cuda::check_launch();
}

void classify_traced(const cuda::context& c, const pairs& all, const prices& price, const limits& limit,
                     const trace_work& trace, const classified& to) {
    classify_traced_kernel<<<blocks_for(c, all.count), pass_threads, 0, c.stream()>>>(all, price, limit,
                                                                                      trace, to);
    cuda::check_launch();
}

}  // namespace wale::wavefront::binned
