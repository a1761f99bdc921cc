// plan - how a mesh of small cells lies on a device's multiprocessors: parts of cells, two neighbours a
// thread, the slots in which a part's states lie, and what the parts send each other. Numbers only: kernels
// and tests follow it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include <wale/mesh.hpp>

namespace wale::euler::resident {

inline constexpr int most_faces = 4;    // of a cell
inline constexpr int outer_faces = 6;   // gathers of a pair: three of each of its cells
inline constexpr int pair_faces = 7;    // the outer ones, and the one between its cells
inline constexpr int bank_classes = 8;  // 16-byte words that one pass through shared memory serves
inline constexpr index_t no_row = -1;

struct plan_shape {
    int parts = 1;
    int pairs = 0;      // threads of a part that compute, a multiple of 32
    int constants = 1;  // slots of states that never change: the far field, then the patches' own
};

/// Slots of a part, for pair t of T: t and T + t its cells, 2 T + c the constants, then the halo. Of the
/// three outer faces of a cell those that see the halo are the last.
struct plan {
    plan_shape shape;
    int halo_slot = 0;                // the first one
    int slots = 0;                    // of the largest part
    std::vector<std::int32_t> cell;   // [parts][2][pairs] -1: none
    std::vector<index_t> row;         // [parts][pair_faces][pairs] of the mesh; the last as the first cell's
    std::vector<std::uint16_t> slot;  // [parts][pair_faces][pairs] at the other side of each; the last one's
                                      // is the second cell's, but where a cell has no partner
    std::vector<std::int32_t> talking;  // [parts] its first so many pairs have neighbours in other parts
    std::vector<std::int32_t> halo;     // [parts + 1] places of the mailbox where each part's begin
    std::vector<std::int32_t> source;   // [places] the cell whose state comes there
    std::vector<std::int32_t> post;     // [parts][2][pairs] + 1: where each cell's begin in
    std::vector<std::int32_t> posted;   // places that its state goes to

    [[nodiscard]] index_t places() const noexcept { return static_cast<index_t>(source.size()); }
    /// Index of pair t's `which` in part p of an array [parts][width][pairs].
    [[nodiscard]] std::size_t at(int p, int width, int which, int t) const noexcept {
        return (static_cast<std::size_t>(p) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(which)) *
                   static_cast<std::size_t>(shape.pairs) +
               static_cast<std::size_t>(t);
    }
};

/// Cells with more faces than most_faces; -1: none.
[[nodiscard]] index_t first_cell_with_many_faces(const mesh& m);

/// The parts of `part` with at most `most` cells each: cells move to neighbouring parts that are not full,
/// and where fewer faces then lie between parts. O(rows) a sweep.
void level(const mesh& m, std::vector<std::int32_t>& part, int parts, int most);

/// A plan for part[cell] in 0..parts - 1. `constant_of_patch` says which constant a patch's faces see.
/// Throws unsupported where a part has more pairs than the shape allows. The same on every machine.
[[nodiscard]] plan make_plan(const mesh& m, std::span<const std::int32_t> part,
                             std::span<const int> constant_of_patch, const plan_shape& shape);

/// Mean over gathers of quarter-warps of the passes that shared memory needs; 1 is the least.
[[nodiscard]] double bank_passes(const plan& p);

}  // namespace wale::euler::resident
