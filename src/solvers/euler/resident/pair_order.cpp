// pair_order - local search on counts of bank classes.
#include "solvers/euler/resident/pair_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wale::euler::resident {
namespace {

constexpr std::int32_t lanes = 8;           // that one pass serves
constexpr std::int32_t trials_a_pair = 60;  // exchanges tried: more gave nothing that could be measured

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

class exchanger {
public:
    exchanger(const std::vector<pair_gathers>& gathers, std::int32_t talking)
        : gathers_(gathers),
          readers_(gathers.size()),
          order_(gathers.size()),
          place_(gathers.size()),
          counts_((gathers.size() + lanes - 1) / lanes * 6),
          talking_(talking) {
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
        for (std::int32_t trial = 0; trial < trials_a_pair * size(); ++trial) {
            const std::int32_t x = random(size());
            const bool loud = x < talking_;
            const std::int32_t y = loud ? random(talking_) : talking_ + random(size() - talking_);
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

    /// Marsaglia's xorshift: the same on every machine.
    std::int32_t random(std::int32_t below) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return static_cast<std::int32_t>(state_ % static_cast<std::uint32_t>(below));
    }

    /// Adds to the count of what pair t's face k asks for, where both stand now.
    void count(std::int32_t t, int k, int change) {
        const std::int32_t seen = gathers_[at(t)][at(k)];
        int& c = counts_[at(place_[at(t)] / lanes * 6 + k)][at(place_[at(seen)] % lanes)];
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
    std::vector<std::array<int, lanes>> counts_;  // [places / 8][face]
    index_t cost_ = 0;
    std::int32_t talking_;
    std::uint32_t state_ = 2463534242u;
};

constexpr std::array<std::array<std::size_t, 3>, 6> orders_of_three{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

using class_counts = std::array<std::array<int, lanes>, 6>;

/// The best order of one cell's three faces among those of its neighbours in the warp; whether it changed.
bool order_three(class_counts& counts, std::array<index_t, 7>& rows, std::array<index_t, 7>& slots,
                 std::size_t first) {
    const auto class_of = [&](std::size_t k) { return at(slots[first + k] % lanes); };
    const auto cost = [&](const auto& order) {
        int sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += counts[first + k][class_of(order[k])];
        return sum;
    };
    for (std::size_t k = 0; k < 3; ++k) --counts[first + k][class_of(k)];
    const auto* best = &orders_of_three[0];
    for (const auto& order : orders_of_three)
        if (cost(order) < cost(*best)) best = &order;
    const auto old_rows = rows, old_slots = slots;
    for (std::size_t k = 0; k < 3; ++k) {
        rows[first + k] = old_rows[first + (*best)[k]];
        slots[first + k] = old_slots[first + (*best)[k]];
    }
    for (std::size_t k = 0; k < 3; ++k) ++counts[first + k][class_of(k)];
    return best != &orders_of_three[0];
}

}  // namespace

std::vector<std::int32_t> order_pairs(const std::vector<pair_gathers>& gathers, int talking) {
    return exchanger(gathers, talking).run();
}

void order_faces(face_places& rows, face_places& slots) {
    for (std::size_t begin = 0; begin < slots.size(); begin += lanes) {
        class_counts counts{};
        for (std::size_t t = begin; t < begin + lanes; ++t)
            for (std::size_t k = 0; k < 6; ++k) ++counts[k][at(slots[t][k] % lanes)];
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t t = begin; t < begin + lanes; ++t)
                for (const std::size_t first : {0, 3})
                    changed = order_three(counts, rows[t], slots[t], first) || changed;
        }
    }
}

}  // namespace wale::euler::resident
