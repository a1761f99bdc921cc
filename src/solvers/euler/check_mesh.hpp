// check_mesh - whether engines may follow a mesh without looking.
#pragma once

#include <wale/mesh.hpp>

namespace wale::euler {

/// Throws bad_input for a mesh that leads out of its arrays or does not close. A rank's part of a mesh does
/// both on purpose (ranks/part.hpp), so that only what a case is given is asked.
void check_mesh(const mesh& m);

}  // namespace wale::euler
