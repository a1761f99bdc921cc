// block - some columns of the tables of as many pairs as there are lanes: of one query with a target a lane,
// or of a pair a lane.
#pragma once

#include <wale/layout.hpp>

namespace wale::wavefront {

/// Columns first..end - 1 of all rows. A lane is a target, or a pair; the values of all lanes of a cell lie
/// side by side.
template <class T>
struct warping_block {
    const T* a;  // the query: (rows x dimensions), or those of the pairs: (rows x dimensions x lanes)
    index_t rows, first, end;
    index_t below, above;  // cells with i - j <= below and j - i <= above; others are infinite
    index_t dimensions;
    bool squared;
    T gamma;
    const T* b;          // the targets: (columns x dimensions x lanes), of all columns
    T* edge;             // (rows x lanes), in: column first - 1; out: column end - 1
    T* row;              // ((end - first) x lanes), out: the last row
    bool pairs = false;  // a query a lane
};

void compute(const warping_block<float>&);
void compute(const warping_block<double>&);

/// Lanes of a block of numbers of so many bytes.
[[nodiscard]] index_t lanes_of_block(int bytes);

}  // namespace wale::wavefront
