// thinned - fewer questions in builds whose every step costs several times as much (the presets of the
// sanitizers) and where the same questions are repeated (processors.sh). All others ask all questions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

namespace wale {

/// Of many questions that differ in size or in drawn numbers alone, one in so many is asked:
/// WALE_ONE_QUESTION_IN, which CMake's variable of this name sets for CTest. 1 asks all.
[[nodiscard]] inline int one_question_in() {
    static const int number = [] {
        const char* word = std::getenv("WALE_ONE_QUESTION_IN");
        return word == nullptr ? 1 : std::max(1, std::atoi(word));
    }();
    return number;
}

/// Whether the next question of the running test is asked: the first `always` ones, then one in
/// one_question_in(). A hash draws them, because loops choose types and layouts by the remainder of a number;
/// the name of the test is part of the hash, so that the rows of a table are asked different questions.
[[nodiscard]] inline bool asked_here(unsigned always = 16) {
    static const testing::TestInfo* test = nullptr;
    static std::size_t number = 0, name = 0;
    const testing::TestInfo* running = testing::UnitTest::GetInstance()->current_test_info();
    if (running != test) {
        test = running;
        number = 0;
        name = std::hash<std::string_view>{}(running->name());
    }
    ++number;
    return number <= always ||
           ((name ^ number) * 0x9e3779b97f4a7c15u >> 40) % static_cast<unsigned>(one_question_in()) == 0;
}

}  // namespace wale

/// Leaves out, where not all questions are asked, a test that asks whether many steps come to the right
/// numbers: the tests beside it run the same code.
#define WALE_ASKS_FOR_NUMBERS() \
    if (wale::one_question_in() > 1) GTEST_SKIP() << "asks for numbers after many steps"
