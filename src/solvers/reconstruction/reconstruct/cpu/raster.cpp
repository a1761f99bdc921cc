// raster - passes in raster order and back until nothing rises (Vincent 1993, section 4.2). As many passes as
// the longest path turns against both orders.
#include "solvers/reconstruction/reconstruct/shared/padded_image.hpp"

namespace wale::reconstruction {
namespace {

void run(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        index_t passes = 0;
        for (bool rose = true; rose; passes += 2) {
            rose = raise_in_order(f, false, [](index_t, index_t) {});
            rose |= raise_in_order(f, true, [](index_t, index_t) {});
        }
        return passes;
    });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cpu_raster{
    "cpu/raster", "passes in raster order and back until nothing rises (Vincent 1993)", run, refuses_bits};

}  // namespace wale::reconstruction
