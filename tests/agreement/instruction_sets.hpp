// instruction_sets - tests that run once with each instruction set of vector code that this processor has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "agreement/rows_here.hpp"

namespace wale::agreement {

/// From its construction to its destruction vector code uses this set of Highway's (HWY_AVX2).
class chosen_instruction_set {
public:
    explicit chosen_instruction_set(std::int64_t set) { choose(set); }
    chosen_instruction_set(const chosen_instruction_set&) = delete;
    chosen_instruction_set& operator=(const chosen_instruction_set&) = delete;
    ~chosen_instruction_set() { choose(0); }  // 0: the best that the processor has

private:
    static void choose(std::int64_t set) {
        hwy::SetSupportedTargetsForTest(set);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

class instruction_set_test : public testing::TestWithParam<std::int64_t> {
private:
    chosen_instruction_set set_{GetParam()};
};

[[nodiscard]] inline auto every_instruction_set() {
    return testing::ValuesIn(hwy::SupportedAndGeneratedTargets());
}
[[nodiscard]] inline std::string name_of_set(const testing::TestParamInfo<std::int64_t>& set) {
    return word_of(hwy::TargetName(set.param));
}

}  // namespace wale::agreement
