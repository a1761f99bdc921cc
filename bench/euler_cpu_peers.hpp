// euler_cpu_peers - the published method's loops on the CPU in our own words: a flux pass over cells that
// computes every face twice, a step factor, three stages; the five of a cell side by side.
#pragma once

#include <cstdint>
#include <vector>

namespace wale::bench {

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

    void run(std::int64_t iterations);
};

}  // namespace wale::bench
