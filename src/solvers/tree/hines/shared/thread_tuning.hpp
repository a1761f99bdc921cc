// tuning - how a thread takes a whole tree.
#pragma once

#include "tuning/table.hpp"

namespace wale::tree::thread_sweeps {

struct policy {
    int threads;  // a block
    int ahead;    // rows whose numbers are fetched together
};
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {64, 4}, "bench/results/h200/tree.csv:3"},
    {90, 0, {128, 2}, "untuned"},
    {90, 0, {64, 8}, "untuned"},
    {0, 0, {128, 4}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::tree::thread_sweeps
