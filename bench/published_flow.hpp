// published_flow - the published method (Corrigan, Camelli, Loehner, Wallin 2011, as the Rodinia suite has
// it) on the CPU in our own words: what benchmarks time beside Wale, and tests compare the scheme `rodinia`
// with.
#pragma once

#include <cstdint>
#include <vector>
#include <wale/euler.hpp>

namespace wale::bench {

/// A flux pass over cells that computes every face twice, a step factor, three stages; the five variables of
/// a cell side by side.
template <class Real>
struct published_flow {
    std::int64_t cells = 0;
    int threads = 1;
    Real far[5]{};                        // state of the free stream
    std::vector<Real> volume;             // [cells]
    std::vector<std::int32_t> neighbour;  // [cells][4]; -1: wall, -2: far field
    std::vector<Real> normal;             // [cells][4][3] inward, as that method has them
    std::vector<Real> state, old, flux;   // [cells][5]
    std::vector<Real> step_factor;        // [cells]

    /// The free stream everywhere.
    published_flow(const mesh& m, const euler_stream& stream, int threads);
    void run(std::int64_t iterations);
    /// The largest difference in any variable.
    [[nodiscard]] double difference(const std::vector<euler_state>& other) const;
};

}  // namespace wale::bench
