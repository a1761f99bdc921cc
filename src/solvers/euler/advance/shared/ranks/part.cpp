// part - see part.hpp.
#include "solvers/euler/advance/shared/ranks/part.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"

namespace wale::euler {
namespace {

using cell_list = std::vector<std::int32_t>;

/// Finds halos, one rank after the other.
class halo_finder {
public:
    halo_finder(const mesh& m, std::span<const std::int32_t> owner, int layers)
        : mesh_(m), owner_(owner), layers_(layers), seen_by_(owner.size(), -1) {}

    /// The cells that are 1, 2, ... away from the rank's own ones.
    [[nodiscard]] std::vector<cell_list> around(int rank, const cell_list& own) {
        for (const std::int32_t c : own) seen_by(c) = rank;
        std::vector<cell_list> halo;
        const cell_list* front = &own;
        for (int layer = 0; layer < layers_; ++layer) {
            cell_list next;
            for (const std::int32_t c : *front) see_neighbours(c, rank, next);
            std::ranges::sort(next);
            halo.push_back(std::move(next));
            front = &halo.back();
        }
        return halo;
    }
    [[nodiscard]] int owner(std::int32_t cell) const { return owner_[static_cast<std::size_t>(cell)]; }

private:
    [[nodiscard]] std::int32_t& seen_by(std::int32_t cell) {
        return seen_by_[static_cast<std::size_t>(cell)];
    }
    void see_neighbours(std::int32_t cell, int rank, cell_list& next) {
        const auto c = static_cast<std::size_t>(cell);
        for (index_t row = mesh_.first_face[c]; row < mesh_.first_face[c + 1]; ++row) {
            const std::int32_t other = mesh_.neighbour[static_cast<std::size_t>(row)];
            if (is_patch(other) || std::exchange(seen_by(other), rank) == rank) continue;
            next.push_back(other);
        }
    }
    const mesh& mesh_;
    std::span<const std::int32_t> owner_;
    int layers_;
    std::vector<std::int32_t> seen_by_;  // [cells] the last rank that saw it
};

/// Who sends what, in the system's numbers.
struct traffic {
    std::vector<cell_list> send, receive;  // [ranks]
    std::vector<cell_list> halo;           // [layers] of this rank
};

traffic traffic_of(halo_finder& find, const std::vector<cell_list>& own, int rank) {
    traffic t;
    t.send.resize(own.size());
    t.receive.resize(own.size());
    for (int r = 0; std::cmp_less(r, own.size()); ++r) {
        std::vector<cell_list> halo = find.around(r, own[static_cast<std::size_t>(r)]);
        for (const cell_list& layer : halo)
            for (const std::int32_t c : layer) {
                const int of = find.owner(c);
                if (r == rank) t.receive[static_cast<std::size_t>(of)].push_back(c);
                if (of == rank) t.send[static_cast<std::size_t>(r)].push_back(c);
            }
        if (r == rank) t.halo = std::move(halo);
    }
    for (auto* lists : {&t.send, &t.receive})
        for (cell_list& list : *lists) std::ranges::sort(list);
    return t;
}

}  // namespace

mesh_part cut_part(const mesh& m, std::span<const std::int32_t> owner, std::span<const std::int32_t> order,
                   int rank, int layers, index_t lanes) {
    std::vector<cell_list> own(static_cast<std::size_t>(rank) + 1);
    for (const std::int32_t c : order) {
        const auto r = static_cast<std::size_t>(owner[static_cast<std::size_t>(c)]);
        if (r >= own.size()) own.resize(r + 1);
        own[r].push_back(c);
    }
    halo_finder find(m, owner, layers);
    traffic t = traffic_of(find, own, rank);

    std::vector<bool> is_sent(owner.size());
    for (const cell_list& list : t.send)
        for (const std::int32_t c : list) is_sent[static_cast<std::size_t>(c)] = true;
    mesh_part part;
    part.cells = std::move(own[static_cast<std::size_t>(rank)]);
    const auto rest = std::ranges::stable_partition(
        part.cells, [&](std::int32_t c) { return is_sent[static_cast<std::size_t>(c)]; });
    part.sent = rest.begin() - part.cells.begin();
    part.owned = std::ssize(part.cells);
    part.padded = base::round_up(part.owned, lanes);
    part.cells.resize(static_cast<std::size_t>(part.padded), part.owned > 0 ? part.cells.back() : 0);
    for (std::size_t layer = 0; layer < t.halo.size(); ++layer) {
        part.cells.insert(part.cells.end(), t.halo[layer].begin(), t.halo[layer].end());
        if (layer == 0) part.near = std::ssize(part.cells);
    }

    std::vector<std::int32_t> place(owner.size(), -1);
    for (std::size_t i = part.cells.size(); i-- > 0;)  // the first of copies stays
        place[static_cast<std::size_t>(part.cells[i])] = static_cast<std::int32_t>(i);
    for (std::size_t r = 0; r < t.send.size(); ++r) {
        if (t.send[r].empty() && t.receive[r].empty()) continue;
        for (cell_list* list : {&t.send[r], &t.receive[r]})
            for (std::int32_t& c : *list) c = place[static_cast<std::size_t>(c)];
        part.peers.push_back({static_cast<int>(r), std::move(t.send[r]), std::move(t.receive[r])});
    }
    return part;
}

mesh mesh_of_part(const mesh& m, const mesh_part& part) {
    std::vector<std::int32_t> place(static_cast<std::size_t>(m.cells()), -1);
    for (std::size_t i = part.cells.size(); i-- > 0;)
        place[static_cast<std::size_t>(part.cells[i])] = static_cast<std::int32_t>(i);
    mesh out;
    out.dimensions = m.dimensions;
    out.patches = m.patches;
    out.normal_scale = m.normal_scale;
    const auto append = [](std::vector<double>& to, const std::vector<double>& from, index_t at) {
        for (index_t d = 0; !from.empty() && d < 3; ++d)
            to.push_back(from[static_cast<std::size_t>(3 * at + d)]);
    };
    for (std::size_t i = 0; i < part.cells.size(); ++i) {
        const auto cell = static_cast<std::size_t>(part.cells[i]);
        for (index_t row = m.first_face[cell]; row < m.first_face[cell + 1]; ++row) {
            const auto r = static_cast<std::size_t>(row);
            std::int32_t other = m.neighbour[r];
            const bool beyond = !is_patch(other) && place[static_cast<std::size_t>(other)] < 0;
            if (!is_patch(other))
                other = beyond ? static_cast<std::int32_t>(i) : place[static_cast<std::size_t>(other)];
            out.neighbour.push_back(other);
            out.opposite.push_back(beyond ? std::uint8_t{0} : m.opposite[r]);
            append(out.normal, m.normal, row);
            append(out.face_offset, m.face_offset, row);
        }
        out.first_face.push_back(out.rows());
        out.volume.push_back(m.volume[cell]);
        append(out.centre, m.centre, part.cells[i]);
    }
    return out;
}

int layers_of(const flow_system& system) {
    if (system.options.scheme.order == 1) return 1;
    const auto k = constants_of<double>(system);
    const auto& first = system.grid.first_face;
    for (std::size_t c = 0; c + 1 < first.size(); ++c)
        if (looks_further(first[c + 1] - first[c], k)) return 3;
    return 2;
}

euler_options options_of_part(const euler_options& whole) {
    euler_options o = whole;
    o.order.reset();
    o.periodic.clear();
    return o;
}

}  // namespace wale::euler
