// leveling - parts made to fit: cells move to neighbouring parts that are not full, and where that leaves
// fewer faces between parts.
#include <algorithm>
#include <array>

#include "solvers/euler/advance/cuda/resident/plan.hpp"

namespace wale::euler::resident {
namespace {

constexpr int sweeps = 12;

class leveler {
public:
    leveler(const mesh& m, std::vector<std::int32_t>& part, int parts, int most)
        : m_(m), part_(part), size_(static_cast<std::size_t>(parts), 0), most_(most) {
        for (const std::int32_t p : part) ++size(p);
    }

    void run() {
        for (int s = 0; s < sweeps; ++s) {
            index_t moved = 0;
            for (index_t c = 0; c < m_.cells(); ++c) moved += move(static_cast<std::size_t>(c)) ? 1 : 0;
            if (moved == 0) return;
        }
    }

private:
    int& size(std::int32_t p) { return size_[static_cast<std::size_t>(p)]; }

    /// Moves cell c where that is better.
    bool move(std::size_t c) {
        struct candidate {
            std::int32_t part;
            int faces;
        };
        std::array<candidate, most_faces> others{};
        std::size_t count = 0;
        int inside = 0;
        for (index_t r = m_.first_face[c]; r < m_.first_face[c + 1]; ++r) {
            const std::int32_t n = m_.neighbour[static_cast<std::size_t>(r)];
            if (is_patch(n)) continue;
            const std::int32_t p = part_[static_cast<std::size_t>(n)];
            if (p == part_[c]) {
                ++inside;
                continue;
            }
            const auto end = others.begin() + static_cast<std::ptrdiff_t>(count);
            const auto known = std::find_if(others.begin(), end, [&](candidate o) { return o.part == p; });
            if (known == end)
                others[count++] = {p, 1};
            else
                ++known->faces;
        }
        const bool crowded = size(part_[c]) > most_;
        std::int32_t best = -1;
        int gain = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto [p, faces] = others[i];
            if (size(p) >= most_ && !(crowded && size(p) + 1 < size(part_[c]))) continue;
            const bool good = faces > inside || crowded;
            if (good && (best < 0 || faces - inside > gain)) {
                best = p;
                gain = faces - inside;
            }
        }
        if (best < 0) return false;
        --size(part_[c]);
        ++size(best);
        part_[c] = best;
        return true;
    }

    const mesh& m_;
    std::vector<std::int32_t>& part_;
    std::vector<int> size_;
    int most_;
};

}  // namespace

void level(const mesh& m, std::vector<std::int32_t>& part, int parts, int most) {
    leveler(m, part, parts, most).run();
}

}  // namespace wale::euler::resident
