// inspect - whether a flow can be computed on a mesh, and what it is like.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <wale/mesh_tools.hpp>

#include "base/disjoint_sets.hpp"
#include "base/vec.hpp"

namespace wale {
namespace meshes {

using base::load, base::vec;
namespace {

/// Files of seven digits are open by some 1e-7, genuine fvcorr files by up to 2.2e-7; a wrong face is by 0.1.
constexpr double tolerance = 1e-5;

class inspection {
public:
    explicit inspection(const mesh& m) : m_(m), sets_(m.cells()) {
        r_.cells = m.cells();
        r_.rows = m.rows();
        r_.patch_faces.resize(m.patches.size());
        r_.patch_area.resize(m.patches.size());
        r_.least_volume = m.cells() == 0 ? 0 : HUGE_VAL;
        r_.greatest_volume = m.cells() == 0 ? 0 : -HUGE_VAL;
    }

    mesh_report report() {
        for (index_t c = 0; c < m_.cells(); ++c) {
            inspect_volume(c);
            inspect_closure(c);
            for (index_t row = first(c); row < first(c + 1); ++row) inspect_row(c, row);
        }
        for (index_t c = 0; c < m_.cells(); ++c) r_.parts += sets_.find(c) == c;
        r_.inner_faces = inner_rows_ / 2;
        r_.mean_distance = inner_rows_ == 0 ? 0 : distance_ / static_cast<double>(inner_rows_);
        r_.area_factor = median_area_factor();
        if (m_.has_centres() && inner_rows_ > 0) r_.mean_angle = angles_ / static_cast<double>(inner_rows_);
        if (m_.has_centres()) r_.gauss = std::abs(r_.volume - outflow_ / m_.dimensions) / r_.volume;
        r_.verdict = verdict();
        return std::move(r_);
    }

private:
    static std::size_t at(index_t i) noexcept { return static_cast<std::size_t>(i); }
    [[nodiscard]] index_t first(index_t cell) const { return m_.first_face[at(cell)]; }
    [[nodiscard]] vec normal(index_t row) const { return load(m_.normal.data(), row); }
    [[nodiscard]] vec place(index_t cell, index_t row) const {
        return load(m_.centre.data(), cell) + load(m_.face_offset.data(), row);
    }

    void inspect_volume(index_t c) {
        const double volume = m_.volume[at(c)];
        if (!(volume > 0 && std::isfinite(volume)) && r_.not_positive++ == 0) r_.first_not_positive = c;
        r_.volume += volume;
        r_.least_volume = std::min(r_.least_volume, volume);
        r_.greatest_volume = std::max(r_.greatest_volume, volume);
    }

    void inspect_closure(index_t c) {
        vec sum;
        double area = 0;
        for (index_t row = first(c); row < first(c + 1); ++row) {
            sum = sum + normal(row);
            area += length(normal(row));
        }
        const double gap = length(sum) / area;
        if (!(gap <= tolerance)) ++r_.open_cells;
        // A cell without area, or with one that is no number, is worse than any other.
        if (!(gap <= r_.closure)) {
            r_.closure = gap;
            if (!(gap <= tolerance)) r_.worst_open = c;
        }
    }

    void inspect_row(index_t c, index_t row) {
        const std::int32_t neighbour = m_.neighbour[at(row)];
        if (is_patch(neighbour)) {
            if (at(patch_of(neighbour)) < r_.patch_faces.size()) {
                ++r_.patch_faces[at(patch_of(neighbour))];
                r_.patch_area[at(patch_of(neighbour))] += length(normal(row));
            }
            if (m_.has_centres()) outflow_ += dot(place(c, row) - place_of_first(), normal(row));
            return;
        }
        ++inner_rows_;
        const index_t step = std::abs(c - index_t{neighbour});
        r_.bandwidth = std::max(r_.bandwidth, step);
        distance_ += static_cast<double>(step);
        r_.self_neighbours += step == 0;
        if (!is_mutual(c, row)) {
            if (r_.not_mutual++ == 0) r_.first_not_mutual = c;
            return;
        }
        sets_.join(c, neighbour);
        const double ratio = m_.volume[at(c)] / m_.volume[at(neighbour)];
        if (ratio > r_.volume_ratio) r_.volume_ratio = ratio;
        if (m_.has_centres()) inspect_angle(c, row);
    }

    void inspect_angle(index_t c, index_t row) {
        const vec apart = load(m_.face_offset.data(), row) - load(m_.face_offset.data(), opposite(c, row));
        const double cosine = dot(apart, normal(row)) / (length(apart) * length(normal(row)));
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
        angles_ += angle;
        if (angle > r_.largest_angle) {
            r_.largest_angle = angle;
            r_.worst_angle = c;
        }
    }

    /// The row that looks back from the other side; -1: there is none.
    [[nodiscard]] index_t opposite(index_t c, index_t row) const {
        const std::int32_t neighbour = m_.neighbour[at(row)];
        if (neighbour >= m_.cells()) return -1;
        const index_t back = first(neighbour) + m_.opposite[at(row)];
        if (back >= first(index_t{neighbour} + 1) || m_.neighbour[at(back)] != c) return -1;
        return first(c) + m_.opposite[at(back)] == row ? back : -1;
    }

    bool is_mutual(index_t c, index_t row) {
        const index_t back = opposite(c, row);
        if (back < 0) return false;
        const double difference = length(normal(row) + normal(back)) / length(normal(row));
        if (!(difference <= r_.reciprocity)) r_.reciprocity = difference;
        // Only faces that a translation joined lie at two places.
        if (m_.has_centres())
            outflow_ += 0.5 * dot(place(c, row) - place(m_.neighbour[at(row)], back), normal(row));
        return difference <= tolerance;
    }

    [[nodiscard]] vec place_of_first() const { return load(m_.centre.data(), 0); }

    [[nodiscard]] double median_area_factor() const {
        std::vector<double> all;
        for (index_t c = 0; c < m_.cells() && m_.dimensions == 3; ++c) {
            if (first(c + 1) - first(c) != 4) continue;
            const double d = dot(normal(first(c) + 1), cross(normal(first(c) + 2), normal(first(c) + 3)));
            const double ratio = std::sqrt(2.0 / 9 * std::abs(d)) / m_.volume[at(c)];
            if (ratio > 0 && std::isfinite(ratio)) all.push_back(std::cbrt(ratio * ratio));
        }
        if (all.empty()) return 1;
        const auto middle = all.begin() + std::ssize(all) / 2;
        std::nth_element(all.begin(), middle, all.end());
        return *middle;
    }

    [[nodiscard]] std::string verdict() const {
        const auto say = [](index_t count, const char* what, index_t cell) {
            return std::to_string(count) + what + (cell < 0 ? "" : ", such as cell " + std::to_string(cell));
        };
        if (r_.not_positive > 0)
            return say(r_.not_positive, " volumes that are not positive", r_.first_not_positive);
        if (r_.not_mutual > 0)
            return say(r_.not_mutual, " faces whose neighbour does not have them too", r_.first_not_mutual);
        if (r_.self_neighbours > 0) return say(r_.self_neighbours, " faces of cells with themselves", -1);
        if (r_.open_cells > 0) return say(r_.open_cells, " cells whose faces do not close", r_.worst_open);
        return {};
    }

    const mesh& m_;
    mesh_report r_;
    base::disjoint_sets sets_;
    index_t inner_rows_ = 0;
    double distance_ = 0;  // sum over inner rows
    double angles_ = 0;    // sum over inner rows
    double outflow_ = 0;   // sum of x . n over the boundary
};

}  // namespace
}  // namespace meshes

mesh_report inspect(const mesh& m) {
    return meshes::inspection(m).report();
}

}  // namespace wale
