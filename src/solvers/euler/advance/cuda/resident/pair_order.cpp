// pair_order - local search on counts of bank classes.
#include "solvers/euler/advance/cuda/resident/pairing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wale::euler::resident {
namespace {

constexpr std::int32_t lanes = 8;           // that one pass serves
constexpr std::int32_t trials_a_pair = 40;  // exchanges tried: more gave nothing that could be measured

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Marsaglia's xorshift: the same on every machine.
class generator {
public:
    std::int32_t operator()(std::int32_t below) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return static_cast<std::int32_t>(state_ % static_cast<std::uint32_t>(below));
    }

private:
    std::uint32_t state_ = 2463534242u;
};

class exchanger {
public:
    exchanger(const std::vector<pair_gathers>& gathers, std::int32_t fixed)
        : gathers_(gathers),
          readers_(gathers.size()),
          order_(gathers.size()),
          place_(gathers.size()),
          counts_((gathers.size() + lanes - 1) / lanes * 2),
          fixed_(fixed) {
        std::iota(order_.begin(), order_.end(), 0);
        std::iota(place_.begin(), place_.end(), 0);
        for (std::int32_t t = 0; t < size(); ++t)
            for (int k = 0; k < 6; ++k) {
                const std::int32_t seen = gathers[at(t)][at(k)];
                if (seen < 0) continue;
                readers_[at(seen)].push_back({t, k});
                count(t, k, 1);
            }
    }

    std::vector<std::int32_t> run() {
        const std::int32_t loose = size() - fixed_;
        for (std::int32_t trial = 0; trial < trials_a_pair * loose; ++trial) {
            const std::int32_t x = fixed_ + random_(loose), y = fixed_ + random_(loose);
            if (x == y) continue;
            if (const index_t before = cost_; exchange(x, y), cost_ > before) exchange(x, y);
        }
        return std::move(order_);
    }

private:
    struct reader {
        std::int32_t pair;
        int face;
    };
    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(gathers_.size()); }

    /// Adds to the count of what pair t's face k asks for, where both stand now.
    void count(std::int32_t t, int k, int change) {
        const std::int32_t seen = gathers_[at(t)][at(k)];
        int& c = counts_[at(place_[at(t)] / lanes * 2 + k / 3)][at(place_[at(seen)] % lanes)];
        cost_ += change * (2 * c + change);  // (c + change)^2 - c^2
        c += change;
    }
    void count_around(std::int32_t t, std::int32_t other, int change) {
        for (int k = 0; k < 6; ++k)
            if (gathers_[at(t)][at(k)] >= 0) count(t, k, change);
        for (const reader& r : readers_[at(t)])
            if (r.pair != t && r.pair != other) count(r.pair, r.face, change);
    }
    /// Of places.
    void exchange(std::int32_t x, std::int32_t y) {
        const std::int32_t a = order_[at(x)], b = order_[at(y)];
        count_around(a, b, -1);
        count_around(b, a, -1);
        std::swap(order_[at(x)], order_[at(y)]);
        std::swap(place_[at(a)], place_[at(b)]);
        count_around(a, b, 1);
        count_around(b, a, 1);
    }

    const std::vector<pair_gathers>& gathers_;
    std::vector<std::vector<reader>> readers_;
    std::vector<std::int32_t> order_, place_;
    std::vector<std::array<int, lanes>> counts_;  // [places / 8][cell of the pair]
    index_t cost_ = 0;
    std::int32_t fixed_;
    generator random_;
};

constexpr std::array<std::array<std::size_t, 3>, 6> orders_of_three{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

using eight_lanes = std::array<std::array<index_t, 6>, lanes>;  // slots
using class_counts = std::array<std::array<int, lanes>, 6>;
/// Which of its three faces a cell asks first, second, third: numbers in orders_of_three.
using face_orders = std::array<std::array<std::size_t, 2>, lanes>;

/// Orders of the faces of 8 lanes' cells; passes(): what shared memory then needs for the six gathers.
class lane_orders {
public:
    lane_orders(const eight_lanes& slots, index_t late) : slots_(slots), late_(late) {}

    /// Starts from given orders; each cell takes the best one among those of the others, until none changes.
    int settle(face_orders& orders) {
        counts_ = {};
        each_cell([&](std::size_t t, std::size_t side) { add(t, side, orders[t][side], 1); });
        for (bool changed = true; changed;) {
            changed = false;
            each_cell([&](std::size_t t, std::size_t side) {
                std::size_t& order = orders[t][side];
                add(t, side, order, -1);
                std::size_t best = order;
                for (std::size_t o = 0; o < orders_of_three.size(); ++o)
                    if (allowed(t, side, o) &&
                        (!allowed(t, side, best) || cost(t, side, o) < cost(t, side, best)))
                        best = o;
                changed = changed || best != order;
                order = best;
                add(t, side, order, 1);
            });
        }
        int passes = 0;
        for (const auto& of_face : counts_) passes += *std::ranges::max_element(of_face);
        return passes;
    }

private:
    template <class Visit>
    static void each_cell(const Visit& visit) {
        for (std::size_t t = 0; t < lanes; ++t)
            for (std::size_t side = 0; side < 2; ++side) visit(t, side);
    }
    /// Late faces last.
    [[nodiscard]] bool allowed(std::size_t t, std::size_t side, std::size_t order) const {
        const auto late = [&](std::size_t k) {
            return slots_[t][3 * side + orders_of_three[order][k]] >= late_;
        };
        return late(0) <= late(1) && late(1) <= late(2);
    }
    template <class Visit>
    void each_count(std::size_t t, std::size_t side, std::size_t order, const Visit& visit) {
        for (std::size_t k = 0; k < 3; ++k)
            visit(counts_[3 * side + k][at(slots_[t][3 * side + orders_of_three[order][k]] % lanes)]);
    }
    void add(std::size_t t, std::size_t side, std::size_t order, int change) {
        each_count(t, side, order, [change](int& c) { c += change; });
    }
    int cost(std::size_t t, std::size_t side, std::size_t order) {
        int sum = 0;
        each_count(t, side, order, [&sum](int c) { sum += c * c; });
        return sum;
    }
    const eight_lanes& slots_;
    index_t late_;
    class_counts counts_{};
};

constexpr int beginnings = 24;  // orders that a search starts from

face_orders best_orders(lane_orders lanes_of, generator& random) {
    face_orders best{};
    int least = lanes_of.settle(best);
    for (int b = 0; b < beginnings; ++b) {
        face_orders orders;
        for (auto& of_lane : orders)
            for (std::size_t& o : of_lane) o = at(random(static_cast<std::int32_t>(orders_of_three.size())));
        if (const int passes = lanes_of.settle(orders); passes < least) {
            least = passes;
            best = orders;
        }
    }
    return best;
}

}  // namespace

std::vector<std::int32_t> order_pairs(const std::vector<pair_gathers>& gathers, std::int32_t fixed) {
    return exchanger(gathers, fixed).run();
}

void order_faces(face_places& rows, face_places& slots, index_t late) {
    generator random;
    for (std::size_t begin = 0; begin < slots.size(); begin += lanes) {
        eight_lanes group;
        for (std::size_t t = 0; t < lanes; ++t) std::copy_n(slots[begin + t].begin(), 6, group[t].begin());
        const face_orders orders = best_orders(lane_orders(group, late), random);
        for (std::size_t t = 0; t < lanes; ++t) {
            const auto old = rows[begin + t];
            for (std::size_t k = 0; k < 6; ++k) {
                const std::size_t from = k / 3 * 3 + orders_of_three[orders[t][k / 3]][k % 3];
                slots[begin + t][k] = group[t][from];
                rows[begin + t][k] = old[from];
            }
        }
    }
}

}  // namespace wale::euler::resident
