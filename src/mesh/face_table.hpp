// face_table - finds the face that two cells have in common: a hash table of faces by their corners.
#pragma once

#include <bit>
#include <vector>

#include "mesh/geometry.hpp"

namespace wale::meshes {

/// A face of a cell in one number.
struct face_id {
    index_t code = -1;
    static constexpr face_id of(index_t cell, int face) noexcept { return {cell * 8 + face}; }
    [[nodiscard]] constexpr bool none() const noexcept { return code < 0; }
    [[nodiscard]] constexpr index_t cell() const noexcept { return code / 8; }
    [[nodiscard]] constexpr int face() const noexcept { return static_cast<int>(code % 8); }
};

/// Open addressing; at most 0.8 full, and 0.4 where faces have two cells. Holds the first cell that names a
/// face; corners are looked up there.
class face_table {
public:
    /// For at most `rows` faces of `e`, which must outlive the table.
    face_table(const mesh_elements& e, index_t rows)
        : e_(e), slots_(std::bit_ceil(static_cast<std::size_t>(rows + rows / 4 + 2))) {}

    /// The face's first owner; none where it has none yet: then `own` (unless none) becomes it.
    face_id find_or_add(const face_key& key, face_id own = {}) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash(key) & mask;; at = (at + 1) & mask) {
            if (slots_[at].none()) {
                slots_[at] = own;
                return {};
            }
            if (key_of(slots_[at]) == key) return slots_[at];
        }
    }

    [[nodiscard]] face_key key_of(face_id f) const noexcept {
        const auto cell = static_cast<std::size_t>(f.cell());
        return meshes::key_of(e_.shapes[cell], f.face(),
                              &e_.corners[static_cast<std::size_t>(e_.first_corner[cell])]);
    }

private:
    static std::size_t hash(const face_key& key) noexcept {
        std::uint64_t h = 0;
        for (const std::int32_t c : key.corner) {
            h = (h ^ static_cast<std::uint32_t>(c)) * 0x9e3779b97f4a7c15u;
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }

    const mesh_elements& e_;
    std::vector<face_id> slots_;
};

}  // namespace wale::meshes
