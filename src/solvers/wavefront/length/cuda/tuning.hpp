// tuning - measured choices of the strip kernels, by architecture and by length.
#pragma once

#include <limits>
#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::wavefront {

struct strips_policy {
    index_t up_to;    // symbols: the row is for pairs whose longer side has no more
    int words;        // of 32 rows in a lane's registers; 1, 2, 4 or 8
    int step;         // columns between two shuffles
    int delay;        // steps between a shuffle and its use: lanes are step * delay columns apart
    int warps;        // in a block
    int blocks;       // on a multiprocessor, never more
    int masks_ahead;  // columns between the load of a mask and its use
    bool one_carry;   // LCS: one register for carries in and out, one instruction less
};

inline constexpr index_t any_length = std::numeric_limits<index_t>::max();

/// 132 multiprocessors have 528 sub-partitions: the narrowest strips of which no more than 528 cover the
/// rows, then two strips a sub-partition.
inline constexpr tuning::row<strips_policy> lcs_policies[] = {
    {90, 0, {300'000, 1, 4, 2, 4, 1, 4, true}, "untuned"},
    {90, 0, {1'080'000, 2, 4, 2, 4, 1, 4, true}, "untuned"},
    {90, 0, {2'160'000, 4, 4, 2, 4, 1, 3, true}, "untuned"},
    {90, 0, {4'320'000, 8, 8, 2, 4, 1, 3, true}, "untuned"},
    {90, 0, {any_length, 8, 8, 2, 8, 1, 3, true}, "untuned"},
    {0, 0, {any_length, 2, 4, 2, 4, 1, 4, true}, "untuned"},
};

inline constexpr tuning::row<strips_policy> edit_policies[] = {
    {90, 0, {540'000, 1, 4, 2, 4, 1, 4, false}, "untuned"},
    {90, 0, {1'080'000, 2, 4, 2, 4, 1, 3, false}, "untuned"},
    {90, 0, {2'160'000, 4, 8, 2, 4, 1, 2, false}, "untuned"},
    {90, 0, {any_length, 4, 8, 2, 8, 1, 2, false}, "untuned"},
    {0, 0, {any_length, 2, 4, 2, 4, 1, 3, false}, "untuned"},
};

/// The string runs two passes in one launch, so twice the strips.
inline constexpr tuning::row<strips_policy> string_policies[] = {
    {90, 0, {270'000, 1, 4, 2, 4, 1, 4, true}, "untuned"},
    {90, 0, {540'000, 2, 4, 2, 4, 1, 4, true}, "untuned"},
    {90, 0, {1'080'000, 4, 4, 2, 4, 1, 3, true}, "untuned"},
    {90, 0, {any_length, 8, 8, 2, 8, 1, 3, true}, "untuned"},
    {0, 0, {any_length, 2, 4, 2, 4, 1, 4, true}, "untuned"},
};

/// Alphabets too large for a table of masks in shared memory.
inline constexpr tuning::row<strips_policy> plane_policies[] = {
    {0, 0, {any_length, 1, 4, 2, 4, 1, 0, false}, "untuned"},
};

static_assert(tuning::well_formed(lcs_policies) && tuning::well_formed(edit_policies) &&
              tuning::well_formed(string_policies));

/// Pairs of bytes up to this size are done by one warp in one launch. Untuned; a lane has 32 rows, so at most
/// 1024.
inline constexpr int one_strip_most = 1024;

/// Policies as types: what kernels are instantiated for.
template <int Row>
struct lcs_policy {
    static constexpr strips_policy value = lcs_policies[Row].policy;
};
template <int Row>
struct edit_policy {
    static constexpr strips_policy value = edit_policies[Row].policy;
};
template <int Row>
struct string_policy {
    static constexpr strips_policy value = string_policies[Row].policy;
};
struct plane_policy {
    static constexpr strips_policy value = plane_policies[0].policy;
};

/// The first row for this architecture and length, unless WALE_TUNING names another.
template <std::size_t N>
[[nodiscard]] std::size_t choose_strips(const char* name, const tuning::row<strips_policy> (&rows)[N], int sm,
                                        index_t longer) {
    std::size_t i = 0;
    while (i + 1 < N && (sm < rows[i].from_sm || longer > rows[i].policy.up_to)) ++i;
    return tuning::overridden(name, N, i);
}

}  // namespace wale::wavefront
