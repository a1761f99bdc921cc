// rank_cells - whose cells a rank of Newton's method computes, and how it gets what it reads of others. Ranks
// have contiguous cells of the mesh's own numbering, whole pieces of ordered_sums each, so that every sum is
// made of the same pieces in the same order and has the bits of one process, and so have cycles.
#pragma once

#include <atomic>
#include <exception>
#include <utility>
#include <vector>

#include "mpi/transport.hpp"
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"
#include "solvers/euler/advance/shared/newton/blocks.hpp"
#include "solvers/euler/advance/shared/newton/sweep_levels.hpp"

namespace wale::euler {

using change_of_all = std::vector<balance>;  // [cells]

class rank_cells {
public:
    static constexpr index_t piece = 256;  // cells of a term of ordered_sums

    /// All cells, where the case has no ranks. Throws rank_error unless all ranks hold the same case.
    rank_cells(const advance_job& job, const sweep_levels& levels);
    rank_cells(const rank_cells&) = delete;
    rank_cells& operator=(const rank_cells&) = delete;

    [[nodiscard]] bool alone() const noexcept { return transport_ == nullptr; }
    [[nodiscard]] mpi::transport* transport() const noexcept { return transport_; }
    [[nodiscard]] index_t first() const noexcept { return first_; }
    [[nodiscard]] index_t count() const noexcept { return last_ - first_; }
    [[nodiscard]] bool has(index_t cell) const noexcept { return first_ <= cell && cell < last_; }
    /// A thread's share of these cells.
    [[nodiscard]] share of(const team_member& team) const {
        share s = team.of(count());
        s.first += first_;
        s.last += first_;
        return s;
    }
    /// Cells of others that residuals of these look at; those of them that are neighbours.
    [[nodiscard]] const std::vector<std::int32_t>& halo() const noexcept { return halo_; }
    [[nodiscard]] const std::vector<std::int32_t>& near() const noexcept { return near_; }
    /// Places in sweep_levels::cells of these cells in a level.
    [[nodiscard]] std::pair<index_t, index_t> in_level(index_t level) const {
        return levels_[static_cast<std::size_t>(level)];
    }

    /// By all threads of a team, which meet behind: what others have of the halo; of the neighbours in a
    /// level; of the terms of a sum.
    void fill(const team_member& team, change_of_all& values) { exchange(team, deep_, values); }
    void fill_level(const team_member& team, index_t level, change_of_all& values) {
        if (!alone()) exchange(team, by_level_[static_cast<std::size_t>(level)], values);
    }
    void gather(const team_member& team, std::vector<double>& pieces);
    /// To all ranks the states of all cells.
    void gather(change_of_all& states);

    /// Whether another rank failed this one: nothing is exchanged any more. The same on all threads behind a
    /// meeting.
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    /// Throws what the failure was.
    void pass_on() const {
        if (failed_) std::rethrow_exception(error_);
    }

private:
    struct peer {
        int rank;
        std::vector<std::int32_t> send, receive;  // cells
        std::vector<balance> out, in;
    };
    void exchange(const team_member& team, std::vector<peer>& peers, change_of_all& values);
    template <class F>
    void talk(F&& f);
    [[nodiscard]] std::vector<index_t> bytes_of_ranks(index_t bytes_of_piece, index_t bytes_of_cell) const;
    void cut(const flow_system& system, const sweep_levels& levels);

    mpi::transport* transport_;
    index_t cells_, first_ = 0, last_;
    std::vector<std::int32_t> halo_, near_;
    std::vector<std::pair<index_t, index_t>> levels_;
    std::vector<peer> deep_;
    std::vector<std::vector<peer>> by_level_;  // [levels] of neighbours
    std::atomic<bool> failed_ = false;
    std::exception_ptr error_;
};

}  // namespace wale::euler
