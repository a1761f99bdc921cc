// chains - tridiagonal systems of NumPy's arrays in short calls.
#pragma once

#include <limits>

#include "bindings.hpp"

namespace wale::python {

/// Solves for NumPy's arrays on the host into x, which is of the shape of b; false for all that needs a
/// closer look: bad pivots, more than `most_elements` of b, and, where `verify` says so, lost digits too.
bool plain_chains(nb::handle dl, nb::handle d, nb::handle du, nb::handle b, nb::handle x, bool interleaved,
                  const tridiagonal_options& options, bool verify, int threads,
                  index_t most_elements = std::numeric_limits<index_t>::max());

/// solve_tridiagonal() with the arguments and keywords of a call of CPython's own kind: the answer as a new
/// reference, null for what needs a closer look.
[[nodiscard]] PyObject* brief_chains(PyObject* const* values, Py_ssize_t count, PyObject* names);

}  // namespace wale::python
