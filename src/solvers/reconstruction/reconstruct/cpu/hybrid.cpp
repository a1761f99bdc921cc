// hybrid - a pass in raster order, one back that fills a queue, then the queue (Vincent 1993, section 4.4):
// what scikit-image's users know from MATLAB, ITK and Leptonica.
#include "solvers/reconstruction/reconstruct/shared/padded_image.hpp"

namespace wale::reconstruction {
namespace {

void run(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        first_in_first_out queue;
        sweep_and_seed(f, [&](index_t p) { queue.push(p); });
        queue.run([&](index_t p) { raise_neighbours<N>(f, p, [&](index_t q) { queue.push(q); }); });
        return index_t{2};
    });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cpu_hybrid{
    "cpu/hybrid", "a pass there, one back that fills a queue, then the queue (Vincent 1993)", run,
    refuses_bits};

}  // namespace wale::reconstruction
