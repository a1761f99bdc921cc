// agglomerate - groups grow cell by cell, in a front; then their faces are joined.
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace wale::euler {
namespace {

constexpr std::int32_t none = -1;

[[nodiscard]] double area_of(const mesh& m, index_t row) {
    const double* n = &m.normal[static_cast<std::size_t>(3 * row)];
    return std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}
[[nodiscard]] index_t first_row(const mesh& m, std::int32_t cell) {
    return m.first_face[static_cast<std::size_t>(cell)];
}

/// f(row, neighbour) for the faces to other cells.
template <class F>
void for_neighbours(const mesh& m, std::int32_t cell, F&& f) {
    for (index_t r = first_row(m, cell); r < first_row(m, cell + 1); ++r) {
        const std::int32_t other = m.neighbour[static_cast<std::size_t>(r)];
        if (!is_patch(other) && other != cell) f(r, other);
    }
}

class grower {
public:
    explicit grower(const mesh& fine)
        : fine_(fine),
          size_(fine.dimensions == 2 ? 4 : 8),
          group_(static_cast<std::size_t>(fine.cells()), none) {}

    /// The group of each cell, without gaps.
    [[nodiscard]] std::vector<std::int32_t> grown() {
        for (std::int32_t cell = 0; cell < fine_.cells(); ++cell) {
            front_.push_back(cell);
            for (; at_ < front_.size(); ++at_)
                if (group_[static_cast<std::size_t>(front_[at_])] == none) grow(front_[at_]);
        }
        return std::move(group_);
    }

private:
    struct candidate {
        std::int32_t cell;
        double shared;   // area with the group
        double surface;  // all its area
    };

    void grow(std::int32_t seed) {
        candidates_.clear();
        members_.clear();
        join(seed);
        while (std::ssize(members_) < size_ && !candidates_.empty()) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < candidates_.size(); ++i)
                if (candidates_[i].shared * candidates_[best].surface >
                    candidates_[best].shared * candidates_[i].surface)
                    best = i;
            const std::int32_t cell = candidates_[best].cell;
            candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
            join(cell);
        }
        for (const candidate& c : candidates_) front_.push_back(c.cell);
        if (2 * std::ssize(members_) > size_ || !give_away()) ++groups_;
    }

    void join(std::int32_t cell) {
        group_[static_cast<std::size_t>(cell)] = groups_;
        members_.push_back(cell);
        for_neighbours(fine_, cell, [&](index_t row, std::int32_t other) {
            if (group_[static_cast<std::size_t>(other)] != none) return;
            for (candidate& c : candidates_)
                if (c.cell == other) return void(c.shared += area_of(fine_, row));
            double surface = 0;
            for (index_t r = first_row(fine_, other); r < first_row(fine_, other + 1); ++r)
                surface += area_of(fine_, r);
            candidates_.push_back({other, area_of(fine_, row), surface});
        });
    }

    /// Gives the cells of a group that stayed small to the neighbour with which they share most; whether
    /// there is one.
    bool give_away() {
        std::int32_t to = none;
        double most = 0;
        for (const std::int32_t cell : members_)
            for_neighbours(fine_, cell, [&](index_t row, std::int32_t other) {
                const std::int32_t g = group_[static_cast<std::size_t>(other)];
                if (g == none || g == groups_ || !(area_of(fine_, row) > most)) return;
                most = area_of(fine_, row);
                to = g;
            });
        if (to == none) return false;
        for (const std::int32_t cell : members_) group_[static_cast<std::size_t>(cell)] = to;
        return true;
    }

    const mesh& fine_;
    std::ptrdiff_t size_;  // cells of a group
    std::vector<std::int32_t> group_, front_, members_;
    std::vector<candidate> candidates_;
    std::size_t at_ = 0;  // of the front
    std::int32_t groups_ = 0;
};

/// The faces of groups, one group after another.
class joiner {
public:
    joiner(const mesh& fine, coarse_grid& coarse) : fine_(fine), coarse_(coarse) {
        row_of_.assign(coarse.first_member.size() - 1 + fine.patches.size(), -1);
    }

    void join(std::int32_t group) {
        const auto g = static_cast<std::size_t>(group);
        double volume = 0;
        for (auto m = static_cast<std::size_t>(coarse_.first_member[g]);
             m < static_cast<std::size_t>(coarse_.first_member[g + 1]); ++m) {
            volume += fine_.volume[static_cast<std::size_t>(coarse_.members[m])];
            add_faces(coarse_.members[m], group);
        }
        mesh& to = coarse_.grid;
        to.volume.push_back(volume);
        for (const face& f : faces_) {
            row_of_[f.key] = -1;
            // Opposite faces cancel where a group is its neighbour's on both sides, across a periodic patch:
            // what is left is rounding.
            const double length = std::sqrt(f.n[0] * f.n[0] + f.n[1] * f.n[1] + f.n[2] * f.n[2]);
            if (!(length > 64 * std::numeric_limits<double>::epsilon() * f.area)) continue;
            to.neighbour.push_back(f.other);
            to.normal.insert(to.normal.end(), f.n.begin(), f.n.end());
        }
        faces_.clear();
        to.first_face.push_back(std::ssize(to.neighbour));
    }

private:
    struct face {
        std::int32_t other;
        std::size_t key;
        std::array<double, 3> n{};
        double area = 0;
    };

    void add_faces(std::int32_t cell, std::int32_t group) {
        for (index_t r = first_row(fine_, cell); r < first_row(fine_, cell + 1); ++r) {
            std::int32_t other = fine_.neighbour[static_cast<std::size_t>(r)];
            if (!is_patch(other)) other = coarse_.parent[static_cast<std::size_t>(other)];
            if (other == group) continue;
            const std::size_t key =
                is_patch(other) ? coarse_.first_member.size() - 1 + static_cast<std::size_t>(patch_of(other))
                                : static_cast<std::size_t>(other);
            if (row_of_[key] < 0) {
                row_of_[key] = std::ssize(faces_);
                faces_.push_back({other, key});
            }
            face& f = faces_[static_cast<std::size_t>(row_of_[key])];
            for (std::size_t d = 0; d < 3; ++d) f.n[d] += fine_.normal[static_cast<std::size_t>(3 * r) + d];
            f.area += area_of(fine_, r);
        }
    }

    const mesh& fine_;
    coarse_grid& coarse_;
    std::vector<std::ptrdiff_t> row_of_;  // [groups + patches] place in faces_, or -1
    std::vector<face> faces_;
};

/// `group`: of each cell of the finest grid.
std::vector<double> surfaces(const mesh& finest, const std::vector<std::int32_t>& group, index_t groups) {
    std::vector<double> all(static_cast<std::size_t>(groups));
    for (std::int32_t cell = 0; cell < finest.cells(); ++cell) {
        const std::int32_t own = group[static_cast<std::size_t>(cell)];
        for (index_t r = first_row(finest, cell); r < first_row(finest, cell + 1); ++r) {
            const std::int32_t other = finest.neighbour[static_cast<std::size_t>(r)];
            if (is_patch(other) || group[static_cast<std::size_t>(other)] != own)
                all[static_cast<std::size_t>(own)] += area_of(finest, r);
        }
    }
    return all;
}

}  // namespace

coarse_grid agglomerated(const mesh& fine) {
    coarse_grid coarse;
    coarse.parent = grower(fine).grown();
    std::int32_t groups = 0;
    for (const std::int32_t p : coarse.parent) groups = std::max(groups, p + 1);
    coarse.first_member.assign(static_cast<std::size_t>(groups) + 1, 0);
    for (const std::int32_t p : coarse.parent) ++coarse.first_member[static_cast<std::size_t>(p) + 1];
    for (std::size_t g = 1; g < coarse.first_member.size(); ++g)
        coarse.first_member[g] += coarse.first_member[g - 1];
    std::vector<index_t> next = coarse.first_member;
    coarse.members.resize(coarse.parent.size());
    for (std::size_t i = 0; i < coarse.parent.size(); ++i)
        coarse.members[static_cast<std::size_t>(next[static_cast<std::size_t>(coarse.parent[i])]++)] =
            static_cast<std::int32_t>(i);
    coarse.grid.dimensions = fine.dimensions;
    coarse.grid.patches = fine.patches;
    joiner faces(fine, coarse);
    for (std::int32_t g = 0; g < groups; ++g) faces.join(g);
    return coarse;
}

std::vector<coarse_grid> agglomerated_levels(const mesh& fine, int levels) {
    std::vector<coarse_grid> all;
    std::vector<std::int32_t> group(static_cast<std::size_t>(fine.cells()));
    std::iota(group.begin(), group.end(), 0);
    const mesh* finer = &fine;
    while (std::ssize(all) + 1 < levels && finer->cells() > 1) {
        coarse_grid next = agglomerated(*finer);
        if (next.grid.cells() == finer->cells() || next.grid.rows() == 0) break;
        for (std::int32_t& g : group) g = next.parent[static_cast<std::size_t>(g)];
        next.surface = surfaces(fine, group, next.grid.cells());
        all.push_back(std::move(next));
        finer = &all.back().grid;
    }
    return all;
}

}  // namespace wale::euler
