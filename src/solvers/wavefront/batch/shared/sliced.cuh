// sliced - the pair kernels: a warp does a task, its threads hold the rows of many pairs or of one in
// registers. No warp waits on another; the lanes of a pair follow each other one column apart (plan.cuh).
#pragma once

#include "solvers/wavefront/batch/shared/cells.cuh"
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {

struct sliced_work {
    request what;
    task_list tasks;
    const std::uint32_t* task_order;  // the longest work first; null where tasks are alike
    const word* wrong;                // not null: where set, the planes are of no use
    word* words;
};

/// A thread's place in its pair, and what it keeps from column to column beside the rows.
template <class Cells, int Planes>
struct stream_of_text {
    const word* text;  // of this thread's column of pairs
    word* carries;     // of the pair; first row's in, last row's out
    int columns;       // between words
    int chunks;
    int part;          // chunks that this thread is behind
    int bits;          // columns in a chunk
    word inner;        // lanes that follow another lane in this word
    word now[Planes];  // the symbol at each lane
    word next[Planes];
    word at_work;

    __device__ bool inside(int chunk) const { return chunk >= part && chunk - part < chunks; }
    __device__ index_t at(int chunk, int plane) const {
        return (index_t{chunk - part} * (Planes + 1) + plane) * columns;
    }
    __device__ void prefetch(int chunk) {
#pragma unroll
        for (int p = 0; p < Planes; ++p) next[p] = inside(chunk) ? text[at(chunk, p)] : 0;
    }
};

/// What enters and leaves a pair's group of threads where the pair has several strips of rows.
template <class Cells>
struct strip_border {
    bool first_thread, last_thread;
    bool read, write;  // this strip has one above, below
    word in[Cells::carries];
    word out[Cells::carries];

    __device__ void load(const word* carries, int chunk, int chunks) {
#pragma unroll
        for (int c = 0; c < Cells::carries; ++c)
            in[c] = read && chunk < chunks ? carries[index_t{chunk} * Cells::carries + c] : Cells::border(c);
    }
    /// The words between threads: the last row of the lane above in bit 31, for column `i` of a chunk.
    __device__ word above(int c, word leaving, int i) const {
        const word neighbour = __shfl_up_sync(0xffffffffu, leaving, 1);
        return first_thread ? in[c] << (31 - i) : neighbour;
    }
    /// The last lane is 32 * 32 - 1 columns behind the first: a word of its carries is full after column 30.
    __device__ void collect(const word* leaving, word* carries, int chunk, int i) {
#pragma unroll
        for (int c = 0; c < Cells::carries; ++c) out[c] = out[c] >> 1 | (leaving[c] & 0x80000000u);
        if (i != 30 || chunk < warp_size || !last_thread) return;
#pragma unroll
        for (int c = 0; c < Cells::carries; ++c)
            carries[index_t{chunk - warp_size} * Cells::carries + c] = out[c];
    }
};

/// The columns of one chunk. Edge: some lanes have not begun or are done.
template <bool Edge, bool Grouped, int Rows, class Cells, int Planes>
__device__ __forceinline__ void do_chunk(Cells& cells, stream_of_text<Cells, Planes>& s,
                                         strip_border<Cells>& border, const word (&pattern)[Planes][Rows],
                                         int chunk) {
    word coming[Planes];
#pragma unroll
    for (int p = 0; p < Planes; ++p) coming[p] = s.next[p];
    word working = Edge && s.inside(chunk) ? s.text[s.at(chunk, Planes)] : 0;
    s.prefetch(chunk + 1);
    if (Grouped) border.load(s.carries, chunk, s.chunks);
#pragma unroll 1
    for (int i = 0; i < s.bits; ++i) {
#pragma unroll
        for (int p = 0; p < Planes; ++p) {
            s.now[p] = select(s.inner, s.now[p] << 1, coming[p]);
            coming[p] >>= 1;
        }
        if (Edge) {
            s.at_work = select(s.inner, s.at_work << 1, working);
            working >>= 1;
        }
#pragma unroll
        for (int c = 0; c < Cells::carries; ++c) {
            if (Grouped)
                cells.leaving[c] = __funnelshift_l(border.above(c, cells.leaving[c], i), cells.leaving[c], 1);
            else
                cells.leaving[c] = select(s.inner, cells.leaving[c] << 1, Cells::border(c));
        }
#pragma unroll
        for (int k = 0; k < Rows; ++k) {
            word match = agree(Edge && Cells::masks_matches ? s.at_work : ~0u, pattern[0][k], s.now[0]);
#pragma unroll
            for (int p = 1; p < Planes; ++p) match = agree(match, pattern[p][k], s.now[p]);
            cells.template row<Edge>(k, match, s.at_work);
        }
        if (Grouped && border.write) border.collect(cells.leaving, s.carries, chunk, i);
    }
}

/// The lanes that follow another lane of their pair, where a pair has 2^log2_bits bits of a word.
__device__ inline word inner_lanes(int log2_bits) {
    constexpr word first[] = {0xffffffffu, 0x55555555u, 0x11111111u, 0x01010101u, 0x00010001u, 0x00000001u};
    word mask = first[0];
#pragma unroll
    for (int i = 1; i < 6; ++i)
        if (log2_bits == i) mask = first[i];
    return ~mask;
}

/// The whole of a task. Grouped: a pair has several threads.
template <template <int> class Family, int Planes, int Rows, bool Grouped>
__device__ __forceinline__ void do_task(const sliced_work& work, const warp_task& t) {
    using cells_type = Family<Rows>;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const int log2_bits = Grouped ? 5 : t.log2_lanes;
    const int log2_threads = Grouped ? t.log2_lanes - 5 : 0;
    const int group = 1 << log2_threads;

    stream_of_text<cells_type, Planes> s;
    s.columns = t.crossed ? 1 : warp_size >> log2_threads;
    s.chunks = t.chunks;
    s.part = lane & (group - 1);
    s.bits = 1 << log2_bits;
    s.inner = inner_lanes(log2_bits);
    word* base = work.words + t.offset;
    s.text = base + (t.crossed ? 0 : lane >> log2_threads);
    const word* patterns =
        (t.crossed ? work.words + t.patterns : base + index_t{t.chunks} * (Planes + 1) * s.columns) + lane;
    s.carries = base + index_t{t.chunks} * (Planes + 1) * s.columns +
                index_t{t.strips} * Rows * (Planes + 1) * warp_size;

    const int head = group;
    const int full = t.shortest >> log2_bits;  // chunks in which no lane of the first thread is done
    const int total = t.chunks + (t.log2_lanes == 0 ? 0 : group);
    word sum = 0;
    lane_counter counter;
    cells_type cells;
    for (int strip = 0; strip < t.strips; ++strip) {
        word pattern[Planes][Rows];
        const word* rows = patterns + index_t{strip} * Rows * (Planes + 1) * warp_size;
#pragma unroll
        for (int k = 0; k < Rows; ++k)
#pragma unroll
            for (int p = 0; p < Planes; ++p) pattern[p][k] = rows[(k * (Planes + 1) + p) * warp_size];
        strip_border<cells_type> border{};
        border.first_thread = s.part == 0;
        border.last_thread = s.part == group - 1;
        border.read = strip > 0;
        border.write = strip + 1 < t.strips;
        cells.start();
        s.at_work = 0;
#pragma unroll
        for (int p = 0; p < Planes; ++p) s.now[p] = 0;
        s.prefetch(0);
        for (int chunk = 0; chunk < total; ++chunk) {
            if (chunk >= head && chunk < full)
                do_chunk<false, Grouped>(cells, s, border, pattern, chunk);
            else
                do_chunk<true, Grouped>(cells, s, border, pattern, chunk);
        }
        counter = {};
#pragma unroll
        for (int k = 0; k < Rows; ++k) {
            word x;
            word y;
            cells.tally(k, rows[(k * (Planes + 1) + Planes) * warp_size], x, y);
            counter.add(x, y);
        }
        if (Grouped) {
            sum += counter.total(~0u);
            __syncwarp();  // the carries of this strip before they are read
        }
    }
    if (Grouped)
        for (int d = group / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);

    const int fields = warp_size >> log2_bits;  // pairs in a word
    const word field = s.bits == 32 ? ~0u : (1u << s.bits) - 1;
    if (s.part != 0) return;
    const auto first = static_cast<std::uint32_t>((lane >> log2_threads) * fields);
    const auto bounded = [&](word answer) {
        const auto found = static_cast<std::int32_t>(answer);
        const bool beyond = work.what.bound >= 0 && found > work.what.bound;
        return beyond ? static_cast<std::int32_t>(work.what.bound + 1) : found;
    };
    if (t.crossed) {
        const crossing& of = work.tasks.cross;
        for (int q = 0; q < fields && first + static_cast<word>(q) < t.pair_count; ++q) {
            const index_t k = index_t{t.first_pair} + first + q;
            if (work.what.input.mirrored && k < t.text) continue;  // of another text
            const word bits = Grouped ? sum : counter.total(field << (q * s.bits));
            const auto rows = static_cast<std::int32_t>(of.patterns[k + 1] - of.patterns[k]);
            store(work.what, of.patterns_are_a ? pair_numbers{k, t.text} : pair_numbers{t.text, k},
                  bounded(cells_type::answer(bits, {nullptr, nullptr, rows, t.shortest})));
        }
        return;
    }
    // Four pairs at a time: what is read of one pair does not wait for what is stored of the one before.
    for (int of_four = 0; of_four < fields; of_four += 4) {
        std::uint32_t number[4];
        pair sizes[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t local = first + static_cast<word>(of_four + i);
            const bool there = of_four + i < fields && local < t.pair_count;
            number[i] = there ? work.tasks.pair_number(t.first_pair + local) : ~0u;
            sizes[i] = there ? pair_at(work.what.input, number[i]) : pair{};
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (number[i] == ~0u) continue;
            const word bits = Grouped ? sum : counter.total(field << ((of_four + i) * s.bits));
            store(work.what, number[i], bounded(cells_type::answer(bits, sizes[i])));
        }
    }
}

/// do_task() for the rows that the task asks for.
template <template <int> class Family, int Shape, int I = 0>
__device__ __forceinline__ void find_rows(const sliced_work& work, const warp_task& t) {
    constexpr shape_policy shape = shapes[Shape].policy;
    if constexpr (I + 1 < most_shapes && shape.rows[I + 1] > 0)
        if (t.rows_index != I) return find_rows<Family, Shape, I + 1>(work, t);
    if constexpr (shape.rows[I] <= shape.most_grouped)
        if (t.log2_lanes > 5) return do_task<Family, shape.planes, shape.rows[I], true>(work, t);
    do_task<Family, shape.planes, shape.rows[I], false>(work, t);
}

/// All tasks of a batch in one launch, whatever their rows, so that the device drains once and not for every
/// class. Registers are those of the largest form.
template <template <int> class Family, int Shape>
__global__ void __launch_bounds__(most_threads, shapes[Shape].policy.warps) sliced_kernel(sliced_work work) {
    const index_t number = (index_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_size;
    if (number >= work.tasks.count) return;  // a whole warp
    if (work.wrong != nullptr && *work.wrong != 0) return;
    const warp_task t = work.tasks.at(work.task_order == nullptr ? number : work.task_order[number]);
    if (t.crossed && work.what.input.mirrored && index_t{t.first_pair} + t.pair_count <= t.text) return;
    find_rows<Family, Shape>(work, t);
}

template <template <int> class Family>
void launch_sliced(const cuda::context& c, int shape, int threads, const sliced_work& work) {
    const index_t warps = threads / warp_size;
    const auto blocks = static_cast<unsigned>((work.tasks.count + warps - 1) / warps);
    [&]<int... S>(std::integer_sequence<int, S...>) {
        ((shape == S
              ? sliced_kernel<Family, S><<<blocks, static_cast<unsigned>(threads), 0, c.stream()>>>(work)
              : void()),
         ...);
    }
    (std::make_integer_sequence<int, shape_count>{});
    cuda::check_launch();
}

void launch_edit(const cuda::context&, int shape, int threads, const sliced_work&);  // edit.cu
void launch_lcs(const cuda::context&, int shape, int threads, const sliced_work&);   // lcs.cu

}  // namespace wale::wavefront::batch
