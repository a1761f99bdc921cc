// tuning - how the rows of a block of columns are dealt to the registers of a thread block. More rows a
// thread means fewer warps to ask for a pivot, fewer rows a thread more warps to hide what each waits for.
#pragma once

#include "tuning/override.hpp"

namespace wale::lu::resident {

inline constexpr int width = 16;            // columns of a block: the unit of registers and of the exchange
inline constexpr int compared_by_each = 4;  // warps whose claims to a pivot every thread compares

struct shape {
    int bytes;  // of a column in a thread: 16 is 4 rows of f32, 2 of f64
    int warps;  // of a thread block
    int sub;    // columns of a sub-panel, which is handed over while the next one is factored (with pivots)
    [[nodiscard]] constexpr int rows(int element_size) const { return bytes / element_size; }  // of a thread
    [[nodiscard]] constexpr int height(int element_size) const { return 32 * warps * rows(element_size); }
};

inline constexpr int shapes = 5;
struct policy {
    shape of[shapes];          // by height; a matrix takes the first that is tall enough
    int suits_f32, suits_f64;  // `automatic` takes matrices up to so many rows
    [[nodiscard]] constexpr int tallest(int element_size) const {
        return of[shapes - 1].height(element_size);
    }
    [[nodiscard]] constexpr int pick(long long rows, int element_size) const {
        int s = 0;
        while (s + 1 < shapes && of[s].height(element_size) < rows) ++s;
        return s;
    }
};

inline constexpr tuning::row<policy> pivoted_policies[] = {
    {90, 4, {{{8, 2, 4}, {8, 4, 4}, {8, 8, 4}, {16, 8, 4}, {16, 16, 4}}, 2048, 1024}, "untuned"},
    {90, 8, {{{8, 2, 4}, {8, 4, 4}, {16, 4, 4}, {16, 8, 4}, {16, 16, 4}}, 2048, 1024}, "untuned"},
    {0, 0, {{{16, 1, 4}, {16, 2, 4}, {16, 4, 4}, {16, 8, 4}, {16, 16, 4}}, 1024, 1024}, "untuned"},
};
inline constexpr tuning::row<policy> unpivoted_policies[] = {
    {0, 0, {{{8, 2, 0}, {8, 4, 0}, {8, 8, 0}, {16, 8, 0}, {32, 8, 0}}, 1024, 512}, "untuned"},
};
static_assert(tuning::well_formed(pivoted_policies) && tuning::well_formed(unpivoted_policies));

}  // namespace wale::lu::resident
