// systolic - few short pairs in one launch. A warp holds a pair, a lane 32 rows of its table as the bits of a
// word, and each lane works four columns behind the lane above (Lipton, Lopresti 1985; words as in Myers 1999
// and Hyyro 2003). Symbols are compared bit by bit where they are: nothing is surveyed or encoded before.
//
// Floor, for m rows and n columns: n / 4 + m / 32 steps, each some 150 instructions of a warp for four
// columns and, as one word waits for the word above, 250 cycles. 100 pairs of 100 letters: 28 steps, 4 us.
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int block_warps = 4;
constexpr int word_bits = 32;
constexpr int group = 4;  // columns a step
constexpr int symbol_bits = 8;

struct systolic_findings {
    unsigned long long cells;
    word beyond;  // a pair is too long, or its offsets are bad
};

/// The highest bit of byte `Byte` of x, in all 32 bits.
template <int Byte>
__device__ word spread_sign(word x) {
    word found;
    asm("prmt.b32 %0, %1, %1, %2;" : "=r"(found) : "r"(x), "n"(0x1111 * (8 + Byte)));
    return found;
}

/// The symbols of 32 rows: bit i of plane b is bit b of the symbol in row i.
struct row_symbols {
    word planes[symbol_bits];

    /// Rows that hold `symbol`.
    [[nodiscard]] __device__ word equal_to(word symbol) const {
        const word high = symbol * 0x08040201u;  // bits 7, 6, 5, 4 of the symbol on top of the four bytes
        const word low = high << 4;              // bits 3, 2, 1, 0
        const word first = ~(planes[7] ^ spread_sign<0>(high)) & ~(planes[6] ^ spread_sign<1>(high)) &
                           ~(planes[5] ^ spread_sign<2>(high)) & ~(planes[4] ^ spread_sign<3>(high));
        return first & ~(planes[3] ^ spread_sign<0>(low)) & ~(planes[2] ^ spread_sign<1>(low)) &
               ~(planes[1] ^ spread_sign<2>(low)) & ~(planes[0] ^ spread_sign<3>(low));
    }
};

/// The carries of a step: bit i of the first line, and bit group + i of the second, belong to column i.
struct lcs_word {
    word v = ~0u;  // a zero bit: L(i, j) = L(i-1, j) + 1

    /// Above the first row.
    __device__ static word top(word) { return 0; }
    __device__ word column(word m, word in, int i) {
        const unsigned long long sum = static_cast<unsigned long long>(v) + (v & m) + (in >> i & 1);
        v = static_cast<word>(sum) | (v & ~m);
        return static_cast<word>(sum >> word_bits) << i;
    }
    [[nodiscard]] __device__ int total(word real) const { return __popc(~v & real); }
    __device__ static std::int32_t answer(int sum, std::int32_t) { return sum; }
};
struct edit_word {
    word p = ~0u, n = 0;  // D(i, j) - D(i-1, j) is +1, -1

    /// D(-1, j) - D(-1, j-1) = +1.
    __device__ static word top(word columns) { return columns; }
    __device__ word column(word m, word in, int i) {
        const word plus = in >> i & 1, minus = in >> (group + i) & 1;
        m |= minus;
        const word d = (((p & m) + p) ^ p) | m | n;
        const word up = n | ~(d | p), down = p & d;
        const word up_above = up << 1 | plus, down_above = down << 1 | minus;
        p = down_above | ~(d | up_above);
        n = up_above & d;
        return up >> (word_bits - 1) << i | down >> (word_bits - 1) << (group + i);
    }
    [[nodiscard]] __device__ int total(word real) const { return __popc(p & real) - __popc(n & real); }
    __device__ static std::int32_t answer(int sum, std::int32_t columns) { return columns + sum; }
};

/// Lane i of the warp gets rows 32 i to 32 i + 31.
__device__ row_symbols symbols_of(const pair& p, int lane) {
    row_symbols mine{};
    for (int first = 0; first < p.rows; first += word_bits) {
        const int row = first + lane;
        const word symbol = row < p.rows ? static_cast<std::uint8_t>(p.pattern[row]) : 0u;
#pragma unroll
        for (int b = 0; b < symbol_bits; ++b) {
            const word plane = __ballot_sync(~0u, (symbol >> b & 1) != 0);
            if (lane == first / word_bits) mine.planes[b] = plane;
        }
    }
    return mine;
}

__device__ int sum_of_warp(int value) {
#pragma unroll
    for (int apart = warp_size / 2; apart > 0; apart /= 2) value += __shfl_xor_sync(~0u, value, apart);
    return value;
}

/// The table of a pair. `text` has room for its symbols behind `padding` symbols that fill its first word.
/// Columns of the padding change nothing: no row is equal, and no difference comes from above.
template <class Rows>
__device__ std::int32_t answer_of(const pair& p, word* text) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const int padding = -p.columns & (group - 1), steps = (p.columns + padding) / group;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(text);
    for (int j = lane; j < p.columns; j += warp_size)
        bytes[padding + j] = static_cast<std::uint8_t>(p.text[j]);
    const row_symbols symbols = symbols_of(p, lane);
    __syncwarp();
    Rows rows;
    word out = 0;
    const int lanes = (p.rows + word_bits - 1) / word_bits;
    for (int t = 0; t < steps + lanes - 1; ++t) {
        const word above = __shfl_up_sync(~0u, out, 1);
        const int step = t - lane;
        if (step < 0 || step >= steps) continue;
        const int first = step == 0 ? padding : 0;
        const word in = lane == 0 ? Rows::top(0xfu << first & 0xfu) : above;
        const word four = text[step];
        out = 0;
#pragma unroll
        for (int i = 0; i < group; ++i) {
            const word equal = symbols.equal_to(four >> (symbol_bits * i) & 0xffu);
            out |= rows.column(i < first ? 0u : equal, in, i);
        }
    }
    const int real = min(max(p.rows - lane * word_bits, 0), word_bits);  // rows of this lane
    const int sum = sum_of_warp(rows.total(real == word_bits ? ~0u : (1u << real) - 1));
    return Rows::answer(sum, p.columns);
}

/// The length of sequence k of a side, or -1 where its offsets are bad or reach beyond what short sequences
/// fill: offsets that no survey has looked at may point anywhere.
__device__ index_t short_length(const pairs& all, bool of_b, index_t k) {
    const index_t* const offsets = of_b ? all.b_offsets : all.a_offsets;
    const index_t count = all.sequences(of_b), first = offsets[0], last = offsets[count];
    const bool filled = first >= 0 && last >= first && last - first <= count * most_systolic_columns &&
                        offsets[k] >= first && offsets[k + 1] <= last;
    return filled ? checked_length(offsets, k) : -1;
}

__device__ index_t mean_of(const pairs& all, bool of_b) {
    const index_t* const offsets = of_b ? all.b_offsets : all.a_offsets;
    const index_t count = all.sequences(of_b);
    return (offsets[count] - offsets[0]) / count;
}

template <class Rows>
__global__ void __launch_bounds__(block_warps* warp_size)
    systolic_kernel(request r, systolic_findings* found) {
    __shared__ word texts[block_warps][most_systolic_columns / group];
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    const index_t k = index_t{blockIdx.x} * block_warps + warp;
    if (k >= r.input.count) return;
    const bool first_lane = threadIdx.x % warp_size == 0;
    const pair_numbers at = numbers_of(r.input, k);
    const index_t m = short_length(r.input, false, at.a), n = short_length(r.input, true, at.b);
    // Where both sides are longer than its rows on average, no pair is begun for nothing.
    const bool all_long =
        mean_of(r.input, false) > warp_size * word_bits && mean_of(r.input, true) > warp_size * word_bits;
    if (all_long || min(m, n) < 0 || min(m, n) > warp_size * word_bits || max(m, n) > most_systolic_columns) {
        if (first_lane) atomicOr(&found->beyond, 1u);
        return;
    }
    const std::int32_t answer = answer_of<Rows>(pair_at(r.input, k), texts[warp]);
    if (!first_lane) return;
    atomicAdd(&found->cells, static_cast<unsigned long long>(m * n));
    const bool beyond = r.bound >= 0 && answer > r.bound;
    store(r, k, beyond ? static_cast<std::int32_t>(r.bound + 1) : answer);
}

}  // namespace

bool run_systolic(const cuda::context& c, const request& what, report& run) {
    cuda::timer time(c);
    const cuda::call_report<systolic_findings> found(c, {}, false);
    const auto blocks = static_cast<unsigned>((what.input.count + block_warps - 1) / block_warps);
    const auto kernel = what.edit ? systolic_kernel<edit_word> : systolic_kernel<lcs_word>;
    kernel<<<blocks, block_warps * warp_size, 0, c.stream()>>>(what, found.data());
    cuda::check(cudaGetLastError());
    run.compute_seconds += time.stop(found);
    const systolic_findings all = found.read();
    if (all.beyond != 0) return false;
    run.work += static_cast<double>(all.cells);
    run.policy = "systolic";
    return true;
}

}  // namespace wale::wavefront::batch
