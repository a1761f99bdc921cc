// window_rows - one window in host memory, its four words a row side by side so that rows of several runs
// turn into vectors, one run a lane. The vector code is in window_rows.cpp.
#pragma once

#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "solvers/tree/problem.hpp"

namespace wale::tree {

template <class T>
struct window_rows {
    static constexpr int words = 4;  // u, l, d, b: b holds the unknown in the end
    T* rows;                         // [slots + spare][words]
    index_t spare;                   // a slot of no node: below runs that end in a leaf
    const contraction_cell* cells;
    int steps;
    const std::uint16_t* list;
};

/// Rows of consecutive elements, into rows side by side.
void gather_rows(const window_rows<float>& to, index_t count, const float* const (&from)[4]);
void gather_rows(const window_rows<double>& to, index_t count, const double* const (&from)[4]);
/// False if a pivot may be one that cannot be divided by.
[[nodiscard]] bool eliminate_rows(const window_rows<float>& window);
[[nodiscard]] bool eliminate_rows(const window_rows<double>& window);

}  // namespace wale::tree
