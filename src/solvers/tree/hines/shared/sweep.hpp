// sweep - the order in which one worker takes a whole tree: every node after its children, the heaviest
// child's subtree first. A branch is then a run of rows whose parent's sums never leave registers; beside it
// only light edges above wait, log2(n) of them at most, each in a slot of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/host_device.hpp"
#include "solvers/tree/hines/shared/forms.hpp"

namespace wale::tree {

/// What a row does with the sums of its children and with its own share of its parent's.
struct sweep_link {
    static constexpr std::uint32_t leaf = 1;     // no child: starts from nothing, else from the row before
    static constexpr std::uint32_t join = 2;     // and takes slot `own` as well: several children
    static constexpr std::uint32_t aside = 4;    // its share goes to slot `parents`, not to the next row
    static constexpr std::uint32_t further = 8;  // ... where an older sibling's share already waits
    static constexpr std::uint32_t root = 16;    // no parent
    std::uint32_t bits;
    [[nodiscard]] WALE_HD bool is(std::uint32_t flag) const { return (bits & flag) != 0; }
    [[nodiscard]] WALE_HD int own() const { return static_cast<int>(bits >> 8 & 0xff); }
    [[nodiscard]] WALE_HD int parents() const { return static_cast<int>(bits >> 16 & 0xff); }
};

struct sweep_row {
    std::int32_t node;  // from the tree's lowest
    sweep_link link;
};

struct sweep {
    explicit sweep(const form& f);
    std::vector<sweep_row> rows;  // [size] children first
    int slots = 0;
};

}  // namespace wale::tree
