// report_test - what a plain call reports beside its answer: bad pivots and signs of calls in turn, since
// calls share the words that kernels report to, and seconds by either clock.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <wale/wale.hpp>

namespace wale {
namespace {

using numbers = std::vector<double>;

class Reports : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

/// 6 x 6 matrices, row-major: identities, of which some are changed.
struct batch_of_six {
    static constexpr index_t n = 6;
    index_t count;
    numbers a;
    explicit batch_of_six(index_t many) : count(many), a(static_cast<std::size_t>(many * n * n), 0.0) {
        for (index_t m = 0; m < count; ++m)
            for (index_t k = 0; k < n; ++k) at(m, k, k) = 1;
    }
    double& at(index_t m, index_t i, index_t j) { return a[static_cast<std::size_t>(m * n * n + i * n + j)]; }
    batch_of_six& without(index_t m, index_t k) {
        at(m, k, k) = 0;
        return *this;
    }
    /// An exchange of rows 0 and 1.
    batch_of_six& turned(index_t m) {
        at(m, 0, 0) = at(m, 1, 1) = 0;
        at(m, 0, 1) = at(m, 1, 0) = 1;
        return *this;
    }
};

struct lu_question {
    batch_of_six all;
    index_t singular, first_singular, first_zero;
    int sign;
};

std::vector<lu_question> lu_questions() {
    return {{batch_of_six(50), 0, -1, -1, 1},
            {batch_of_six(50).without(20, 3).without(7, 5).without(49, 0), 3, 7, 5, 1},
            {batch_of_six(50), 0, -1, -1, 1},
            {batch_of_six(50).turned(0), 0, -1, -1, -1},
            {batch_of_six(50).turned(1), 0, -1, -1, 1},
            {batch_of_six(50).turned(0).without(0, 4), 1, 0, 4, -1}};
}

/// Whether a result says what the question expects.
bool says(const lu_result& r, const lu_question& q) {
    const bool places =
        q.singular == 0 || (r.first_singular == q.first_singular && r.first_zero == q.first_zero);
    return r.singular == q.singular && places && r.not_finite == 0 && r.permutation_sign == q.sign;
}

lu_result factored(const on_cuda& on, const batch_of_six& all, const std::string& variant) {
    const buffer<double> a = to_device<double>(on, all.a);
    const buffer<std::int32_t> pivots(all.count * batch_of_six::n, memory_space::device);
    constexpr index_t n = batch_of_six::n;
    const matrix_shape s{.rows = n, .columns = n, .leading = n, .count = all.count, .stride = n * n};
    return lu_factor(on, matrices(a.data(), s), pivots.data(), {.variant = variant});
}

TEST_F(Reports, FactorsInTurn) {
    int asked = 0;
    for (const variant_info& v : variants("lu")) {
        if (v.operation != "factor" || v.where != backend::cuda) continue;
        try {
            for (int round = 0; round < 3; ++round)
                for (const lu_question& q : lu_questions()) {
                    const lu_result r = factored(on_cuda{}, q.all, v.name);
                    EXPECT_TRUE(says(r, q))
                        << v.name << ": " << r.singular << " singular, sign " << r.permutation_sign;
                    ++asked;
                }
        } catch (const unsupported_variant&) {
        }
    }
    EXPECT_GT(asked, 0);
}

/// As many reports as matrices.
TEST_F(Reports, AllMatricesAreSingular) {
    batch_of_six all(100'000);
    for (index_t m = 0; m < all.count; ++m) all.without(m, 2);
    const lu_result r = factored(on_cuda{}, all, "automatic");
    EXPECT_EQ(r.singular, all.count);
    EXPECT_EQ(r.first_singular, 0);
    EXPECT_EQ(r.first_zero, 2);
}

/// Diagonals of ones, with a zero in (system, row) unless system is negative.
tridiagonal_result solved(const on_cuda& on, const vector_shape& s, index_t system, index_t row) {
    const auto size = static_cast<std::size_t>(s.elements());
    numbers ones(size, 1.0);
    const bool flat = s.layout == vector_layout::flat;
    if (system >= 0)
        ones[static_cast<std::size_t>(flat ? system * s.stride + row : row * s.stride + system)] = 0;
    const buffer<double> off = to_device<double>(on, numbers(size, 0.0)), d = to_device<double>(on, ones),
                         x = to_device<double>(on, numbers(size, 1.0));
    return tridiagonal_solve(on, {off.data(), s}, {d.data(), s}, {off.data(), s}, vectors(x.data(), s),
                             {.pivoting = pivoting::none});
}

TEST_F(Reports, ChainsInTurn) {
    for (const vector_shape& s :
         {vector_shape::flat(scalar::f64, 4, 30), vector_shape::flat(scalar::f64, 100, 30),
          vector_shape::interleaved(scalar::f64, 4, 30), vector_shape::interleaved(scalar::f64, 100, 30)})
        for (int round = 0; round < 3; ++round)
            for (const index_t system : {index_t{-1}, index_t{17}, index_t{-1}, index_t{0}}) {
                const tridiagonal_result r = solved(on_cuda{}, s, system, 2);
                EXPECT_EQ(r.first_bad_system, system) << r.run.variant;
                EXPECT_EQ(r.first_bad_row < 0, system < 0) << r.run.variant;
            }
}

TEST_F(Reports, ThreadsWithStreamsOfTheirOwn) {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 8; ++k)
        threads.emplace_back([&, k] {
            cudaStream_t stream = nullptr;
            if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
                return void(++wrong);
            try {
                const on_cuda on{.device = 0, .stream = stream};
                const std::vector<lu_question> questions = lu_questions();
                const vector_shape s = vector_shape::flat(scalar::f64, 100, 30);
                for (int round = 0; round < 20; ++round) {
                    const lu_question& q = questions[static_cast<std::size_t>(round + k) % questions.size()];
                    wrong += !says(factored(on, q.all, "automatic"), q);
                    const index_t system = (round + k) % 3 == 0 ? k : -1;
                    wrong += solved(on, s, system, 5).first_bad_system != system;
                }
            } catch (const std::exception&) {
                ++wrong;
            }
            (void)cudaStreamDestroy(stream);
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
}

/// Either clock's seconds are some, and no more than the call took.
TEST_F(Reports, SecondsByEitherClock) {
    using clock = std::chrono::steady_clock;
    const batch_of_six all(20'000);
    for (const bool on_device : {false, true, false}) {
        const on_cuda on{.time_on_device = on_device};
        const clock::time_point start = clock::now();
        const double seconds = factored(on, all, "automatic").run.compute_seconds;
        EXPECT_GT(seconds, 0);
        EXPECT_LT(seconds, std::chrono::duration<double>(clock::now() - start).count());
    }
}

}  // namespace
}  // namespace wale
