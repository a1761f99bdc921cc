// live_diagonals - the diagonals that a path of at most `bound` edits can still touch, narrower with every
// line of values that is known (Ukkonen 1985).
#pragma once

#include <algorithm>
#include <cstdlib>
#include <wale/layout.hpp>

namespace wale::wavefront {

/// A diagonal is column - row of its cells' ends.
class live_diagonals {
public:
    /// `bound` is at least the difference of the sizes.
    live_diagonals(index_t rows, index_t columns, index_t bound)
        : target_(columns - rows),
          bound_(bound),
          first_(std::min<index_t>(target_, 0) - (bound - std::abs(target_)) / 2),
          last_(std::max<index_t>(target_, 0) + (bound - std::abs(target_)) / 2) {}

    [[nodiscard]] index_t first() const { return first_; }
    [[nodiscard]] index_t last() const { return last_; }
    [[nodiscard]] index_t width() const { return last_ - first_ + 1; }

    /// A line that every path crosses is looked at part by part between begin() and end().
    void begin() {
        next_first_ = last_ + 1;
        next_last_ = first_ - 1;
    }
    /// Values at the ends of `steps` neighbours on the diagonals from `low` to low + steps: between the ends
    /// they change by at most one a step.
    void look(index_t before, index_t after, index_t steps, index_t low) {
        const index_t least = (before + after - steps) / 2, high = low + steps, left = bound_ - least;
        if (std::max({low - target_, target_ - high, index_t{0}}) > left) return;
        next_first_ = std::min(next_first_, (low + target_ - left) / 2 - 1);
        next_last_ = std::max(next_last_, (high + target_ + left) / 2 + 1);
    }
    /// False where no path is within the bound.
    [[nodiscard]] bool end() {
        const bool any = next_first_ <= next_last_;
        first_ = std::max(first_, next_first_);
        last_ = std::min(last_, next_last_);
        return any;
    }

private:
    index_t target_, bound_, first_, last_, next_first_ = 0, next_last_ = 0;
};

}  // namespace wale::wavefront
