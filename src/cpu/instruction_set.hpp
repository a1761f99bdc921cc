// instruction_set - what Highway chose on this machine.
#pragma once

namespace wale::cpu {

/// "AVX-512", "AVX2", ...: the best target that this CPU runs and this build holds.
[[nodiscard]] const char* instruction_set() noexcept;

}  // namespace wale::cpu
