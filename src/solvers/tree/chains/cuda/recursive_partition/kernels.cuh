// kernels - a chain larger than the chip: every warp reduces tiles of rows to segments, blocks join segments
// in groups until one group is left, close it, and go the way back; the last pass reads the rows again.
// 9 words an unknown move through memory and a little more: 4 reads, then 4 reads and 1 write.
#pragma once

#include "solvers/tree/chains/cuda/recursive_partition/tuning.hpp"
#include "solvers/tree/chains/shared/tile.cuh"
#include "solvers/tree/chains/shared/tree.cuh"
#include "solvers/tree/cuda/status.cuh"

namespace wale::tree::partition {

/// The segments of one depth: `each` of every vector, `rows` rows in each but the last. Word w of a segment
/// lies in words[w all + segment]; the unknowns at its ends in first[segment] and last[segment].
template <class T>
struct level {
    static constexpr int segment_words = 10, words_each = segment_words + 2;
    T *words, *first, *last;
    index_t each, all, rows;

    __device__ void put(index_t k, const segment<T>& s) const {
        const T w[segment_words] = {s.head.before, s.head.first, s.head.last, s.head.after, s.head.right,
                                    s.tail.before, s.tail.first, s.tail.last, s.tail.after, s.tail.right};
#pragma unroll
        for (int i = 0; i < segment_words; ++i) words[i * all + k] = w[i];
    }
    __device__ segment<T> get(index_t k) const {
        const auto w = [&](int i) { return words[i * all + k]; };
        return {{w(0), w(1), w(2), w(3), w(4)}, {w(5), w(6), w(7), w(8), w(9)}};
    }
    /// The unknowns about segment k of a vector whose segments start at `base`.
    __device__ ends<T> about(index_t base, index_t k, bool periodic) const {
        const bool at_first = k == 0, at_last = k == each - 1;
        return {at_first ? (periodic ? last[base + each - 1] : T(0)) : last[base + k - 1], first[base + k],
                last[base + k], at_last ? (periodic ? first[base] : T(0)) : first[base + k + 1]};
    }
};

struct ignore {
    template <class... Any>
    __device__ void operator()(Any...) const {}
};

/// Notes pivots of one vector.
struct noting {
    device_status status;
    index_t system;
    template <class T>
    __device__ void operator()(T pivot, index_t row) const {
        if (is_bad(pivot)) status.note(system, row);
    }
};

/// A tile of one vector.
template <class T, int Rows>
struct tile_work {
    using tile_type = tile<T, 32, Rows>;
    index_t first;
    int count, lanes;  // rows of this lane; lanes that have any
    __device__ tile_work(index_t size, index_t number) : first(number * tile_type::height) {
        const index_t left = size - first;
        const int here = static_cast<int>(left < tile_type::height ? left : tile_type::height);
        count = min(max(here - static_cast<int>(threadIdx.x) * Rows, 0), Rows);
        lanes = (here + Rows - 1) / Rows;
    }
    [[nodiscard]] __device__ run_of_rows<T, tile_type> run(const tile_type& t) const {
        return {t, static_cast<int>(threadIdx.x), count};
    }
};

/// Blocks are columns of a grid, vectors its rows.
template <int Row, class How, class T>
__global__ void __launch_bounds__(32) reduce_tiles(chain_view<T> c, level<T> tiles, device_status status) {
    constexpr int rows = policies[Row].policy.run_bytes / static_cast<int>(sizeof(T));
    using work = tile_work<T, rows>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = static_cast<int>(threadIdx.x);
    const typename work::tile_type t(memory, lane);
    for (index_t vector = blockIdx.y; vector < c.count; vector += gridDim.y) {
        const chain<T> one = chain_at(c, vector);
        const noting note{status, c.first_system + vector / c.each};
        const auto start = [&](index_t number) {
#pragma unroll
            for (int k = 0; k < 4; ++k) t.load(k, one.of[k], number * work::tile_type::height);
            __pipeline_commit();
        };
        index_t number = blockIdx.x;
        start(number);
        while (number < tiles.each) {
            const work w(c.size, number);
            __pipeline_wait_prior(0);
            __syncwarp();
            t.set_corners(one, w.first, c.size);
            const index_t mine = w.first + index_t{lane} * rows;
            const segment<T> s = segment_of_run<How>(w.run(t), [&](T p, int j) { note(p, mine + j); });
            __syncwarp();
            const index_t next = number + gridDim.x;
            if (next < tiles.each) start(next);
            warp_tree<How, T, 5> tree;
            const segment<T> all = tree.up(s, lane, w.lanes, [&](T p, int at, bool right) {
                note(p, w.first + index_t{at} * rows - (right ? 0 : 1));
            });
            if (lane == 0) tiles.put(vector * tiles.each + number, all);
            number = next;
        }
    }
}

/// From the last tile to the first: the second-level cache still holds what was read last.
template <int Row, class How, class T>
__global__ void __launch_bounds__(32) solve_tiles(chain_view<T> c, level<T> tiles) {
    constexpr int rows = policies[Row].policy.run_bytes / static_cast<int>(sizeof(T));
    using work = tile_work<T, rows>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = static_cast<int>(threadIdx.x);
    const typename work::tile_type t(memory, lane);
    for (index_t row = blockIdx.y; row < c.count; row += gridDim.y) {
        const index_t vector = c.count - 1 - row;
        const chain<T> one = chain_at(c, vector);
        const auto start = [&](index_t number, int from, int to) {
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (k >= from && k < to) t.load(k, one.of[k], number * work::tile_type::height);
        };
        index_t number = tiles.each - 1 - blockIdx.x;
        start(number, 0, 4);
        __pipeline_commit();
        while (number >= 0) {
            const work w(c.size, number);
            const ends<T> about = tiles.about(vector * tiles.each, number, c.periodic);
            __pipeline_wait_prior(0);
            __syncwarp();
            t.set_corners(one, w.first, c.size);
            warp_tree<How, T, 5> tree;
            (void)tree.up(segment_of_run<How>(w.run(t), ignore{}), lane, w.lanes, ignore{});
            solve_run<How>(w.run(t), tree.down(about, lane, w.lanes));
            __syncwarp();
            const index_t next = number - gridDim.x;
            if (next >= 0) start(next, 0, 3);
            t.store(one.solution, one.step, w.first, c.size);
            __syncwarp();
            if (next >= 0) start(next, 3, 4);
            __pipeline_commit();
            number = next;
        }
    }
}

enum class stage {
    gather,  // a group's segment goes up
    close,   // the group is the whole chain
    spread   // the unknowns about the group come down
};

/// A block a group.
template <int Group, stage Stage, class How, class T>
__global__ void __launch_bounds__(Group)
    join_groups(level<T> parts, level<T> groups, chain_view<T> c, device_status status) {
    constexpr int group = Group;
    __shared__ segment<T> of_warps[group / 32];
    const auto each = static_cast<unsigned>(groups.each);
    const index_t vector = blockIdx.x / each, number = blockIdx.x % each;
    const index_t base = vector * parts.each, begin = number * group;
    const index_t left = parts.each - begin;
    const int used = static_cast<int>(left < group ? left : group), me = static_cast<int>(threadIdx.x);
    const noting note{status, c.first_system + vector / c.each};
    block_tree<How, T, group / 32> tree(of_warps);
    const segment<T> mine = me < used ? parts.get(base + begin + me) : segment<T>{};
    const segment<T> all = tree.up(mine, used, [&](T p, int at, bool right) {
        if (Stage != stage::spread) note(p, (begin + at) * parts.rows - (right ? 0 : 1));
    });
    if constexpr (Stage == stage::gather) {
        if (me == 0) groups.put(blockIdx.x, all);
        return;
    }
    ends<T> about;
    if constexpr (Stage == stage::close) {
        T pivots[2];
        about = close<How>(all, c.periodic, pivots);
        if (me == 0) {
            note(pivots[0], 0);
            note(pivots[1], c.size - 1);
        }
    } else {
        about = groups.about(vector * groups.each, number, c.periodic);
    }
    about = tree.down(about);
    if (me >= used) return;
    parts.first[base + begin + me] = about.first;
    parts.last[base + begin + me] = about.last;
}

}  // namespace wale::tree::partition
