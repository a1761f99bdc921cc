// texts - distances and LCS lengths of lists of texts.
#pragma once

#include "bindings.hpp"

namespace wale::python {

/// Distances (`edit`) or LCS lengths of pairs of two lists, written to a contiguous int32 array; false where
/// the lists need a closer look.
bool plain_pairs(nb::handle a, nb::handle b, nb::handle answers, bool edit, index_t bound, int threads);

/// The same of each of `queries` with each of `targets`, with each other where the targets are None.
bool plain_matrix(nb::handle queries, nb::handle targets, nb::handle answers, bool edit, index_t cutoff,
                  int threads);

}  // namespace wale::python
