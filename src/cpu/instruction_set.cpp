// instruction_set - one Highway target of its own, asked for its name.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/instruction_set.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/instruction_set.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::cpu::HWY_NAMESPACE {
const char* name() {
    return hwy::TargetName(HWY_TARGET);
}
}  // namespace wale::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::cpu {

HWY_EXPORT(name);

const char* instruction_set() noexcept {
    return HWY_DYNAMIC_DISPATCH(name)();
}

}  // namespace wale::cpu
#endif
