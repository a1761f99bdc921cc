// tuning_test - the choice of a row, and a person's word against it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <wale/error.hpp>

#include "tuning/override.hpp"
#include "unit/thrown.hpp"

namespace wale::tuning {
namespace {

constexpr row<int> rows[] = {
    {100, 0, 10, "untuned"}, {90, 2, 11, "untuned"}, {90, 0, 12, "untuned"}, {0, 0, 13, "untuned"}};
static_assert(well_formed(rows));
constexpr row<int> no_last[] = {{100, 0, 1, ""}, {90, 0, 2, ""}};
static_assert(!well_formed(no_last));
constexpr row<int> ascending[] = {{80, 0, 1, ""}, {90, 0, 2, ""}, {0, 0, 3, ""}};
static_assert(!well_formed(ascending));
constexpr row<int> narrow_last[] = {{0, 4, 1, ""}};
static_assert(!well_formed(narrow_last));

TEST(Tuning, PicksTheFirstRowThatFits) {
    EXPECT_EQ(rows[pick(rows, 120, 4)].policy, 10);
    EXPECT_EQ(rows[pick(rows, 90, 2)].policy, 11);
    EXPECT_EQ(rows[pick(rows, 90, 4)].policy, 12);
    EXPECT_EQ(rows[pick(rows, 75, 2)].policy, 13);
    EXPECT_EQ(rows[pick(rows, 0, 8)].policy, 13);
}

TEST(Tuning, ARunTimeNumberBecomesACompileTimeOne) {
    for (std::size_t k = 0; k < 4; ++k) {
        const int policy = with_number<4>(k, [&]<int Row>() { return rows[Row].policy; });
        EXPECT_EQ(policy, rows[k].policy);
    }
}

TEST(Tuning, CompilesTheRowsThatSomeProcessorTakes) {
    constexpr int newest = 200;
    for (const int oldest : {0, 75, 90, 100, 120})
        for (const int element : {2, 4, 8})
            for (std::size_t k = 0; k < std::size(rows); ++k) {
                bool taken = false;
                for (int sm = oldest; sm <= newest; ++sm) taken = taken || pick(rows, sm, element) == k;
                EXPECT_EQ(compiled(rows, k, element, oldest, false), taken)
                    << "row " << k << " for elements of " << element << " bytes from sm " << oldest;
            }
    EXPECT_TRUE(compiled(rows, 3, 4, 90, true)) << "a candidate, to be tuned";
    EXPECT_FALSE(compiled(rows, 1, 4, 90, true)) << "a row for other elements";
    EXPECT_TRUE(compiled(rows, 1, 0, 90, false)) << "the size of an element is not known yet";
}

constexpr row<int> candidates[] = {{90, 4, 1, ""}, {90, 0, 2, ""}, {90, 0, 3, ""}, {0, 0, 4, ""}};

TEST(Tuning, RefusesARowThatIsNotCompiled) {
    const auto policy = []<int Row>() { return candidates[Row].policy; };
    EXPECT_EQ((with_row<candidates, 4>(0, policy)), 1);
    EXPECT_EQ((with_row<candidates, 8>(1, policy)), 2);
    EXPECT_THROW((void)(with_row<candidates, 8>(0, policy)), bad_argument);
    EXPECT_THROW((void)(with_row<candidates, 8>(2, policy)), bad_argument) << "a candidate";
}

class Override : public testing::Test {
protected:
    ~Override() override { unsetenv("WALE_TUNING"); }
    static std::size_t with(const std::string& text) {
        setenv("WALE_TUNING", text.c_str(), 1);
        return choose("a/b/c", rows, 90, 4);
    }
};

TEST_F(Override, NamesARow) {
    unsetenv("WALE_TUNING");
    EXPECT_EQ(choose("a/b/c", rows, 90, 4), 2u);
    EXPECT_EQ(with("a/b/c=0"), 0u);
    EXPECT_EQ(with("x/y=1,a/b/c=3"), 3u);
    EXPECT_EQ(with("x/y=1"), 2u) << "another table's entry";
    EXPECT_EQ(with("a/b/cd=1"), 2u) << "a longer name";
    EXPECT_EQ(with(""), 2u);
}

TEST_F(Override, SaysWhatIsWrong) {
    for (const char* text :
         {"a/b/c=4", "a/b/c=-1", "a/b/c=", "a/b/c", "a/b/c=1x", "a/b/c=99999999999999999999"}) {
        SCOPED_TRACE(text);
        expect_thrown<bad_argument>("a/b/c=0..3", [&] { (void)with(text); });
    }
    EXPECT_THROW((void)with("@/does/not/exist"), cannot_open);
}

TEST_F(Override, ReadsAFile) {
    const std::string name = testing::TempDir() + "wale_tuning_test.txt";
    std::ofstream(name) << "x/y=7\na/b/c=1\n";
    EXPECT_EQ(with("@" + name), 1u);
    (void)std::remove(name.c_str());
}

}  // namespace
}  // namespace wale::tuning
