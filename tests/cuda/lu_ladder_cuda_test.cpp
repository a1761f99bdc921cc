// lu_ladder_cuda_test - the rows of the ladder: any size, both storage orders, launches, refusals,
// perturbation.
#include <limits>

#include "lu_on_device.hpp"

namespace wale {
namespace {

const char* const rows_of_ladder[] = {"cuda/row_column", "cuda/row_column_copy", "cuda/blocked_global",
                                      "cuda/blocked_shared"};

class LuLadderCuda : public LuCuda {
protected:
    template <class T>
    static void check(const shape_of_test& s, const char* variant) {
        twin<T> a(s), f(s);
        const auto diagonal = static_cast<double>(s.rows + s.columns);  // no pivots needed
        a.fill_random(6, diagonal);
        f.fill_random(6, diagonal);
        a.upload();
        f.upload();
        const index_t steps = f.shape().diagonal();
        const auto pivots =
            on_device(std::vector<std::int32_t>(static_cast<std::size_t>(s.count * steps + 1), -1));
        const lu_result r = lu_factor(on_cuda{}, f.on_device(), pivots.data(),
                                      {.variant = variant, .pivoting = pivoting::none});
        EXPECT_EQ(r.run.variant, variant);
        EXPECT_EQ(r.singular, 0);
        EXPECT_LT(lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), nullptr), 30)
            << variant << " " << s.rows << " x " << s.columns;
        const auto written = on_host(pivots);
        for (index_t k = 0; k < s.count * steps; ++k)
            ASSERT_EQ(written[static_cast<std::size_t>(k)], k % steps);
        f.download();
        EXPECT_EQ(f.changed_padding(), 0);
    }
};

TEST_F(LuLadderCuda, AnySize) {
    for (const char* variant : rows_of_ladder)
        for (const index_t n : {1, 2, 15, 16, 17, 31, 32, 33, 48, 100, 257})
            for (const storage_order order : {storage_order::row_major, storage_order::column_major}) {
                check<float>({n, n, order, n % 3}, variant);
                check<double>({n, n + 20, order, 1}, variant);
                check<double>({n + 37, n, order, 2, 2}, variant);
            }
}

TEST_F(LuLadderCuda, NothingToDo) {
    for (const char* variant : rows_of_ladder) {
        check<float>({0, 5}, variant);
        check<float>({5, 0}, variant);
        check<double>({3, 3, storage_order::row_major, 0, 0}, variant);
    }
}

TEST_F(LuLadderCuda, CountsLaunches) {
    const index_t n = 100;
    for (const auto& [variant, launches] : {std::pair<const char*, index_t>{"cuda/row_column", 199},
                                            {"cuda/row_column_copy", 200},
                                            {"cuda/blocked_global", 19},
                                            {"cuda/blocked_shared", 19}}) {
        twin<float> f({n, n});
        f.fill_random(1, 300);
        f.upload();
        const lu_result r =
            lu_factor(on_cuda{}, f.on_device(), nullptr, {.variant = variant, .pivoting = pivoting::none});
        EXPECT_EQ(r.run.iterations, launches) << variant;
    }
}

TEST_F(LuLadderCuda, RefusesToPivot) {
    twin<float> f({4, 4});
    f.fill_random(1);
    f.upload();
    const auto pivots = on_device(std::vector<std::int32_t>(4));
    for (const char* variant : rows_of_ladder)
        EXPECT_THROW((void)lu_factor(on_cuda{}, f.on_device(), pivots.data(), {.variant = variant}),
                     unsupported_variant);
}

TEST_F(LuLadderCuda, ZerosAndPerturbation) {
    for (const char* variant : rows_of_ladder)
        for (const double perturbation : {0.0, 1e-8}) {
            twin<double> f({40, 40, storage_order::row_major}), g({40, 40, storage_order::row_major});
            for (twin<double>* t : {&f, &g}) {
                t->fill_random(9, 100);
                for (index_t i = 0; i < 40; ++i) t->at(0, 21, i) = t->at(0, i, 21) = 0;
                t->upload();
            }
            const lu_options options{
                .variant = variant, .pivoting = pivoting::none, .perturbation = perturbation};
            const lu_result r = lu_factor(on_cuda{}, f.on_device(), nullptr, options);
            lu_options plain = options;
            plain.variant = "automatic";
            const lu_result expected = lu_factor(on_reference{}, g.on_host(), nullptr, plain);
            EXPECT_EQ(r.singular, expected.singular) << variant;
            EXPECT_EQ(r.first_zero, expected.first_zero);
            EXPECT_EQ(r.perturbed, expected.perturbed);
            EXPECT_EQ(r.perturbed, perturbation > 0 ? 1 : 0);
            f.download();
            EXPECT_EQ(f.at(0, 21, 21), g.at(0, 21, 21));
        }
}

TEST_F(LuLadderCuda, NanSpreadsAndIsReported) {
    for (const char* variant : rows_of_ladder) {
        twin<float> f({50, 50});
        f.fill_random(2, 100);
        f.at(0, 10, 5) = std::numeric_limits<float>::quiet_NaN();
        f.upload();
        const lu_result r =
            lu_factor(on_cuda{}, f.on_device(), nullptr, {.variant = variant, .pivoting = pivoting::none});
        EXPECT_EQ(r.not_finite, 1) << variant;
        EXPECT_TRUE(r.diverged);
    }
}

TEST_F(LuLadderCuda, ScalingByAPowerOfTwoScalesU) {
    for (const char* variant : rows_of_ladder) {
        twin<float> f({70, 70}), g({70, 70});
        f.fill_random(2, 10);
        g.fill_random(2, 10);
        for (float& v : g.host) v *= 0x1p-40f;
        for (twin<float>* t : {&f, &g}) {
            t->upload();
            (void)lu_factor(on_cuda{}, t->on_device(), nullptr,
                            {.variant = variant, .pivoting = pivoting::none});
            t->download();
        }
        for (index_t i = 0; i < 70; ++i)
            for (index_t j = 0; j < 70; ++j)
                ASSERT_EQ(g.at(0, i, j), i > j ? f.at(0, i, j) : f.at(0, i, j) * 0x1p-40f) << variant;
    }
}

}  // namespace
}  // namespace wale
