// plain_warping - short calls about series of numbers: what the module keeps of them.
#pragma once

#include <nanobind/nanobind.h>

namespace wale::python {

void bind_plain_warping(nanobind::module_& m);

}  // namespace wale::python
