// rank_cells - see rank_cells.hpp.
#include "solvers/euler/advance/shared/newton/rank_cells.hpp"

#include <algorithm>
#include <numeric>

#include "solvers/euler/advance/shared/ranks/collectives.hpp"

namespace wale::euler {
namespace {

/// The first cell of a rank: whole pieces, shared out evenly.
index_t first_of(int rank, int ranks, index_t cells) {
    const index_t pieces = (cells + rank_cells::piece - 1) / rank_cells::piece;
    return std::min(cells, pieces * rank / ranks * rank_cells::piece);
}

}  // namespace

rank_cells::rank_cells(const advance_job& job, const sweep_levels& levels)
    : transport_(job.system->options.group.transport()), cells_(job.system->cells()), last_(cells_) {
    if (!alone()) {
        demand_same_case(job);
        first_ = first_of(transport_->rank(), transport_->size(), cells_);
        last_ = first_of(transport_->rank() + 1, transport_->size(), cells_);
        cut(*job.system, levels);
    }
    // A level's cells are in the mesh's own order.
    for (index_t l = 0; l < levels.count(); ++l) {
        const auto begin = levels.cells.begin() + levels.first[static_cast<std::size_t>(l)];
        const auto end = levels.cells.begin() + levels.first[static_cast<std::size_t>(l) + 1];
        if (alone())
            levels_.emplace_back(begin - levels.cells.begin(), end - levels.cells.begin());
        else
            levels_.emplace_back(std::lower_bound(begin, end, first_) - levels.cells.begin(),
                                 std::lower_bound(begin, end, last_) - levels.cells.begin());
    }
}

void rank_cells::cut(const flow_system& system, const sweep_levels& levels) {
    std::vector<std::int32_t> owner(static_cast<std::size_t>(cells_)), order(owner.size());
    std::iota(order.begin(), order.end(), 0);
    for (int r = 0; r < transport_->size(); ++r)
        std::fill(owner.begin() + first_of(r, transport_->size(), cells_),
                  owner.begin() + first_of(r + 1, transport_->size(), cells_), r);
    const auto peers_of = [&](int layers, std::vector<std::int32_t>& halo) {
        const mesh_part part = cut_part(system.grid, owner, order, transport_->rank(), layers);
        halo.assign(part.cells.begin() + part.padded, part.cells.end());
        std::vector<peer> peers;
        for (const mesh_part::peer& p : part.peers) {
            peer& own = peers.emplace_back(peer{p.rank, p.send, p.receive, {}, {}});
            for (auto* list : {&own.send, &own.receive})
                for (std::int32_t& cell : *list) cell = part.cells[static_cast<std::size_t>(cell)];
            own.out.resize(own.send.size());
            own.in.resize(own.receive.size());
        }
        return peers;
    };
    deep_ = peers_of(layers_of(system), halo_);
    const std::vector<peer> neighbours = peers_of(1, near_);
    for (index_t l = 0; l < levels.count(); ++l) {
        std::vector<peer>& peers = by_level_.emplace_back();
        for (const peer& all : neighbours) {
            peer p{all.rank, {}, {}, {}, {}};
            const auto take = [&](const std::vector<std::int32_t>& from, std::vector<std::int32_t>& to) {
                std::ranges::copy_if(from, std::back_inserter(to), [&](std::int32_t cell) {
                    return levels.level[static_cast<std::size_t>(cell)] == l;
                });
            };
            take(all.send, p.send);
            take(all.receive, p.receive);
            p.out.resize(p.send.size());
            p.in.resize(p.receive.size());
            if (!p.send.empty() || !p.receive.empty()) peers.push_back(std::move(p));
        }
    }
}

template <class F>
void rank_cells::talk(F&& f) {
    if (failed_) return;
    try {
        f();
    } catch (...) {
        error_ = std::current_exception();
        failed_ = true;
    }
}

/// Who does what: the first thread sends and receives, the others wait for it at the barrier, which is
/// bounded, as is the transport's wait. It cannot deadlock: all ranks pass the same exchanges in the same
/// order, and a rank that fails ends the others' waits.
void rank_cells::exchange(const team_member& team, std::vector<peer>& peers, change_of_all& values) {
    if (alone()) return;
    if (team.rank == 0)
        talk([&] {
            constexpr auto size = static_cast<index_t>(sizeof(balance));
            for (peer& p : peers) {
                for (std::size_t i = 0; i < p.send.size(); ++i)
                    p.out[i] = values[static_cast<std::size_t>(p.send[i])];
                if (!p.in.empty()) transport_->receive(p.rank, p.in.data(), size * std::ssize(p.in));
                if (!p.out.empty()) transport_->send(p.rank, p.out.data(), size * std::ssize(p.out));
            }
            transport_->finish();
            for (const peer& p : peers)
                for (std::size_t i = 0; i < p.receive.size(); ++i)
                    values[static_cast<std::size_t>(p.receive[i])] = p.in[i];
        });
    team.meet.wait();
}

/// Of ranks whose pieces have so many bytes, and all cells' so many.
std::vector<index_t> rank_cells::bytes_of_ranks(index_t bytes_of_piece, index_t bytes_of_cell) const {
    std::vector<index_t> bytes;
    for (int r = 0; r < transport_->size(); ++r) {
        const index_t from = first_of(r, transport_->size(), cells_);
        const index_t to = first_of(r + 1, transport_->size(), cells_);
        bytes.push_back((to - from + piece - 1) / piece * bytes_of_piece + (to - from) * bytes_of_cell);
    }
    return bytes;
}

void rank_cells::gather(const team_member& team, std::vector<double>& pieces) {
    if (alone()) return;
    if (team.rank == 0)
        talk([&] {
            const std::vector<double> own(pieces.begin() + first_ / piece,
                                          pieces.begin() + (last_ + piece - 1) / piece);
            transport_->gather(own.data(), bytes_of_ranks(sizeof(double), 0), pieces.data());
        });
    team.meet.wait();
}

void rank_cells::gather(change_of_all& states) {
    if (alone()) return;
    talk([&] {
        const change_of_all own(states.begin() + first_, states.begin() + last_);
        transport_->gather(own.data(), bytes_of_ranks(0, sizeof(balance)), states.data());
    });
    pass_on();
}

}  // namespace wale::euler
