// block - some columns of the tables of one query and of as many targets as there are lanes, a target a lane.
#pragma once

#include <wale/layout.hpp>

namespace wale::wavefront {

/// Columns first..end - 1 of all rows. A lane is a target; the values of all lanes of a cell lie side by
/// side.
template <class T>
struct warping_block {
    const T* a;  // the query: (rows x dimensions)
    index_t rows, first, end;
    index_t below, above;  // cells with i - j <= below and j - i <= above; others are infinite
    index_t dimensions;
    bool squared;
    T gamma;
    const T* b;  // the targets: (columns x dimensions x lanes), of all columns
    T* edge;     // (rows x lanes), in: column first - 1; out: column end - 1
    T* row;      // ((end - first) x lanes), out: the last row
};

void compute(const warping_block<float>&);
void compute(const warping_block<double>&);

/// Lanes of a block of numbers of so many bytes.
[[nodiscard]] index_t lanes_of_block(int bytes);

}  // namespace wale::wavefront
