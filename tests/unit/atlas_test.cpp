// atlas_test - random cells of every solver agree with their reference; wrong variants are found; the same
// seed draws the same cells; regret is reported as it is.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <wale/atlas.hpp>
#include <wale/error.hpp>
#include <wale/study.hpp>

#include "study/experiment.hpp"
#include "thinned.hpp"
#include "variants/catalogue.hpp"

namespace wale {
namespace {

constexpr double small = 2e-4;  // [s] of work on one thread: millions of operations at most

std::uint64_t seed_of_the_day() {
    return static_cast<std::uint64_t>(
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()).time_since_epoch().count());
}

std::string lines(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += one + "\n";
    return text;
}

class RandomCells : public testing::TestWithParam<const char*> {};

TEST_P(RandomCells, EveryVariantAgreesWithTheReference) {
    const double size = std::string(GetParam()) == "euler" ? small / 4 : small;  // its cells need a mesh each
    const int cells = one_question_in() > 1 ? 50 : 200;
    const atlas_result r = atlas(
        GetParam(), {.seed = seed_of_the_day(), .cells = cells, .largest_seconds = size, .timed = false});
    EXPECT_TRUE(r.failed.empty()) << "seed " << r.seed << "\n" << lines(r.failed);
    // A device computes what its variants can; the other cells that were drawn for it are named.
    for (const std::string& one : r.skipped)
        EXPECT_NE(one.find(" on cuda with "), std::string::npos) << "seed " << r.seed << "\n" << one;
    EXPECT_EQ(std::ssize(r.cells) + std::ssize(r.skipped), cells);
    EXPECT_GE(std::ssize(r.cells), cells / 2);
    for (const atlas_cell& c : r.cells) {
        EXPECT_GE(c.times.size(), 2U) << c.traits;  // automatic, and the variant that it took
        for (const atlas_time& t : c.times) EXPECT_NE(t.verified, "") << c.traits << " " << t.variant;
    }
}

INSTANTIATE_TEST_SUITE_P(Atlas, RandomCells,
                         testing::Values("euler", "lu", "reconstruction", "tree", "wavefront"),
                         [](const auto& p) { return std::string(p.param); });

TEST(Atlas, DrawsTheSameCellsFromTheSameSeed) {
    const auto cells = [](std::uint64_t seed, index_t first, index_t count) {
        const atlas_result r = atlas("tree", {.seed = seed,
                                              .first = first,
                                              .cells = count,
                                              .largest_seconds = small,
                                              .threads = 1,
                                              .cuda = false,
                                              .timed = false});
        std::vector<std::string> all;
        for (const atlas_cell& c : r.cells) all.push_back(c.operation + " " + c.traits);
        return all;
    };
    const auto all = cells(5, 0, 6);
    EXPECT_EQ(all, cells(5, 0, 6));
    EXPECT_NE(all, cells(6, 0, 6));
    EXPECT_EQ(std::vector<std::string>({all[4], all[5]}), cells(5, 4, 2));
}

TEST(Atlas, TimesEachCell) {
    const atlas_result r = atlas(
        "lu", {.operation = "solve", .cells = 3, .largest_seconds = small, .threads = 1, .cuda = false});
    ASSERT_EQ(r.cells.size(), 3U);
    for (const atlas_cell& c : r.cells) {
        EXPECT_EQ(c.operation, "solve");
        EXPECT_GT(c.best_seconds, 0);
        EXPECT_GE(c.regret, 1);
        EXPECT_LE(c.regret, std::max(1.0, c.automatic_seconds / c.best_seconds));
    }
}

TEST(Atlas, RefusesWhatMakesNoSense) {
    EXPECT_THROW((void)atlas("weather"), bad_argument);
    EXPECT_THROW((void)atlas("lu", {.operation = "fill"}), bad_argument);
    EXPECT_THROW((void)atlas("lu", {.cells = 0}), bad_argument);
    EXPECT_THROW((void)atlas("lu", {.first = -1}), bad_argument);
    EXPECT_THROW((void)atlas("lu", {.seconds = -1}), bad_argument);
    EXPECT_THROW((void)atlas("lu", {.largest_seconds = 0}), bad_argument);
    EXPECT_THROW((void)atlas("lu", {.threads = -1}), bad_argument);
}

TEST(Atlas, EndsWhenProgressThrows) {
    const auto stop = [](const std::string&) { throw std::runtime_error("stop"); };
    EXPECT_THROW((void)atlas("lu", {.cells = 3, .largest_seconds = small, .progress = stop}),
                 std::runtime_error);
}

/// A solver whose variants answer 1, 1 and 2, or refuse.
class answers final : public experiments::experiment {
public:
    double cells() const override { return 1; }
    bool certified() const override { return false; }
    void prepare(const execution&) override {}
    report run(const execution&, const std::string& variant) override {
        if (variant == "cpu/refuses") throw unsupported_variant("cpu/refuses: it does");
        answer_ = variant == "cpu/wrong" ? 2 : 1;
        report r;
        r.variant = variant == "automatic" ? "cpu/right" : variant;
        return r;
    }
    std::string flaw() override { return {}; }
    std::vector<index_t> outcome() const override { return {answer_}; }
    std::vector<index_t> reference_outcome() override { return {1}; }
    experiments::ceiling bound(const execution&, const report&) override { return {}; }

private:
    index_t answer_ = 0;
};

TEST(Atlas, NamesAWrongVariant) {
    catalogue::enlist([](std::vector<variant_info>& out) {
        for (const char* name : {"cpu/right", "cpu/wrong", "cpu/refuses"})
            out.push_back({"answers", "one", name, backend::cpu, ""});
    });
    experiments::enlist(
        {.solver = "answers",
         .names = {"one"},
         .sizes = {},
         .unit = "answer",
         .operation_of = nullptr,
         .make = nullptr,
         .claims = nullptr,
         .drawings = {{"one", "one", +[](experiments::dice&, const experiments::cell_limits&) {
                           return experiments::drawn_cell{"size=1", std::make_unique<answers>()};
                       }}}});
    const atlas_result r =
        atlas("answers", {.seed = 9, .cells = 2, .threads = 1, .cuda = false, .timed = false});
    ASSERT_EQ(r.failed.size(), 2U);
    EXPECT_EQ(r.failed[1],
              "seed 9 cell 1, one on cpu with size=1, threads=1: cpu/wrong is wrong: differs from the "
              "reference");
    ASSERT_EQ(r.cells.size(), 2U);
    EXPECT_EQ(r.cells[0].times.size(), 2U);  // automatic and cpu/right
}

atlas_cell cell_of(index_t number, const char* operation, double work, double regret) {
    atlas_cell c;
    c.number = number;
    c.operation = operation;
    c.backend = "cpu";
    c.work = work;
    c.regret = regret;
    c.chosen = "cpu/a";
    c.automatic_seconds = 2;
    c.times = {{"automatic", 2, 2, "reference"}, {"cpu/a", 2, 2, "reference"}};
    return c;
}

TEST(AtlasReport, OrdersRegretAndMapsIt) {
    atlas_result r;
    EXPECT_EQ(regret_at(r, 1), 0);
    EXPECT_TRUE(map_of(r).rows.empty());
    r.solver = "lu";
    r.cells = {cell_of(0, "solve", 1, 1.5), cell_of(1, "factor", 1e3, 1), cell_of(2, "solve", 2, 3)};
    EXPECT_EQ(regret_at(r, 0), 1);
    EXPECT_EQ(regret_at(r, 0.5), 1.5);
    EXPECT_EQ(regret_at(r, 1), 3);
    const auto worst = worst_cells(r, 2);
    ASSERT_EQ(worst.size(), 2U);
    EXPECT_EQ(worst[0].number, 2);
    EXPECT_EQ(worst[1].number, 0);
    const atlas_map m = map_of(r);
    EXPECT_EQ(m.rows, std::vector<std::string>({"factor cpu", "solve cpu"}));
    EXPECT_EQ(m.first_power, 0);
    ASSERT_EQ(m.columns, 7);  // 10^0 to 10^3 by half powers
    EXPECT_EQ(m.regret[6], 1);
    EXPECT_EQ(m.regret[7], 3);  // the worst of its cells
    EXPECT_TRUE(std::isnan(m.regret[0]));
    const std::string csv = atlas_csv(r);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
    EXPECT_NE(csv.find("lu,0,2,solve,cpu,0,,2,automatic,cpu/a,2,2,reference,3\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace wale
