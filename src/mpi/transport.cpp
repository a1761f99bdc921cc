// transport - what all transports do alike.
#include "mpi/transport.hpp"

#include <algorithm>
#include <numeric>

namespace wale::mpi {

transport::~transport() = default;

void transport::gather(const void* own, std::span<const index_t> counts, void* all) {
    const auto parts = static_cast<std::size_t>(size());
    const auto me = static_cast<std::size_t>(rank());
    // Blocks lie turned, the own one first, until all are there.
    std::vector<index_t> at(parts + 1, 0);
    for (std::size_t b = 0; b < parts; ++b) at[b + 1] = at[b] + counts[(me + b) % parts];
    std::vector<char> turned(static_cast<std::size_t>(at[parts]));
    if (counts[me] > 0) std::memcpy(turned.data(), own, static_cast<std::size_t>(counts[me]));
    for (std::size_t have = 1; have < parts; have *= 2) {
        const std::size_t more = std::min(have, parts - have);
        receive(static_cast<int>((me + have) % parts), turned.data() + at[have], at[have + more] - at[have]);
        send(static_cast<int>((me + parts - have) % parts), turned.data(), at[more]);
        finish();
    }
    const index_t before =
        std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(me), index_t{0});
    std::rotate_copy(turned.begin(), turned.end() - before, turned.end(), static_cast<char*>(all));
}

}  // namespace wale::mpi
