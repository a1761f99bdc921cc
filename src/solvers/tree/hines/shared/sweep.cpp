// sweep - orders the rows without recursion.
#include "solvers/tree/hines/shared/sweep.hpp"

#include <algorithm>

namespace wale::tree {
namespace {

std::size_t at(std::int32_t k) {
    return static_cast<std::size_t>(k);
}

/// Each node's children with the heaviest first.
void put_heaviest_first(form_children& children, const form& f) {
    std::vector<std::int32_t> weight(f.node.size(), 1);
    for (std::int32_t k = f.size() - 1; k > 0; --k) weight[at(f.parent[at(k)])] += weight[at(k)];
    for (std::int32_t k = 0; k < f.size(); ++k) {
        const auto own = std::span(children.child).subspan(at(children.start[at(k)]), at(children.count(k)));
        const auto heaviest =
            std::ranges::max_element(own, {}, [&](std::int32_t c) { return weight[at(c)]; });
        if (heaviest != own.end()) std::rotate(own.begin(), heaviest, heaviest + 1);
    }
}

}  // namespace

sweep::sweep(const form& f) {
    if (f.size() == 0) return;
    form_children children(f);
    put_heaviest_first(children, f);
    struct open_node {
        std::int32_t position, next_child;
        int slot;  // that it would join
    };
    const auto bits = [](int number, int shift) { return static_cast<std::uint32_t>(number) << shift; };
    std::vector<open_node> open{{0, 0, 0}};
    rows.reserve(f.node.size());
    while (!open.empty()) {
        open_node& top = open.back();
        const std::int32_t count = children.count(top.position);
        if (top.next_child < count) {
            const std::int32_t child = children.child[at(children.start[at(top.position)] + top.next_child)];
            const int slot = top.slot + (top.next_child > 0 ? 1 : 0);  // the first child's share waits there
            ++top.next_child;
            open.push_back({child, 0, slot});
            continue;
        }
        const open_node done = top;
        open.pop_back();
        sweep_link link{bits(done.slot, 8)};
        if (count == 0) link.bits |= sweep_link::leaf;
        if (count > 1) {
            link.bits |= sweep_link::join;
            slots = std::max(slots, done.slot + 1);
        }
        if (open.empty()) {
            link.bits |= sweep_link::root;
        } else {
            const open_node& parent = open.back();  // its next_child is one beyond this one
            link.bits |= bits(parent.slot, 16);
            if (parent.next_child < children.count(parent.position)) {
                link.bits |= sweep_link::aside;
                if (parent.next_child > 1) link.bits |= sweep_link::further;
            }
        }
        rows.push_back({f.node[at(done.position)], link});
    }
}

}  // namespace wale::tree
