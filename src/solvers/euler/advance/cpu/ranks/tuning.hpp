// tuning - the sizes of cpu/ranks.
#pragma once

#include <wale/layout.hpp>

namespace wale::euler {

/// Cells that a thread takes at once; the first thread looks after the messages between two such pieces.
inline constexpr index_t chosen_chunk = 512;  // untuned

}  // namespace wale::euler
