// tuning - how many rows a thread keeps in registers. An odd number: threads then read shared memory, where a
// system lies in a line, without bank conflicts, whatever its place and length.
#pragma once

#include "tuning/override.hpp"

namespace wale::tree::pcr_thomas {

struct policy {
    int rows;   // of a thread
    int warps;  // of a thread block at most, and resident on a multiprocessor at least: bounds the registers
    int few_rows;   // of a thread where a warp holds flat systems by so many and there are
    int few_tiles;  // at most so many warps of them for each multiprocessor: then it is latency that counts
};

inline constexpr tuning::row<policy> unpivoted_policies[] = {
    {90, 8, {11, 12, 5, 4}, "untuned"},
    {90, 4, {17, 20, 5, 4}, "untuned"},
    {0, 0, {9, 16, 5, 4}, "untuned"},
};
inline constexpr tuning::row<policy> pivoted_policies[] = {
    {90, 8, {17, 8, 5, 4}, "untuned"},
    {90, 4, {17, 16, 5, 4}, "untuned"},
    {0, 0, {9, 12, 5, 4}, "untuned"},
};
static_assert(tuning::well_formed(unpivoted_policies) && tuning::well_formed(pivoted_policies));

}  // namespace wale::tree::pcr_thomas
