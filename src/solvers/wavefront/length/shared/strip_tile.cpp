// strip_tile - the kernels of both recurrences, for each Highway target.
#include <cstdint>

// SSE would add little to the plain words of the baseline, and AVX-512 has all that these kernels use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/length/shared/strip_tile.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include "solvers/wavefront/length/shared/strip_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

void lcs_tile(const strip_tile& t) {
    run_tile<lcs_rows>(t);
}
void edit_tile(const strip_tile& t) {
    run_tile<edit_rows>(t);
}
int lanes() {
    return static_cast<int>(hn::Lanes(word_tag()));
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {

HWY_EXPORT(lcs_tile);
HWY_EXPORT(edit_tile);
HWY_EXPORT(lanes);
HWY_EXPORT(pack_rows);
HWY_EXPORT(spread_columns);

void pack_rows(const code_rows& rows) {
    HWY_DYNAMIC_DISPATCH(pack_rows)(rows);
}
void spread_columns(const code_columns& columns) {
    HWY_DYNAMIC_DISPATCH(spread_columns)(columns);
}

int strip_lanes() {
    return HWY_DYNAMIC_DISPATCH(lanes)();
}

strip_recurrence lcs_strips() {
    return {.rows_a_word = 62,
            .forced_match = true,
            .states = 1,
            .carries = 1,
            .state_start = {~std::uint64_t{0}, 0},
            .carry_start = {0, 0},
            .run = HWY_DYNAMIC_DISPATCH(lcs_tile)};
}

strip_recurrence edit_strips() {
    return {.rows_a_word = 63,
            .forced_match = false,
            .states = 2,
            .carries = 2,
            .state_start = {~std::uint64_t{0}, 0},
            .carry_start = {std::uint64_t{1} << 63, 0},
            .run = HWY_DYNAMIC_DISPATCH(edit_tile)};
}

}  // namespace wale::wavefront
#endif
