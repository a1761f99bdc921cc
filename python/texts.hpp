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

// Distances and LCS lengths of short lists, as calls of CPython's own kind answer them.

/// What cdist() is asked for besides the measure.
struct kept_answers {
    index_t top = 0;      // so many best targets of each query; 0: all answers
    bool sparse = false;  // those within the bound, as coordinates
};

/// The answer as a new reference. Null for what needs a closer look, and with Python's error set where Ctrl-C
/// ended the call: only that is not repeated.
[[nodiscard]] PyObject* brief_pairs(PyObject* a, PyObject* b, const text_measure& how);
[[nodiscard]] PyObject* brief_matrix(PyObject* queries, PyObject* targets, const text_measure& how,
                                     const kept_answers& kept);

}  // namespace wale::python
