// collectives - over all ranks: the least, the greatest, sums that no cut of the mesh changes; one cut for
// all.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "mpi/transport.hpp"
#include "solvers/euler/advance/shared/measure.hpp"
#include "solvers/euler/advance/shared/ranks/part.hpp"

namespace wale::euler {

/// For measure_by_team(): a rank's `cells`, and from their terms to those of all.
class rank_collectives {
public:
    rank_collectives(mpi::transport& t, index_t cells) : transport_(t), cells_(cells) {}

    [[nodiscard]] index_t count(const flow_system&) const { return cells_; }

    void combine_largest(std::array<double, cell_measure::sums>& largest) const {
        const auto all = mpi::gathered(transport_, largest);
        for (const auto& one : all)
            for (std::size_t s = 0; s < largest.size(); ++s) largest[s] = larger(largest[s], one[s]);
    }
    void combine_sums(std::array<base::wide_integer, cell_measure::sums>& sums) const {
        const auto all = mpi::gathered(transport_, sums);
        sums = {};
        for (const auto& one : all)
            for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += one[s];
    }
    [[nodiscard]] index_t combine_bad(index_t bad_cell) const {
        for (const index_t one : mpi::gathered(transport_, bad_cell)) bad_cell = lesser(bad_cell, one);
        return bad_cell;
    }

private:
    mpi::transport& transport_;
    index_t cells_;
};

[[nodiscard]] inline double least_of_all(mpi::transport& t, double own) {
    return std::ranges::min(mpi::gathered(t, own));
}

/// A case cut for ranks.
struct cut_case {
    std::vector<std::int32_t> owner;  // [cells] the rank of each
    mesh_part part;                   // this rank's
};
/// Throws rank_error unless all ranks hold the same system and state.
void demand_same_case(const advance_job& job);

/// All ranks take the cut of rank 0. A part's own cells lie in reverse Cuthill-McKee's order unless the case
/// asks for another. Throws rank_error unless all ranks hold the same system and state.
[[nodiscard]] cut_case cut_for_ranks(const advance_job& job, index_t lanes = 1);

/// To all ranks the states of all cells, in the system's order; `own` are this rank's, in that order too.
void gather_states(mpi::transport& t, std::span<const std::int32_t> owner, std::span<const euler_state> own,
                   std::span<euler_state> all);

/// The same from the part's records of `words` numbers, which begin with the state.
template <class Real>
void gather_part(mpi::transport& t, std::span<const std::int32_t> owner, const mesh_part& part,
                 const Real* records, index_t words, std::span<euler_state> all) {
    std::vector<index_t> in_order(static_cast<std::size_t>(part.owned));
    std::iota(in_order.begin(), in_order.end(), index_t{0});
    std::ranges::sort(in_order, {}, [&](index_t i) { return part.cells[static_cast<std::size_t>(i)]; });
    std::vector<euler_state> own(in_order.size());
    for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t v = 0; v < variables; ++v)
            own[i][v] = static_cast<double>(records[words * in_order[i] + static_cast<index_t>(v)]);
    gather_states(t, owner, own, all);
}

}  // namespace wale::euler
