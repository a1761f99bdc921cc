// banks - descent by random exchanges.
#include "solvers/tree/hines/shared/banks.hpp"

#include <algorithm>
#include <array>

namespace wale::tree {
namespace {

constexpr std::size_t half_warp = 16;  // lanes whose 8-byte words come in one go, from as many banks

using lane_chains = std::vector<std::vector<std::int32_t>>;

class seating {
public:
    seating(std::vector<lane_chains>& lanes, const std::vector<std::int32_t>& place_of)
        : lanes_(lanes), place_of_(place_of) {
        for (const lane_chains& l : lanes) banks_.push_back(banks_of(l));
        for (const auto& b : banks_) rows_ = std::max(rows_, b.size());
        for (std::size_t h = 0; h < lanes.size() / half_warp; ++h) costs_.push_back(cost(h));
    }
    void try_exchange(std::size_t a, std::size_t b) {
        const std::size_t h = a / half_warp, i = b / half_warp;
        if (h == i) return;
        std::swap(banks_[a], banks_[b]);
        const int first = cost(h), second = cost(i);
        if (first + second > costs_[h] + costs_[i]) return std::swap(banks_[a], banks_[b]);
        std::swap(lanes_[a], lanes_[b]);
        costs_[h] = first;
        costs_[i] = second;
    }
    void try_order(std::size_t lane, std::size_t a, std::size_t b) {
        if (a == b) return;
        const auto before = banks_[lane];
        std::swap(lanes_[lane][a], lanes_[lane][b]);
        banks_[lane] = banks_of(lanes_[lane]);
        const int now = cost(lane / half_warp);
        if (now <= costs_[lane / half_warp]) {
            costs_[lane / half_warp] = now;
            return;
        }
        std::swap(lanes_[lane][a], lanes_[lane][b]);
        banks_[lane] = before;
    }

private:
    std::vector<lane_chains>& lanes_;
    const std::vector<std::int32_t>& place_of_;
    std::vector<std::vector<std::uint8_t>> banks_;  // by lane and row
    std::size_t rows_ = 0;
    std::vector<int> costs_;  // of half warps

    [[nodiscard]] std::vector<std::uint8_t> banks_of(const lane_chains& chains) const {
        std::vector<std::uint8_t> banks;
        for (const auto& chain : chains)
            for (const std::int32_t k : chain)
                banks.push_back(static_cast<std::uint8_t>(
                    static_cast<std::size_t>(place_of_[static_cast<std::size_t>(k)]) % half_warp));
        return banks;
    }
    /// Passes that the half warp's rows take.
    [[nodiscard]] int cost(std::size_t h) const {
        int passes = 0;
        for (std::size_t row = 0; row < rows_; ++row) {
            std::array<int, half_warp> readers{};
            int most = 0;
            for (std::size_t j = h * half_warp; j < (h + 1) * half_warp; ++j)
                if (row < banks_[j].size()) most = std::max(most, ++readers[banks_[j][row]]);
            passes += most;
        }
        return passes;
    }
};

}  // namespace

void spread_over_banks(std::vector<lane_chains>& lanes, const std::vector<std::int32_t>& place_of,
                       int tries) {
    seating seats(lanes, place_of);
    std::uint32_t state = 99;
    const auto below = [&](std::size_t n) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return static_cast<std::size_t>(state) % n;
    };
    for (int t = 0; t < tries; ++t) {
        const std::size_t lane = below(lanes.size());
        if (t % 2 == 0)
            seats.try_exchange(lane, below(lanes.size()));
        else if (const std::size_t chains = lanes[lane].size(); chains > 1)
            seats.try_order(lane, below(chains), below(chains));
    }
}

}  // namespace wale::tree
