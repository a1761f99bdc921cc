// instruction_set - one Highway target of its own, asked for its name, and the limit that a user may set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/instruction_set.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cctype>
#include <cstdlib>
#include <wale/error.hpp>

#include "base/argument.hpp"
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

namespace {

/// "avx2"; of either of Highway's targets without vector instructions: "scalar".
std::string name_of_target(std::int64_t target) {
    if (target == HWY_BASELINE_SCALAR) return "scalar";
    std::string text = hwy::TargetName(target);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

struct permitted_sets {
    std::string list;  // "avx2, scalar"
    std::string wanted;
    bool known = true;

    /// Highway numbers better targets by lower bits: a limit disables all bits below its own.
    permitted_sets() {
        const char* const limit = std::getenv("WALE_INSTRUCTION_SET");
        std::int64_t better = 0;
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
            if (target < HWY_STATIC_TARGET) add(target, limit, better);
        add(HWY_STATIC_TARGET, limit, better);  // what the compiler presumes of every CPU
        if (limit == nullptr) return;
        wanted = limit;
        known = better != 0;
        if (known) hwy::DisableTargets(better);
    }

private:
    void add(std::int64_t target, const char* limit, std::int64_t& better) {
        const std::string name = name_of_target(target);
        list += (list.empty() ? "" : ", ") + name;
        if (limit != nullptr && name == limit) better = target - 1;
    }
};

// Built when the library is loaded, before the first dispatch: one process computes with one instruction set.
const permitted_sets permitted;

}  // namespace

const char* instruction_set() noexcept {
    return HWY_DYNAMIC_DISPATCH(name)();
}

const std::string& instruction_sets() {
    return permitted.list;
}

void check_instruction_set() {
    if (!permitted.known)
        base::refuse("WALE_INSTRUCTION_SET", "is '" + permitted.wanted + "'", "one of " + permitted.list);
}

}  // namespace wale::cpu
#endif
