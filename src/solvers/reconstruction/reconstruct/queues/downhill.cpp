// downhill - the highest pixel raises its neighbours first (Robinson and Whelan 2004), so that none rises
// twice: O(pixels) for keys of 8 and 16 bits, O(pixels log pixels) for wider ones, whatever the image.
#include "solvers/reconstruction/reconstruct/cpu.hpp"
#include "solvers/reconstruction/reconstruct/queues/highest_first.hpp"
#include "solvers/reconstruction/reconstruct/queues/padded_image.hpp"

namespace wale::reconstruction {
namespace {

template <int N, class T>
void settle(padded_image<T>& f, highest_first<T>& queue) {
    T key{};
    index_t p = 0;
    while (queue.pop(key, p)) {
        if (key < f.rising[static_cast<std::size_t>(p)]) continue;  // it rose after it was queued, and left
        raise_neighbours<N>(f, p, [&](index_t q) { queue.push(f.rising[static_cast<std::size_t>(q)], q); });
    }
}

}  // namespace

void reconstruct_downhill(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        highest_first<T> queue;
        seed_everywhere(f, [&](index_t p) { queue.push(f.rising[static_cast<std::size_t>(p)], p); });
        settle<N>(f, queue);
        return index_t{1};
    });
}

void reconstruct_bounded(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        highest_first<T> queue;
        sweep_and_seed(f, [&](index_t p) { queue.push(f.rising[static_cast<std::size_t>(p)], p); });
        settle<N>(f, queue);
        return index_t{2};
    });
}

}  // namespace wale::reconstruction
