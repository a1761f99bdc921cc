// plan - parts, pairs, slots, halos: see plan.hpp.
#include "solvers/euler/advance/cuda/resident/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <wale/error.hpp>

#include "cpu/team.hpp"
#include "mesh/graph.hpp"
#include "solvers/euler/advance/cuda/resident/pairing.hpp"

namespace wale::euler::resident {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Two cells of a part, or one; by their places among the part's cells.
struct pair_of_cells {
    std::int32_t a, b = -1;
    index_t shared = no_row;  // of the mesh, as a's
};

/// What is known of one part while the plan is made.
struct part_plan {
    std::vector<std::int32_t> cells;  // of the mesh, ascending
    std::vector<pair_of_cells> pairs;
    std::vector<std::int32_t> groups;  // where groups of pairs end: those that see most of other parts first
};

class planner {
public:
    planner(const mesh& m, std::span<const std::int32_t> part, std::span<const int> constant_of_patch,
            const plan_shape& shape)
        : m_(m),
          graph_(m),
          part_(part),
          constant_of_patch_(constant_of_patch),
          parts_(at(shape.parts)),
          local_(part.size()),
          slot_(part.size()) {
        plan_.shape = shape;
        plan_.halo_slot = 2 * shape.pairs + shape.constants;
        const std::size_t pairs = at(shape.parts) * at(shape.pairs);
        plan_.cell.assign(2 * pairs, -1);
        plan_.row.assign(pair_faces * pairs, no_row);
        plan_.slot.assign(pair_faces * pairs, 0);
        plan_.talking.assign(at(shape.parts), 0);
        plan_.halo.assign(at(shape.parts) + 1, 0);
        plan_.post.assign(2 * pairs + 1, 0);
    }

    plan run() {
        for (std::size_t c = 0; c < part_.size(); ++c) {
            std::vector<std::int32_t>& cells = parts_[at(part_[c])].cells;
            local_[c] = static_cast<std::int32_t>(cells.size());
            cells.push_back(static_cast<std::int32_t>(c));
        }
        each_part([this](int p) {
            pair_up(parts_[at(p)], p);
            place(parts_[at(p)], p);
        });
        connect();
        each_part([this](int p) { fill(parts_[at(p)], p); });
        return std::move(plan_);
    }

private:
    template <class Visit>
    void each_part(const Visit& visit) const {
        const int threads = cpu::team_size(0, plan_.shape.parts);
        cpu::run_team(threads, [&](int rank) {
            for (int p = rank; p < plan_.shape.parts; p += threads) visit(p);
        });
    }
    [[nodiscard]] bool inside(std::int32_t n, int p) const { return !is_patch(n) && part_[at(n)] == p; }

    /// Whether both sides of row r see the same face: only then one area vector may serve both.
    [[nodiscard]] bool mutual(index_t r, std::int32_t cell) const {
        const index_t back = m_.first_face[at(m_.neighbour[at(r)])] + m_.opposite[at(r)];
        if (m_.neighbour[at(back)] != cell || back == r) return false;
        double sum = 0, length = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            const double n = m_.normal[3 * at(r) + d];
            sum = std::max(sum, std::fabs(n + m_.normal[3 * at(back) + d]));
            length = std::max(length, std::fabs(n));
        }
        return sum <= 0x1p-50 * length;
    }

    void turn(pair_of_cells& pair) const {
        std::swap(pair.a, pair.b);
        pair.shared = m_.first_face[at(m_.neighbour[at(pair.shared)])] + m_.opposite[at(pair.shared)];
    }
    /// That sees a cell of part p; -1: none.
    [[nodiscard]] std::int32_t first_other_part(const part_plan& p, std::int32_t which) const {
        if (which < 0) return -1;
        const std::int32_t c = p.cells[at(which)];
        for (const std::int32_t n : graph_.neighbours(c))
            if (part_[at(n)] != part_[at(c)]) return part_[at(n)];
        return -1;
    }

    void pair_up(part_plan& p, int number) const {
        pairing_graph g;
        std::vector<std::size_t> outward;  // neighbours in other parts
        std::vector<std::array<index_t, most_faces>> rows(p.cells.size());
        for (std::size_t i = 0; i < p.cells.size(); ++i) {
            const std::int32_t c = p.cells[i];
            std::array<std::int32_t, 4> around{-1, -1, -1, -1};
            std::size_t count = 0;
            for (index_t r = m_.first_face[at(c)]; r < m_.first_face[at(c) + 1]; ++r) {
                const std::int32_t n = m_.neighbour[at(r)];
                if (!inside(n, number) || n == c || !mutual(r, c)) continue;
                rows[i][count] = r;
                around[count++] = local_[at(n)];
            }
            g.neighbours.push_back(around);
            outward.push_back(at(std::ranges::count_if(
                graph_.neighbours(c), [&](std::int32_t n) { return part_[at(n)] != number; })));
            g.alike.push_back(outward.back() > 0 ? 1 : 0);
        }
        const std::vector<std::int32_t> partner = paired(g);
        std::array<std::vector<pair_of_cells>, most_faces + 1> by_faces;  // the most of one cell to others
        for (std::int32_t a = 0; a < std::ssize(partner); ++a) {
            const std::int32_t b = partner[at(a)];
            if (b >= 0 && b < a) continue;
            pair_of_cells pair{a, b};
            for (std::size_t k = 0; b >= 0 && k < most_faces; ++k)
                if (g.neighbours[at(a)][k] == b) pair.shared = rows[at(a)][k];
            if (b >= 0 && outward[at(a)] == 0 && outward[at(b)] > 0) turn(pair);
            const std::size_t faces = std::max(outward[at(a)], b < 0 ? 0 : outward[at(b)]);
            by_faces[std::min<std::size_t>(faces, most_faces)].push_back(pair);
        }
        // Lanes side by side send to the same part: their packets lie side by side too.
        const auto reader_of = [&](const pair_of_cells& pair) {
            return std::pair(first_other_part(p, pair.a), first_other_part(p, pair.b));
        };
        for (std::size_t faces = 1; faces < by_faces.size(); ++faces)
            std::ranges::stable_sort(by_faces[faces], {}, reader_of);
        for (std::size_t faces = by_faces.size(); faces-- > 0;) {
            p.pairs.insert(p.pairs.end(), by_faces[faces].begin(), by_faces[faces].end());
            p.groups.push_back(static_cast<std::int32_t>(p.pairs.size()));
        }
        if (std::ssize(p.pairs) > plan_.shape.pairs)
            throw unsupported_variant("cuda/resident: a part of the mesh has " +
                                      std::to_string(p.pairs.size()) + " pairs of cells, " +
                                      std::to_string(plan_.shape.pairs) + " fit");
    }

    /// The rows of the outer faces of a pair's cell, those to other parts last; but a fourth one, of a cell
    /// without partner, comes after them.
    [[nodiscard]] std::vector<index_t> outer_rows(const part_plan& p, const pair_of_cells& pair,
                                                  std::int32_t which) const {
        std::vector<index_t> rows;
        if (which < 0) return rows;
        const std::int32_t c = p.cells[at(which)];
        index_t skip = pair.shared;
        if (skip != no_row && which == pair.b)
            skip = m_.first_face[at(m_.neighbour[at(skip)])] + m_.opposite[at(skip)];
        for (index_t r = m_.first_face[at(c)]; r < m_.first_face[at(c) + 1]; ++r)
            if (r != skip) rows.push_back(r);
        const auto near = [this, c](index_t r) {
            const std::int32_t n = m_.neighbour[at(r)];
            return is_patch(n) || part_[at(n)] == part_[at(c)];
        };
        std::stable_partition(rows.begin(), rows.end(), near);
        if (rows.size() == most_faces) std::rotate(rows.begin(), rows.begin() + 1, rows.end());
        return rows;
    }

    /// Finds an order of the pairs that spares shared memory, and gives the cells their slots.
    void place(part_plan& p, int number) {
        std::vector<std::int32_t> pair_of(p.cells.size());
        for (std::size_t t = 0; t < p.pairs.size(); ++t)
            for (const std::int32_t c : {p.pairs[t].a, p.pairs[t].b})
                if (c >= 0) pair_of[at(c)] = static_cast<std::int32_t>(t);
        std::vector<pair_gathers> gathers;
        for (const pair_of_cells& pair : p.pairs) {
            pair_gathers g;
            g.fill(-1);
            for (int side = 0; side < 2; ++side) {
                const std::vector<index_t> rows = outer_rows(p, pair, side == 0 ? pair.a : pair.b);
                for (std::size_t k = 0; k < std::min<std::size_t>(rows.size(), 3); ++k) {
                    const std::int32_t n = m_.neighbour[at(rows[k])];
                    if (inside(n, number)) g[at(3 * side) + k] = pair_of[at(local_[at(n)])];
                }
            }
            gathers.push_back(g);
        }
        const std::vector<std::int32_t> order = order_pairs(gathers, p.groups[p.groups.size() - 2]);
        std::vector<pair_of_cells> pairs;
        for (const std::int32_t t : order) pairs.push_back(p.pairs[at(t)]);
        p.pairs = std::move(pairs);
        for (std::size_t t = 0; t < p.pairs.size(); ++t) {
            const auto [a, b, shared] = p.pairs[t];
            slot_[at(p.cells[at(a)])] = static_cast<std::uint32_t>(t);
            if (b >= 0) slot_[at(p.cells[at(b)])] = static_cast<std::uint32_t>(at(plan_.shape.pairs) + t);
        }
        plan_.talking[at(number)] = p.groups[p.groups.size() - 2];
    }

    /// Halos, in the order of the parts they come from, and there of their slots.
    void connect() {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            std::vector<std::int32_t> halo;
            for (const std::int32_t c : parts_[p].cells)
                for (const std::int32_t n : graph_.neighbours(c))
                    if (part_[at(n)] != static_cast<std::int32_t>(p)) halo.push_back(n);
            const auto key = [this](std::int32_t c) { return std::pair(part_[at(c)], slot_[at(c)]); };
            std::ranges::sort(halo, {}, key);
            halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
            plan_.halo[p + 1] = plan_.halo[p] + static_cast<std::int32_t>(halo.size());
            plan_.slots = std::max(plan_.slots, plan_.halo_slot + static_cast<int>(halo.size()));
            plan_.source.insert(plan_.source.end(), halo.begin(), halo.end());
        }
        plan_.slots =
            (std::max(plan_.slots, plan_.halo_slot) + bank_classes - 1) / bank_classes * bank_classes;
        std::vector<std::vector<std::int32_t>> of_cell(part_.size());
        for (std::size_t place = 0; place < plan_.source.size(); ++place)
            of_cell[at(plan_.source[place])].push_back(static_cast<std::int32_t>(place));
        for (int p = 0; p < plan_.shape.parts; ++p)
            for (const std::int32_t c : parts_[at(p)].cells)
                plan_.cell[plan_.at(p, 2, 0, 0) + slot_[at(c)]] = c;
        for (std::size_t i = 0; i < plan_.cell.size(); ++i) {
            if (const std::int32_t c = plan_.cell[i]; c >= 0)
                plan_.posted.insert(plan_.posted.end(), of_cell[at(c)].begin(), of_cell[at(c)].end());
            plan_.post[i + 1] = static_cast<std::int32_t>(plan_.posted.size());
        }
    }

    /// The slot in part p of what lies at the other side of a row.
    [[nodiscard]] std::uint16_t slot_behind(index_t row, int p) const {
        const std::int32_t n = m_.neighbour[at(row)];
        if (is_patch(n))
            return static_cast<std::uint16_t>(2 * plan_.shape.pairs + constant_of_patch_[at(patch_of(n))]);
        if (part_[at(n)] == p) return static_cast<std::uint16_t>(slot_[at(n)]);
        const auto begin = plan_.source.begin() + plan_.halo[at(p)];
        const auto end = plan_.source.begin() + plan_.halo[at(p) + 1];
        const auto key = [this](std::int32_t c) { return std::pair(part_[at(c)], slot_[at(c)]); };
        const auto found = std::ranges::lower_bound(begin, end, key(n), {}, key);
        return static_cast<std::uint16_t>(plan_.halo_slot + (found - begin));
    }

    /// Faces, in an order that spares shared memory, and what lies behind them.
    void fill(const part_plan& p, int number) {
        const int pairs = plan_.shape.pairs;
        face_places rows(at(pairs)), slots(at(pairs));
        for (int t = 0; t < pairs; ++t) {
            rows[at(t)].fill(no_row);
            slots[at(t)].fill(2 * pairs);
            if (t >= std::ssize(p.pairs)) continue;
            const pair_of_cells& pair = p.pairs[at(t)];
            const index_t own[2] = {pair.a, pair.b};
            for (int side = 0; side < 2; ++side) {
                if (own[side] < 0) continue;
                const std::vector<index_t> outer = outer_rows(p, pair, static_cast<std::int32_t>(own[side]));
                for (std::size_t k = 0; k < outer.size(); ++k) {
                    const std::size_t face = k < 3 ? at(3 * side) + k : outer_faces;
                    rows[at(t)][face] = outer[k];
                    slots[at(t)][face] = slot_behind(outer[k], number);
                }
            }
            if (pair.b >= 0) {
                rows[at(t)][outer_faces] = pair.shared;
                slots[at(t)][outer_faces] = pairs + t;
            }
        }
        order_faces(rows, slots, plan_.halo_slot);
        for (int t = 0; t < pairs; ++t)
            for (int k = 0; k < pair_faces; ++k) {
                plan_.row[plan_.at(number, pair_faces, k, t)] = rows[at(t)][at(k)];
                plan_.slot[plan_.at(number, pair_faces, k, t)] =
                    static_cast<std::uint16_t>(slots[at(t)][at(k)]);
            }
    }

    const mesh& m_;
    meshes::cell_graph graph_;
    std::span<const std::int32_t> part_;
    std::span<const int> constant_of_patch_;
    std::vector<part_plan> parts_;
    std::vector<std::int32_t> local_;  // [cells] place among its part's cells
    std::vector<std::uint32_t> slot_;  // [cells] in its own part
    plan plan_;
};

}  // namespace

index_t first_cell_with_many_faces(const mesh& m) {
    for (index_t c = 0; c < m.cells(); ++c)
        if (m.first_face[at(c) + 1] - m.first_face[at(c)] > most_faces) return c;
    return -1;
}

plan make_plan(const mesh& m, std::span<const std::int32_t> part, std::span<const int> constant_of_patch,
               const plan_shape& shape) {
    return planner(m, part, constant_of_patch, shape).run();
}

double bank_passes(const plan& p) {
    double passes = 0, gathers = 0;
    for (int part = 0; part < p.shape.parts; ++part)
        for (int first = 0; first < p.shape.pairs; first += bank_classes)
            for (int face = 0; face < outer_faces; ++face) {
                std::array<std::vector<std::uint16_t>, bank_classes> asked;
                std::size_t most = 1;
                for (int t = first; t < first + bank_classes; ++t) {
                    const std::uint16_t slot = p.slot[p.at(part, pair_faces, face, t)];
                    auto& same = asked[slot % bank_classes];
                    if (std::ranges::find(same, slot) == same.end()) same.push_back(slot);
                    most = std::max(most, same.size());
                }
                passes += static_cast<double>(most);
                gathers += 1;
            }
    return gathers > 0 ? passes / gathers : 1;
}

}  // namespace wale::euler::resident
