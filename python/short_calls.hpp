// short_calls - calls of some ten nanoseconds about texts, series, chains: what the module keeps of them.
#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <wale/brief.hpp>

#include "bindings.hpp"

namespace wale::python {

// Tridiagonal systems of NumPy's arrays in short calls.

/// Solves for NumPy's arrays on the host into x, which is of the shape of b; false for all that needs a
/// closer look: bad pivots, more than `most_elements` of b, and, where `verify` says so, lost digits too.
bool plain_chains(nb::handle dl, nb::handle d, nb::handle du, nb::handle b, nb::handle x, bool interleaved,
                  const tridiagonal_options& options, bool verify, int threads,
                  index_t most_elements = std::numeric_limits<index_t>::max());

/// solve_tridiagonal() with the arguments and keywords of a call of CPython's own kind: the answer as a new
/// reference, null for what needs a closer look.
[[nodiscard]] PyObject* brief_chains(PyObject* const* values, Py_ssize_t count, PyObject* names);

void bind_plain_warping(nanobind::module_& m);

/// Keeps what wale.last_report() gives in this thread, of which a report is made when it is asked for.
/// `work`: cells.
void remember(const brief_result& run, double work);

void bind_short_calls(nanobind::module_& m);

}  // namespace wale::python
