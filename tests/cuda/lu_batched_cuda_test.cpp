// lu_batched_cuda_test - cuda/batched factors, solves and inverts many small matrices: every size, layout,
// list, singular and odd input, against residuals and the host's outcome.
#include <limits>

#include "lu_on_device.hpp"

namespace wale {
namespace {

const storage_order both_orders[] = {storage_order::column_major, storage_order::row_major};

/// Everything that a factorisation can write, on the device, filled with marks.
struct outputs_on_device {
    buffer<std::int32_t> pivots, permutation, first_zero;
    buffer<double> sign, log;

    outputs_on_device(index_t diagonals, index_t rows, index_t count)
        : pivots(on_device(marks(diagonals))),
          permutation(on_device(marks(rows))),
          first_zero(on_device(marks(count))),
          sign(on_device(std::vector<double>(static_cast<std::size_t>(count) + 1, -7))),
          log(on_device(std::vector<double>(static_cast<std::size_t>(count) + 1, -7))) {}
    explicit outputs_on_device(const matrix_shape& s)
        : outputs_on_device(s.count * s.diagonal(), s.count * s.rows, s.count) {}
    [[nodiscard]] lu_outputs get(bool square) const {
        return {pivots.data(), permutation.data(), first_zero.data(), square ? sign.data() : nullptr,
                square ? log.data() : nullptr};
    }

private:
    static std::vector<std::int32_t> marks(index_t size) {
        return std::vector<std::int32_t>(static_cast<std::size_t>(size) + 1, -7);
    }
};

class LuBatchedCuda : public LuCuda {
protected:
    static lu_options batched(pivoting p = pivoting::partial) {
        return {.variant = "cuda/batched", .pivoting = p};
    }
    /// What the outputs say must follow from factors and pivots as the host reads them.
    template <class T>
    static void expect_outputs(twin<T>& f, const outputs_on_device& out, const lu_result& r) {
        const matrix_shape& s = f.shape();
        const auto pivots = on_host(out.pivots), zeros = on_host(out.first_zero),
                   permutation = on_host(out.permutation);
        index_t singular = 0, not_finite = 0;
        for (index_t c = 0; c < s.count; ++c) {
            std::vector<std::int32_t> row(static_cast<std::size_t>(s.rows));
            for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::int32_t>(i);
            std::int32_t zero = -1;
            bool finite = true;
            for (index_t k = 0; k < s.diagonal(); ++k) {
                const std::int32_t p = pivots[static_cast<std::size_t>(c * s.diagonal() + k)];
                ASSERT_GE(p, k);
                ASSERT_LT(p, s.rows);
                std::swap(row[static_cast<std::size_t>(k)], row[static_cast<std::size_t>(p)]);
                if (f.at(c, k, k) == 0 && zero < 0) zero = static_cast<std::int32_t>(k);
                finite = finite && std::isfinite(f.at(c, k, k));
            }
            for (std::size_t i = 0; i < row.size(); ++i)
                ASSERT_EQ(permutation[static_cast<std::size_t>(c * s.rows) + i], row[i]);
            ASSERT_EQ(zeros[static_cast<std::size_t>(c)], zero);
            singular += zero >= 0;
            not_finite += !finite;
        }
        EXPECT_EQ(r.singular, singular);
        EXPECT_EQ(r.not_finite, not_finite);
        EXPECT_EQ(f.changed_padding(), 0);
        if (s.rows == s.columns) expect_determinants(f, out, pivots);
    }
    template <class T>
    static void expect_determinants(twin<T>& f, const outputs_on_device& out,
                                    const std::vector<std::int32_t>& pivots) {
        const matrix_shape& s = f.shape();
        const auto signs = on_host(out.sign), logs = on_host(out.log);
        for (index_t c = 0; c < s.count; ++c) {
            const lu_determinant_result d = lu_determinant(on_reference{}, const_matrices(f.on_host())[c],
                                                           pivots.data() + c * s.diagonal());
            const auto i = static_cast<std::size_t>(c);
            EXPECT_TRUE(signs[i] == d.sign || (std::isnan(signs[i]) && std::isnan(d.sign)));
            if (std::isfinite(d.log_magnitude)) {
                EXPECT_NEAR(logs[i], d.log_magnitude, 1e-11 * (1 + std::fabs(d.log_magnitude)));
            }
        }
    }
    template <class T>
    static void factor_and_check(const shape_of_test& s, pivoting p = pivoting::partial) {
        SCOPED_TRACE(testing::Message()
                     << s.rows << " x " << s.columns << " x " << s.count << " of " << sizeof(T)
                     << " bytes, row-major " << (s.order == storage_order::row_major));
        twin<T> a(s);
        a.fill_random(static_cast<std::uint64_t>(s.rows * 1000 + s.columns),
                      p == pivoting::none ? 2.0 * static_cast<double>(s.rows) : 0);
        twin<T> f = a_copy(a, s);
        const outputs_on_device out(f.shape());
        const lu_result r = lu_factor(on_cuda{}, f.on_device(), out.get(s.rows == s.columns), batched(p));
        EXPECT_EQ(r.run.variant, "cuda/batched");
        f.download();
        expect_outputs(f, out, r);
        const auto pivots = on_host(out.pivots);
        EXPECT_LT(lu_residual_ratio(on_reference{}, a.on_host(), f.on_host(), pivots.data()), 30);
    }
    template <class T>
    static twin<T> a_copy(const twin<T>& a, const shape_of_test& s) {
        twin<T> f(s);
        f.host = a.host;
        f.upload();
        return f;
    }
};

TEST_F(LuBatchedCuda, EverySizeTo70) {
    for (index_t n = 1; n <= 70; ++n)
        for (const storage_order order : both_orders) {
            factor_and_check<float>({n, n, order, n % 3, 7});
            factor_and_check<double>({n, n, order, n % 2, 3});
        }
}

TEST_F(LuBatchedCuda, SizesAtTheEdgesOfKernels) {
    for (const index_t n :
         {96, 100, 127, 128, 129, 160, 161, 191, 192, 193, 224, 255, 256, 257, 300, 511, 512, 513})
        for (const storage_order order : both_orders) {
            factor_and_check<float>({n, n, order, 1, 2});
            factor_and_check<double>({n, n, order, 0, 2});
        }
    factor_and_check<float>({1024, 1024, storage_order::column_major, 0, 1});
    factor_and_check<double>({1023, 1023, storage_order::row_major, 3, 1});
}

TEST_F(LuBatchedCuda, TallAndWide) {
    const index_t sizes[] = {0, 1, 3, 8, 17, 32, 33, 65, 130, 300};
    for (const index_t m : sizes)
        for (const index_t n : sizes)
            for (const storage_order order : both_orders) {
                if (m == n) continue;
                factor_and_check<float>({m, n, order, 2, 3});
                factor_and_check<double>({m, n, order, 0, 2});
            }
    factor_and_check<float>({1000, 20, storage_order::column_major, 0, 2});
    factor_and_check<float>({20, 3000, storage_order::row_major, 0, 2});
}

TEST_F(LuBatchedCuda, WithoutPivots) {
    for (const index_t n : {1, 5, 16, 31, 32, 40, 64, 100, 200, 260})
        for (const storage_order order : both_orders) {
            factor_and_check<float>({n, n, order, 1, 5}, pivoting::none);
            factor_and_check<double>({n, n, order, 1, 5}, pivoting::none);
        }
}

TEST_F(LuBatchedCuda, ManyMatrices) {
    factor_and_check<float>({8, 8, storage_order::column_major, 0, 20001});
    factor_and_check<float>({32, 32, storage_order::row_major, 0, 5001});
    factor_and_check<double>({48, 48, storage_order::column_major, 0, 1501});
}

TEST_F(LuBatchedCuda, PivotsAreTheReferences) {
    for (const index_t n : {4, 8, 20, 32, 64, 90, 257}) {
        twin<double> a({n, n, storage_order::column_major, 0, 4});
        a.fill_random(static_cast<std::uint64_t>(n));
        for (index_t i = 0; i < n; ++i)  // equals: the lowest row is taken
            for (index_t c = 0; c < 2; ++c)
                for (index_t j = 0; j < n; ++j)
                    a.at(c, i, j) = static_cast<double>((i * 7 + j * (i + 3)) % 5 - 2);
        a.upload();
        std::vector<std::int32_t> expected(static_cast<std::size_t>(4 * n));
        const auto found = on_device(expected);
        (void)lu_factor(on_cuda{}, a.on_device(), found.data(), batched());
        (void)lu_factor(on_reference{}, a.on_host(), expected.data());
        for (index_t c = n > 8 ? 2 : 0; c < 4; ++c)  // larger ones of small integers are full of near ties
            for (index_t k = 0; k < n; ++k)
                EXPECT_EQ(on_host(found)[static_cast<std::size_t>(c * n + k)],
                          expected[static_cast<std::size_t>(c * n + k)])
                    << n << " " << c << " " << k;
    }
}

TEST_F(LuBatchedCuda, SingularNanAndInf) {
    for (const index_t n : {6, 16, 30, 60, 120, 258})
        for (const storage_order order : both_orders) {
            SCOPED_TRACE(n);
            const shape_of_test s{n, n, order, 0, 6};
            twin<float> a(s);
            a.fill_random(static_cast<std::uint64_t>(n));
            for (index_t i = 0; i < n; ++i) {
                a.at(1, i, n / 2) = 0;
                a.at(2, n / 3, i) = 0;
                for (index_t j = 0; j < n; ++j) a.at(5, i, j) = 0;
            }
            a.at(3, n - 1, 1) = std::numeric_limits<float>::quiet_NaN();
            a.at(4, 0, 0) = std::numeric_limits<float>::infinity();
            a.upload();
            const outputs_on_device out(a.shape());
            const lu_result r = lu_factor(on_cuda{}, a.on_device(), out.get(true), batched());
            a.download();
            expect_outputs(a, out, r);
            EXPECT_EQ(on_host(out.first_zero)[1], n / 2);
            EXPECT_EQ(on_host(out.first_zero)[5], 0);
            EXPECT_EQ(r.first_singular, 1);
            EXPECT_GE(r.not_finite, 1);
        }
}

TEST_F(LuBatchedCuda, PerturbsSmallPivots) {
    for (const index_t n : {8, 32, 50, 200}) {
        twin<double> a({n, n, storage_order::column_major, 0, 3});
        a.fill_random(1, 2.0 * static_cast<double>(n));
        for (index_t c = 0; c < 3; ++c)
            for (index_t j = 0; j < n; ++j) a.at(c, 0, j) = a.at(c, j, 0) = 0;
        a.upload();
        lu_options o = batched(pivoting::none);
        o.perturbation = 1e-8;
        const lu_result r = lu_factor(on_cuda{}, a.on_device(), lu_outputs{}, o);
        EXPECT_EQ(r.perturbed, 3);
        EXPECT_EQ(r.singular, 0);
        a.download();
        EXPECT_GT(a.at(2, 0, 0), 0);
    }
}

TEST_F(LuBatchedCuda, Lists) {
    std::vector<twin<float>> all, originals;
    std::vector<matrices> list;
    std::vector<index_t> starts, row_starts;
    index_t diagonals = 0, rows = 0;
    for (index_t i = 0; i < 60; ++i) {
        const index_t m = (i * 37) % 140, n = i % 3 == 0 ? (i * 23) % 90 : m;
        all.emplace_back(shape_of_test{m, n, both_orders[i % 2], i % 4, 1});
        all.back().fill_random(static_cast<std::uint64_t>(i));
        all.back().upload();
    }
    for (const twin<float>& t : all) {
        originals.emplace_back(shape_of_test{});
        originals.back().host = t.host;
        starts.push_back(diagonals);
        row_starts.push_back(rows);
        diagonals += t.shape().diagonal();
        rows += t.shape().rows;
        list.push_back(t.on_device());
    }
    const outputs_on_device out(diagonals, rows, std::ssize(all));
    const lu_result r = lu_factor(on_cuda{}, std::span<const matrices>(list), out.get(false), batched());
    EXPECT_EQ(r.run.variant, "cuda/batched");
    const auto pivots = on_host(out.pivots);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].download();
        const const_matrices a(originals[i].host.data(), all[i].shape());
        EXPECT_LT(lu_residual_ratio(on_reference{}, a, all[i].on_host(), pivots.data() + starts[i]), 30) << i;
        EXPECT_EQ(all[i].changed_padding(), 0);
    }
}

TEST_F(LuBatchedCuda, TheSameBitsTwice) {
    for (const index_t n : {30, 64, 130, 260}) {
        const shape_of_test s{n, n, storage_order::column_major, 0, 9};
        twin<float> a(s);
        a.fill_random(9);
        twin<float> first = a_copy(a, s), second = a_copy(a, s);
        const outputs_on_device out(a.shape()), again(a.shape());
        (void)lu_factor(on_cuda{}, first.on_device(), out.get(true), batched());
        (void)lu_factor(on_cuda{}, second.on_device(), again.get(true), batched());
        first.download();
        second.download();
        EXPECT_EQ(first.host, second.host);
        EXPECT_EQ(on_host(out.log), on_host(again.log));
    }
}

TEST_F(LuBatchedCuda, SolvesAndInverts) {
    for (const index_t n : {1, 2, 7, 31, 32, 33, 64, 100, 257, 520})
        for (const storage_order order : both_orders)
            for (const bool transposed : {false, true}) {
                SCOPED_TRACE(testing::Message() << n << " transposed " << transposed);
                const index_t right_sides = n % 2 == 0 ? 5 : 37;
                twin<double> a({n, n, order, 1, 3});
                a.fill_random(static_cast<std::uint64_t>(n), 4);
                twin<double> f = a_copy(a, {n, n, order, 1, 3});
                twin<double> x({n, right_sides, both_orders[n % 2], 2, 3});
                x.fill_random(5);
                const std::vector<double> b = x.host;
                x.upload();
                std::vector<std::int32_t> pivots(static_cast<std::size_t>(3 * n));
                const auto there = on_device(pivots);
                (void)lu_factor(on_cuda{}, f.on_device(), there.data(), batched());
                (void)lu_solve(on_cuda{}, f.on_device(), there.data(), x.on_device(),
                               {.variant = "cuda/batched", .transposed = transposed});
                x.download();
                EXPECT_EQ(x.changed_padding(), 0);
                twin<double> found = a_copy(x, {n, right_sides, both_orders[n % 2], 2, 3});
                x.host = b;
                for (index_t c = 0; c < 3; ++c)
                    for (index_t j = 0; j < right_sides; ++j)
                        for (index_t i = 0; i < n; ++i) {
                            double sum = 0, size = 0;
                            for (index_t k = 0; k < n; ++k) {
                                const double e = transposed ? a.at(c, k, i) : a.at(c, i, k);
                                sum += e * found.at(c, k, j);
                                size += std::fabs(e * found.at(c, k, j));
                            }
                            ASSERT_NEAR(sum, x.at(c, i, j), 1e-12 * static_cast<double>(n) * (size + 1));
                        }
                if (transposed) continue;
                (void)lu_inverse(on_cuda{}, f.on_device(), there.data(), {.variant = "cuda/batched"});
                f.download();
                EXPECT_EQ(f.changed_padding(), 0);
                for (index_t c = 0; c < 3; ++c)
                    for (index_t i = 0; i<n; i += n> 100 ? 13 : 1)
                        for (index_t j = 0; j < n; ++j) {
                            double sum = 0, size = 0;
                            for (index_t k = 0; k < n; ++k) {
                                sum += a.at(c, i, k) * f.at(c, k, j);
                                size += std::fabs(a.at(c, i, k) * f.at(c, k, j));
                            }
                            ASSERT_NEAR(sum, i == j, 1e-12 * static_cast<double>(n) * (size + 1));
                        }
            }
}

TEST_F(LuBatchedCuda, Refuses) {
    twin<float> a({1025, 4, storage_order::column_major});
    a.fill_random(1);
    a.upload();
    const outputs_on_device out(a.shape());
    EXPECT_THROW((void)lu_factor(on_cuda{}, a.on_device(), out.get(false), batched()), unsupported_variant);
    EXPECT_THROW((void)lu_factor(on_cuda{}, a.on_device(), out.get(false), batched(pivoting::tournament)),
                 unsupported_variant);
}

}  // namespace
}  // namespace wale
