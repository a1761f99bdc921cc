// elements - whether lists of corners can be a mesh at all.
#pragma once

#include <string>
#include <wale/mesh.hpp>

namespace wale::meshes {

/// "name:line: cell 3" or, of a mesh that is in no file, "name: cell 3".
[[nodiscard]] std::string place_of_cell(const mesh_elements& e, index_t cell);
[[nodiscard]] std::string place_of_element(const mesh_elements& e, const mesh_elements::patch& p,
                                           index_t element);

/// Throws bad_input: lists that do not fit each other, corners that are no points or stand twice in a cell,
/// points that are not finite.
void check_elements(const mesh_elements& e);

}  // namespace wale::meshes
