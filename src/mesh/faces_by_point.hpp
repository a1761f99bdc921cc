// faces_by_point - the faces of all cells in lists, one a point: equal faces lie side by side, without a
// table of all faces. Each list is made by itself, so all threads make them, and no number of threads changes
// what they say.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>
#include <vector>
#include <wale/mesh.hpp>

#include "base/large_pages.hpp"
#include "mesh/geometry.hpp"
#include "mesh/shares.hpp"

namespace wale::meshes {

/// A face of a cell in one number.
struct face_id {
    index_t code = -1;
    static constexpr face_id of(index_t cell, int face) noexcept { return {cell * 8 + face}; }
    [[nodiscard]] constexpr bool none() const noexcept { return code < 0; }
    [[nodiscard]] constexpr index_t cell() const noexcept { return code / 8; }
    [[nodiscard]] constexpr int face() const noexcept { return static_cast<int>(code % 8); }
};

class faces_by_point {
public:
    /// Of `e`, which must outlive the lists, and whose corners are points. O(rows log m) by all threads, m
    /// being the most faces of a point.
    explicit faces_by_point(const mesh_elements& e) : e_(e), first_(e.points.size() / 3 + 1) {
        // Faces of a point lie behind those of all lower ones: counted, then placed in any order, then
        // sorted.
        each_face([&](face_id, const face_key& key) { (void)place_in(first_[at(key.corner[0])]); });
        index_t sum = 0;
        for (index_t& n : first_) n = std::exchange(sum, sum + n);
        base::resize_in_large_pages(faces_, at(sum));
        std::vector<index_t> next = first_;
        each_face([&](face_id f, const face_key& key) { faces_[at(place_in(next[at(key.corner[0])]))] = f; });
    }

    /// A face with its key; sorted by keys, and equal ones by cells.
    struct entry {
        face_key key;
        face_id face;
        friend bool operator<(const entry& a, const entry& b) noexcept {
            return a.key.corner != b.key.corner ? a.key.corner < b.key.corner : a.face.code < b.face.code;
        }
    };
    /// Sorts each point's faces and calls take(equal faces) for all of them, by all threads.
    template <class Take>
    void sort(const Take& take) {
        each_share(std::ssize(first_) - 1, [&](index_t first, index_t last) {
            std::vector<entry> all;
            cpu::rare_poll poll(1 << 12);
            for (index_t p = first; p < last; ++p, poll()) {
                all.clear();
                for (const face_id f : of(p)) all.push_back({key_of(f), f});
                std::sort(all.begin(), all.end());
                for (std::size_t i = 0; i < all.size(); ++i) faces_[at(first_[at(p)]) + i] = all[i].face;
                for (auto a = all.cbegin(), b = a; a != all.cend(); a = b) {
                    b = std::find_if(a, all.cend(), [&](const entry& o) { return !(o.key == a->key); });
                    take(std::span<const entry>(a, b));
                }
            }
        });
    }
    /// The first cell's face that has the key, of sorted lists; none where no cell has one.
    [[nodiscard]] face_id find(const face_key& key) const {
        const std::span<const face_id> faces = of(key.corner[0]);
        const auto found =
            std::ranges::lower_bound(faces, key.corner, {}, [&](face_id f) { return key_of(f).corner; });
        return found != faces.end() && key_of(*found) == key ? *found : face_id{};
    }
    [[nodiscard]] face_key key_of(face_id f) const noexcept {
        const std::size_t cell = at(f.cell());
        return meshes::key_of(e_.shapes[cell], f.face(), &e_.corners[at(e_.first_corner[cell])]);
    }

private:
    static std::size_t at(index_t i) noexcept { return static_cast<std::size_t>(i); }
    /// Threads count in the same words; which thread gets which place, the sorting makes equal.
    static index_t place_in(index_t& count) {
        return std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
    }
    [[nodiscard]] std::span<const face_id> of(index_t point) const {
        return {faces_.data() + first_[at(point)], faces_.data() + first_[at(point + 1)]};
    }
    template <class F>
    void each_face(const F& f) const {
        each_share(std::ssize(e_.shapes), [&](index_t first, index_t last) {
            cpu::rare_poll poll(1 << 14);
            for (index_t c = first; c < last; ++c, poll())
                for (int i = 0; i < faces_of(e_.shapes[at(c)]); ++i) {
                    const face_id own = face_id::of(c, i);
                    f(own, key_of(own));
                }
        });
    }

    const mesh_elements& e_;
    std::vector<index_t> first_;  // [points + 1] places in faces_
    std::vector<face_id> faces_;  // [rows]
};

}  // namespace wale::meshes
