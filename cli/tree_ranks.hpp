// tree_ranks - which systems, or which rows of one system, a rank solves, and how the solutions come
// together.
#pragma once

#include <utility>
#include <wale/buffer.hpp>
#include <wale/shared_systems.hpp>

namespace wale::cli {

class shared_systems {
public:
    /// `rows`: of the one system each rank has rows; else each rank has systems.
    shared_systems(const vector_shape& all, bool rows);
    /// This rank's part, and where it begins in an array of all.
    [[nodiscard]] const vector_shape& own() const { return own_; }
    [[nodiscard]] void* place(const memory& all) const { return place(all, share_); }
    /// Brings the parts of all ranks into `all` of the first rank. Collective.
    void gather(const memory& all) const;
    /// The first bad system of all ranks and its row, from this rank's; -1: none. Collective.
    [[nodiscard]] std::pair<index_t, index_t> first_bad(index_t system, index_t row) const;

private:
    [[nodiscard]] row_range share_of(int rank) const;
    [[nodiscard]] vector_shape shape_of(row_range share) const;
    [[nodiscard]] void* place(const memory& all, row_range share) const;

    vector_shape all_;
    bool rows_;
    row_range share_;
    vector_shape own_;
};

}  // namespace wale::cli
