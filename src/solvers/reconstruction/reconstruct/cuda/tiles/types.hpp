// types - cuda/tiles by pixel type: each is compiled in a file of its own.
#pragma once

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction::tiles {

template <class T>
void run_tiles(reconstruct_job& job);

extern template void run_tiles<std::uint8_t>(reconstruct_job&);
extern template void run_tiles<std::uint16_t>(reconstruct_job&);
extern template void run_tiles<std::int32_t>(reconstruct_job&);
extern template void run_tiles<float>(reconstruct_job&);
extern template void run_tiles<double>(reconstruct_job&);

}  // namespace wale::reconstruction::tiles
