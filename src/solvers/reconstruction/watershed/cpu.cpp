// cpu - the two queues on one thread.
#include "solvers/reconstruction/watershed/flood.hpp"

namespace wale::reconstruction {
namespace {

template <class T, class Queue>
void flood_all(watershed_job& job) {
    if (job.image.pixels() == 0) return;
    Queue queue;
    for (index_t number = 0; number < job.image.images; ++number)
        padded_flood<T, Queue>(job, number, queue).run();
}

}  // namespace

void watershed_heap(watershed_job& job) {
    visit(job.image.type, [&]<class T>() { flood_all<T, heap_queue<T>>(job); });
}

void watershed_buckets(watershed_job& job) {
    if (job.image.type == pixel::u16)
        flood_all<std::uint16_t, bucket_queue<std::uint16_t>>(job);
    else
        flood_all<std::uint8_t, bucket_queue<std::uint8_t>>(job);
}

}  // namespace wale::reconstruction
