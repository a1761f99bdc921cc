// distort - the same cells, less regular.
#include "mesh/distort.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "mesh/geometry.hpp"
#include "mesh/random.hpp"

namespace wale::meshes {
namespace {

class distortion {
public:
    distortion(mesh_elements& e, double part, std::uint64_t seed)
        : e_(e), planned_(e.points.size(), 0.0), before_(e.points) {
        const std::vector<double> reach = reaches();
        random_source random(seed);
        for (std::size_t i = 0; i < planned_.size(); ++i) {
            const double shift = part * reach[i / 3] * (2 * random.uniform() - 1);
            planned_[i] = e.dimensions == 2 && i % 3 == 2 ? 0 : shift;
        }
    }

    void apply() {
        std::vector<double> volume;
        for (index_t c = 0; c < std::ssize(e_.shapes); ++c) volume.push_back(volume_of(c));
        for (int round = 0; round < 30; ++round) {
            for (std::size_t i = 0; i < planned_.size(); ++i) e_.points[i] = before_[i] + planned_[i];
            std::vector<char> back(e_.points.size() / 3, 0);
            for (index_t c = 0; c < std::ssize(e_.shapes); ++c)
                if (!(volume_of(c) / volume[static_cast<std::size_t>(c)] > 0.5))
                    for (const std::int32_t p : corners(c)) back[static_cast<std::size_t>(p)] = 1;
            if (std::find(back.begin(), back.end(), 1) == back.end()) return;
            for (std::size_t i = 0; i < planned_.size(); ++i)
                if (back[i / 3]) planned_[i] *= 0.5;
        }
        e_.points = before_;
    }

private:
    [[nodiscard]] std::span<const std::int32_t> corners(index_t c) const {
        const auto cell = static_cast<std::size_t>(c);
        return {e_.corners.data() + e_.first_corner[cell], e_.corners.data() + e_.first_corner[cell + 1]};
    }
    [[nodiscard]] double volume_of(index_t c) const {
        return form_of(e_.shapes[static_cast<std::size_t>(c)], corners(c).data(), e_.points.data()).volume;
    }

    /// Of each point the shortest edge; 0 on the boundary.
    [[nodiscard]] std::vector<double> reaches() const {
        std::vector<double> reach(e_.points.size() / 3, HUGE_VAL);
        for (index_t c = 0; c < std::ssize(e_.shapes); ++c)
            for (const std::int32_t a : corners(c))
                for (const std::int32_t b : corners(c))
                    if (a != b)
                        reach[static_cast<std::size_t>(a)] =
                            std::min(reach[static_cast<std::size_t>(a)],
                                     length(load(e_.points.data(), a) - load(e_.points.data(), b)));
        for (const mesh_elements::patch& p : e_.patches)
            for (const std::int32_t corner : p.corners) reach[static_cast<std::size_t>(corner)] = 0;
        return reach;
    }

    mesh_elements& e_;
    std::vector<double> planned_;  // [points][3]
    std::vector<double> before_;
};

}  // namespace

void distort(mesh_elements& e, double part, std::uint64_t seed) {
    distortion(e, part, seed).apply();
}

}  // namespace wale::meshes
