// rows - what a device does with its lines of a shared image. The CUDA plugin appends cuda/rows.cu.
#include "solvers/reconstruction/parts/problem.hpp"

namespace wale::reconstruction {

part_table& part_rows() {
    static part_table table{"reconstruction", "part", {}};
    return table;
}

}  // namespace wale::reconstruction
