// encode_room - the planes of alike pairs: a warp copies the symbols of the pairs that one thread of the pair
// kernel will hold, which lie side by side, into its part of shared memory, and makes the words of that
// thread: a lane a chunk of the text, then a lane a row of the patterns. No warp waits for another. Where the
// planes are those of a sample of the symbols it compares each symbol with the sample.
//
// The words of a thread lie together, those of a plane side by side, so that the lanes of a warp store them
// in one piece; the pair kernel reads a few words in thousands of cycles, and can take them from anywhere.
//
// Nothing is masked: behind a sequence come its neighbours, behind the last one a symbol that occurs. The
// pair kernels look at the columns and rows that are valid.
//
// Floor of 100 bytes a side: 200 bytes read and 75 written a pair, 0.065 ms a million at 4.2 TB/s; some 13
// operations of the ALU for four symbols, 0.05 ms.
#include <algorithm>

#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int least_bits = 2;         // lanes of a pair: a word of four symbols at least
constexpr int most_room = 36 * 1024;  // bytes of a block; with the places less than any block may have
constexpr int most_pairs = warp_size >> least_bits;  // of a warp
constexpr int block_warps = pass_threads / warp_size;

constexpr int resident_blocks(int planes) {
    return planes <= 3 ? 5 : 4;
}

/// Where a warp has the symbols of a pair, in bytes of its room.
struct alignas(16) text_in_room {
    word from;  // a multiple of 4
    word turn;  // bits of the word there that are before the text
    std::int32_t columns;
    word pad;
};
struct alignas(8) pattern_in_room {
    word from;
    word reach;  // lanes of row i: (reach - i * share) >> 16
};
struct places {
    text_in_room text[most_pairs];
    pattern_in_room pattern[most_pairs];
};

/// Sixteen bytes to shared memory, without a wait before copies_are_there().
__device__ inline void copy_later(uint4* to, const std::uint8_t* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    *to = *reinterpret_cast<const uint4*>(from);
#else
    const auto place = static_cast<word>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
#endif
}
__device__ inline void copies_are_there() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// A side's symbols of the pairs of a warp, in blocks of sixteen bytes.
struct stretch {
    const std::uint8_t* from;  // a multiple of 16
    word skew;                 // of the first symbol, in bytes
    int blocks;

    /// Symbols [first, end), and `behind` more.
    __device__ stretch(const void* data, index_t first, index_t end, word behind) {
        const std::uint8_t* at = static_cast<const std::uint8_t*>(data) + first;
        skew = static_cast<word>(reinterpret_cast<std::uintptr_t>(at) & 15);
        from = at - skew;
        blocks = static_cast<int>((skew + static_cast<word>(end - first) + behind + 15) / 16);
    }
    /// Begins to copy all blocks.
    __device__ void copy(uint4* to) const {
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x) % warp_size; i < blocks; i += warp_size)
            copy_later(to + i, from + 16 * i);
    }
    /// The same near an end of the batch, whose bytes are [low, high): others are not read.
    __device__ __noinline__ void copy_within(uint4* to, const std::uint8_t* low, const std::uint8_t* high,
                                             word filler) const {
        for (int i = static_cast<int>(threadIdx.x) % warp_size; i < blocks; i += warp_size)
            to[i] = filled_up(from + 16 * i, low, high, filler);
    }

private:
    __device__ static uint4 filled_up(const std::uint8_t* at, const std::uint8_t* low,
                                      const std::uint8_t* high, word filler) {
        word of[4] = {filler, filler, filler, filler};
#pragma unroll 1
        for (int b = 0; b < 16; ++b) {
            const word byte = at + b >= low && at + b < high ? at[b] : filler & 255;
#pragma unroll
            for (int w = 0; w < 4; ++w)
                if (w == b / 4) of[w] = (of[w] & ~(255u << 8 * (b % 4))) | byte << 8 * (b % 4);
        }
        return {of[0], of[1], of[2], of[3]};
    }
};

/// `width` bits from bit `from` on.
__device__ inline word bits_from(int from, int width) {
    word d;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(d) : "r"(from), "r"(width));
    return d;
}

/// What takes four symbols at a time into the planes of a record, the last symbols first, and whether all
/// were the sample's.
template <int Planes, bool Sampled>
struct reader {
    word position[Planes];
    word term[4];  // the byte of code (x, y) is 0 + x * 1 + y * 2 + xy * 3 of these; 0 in each byte
    word wrong = 0;

    __device__ explicit reader(const findings& found) {
#pragma unroll
        for (int p = 0; p < Planes; ++p) position[p] = found.position[p];
#pragma unroll
        for (int i = 0; i < 4; ++i) term[i] = found.term[i];
    }
    /// The product moves the lowest bits of the bytes to bits 28 to 31.
    __device__ __forceinline__ void take(word (&to)[Planes], word bytes) {
        word plane[Planes];
#pragma unroll
        for (int p = 0; p < Planes; ++p) {
            plane[p] = bytes >> position[p] & 0x01010101u;
            to[p] = __funnelshift_l(plane[p] * 0x10204080u, to[p], 4);
        }
        if constexpr (Sampled)  // exact modulo 2^32, whatever a product carries into the next byte
            wrong |=
                (term[0] + plane[0] * term[1] + plane[1] * term[2] + (plane[0] & plane[1]) * term[3]) ^ bytes;
    }
};

/// The words of one record: plane p goes to to[p * apart], the valid lanes behind the last plane.
template <int Planes>
__device__ __forceinline__ void store_record(word* to, int apart, const word (&plane)[Planes], word valid) {
#pragma unroll
    for (int p = 0; p < Planes; ++p) to[p * apart] = plane[p];
    to[Planes * apart] = valid;
}

/// 2^Bits columns of each pair: a lane a chunk.
template <int Bits, int Planes, bool Sampled>
__device__ __forceinline__ void encode_text(reader<Planes, Sampled>& read, word* to, const std::uint8_t* room,
                                            const text_in_room* pairs, int chunks) {
    for (int chunk = static_cast<int>(threadIdx.x) % warp_size; chunk < chunks; chunk += warp_size) {
        word plane[Planes] = {}, valid = 0;
#pragma unroll
        for (int q = (warp_size >> Bits) - 1; q >= 0; --q) {
            const uint4 of = *reinterpret_cast<const uint4*>(pairs + q);  // in one load
            const text_in_room p{of.x, of.y, static_cast<std::int32_t>(of.z), 0};
            const auto* from = reinterpret_cast<const word*>(room + p.from + (chunk << Bits));
            word above = from[(1 << Bits) / 4];
#pragma unroll
            for (int u = (1 << Bits) / 4 - 1; u >= 0; --u) {
                const word low = from[u];
                read.take(plane, __funnelshift_r(low, above, p.turn));
                above = low;
            }
            valid |= bits_from(q << Bits, __viaddmin_s32_relu(p.columns, -(chunk << Bits), 1 << Bits));
        }
        store_record<Planes>(to + chunk, chunks, plane, valid);
    }
}

/// A row of all lanes of each pair, which are `rows` symbols apart: a lane of the warp a row.
template <int Bits, int Planes, bool Sampled>
__device__ __forceinline__ void encode_patterns(reader<Planes, Sampled>& read, word* to,
                                                const std::uint8_t* room, const pattern_in_room* pairs,
                                                int rows, word share) {
    for (int row = static_cast<int>(threadIdx.x) % warp_size; row < rows; row += warp_size) {
        word plane[Planes] = {}, valid = 0;
        const std::uint8_t* const mine = room + row + ((1 << Bits) - 4) * rows;
#pragma unroll
        for (int q = (warp_size >> Bits) - 1; q >= 0; --q) {
            const uint2 of = *reinterpret_cast<const uint2*>(pairs + q);  // in one load
            const std::uint8_t* at = mine + of.x;
#pragma unroll
            for (int lane = (1 << Bits) - 4; lane >= 0; lane -= 4, at -= 4 * rows) {
                const word four[4] = {at[0], at[rows], at[2 * rows], at[3 * rows]};
                read.take(plane, ((four[3] * 256 + four[2]) * 256 + four[1]) * 256 + four[0]);
            }
            valid |= bits_from(q << Bits, static_cast<int>((of.y - static_cast<word>(row) * share) >> 16));
        }
        store_record<Planes>(to + row, rows, plane, valid);
    }
}

/// Of symbols that a pair may have behind its own: as many as its lanes and chunks reach, and a word.
word behind(const warp_task& t) {
    const int reach = t.rows > t.chunks ? t.rows : t.chunks;
    return (static_cast<word>(reach) << t.log2_lanes) + 8;
}

/// What a warp needs beside the task. share: a pattern is short enough for x * share / 2^16 to be x / rows up
/// to its size and `rows` more.
struct room_plan {
    word share;
    word behind;  // symbols
    int blocks;   // of sixteen bytes of a warp
};

template <int Planes, bool Sampled>
__global__ void __launch_bounds__(pass_threads, resident_blocks(Planes))
    room_kernel(encoding e, room_plan plan) {
    extern __shared__ uint4 room_memory[];
    __shared__ places places_of[block_warps];
    const word warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    uint4* const mine = room_memory + warp * plan.blocks;
    places& at = places_of[warp];
    reader<Planes, Sampled> read(*e.found);
    const warp_task& like = e.tasks.alike;
    const pairs& in = e.input;
    const int bits = like.log2_lanes, rows = like.rows;
    const word fields = word{warp_size} >> bits, last = static_cast<word>(e.tasks.pairs);
    const auto a = static_cast<const std::uint8_t*>(in.a), b = static_cast<const std::uint8_t*>(in.b);
    // So many pairs have as many symbols as a warp may read behind its pairs.
    const word margin = (plan.behind + 32) / static_cast<word>(e.found->least_rows) + 1;
    const auto jobs = static_cast<word>(e.tasks.count) * warp_size,
               step = gridDim.x * (blockDim.x / warp_size);
    for (word job = blockIdx.x * (blockDim.x / warp_size) + warp; job < jobs; job += step) {
        const word begin = min(job * fields, last), end = min(begin + fields, last);
        const index_t x = in.a_offsets[begin], y = in.b_offsets[begin];
        const stretch of_a(a, x, in.a_offsets[end], plan.behind), of_b(b, y, in.b_offsets[end], plan.behind);
        __syncwarp();  // what the job before has read
        if (begin >= 16 && end + margin <= last) {
            of_a.copy(mine);
            of_b.copy(mine + of_a.blocks);
        } else {
            const word filler = e.found->filler * 0x01010101u;
            of_a.copy_within(mine, a + in.a_offsets[0], a + in.a_offsets[last], filler);
            of_b.copy_within(mine + of_a.blocks, b + in.b_offsets[0], b + in.b_offsets[last], filler);
        }
        if (lane < fields) {
            text_in_room text{};
            pattern_in_room pattern{0, static_cast<word>(rows - 1) * plan.share};
            const word k = begin + lane;
            if (k < last) {
                const index_t of[2] = {in.a_offsets[k], in.b_offsets[k]};
                const auto m = static_cast<std::int32_t>(in.a_offsets[k + 1] - of[0]),
                           n = static_cast<std::int32_t>(in.b_offsets[k + 1] - of[1]);
                const word at_a = of_a.skew + static_cast<word>(of[0] - x),
                           at_b =
                               16 * static_cast<word>(of_a.blocks) + of_b.skew + static_cast<word>(of[1] - y);
                const word of_text = m <= n ? at_b : at_a;
                text = {of_text & ~3u, 8 * (of_text & 3), max(m, n), 0};
                pattern = {m <= n ? at_a : at_b, static_cast<word>(min(m, n) + rows - 1) * plan.share};
            }
            at.text[lane] = text;
            at.pattern[lane] = pattern;
        }
        copies_are_there();
        __syncwarp();
        const auto* room = reinterpret_cast<const std::uint8_t*>(mine);
        word* const text = e.words + index_t{job} * (like.chunks + rows) * (Planes + 1);
        word* const pattern = text + like.chunks * (Planes + 1);
        const auto encode = [&]<int Bits>() {
            encode_text<Bits>(read, text, room, at.text, like.chunks);
            encode_patterns<Bits>(read, pattern, room, at.pattern, rows, plan.share);
        };
        if (bits == 2) encode.template operator()<2>();
        if (bits == 3) encode.template operator()<3>();
        if (bits == 4) encode.template operator()<4>();
        if (bits == 5) encode.template operator()<5>();
    }
    if (Sampled && read.wrong != 0) atomicOr(&e.found->wrong, 1u);
}

/// Blocks of sixteen bytes: both sides' symbols, what is behind them, and blocks that are cut.
index_t room_of(const warp_task& t) {
    const index_t of_pair = index_t{t.rows + t.chunks} << t.log2_lanes;
    return (of_pair * (warp_size >> t.log2_lanes) + 2 * (index_t{behind(t)} + 32) + 15) / 16;
}

/// Warps of a block for which there is room; 0: not even for one.
int warps_of(const warp_task& t) {
    return static_cast<int>(std::min<index_t>(block_warps, most_room / 16 / room_of(t)));
}

template <bool Sampled, int Shape = 0>
void launch(const cuda::context& c, const encoding& e) {
    constexpr int planes = shapes[Shape].policy.planes;
    if constexpr (planes < 8 && !Sampled)
        if (e.shape != Shape) return launch<Sampled, Shape + 1>(c, e);
    const warp_task& like = e.tasks.alike;
    const room_plan plan{65535 / static_cast<word>(like.rows) + 1, behind(like),
                         static_cast<int>(room_of(like))};
    const int warps = warps_of(like);
    const index_t wanted = (e.tasks.count * warp_size + warps - 1) / warps,
                  most = index_t{resident_blocks(planes)} * (block_warps / warps) * c.multiprocessors();
    room_kernel<planes, Sampled>
        <<<static_cast<unsigned>(std::min(wanted, most)), static_cast<unsigned>(warps * warp_size),
           static_cast<std::size_t>(16 * plan.blocks * warps), c.stream()>>>(e, plan);
    cuda::check_launch();
}

}  // namespace

bool has_room(const pairs& input, const warp_task& t) {
    return input.bytes == 1 && input.queries == 0 && t.strips == 1 && t.log2_lanes >= least_bits &&
           t.log2_lanes <= 5 && warps_of(t) > 0;
}

void encode_in_room(const cuda::context& c, const encoding& e) {
    e.sampled ? launch<true>(c, e) : launch<false>(c, e);
}

}  // namespace wale::wavefront::batch
