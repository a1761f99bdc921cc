// tuning - how P A - L U is cut for the products.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::lu::inspection {

struct policy {
    index_t block_elements;  // of each of the three f64 blocks that a product works on
    index_t widest;          // columns of a block, at most
    index_t small;           // matrices up to so many rows and columns take one block of threads each
};

inline constexpr tuning::row<policy> policies[] = {
    {0, 0, {index_t{1} << 26, 2048, 128}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::inspection
