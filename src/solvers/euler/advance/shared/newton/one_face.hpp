// one_face - a mesh in which every cell has one face: what cell_residual() sums is then what that face
// brings.
#pragma once

#include "solvers/euler/advance/cell.hpp"

namespace wale::euler {

struct one_face : plain_grid<double> {
    index_t row = 0;
    index_t turned = 0;  // the row of the same face in the cell behind it
    [[nodiscard]] WALE_HD index_t begin(index_t) const { return row; }
    [[nodiscard]] WALE_HD index_t end(index_t) const { return row + 1; }
    [[nodiscard]] WALE_HD index_t opposite(index_t) const { return turned; }
};

}  // namespace wale::euler
