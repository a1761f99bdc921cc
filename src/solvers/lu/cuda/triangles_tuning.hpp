// triangles_tuning - how the triangles are cut into blocks that are inverted.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::lu::triangular {

struct policy {
    index_t inverted;     // rows of a diagonal block whose inverse is made; a power of two times `base_rows`
    index_t right_sides;  // columns solved at once: bounds the scratch
};

inline constexpr int base_rows = 64;  // inverted by substitution, a thread a column; untuned

inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {512, 4096}, "bench/results/h200/lu_solve.csv:18"},
    {90, 0, {128, 4096}, "untuned"},
    {0, 0, {512, 4096}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::triangular
