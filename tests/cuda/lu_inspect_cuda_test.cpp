// lu_inspect_cuda_test - norms, determinants, permutations and residuals on the device against the host's.
#include <limits>

#include "lu_on_device.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale {
namespace {

using lu::measure;

const shape_of_test shapes[] = {
    {1, 1},
    {5, 9, storage_order::row_major, 3},
    {33, 31, storage_order::column_major, 1},
    {40, 70, storage_order::row_major, 0, 37},
    {128, 128, storage_order::column_major, 0, 9},
    {129, 127, storage_order::row_major, 2, 3},
    {300, 517, storage_order::column_major, 5},
    {1031, 260, storage_order::row_major},
    {2500, 2300, storage_order::column_major},
    {0, 4, storage_order::column_major, 1, 3},
};

class LuInspectCuda : public LuCuda {
protected:
    template <class T>
    static std::vector<double> measured(twin<T>& a, const execution& on, measure what, double factor) {
        const bool cuda = backend_of(on) == backend::cuda;
        std::vector<double> values(static_cast<std::size_t>(a.shape().count), -1);
        const buffer<double> there = on_device(values);
        lu::measure_job job{.where = on,
                            .a = const_matrices(cuda ? a.on_device() : a.on_host()),
                            .what = what,
                            .factor = factor,
                            .values = cuda ? there.data() : values.data()};
        catalogue::select(lu::measure_rows(), backend_of(on), "automatic", job).run(job);
        return cuda ? on_host(there) : values;
    }
    template <class T>
    static void compare_measures(twin<T>& a) {
        for (const measure what : {measure::max_magnitude, measure::max_magnitude_upper, measure::one_norm}) {
            const auto expected = measured(a, on_reference{}, what, 0.5);
            const auto found = measured(a, on_cuda{}, what, 0.5);
            for (std::size_t i = 0; i < expected.size(); ++i)
                if (std::isnan(expected[i]))
                    EXPECT_TRUE(std::isnan(found[i]));
                else if (what == measure::one_norm && std::isfinite(expected[i]))
                    EXPECT_NEAR(found[i], expected[i], 1e-12 * expected[i]);
                else
                    EXPECT_EQ(found[i], expected[i]);
        }
    }
    /// Factors on the host; pivots of all matrices.
    template <class T>
    static std::vector<std::int32_t> factored(twin<T>& f, pivoting p = pivoting::partial) {
        std::vector<std::int32_t> pivots(
            static_cast<std::size_t>(f.shape().count * f.shape().diagonal() + 1));
        (void)lu_factor(on_reference{}, f.on_host(), pivots.data(), {.pivoting = p});
        f.upload();
        return pivots;
    }
};

TEST_F(LuInspectCuda, Measures) {
    for (const shape_of_test& s : shapes) {
        twin<float> a(s);
        twin<double> b(s);
        a.fill_random(3);
        b.fill_random(4);
        a.upload();
        b.upload();
        compare_measures(a);
        compare_measures(b);
    }
}

TEST_F(LuInspectCuda, MeasuresOfNanAndInf) {
    for (const storage_order order : {storage_order::row_major, storage_order::column_major})
        for (const double odd : {std::nan(""), -std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            twin<double> a({70, 90, order, 1, 3});
            a.fill_random(8);
            a.at(1, 66, 2) = odd;  // below the diagonal
            a.upload();
            compare_measures(a);
        }
}

TEST_F(LuInspectCuda, Determinants) {
    for (const index_t n : {1, 2, 31, 200, 2100}) {
        twin<double> f({n, n, storage_order::column_major, 1, n > 1000 ? 1 : 5});
        f.fill_random(static_cast<std::uint64_t>(n), n > 1000 ? 3.0 * static_cast<double>(n) : 0);
        const auto pivots = n > 1000 ? std::vector<std::int32_t>() : factored(f);
        f.upload();
        const auto there = on_device(pivots);
        const index_t count = f.shape().count;
        const buffer<double> sign(count, memory_space::device), log(count, memory_space::device);
        const std::int32_t* on = pivots.empty() ? nullptr : there.data();
        lu_determinant(on_cuda{}, f.on_device(), on, sign.data(), log.data());
        std::vector<double> signs(static_cast<std::size_t>(count)), logs(signs);
        lu_determinant(on_reference{}, f.on_host(), pivots.empty() ? nullptr : pivots.data(), signs.data(),
                       logs.data());
        EXPECT_EQ(on_host(sign), signs) << n;
        const auto found = on_host(log);
        for (std::size_t i = 0; i < logs.size(); ++i)
            EXPECT_NEAR(found[i], logs[i], 1e-12 * (1 + std::fabs(logs[i]))) << n;
    }
}

TEST_F(LuInspectCuda, SingularAndNanDeterminants) {
    twin<double> f({40, 40, storage_order::row_major, 0, 3});
    f.fill_random(5);
    f.at(1, 7, 7) = 0;
    f.at(2, 8, 8) = std::nan("");
    f.upload();
    const buffer<double> sign(3, memory_space::device), log(3, memory_space::device);
    lu_determinant(on_cuda{}, f.on_device(), nullptr, sign.data(), log.data());
    EXPECT_EQ(std::fabs(on_host(sign)[0]), 1);
    EXPECT_EQ(on_host(sign)[1], 0);
    EXPECT_EQ(on_host(log)[1], -HUGE_VAL);
    EXPECT_TRUE(std::isnan(on_host(sign)[2]));
}

TEST_F(LuInspectCuda, ResidualsAgreeAndSeeAnError) {
    for (const shape_of_test& s : shapes) {
        if (s.rows > 2000) continue;  // the reference would take a while
        twin<float> a(s), f(s);
        a.fill_random(21);
        f.fill_random(21);
        const auto pivots = factored(f);
        const auto there = on_device(pivots);
        a.upload();
        const double expected = lu_residual_ratio(on_reference{}, a.on_host(), f.on_host(), pivots.data());
        const double found = lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), there.data());
        EXPECT_NEAR(found, expected, 1e-6 * (1 + expected)) << s.rows << " x " << s.columns;
        EXPECT_LT(found, 30);
        if (s.rows < 2) continue;
        f.at(s.count - 1, s.rows - 1, s.columns / 2) += 1;
        f.upload();
        EXPECT_GT(lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), there.data()), 30);
    }
}

TEST_F(LuInspectCuda, ResidualOfManyBlocksOfColumns) {
    constexpr index_t n = 4500;  // more than two blocks
    twin<double> a({n, n, storage_order::column_major});
    for (index_t i = 0; i < n; ++i)  // L = I + e_i-1, U = 2 I + an upper diagonal: A is tridiagonal
        for (index_t j = 0; j < n; ++j) a.at(0, i, j) = i == j ? (i ? 2.25 : 2) : j == i + 1 ? 0.5 : 0;
    twin<double> f = [&] {
        twin<double> t({n, n, storage_order::column_major});
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                t.at(0, i, j) = i == j ? 2 : j == i + 1 ? 0.5 : i == j + 1 ? 0.5 : 0;
        return t;
    }();
    for (index_t i = 1; i < n; ++i) a.at(0, i, i - 1) = 1;
    a.upload();
    f.upload();
    EXPECT_EQ(lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), nullptr), 0);
    f.at(0, n - 1, 5) = 1;
    f.upload();
    EXPECT_GT(lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), nullptr), 30);
    f.at(0, n - 1, 5) = std::nan("");
    f.upload();
    EXPECT_TRUE(std::isnan(lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), nullptr)));
}

}  // namespace
}  // namespace wale
