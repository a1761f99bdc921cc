// variants_test - the choice of a row by name, backend and job, and what is said when there is none.
#include <gtest/gtest.h>

#include "variants/table.hpp"

namespace wale::catalogue {
namespace {

struct job {
    int size = 0;
};

std::string only_small(const job& j) {
    return j.size > 10 ? "takes at most 10" : "";
}
bool from_five(const job& j) {
    return j.size >= 5;
}
void nothing(job&) {}

const table<job> rows{"solver",
                      "operation",
                      {{"cpu/fast", "", nothing, only_small, from_five},
                       {"cpu/slow_strips", "", nothing},
                       {"cuda/strips", "", nothing, only_small}}};

std::string chosen(backend b, const char* wanted, int size) {
    return select(rows, b, wanted, job{size}).name;
}

std::string message(backend b, const char* wanted, int size) {
    try {
        return "chose " + chosen(b, wanted, size);
    } catch (const unsupported_variant& e) {
        return e.what();
    }
}

TEST(Select, AutomaticTakesTheFirstThatIsThereAndSuits) {
    EXPECT_EQ(chosen(backend::cpu, "automatic", 7), "cpu/fast");
    EXPECT_EQ(chosen(backend::cpu, "automatic", 3), "cpu/slow_strips");
    EXPECT_EQ(chosen(backend::cpu, "automatic", 99), "cpu/slow_strips");
}

TEST(Select, ANameIsTakenAtItsWord) {
    EXPECT_EQ(chosen(backend::cpu, "cpu/fast", 3), "cpu/fast") << "`suits` is for automatic only";
    EXPECT_EQ(chosen(backend::cpu, "fast", 3), "cpu/fast");
    EXPECT_EQ(message(backend::cpu, "fast", 99), "cpu/fast: takes at most 10");
}

TEST(Select, SaysWhatExists) {
    EXPECT_EQ(message(backend::cpu, "none", 1),
              "operation: no variant 'none' on cpu; there are: cpu/fast, cpu/slow_strips");
    EXPECT_EQ(message(backend::cpu, "strips", 1),
              "operation: no variant 'strips' on cpu; there are: cpu/fast, cpu/slow_strips")
        << "part of a name is not a name";
    EXPECT_EQ(message(backend::reference, "automatic", 1),
              "operation: no variant on reference can do this job");
    EXPECT_EQ(message(backend::cuda, "automatic", 11),
              "operation: no variant on cuda can do this job; cuda/strips: takes at most 10");
}

TEST(Select, Names) {
    EXPECT_TRUE(names("cpu/tiles", "cpu/tiles"));
    EXPECT_TRUE(names("cpu/tiles", "tiles"));
    EXPECT_FALSE(names("cpu/tiles", "iles"));
    EXPECT_FALSE(names("cpu/tiles", "cpu"));
    EXPECT_FALSE(names("cpu/tiles", "xcpu/tiles"));
}

}  // namespace
}  // namespace wale::catalogue
