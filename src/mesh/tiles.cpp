// tiles - recursive bisection of the graph of neighbours, then the layers round each part.
#include "mesh/tiles.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <tuple>

#include "cpu/team.hpp"
#include "mesh/bank_order.hpp"
#include "mesh/bisection.hpp"

namespace wale::meshes {
namespace {

/// work(item, rank) for all items, a free thread takes the next.
void share_out(int threads, index_t items, const std::function<void(index_t, int)>& work) {
    std::atomic<index_t> next{0};
    cpu::run_team(cpu::team_size(threads, items), [&](int rank) {
        for (index_t i = next++; i < items; i = next++) work(i, rank);
    });
}

/// Cells in the order of a search, which gives any mesh neighbours that lie near each other in memory.
numbers search_order(std::span<const std::int32_t> neighbours) {
    const index_t cells = std::ssize(neighbours) / tile_faces;
    numbers order;
    order.reserve(at(cells));
    std::vector<bool> seen(at(cells));
    for (std::int32_t start = 0; start < cells; ++start) {
        if (seen[at(start)]) continue;
        seen[at(start)] = true;
        order.push_back(start);
        for (std::size_t next = order.size() - 1; next < order.size(); ++next)
            for (int f = 0; f < tile_faces; ++f) {
                const std::int32_t n = neighbours[at(index_t{tile_faces} * order[next] + f)];
                if (n < 0 || seen[at(n)]) continue;
                seen[at(n)] = true;
                order.push_back(n);
            }
    }
    return order;
}

numbers inverse(const numbers& order) {
    numbers place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[at(order[i])] = static_cast<std::int32_t>(i);
    return place;
}

/// The cells round a range, layer by layer.
class layers {
public:
    explicit layers(index_t cells) : seen_(at(cells), -1) {}

    /// cells() of the tile `mark`, a number that no other tile had; counts of places as in deep_tile.
    deep_tile find(const range& r, std::int32_t mark, const numbers& neighbours, const numbers& order) {
        cells_.assign(order.begin() + r.begin, order.begin() + r.end);
        for (const std::int32_t c : cells_) seen_[at(c)] = mark;
        deep_tile t;
        t.first = static_cast<std::int32_t>(r.begin);
        t.own = static_cast<std::int32_t>(r.size());
        std::size_t done = 0;
        for (std::int32_t* end : {&t.one, &t.two, &t.all}) {
            for (const std::size_t stop = cells_.size(); done < stop; ++done)
                for (int f = 0; f < tile_faces; ++f) {
                    const std::int32_t n = neighbours[at(index_t{tile_faces} * cells_[done] + f)];
                    if (n < 0 || seen_[at(n)] == mark) continue;
                    seen_[at(n)] = mark;
                    cells_.push_back(n);
                }
            *end = static_cast<std::int32_t>(cells_.size());
        }
        return t;
    }
    [[nodiscard]] numbers& cells() { return cells_; }

private:
    numbers seen_, cells_;
};

class tiler {
public:
    tiler(std::span<const std::int32_t> neighbours, const tile_limits& limits, int threads)
        : limits_(limits), threads_(threads), start_(search_order(neighbours)), order_(start_.size()) {
        std::iota(order_.begin(), order_.end(), 0);
        place_ = order_;
        const numbers now = inverse(start_);
        neighbours_.resize(neighbours.size());
        share_out(threads_, (cells() + chunk - 1) / chunk, [&](index_t block, int) {
            for (index_t c = block * chunk; c < std::min(cells(), (block + 1) * chunk); ++c)
                for (int f = 0; f < tile_faces; ++f) {
                    const std::int32_t n = neighbours[at(index_t{tile_faces} * start_[at(c)] + f)];
                    neighbours_[at(index_t{tile_faces} * c + f)] = n < 0 ? -1 : now[at(n)];
                }
        });
        const auto team = at(cpu::team_size(threads_, std::max<index_t>(cells(), 1)));
        cutters_.resize(team);
        layers_.assign(team, layers(cells()));
    }

    deep_tiling build() {
        if (cells() == 0) return {};
        std::vector<range> todo{{0, cells(), std::clamp<index_t>(limits_.parts, 1, cells())}};
        std::vector<range> small, done;
        while (!todo.empty()) {
            small.clear();
            todo = cut(todo, small);
            for (const range& r : measure(small)) todo.push_back({r.begin, r.end, 2});
        }
        std::ranges::sort(fitting_, {}, &range::begin);
        return fill();
    }

private:
    static constexpr index_t chunk = 1 << 14;  // cells that a thread takes at a time
    [[nodiscard]] index_t cells() const { return std::ssize(start_); }

    /// Ranges of more than one part in two each, the others to `small`.
    std::vector<range> cut(const std::vector<range>& all, std::vector<range>& small) {
        std::vector<range> wide;
        for (const range& r : all) (r.parts > 1 ? wide : small).push_back(r);
        std::vector<range> halves(2 * wide.size());
        share_out(threads_, std::ssize(wide), [&](index_t i, int rank) {
            const range& r = wide[at(i)];
            range_cutter& b = cutters_[at(rank)];
            b.cut(r, neighbours_, place_, order_);
            const index_t middle = r.begin + b.lower_size();
            halves[at(2 * i)] = {r.begin, middle, r.parts / 2};
            halves[at(2 * i + 1)] = {middle, r.end, r.parts - r.parts / 2};
        });
        share_out(threads_, std::ssize(wide), [&](index_t i, int) {
            for (index_t p = wide[at(i)].begin; p < wide[at(i)].end; ++p)
                place_[at(order_[at(p)])] = static_cast<std::int32_t>(p);
        });
        return halves;
    }

    /// Those that are too large with their layers; the others are tiles.
    std::vector<range> measure(const std::vector<range>& small) {
        std::vector<char> fits(small.size());
        share_out(threads_, std::ssize(small), [&](index_t i, int rank) {
            const deep_tile t = layers_[at(rank)].find(small[at(i)], marks_ + static_cast<std::int32_t>(i),
                                                       neighbours_, order_);
            fits[at(i)] = t.own == 1 || (t.two <= limits_.two && t.all <= limits_.all) ? 1 : 0;
        });
        marks_ += static_cast<std::int32_t>(small.size());
        std::vector<range> large;
        for (std::size_t i = 0; i < small.size(); ++i) (fits[i] ? fitting_ : large).push_back(small[i]);
        return large;
    }

    deep_tiling fill() {
        deep_tiling out;
        out.tiles.resize(fitting_.size());
        const auto each_tile = [&](const auto& use) {
            share_out(threads_, std::ssize(fitting_), [&](index_t i, int rank) {
                layers& l = layers_[at(rank)];
                use(i, l.find(fitting_[at(i)], marks_ + static_cast<std::int32_t>(i), neighbours_, order_), l,
                    rank);
            });
            marks_ += static_cast<std::int32_t>(fitting_.size());
        };
        each_tile([&](index_t i, const deep_tile& t, layers&, int) { out.tiles[at(i)] = t; });
        index_t halo = 0, rows = 0;
        for (deep_tile& t : out.tiles) {
            t.halo = halo;
            t.rows = rows;
            halo += (t.all - t.own + 3) / 4 * 4;
            rows += t.two;
        }
        out.halo.resize(at(halo));
        out.places.resize(at(index_t{tile_faces} * rows));
        cluster_borders();
        std::vector<numbers> slots(layers_.size(), numbers(start_.size()));
        std::vector<bank_order> banks(layers_.size());
        each_tile([&](index_t i, const deep_tile&, layers& l, int rank) {
            const deep_tile& t = out.tiles[at(i)];
            sort_layers(t, l.cells());
            write_places(t, l.cells(), slots[at(rank)], out);
            banks[at(rank)].improve(t, out.places.data() + tile_faces * t.rows, l.cells());
            std::copy(l.cells().begin(), l.cells().begin() + t.own, order_.begin() + t.first);
            std::copy(l.cells().begin() + t.own, l.cells().end(), out.halo.begin() + t.halo);
        });
        place_ = inverse(order_);
        for (std::int32_t& c : out.halo) c = place_[at(c)];
        out.order.resize(start_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) out.order[i] = start_[at(order_[i])];
        return out;
    }

    /// Own cells in order of the tile that is nearest, then of the distance from it: what tiles borrow of
    /// each other lies together.
    void cluster_borders() {
        numbers tile(start_.size()), nearest(start_.size(), -1), distance(start_.size());
        const auto each_range = [&](const auto& use) {
            share_out(threads_, std::ssize(fitting_), [&](index_t i, int rank) {
                const range& r = fitting_[at(i)];
                use(std::span(order_).subspan(at(r.begin), at(r.size())), static_cast<std::int32_t>(i), rank);
            });
        };
        each_range([&](auto cells, std::int32_t i, int) {
            for (const std::int32_t c : cells) tile[at(c)] = i;
        });
        std::vector<numbers> queues(layers_.size());
        each_range([&](auto cells, std::int32_t i, int rank) {
            numbers& queue = queues[at(rank)];
            queue.clear();
            for (const std::int32_t c : cells)
                for (int f = 0; f < tile_faces; ++f)
                    if (const std::int32_t n = neighbour(c, f); n >= 0 && tile[at(n)] != i) {
                        if (nearest[at(c)] < 0) queue.push_back(c);
                        nearest[at(c)] = std::max(nearest[at(c)], tile[at(n)]);
                    }
            for (std::size_t next = 0; next < queue.size(); ++next)
                for (int f = 0; f < tile_faces; ++f)
                    if (const std::int32_t n = neighbour(queue[next], f);
                        n >= 0 && tile[at(n)] == i && nearest[at(n)] < 0) {
                        nearest[at(n)] = nearest[at(queue[next])];
                        distance[at(n)] = distance[at(queue[next])] + 1;
                        queue.push_back(n);
                    }
            std::ranges::sort(cells, [&](std::int32_t a, std::int32_t b) {
                const auto key = [&](std::int32_t c) {
                    return std::tuple(nearest[at(c)], distance[at(c)], place_[at(c)]);
                };
                return key(a) < key(b);
            });
        });
        place_ = inverse(order_);
    }

    [[nodiscard]] std::int32_t neighbour(std::int32_t cell, int face) const {
        return neighbours_[at(index_t{tile_faces} * cell + face)];
    }

    void sort_layers(const deep_tile& t, numbers& cells) const {
        const auto by_place = [this](std::int32_t a, std::int32_t b) {
            return place_[at(a)] < place_[at(b)];
        };
        for (const auto& [from, to] : {std::pair(t.own, t.one), {t.one, t.two}, {t.two, t.all}})
            std::sort(cells.begin() + from, cells.begin() + to, by_place);
    }

    /// `slot` is where a cell of the tile lies; of others it says nothing.
    void write_places(const deep_tile& t, const numbers& cells, numbers& slot, deep_tiling& out) const {
        for (std::int32_t i = 0; i < t.all; ++i) slot[at(cells[at(i)])] = i;
        for (std::int32_t i = 0; i < t.two; ++i)
            for (int f = 0; f < tile_faces; ++f) {
                const std::int32_t n = neighbour(cells[at(i)], f);
                out.places[at(index_t{tile_faces} * (t.rows + i) + f)] =
                    n < 0 ? no_place : static_cast<std::uint16_t>(slot[at(n)]);
            }
    }

    tile_limits limits_;
    int threads_;
    numbers start_;       // [cells] the caller's number of each cell
    numbers neighbours_;  // [cells][tile_faces]
    numbers order_;       // [cells] the cell at each place
    numbers place_;       // [cells] the place of each cell
    std::vector<range> fitting_;
    std::int32_t marks_ = 0;  // in use
    std::vector<range_cutter> cutters_;
    std::vector<layers> layers_;
};

}  // namespace

deep_tiling tile_cells(std::span<const std::int32_t> neighbours, const tile_limits& limits, int threads) {
    return tiler(neighbours, limits, threads).build();
}

}  // namespace wale::meshes
