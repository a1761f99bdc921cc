// tuning - how cpu/partition cuts a chain.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::tree::partition {

struct cpu_policy {
    index_t run;            // rows of a lane, about: what a bundle keeps should stay in a core's cache
    index_t rows_a_thread;  // fewer are not worth a thread
    double streamed_bytes;  // of a solution: more is written past the caches
};
inline constexpr tuning::row<cpu_policy> cpu_policies[] = {
    {0, 0, {1024, 32768, 32e6}, "untuned"},
    {0, 0, {2048, 32768, 32e6}, "untuned"},
    {0, 0, {512, 32768, 32e6}, "untuned"},
    {0, 0, {1024, 32768, 1e30}, "untuned"},
};
static_assert(tuning::well_formed(cpu_policies));

}  // namespace wale::tree::partition
