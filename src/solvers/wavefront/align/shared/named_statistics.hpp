// named_statistics - which matrix published parameters belong to.
#pragma once

#include <string>
#include <string_view>

namespace wale::wavefront {

/// The matrix that has K and lambda for some costs of gaps, "blosum62"; empty where none has, or where a word
/// is no number.
[[nodiscard]] std::string matrix_with_parameters(std::string_view k, std::string_view lambda);

}  // namespace wale::wavefront
