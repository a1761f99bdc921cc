// lcs_string - cuda/strips: both passes in one launch, cuts, then all strips at once.
#include "solvers/wavefront/length/shared/launch.cuh"

namespace wale::wavefront {
namespace {

// Cuts: where an optimal path crosses the edges between strips, from the hand-over words of both passes.
//
// F(j): LCS of the rows above the edge and the columns before j; R(j): of the rows below and the columns from
// j on. Paths through (edge, j) can be optimal where F(j) + R(j) is greatest. The leftmost such j of every
// edge together lie on one optimal path: where two optimal paths cross they may be exchanged, so the left
// envelope of all of them is optimal too. Hence the cuts are monotone and the strips between them
// independent.

struct cut {
    std::int32_t column;  // columns before this one are those of the strips above
    std::int32_t length;  // F there: common symbols before the cut
};

inline constexpr int cut_threads = 256;

/// A stretch of columns: its change of F + R, its change of F, and the leftmost greatest prefix of F + R.
struct stretch {
    std::int32_t sum, forward, best, best_forward, best_column;
};

__device__ stretch join(const stretch& a, const stretch& b) {
    const bool first = a.best >= a.sum + b.best;
    return {a.sum + b.sum, a.forward + b.forward, first ? a.best : a.sum + b.best,
            first ? a.best_forward : a.forward + b.best_forward, first ? a.best_column : b.best_column};
}

__device__ std::uint32_t hand_bits(const std::uint64_t* row, index_t word, int words) {
    return word >= 0 && word < words ? static_cast<std::uint32_t>(row[word]) : 0;
}

/// Bits of 32 columns from 32 * w on, first column highest, of the reversed pass's row: columns in reading
/// order.
__device__ std::uint32_t reversed_bits(const std::uint64_t* row, index_t w, index_t columns, int words) {
    const index_t first = columns - 32 - 32 * w;  // the reversed column that ends the stretch
    const index_t at = first >> 5;
    const int shift = static_cast<int>(first & 31);
    return __brev(__funnelshift_l(hand_bits(row, at + 1, words), hand_bits(row, at, words), shift));
}

/// Block e finds the cut of edge e + 1, below strip e. cuts[0] and the last one are the table's corners.
__global__ void __launch_bounds__(cut_threads) find_cuts(const __grid_constant__ strips_job job, cut* cuts) {
    __shared__ stretch parts[cut_threads];
    const int edge = static_cast<int>(blockIdx.x) + 1;
    const std::uint64_t* forward = job.pairs[0].hand + (edge - 1) * job.pitch;
    const std::uint64_t* backward = job.pairs[1].hand + (job.strips - edge - 1) * job.pitch;
    const int each = (job.words + cut_threads - 1) / cut_threads;
    const int begin = min(job.words, static_cast<int>(threadIdx.x) * each);
    stretch mine{0, 0, 0, 0, 32 * begin};
    for (int w = begin; w < min(job.words, begin + each); ++w) {
        const std::uint32_t f = hand_bits(forward, w, job.words);
        const std::uint32_t g = reversed_bits(backward, w, job.column_end, job.words);
        if (mine.sum + __popc(f) <= mine.best) {  // cannot beat the best: skip the bits
            mine.sum += __popc(f) - __popc(g);
            mine.forward += __popc(f);
            continue;
        }
        for (int b = 31; b >= 0; --b) {
            const auto up = static_cast<std::int32_t>(f >> b & 1u);
            mine.sum += up - static_cast<std::int32_t>(g >> b & 1u);
            mine.forward += up;
            if (mine.sum > mine.best)
                mine.best = mine.sum, mine.best_forward = mine.forward, mine.best_column = 32 * w + 32 - b;
        }
    }
    parts[threadIdx.x] = mine;
    for (int apart = 1; apart < cut_threads; apart *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * apart) == 0)
            parts[threadIdx.x] = join(parts[threadIdx.x], parts[threadIdx.x + apart]);
    }
    if (threadIdx.x == 0) cuts[edge] = {parts[0].best_column, parts[0].best_forward};
}

__global__ void set_corners(const __grid_constant__ strips_job job, cut* cuts) {
    cuts[0] = {0, 0};
    cuts[job.strips] = {static_cast<std::int32_t>(job.column_end),
                        static_cast<std::int32_t>(*job.pairs[0].answer)};
}

// Trace: walks an optimal path through one strip between two cuts. The strip's bit vectors are computed
// again, kept, and read backwards (Hyyro's vectors as in a plain table: a zero bit is a step down that gains
// a symbol).

struct trace_job {
    strips_job strips;
    const cut* cuts;         // strips + 1
    std::uint32_t* vectors;  // [column + lane of a strip][lane][word]
    std::uint32_t* in_rows;  // positions of the common symbols
    std::uint32_t* in_columns;
};

/// Column c of lane l is stored in step c + l: the lanes' words of one step lie side by side.
template <int Words>
struct kept_vectors {
    std::uint32_t* begin;
    [[nodiscard]] __device__ std::uint32_t* at(index_t column, int lane) const {
        return begin + ((column + lane) * 32 + lane) * Words;
    }
};

template <class Masks>
__device__ void keep_vectors(const strips_job& job, int strip, cut from, int columns,
                             const kept_vectors<Masks::words>& kept, std::int32_t lead) {
    constexpr int words = Masks::words;
    const int lane = threadIdx.x % 32;
    Masks masks;
    masks.build(job, job.pairs[0], strip);
    lcs_rows<words, false> rows;
    rows.start();
    const auto* symbols = static_cast<const typename Masks::code*>(job.pairs[0].columns) + lead + from.column;
    std::uint32_t carry = 0;
    for (int t = 0; t < columns + 31; ++t) {
        const int c = t - lane;
        std::uint32_t m[words] = {};
        if (c >= 0 && c < columns) masks.of(symbols[c], m);
        carry = __shfl_up_sync(~0u, carry, 1);
        if (lane == 0) carry = 0;
        (void)add_setting_carry(carry, ~0u);  // the flag is the carry
        rows.column(m);
        carry = add_taking_carry(0, 0);
        if (c < 0 || c >= columns) continue;
#pragma unroll
        for (int k = 0; k < words; ++k) kept.at(c, lane)[k] = rows.v[k];
    }
}

/// The warp looks at 32 columns of one word at a time: lane l holds column j - 31 + l. Emits positions
/// downwards.
template <int Words>
__device__ void walk_back(const trace_job& job, const kept_vectors<Words>& kept, int strip, int rows,
                          int columns) {
    const int lane = threadIdx.x % 32;
    const cut from = job.cuts[strip];
    index_t at = job.cuts[strip + 1].length;  // the next symbol goes before it
    const index_t first_row = static_cast<index_t>(strip) * 32 * 32 * Words;
    int i = rows - 1;
    int j = columns - 1;
    while (i >= 0 && j >= 0) {
        const int owner = i / (32 * Words);
        const int base = j - 31;
        const int column = base + lane;
        const std::uint32_t held = column >= 0 ? kept.at(column, owner)[i / 32 % Words] : ~0u;
        const int top = i / 32 * 32;
        for (;;) {
            const std::uint32_t here = __shfl_sync(~0u, held, j - base);
            const std::uint32_t gains =
                ~here & ((2u << (i - top)) - 1);  // rows of column j, i and above, that gain
            i = gains == 0 ? top - 1 : top + 31 - __clz(static_cast<int>(gains));
            if (gains == 0) break;
            const std::uint32_t still = __ballot_sync(~0u, (held >> (i - top) & 1u) == 0);
            const std::uint32_t before =
                ~still & ((1u << (j - base)) - 1);  // columns where row i does not gain yet
            if (before == 0) {                      // the match is further left
                j = base;
                break;
            }
            j = base + 31 - __clz(static_cast<int>(before));
            --at;
            if (lane == 0) {
                job.in_rows[at] = static_cast<std::uint32_t>(first_row + i);
                job.in_columns[at] = static_cast<std::uint32_t>(from.column + j + 1);
            }
            if (--i < top || j < 0) break;
        }
    }
}

/// A warp a strip. No warp waits for another.
template <class P, class Masks>
__global__ void __launch_bounds__(P::value.warps * 32, 1)
    trace_kernel(const __grid_constant__ trace_job job) {
    const int strip = static_cast<int>(blockIdx.x * P::value.warps + threadIdx.x / 32);
    if (strip >= job.strips.strips) return;
    const cut from = job.cuts[strip];
    const int columns = job.cuts[strip + 1].column - from.column;
    const index_t first_row = static_cast<index_t>(strip) * strip_shape<P>::rows;
    const int rows =
        static_cast<int>(min(index_t{strip_shape<P>::rows}, job.strips.pairs[0].row_end - first_row));
    const kept_vectors<Masks::words> kept{job.vectors +
                                          (from.column + index_t{32} * strip) * (32 * Masks::words)};
    keep_vectors<Masks>(job.strips, strip, from, columns, kept, strip_shape<P>::lead);
    __syncwarp();  // the lanes' vectors are seen by all of them
    walk_back(job, kept, strip, rows, columns);
}

/// Positions on the device, then on the host.
struct positions {
    positions(const cuda::context& c, index_t most)
        : in_rows(allocate<std::uint32_t>(c, "positions", most)),
          in_columns(allocate<std::uint32_t>(c, "positions", most)) {}
    cuda::scratch<std::uint32_t> in_rows, in_columns;
};

template <class P, class Masks, class Launch>
void trace(const cuda::context& context, const Launch& launch, const positions& out) {
    const strips_job& job = launch.job();
    const index_t steps = job.column_end + index_t{32} * job.strips;
    const auto vectors =
        allocate<std::uint32_t>(context, "the strips' bit vectors", steps * 32 * Masks::words);
    const cuda::scratch<cut> cuts(context, job.strips + 1);
    set_corners<<<1, 1, 0, context.stream()>>>(job, cuts.data());
    if (job.strips > 1) find_cuts<<<job.strips - 1, cut_threads, 0, context.stream()>>>(job, cuts.data());
    const trace_job work{job, cuts.data(), vectors.data(), out.in_rows.data(), out.in_columns.data()};
    const int shared = launch.table_bytes();
    const auto kernel = trace_kernel<P, Masks>;
    cuda::launch_limits::permit(context, kernel, shared);
    const int blocks = static_cast<int>(base::ceil_div(job.strips, P::value.warps));
    kernel<<<blocks, 32 * P::value.warps, shared, context.stream()>>>(work);
    cuda::check_launch();
}

void widen(const cuda::context& c, const std::uint32_t* from, index_t size, std::vector<index_t>& to) {
    std::vector<std::uint32_t> narrow(static_cast<std::size_t>(size));
    if (size > 0)
        cuda::check(cudaMemcpyAsync(narrow.data(), from, narrow.size() * sizeof(std::uint32_t),
                                    cudaMemcpyDeviceToHost, c.stream()));
    c.synchronize();
    to.assign(narrow.begin(), narrow.end());
}

void run(lcs_string_job& job) {
    job.in_a->clear();
    job.in_b->clear();
    if (job.a.size == 0 || job.b.size == 0) return;
    const cuda::context context(job.where);
    cuda::timer timer(context);
    const bool tall = job.a.size >= job.b.size;
    const symbols& rows = tall ? job.a : job.b;
    const symbols& columns = tall ? job.b : job.a;
    const alphabet letters = find_alphabet(context, rows, columns);
    const positions out(context, columns.size);
    index_t length = 0;
    const std::size_t row =
        choose_strips("wavefront/length/string_strips", string_policies, context.sm(), rows.size);
    with_masks<string_policy>(context, letters, string_policies, row, [&]<class P, class Masks>() {
        using recurrence = lcs_rows<P::value.words, P::value.one_carry>;
        const strips_launch<P, recurrence, Masks, tagged_hand_over<1>> launch(
            {context, letters, rows, columns, true});
        launch.start();
        trace<P, Masks>(context, launch, out);
        const strips_state state = launch.finish();
        if (state.answer[0] != state.answer[1])
            throw device_error("lcs_string: the passes disagree on the length");
        length = static_cast<index_t>(state.answer[0]);
        job.run->policy = launch.policy();
        job.run->bytes = 16.0 * static_cast<double>(launch.job().pitch) * launch.job().strips;
    });
    job.run->iterations = 4;
    job.run->compute_seconds = timer.stop();
    cuda::timer transfer(context);
    widen(context, out.in_rows.data(), length, tall ? *job.in_a : *job.in_b);
    widen(context, out.in_columns.data(), length, tall ? *job.in_b : *job.in_a);
    job.run->transfer_seconds = transfer.stop();
}

}  // namespace

extern constinit const catalogue::row<lcs_string_job> lcs_string_cuda_strips{
    "cuda/strips",
    "lengths forwards and backwards in one launch, cut at every strip edge, strips walked back in parallel",
    run, needs_31_bit_sizes<lcs_string_job>};

}  // namespace wale::wavefront
