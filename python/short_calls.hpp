// short_calls - calls of some ten nanoseconds: what the module keeps of them.
#pragma once

#include <nanobind/nanobind.h>

#include <wale/brief.hpp>

namespace wale::python {

/// Keeps what wale.last_report() gives in this thread, of which a report is made when it is asked for.
/// `work`: cells.
void remember(const brief_result& run, double work);

void bind_short_calls(nanobind::module_& m);

}  // namespace wale::python
