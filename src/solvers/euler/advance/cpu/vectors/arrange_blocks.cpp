// arrange_blocks - from a mesh to blocks: slots of faces, and the weights with which cells sum their
// neighbours to gradients.
#include <algorithm>
#include <limits>

#include "cpu/team.hpp"
#include "solvers/euler/advance/cpu/vectors/blocks.hpp"
#include "solvers/euler/advance/cpu/vectors/tuning.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"
#include "solvers/euler/advance/shocks.hpp"

namespace wale::euler {
namespace {

template <class T>
auto& at(T& values, index_t i) {
    return values[static_cast<std::size_t>(i)];
}

/// Gives slots to the faces of block after block.
template <class Real>
class slot_giver {
public:
    slot_giver(block_mesh<Real>& m, std::span<const std::int32_t> order, std::span<const std::int32_t> place)
        : m_(m), order_(order), place_(place) {
        m_.slot.assign(static_cast<std::size_t>(m_.first_row.back()), -1);
    }

    void give(cell_block& b) {
        b.first_group = groups();
        b.first_remote = std::ssize(m_.remotes);
        b.first_edge = std::ssize(m_.edges);
        faces_ = 0;
        for (index_t i = b.first; i < std::min(b.last, m_.cells); ++i) give_rows(b, i);
        b.last_group = groups();
        b.last_remote = std::ssize(m_.remotes);
        b.last_edge = std::ssize(m_.edges);
        const auto first = m_.edges.begin() + b.first_edge;
        b.first_open =
            std::stable_partition(first, m_.edges.end(),
                                  [this](const edge_face<Real>& e) {
                                      const euler_boundary kind = m_.grid.kinds[e.patch];
                                      return kind == euler_boundary::wall || kind == euler_boundary::symmetry;
                                  }) -
            m_.edges.begin();
        for (index_t e = b.first_edge; e < b.last_edge; ++e) {
            edge_face<Real>& edge = at(m_.edges, e);
            edge.slot =
                static_cast<std::int32_t>(2 * m_.lanes * (b.last_group - b.first_group) + e - b.first_edge);
            const index_t cell = order_[static_cast<std::size_t>(edge.place)];
            at(m_.slot, at(m_.first_row, edge.place) + edge.row - m_.grid.begin(cell)) = edge.slot;
        }
        m_.slots =
            std::max(m_.slots, 2 * m_.lanes * (b.last_group - b.first_group) + b.last_edge - b.first_edge);
    }

private:
    [[nodiscard]] index_t groups() const { return std::ssize(m_.faces) / (4 * m_.lanes); }

    void give_rows(const cell_block& b, index_t i) {
        const index_t cell = order_[static_cast<std::size_t>(i)], begin = m_.grid.begin(cell);
        for (index_t row = begin; row < m_.grid.end(cell); ++row) {
            const index_t own = at(m_.first_row, i) + row - begin;
            const std::int32_t other = m_.grid.neighbour(row);
            if (is_patch(other)) {
                Real n[3];
                m_.grid.normal(row, n);
                m_.edges.push_back({static_cast<std::int32_t>(i), 0, row, patch_of(other), facing_of(n)});
                continue;
            }
            if (at(m_.slot, own) >= 0) continue;  // given with the other side's
            const index_t there = at(place_, other);
            const index_t back = at(m_.first_row, there) + m_.grid.opposite(row) - m_.grid.begin(other);
            const std::int32_t first = new_face(row);
            at(m_.slot, own) = first;
            const auto second = static_cast<std::int32_t>(first + m_.lanes);
            if (there >= b.first && there < b.last)
                at(m_.slot, back) = second;
            else
                m_.remotes.push_back({static_cast<std::int32_t>(there), second, back});
        }
    }
    /// The slot of its first side.
    std::int32_t new_face(index_t row) {
        const index_t lane = faces_ % m_.lanes, group = faces_ / m_.lanes;
        if (lane == 0) m_.faces.resize(m_.faces.size() + static_cast<std::size_t>(4 * m_.lanes));
        ++faces_;
        Real n[3];
        m_.grid.normal(row, n);
        const facing<Real> face = facing_of(n);
        Real* const to = &*m_.faces.end() - 4 * m_.lanes + lane;
        for (index_t d = 0; d < 3; ++d) to[d * m_.lanes] = face.at[d];
        to[3 * m_.lanes] = face.area;
        return static_cast<std::int32_t>(2 * m_.lanes * group + lane);
    }

    block_mesh<Real>& m_;
    std::span<const std::int32_t> order_, place_;
    index_t faces_ = 0;  // of the block
};

/// The links of a range of places.
template <class Real>
class linker {
public:
    linker(const block_mesh<Real>& m, std::span<const std::int32_t> order,
           std::span<const std::int32_t> place, std::span<const std::int32_t> ghost)
        : m_(m), order_(order), place_(place), ghost_(ghost) {}

    std::vector<std::int32_t> counts, near_counts, to;
    std::vector<Real> weights;

    void add(index_t i) {
        const std::size_t before = to.size();
        here_.clear();
        equations_ = {};
        std::size_t near = 0;
        if (i < m_.cells) {
            const index_t cell = order_[static_cast<std::size_t>(i)];
            add_near(cell);
            near = here_.size();
            if (looks_further(m_.grid.end(cell) - m_.grid.begin(cell), m_.k)) add_far(i, cell, near);
            weigh();
        }
        for (const neighbour& n : here_) {
            to.push_back(n.to);
            if (m_.scheme.order == 2) weights.insert(weights.end(), n.weight, n.weight + m_.axes());
        }
        counts.push_back(static_cast<std::int32_t>(to.size() - before));
        near_counts.push_back(static_cast<std::int32_t>(near));
    }

private:
    struct neighbour {
        std::int32_t to;
        Real away[3];  // from the cell's centroid
        Real weight[3]{};
    };

    /// What is behind a row, if anything is seen there; values are not asked.
    [[nodiscard]] bool behind_row(index_t row, neighbour& found) const {
        const std::int32_t other = m_.grid.neighbour(row);
        if (m_.scheme.order == 1) {
            found = {is_patch(other) ? -1 : at(place_, other), {}};
            return !is_patch(other);
        }
        Real x[3], n[3], back[3];
        m_.grid.offset(row, x);
        if (is_patch(other)) {
            m_.grid.normal(row, n);
            const ghost<Real> g =
                ghost_of(m_.grid.kinds[patch_of(other)], m_.k.far, m_.grid.said[patch_of(other)], n, x, m_.k);
            found = {at(ghost_, row), {g.at[0], g.at[1], g.at[2]}};
            return g.seen;
        }
        m_.grid.offset(m_.grid.opposite(row), back);
        found = {at(place_, other), {x[0] - back[0], x[1] - back[1], x[2] - back[2]}};
        return true;
    }
    void add_near(index_t cell) {
        neighbour found;
        for (index_t row = m_.grid.begin(cell); row < m_.grid.end(cell); ++row)
            if (behind_row(row, found)) here_.push_back(found);
    }
    /// Neighbours' neighbours, in the order of cell_gradient().
    void add_far(index_t i, index_t cell, std::size_t near) {
        std::size_t next = 0;
        for (index_t row = m_.grid.begin(cell); row < m_.grid.end(cell); ++row) {
            const std::int32_t other = m_.grid.neighbour(row);
            neighbour found;
            if (is_patch(other)) {
                next += behind_row(row, found) ? 1 : 0;
                continue;
            }
            const neighbour through = here_[next++];
            for (index_t r = m_.grid.begin(other); r < m_.grid.end(other); ++r) {
                if (r == m_.grid.opposite(row) || !behind_row(r, found) || found.to == i) continue;
                for (int d = 0; d < 3; ++d) found.away[d] += through.away[d];
                here_.push_back(found);
            }
        }
        (void)near;
    }

    /// Weights: the inverse of the normal equations, column by column, times what differences count there.
    void weigh() {
        if (m_.scheme.order == 1) return;
        const primitives<Real> none{};
        for (const neighbour& n : here_) equations_.add(n.away, none, none);
        equations_.x[0] = equations_.y[1] = equations_.z[2] = 1;
        const gradient_of<Real> inverse = equations_.solved();
        for (neighbour& n : here_) {
            const Real square = n.away[0] * n.away[0] + n.away[1] * n.away[1] + n.away[2] * n.away[2];
            if (!(square > 0)) continue;
            for (int d = 0; d < 3; ++d)
                for (int e = 0; e < 3; ++e) n.weight[d] += inverse.at[e][d] * (n.away[e] / square);
        }
    }

    const block_mesh<Real>& m_;
    std::span<const std::int32_t> order_, place_, ghost_;
    std::vector<neighbour> here_;
    normal_equations<Real> equations_;
};

template <class Real>
void cut_blocks(block_mesh<Real>& m) {
    const blocks_policy chosen = chosen_blocks;
    const index_t even = (m.cells / chosen.parts + m.lanes - 1) / m.lanes * m.lanes;
    const index_t size = std::max(m.lanes, std::min((chosen.cells + m.lanes - 1) / m.lanes * m.lanes, even));
    for (index_t i = 0; i < m.places; i += size) {
        cell_block b{};
        b.first = i;
        b.last = std::min(i + size, m.places);
        m.blocks.push_back(b);
    }
}

template <class Real>
void copy_cells(block_mesh<Real>& m, std::span<const std::int32_t> order) {
    m.first_row.push_back(0);
    for (index_t i = 0; i < m.places; ++i) {
        const index_t cell = at(order, std::min(i, m.cells - 1));
        m.volume.push_back(m.grid.volume(cell));
        m.floor_.push_back(m.scheme.order == 2 ? limiter_floor(m.grid.volume(cell), m.k) : Real(0));
        for (index_t row = m.grid.begin(cell); i < m.cells && row < m.grid.end(cell); ++row) {
            Real x[3]{};
            if (m.scheme.order == 2) m.grid.offset(row, x);
            m.offset.insert(m.offset.end(), x, x + 3);
        }
        m.first_row.push_back(std::ssize(m.offset) / 3);
    }
}

/// ghost[row of the system]: its record.
template <class Real>
std::vector<std::int32_t> give_ghosts(block_mesh<Real>& m) {
    std::vector<std::int32_t> ghost(
        static_cast<std::size_t>(m.grid.cells > 0 ? m.grid.end(m.grid.cells - 1) : 0), -1);
    for (cell_block& b : m.blocks) {
        b.first_ghost = std::ssize(m.ghosts);
        for (index_t e = b.first_edge; m.scheme.order == 2 && e < b.last_edge; ++e) {
            const edge_face<Real>& edge = at(m.edges, e);
            Real n[3], x[3];
            m.grid.normal(edge.row, n);
            m.grid.offset(edge.row, x);
            if (!ghost_of(m.grid.kinds[edge.patch], m.k.far, m.grid.said[edge.patch], n, x, m.k).seen)
                continue;
            at(ghost, edge.row) = static_cast<std::int32_t>(m.places + std::ssize(m.ghosts));
            m.ghosts.push_back(edge);
        }
        b.last_ghost = std::ssize(m.ghosts);
    }
    m.records = m.places + std::ssize(m.ghosts);
    return ghost;
}

template <class Real>
void link_cells(block_mesh<Real>& m, std::span<const std::int32_t> order, std::span<const std::int32_t> place,
                std::span<const std::int32_t> ghost, int threads) {
    std::vector<linker<Real>> parts(static_cast<std::size_t>(threads), {m, order, place, ghost});
    cpu::run_team(threads, [&](int rank) {
        const share mine(m.places, rank, threads);
        for (index_t i = mine.first; i < mine.last; ++i) parts[static_cast<std::size_t>(rank)].add(i);
    });
    m.first_link.push_back(0);
    for (linker<Real>& p : parts) {
        for (const std::int32_t c : p.counts) m.first_link.push_back(m.first_link.back() + c);
        m.near_links.insert(m.near_links.end(), p.near_counts.begin(), p.near_counts.end());
        m.link.insert(m.link.end(), p.to.begin(), p.to.end());
        m.weight.insert(m.weight.end(), p.weights.begin(), p.weights.end());
        p.to = {};  // what was copied is freed before the next part is
        p.weights = {};
    }
}

}  // namespace

template <class Real>
block_mesh<Real> arranged_in_blocks(const flow_system& system, const plain_grid<Real>& grid,
                                    std::span<const std::int32_t> order, int threads) {
    block_mesh<Real> m;
    m.lanes = lanes_of<Real>();
    m.cells = std::ssize(order);
    m.places = (m.cells + m.lanes - 1) / m.lanes * m.lanes;
    m.k = constants_of<Real>(system);
    m.grid = grid;
    m.scheme = system.options.scheme;
    std::vector<std::int32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    copy_cells(m, order);
    cut_blocks(m);
    slot_giver<Real> slots(m, order, place);
    for (cell_block& b : m.blocks) slots.give(b);
    const std::vector<std::int32_t> ghost = give_ghosts(m);
    if (m.scheme.order == 2 || m.scheme.smoothing > 0) link_cells(m, order, place, ghost, threads);
    return m;
}
template block_mesh<float> arranged_in_blocks(const flow_system&, const plain_grid<float>&,
                                              std::span<const std::int32_t>, int);
template block_mesh<double> arranged_in_blocks(const flow_system&, const plain_grid<double>&,
                                               std::span<const std::int32_t>, int);

std::string why_not_blocks(const flow_system& system) {
    const euler_options& o = system.options;
    if (const std::string why = why_not_shared(o); !why.empty()) return why;
    if (lanes_of<float>() == 1) return "this processor, or this build of Highway, has no vectors";
    if (o.layout != euler_layout::automatic && o.layout != euler_layout::packed) return "keeps states packed";
    if (system.grid.rows() > std::numeric_limits<std::int32_t>::max() / 2) return "counts faces in 32 bits";
    return {};
}

}  // namespace wale::euler
