// pairing - a greedy matching, then augmenting paths.
#include "solvers/euler/advance/cuda/resident/pairing.hpp"

#include <algorithm>

namespace wale::euler::resident {
namespace {

class matcher {
public:
    explicit matcher(const pairing_graph& g)
        : g_(g), partner_(g.neighbours.size(), -1), degree_(g.neighbours.size(), 0) {}

    std::vector<std::int32_t> run() {
        greedy();
        seen_.assign(partner_.size(), -1);
        for (std::int32_t v = 0; v < size(); ++v)
            if (partner(v) < 0) (void)augment(v, v, deepest);
        return std::move(partner_);
    }

private:
    static constexpr int deepest = 12;  // pairs of a path that is turned round
    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(partner_.size()); }
    std::int32_t& partner(std::int32_t v) { return partner_[static_cast<std::size_t>(v)]; }
    int& degree(std::int32_t v) { return degree_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] bool alike(std::int32_t a, std::int32_t b) const {
        return g_.alike[static_cast<std::size_t>(a)] == g_.alike[static_cast<std::size_t>(b)];
    }
    template <class Visit>
    void each_neighbour(std::int32_t v, const Visit& visit) const {
        for (const std::int32_t w : g_.neighbours[static_cast<std::size_t>(v)])
            if (w >= 0) visit(w);
    }

    /// Takes v out of the graph of what is still free.
    void take(std::int32_t v) {
        each_neighbour(v, [&](std::int32_t w) {
            if (partner(w) < 0) waiting_[static_cast<std::size_t>(--degree(w))].push_back(w);
        });
    }

    void match(std::int32_t v) {
        std::int32_t best = -1;
        const auto rank = [&](std::int32_t w) { return 2 * degree(w) + (alike(v, w) ? 0 : 1); };
        each_neighbour(v, [&](std::int32_t w) {
            if (partner(w) < 0 && (best < 0 || rank(w) < rank(best))) best = w;
        });
        if (best < 0) return;
        partner(v) = best;
        partner(best) = v;
        take(v);
        take(best);
    }

    void greedy() {
        for (std::int32_t v = 0; v < size(); ++v) {
            each_neighbour(v, [&](std::int32_t) { ++degree(v); });
            waiting_[static_cast<std::size_t>(degree(v))].push_back(v);
        }
        for (std::size_t d = 0; d < waiting_.size();) {
            if (waiting_[d].empty()) {
                ++d;
                continue;
            }
            const std::int32_t v = waiting_[d].back();
            waiting_[d].pop_back();
            if (partner(v) >= 0 || degree(v) != static_cast<int>(d)) continue;  // an old entry
            match(v);
            d = 0;
        }
    }

    /// Whether v, whose partner has left it, finds another one by a path of at most `depth` pairs.
    bool augment(std::int32_t v, std::int32_t root, int depth) {
        seen_[static_cast<std::size_t>(v)] = root;
        for (const std::int32_t w : g_.neighbours[static_cast<std::size_t>(v)]) {
            if (w < 0 || w == root || seen_[static_cast<std::size_t>(w)] == root) continue;
            const std::int32_t left = partner(w);
            if (left >= 0) {
                if (depth == 0 || seen_[static_cast<std::size_t>(left)] == root) continue;
                seen_[static_cast<std::size_t>(w)] = root;
                if (!augment(left, root, depth - 1)) continue;
            }
            partner(v) = w;
            partner(w) = v;
            return true;
        }
        return false;
    }

    const pairing_graph& g_;
    std::vector<std::int32_t> partner_, seen_;
    std::vector<int> degree_;
    std::array<std::vector<std::int32_t>, 5> waiting_;  // by degree, with old entries
};

}  // namespace

std::vector<std::int32_t> paired(const pairing_graph& g) {
    return matcher(g).run();
}

}  // namespace wale::euler::resident
