// tuning - measured choices of cpu/lanes of infix.
#pragma once

#include <wale/layout.hpp>

namespace wale::wavefront {

struct infix_policy {
    index_t first_bound;     // errors that the first round accepts
    index_t widening;        // of the bound from one round to the next
    index_t shortest_piece;  // columns of a piece of the text
    index_t mask_bytes;      // more masks by code than this in one group: bit planes instead
};

inline constexpr infix_policy chosen_infix{
    .first_bound = 16, .widening = 2, .shortest_piece = 1 << 16, .mask_bytes = 1 << 24};  // untuned

}  // namespace wale::wavefront
