// warping_test - every row of warping and warping_path against the reference, the reference against all paths
// of short series; paths by what they cost, gradients by differences.
#include <gtest/gtest.h>

#include <random>
#include <wale/warping.hpp>

#include "rows.hpp"
#include "solvers/wavefront/warping/cpu/tuning.hpp"
#include "solvers/wavefront/warping/problem.hpp"
#include "thinned.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

using wavefront::warping_band;

template <class T>
struct series_set {
    index_t dimensions;
    std::vector<T> data{};
    std::vector<index_t> offsets{0};
    void add(index_t size, unsigned seed) {
        std::mt19937 draw(seed);
        std::normal_distribution<T> numbers;
        for (index_t k = 0; k < size * dimensions; ++k) data.push_back(numbers(draw));
        offsets.push_back(offsets.back() + size);
    }
    [[nodiscard]] index_t count() const { return std::ssize(offsets) - 1; }
    [[nodiscard]] series_batch<T> batch() const { return {data.data(), offsets.data(), count(), dimensions}; }
    [[nodiscard]] std::span<const T> at(index_t k) const {
        const auto k0 = static_cast<std::size_t>(k);
        return std::span(data).subspan(
            static_cast<std::size_t>(offsets[k0] * dimensions),
            static_cast<std::size_t>((offsets[k0 + 1] - offsets[k0]) * dimensions));
    }
};

template <class T>
std::vector<T> costs(const execution& where, const series_set<T>& q, const series_set<T>& t,
                     const warping_options& o) {
    std::vector<T> answers(static_cast<std::size_t>(q.count() * t.count()), T{-1});
    (void)warping_costs(where, q.batch(), t.batch(),
                        matrix_view<T>(answers.data(), extents<2>{{q.count(), t.count()}}), o);
    return answers;
}

/// The bound of warping.hpp for a table of m + n - 1 cells on the longest path.
template <class T>
double bound(double largest, index_t m, index_t n, double gamma) {
    if (gamma == 0) return 0;
    const double u = std::numeric_limits<T>::epsilon() / 2, p = static_cast<double>(m + n - 1);
    return p * (8 * u + 8 * 2 * u + 8 * u + 8 * 4 * u) *
           std::max(gamma, largest);  // of the host, and of CUDA
}

const std::vector<warping_options>& all_options() {
    static const std::vector<warping_options> all = [] {
        std::vector<warping_options> out;
        for (const dtw_cost cost : {dtw_cost::absolute, dtw_cost::squared})
            for (const index_t window : {-1, 0, 1, 7})
                for (const double gamma : {0.0, 0.25})
                    out.push_back({.cost = cost, .window = window, .gamma = gamma});
        return out;
    }();
    return all;
}

struct warpings : row_test {
    template <class T>
    static void check(index_t dimensions) {
        series_set<T> queries{dimensions}, targets{dimensions};
        unsigned seed = 1;
        for (const index_t size : {1, 2, 3, 15, 16, 17, 33, 64, 100}) queries.add(size, seed++);
        for (const index_t size : {1, 2, 5, 16, 31, 32, 65, 65, 65, 130}) targets.add(size, seed++);
        for (warping_options o : all_options()) {
            if (!asked_here()) continue;
            const auto wanted = costs(on_reference{}, queries, targets, o);
            o.variant = GetParam().name;
            for (const int threads : thread_counts()) {
                const auto got = costs(where(threads), queries, targets, o);
                for (std::size_t k = 0; k < got.size(); ++k)
                    ASSERT_NEAR(got[k], wanted[k],
                                bound<T>(400.0 * static_cast<double>(dimensions), 100, 130, o.gamma))
                        << "query " << k / 10 << ", target " << k % 10 << ", window " << o.window
                        << ", gamma " << o.gamma << ", threads " << threads;
            }
        }
    }
    template <class T>
    static void check_symmetric() {
        series_set<T> all{2};
        for (unsigned k = 0; k < 9; ++k) all.add(3 + 5 * k, k);
        for (warping_options o : all_options()) {
            o.variant = GetParam().name;
            const auto wanted = costs(where(3), all, all, o);
            std::vector<T> half(wanted.size());
            (void)warping_costs(where(3), all.batch(), matrix_view<T>(half.data(), extents<2>{{9, 9}}), o);
            EXPECT_EQ(half, wanted) << "window " << o.window << ", gamma " << o.gamma;
        }
    }
};

TEST_P(warpings, float32_as_the_reference) {
    check<float>(1);
    check<float>(3);
}
TEST_P(warpings, float64_as_the_reference) {
    check<double>(1);
    check<double>(2);
}
TEST_P(warpings, each_with_each_is_symmetric) {
    check_symmetric<float>();
    check_symmetric<double>();
}

TEST_P(warpings, sums_beyond_the_type_are_infinite) {
    const float big[] = {3e38F, -3e38F, 3e38F, 3e38F}, small[] = {-3e38F, 3e38F, -3e38F};
    const index_t a[] = {0, 4}, b[] = {0, 3};
    for (const double gamma : {0.0, 1.0}) {
        float answer = 0;
        (void)warping_costs<float>(where(), {big, a, 1, 1}, {small, b, 1, 1},
                                   matrix_view<float>(&answer, extents<2>{{1, 1}}),
                                   {.variant = GetParam().name, .cost = dtw_cost::squared, .gamma = gamma});
        EXPECT_EQ(answer, std::numeric_limits<float>::infinity()) << gamma;
    }
}

/// The least sum over all paths, by trying them.
double by_definition(const std::vector<double>& a, const std::vector<double>& b, const warping_band& band,
                     bool squared, std::size_t i, std::size_t j) {
    if (!band.has(static_cast<index_t>(i), static_cast<index_t>(j))) return INFINITY;
    const double difference = a[i] - b[j], cost = squared ? difference * difference : std::abs(difference);
    if (i == 0 && j == 0) return cost;
    double least = INFINITY;
    if (i > 0) least = std::min(least, by_definition(a, b, band, squared, i - 1, j));
    if (j > 0) least = std::min(least, by_definition(a, b, band, squared, i, j - 1));
    if (i > 0 && j > 0) least = std::min(least, by_definition(a, b, band, squared, i - 1, j - 1));
    return cost + least;
}

TEST_P(warpings, all_short_series_by_definition) {
    std::mt19937 draw(5);
    for (std::size_t m = 1; m <= 6; ++m)
        for (std::size_t n = 1; n <= 6; ++n)
            for (index_t window = -1; window < 4; ++window) {
                std::vector<double> a(m), b(n);
                for (auto* x : {&a, &b})
                    for (double& v : *x) v = static_cast<double>(draw() % 9) - 4;
                const index_t am[] = {0, std::ssize(a)}, bn[] = {0, std::ssize(b)};
                double got = 0;
                const warping_options o{
                    .variant = GetParam().name, .cost = dtw_cost::squared, .window = window};
                (void)warping_costs<double>(where(), {a.data(), am, 1, 1}, {b.data(), bn, 1, 1},
                                            matrix_view<double>(&got, extents<2>{{1, 1}}), o);
                EXPECT_EQ(got,
                          by_definition(a, b, {std::ssize(a), std::ssize(b), window}, true, m - 1, n - 1))
                    << m << " x " << n << ", window " << window;
            }
}

struct warping_paths : row_test {
    template <class T>
    static void check(index_t m, index_t n, index_t dimensions, const warping_options& asked) {
        series_set<T> both{dimensions};
        both.add(m, 3), both.add(n, 4);
        const auto a = both.at(0), b = both.at(1);
        warping_options plain = asked;
        plain.variant = "reference/plain";
        const auto what = [&] {
            return testing::Message() << m << " x " << n << ", window " << asked.window;
        };
        if (asked.gamma == 0) {
            const auto wanted = warping_path(on_reference{}, a, b, dimensions, plain);
            const auto got = warping_path(where(), a, b, dimensions, asked);
            EXPECT_EQ(got.cost, wanted.cost) << what();
            ASSERT_EQ(got.path, wanted.path) << what();
            check_path(got, a, b, dimensions, asked);
        } else if (!on_device()) {  // CUDA has no gradients
            const auto wanted = warping_gradient(on_reference{}, a, b, dimensions, plain);
            const auto got = warping_gradient(where(), a, b, dimensions, asked);
            // Each of at most m + n - 1 factors exp((x - y) / gamma) of a share errs by twice the table's
            // error.
            const double cells = static_cast<double>(m + n - 1);
            const double table = bound<T>(500, m, n, asked.gamma);
            EXPECT_NEAR(got.cost, wanted.cost, table) << what();
            for (std::size_t k = 0; k < a.size(); ++k)
                ASSERT_NEAR(got.gradient[k], wanted.gradient[k],
                            2 * cells * table / asked.gamma * 10 * static_cast<double>(n))
                    << what() << ", number " << k;
        }
    }
    /// From corner to corner by steps of one, within the window, and the sum of the costs is the cost.
    template <class T>
    static void check_path(const warping_path_result<T>& r, std::span<const T> a, std::span<const T> b,
                           index_t dimensions, const warping_options& o) {
        const index_t m = std::ssize(a) / dimensions, n = std::ssize(b) / dimensions;
        const warping_band band(m, n, o.window);
        const wavefront::warping_cell<T> cell({.dimensions = dimensions, .cost = o.cost});
        ASSERT_EQ(r.path.front(), (std::array<index_t, 2>{0, 0}));
        ASSERT_EQ(r.path.back(), (std::array<index_t, 2>{m - 1, n - 1}));
        T sum = 0;
        for (std::size_t k = 0; k < r.path.size(); ++k) {
            const auto [i, j] = r.path[k];
            ASSERT_TRUE(band.has(i, j)) << i << ", " << j;
            sum = cell.cost(a.data() + i * dimensions, b.data() + j * dimensions) + sum;
            if (k == 0) continue;
            const index_t di = i - r.path[k - 1][0], dj = j - r.path[k - 1][1];
            ASSERT_TRUE(di >= 0 && di <= 1 && dj >= 0 && dj <= 1 && di + dj > 0) << i << ", " << j;
        }
        EXPECT_EQ(sum, r.cost);
    }
};

TEST_P(warping_paths, as_the_reference) {
    for (warping_options o : all_options()) {
        o.variant = GetParam().name;
        for (const index_t m : {1, 2, 16, 40, 129})
            for (const index_t n : {1, 3, 17, 50, 140}) {
                if (!asked_here()) continue;
                check<double>(m, n, 1 + m % 3, o);
                if (o.gamma == 0) check<float>(m, n, 1, o);
            }
    }
}

TEST_P(warping_paths, of_infinite_sums_stays_in_the_window) {
    const std::vector<float> a(9, 3e38F), b(12, -3e38F);
    const auto r = warping_path<float>(where(), a, b, 1, {.variant = GetParam().name, .window = 1});
    EXPECT_EQ(r.cost, std::numeric_limits<float>::infinity());
    check_path<float>(r, a, b, 1, {.window = 1});
}

TEST_P(warping_paths, gradient_is_a_difference_quotient) {
    if (on_device()) GTEST_SKIP() << "CUDA has no gradients";
    series_set<double> both{2};
    both.add(12, 8), both.add(9, 9);
    std::vector<double> a(both.at(0).begin(), both.at(0).end());
    for (const index_t window : {-1, 2}) {
        const warping_options o{
            .variant = GetParam().name, .cost = dtw_cost::squared, .window = window, .gamma = 0.5};
        const auto cost = [&] { return warping_gradient<double>(where(), a, both.at(1), 2, o).cost; };
        const auto gradient = warping_gradient<double>(where(), a, both.at(1), 2, o).gradient;
        constexpr double h = 1e-5;  // error: h^2 times a third derivative of some 100, and u * cost / h
        for (std::size_t k = 0; k < a.size(); ++k) {
            const double kept = a[k];
            a[k] = kept + h;
            const double right = cost();
            a[k] = kept - h;
            const double left = cost();
            a[k] = kept;
            EXPECT_NEAR(gradient[k], (right - left) / (2 * h), 1e-6) << k;
        }
    }
}

TEST(WarpingContract, refuses_what_is_no_series) {
    const double a[] = {1, 2, NAN, 4};
    const index_t offsets[] = {0, 2, 2}, whole[] = {0, 2}, odd[] = {0, 4};
    std::array<double, 4> answers{};
    const auto refused = [&](const series_batch<double>& q, const warping_options& o, const char* words) {
        const matrix_view<double> to(answers.data(), extents<2>{{q.count, 1}});
        expect_thrown<bad_argument>(words, [&] {
            (void)warping_costs<double>(on_cpu{}, q, {a, whole, 1, q.dimensions}, to, o);
        });
    };
    refused({a, offsets, 2, 1}, {},
            "queries[1]: is [2, 2), expected ascending offsets and one point or more");
    refused({a, odd, 1, 1}, {}, "queries[0]: NaN at 2");
    refused({a, whole, 1, 1}, {.window = -2}, "options.window: is -2");
    refused({a, whole, 1, 1}, {.gamma = -1}, "options.gamma");
    refused({a, whole, 1, 1}, {.gamma = NAN}, "options.gamma");
    refused({a, whole, 1, 0}, {}, "dimensions: is 0");
    const std::span<const double> x(a, 2), y(a, 1);
    expect_thrown<bad_argument>("no path", [&] { (void)warping_path(on_cpu{}, x, x, 1, {.gamma = 1}); });
    expect_thrown<bad_argument>("options.gamma: is 0",
                                [&] { (void)warping_gradient(on_cpu{}, x, x, 1, {}); });
    expect_thrown<bad_argument>("b: has 1 numbers", [&] { (void)warping_path(on_cpu{}, x, y, 2); });
}

using wavefront::warping_policies;
named_rows tuned_rows(const named_rows& rows) {
    std::vector<tunable> tunables;
    for (const named_row& r : rows)
        if (r.where == backend::cpu)
            tunables.push_back(
                {r.operation.c_str(), r.name.c_str(), "wavefront/warping/cpu", every_row(warping_policies)});
    return joined({rows, tuned(rows, tunables)});
}
INSTANTIATE_TEST_SUITE_P(rows, warpings, testing::ValuesIn(tuned_rows(rows_of(wavefront::warping_rows))),
                         test_name);
INSTANTIATE_TEST_SUITE_P(rows, warping_paths,
                         testing::ValuesIn(tuned_rows(rows_of(wavefront::warping_path_rows))), test_name);

}  // namespace
}  // namespace wale::agreement
