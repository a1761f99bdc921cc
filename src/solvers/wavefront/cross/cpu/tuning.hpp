// tuning - measured choices of cpu/lanes of lcs_cross and edit_cross.
#pragma once

#include <wale/layout.hpp>

namespace wale::wavefront {

struct cross_policy {
    index_t queries;                        // that a thread takes at a time
    index_t mask_bytes;                     // of the groups that are prepared together
    index_t longest_mean;                   // symbols; longer targets go pair by pair
    index_t codes;                          // of an alphabet, for `automatic`
    index_t few_lcs, few_edit;              // queries that go pair by pair, where none has more than
    index_t word_rows_lcs, word_rows_edit;  // so many symbols
};

inline constexpr cross_policy chosen_cross{.queries = 16,
                                           .mask_bytes = 1 << 22,
                                           .longest_mean = 1000,
                                           .codes = 4096,
                                           .few_lcs = 2,
                                           .few_edit = 1,
                                           .word_rows_lcs = 256,
                                           .word_rows_edit = 128};  // untuned

}  // namespace wale::wavefront
