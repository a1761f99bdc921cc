// order - the order of the tasks of a sweep: strips of panels, each after those above and at its left.
#pragma once

#include <cstdint>
#include <vector>
#include <wale/layout.hpp>

namespace wale::wavefront::strips {

inline constexpr std::uint32_t no_task = ~0u;

/// A strip of a panel; the numbers of the tasks whose output it reads, and of that which reads its row.
/// No strip reads the row of the last one, so it is not written.
struct task {
    std::int32_t strip, panel;
    std::uint32_t above, left, below;
};

struct task_order {
    std::vector<task> tasks;
    std::uint32_t most_apart = 0;  // numbers between a task and the one below

    /// A strip begins a panel when the strips above have gone through `lead` strips' time: about the time in
    /// which as many strips can begin one after the other. All tasks of a time are side by side.
    task_order(int strips, int panels, int lead);
};

}  // namespace wale::wavefront::strips
