// tuning - how cpu/partition cuts a chain.
#pragma once

#include <wale/layout.hpp>

namespace wale::tree::partition {

struct cpu_policy {
    index_t run;            // rows of a lane, about: what a bundle keeps should stay in a core's cache
    index_t rows_a_thread;  // fewer are not worth a thread
    double streamed_bytes;  // of a solution: more is written past the caches
};
inline constexpr cpu_policy chosen{1024, 32768, 32e6};  // untuned

}  // namespace wale::tree::partition
