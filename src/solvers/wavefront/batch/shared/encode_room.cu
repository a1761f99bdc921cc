// encode_room - the planes of alike pairs: a block copies the symbols of the pairs of eight threads, which
// lie side by side, into shared memory, those of its next job while it encodes this one, and offsets two jobs
// before. Where the planes are those of a sample of the symbols it compares each symbol with the sample.
//
// Nothing is masked: behind a sequence come its neighbours, behind the last one a symbol that occurs. The
// pair kernels look at the columns and rows that are valid.
#include "solvers/wavefront/batch/shared/room_copies.cuh"

namespace wale::wavefront::batch {
namespace {

constexpr int most_room = 36 * 1024;     // bytes; with the rest less than any block may have
constexpr int beside_rooms = 16 * 1024;  // bytes that the tile, offsets and places of pairs take at most

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
    /// The symbols are those of bits 4 * number to 4 * number + 3 of the record's words. Two planes: the top
    /// byte of a sum of products has four bits of each plane, and until finish() the record has such bytes,
    /// those of even numbers in its first word.
    __device__ void take(record_of<Planes>& to, word bytes, int number) {
        word plane[Planes];
#pragma unroll
        for (int p = 0; p < Planes; ++p) plane[p] = bytes >> position[p] & 0x01010101u;
        if constexpr (Planes == 2) {
            word& bytes_of_both = to.plane[number % 2];
            bytes_of_both =
                __byte_perm(bytes_of_both, plane[0] * 0x01020408u + plane[1] * 0x10204080u, 0x7321);
        } else {
#pragma unroll
            for (int p = 0; p < Planes; ++p)
                to.plane[p] = to.plane[p] >> 4 | (plane[p] * 0x10204080u & 0xf0000000u);
        }
        if constexpr (Sampled)  // exact modulo 2^32, whatever a product carries into the next byte
            wrong |=
                (plane[0] * term[1] + plane[1] * term[2] + (plane[0] & plane[1]) * term[3] + term[0]) ^ bytes;
    }
    /// After the last take() of a record.
    __device__ void finish(record_of<Planes>& to) const {
        if constexpr (Planes == 2) {
            constexpr word low = 0x0f0f0f0fu;
            const word even = to.plane[0], odd = to.plane[1];
            to.plane[0] = (even & low) | (odd << 4 & ~low);
            to.plane[1] = (even >> 4 & low) | (odd & ~low);
        }
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
            read.take(to, __funnelshift_r(low, next, 8 * (at & 3)), (q << Bits) / 4 + u);
        }
        valid |= bits_from(q << Bits, __viaddmin_s32_relu(p.columns, -(chunk << Bits), 1 << Bits));
    }
    read.finish(to);
    to.plane[Planes] = valid;
}

/// The four bytes that begin at byte `at`.
__device__ __forceinline__ word word_at(const word* room, word at) {
    return __funnelshift_r(room[at / 4], room[at / 4 + 1], 8 * (at & 3));
}

/// Rows `row` to `row` + 3 of lanes 8 * part to 8 * part + 7 of a word, which hold pairs of `bits` lanes
/// each; the lanes of a pair are `rows` apart. The upper bytes of the records' words get them.
template <int Planes, bool Sampled>
__device__ __forceinline__ void take_pattern(reader<Planes, Sampled>& read, record_of<Planes> (&to)[4],
                                             const word* room, const pair_in_room* pairs, int bits, int part,
                                             int row, int rows) {
#pragma unroll
    for (int four = 0; four < 2; ++four) {
        const int first = 8 * part + 4 * four, lane = first & ((1 << bits) - 1);
        const pair_in_room p = pairs[first >> bits];
        word at = p.pattern + static_cast<word>(row + lane * rows);
        word of_lane[4];
#pragma unroll
        for (int k = 0; k < 4; ++k, at += static_cast<word>(rows)) of_lane[k] = word_at(room, at);
        const word a = __byte_perm(of_lane[0], of_lane[1], 0x5140),
                   b = __byte_perm(of_lane[2], of_lane[3], 0x5140);
        const word c = __byte_perm(of_lane[0], of_lane[1], 0x7362),
                   d = __byte_perm(of_lane[2], of_lane[3], 0x7362);
        read.take(to[0], __byte_perm(a, b, 0x5410), four);
        read.take(to[1], __byte_perm(a, b, 0x7632), four);
        read.take(to[2], __byte_perm(c, d, 0x5410), four);
        read.take(to[3], __byte_perm(c, d, 0x7632), four);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            word& valid = to[k].plane[Planes];
            const int lanes = p.lanes + (row + k < p.more ? 1 : 0);
            valid = valid >> 4 | bits_from(28, __viaddmin_s32_relu(lanes, -lane, 4));
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) read.finish(to[k]);
}

/// The planes of all rows of eight threads. A thread of the block does four rows of a byte of the words.
template <int Planes, bool Sampled>
__device__ void encode_patterns(reader<Planes, Sampled>& read, word* to, const word* room,
                                const pair_in_room* pairs, int bits, int rows, word* tile) {
    constexpr int size = Planes + 1, fours = units / 4;  // of rows
    static_assert(4 * slots * fours == pass_threads);
    const auto thread = static_cast<int>(threadIdx.x);
    const int slot = thread / fours % slots, row = thread % fours * 4, part = thread / (fours * slots);
    if (row < rows) {
        record_of<Planes> of_row[4];
        take_pattern(read, of_row, room, pairs + slot * (warp_size >> bits), bits, part, row, rows);
        auto* const bytes = reinterpret_cast<std::uint8_t*>(tile);
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int p = 0; p < size; ++p)
                if (row + k < rows)
                    bytes[4 * (((row + k) * size + p) * (slots + 1) + slot) + part] =
                        static_cast<std::uint8_t>(of_row[k].plane[p] >> 24);
    }
    __syncthreads();
    for (int i = thread; i < rows * size * slots; i += pass_threads)
        to[i / slots * warp_size + i % slots] = tile[i / slots * (slots + 1) + i % slots];
}

/// Of symbols that a pair may have behind its own: as many as its lanes and chunks reach, and a word.
word behind(const warp_task& t) {
    const int reach = t.rows > t.chunks ? t.rows : t.chunks;
    return (static_cast<word>(reach) << t.log2_lanes) + 8;
}

/// What a block has in shared memory of its jobs.
struct block_of_rooms {
    const encoding& e;
    uint4* room;          // two, one after the other
    int blocks_of_room;   // of 16 bytes
    pair_in_room* pairs;  // of two jobs, one after the other
    const ends_of_side* all;
    int share;  // a pattern is short enough for size * share / 2^16 to be size / rows
    word reach, filler;

    /// Begins to copy the symbols of a job whose offsets are there.
    __device__ void copy(index_t number, int turn, const offsets_of_job& offsets) const {
        if (number >= e.tasks.count * (warp_size / slots)) return;
        const job_of_block job(e.tasks, number);
        const auto count = static_cast<int>(job.end - job.some);
        const stretch a(e.input.a, all[0], offsets.of[0][0], offsets.of[0][count], reach),
            b(e.input.b, all[1], offsets.of[1][0], offsets.of[1][count], reach);
        uint4* const to = room + turn * blocks_of_room;
        a.copy(to, filler);
        b.copy(to + a.blocks, filler);
        const warp_task& like = e.tasks.alike;
        const auto i = static_cast<int>(threadIdx.x);
        if (i >= slots * (warp_size >> like.log2_lanes)) return;
        pair_in_room p{};
        if (job.begin + i < job.last) {
            const index_t x = offsets.of[0][i], y = offsets.of[1][i];
            const auto m = static_cast<std::int32_t>(offsets.of[0][i + 1] - x),
                       n = static_cast<std::int32_t>(offsets.of[1][i + 1] - y);
            const word of_a = a.skew + static_cast<word>(x - a.first),
                       of_b = 16 * static_cast<word>(a.blocks) + b.skew + static_cast<word>(y - b.first);
            const int size = min(m, n), lanes = size * share >> 16;
            p = {m <= n ? of_b : of_a, m <= n ? of_a : of_b, max(m, n), static_cast<std::int16_t>(lanes),
                 static_cast<std::int16_t>(size - lanes * like.rows)};
        }
        pairs[turn * most_of_job + i] = p;
    }
};

/// Who does what: all threads of a block take part in each step of a job, and __syncthreads() is between what
/// one step writes and the next one reads. No block waits for another. In turn k the block begins to copy the
/// symbols of job k + 1 and the offsets of job k + 3, waits for what was begun in turn k - 1, and encodes job
/// k: the offsets of job k + 1 were begun in turn k - 2, and are there since turn k - 1. Where there is one
/// room only, the block copies the symbols of job k in turn k.
template <int Planes, bool Sampled>
__global__ void __launch_bounds__(pass_threads, Planes <= 3 ? 5 : 3)
    room_kernel(encoding e, int share, word reach, int blocks_of_room, bool two_rooms) {
    extern __shared__ uint4 room_memory[];
    __shared__ pair_in_room pairs[2 * most_of_job];
    __shared__ offsets_of_job offsets[3];
    __shared__ ends_of_side all[2];
    __shared__ word tile[units * (Planes + 1) * (slots + 1)];
    reader<Planes, Sampled> read(*e.found);
    if (threadIdx.x < 2) {
        const index_t* of = threadIdx.x == 0 ? e.input.a_offsets : e.input.b_offsets;
        all[threadIdx.x] = {of[0], of[e.input.count]};
    }
    const block_of_rooms rooms{e,   room_memory, blocks_of_room, pairs,
                               all, share,       reach,          e.found->filler * 0x01010101u};
    constexpr int parts = warp_size / slots;
    const warp_task& like = e.tasks.alike;
    const int bits = like.log2_lanes, fields = warp_size >> bits, rows = like.rows;
    const index_t step = gridDim.x, first_job = blockIdx.x;
    for (int k = 0; k < 2; ++k) offsets[k].copy(e, first_job + k * step);
    copies_end();
    copies_are_there<0>();
    __syncthreads();
    if (two_rooms) rooms.copy(first_job, 0, offsets[0]);
    offsets[2].copy(e, first_job + 2 * step);
    copies_end();
    int turn = 0, ring = 0;
    for (index_t number = first_job; number < e.tasks.count * parts; number += step) {
        const int next = ring == 2 ? 0 : ring + 1;
        if (two_rooms) {
            rooms.copy(number + step, turn ^ 1, offsets[next]);
        } else {
            rooms.copy(number, 0, offsets[ring]);
            copies_are_there<0>();
            __syncthreads();
        }
        offsets[ring].copy(e, number + 3 * step);
        copies_end();
        copies_are_there<1>();
        __syncthreads();
        const job_of_block job(e.tasks, number);
        const auto* room = reinterpret_cast<const word*>(room_memory + turn * blocks_of_room);
        const pair_in_room* of_job = pairs + turn * most_of_job;
        word* text = e.words + job.task * e.tasks.words + job.first;
        encode_records<Planes>(text, like.chunks, 3, warp_size, tile,
                               [&](int column, index_t chunk, record_of<Planes>& to) {
                                   const pair_in_room* of = of_job + column * fields;
                                   const auto c = static_cast<int>(chunk);
                                   if (bits == 2) take_text<2>(read, to, room, of, c);
                                   if (bits == 3) take_text<3>(read, to, room, of, c);
                                   if (bits == 4) take_text<4>(read, to, room, of, c);
                                   if (bits == 5) take_text<5>(read, to, room, of, c);
                               });
        encode_patterns(read, text + index_t{like.chunks} * (Planes + 1) * warp_size, room, of_job, bits,
                        rows, tile);
        if (two_rooms) turn ^= 1;
        ring = next;
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
    const warp_task& like = e.tasks.alike;
    const index_t blocks_of_room = (room_of(like) + 15) / 16;
    const bool two_rooms = 2 * 16 * blocks_of_room + beside_rooms <= c.facts().shared_per_block;
    const auto bytes = static_cast<std::size_t>((two_rooms ? 2 : 1) * 16 * blocks_of_room);
    const auto kernel = room_kernel<planes, Sampled>;
    cuda::launch_limits::permit(c, kernel, bytes);
    const index_t resident = cuda::launch_limits::blocks(c, kernel, pass_threads, bytes);
    const index_t jobs = e.tasks.count * (warp_size / slots);
    const auto blocks = static_cast<unsigned>(std::min(jobs, resident * c.multiprocessors()));
    kernel<<<blocks, pass_threads, bytes, c.stream()>>>(e, 65535 / like.rows + 1, behind(like),
                                                        static_cast<int>(blocks_of_room), two_rooms);
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
