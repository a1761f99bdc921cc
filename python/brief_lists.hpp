// brief_lists - distances and LCS lengths of short lists, as calls of CPython's own kind answer them.
#pragma once

#include "texts.hpp"

namespace wale::python {

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
