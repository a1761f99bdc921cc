// encode_room - the planes of alike pairs: a block copies the symbols of the pairs of eight threads, which
// lie side by side, into shared memory, so that it waits for device memory twice in all, for the offsets and
// for the symbols. Where the planes are those of a sample of the symbols it compares each symbol with the
// sample.
//
// Nothing is masked: behind a sequence come its neighbours, behind the last one a symbol that occurs. The
// pair kernels look at the columns and rows that are valid.
#include "solvers/wavefront/batch/shared/records.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int least_bits = 2;         // lanes of a pair: a word of four symbols at least
constexpr int most_room = 36 * 1024;  // bytes; with the tile less than any block may have
constexpr int most_of_job = slots * (warp_size >> least_bits);

/// Where a block has the symbols of a pair, in bytes.
struct alignas(16) pair_in_room {
    word text, pattern;
    std::int32_t columns;
    std::int16_t lanes, more;  // lanes that have all their rows; rows that one more lane has
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

/// A side's symbols of the pairs of a block, in blocks of sixteen bytes.
struct stretch {
    const std::uint8_t* from;  // a multiple of 16
    index_t first;             // offset of the first symbol
    index_t low, high;         // of the batch's bytes, from `from` on
    word skew;                 // of the first symbol, in bytes
    int blocks;
    int whole, cut;  // blocks [whole, cut) have nothing but bytes of the batch

    __device__ stretch(const void* data, const index_t* offsets, index_t begin, index_t end, index_t count,
                       word behind) {
        first = offsets[begin];
        const auto* at = static_cast<const std::uint8_t*>(data) + first;
        skew = static_cast<word>(reinterpret_cast<std::uintptr_t>(at) & 15);
        from = at - skew;
        blocks = static_cast<int>((skew + static_cast<word>(offsets[end] - first) + behind + 15) / 16);
        low = offsets[0] - first + skew;
        high = offsets[count] - first + skew;
        whole = low > 0 ? 1 : 0;
        cut = static_cast<int>(min(high / 16, index_t{blocks}));
    }
    /// Begins to copy all blocks; those at an end of the batch are filled up.
    __device__ void copy(uint4* to, word filler) const {
        for (int i = static_cast<int>(threadIdx.x); i < blocks; i += pass_threads)
            if (i >= whole && i < cut)
                copy_later(to + i, from + index_t{16} * i);
            else
                to[i] = filled_up(i, filler);
    }

private:
    __device__ uint4 filled_up(int i, word filler) const {
        word of[4] = {filler, filler, filler, filler};
#pragma unroll 1
        for (int b = 0; b < 16; ++b) {
            const index_t at = index_t{16} * i + b;
            const word byte = at >= low && at < high ? from[at] : filler & 255;
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

/// What takes four symbols at a time into a record, and whether all were the sample's.
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
    __device__ void take(record_of<Planes>& to, word bytes) {
        word plane[Planes];
#pragma unroll
        for (int p = 0; p < Planes; ++p) {
            plane[p] = bytes >> position[p] & 0x01010101u;
            to.plane[p] = to.plane[p] >> 4 | (plane[p] * 0x10204080u & 0xf0000000u);
        }
        if constexpr (Sampled)  // exact modulo 2^32, whatever a product carries into the next byte
            wrong |=
                (plane[0] * term[1] + plane[1] * term[2] + (plane[0] & plane[1]) * term[3] + term[0]) ^ bytes;
    }
};

/// 2^Bits columns of each pair that shares a word.
template <int Bits, int Planes, bool Sampled>
__device__ __forceinline__ void take_text(reader<Planes, Sampled>& read, record_of<Planes>& to,
                                          const word* room, const pair_in_room* pairs, int chunk) {
    word valid = 0;
#pragma unroll
    for (int q = 0; q < warp_size >> Bits; ++q) {
        const pair_in_room p = pairs[q];
        const word at = p.text + (static_cast<word>(chunk) << Bits);
        const word* from = room + at / 4;
        word next = from[0];
#pragma unroll
        for (int u = 0; u < (1 << Bits) / 4; ++u) {
            const word low = next;
            next = from[u + 1];
            read.take(to, __funnelshift_r(low, next, 8 * (at & 3)));
        }
        valid |= bits_from(q << Bits, __viaddmin_s32_relu(p.columns, -(chunk << Bits), 1 << Bits));
    }
    to.plane[Planes] = valid;
}

/// The four bytes that begin at byte `at`.
__device__ __forceinline__ word word_at(const word* room, word at) {
    return __funnelshift_r(room[at / 4], room[at / 4 + 1], 8 * (at & 3));
}

/// Rows `row` to `row` + 3 of the lanes of each pair that shares a word, which are `rows` apart.
template <int Bits, int Planes, bool Sampled>
__device__ __forceinline__ void take_pattern(reader<Planes, Sampled>& read, record_of<Planes> (&to)[4],
                                             const word* room, const pair_in_room* pairs, int row, int rows) {
#pragma unroll
    for (int q = 0; q < warp_size >> Bits; ++q) {
        const pair_in_room p = pairs[q];
        word at = p.pattern + static_cast<word>(row);
#pragma unroll
        for (int lane = 0; lane < 1 << Bits; lane += 4) {
            word of_lane[4];
#pragma unroll
            for (int k = 0; k < 4; ++k, at += static_cast<word>(rows)) of_lane[k] = word_at(room, at);
            const word a = __byte_perm(of_lane[0], of_lane[1], 0x5140),
                       b = __byte_perm(of_lane[2], of_lane[3], 0x5140);
            const word c = __byte_perm(of_lane[0], of_lane[1], 0x7362),
                       d = __byte_perm(of_lane[2], of_lane[3], 0x7362);
            read.take(to[0], __byte_perm(a, b, 0x5410));
            read.take(to[1], __byte_perm(a, b, 0x7632));
            read.take(to[2], __byte_perm(c, d, 0x5410));
            read.take(to[3], __byte_perm(c, d, 0x7632));
        }
#pragma unroll
        for (int k = 0; k < 4; ++k)
            to[k].plane[Planes] |= bits_from(q << Bits, p.lanes + (row + k < p.more ? 1 : 0));
    }
}

/// The planes of all rows of eight threads.
template <int Planes, bool Sampled>
__device__ void encode_patterns(reader<Planes, Sampled>& read, word* to, const word* room,
                                const pair_in_room* pairs, int bits, int rows, word* tile) {
    constexpr int size = Planes + 1, fours = units / 4;  // of rows
    const int slot = static_cast<int>(threadIdx.x) / fours, row = static_cast<int>(threadIdx.x) % fours * 4;
    if (slot < slots && row < rows) {
        record_of<Planes> of_row[4];
        const pair_in_room* of = pairs + slot * (warp_size >> bits);
        if (bits == 2) take_pattern<2>(read, of_row, room, of, row, rows);
        if (bits == 3) take_pattern<3>(read, of_row, room, of, row, rows);
        if (bits == 4) take_pattern<4>(read, of_row, room, of, row, rows);
        if (bits == 5) take_pattern<5>(read, of_row, room, of, row, rows);
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int p = 0; p < size; ++p)
                if (row + k < rows) tile[((row + k) * size + p) * (slots + 1) + slot] = of_row[k].plane[p];
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < rows * size * slots; i += pass_threads)
        to[i / slots * warp_size + i % slots] = tile[i / slots * (slots + 1) + i % slots];
}

/// Of symbols that a pair may have behind its own: as many as its lanes and chunks reach, and a word.
word behind(const warp_task& t) {
    const int reach = t.rows > t.chunks ? t.rows : t.chunks;
    return (static_cast<word>(reach) << t.log2_lanes) + 8;
}

/// share: a pattern is short enough for size * share / 2^16 to be size / rows.
template <int Planes, bool Sampled>
__global__ void __launch_bounds__(pass_threads, Planes <= 3 ? 6 : 4)
    room_kernel(encoding e, int share, word reach) {
    extern __shared__ uint4 room_memory[];
    __shared__ pair_in_room pairs[most_of_job];
    __shared__ word tile[units * (Planes + 1) * (slots + 1)];
    const auto* room = reinterpret_cast<const word*>(room_memory);
    reader<Planes, Sampled> read(*e.found);
    const word filler = e.found->filler * 0x01010101u;
    constexpr int parts = warp_size / slots;
    const warp_task& like = e.tasks.alike;
    const int bits = like.log2_lanes, fields = warp_size >> bits, rows = like.rows;
    for (index_t job = blockIdx.x; job < e.tasks.count * parts; job += gridDim.x) {
        const index_t task = job / parts;
        const int first = static_cast<int>(job % parts) * slots;
        const index_t last = min((task + 1) * like.pair_count, e.tasks.pairs),
                      begin = task * like.pair_count + first * fields;
        const index_t some = min(begin, last - 1), end = min(some + slots * fields, last);
        const stretch a(e.input.a, e.input.a_offsets, some, end, e.input.count, reach);
        const stretch b(e.input.b, e.input.b_offsets, some, end, e.input.count, reach);
        __syncthreads();  // what the job before has read
        a.copy(room_memory, filler);
        b.copy(room_memory + a.blocks, filler);
        if (static_cast<int>(threadIdx.x) < slots * fields) {
            const index_t k = begin + static_cast<int>(threadIdx.x);
            pair_in_room p{};
            if (k < last) {
                const index_t x = e.input.a_offsets[k], y = e.input.b_offsets[k];
                const auto m = static_cast<std::int32_t>(e.input.a_offsets[k + 1] - x),
                           n = static_cast<std::int32_t>(e.input.b_offsets[k + 1] - y);
                const word of_a = a.skew + static_cast<word>(x - a.first),
                           of_b = 16 * static_cast<word>(a.blocks) + b.skew + static_cast<word>(y - b.first);
                const int size = min(m, n), lanes = size * share >> 16;
                p = {m <= n ? of_b : of_a, m <= n ? of_a : of_b, max(m, n), static_cast<std::int16_t>(lanes),
                     static_cast<std::int16_t>(size - lanes * rows)};
            }
            pairs[threadIdx.x] = p;
        }
        copies_are_there();
        __syncthreads();
        word* text = e.words + task * e.tasks.words + first;
        encode_records<Planes>(text, like.chunks, 3, warp_size, tile,
                               [&](int column, index_t chunk, record_of<Planes>& to) {
                                   const pair_in_room* of = pairs + column * fields;
                                   const auto c = static_cast<int>(chunk);
                                   if (bits == 2) take_text<2>(read, to, room, of, c);
                                   if (bits == 3) take_text<3>(read, to, room, of, c);
                                   if (bits == 4) take_text<4>(read, to, room, of, c);
                                   if (bits == 5) take_text<5>(read, to, room, of, c);
                               });
        encode_patterns(read, text + index_t{like.chunks} * (Planes + 1) * warp_size, room, pairs, bits, rows,
                        tile);
    }
    if (Sampled && read.wrong != 0) atomicOr(&e.found->wrong, 1u);
}

/// Bytes of both sides' symbols, of what is behind them, and of the words of 16 bytes that are cut.
index_t room_of(const warp_task& t) {
    const index_t of_pair = index_t{t.rows + t.chunks} << t.log2_lanes;
    return of_pair * slots * (warp_size >> t.log2_lanes) + 2 * (index_t{behind(t)} + 32);
}

template <bool Sampled, int Shape = 0>
void launch(const cuda::context& c, const encoding& e) {
    constexpr int planes = shapes[Shape].policy.planes;
    if constexpr (planes < 8 && !Sampled)
        if (e.shape != Shape) return launch<Sampled, Shape + 1>(c, e);
    const index_t wanted = e.tasks.count * (warp_size / slots);
    const auto blocks = static_cast<unsigned>(std::min(wanted, index_t{256} * c.multiprocessors()));
    const warp_task& like = e.tasks.alike;
    room_kernel<planes, Sampled>
        <<<blocks, pass_threads, static_cast<std::size_t>(room_of(like)), c.stream()>>>(
            e, 65535 / like.rows + 1, behind(like));
    cuda::check_launch();
}

}  // namespace

bool has_room(const pairs& input, const task_list& tasks) {
    const warp_task& t = tasks.alike;
    return input.bytes == 1 && input.queries == 0 && tasks.tasks == nullptr && t.strips == 1 &&
           t.log2_lanes >= least_bits && t.log2_lanes <= 5 && room_of(t) <= most_room;
}

void encode_in_room(const cuda::context& c, const encoding& e) {
    e.sampled ? launch<true>(c, e) : launch<false>(c, e);
}

}  // namespace wale::wavefront::batch
