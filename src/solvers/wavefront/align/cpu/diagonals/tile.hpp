// tile - the kernels of cpu/diagonals for the vectors of this machine; their `run` is null where it has none.
#pragma once

#include "solvers/wavefront/align/shared/tiles.hpp"

namespace wale::wavefront {

[[nodiscard]] tile_kernels diagonal_kernels();

}  // namespace wale::wavefront
