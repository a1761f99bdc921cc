// lu_unpivoted_cuda_test - the rows that factor without pivots by tiles and by panels, cuda/tile_dag and
// cuda/lookahead, against the reference: tile edges, both storage orders, zero and tiny pivots, perturbation,
// NaN, one resident block, graphs, the same bits twice.
#include <cuda_runtime_api.h>

#include <limits>

#include "lu_on_device.hpp"
#include "tuning/override.hpp"

namespace wale {
namespace {

/// A row, and what of its tuning table: many steps of small matrices, or one block that does all.
struct way {
    const char* variant;
    const char* tuning;
};
constexpr way ways[] = {{"cuda/tile_dag", "lu/factor/tile_dag=0"},
                        {"cuda/tile_dag", "lu/factor/tile_dag_blocks=1"},
                        {"cuda/lookahead", "lu/factor/unpivoted=6"},
                        {"cuda/lookahead", "lu/factor/unpivoted=0"}};

template <class T>
struct factored {
    twin<T> a, f;
    lu_result result;
    explicit factored(const shape_of_test& s) : a(s), f(s) {}
    void run(const way& w, double perturbation = 0) {
        const tuning::scoped_override tuned(w.tuning);
        a.upload();
        f.host = a.host;
        f.upload();
        result = lu_factor(on_cuda{}, f.on_device(), lu_outputs{},
                           {.variant = w.variant, .pivoting = pivoting::none, .perturbation = perturbation});
        f.download();
    }
    [[nodiscard]] double ratio() const {
        return lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), nullptr);
    }
    /// The reference on the same matrix.
    [[nodiscard]] lu_result reference(twin<T>& to, double perturbation = 0) {
        to.host = a.host;
        return lu_factor(on_reference{}, to.on_host(), lu_outputs{},
                         {.pivoting = pivoting::none, .perturbation = perturbation});
    }
};

class LuUnpivotedCuda : public LuCuda {
protected:
    template <class T>
    static void check(const way& w, const shape_of_test& s) {
        factored<T> x(s);
        x.a.fill_random(static_cast<std::uint64_t>(s.rows * 7919 + s.columns),
                        static_cast<double>(s.rows + s.columns));
        x.run(w);
        const auto what =
            std::string(w.tuning) + ", " + std::to_string(s.rows) + " x " + std::to_string(s.columns);
        EXPECT_EQ(x.result.run.variant, w.variant);
        EXPECT_EQ(x.result.singular, 0) << what;
        EXPECT_EQ(x.result.not_finite, 0) << what;
        EXPECT_LT(x.ratio(), 30) << what;
        EXPECT_EQ(x.f.changed_padding(), 0) << what;
    }
};

TEST_F(LuUnpivotedCuda, EveryEdgeOfTiles) {
    for (const way& w : ways)
        for (const index_t n : {1, 2, 3, 5, 31, 63, 64, 65, 127, 128, 129, 191, 193, 300, 449, 513}) {
            check<double>(w, {n, n});
            check<float>(w, {n, n, storage_order::column_major, 3});
            check<double>(w, {n, n, storage_order::row_major, 1});
            check<float>(w, {n, n, storage_order::row_major});
        }
}

TEST_F(LuUnpivotedCuda, TallAndWide) {
    for (const way& w : ways)
        for (const auto& [m, n] : {std::pair<index_t, index_t>{1, 70},
                                   {70, 1},
                                   {64, 65},
                                   {300, 20},
                                   {20, 300},
                                   {130, 700},
                                   {700, 130},
                                   {257, 256}})
            for (const storage_order order : {storage_order::row_major, storage_order::column_major}) {
                check<double>(w, {m, n, order, 2});
                check<float>(w, {m, n, order, 1});
            }
}

TEST_F(LuUnpivotedCuda, StepsOfALargeMatrix) {
    check<double>(ways[3], {3000, 2900, storage_order::row_major, 1});
    check<float>(ways[3], {2900, 3000});
    check<double>(ways[0], {2200, 2200});
}

TEST_F(LuUnpivotedCuda, NothingToDo) {
    for (const way& w : ways) {
        check<double>(w, {0, 5});
        check<float>(w, {5, 0});
        check<float>(w, {0, 0});
    }
}

TEST_F(LuUnpivotedCuda, BatchesOneAfterTheOther) {
    for (const way& w : ways) check<double>(w, {150, 140, storage_order::row_major, 3, 4});
}

TEST_F(LuUnpivotedCuda, PivotsCountAndTheOutcomeIsToldInBothPasses) {
    for (const way& w : ways) {
        const tuning::scoped_override tuned(w.tuning);
        twin<double> a({200, 200});
        a.fill_random(1, 300);
        a.upload();
        const auto pivots = on_device(std::vector<std::int32_t>(201, -1));
        const auto sign = on_device(std::vector<double>(1, 7)), log = on_device(std::vector<double>(1, 7));
        lu_outputs out;
        out.pivots = pivots.data();
        out.sign = sign.data();
        out.log_magnitude = log.data();
        (void)lu_factor(on_cuda{}, a.on_device(), out, {.variant = w.variant, .pivoting = pivoting::none});
        const auto found = on_host(pivots);
        for (std::int32_t k = 0; k < 200; ++k) ASSERT_EQ(found[static_cast<std::size_t>(k)], k);
        EXPECT_EQ(found[200], -1);
        EXPECT_EQ(on_host(sign)[0], 1);
        EXPECT_NEAR(on_host(log)[0], 200 * std::log(300), 1);
    }
}

/// Zero columns: the factors are complete and as the reference has them.
TEST_F(LuUnpivotedCuda, ZeroPivots) {
    for (const way& w : ways)
        for (const index_t zero : {0, 63, 64, 130, 299})
            for (const storage_order order : {storage_order::row_major, storage_order::column_major}) {
                factored<double> x({300, 300, order});
                x.a.fill_random(9, 300);
                for (index_t i = 0; i < 300; ++i) x.a.at(0, i, zero) = 0;
                x.run(w);
                twin<double> truth({300, 300, order});
                const lu_result expected = x.reference(truth);
                EXPECT_EQ(x.result.singular, 1);
                EXPECT_EQ(x.result.first_singular, 0);
                EXPECT_EQ(x.result.first_zero, expected.first_zero);
                double worst = 0;
                for (index_t i = 0; i < 300; ++i)
                    for (index_t j = 0; j < 300; ++j)
                        worst = std::fmax(worst, std::fabs(x.f.at(0, i, j) - truth.at(0, i, j)));
                EXPECT_LT(worst, 1e-9) << w.tuning << " column " << zero;
            }
}

TEST_F(LuUnpivotedCuda, PerturbedPivotsAreCounted) {
    for (const way& w : ways) {
        factored<double> x({200, 200});
        x.a.fill_random(4, 300);
        for (const index_t k : {0, 7, 64, 100, 199}) {  // rows and columns that meet nothing else
            for (index_t i = 0; i < 200; ++i) x.a.at(0, i, k) = x.a.at(0, k, i) = 0;
            x.a.at(0, k, k) = k == 100 ? -1e-13 : 0;
        }
        x.run(w, 1e-8);
        twin<double> truth({200, 200});
        EXPECT_EQ(x.reference(truth, 1e-8).perturbed, 5);
        EXPECT_EQ(x.result.perturbed, 5) << w.tuning;
        EXPECT_EQ(x.result.singular, 0);
        for (const index_t k : {0, 7, 64, 100, 199}) EXPECT_EQ(x.f.at(0, k, k), truth.at(0, k, k)) << k;
        EXPECT_LT(x.f.at(0, 100, 100), 0);
    }
}

TEST_F(LuUnpivotedCuda, NearOverflowAndUnderflow) {
    for (const way& w : ways)
        for (const int exponent : {-1050, -1000, 1005}) {
            factored<double> x({300, 300}), plain({300, 300});
            x.a.fill_random(6, 300);
            plain.a.fill_random(6, 300);
            for (double& v : x.a.host) v = std::ldexp(v, exponent);
            x.run(w);
            plain.run(w);
            EXPECT_EQ(x.result.not_finite, 0);
            double worst = 0;
            for (index_t j = 0; j < 300; ++j)
                for (index_t i = j + 1; i < 300; ++i)
                    worst = std::fmax(worst, std::fabs(x.f.at(0, i, j) - plain.f.at(0, i, j)));
            EXPECT_LT(worst, exponent < -1022 ? 1e-6 : 0x1p-60) << w.tuning << " 2^" << exponent;
        }
}

TEST_F(LuUnpivotedCuda, NanAndInfinityEnd) {
    for (const way& w : ways)
        for (const double bad :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
            for (const index_t column : {0, 70, 299}) {
                factored<double> x({300, 300});
                x.a.fill_random(2, 300);
                x.a.at(0, 17, column) = bad;
                x.run(w);
                EXPECT_EQ(x.result.not_finite, 1) << w.tuning << " column " << column;
                EXPECT_TRUE(x.result.diverged);
            }
}

TEST_F(LuUnpivotedCuda, SameBitsTwiceScaledByAPowerOfTwoAndByOneBlock) {
    for (const way& w : ways) {
        factored<double> x({700, 700}), y({700, 700}), z({700, 700});
        for (auto* t : {&x, &y, &z}) t->a.fill_random(21, 700);
        for (double& v : z.a.host) v *= 0x1p-300;
        for (auto* t : {&x, &y, &z}) t->run(w);
        EXPECT_EQ(x.f.host, y.f.host);
        index_t different = 0;
        for (index_t i = 0; i < 700; ++i)
            for (index_t j = 0; j < 700; ++j)
                different += x.f.at(0, i, j) * (i <= j ? 0x1p-300 : 1) != z.f.at(0, i, j);
        EXPECT_EQ(different, 0) << w.tuning;
    }
    factored<float> many({500, 500}), one({500, 500});
    many.a.fill_random(3, 500);
    one.a.fill_random(3, 500);
    many.run(ways[0]);
    one.run(ways[1]);
    EXPECT_EQ(many.f.host, one.f.host);
}

TEST_F(LuUnpivotedCuda, AGraphCapturesAndReplays) {
    for (const way& w : ways) {
        const tuning::scoped_override tuned(w.tuning);
        const index_t n = 600;
        factored<double> x({n, n});
        x.a.fill_random(12, 600);
        x.run(w);
        const auto bytes = static_cast<std::size_t>(x.a.host.size()) * sizeof(double);
        cudaStream_t stream = nullptr;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t ready = nullptr;
        twin<double> again({n, n});
        again.host = x.a.host;
        again.upload();
        ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        (void)lu_factor(on_cuda{.stream = stream}, again.on_device(), lu_outputs{},
                        {.variant = w.variant, .pivoting = pivoting::none, .asynchronous = true});
        ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
        for (int replay = 0; replay < 2; ++replay) {
            ASSERT_EQ(cudaMemcpyAsync(again.device.data(), x.a.device.data(), bytes, cudaMemcpyDeviceToDevice,
                                      stream),
                      cudaSuccess);
            ASSERT_EQ(cudaGraphLaunch(ready, stream), cudaSuccess);
            ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
            again.download();
            EXPECT_EQ(again.host, x.f.host) << w.tuning;
        }
        (void)cudaGraphExecDestroy(ready);
        (void)cudaGraphDestroy(graph);
        (void)cudaStreamDestroy(stream);
    }
}

TEST_F(LuUnpivotedCuda, RefusesPivots) {
    twin<double> a({10, 10});
    a.fill_random(1);
    a.upload();
    const auto pivots = on_device(std::vector<std::int32_t>(10));
    EXPECT_THROW((void)lu_factor(on_cuda{}, a.on_device(), pivots.data(), {.variant = "cuda/tile_dag"}),
                 unsupported_variant);
}

}  // namespace
}  // namespace wale
