// tuning - threads of a block, and rows that a thread asks for at once.
#pragma once

#include "tuning/table.hpp"

namespace wale::tree::thomas {

struct thomas_policy {
    int block;  // threads, a system each
    int rows;   // loaded before the first is used
};
inline constexpr tuning::row<thomas_policy> thomas_policies[] = {
    {0, 0, {128, 8}, "untuned"},
};
static_assert(tuning::well_formed(thomas_policies));

}  // namespace wale::tree::thomas
