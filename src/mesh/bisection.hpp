// bisection - cuts a range of cells in two by the graph of their neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "mesh/tiles.hpp"

namespace wale::meshes {

using numbers = std::vector<std::int32_t>;

[[nodiscard]] inline std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

struct range {
    index_t begin = 0, end = 0;
    index_t parts = 1;
    [[nodiscard]] index_t size() const { return end - begin; }
};

/// Between two far ends by distance, smoothed; then cells are exchanged along the cut. Cells have numbers of
/// their own in here: places within the range.
class range_cutter {
public:
    /// Of `order`, by `place` in it; only this range of `order` is changed.
    void cut(const range& r, const numbers& neighbours, const numbers& place, numbers& order) {
        size_ = static_cast<std::int32_t>(r.size());
        first_ = static_cast<std::int32_t>(r.size() * (r.parts / 2) / r.parts);
        collect(r, neighbours, place, order);
        find_heights();
        smooth();
        take_lower();
        exchange();
        old_.assign(order.begin() + r.begin, order.begin() + r.end);
        index_t lower = r.begin, upper = r.begin + first_;
        for (std::int32_t i = 0; i < size_; ++i) order[at(upper_[at(i)] ? upper++ : lower++)] = old_[at(i)];
    }
    [[nodiscard]] index_t lower_size() const { return first_; }

private:
    [[nodiscard]] std::int32_t near(std::int32_t cell, int face) const {
        return near_[at(index_t{tile_faces} * cell + face)];
    }

    void collect(const range& r, const numbers& neighbours, const numbers& place, const numbers& order) {
        near_.resize(at(index_t{tile_faces} * size_));
        for (std::int32_t i = 0; i < size_; ++i) {
            const index_t row = index_t{tile_faces} * order[at(r.begin + i)];
            for (int f = 0; f < tile_faces; ++f) {
                const std::int32_t n = neighbours[at(row + f)];
                const index_t there = n < 0 ? -1 : place[at(n)];
                near_[at(index_t{tile_faces} * i + f)] =
                    there >= r.begin && there < r.end ? static_cast<std::int32_t>(there - r.begin) : -1;
            }
        }
    }

    /// Distances from `start`; pieces that are not connected lie behind each other. The last cell reached.
    std::int32_t search(std::int32_t start, numbers& distance) {
        distance.assign(at(size_), -1);
        queue_.clear();
        queue_.push_back(start);
        distance[at(start)] = 0;
        std::int32_t other = 0;
        for (std::size_t next = 0;
             static_cast<std::int32_t>(queue_.size()) < size_ || next < queue_.size();) {
            if (next == queue_.size()) {
                while (distance[at(other)] >= 0) ++other;
                distance[at(other)] = distance[at(queue_.back())] + 1;
                queue_.push_back(other);
            }
            const std::int32_t cell = queue_[next++];
            for (int f = 0; f < tile_faces; ++f) {
                const std::int32_t n = near(cell, f);
                if (n < 0 || distance[at(n)] >= 0) continue;
                distance[at(n)] = distance[at(cell)] + 1;
                queue_.push_back(n);
            }
        }
        return queue_.back();
    }

    void find_heights() {
        const std::int32_t end = search(search(0, from_), from_);
        (void)search(end, to_);
        height_.resize(at(size_));
        for (std::size_t i = 0; i < height_.size(); ++i) height_[i] = static_cast<float>(from_[i] - to_[i]);
    }

    void smooth() {
        constexpr int sweeps = 8;
        smooth_.resize(at(size_));
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (std::int32_t i = 0; i < size_; ++i) {
                float sum = 0;
                int count = 0;
                for (int f = 0; f < tile_faces; ++f)
                    if (const std::int32_t n = near(i, f); n >= 0) {
                        sum += height_[at(n)];
                        ++count;
                    }
                const float own = height_[at(i)];
                smooth_[at(i)] = count == 0 ? own : 0.4F * own + 0.6F * sum / static_cast<float>(count);
            }
            height_.swap(smooth_);
        }
    }

    void take_lower() {
        queue_.resize(at(size_));
        std::iota(queue_.begin(), queue_.end(), 0);
        std::nth_element(
            queue_.begin(), queue_.begin() + first_, queue_.end(), [this](std::int32_t a, std::int32_t b) {
                return height_[at(a)] != height_[at(b)] ? height_[at(a)] < height_[at(b)] : a < b;
            });
        upper_.assign(at(size_), 1);
        for (std::int32_t i = 0; i < first_; ++i) upper_[at(queue_[at(i)])] = 0;
    }

    /// Faces that would be cut less if the cell changed sides.
    [[nodiscard]] int gain(std::int32_t cell) const {
        int sum = 0;
        for (int f = 0; f < tile_faces; ++f)
            if (const std::int32_t n = near(cell, f); n >= 0)
                sum += upper_[at(n)] != upper_[at(cell)] ? 1 : -1;
        return sum;
    }

    /// Pairs of cells change sides where both gain.
    void exchange() {
        constexpr int passes = 6;
        for (int pass = 0; pass < passes; ++pass) {
            numbers side[2];
            for (std::int32_t i = 0; i < size_; ++i)
                if (gain(i) > 0) side[upper_[at(i)] ? 1 : 0].push_back(i);
            index_t moved = 0;
            std::size_t next[2] = {0, 0};
            const auto find = [&](std::size_t s) {
                while (next[s] < side[s].size() && gain(side[s][next[s]]) <= 0) ++next[s];
                return next[s] < side[s].size();
            };
            while (find(0)) {
                const std::int32_t down = side[0][next[0]++];
                upper_[at(down)] = 1;
                if (!find(1)) {
                    upper_[at(down)] = 0;
                    break;
                }
                upper_[at(side[1][next[1]++])] = 0;
                ++moved;
            }
            if (moved == 0) return;
        }
    }

    std::int32_t size_ = 0, first_ = 0;
    numbers near_, queue_, from_, to_, old_;
    std::vector<float> height_, smooth_;
    std::vector<char> upper_;
};

}  // namespace wale::meshes
