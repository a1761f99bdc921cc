// lu_lookahead_cuda_test - the row cuda/lookahead with pivots: LAPACK's pivots and ratio on edges of strips,
// panels and clusters, both storage orders; ties, singular and NaN input, graphs, the same bits twice.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <limits>

#include "lu_on_device.hpp"

extern "C" void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
extern "C" void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* ipiv, int* info);

namespace wale {
namespace {

void lapack(int m, int n, double* a, int* pivots, int* info) {
    dgetrf_(&m, &n, a, &m, pivots, info);
}
void lapack(int m, int n, float* a, int* pivots, int* info) {
    sgetrf_(&m, &n, a, &m, pivots, info);
}

/// A matrix, its factors on the device and what came with them.
template <class T>
struct factored {
    twin<T> a, f;
    buffer<std::int32_t> pivots, permutation;
    lu_result result;

    explicit factored(const shape_of_test& s)
        : a(s),
          f(s),
          pivots(
              on_device(std::vector<std::int32_t>(static_cast<std::size_t>(f.shape().diagonal() + 1), -1))),
          permutation(on_device(std::vector<std::int32_t>(static_cast<std::size_t>(s.rows + 1), -1))) {}
    void run() {
        a.upload();
        f.host = a.host;
        f.upload();
        lu_outputs out;
        out.pivots = pivots.data();
        out.permutation = permutation.data();
        result = lu_factor(on_cuda{}, f.on_device(), out, {.variant = "cuda/lookahead"});
    }
    [[nodiscard]] double ratio() const {
        return lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), pivots.data());
    }
};

class LuLookaheadCuda : public LuCuda {
protected:
    template <class T>
    static void check(const shape_of_test& s) {
        factored<T> x(s);
        x.a.fill_random(static_cast<std::uint64_t>(s.rows * 7919 + s.columns));
        x.run();
        const auto what = std::to_string(s.rows) + " x " + std::to_string(s.columns);
        EXPECT_EQ(x.result.run.variant, "cuda/lookahead");
        EXPECT_EQ(x.result.singular, 0) << what;
        EXPECT_LT(x.ratio(), 30) << what;
        x.f.download();
        EXPECT_EQ(x.f.changed_padding(), 0) << what;
        same_pivots(x, what);
    }
    template <class T>
    static void same_pivots(factored<T>& x, const std::string& what) {
        const index_t m = x.a.shape().rows, n = x.a.shape().columns, k = x.a.shape().diagonal();
        std::vector<T> columns(static_cast<std::size_t>(m * n + 1));
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < m; ++i) columns[static_cast<std::size_t>(j * m + i)] = x.a.at(0, i, j);
        std::vector<int> expected(static_cast<std::size_t>(k + 1));
        int info = 0;
        if (k > 0) lapack(static_cast<int>(m), static_cast<int>(n), columns.data(), expected.data(), &info);
        const auto pivots = on_host(x.pivots), permutation = on_host(x.permutation);
        std::vector<std::int32_t> order(static_cast<std::size_t>(m));
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
        for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
            ASSERT_EQ(pivots[i], expected[i] - 1) << what << " at " << i;
            std::swap(order[i], order[static_cast<std::size_t>(pivots[i])]);
        }
        EXPECT_EQ(pivots[static_cast<std::size_t>(k)], -1);
        for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(permutation[i], order[i]) << what;
    }
};

TEST_F(LuLookaheadCuda, EveryEdgeOfStripsAndPanels) {
    for (const index_t n : {1,  2,   3,   7,   8,   9,   16,  31,  32,  33,  63,  64, 65,
                            96, 127, 128, 129, 160, 255, 256, 257, 300, 384, 511, 513}) {
        check<double>({n, n});
        check<float>({n, n, storage_order::column_major, 3});
        check<double>({n, n, storage_order::row_major, 1});
    }
}

TEST_F(LuLookaheadCuda, TallAndWide) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{1, 50},
                               {50, 1},
                               {300, 20},
                               {20, 300},
                               {700, 129},
                               {129, 700},
                               {257, 256},
                               {4096, 40},
                               {4097, 40},
                               {8193, 33},
                               {10000, 130},
                               {16385, 40},
                               {33000, 20}})
        for (const storage_order order : {storage_order::row_major, storage_order::column_major}) {
            check<double>({m, n, order, 2});
            check<float>({m, n, order, 1});
        }
}

TEST_F(LuLookaheadCuda, PanelsThatAreJoined) {
    // Row 7 joins panels of every size, so that small matrices have joined ones too.
    ASSERT_EQ(setenv("WALE_TUNING", "lu/factor/lookahead=2", 1), 0);
    for (const index_t n : {1, 64, 65, 128, 129, 192, 193, 257, 300}) {
        check<double>({n, n});
        check<float>({n, n, storage_order::row_major, 1});
    }
    check<double>({700, 330});
    check<float>({330, 700});
    unsetenv("WALE_TUNING");
}

TEST_F(LuLookaheadCuda, NothingToDo) {
    check<double>({0, 5});
    check<double>({5, 0});
    check<float>({0, 0});
}

TEST_F(LuLookaheadCuda, BatchesOneAfterTheOther) {
    twin<float> a({150, 140, storage_order::row_major, 3, 4}), f({150, 140, storage_order::row_major, 3, 4});
    a.fill_random(3);
    f.host = a.host;
    a.upload();
    f.upload();
    const auto pivots = on_device(std::vector<std::int32_t>(4 * 140));
    (void)lu_factor(on_cuda{}, f.on_device(), pivots.data(), {.variant = "cuda/lookahead"});
    EXPECT_LT(lu_residual_ratio(on_cuda{}, a.on_device(), f.on_device(), pivots.data()), 30);
}

TEST_F(LuLookaheadCuda, LowestRowOfEquals) {
    for (const index_t n : {40, 300, 600}) {
        factored<double> x({n, n});
        numbers random(5);
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) x.a.at(0, i, j) = random.next() < 0 ? -1 : 1;
        x.run();
        EXPECT_LT(x.ratio(), 30);
        const auto pivots = on_host(x.pivots);
        EXPECT_EQ(pivots[0], 0);  // all are equal
        // The second column holds 0 and 2 after the first step, in exact arithmetic: the first 2 wins.
        index_t second = 1;
        while (second < n && x.a.at(0, second, 0) * x.a.at(0, second, 1) == x.a.at(0, 0, 0) * x.a.at(0, 0, 1))
            ++second;
        EXPECT_EQ(pivots[1], second);
    }
}

TEST_F(LuLookaheadCuda, SingularInputIsFactoredToTheEnd) {
    for (const index_t n : {33, 200, 500})
        for (const index_t zero : {index_t{0}, n / 2, n - 1}) {
            factored<double> x({n, n});
            x.a.fill_random(8);
            for (index_t i = 0; i < n; ++i) x.a.at(0, i, zero) = 0;
            x.run();
            EXPECT_EQ(x.result.singular, 1);
            EXPECT_EQ(x.result.first_zero, zero);
            EXPECT_LT(x.ratio(), 30);
            EXPECT_EQ(on_host(x.pivots)[static_cast<std::size_t>(zero)], zero);
        }
}

TEST_F(LuLookaheadCuda, TinyAndHugePivotsAreDividedBy) {
    for (const double scale : {0x1p-1060, 0x1p-1000, 0x1p1010}) {
        factored<double> x({100, 100});
        x.a.fill_random(4);
        for (double& v : x.a.host) v *= scale;
        x.run();
        x.f.download();
        double most = 0;
        for (index_t j = 0; j < 100; ++j)
            for (index_t i = j + 1; i < 100; ++i) most = std::fmax(most, std::fabs(x.f.at(0, i, j)));
        EXPECT_LE(most, 1);
        EXPECT_GT(most, 0.9);
        EXPECT_EQ(x.result.not_finite, 0);
    }
}

TEST_F(LuLookaheadCuda, NanAndInfinityEnd) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const index_t column : {0, 40, 299}) {
            factored<double> x({300, 300});
            x.a.fill_random(2);
            x.a.at(0, 17, column) = bad;
            x.run();
            EXPECT_EQ(x.result.not_finite, 1);
            const auto pivots = on_host(x.pivots);
            for (index_t k = 0; k < 300; ++k) {
                ASSERT_GE(pivots[static_cast<std::size_t>(k)], k);
                ASSERT_LT(pivots[static_cast<std::size_t>(k)], 300);
            }
        }
}

TEST_F(LuLookaheadCuda, SameBitsTwiceAndScaledByAPowerOfTwo) {
    factored<double> x({900, 900}), y({900, 900}), z({900, 900});
    for (auto* t : {&x, &y, &z}) t->a.fill_random(21);
    for (double& v : z.a.host) v *= 0x1p-300;
    for (auto* t : {&x, &y, &z}) {
        t->run();
        t->f.download();
    }
    EXPECT_EQ(x.f.host, y.f.host);
    for (index_t j = 0; j < 900; ++j)
        for (index_t i = 0; i < 900; ++i)
            ASSERT_EQ(z.f.at(0, i, j), i > j ? x.f.at(0, i, j) : x.f.at(0, i, j) * 0x1p-300);
}

TEST_F(LuLookaheadCuda, RunsInAGraph) {
    const index_t n = 400;
    factored<double> x({n, n});
    x.a.fill_random(31);
    x.run();  // what is made once is made
    x.f.download();
    const std::vector<double> expected = x.f.host;

    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    (void)lu_factor(on_cuda{.device = 0, .stream = stream}, x.f.on_device(), x.pivots.data(),
                    {.variant = "cuda/lookahead", .asynchronous = true});
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (int replay = 0; replay < 3; ++replay) {
        copy_bytes(on_cuda{}, x.f.device.data(), x.a.host.data(),
                   std::ssize(x.a.host) * index_t{sizeof(double)});
        ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        x.f.download();
        EXPECT_EQ(x.f.host, expected) << replay;
    }
    (void)cudaGraphExecDestroy(executable);
    (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(stream);
}

TEST_F(LuLookaheadCuda, SaysWhatItDoesNotTake) {
    twin<float> f({4, 4});
    f.fill_random(1);
    f.upload();
    const auto pivots = on_device(std::vector<std::int32_t>(4));
    EXPECT_THROW((void)lu_factor(on_cuda{}, f.on_device(), pivots.data(),
                                 {.variant = "cuda/lookahead", .pivoting = pivoting::tournament}),
                 unsupported_variant);
}

}  // namespace
}  // namespace wale
