// lu_solve_cuda_test - cuda/blocked of solve and inverse: any size, order and number of right-hand sides,
// transposed, batches and lists, every block of the tuning table, singular factors, the caller's stream.
#include <limits>

#include "lu_on_device.hpp"
#include "tuning/override.hpp"

namespace wale {
namespace {

struct order_of_test {
    storage_order factors, sides;
};
constexpr order_of_test orders[] = {{storage_order::column_major, storage_order::column_major},
                                    {storage_order::row_major, storage_order::row_major},
                                    {storage_order::column_major, storage_order::row_major},
                                    {storage_order::row_major, storage_order::column_major}};

template <class T>
constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

/// |b - op(A) x| / (n |A| |x| eps), the largest of all columns, in the infinity norm.
template <class T>
double solve_ratio(twin<T>& a, twin<T>& x, twin<T>& b, bool transposed) {
    const index_t n = a.shape().rows;
    double worst = 0;
    for (index_t c = 0; c < a.shape().count; ++c)
        for (index_t j = 0; j < x.shape().columns; ++j) {
            double error = 0, norm = 0, size = 0;
            for (index_t i = 0; i < n; ++i) {
                double r = b.at(c, i, j), row = 0;
                for (index_t k = 0; k < n; ++k) {
                    const double v = transposed ? a.at(c, k, i) : a.at(c, i, k);
                    r -= v * static_cast<double>(x.at(c, k, j));
                    row += std::fabs(v);
                }
                error = std::fmax(error, std::isnan(r) ? HUGE_VAL : std::fabs(r));
                norm = std::fmax(norm, row);
                size = std::fmax(size, std::fabs(static_cast<double>(x.at(c, i, j))));
            }
            worst = std::fmax(worst, error / (static_cast<double>(n) * norm * size * epsilon<T>));
        }
    return worst;
}

class LuSolveCuda : public LuCuda {
protected:
    template <class T>
    struct problem {
        twin<T> a, f, b, x;
        std::vector<std::int32_t> pivots;
        buffer<std::int32_t> pivots_there;
        problem(index_t n, index_t sides, const order_of_test& o, index_t count = 1)
            : a({n, n, o.factors, 1, count}),
              f({n, n, o.factors, 1, count}),
              b({n, sides, o.sides, 2, count}),
              x({n, sides, o.sides, 2, count}) {
            a.fill_random(31);
            f.fill_random(31);
            b.fill_random(32);
            x.fill_random(32);
            pivots.resize(static_cast<std::size_t>(count * n + 1));
            (void)lu_factor(on_reference{}, f.on_host(), pivots.data());
            pivots_there = on_device(pivots);
            f.upload();
            x.upload();
        }
    };
    template <class T>
    static void check(index_t n, index_t sides, const order_of_test& o, bool transposed, index_t count = 1) {
        problem<T> p(n, sides, o, count);
        const lu_solve_result r = lu_solve(on_cuda{}, p.f.on_device(), p.pivots_there.data(), p.x.on_device(),
                                           {.variant = "cuda/blocked", .transposed = transposed});
        EXPECT_EQ(r.run.variant, "cuda/blocked");
        p.x.download();
        EXPECT_EQ(p.x.changed_padding(), 0);
        EXPECT_LT(solve_ratio(p.a, p.x, p.b, transposed), 30)
            << n << " x " << sides << (transposed ? " transposed" : "");
    }
};

TEST_F(LuSolveCuda, AnySize) {
    for (const index_t n : {1, 2, 31, 63, 64, 65, 127, 128, 200, 257, 513})
        for (const index_t sides : {1, 3, 70})
            for (const order_of_test& o : orders)
                for (const bool transposed : {false, true}) {
                    check<float>(n, sides, o, transposed);
                    check<double>(n, sides, o, transposed);
                }
}

TEST_F(LuSolveCuda, EveryBlockOfTheTable) {
    for (const char* row : {"0", "1", "2", "3"}) {
        const tuning::scoped_override t(std::string("lu/solve/blocked=") + row);
        for (const bool transposed : {false, true}) check<double>(700, 2, orders[1], transposed);
    }
}

TEST_F(LuSolveCuda, ManyRightSidesInParts) {
    check<float>(96, 4096 + 33, orders[0], false);
    check<float>(96, 4096 + 33, orders[1], true);
}

TEST_F(LuSolveCuda, BatchesAndNothing) {
    check<double>(70, 3, orders[0], false, 5);
    check<float>(33, 1, orders[1], true, 4);
    for (const auto& [n, sides] : {std::pair<index_t, index_t>{0, 3}, {4, 0}}) {
        twin<double> f({n, n}), x({n, sides});
        f.fill_random(1, 5);
        f.upload();
        x.upload();
        (void)lu_solve(on_cuda{}, f.on_device(), nullptr, x.on_device(), {.variant = "cuda/blocked"});
        (void)lu_inverse(on_cuda{}, f.on_device(), nullptr, {.variant = "cuda/blocked"});
    }
}

TEST_F(LuSolveCuda, ListOfSizes) {
    problem<double> p(40, 2, orders[0]), q(111, 5, orders[1]), r(1, 1, orders[0]);
    std::vector<std::int32_t> all;
    for (const auto* one : {&p, &q, &r}) all.insert(all.end(), one->pivots.begin(), one->pivots.end() - 1);
    const auto pivots = on_device(all);
    const const_matrices factors[] = {p.f.on_device(), q.f.on_device(), r.f.on_device()};
    const matrices sides[] = {p.x.on_device(), q.x.on_device(), r.x.on_device()};
    (void)lu_solve(on_cuda{}, factors, pivots.data(), sides, {.variant = "cuda/blocked"});
    for (auto* one : {&p, &q, &r}) {
        one->x.download();
        EXPECT_LT(solve_ratio(one->a, one->x, one->b, false), 30);
    }
}

TEST_F(LuSolveCuda, SingularFactorsGiveNoFiniteAnswer) {
    twin<double> f({90, 90}), x({90, 1});
    f.fill_random(3, 20);
    x.fill_random(4);
    f.at(0, 70, 70) = 0;
    f.upload();
    x.upload();
    (void)lu_solve(on_cuda{}, f.on_device(), nullptr, x.on_device(), {.variant = "cuda/blocked"});
    x.download();
    EXPECT_FALSE(std::isfinite(x.at(0, 70, 0)));
}

TEST_F(LuSolveCuda, AsynchronousOnTheDefaultStreamAndTheSameBits) {
    problem<float> p(300, 4, orders[0]);
    (void)lu_solve(on_cuda{}, p.f.on_device(), p.pivots_there.data(), p.x.on_device(),
                   {.variant = "cuda/blocked"});
    const std::vector<float> first = on_host(p.x.device);
    for (int i = 0; i < 5; ++i) {
        p.x.upload();
        (void)lu_solve(on_cuda{}, p.f.on_device(), p.pivots_there.data(), p.x.on_device(),
                       {.variant = "cuda/blocked", .asynchronous = true});
        EXPECT_EQ(on_host(p.x.device), first);
    }
}

TEST_F(LuSolveCuda, Inverses) {
    for (const index_t n : {1, 2, 63, 64, 65, 130, 300})
        for (const order_of_test& o : orders) {
            problem<double> p(n, 1, o, n < 100 ? 3 : 1);
            (void)lu_inverse(on_cuda{}, p.f.on_device(), p.pivots_there.data(), {.variant = "cuda/blocked"});
            p.f.download();
            EXPECT_EQ(p.f.changed_padding(), 0);
            twin<double> unit({n, n, o.factors, 1, p.a.shape().count});
            for (index_t c = 0; c < unit.shape().count; ++c)
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < n; ++j) unit.at(c, i, j) = i == j;
            EXPECT_LT(solve_ratio(p.a, p.f, unit, false), 30) << n;
        }
}

TEST_F(LuSolveCuda, InverseInParts) {
    constexpr index_t n =
        4500;  // more columns than are inverted at once; A = I + e_i e_0^T + 2 e_0 e_(n-1)^T
    twin<float> f({n, n, storage_order::row_major});
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) f.at(0, i, j) = i == j;
    for (index_t i = 1; i < n; ++i) f.at(0, i, 0) = 0.5f;  // L
    f.at(0, 0, n - 1) = 2;                                 // U
    f.upload();
    (void)lu_inverse(on_cuda{}, f.on_device(), nullptr, {.variant = "cuda/blocked"});
    f.download();
    // L^-1 = I - 0.5 e e_0^T, U^-1 = I - 2 e_0 e_(n-1)^T.
    index_t wrong = 0;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            float expected = i == j ? 1.0f : 0.0f;
            if (j == 0 && i > 0) expected -= 0.5f;
            if (i == 0) expected -= 2 * (j == n - 1 ? 1.0f : j == 0 ? -0.5f : 0.0f);
            wrong += f.at(0, i, j) != expected;
        }
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace wale
