// encode_crossed - the planes of texts and of alike patterns that are compared each with each: those of a
// text in all pairs of a word alike, as a warp has one text. A thread makes a record; there are few, as no
// sequence is repeated.
#include <algorithm>

#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {
namespace {

struct sequence_at {
    const char* from;
    std::int32_t size;
};

__device__ sequence_at sequence_of(const void* data, const index_t* offsets, index_t k, int bytes) {
    return {static_cast<const char*>(data) + offsets[k] * bytes,
            static_cast<std::int32_t>(offsets[k + 1] - offsets[k])};
}

template <class Symbol, int Planes>
__global__ void __launch_bounds__(pass_threads) crossed_kernel(encoding e) {
    const crossing& c = e.tasks.cross;
    const warp_task& like = e.tasks.alike;
    const int bits = min(like.log2_lanes, 5), groups_log2 = like.log2_lanes - bits;
    const int fields = warp_size >> bits, capacity = warp_lanes >> like.log2_lanes;
    const index_t chunks = c.words_of_text / (Planes + 1), of_texts = c.text_count * chunks,
                  of_group = index_t{like.rows} * warp_size;
    const void* texts = c.patterns_are_a ? e.input.b : e.input.a;
    const void* patterns = c.patterns_are_a ? e.input.a : e.input.b;
    word every = 0;  // the first bit of each pair
    for (int q = 0; q < fields; ++q) every |= 1u << (q << bits);
    std::uint8_t position[Planes];
#pragma unroll
    for (int p = 0; p < Planes; ++p) position[p] = e.found->position[p];

    const index_t step = index_t{gridDim.x} * blockDim.x;
    for (index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x; i < of_texts + c.groups * of_group;
         i += step) {
        word plane[Planes + 1] = {};
        const auto add = [&](word symbol, word at) {
#pragma unroll
            for (int p = 0; p < Planes; ++p) plane[p] |= (symbol >> position[p] & 1) * at;
            plane[Planes] |= at;
        };
        word* to = e.words;
        int apart = 1;
        if (i < of_texts) {
            const index_t text = i / chunks, chunk = i % chunks;
            const sequence_at s = sequence_of(texts, c.texts, text, sizeof(Symbol));
            const auto* from = reinterpret_cast<const Symbol*>(s.from) + (chunk << bits);
            const auto left = static_cast<int>(min(s.size - (chunk << bits), index_t{1} << bits));
            for (int b = 0; b < left; ++b) add(from[b], every << b);
            to += text * c.words_of_text + chunk * (Planes + 1);
        } else {
            const index_t at = i - of_texts, group = at / of_group;
            const int row = static_cast<int>(at % of_group / warp_size),
                      slot = static_cast<int>(at % warp_size);
            const int first_row = (slot & ((1 << groups_log2) - 1)) * 32 * like.rows + row;
            for (int q = 0; q < fields; ++q) {
                const index_t k = group * capacity + (slot >> groups_log2) * fields + q;
                if (k >= c.pattern_count) break;
                const sequence_at s = sequence_of(patterns, c.patterns, k, sizeof(Symbol));
                const auto* from = reinterpret_cast<const Symbol*>(s.from);
                for (int b = 0, r = first_row; b < 1 << bits && r < s.size; ++b, r += like.rows)
                    add(from[r], 1u << ((q << bits) + b));
            }
            to += c.text_count * c.words_of_text + group * c.words_of_group +
                  index_t{row} * (Planes + 1) * warp_size + slot;
            apart = warp_size;
        }
#pragma unroll
        for (int p = 0; p <= Planes; ++p) to[p * apart] = plane[p];
    }
}

template <class Symbol, int Shape = 0>
void launch(const cuda::context& c, const encoding& e) {
    constexpr int planes = shapes[Shape].policy.planes;
    if constexpr (planes < 8 * sizeof(Symbol))
        if (e.shape != Shape) return launch<Symbol, Shape + 1>(c, e);
    const index_t records = e.tasks.cross.words() / (planes + 1);
    const auto blocks = static_cast<unsigned>(std::clamp<index_t>((records + pass_threads - 1) / pass_threads,
                                                                  1, index_t{16} * c.multiprocessors()));
    crossed_kernel<Symbol, planes><<<blocks, pass_threads, 0, c.stream()>>>(e);
    cuda::check_launch();
}

}  // namespace

void encode_crossed(const cuda::context& c, const encoding& e) {
    if (e.input.bytes == 1) launch<std::uint8_t>(c, e);
    if (e.input.bytes == 2) launch<std::uint16_t>(c, e);
    if (e.input.bytes == 4) launch<std::uint32_t>(c, e);
}

}  // namespace wale::wavefront::batch
