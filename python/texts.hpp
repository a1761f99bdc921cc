// texts - distances and LCS lengths of lists of texts.
#pragma once

#include <span>

#include "bindings.hpp"

namespace wale::python {

/// How each of many texts is compared with others.
struct text_measure {
    bool edit = true;    // else LCS
    index_t bound = -1;  // distances above it need not be known
    int threads = 0;
};

/// Distances or LCS lengths of pairs of two lists; false where the lists need a closer look, or have another
/// number of texts than there are answers.
bool plain_pairs(nb::handle a, nb::handle b, std::span<std::int32_t> answers, const text_measure& how);

/// The same of each of `queries` with each of `targets`, with each other where the targets are None; as many
/// answers, row by row.
bool plain_matrix(nb::handle queries, nb::handle targets, std::span<std::int32_t> answers,
                  const text_measure& how);

}  // namespace wale::python
