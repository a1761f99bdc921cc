// warping_cuda_test - the CUDA rows of warping with every shape and few resident blocks, in strips and
// panels: costs and paths against the CPU's, bit for bit; series in device memory; waits that run out.
#include <gtest/gtest.h>

#include <random>
#include <wale/warping.hpp>

#include "rows.hpp"
#include "solvers/wavefront/warping/cuda/tuning.hpp"
#include "solvers/wavefront/warping_jobs.hpp"
#include "thinned.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

template <class T>
struct random_series {
    index_t dimensions;
    std::vector<T> data{};
    std::vector<index_t> offsets{0};
    random_series(std::initializer_list<index_t> sizes, index_t numbers, unsigned seed)
        : dimensions(numbers) {
        std::mt19937 draw(seed);
        std::normal_distribution<T> number;
        for (const index_t size : sizes) {
            for (index_t k = 0; k < size * dimensions; ++k) data.push_back(number(draw));
            offsets.push_back(offsets.back() + size);
        }
    }
    [[nodiscard]] index_t count() const { return std::ssize(offsets) - 1; }
    [[nodiscard]] series_batch<T> batch() const { return {data.data(), offsets.data(), count(), dimensions}; }
};

template <class T>
std::vector<T> costs(const execution& where, const random_series<T>& q, const random_series<T>& t,
                     const warping_options& o) {
    std::vector<T> answers(static_cast<std::size_t>(q.count() * t.count()), T{-1});
    (void)warping_costs(where, q.batch(), t.batch(),
                        matrix_view<T>(answers.data(), extents<2>{{q.count(), t.count()}}), o);
    return answers;
}

struct warping_strips : row_test {
    template <class T>
    void check(const std::string& more, index_t dimensions) {
        tune("wavefront/warping/packs=0," + more);
        const random_series<T> queries({1, 63, 65, 500, 1025}, dimensions, 1),
            targets({1, 64, 129, 1100}, dimensions, 2);
        for (const dtw_cost cost : {dtw_cost::absolute, dtw_cost::squared})
            for (const index_t window : {-1, 0, 100}) {
                if (!asked_here()) continue;
                const warping_options o{.cost = cost, .window = window};
                EXPECT_EQ(costs(where(), queries, targets, o), costs(on_cpu{}, queries, targets, o))
                    << more << ", window " << window << ", dimensions " << dimensions;
                EXPECT_EQ(costs(where(), targets, queries, o), costs(on_cpu{}, targets, queries, o))
                    << more << ", window " << window << ", swapped";
            }
    }
};

TEST_P(warping_strips, float32_as_the_cpu) {
    check<float>("wavefront/warping/panel=0", 1);
    check<float>("wavefront/warping/panel=7", 1);
}
TEST_P(warping_strips, float64_as_the_cpu) {
    check<double>("wavefront/warping/panel=0", 1);
    check<double>("wavefront/warping/panel=1", 1);
}
/// An earlier call leaves scratch memory full of NaNs, the flags of its rows between strips: lanes look
/// behind the last series of the next call.
TEST_P(warping_strips, float64_in_memory_of_flags) {
    tune("wavefront/warping/packs=0");
    const random_series<double> longer({2000, 1900, 1800}, 1, 5);
    for (int round = 0; round < 3; ++round) {
        (void)costs(where(), longer, longer, {});
        const random_series<double> queries({1025, 700, 33}, 1, 6), targets({1030, 600, 64, 5}, 1, 7);
        for (const dtw_cost cost : {dtw_cost::absolute, dtw_cost::squared})
            EXPECT_EQ(costs(where(), queries, targets, {.cost = cost}),
                      costs(on_cpu{}, queries, targets, {.cost = cost}))
                << round;
    }
}
TEST_P(warping_strips, points_of_several_numbers_as_the_cpu) {
    check<float>("wavefront/warping/panel=5", 2);
    check<double>("wavefront/warping/panel=0", 3);
}

struct warping_packs : row_test {};

/// Every number of lanes, one more and one less.
TEST_P(warping_packs, short_series_as_the_cpu) {
    const auto check = [&]<class T>(T, index_t dimensions) {
        const random_series<T> queries({1,   2,   15,  16,  17,  31,  32,  33,  64,   65,   127,
                                        128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025},
                                       dimensions, 3),
            targets({1, 2, 3, 15, 16, 63, 130, 500, 1024, 1500}, dimensions, 4);
        for (const index_t window : {-1, 0, 20, 400}) {
            const warping_options o{.cost = dtw_cost::squared, .window = window};
            EXPECT_EQ(costs(where(), queries, targets, o), costs(on_cpu{}, queries, targets, o))
                << "window " << window << ", dimensions " << dimensions;
            std::vector<T> half(static_cast<std::size_t>(queries.count() * queries.count()));
            (void)warping_costs(where(), queries.batch(),
                                matrix_view<T>(half.data(), extents<2>{{queries.count(), queries.count()}}),
                                o);
            EXPECT_EQ(half, costs(on_cpu{}, queries, queries, o)) << "symmetric, window " << window;
        }
    };
    check(float{}, 1);
    check(double{}, 1);
    check(float{}, 3);
}

/// Along diagonals wherever lanes have room for those of the window: every number of them, one more and one
/// less than lanes hold, ends of series apart both ways.
TEST_P(warping_packs, narrow_windows_as_the_cpu) {
    tune("wavefront/warping/packs=2");
    const auto check = [&]<class T>(T) {
        const random_series<T> few({1, 2, 3, 7, 8, 20, 41}, 1, 8), others({1, 2, 4, 5, 19, 40}, 1, 9),
            longer({380, 400, 401, 417}, 1, 10), with({370, 399, 402, 420, 421}, 1, 11);
        for (const auto& [q, t] : {std::pair{&few, &others}, {&longer, &with}, {&few, &few}})
            for (const index_t window : {0, 1, 2, 3, 4, 5, 8, 10, 11, 22, 30, 45, 63, 100, 127, 200, 225})
                for (const dtw_cost cost : {dtw_cost::absolute, dtw_cost::squared}) {
                    if (!asked_here()) continue;
                    const warping_options o{.cost = cost, .window = window};
                    EXPECT_EQ(costs(where(), *q, *t, o), costs(on_cpu{}, *q, *t, o)) << "window " << window;
                }
        std::vector<T> half(static_cast<std::size_t>(with.count() * with.count()));
        const auto run = warping_costs(where(), with.batch(),
                                       matrix_view<T>(half.data(), extents<2>{{with.count(), with.count()}}),
                                       {.window = 30})
                             .run;
        EXPECT_EQ(half, costs(on_cpu{}, with, with, {.window = 30})) << "symmetric";
        EXPECT_NE(run.policy.find("bands="), std::string::npos) << run.policy;
    };
    check(float{});
    check(double{});
}

TEST_P(warping_packs, series_in_device_memory) {
    const random_series<float> queries({5, 100, 1500}, 2, 5), targets({7, 70}, 2, 6);
    const auto q = to_device<float>(where(), queries.data), t = to_device<float>(where(), targets.data);
    const auto at = to_device<index_t>(where(), queries.offsets);
    constexpr index_t pitch = 5;
    const std::vector<float> before(3 * pitch, -1);
    const auto answers = to_device<float>(where(), before);
    (void)warping_costs<float>(where(), {q.data(), at.data(), 3, 2}, {t.data(), targets.offsets.data(), 2, 2},
                               matrix_view<float>(answers.data(), {extents<2>{{3, 2}}, pitch}));
    std::vector<float> got(before.size());
    copy_bytes(where(), got.data(), answers.data(), std::ssize(got) * index_t{sizeof(float)});
    const auto wanted = costs(on_cpu{}, queries, targets, {});
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_EQ(got[k], k % pitch < 2 ? wanted[k / pitch * 2 + k % pitch] : -1) << k;
}

TEST_P(warping_packs, refuses_what_is_not_finite_in_device_memory) {
    random_series<double> some({4, 6}, 2, 7);
    some.data[4 * 2 + 5] = INFINITY;
    const auto there = to_device<double>(where(), some.data);
    std::vector<double> answers(4);
    expect_thrown<bad_argument>("queries[1]: Inf at 5, expected finite numbers", [&] {
        (void)warping_costs<double>(where(), {there.data(), some.offsets.data(), 2, 2},
                                    matrix_view<double>(answers.data(), extents<2>{{2, 2}}));
    });
}

TEST_P(warping_packs, no_series_no_costs) {
    const random_series<float> none({}, 1, 1), one({5}, 1, 1);
    EXPECT_TRUE(costs(where(), none, one, {}).empty());
    EXPECT_TRUE(costs(where(), one, none, {}).empty());
}

TEST_P(warping_packs, withheld_strips_end_in_an_error) {
    tune("wavefront/warping/packs=0,wavefront/warping/withhold=1");
    const random_series<float> one({3000}, 1, 1);
    expect_thrown<device_error>("a wait for the strip above ran out",
                                [&] { (void)costs(where(), one, one, {}); });
}

struct warping_lines : row_test {};

TEST_P(warping_lines, paths_as_the_cpu) {
    for (const char* tuning :
         {"wavefront/warping/lines=1", "wavefront/warping/lines=100",
          "wavefront/warping/lines=300,wavefront/warping/panel=9", "wavefront/warping/lines=5000"})
        for (const index_t m : {1, 64, 65, 700, 1300})
            for (const index_t n : {1, 2, 129, 1000})
                for (const index_t window : {-1, 0, 90}) {
                    if (!asked_here()) continue;
                    tune(tuning);
                    const random_series<float> both({m, n}, 1 + m % 2, static_cast<unsigned>(m + n));
                    const std::span<const float> all(both.data);
                    const auto a = all.first(static_cast<std::size_t>(m * both.dimensions)),
                               b = all.subspan(a.size());
                    const warping_options o{.cost = dtw_cost::squared, .window = window};
                    const auto got = warping_path(where(), a, b, both.dimensions, o);
                    const auto wanted = warping_path(on_cpu{}, a, b, both.dimensions, o);
                    EXPECT_EQ(got.cost, wanted.cost) << m << " x " << n << ", window " << window;
                    ASSERT_EQ(got.path, wanted.path) << m << " x " << n << ", window " << window << tuning;
                }
}

TEST_P(warping_lines, gives_no_gradient) {
    const double x[] = {1, 2};
    expect_thrown<unsupported_variant>("gives paths, not gradients", [&] {
        (void)warping_gradient<double>(where(), x, x, 1, {.variant = GetParam().name, .gamma = 1});
    });
}

named_rows rows_with(const named_rows& rows) {
    return tuned(on_cuda_only(rows),
                 {{rows[0].operation.c_str(), rows[0].operation == "warping" ? "cuda/binned" : "cuda/strips",
                   "wavefront/warping/sweeps", every_row(wavefront::warping::sweeps),
                   "wavefront/warping/max_blocks"}});
}
INSTANTIATE_TEST_SUITE_P(rows, warping_strips, testing::ValuesIn(rows_with(rows_of(wavefront::warping_rows))),
                         test_name);
INSTANTIATE_TEST_SUITE_P(rows, warping_packs,
                         testing::ValuesIn(on_cuda_only(rows_of(wavefront::warping_rows))), test_name);
INSTANTIATE_TEST_SUITE_P(rows, warping_lines,
                         testing::ValuesIn(rows_with(rows_of(wavefront::warping_path_rows))), test_name);
// Without the plugin there are no such rows.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(warping_strips);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(warping_packs);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(warping_lines);

}  // namespace
}  // namespace wale::agreement
