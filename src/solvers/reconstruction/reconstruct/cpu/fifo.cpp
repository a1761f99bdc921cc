// fifo - a queue that begins at the regional maxima of the marker (Vincent 1993, section 4.3): what lies
// between them is reached from them, for a marker falls from its maxima. A pixel may rise, and queue, again
// and again.
#include "solvers/reconstruction/reconstruct/shared/padded_image.hpp"

namespace wale::reconstruction {
namespace {

/// Of each pixel, the rim included, whether its plateau has a higher neighbour.
template <class T>
std::vector<char> off_the_maxima(const padded_image<T>& f) {
    const T* const rising = f.rising.data();
    std::vector<char> off(f.rising.size(), 1);  // the rim is no maximum, and no flood may leave the image
    f.for_each_row(false, [&](index_t first, index_t last) {
        std::fill(off.begin() + first, off.begin() + last, char{0});
    });
    std::vector<index_t> stack;
    const auto leave = [&](index_t p) {
        off[static_cast<std::size_t>(p)] = 1;
        stack.push_back(p);
    };
    const auto look_at = [&](index_t p) {
        if (off[static_cast<std::size_t>(p)]) return;
        bool higher = false;
        for (int k = 0; k < f.steps; ++k)
            higher |= rising[p] < rising[p + f.step[static_cast<std::size_t>(k)]];
        if (higher) leave(p);
        while (!stack.empty()) {
            const index_t from = stack.back();
            stack.pop_back();
            for (int k = 0; k < f.steps; ++k) {
                const index_t to = from + f.step[static_cast<std::size_t>(k)];
                if (!off[static_cast<std::size_t>(to)] && rising[to] == rising[from]) leave(to);
            }
        }
    };
    f.for_each_row(false, [&](index_t first, index_t last) {
        for (index_t p = first; p < last; ++p) look_at(p);
    });
    return off;
}

void run(reconstruct_job& job) {
    reconstruct_padded(job, []<int N, class T>(padded_image<T>& f) {
        const std::vector<char> off = off_the_maxima(f);
        for (std::size_t p = 0; p < off.size(); ++p)
            if (off[p]) f.rising[p] = lowest_key<T>();
        first_in_first_out queue;
        seed_everywhere(f, [&](index_t p) { queue.push(p); });
        queue.run([&](index_t p) { raise_neighbours<N>(f, p, [&](index_t q) { queue.push(q); }); });
        return index_t{1};
    });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_cpu_fifo{
    "cpu/fifo", "a queue that begins at the marker's regional maxima (Vincent 1993)", run, refuses_bits};

}  // namespace wale::reconstruction
