// window - the steps of one window of a contraction.
#pragma once

#include "solvers/tree/hines/shared/contraction/schedule.hpp"

namespace wale::tree {

/// What a level is made of: items in depth-first order, each after its parent.
struct contraction_items {
    std::vector<std::int32_t> parent;  // item, -1: root
    std::vector<char> is_sum;          // a sum for its parent, not a node; empty: none is
    std::vector<std::int32_t> last_child;

    [[nodiscard]] bool sum(std::int32_t i) const {
        return !is_sum.empty() && is_sum[static_cast<std::size_t>(i)] != 0;
    }
};

/// An item of the next level, before it has its place there.
struct contraction_rest {
    std::int32_t slot;
    std::int32_t item;    // -1: a sum
    std::int32_t parent;  // item of this level, -1: root
};

class contraction_window_maker {
public:
    contraction_window_maker(const contraction_items& items, const contraction_limits& limits)
        : all_(items), limits_(limits) {}

    /// Makes the steps of items [begin, end).
    void make(std::int32_t begin, std::int32_t end);
    /// Of the window made last.
    [[nodiscard]] const std::vector<contraction_cell>& cells() const { return cells_; }
    [[nodiscard]] const std::vector<contraction_rest>& rest() const { return rest_; }
    [[nodiscard]] int steps() const { return static_cast<int>(steps_.size()); }
    [[nodiscard]] int list() const { return list_cell_; }
    [[nodiscard]] int slots() const { return slots_; }

private:
    struct contribution {
        int target;  // slot, or of a parent outside -2 - its number in outside_
        std::uint16_t source;
    };
    struct chosen_run {
        int top, bottom_node, count, below;
    };
    void begin(std::int32_t first, std::int32_t end);
    [[nodiscard]] bool ready(int i) const;
    void measure_runs(int longest);
    void take_runs();
    void emit(const chosen_run& run);
    void take_sums();
    void add_group(const contribution* begin, const contribution* end);
    void put_sum(int target, const contribution* begin, const contribution* end);
    [[nodiscard]] int slot_of(int target);
    void finish();

    const contraction_items& all_;
    const contraction_limits limits_;
    std::int32_t first_ = 0;
    int items_ = 0, slots_ = 0, list_cell_ = 0;
    std::vector<int> parent_;            // slot, -1: root, -2 - k: outside_[k]
    std::vector<int> kids_;              // children in this window that are nodes and still there
    std::vector<int> kid_;               // one of these
    std::vector<int> waiting_for_;       // contributions that have not been added
    std::vector<int> length_;            // of the run that ends in this node, from the leaves; 0: not in one
    std::vector<char> open_;             // has children in later windows
    std::vector<int> live_;              // nodes that are still there, ascending
    std::vector<std::int32_t> outside_;  // parents in windows before, as items
    std::vector<int> outside_slot_;      // their accumulators, -1: none yet
    std::vector<contribution> waiting_, left_;
    std::vector<chosen_run> runs_of_step_;
    std::vector<contraction_step> steps_;
    std::vector<contraction_run> runs_;
    std::vector<contraction_sum> sums_;
    std::vector<std::uint16_t> list_;
    std::vector<contraction_cell> cells_;
    std::vector<contraction_rest> rest_;
};

}  // namespace wale::tree
