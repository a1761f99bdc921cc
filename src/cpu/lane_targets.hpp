// lane_targets - the instruction sets that small matrices and chains in lanes are compiled for: those that
// bring wider vectors or fused multiply-adds. Tiles are arrays of vectors, which vectors without a size
// forbid. Include before any header of Highway.
#pragma once

#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
