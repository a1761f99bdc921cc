// runs - one chain cut into runs of rows, by its size alone: groups of `abreast` runs of one length, which
// the lanes of vectors take side by side, and what is left in runs of at most that length.
#pragma once

#include <algorithm>
#include <wale/ranks.hpp>

#include "solvers/tree/chains/shared/segment.hpp"
#include "solvers/tree/problem.hpp"

namespace wale::tree::partition {

struct cut {
    static constexpr index_t abreast = 16;  // a multiple of every vector's lanes
    static constexpr index_t block = 16;    // rows: likewise
    index_t size = 0, rows = 0, even = 0;   // of the chain; of a run; runs of that many rows

    cut(index_t size_of_chain, index_t about) : size(size_of_chain) {
        const index_t groups = std::max<index_t>(1, (size + abreast * about / 2) / (abreast * about));
        rows = size / (abreast * groups) / block * block;
        // An odd number of blocks: lanes of a power of two apart would meet in few sets of the cache.
        if (rows / block % 2 == 0) rows -= block;
        if (rows <= 0)
            rows = size;
        else
            even = abreast * groups;
    }
    [[nodiscard]] index_t runs() const {
        const index_t rest = size - even * rows;
        return even + (rest == 0 ? 0 : (rest + rows - 1) / rows);
    }
    /// The first run of rank r of `ranks`: groups stay whole, and the last rank has what is left.
    [[nodiscard]] index_t first_of(int r, int ranks) const {
        return r == ranks ? runs() : even / abreast * r / ranks * abreast;
    }
    [[nodiscard]] index_t begin(index_t run) const { return std::min(size, run * rows); }
    [[nodiscard]] index_t end(index_t run) const { return std::min(size, begin(run) + rows); }
};

/// One chain with its right side.
template <class T>
struct one_chain {
    bands<T> a;
    line<const T> right;
    line<T> solution;
    [[nodiscard]] row<T> operator[](index_t i) const { return {a.low(i), a.middle(i), a.up(i), right[i]}; }
    [[nodiscard]] bool contiguous() const {
        return a.lower.step == 1 && a.diagonal.step == 1 && a.upper.step == 1 && right.step == 1 &&
               solution.step == 1;
    }
};

/// cpu/partition of a chain of which each rank has its share of rows. Writes what the row writes.
void solve_shared(chain_job& job, const ranks& group);

/// As many runs of `rows` rows as a vector has lanes, the first from row `first` on.
template <class T>
struct bundle {
    one_chain<T> chain;
    index_t first, rows;
    bool pivoted;
};

/// sweeps.cpp: the lanes of vectors here, the runs' segments, and their unknowns. `segments`, `about`: of
/// each lane. `kept`: 3 x rows x lanes, aligned as vectors. reduce returns whether a pivot was bad.
[[nodiscard]] index_t bundle_lanes(scalar type);
bool reduce_bundle(const bundle<float>& b, segment<float>* segments);
bool reduce_bundle(const bundle<double>& b, segment<double>* segments);
void solve_bundle(const bundle<float>& b, const ends<float>* about, float* kept, bool stream);
void solve_bundle(const bundle<double>& b, const ends<double>* about, double* kept, bool stream);

}  // namespace wale::tree::partition
