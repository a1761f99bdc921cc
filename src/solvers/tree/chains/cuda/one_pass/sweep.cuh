// sweep - the kernel: persistent blocks take tiles of neighbouring systems; a thread takes the rows of its
// chunk as they arrive in shared memory and asks for those of the next tile in the room that it has emptied.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "solvers/tree/chains/cuda/one_pass/reduce.cuh"
#include "solvers/tree/chains/cuda/one_pass/reduce_pivoted.cuh"
#include "solvers/tree/chains/cuda/one_pass/tuning.hpp"
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
    int chunks, ranks;  // of a block; blocks of a cluster
    unsigned* next_tile;
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

/// What differs between the two kinds of elimination.
template <class T, int Words, int Rows, bool Pivoted>
struct kind {
    using chunk_type = chunk<T, Rows>;
    using reduction_type = reduction<T, Words>;
};
template <class T, int Words, int Rows>
struct kind<T, Words, Rows, true> {
    using chunk_type = pivoted_chunk<T, Rows>;
    using reduction_type = pivoted_reduction<T, Words>;
};

template <class T, int Row>
struct shape_of_sweep {
    static constexpr tile_policy tile = tiles[Row].policy;
    using word = word_of<T, tile.words>;
    using kinds = kind<T, tile.words, tile.rows, tiles[Row].policy.pivoted>;
    /// Systems of a tile.
    static constexpr int width = tile.lanes * tile.words;
    static constexpr int arrays = 4;
    [[nodiscard]] static int bytes(int chunks, int ranks) {
        const int threads = chunks * tile.lanes;
        return tile.ahead * arrays * threads * static_cast<int>(sizeof(word)) +
               kinds::reduction_type::words(threads, tile.lanes, ranks) * static_cast<int>(sizeof(T));
    }
};

/// A thread's part of one tile.
struct part_of_tile {
    index_t element;  // where row 0 of its chunk lies
    int bytes;        // of a word that belong to a system
};

/// The rows of a thread on their way: [ahead][4 arrays][threads].
template <class T, int Row>
class row_ring {
    using shape = shape_of_sweep<T, Row>;
    using word = typename shape::word;
    static constexpr tile_policy tile = shape::tile;

public:
    __device__ row_ring(const sweep_job<T>& job, unsigned char* room, const place_in_tile& at)
        : job_(&job), room_(reinterpret_cast<word*>(room) + at.thread), threads_(at.threads), lane_(at.lane) {
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
        const index_t first = system(number), there = min(index_t{tile.words}, job_->at.count - first);
        if (there <= 0) return {0, 0};
        return {job_->at.begin_of(first) + first_row_ * step_, static_cast<int>(there * sizeof(T))};
    }
    /// Asks for row j of the thread's chunk. Missing elements become 0; so do those that reach outside.
    __device__ void ask(const part_of_tile& part, int j) const {
        const index_t element = part.element + j * step_;
        const int bytes = j < rows_ ? part.bytes : 0;
        word* const to = room_ + j % tile.ahead * (shape::arrays * threads_);
        copy(to, job_->low + element, first_row_ + j > 0 ? bytes : 0);
        copy(to + threads_, job_->middle + element, bytes);
        copy(to + 2 * threads_, job_->up + element, j + 1 < rows_ ? bytes : 0);
        copy(to + 3 * threads_, job_->rhs + element, bytes);
    }
    [[nodiscard]] __device__ word taken(int j, int array) const {
        return room_[(j % tile.ahead * shape::arrays + array) * threads_];
    }
    [[nodiscard]] __device__ bool inside(int j) const { return j < rows_; }
    [[nodiscard]] __device__ index_t row_of_system(int j) const { return first_row_ + min(j, rows_ - 1); }
    [[nodiscard]] __device__ index_t element(const part_of_tile& part, int j) const {
        return part.element + j * step_;
    }

private:
    __device__ void copy(word* to, const T* from, int bytes) const {
        // an address is needed even where nothing is read
        __pipeline_memcpy_async(to, bytes > 0 ? from : job_->rhs, sizeof(word), sizeof(word) - bytes);
    }
    const sweep_job<T>* job_;
    word* room_;
    index_t step_;
    int threads_, lane_, first_row_, rows_;
};

/// Writes what `value` holds, as far as it belongs to a system.
template <class T, int Words>
__device__ void store(T* to, const word_of<T, Words>& value, int bytes) {
    if (bytes == sizeof value) {
        *reinterpret_cast<word_of<T, Words>*>(to) = value;
        return;
    }
#pragma unroll
    for (int w = 0; w < Words; ++w)
        if (w * static_cast<int>(sizeof(T)) < bytes) to[w] = value.part[w];
}

/// The tile after the next, by a counter: tiles in flight differ in speed. Read by one thread of the cluster,
/// told to all at the barriers of the reduction.
class tile_queue {
public:
    __device__ tile_queue(unsigned* next, int* told, const place_in_tile& at)
        : next_(next), told_(told), leader_(at.thread == 0 && at.rank == 0), ranks_(at.ranks) {}
    __device__ void tell() {
        odd_ = !odd_;
        if (!leader_) return;
        const int number = static_cast<int>(atomicAdd(next_, 1u));
        for (int k = 0; k < ranks_; ++k) *(ranks_ > 1 ? in_block(told_ + odd_, k) : told_ + odd_) = number;
    }
    /// After a barrier of all blocks of the cluster.
    [[nodiscard]] __device__ index_t told() const { return told_[odd_]; }

private:
    unsigned* next_;
    int* told_;
    bool leader_;
    int ranks_;
    bool odd_ = false;
};

template <class T, int Row>
__global__ void __launch_bounds__(tiles[Row].policy.threads(), tiles[Row].policy.blocks)
    sweep(const __grid_constant__ sweep_job<T> job) {
    using shape = shape_of_sweep<T, Row>;
    constexpr int words = shape::tile.words, rows = shape::tile.rows, ahead = shape::tile.ahead;
    constexpr int lanes = shape::tile.lanes;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ int told[2];
    const int thread = static_cast<int>(threadIdx.x);
    const place_in_tile at{thread,
                           thread % lanes,
                           thread / lanes,
                           job.chunks * lanes,
                           lanes,
                           job.chunks,
                           static_cast<int>(blockIdx.x) % job.ranks,
                           job.ranks};
    row_ring<T, Row> ring(job, memory, at);
    typename shape::kinds::reduction_type reduction(
        reinterpret_cast<T*>(memory + ahead * shape::arrays * at.threads * sizeof(typename shape::word)), at);
    tile_queue queue(job.next_tile, told, at);
    const index_t clusters = gridDim.x / static_cast<unsigned>(job.ranks);
    index_t current = blockIdx.x / static_cast<unsigned>(job.ranks), next = current + clusters;
    part_of_tile part = ring.part(current);
    for (int j = 0; j < ahead; ++j) {
        ring.ask(part, j);
        __pipeline_commit();
    }
    if (job.ranks > 1) cluster_barrier();  // the others' shared memory is there from here on
    while (current < job.tiles) {
        queue.tell();
        const part_of_tile following = ring.part(next);
        typename shape::kinds::chunk_type c[words];
        each<rows>([&]<int J>() {
            __pipeline_wait_prior(ahead - 1);
            const auto low = ring.taken(J, 0), middle = ring.taken(J, 1), up = ring.taken(J, 2),
                       rhs = ring.taken(J, 3);
            if constexpr (J + ahead < rows)
                ring.ask(part, J + ahead);
            else
                ring.ask(following, J + ahead - rows);
            __pipeline_commit();
#pragma unroll
            for (int w = 0; w < words; ++w)
                c[w].template add<J>(low.part[w], ring.inside(J) ? middle.part[w] : T(1), up.part[w],
                                     rhs.part[w]);
        });
        reduction.run(c);
        each<rows>([&]<int Back>() {
            constexpr int j = rows - 1 - Back;
            typename shape::word x;
#pragma unroll
            for (int w = 0; w < words; ++w) x.part[w] = c[w].template take<j>();
            if (ring.inside(j)) store(job.solution + ring.element(part, j), x, part.bytes);
        });
#pragma unroll
        for (int w = 0; w < words; ++w)
            if (c[w].bad_row >= 0 && ring.system(current) + w < job.at.count)
                job.bad.note(ring.system(current) + w, ring.row_of_system(c[w].bad_row));
        current = next;
        next = 2 * clusters + queue.told();
        part = following;
    }
    __pipeline_wait_prior(0);
}

}  // namespace wale::tree::one_pass
