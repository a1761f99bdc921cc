// sweep - the kernel: persistent blocks take tiles of neighbouring systems; a thread takes the rows of its
// chunk as they arrive in shared memory and loads those of the next tile into the same places.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstring>
#include <type_traits>

#include "solvers/tree/chains/cuda/thomas_one_pass/pivoted_chunk.cuh"
#include "solvers/tree/chains/cuda/thomas_one_pass/tree.cuh"
#include "solvers/tree/chains/cuda/thomas_one_pass/tuning.hpp"
#include "solvers/tree/cuda/places.cuh"
#include "solvers/tree/cuda/status.cuh"

namespace wale::tree::one_pass {

/// Of a launch, by value. low and up point at the elements that are meant in row 0 (problem.hpp: bands).
template <class T>
struct sweep_job {
    const T *low, *middle, *up, *rhs;
    T* solution;
    places at;
    index_t tiles;
    int chunks, ranks;    // of a block; blocks of a cluster
    unsigned* next_tile;  // null: no cluster has more than two
    device_status bad;
};

/// f.operator()<0>(), ..., f.operator()<Count - 1>()
template <int Count, int I = 0, class F>
__device__ void each(F&& f) {
    if constexpr (I < Count) {
        f.template operator()<I>();
        each<Count, I + 1>(f);
    }
}

template <class T, int Words>
struct alignas(sizeof(T) * Words) word_of {
    T part[Words];
};

/// A thread's rows of one system.
template <class T, const tile_policy& P>
using chunk_of =
    std::conditional_t<P.pivoted, pivoted_chunk<T, P.rows>, chunk<T, P.rows, P.lanes, !P.shared>>;

template <class T, int Row>
struct shape_of_sweep {
    static constexpr tile_policy tile = tiles[Row].policy;
    using word = word_of<T, tile.words>;
    using chunk_type = chunk_of<T, tiles[Row].policy>;
    using reduction = tree_of_chunks<T, typename chunk_type::ends, tile.words, tile.lanes>;
    /// Systems of a tile.
    static constexpr int width = tile.lanes * tile.words;
    static constexpr int arrays = 4;
    /// The ring; the numbers of rows that do not fit into registers; the reduction.
    static constexpr int ring_words = tile.ahead * arrays * tile.lanes;  // of a chunk
    static constexpr int number_words = tile.shared ? tile.rows * tile.lanes : 0;
    [[nodiscard]] static WALE_HD int ring_bytes(int chunks) {
        return chunks * ring_words * static_cast<int>(sizeof(word));
    }
    [[nodiscard]] static WALE_HD int number_bytes(int chunks) {
        return chunks * number_words * static_cast<int>(sizeof(word));
    }
    [[nodiscard]] static int bytes(int chunks, int ranks) {
        return ring_bytes(chunks) + number_bytes(chunks) +
               reduction::words(chunks, ranks) * static_cast<int>(sizeof(T));
    }
};

/// A thread's part of one tile.
struct part_of_tile {
    index_t element;  // where row 0 of its chunk lies
    bool present;     // its systems are there
};

/// The rows of a thread on their way: [chunks][ahead][4 arrays][lanes].
template <class T, int Row>
class row_ring {
    using shape = shape_of_sweep<T, Row>;
    using word = typename shape::word;
    static constexpr tile_policy tile = shape::tile;

public:
    __device__ row_ring(const sweep_job<T>& job, unsigned char* memory, const place_in_tile& at)
        : job_(&job),
          ring_(reinterpret_cast<word*>(memory) + at.chunk * shape::ring_words + at.lane),
          lane_(at.lane) {
        first_row_ = (at.rank * at.chunks + at.chunk) * tile.rows;
        rows_ = static_cast<int>(job.at.size) - first_row_;
        step_ = job.at.step();
    }
    /// The first system of this thread in a tile.
    [[nodiscard]] __device__ index_t system(index_t number) const {
        return (number * tile.lanes + lane_) * tile.words;
    }
    /// Beyond the last tile: nothing.
    [[nodiscard]] __device__ part_of_tile part(index_t number) const {
        const index_t first = system(number);
        if (first >= job_->at.count) return {0, false};
        return {job_->at.begin_of(first) + first_row_ * step_, true};
    }
    /// Asks for row j of the thread's chunk, and moves on: places that go from row to row need fewer
    /// registers than one for each row. Missing elements become 0; so do those that reach outside.
    __device__ void ask(part_of_tile& part, int j) const {
        const index_t element = part.element;
        part.element += step_;
        word* const to = ring_ + j % tile.ahead * (shape::arrays * tile.lanes);
        const bool inside = part.present && j < rows_;
        copy_async(to, job_->low + element, inside && first_row_ + j > 0);
        copy_async(to + tile.lanes, job_->middle + element, inside);
        copy_async(to + 2 * tile.lanes, job_->up + element, inside && j + 1 < rows_);
        copy_async(to + 3 * tile.lanes, job_->rhs + element, inside);
    }
    [[nodiscard]] __device__ word taken(int j, int array) const {
        return ring_[(j % tile.ahead * shape::arrays + array) * tile.lanes];
    }
    [[nodiscard]] __device__ bool inside(int j) const { return j < rows_; }
    [[nodiscard]] __device__ index_t row_of_system(int j) const { return first_row_ + min(j, rows_ - 1); }
    [[nodiscard]] __device__ index_t step() const { return step_; }

private:
    const sweep_job<T>* job_;
    word* ring_;
    index_t step_;
    int lane_, first_row_, rows_;
};

/// No thread reads it again soon.
template <class T, int Words>
__device__ void store(T* to, const word_of<T, Words>& value) {
    using whole = std::conditional_t<sizeof value == 4, int, long long>;
    static_assert(sizeof(whole) == sizeof value);
    whole bits;
    memcpy(&bits, &value, sizeof bits);
    __stcs(reinterpret_cast<whole*>(to), bits);
}

/// The tile after the next, by a counter: tiles in flight differ in speed. Read by one thread of the cluster,
/// published at the barriers of the reduction.
class tile_queue {
public:
    __device__ tile_queue(unsigned* next, int* answer, const place_in_tile& at)
        : next_(next), answer_(answer), leader_(threadIdx.x == 0 && at.rank == 0), ranks_(at.ranks) {}
    /// Asks long before it publishes the answer, which takes a microsecond.
    __device__ void ask() {
        if (leader_ && next_ != nullptr) number_ = static_cast<int>(atomicAdd(next_, 1u));
    }
    __device__ void publish() {
        odd_ = !odd_;
        if (!leader_) return;
        for (int k = 0; k < ranks_; ++k)
            *(ranks_ > 1 ? in_block(answer_ + odd_, k) : answer_ + odd_) = number_;
    }
    /// After a barrier of all blocks of the cluster.
    [[nodiscard]] __device__ index_t answer() const { return answer_[odd_]; }

private:
    unsigned* next_;
    int* answer_;
    bool leader_;
    int ranks_, number_ = 0;
    bool odd_ = false;
};

template <class T, int Row>
__global__ void __launch_bounds__(tiles[Row].policy.threads(), tiles[Row].policy.blocks)
    sweep(const __grid_constant__ sweep_job<T> job) {
    using shape = shape_of_sweep<T, Row>;
    constexpr int words = shape::tile.words, rows = shape::tile.rows, ahead = shape::tile.ahead;
    constexpr int lanes = shape::tile.lanes;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ int answer[2];
    const int thread = static_cast<int>(threadIdx.x);
    const place_in_tile at{thread % lanes, thread / lanes, job.chunks,
                           static_cast<int>(blockIdx.x) % job.ranks, job.ranks};
    row_ring<T, Row> ring(job, memory, at);
    unsigned char* const numbers = memory + shape::ring_bytes(at.chunks);
    typename shape::reduction reduction(reinterpret_cast<T*>(numbers + shape::number_bytes(at.chunks)), at);
    tile_queue queue(job.next_tile, answer, at);
    const index_t clusters = gridDim.x / static_cast<unsigned>(job.ranks);
    index_t current = blockIdx.x / static_cast<unsigned>(job.ranks), next = current + clusters;
    part_of_tile part = ring.part(current), coming = part;
    for (int j = 0; j < ahead; ++j) {
        ring.ask(coming, j);
        __pipeline_commit();
    }
    if (job.ranks > 1) cluster_barrier();  // the others' shared memory is there from here on
    while (current < job.tiles) {
        queue.ask();
        const part_of_tile following = ring.part(next);
        typename shape::chunk_type c[words];
        if constexpr (shape::tile.shared)
#pragma unroll
            for (int w = 0; w < words; ++w)
                c[w].constant.column =
                    reinterpret_cast<T*>(numbers) + (at.chunk * words + w) * shape::number_words + at.lane;
        each<rows>([&]<int J>() {
            __pipeline_wait_prior(ahead - 1);
            const auto low = ring.taken(J, 0), middle = ring.taken(J, 1), up = ring.taken(J, 2),
                       rhs = ring.taken(J, 3);
            if constexpr (J + ahead == rows) coming = following;
            ring.ask(coming, (J + ahead) % rows);
            __pipeline_commit();
#pragma unroll
            for (int w = 0; w < words; ++w)
                c[w].template add<J>(low.part[w], ring.inside(J) ? middle.part[w] : T(1), up.part[w],
                                     rhs.part[w]);
        });
        int bad_row[words];
#pragma unroll
        for (int w = 0; w < words; ++w) bad_row[w] = c[w].bad_row();
        queue.publish();
        const unsigned bad = reduction.run(c);
        index_t place = part.element + (rows - 1) * ring.step();
        each<rows>([&]<int Back>() {
            constexpr int j = rows - 1 - Back;
            typename shape::word x;
#pragma unroll
            for (int w = 0; w < words; ++w) x.part[w] = c[w].template take<j>();
            if (part.present && ring.inside(j)) store(job.solution + place, x);
            place -= ring.step();
        });
#pragma unroll
        for (int w = 0; w < words; ++w) {
            const int row = bad_row[w] < 0 && (bad >> w & 1u) != 0 ? rows - 1 : bad_row[w];
            if (row >= 0 && part.present) job.bad.note(ring.system(current) + w, ring.row_of_system(row));
        }
        current = next;
        next = 2 * clusters + queue.answer();
        part = following;
    }
    __pipeline_wait_prior(0);
}

}  // namespace wale::tree::one_pass
