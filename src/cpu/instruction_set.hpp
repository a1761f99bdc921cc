// instruction_set - which of the instruction sets of this build the vector code runs with.
#pragma once

#include <string>

namespace wale::cpu {

/// "AVX3", "AVX2", ...: the best Highway target that this CPU runs, this build holds and the environment
/// variable WALE_INSTRUCTION_SET allows.
[[nodiscard]] const char* instruction_set() noexcept;

/// The values that WALE_INSTRUCTION_SET takes on this CPU, best first: "avx3, avx2, sse4, ssse3, scalar".
[[nodiscard]] const std::string& instruction_sets();

/// Throws bad_argument if WALE_INSTRUCTION_SET was set to anything else when the library was loaded.
void check_instruction_set();

}  // namespace wale::cpu
