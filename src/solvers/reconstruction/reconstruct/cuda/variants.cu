// variants - the CUDA rows, best first.
#include "solvers/reconstruction/cuda/variants.hpp"
#include "solvers/reconstruction/reconstruct/cuda/rows.hpp"

namespace wale::reconstruction {

void append_reconstruct_variants() {
    reconstruct_variants().rows.push_back({"cuda/bits", backend::cuda,
                                           "binary: runs of 32-pixel words joined by union-find in tiles, "
                                           "then across them: no propagation, a bound",
                                           refuses_bits_cuda, nullptr, reconstruct_bits_cuda});
    reconstruct_variants().rows.push_back({"cuda/basins", backend::cuda,
                                           "tiles contract to basins, edges at saddles, Boruvka's rounds to "
                                           "the source: no propagation, a bound",
                                           refuses_basins, basins_suit, reconstruct_basins});
    reconstruct_variants().rows.push_back(
        {"cuda/tiles", backend::cuda,
         "asynchronous worklist of tiles in shared memory; a tile wakes those neighbours that can rise",
         refuses_tiles, suits_tiles, reconstruct_tiles});
    reconstruct_variants().rows.push_back(
        {"cuda/sweep", backend::cuda,
         "x and y sweeps of the whole image, there and back, by warps in shared tiles", refuses_sweep,
         nullptr, reconstruct_sweep});
    reconstruct_variants().rows.push_back(
        {"cuda/tiles_3d", backend::cuda,
         "volumes: asynchronous worklist of tiles in shared memory, sweeps through planes, rows and columns",
         refuses_tiles_3d, nullptr, reconstruct_tiles_3d});
    reconstruct_variants().rows.push_back(
        {"cuda/elementary", backend::cuda,
         "3 x 3 (x 3) geodesic dilations until nothing rises, one kernel each", refuses_elementary, nullptr,
         reconstruct_elementary});
}

}  // namespace wale::reconstruction
