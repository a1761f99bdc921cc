// tuning - measured choices of the host rows.
#pragma once

#include <wale/layout.hpp>

namespace wale::lu {

struct inspecting_policy {
    index_t tile;              // rows and columns of the residual at a time
    index_t elements_a_task;   // of a norm
    double plain_operations;   // a residual of fewer is taken by plain loops, and
    double elements_a_thread;  // fewer are not worth a thread
};

inline constexpr inspecting_policy chosen_inspecting{256, 1 << 17, 5e5, 1 << 18};  // untuned

/// Threads for so many elements.
[[nodiscard]] inline long long useful_threads(double elements) {
    const double useful = elements / chosen_inspecting.elements_a_thread;
    return static_cast<long long>(useful < 1e6 ? useful : 1e6);
}

}  // namespace wale::lu
