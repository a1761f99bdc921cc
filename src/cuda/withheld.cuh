// withheld - work that tests take away, so that every wait for it must run out: no kernel knows of it.
#pragma once

#include <cstdint>
#include <string>

#include "cuda/stream.cuh"
#include "tuning/override.hpp"

namespace wale::cuda {

/// For tests, through WALE_TUNING: "NAME/withhold=K"; 0: nothing is withheld.
[[nodiscard]] inline std::uint32_t withheld(const char* name) {
    return static_cast<std::uint32_t>(
        tuning::overridden(std::string(name) + "/withhold", std::size_t{1} << 20, 0));
}

/// The first K tickets are never given out: no block does their work. `next`: the device's word, whose value
/// before ticket 0 is `before_first`.
inline void withhold_tickets(const context& on, const char* name, std::uint32_t* next,
                             std::uint32_t before_first = 0) {
    const std::uint32_t count = withheld(name);
    if (count == 0) return;
    const std::uint32_t value = before_first + count;
    check(cudaMemcpyAsync(next, &value, sizeof value, cudaMemcpyHostToDevice, on.stream()));
    check(cudaStreamSynchronize(on.stream()));
}

}  // namespace wale::cuda
