// lu_resident_cuda - cuda/resident against the reference: sizes around a block of columns, m != n, layouts,
// singular and not finite input, ties, one resident block. Skipped without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/lu.hpp>

namespace wale {
namespace {

struct layout_case {
    index_t rows, columns;
    storage_order order = storage_order::column_major;
    index_t gap = 0;  // leading dimension beyond the line
    wale::pivoting pivoting = pivoting::partial;
};

matrix_shape shape_of(const layout_case& c, scalar type) {
    matrix_shape s;
    s.type = type;
    s.order = c.order;
    s.rows = c.rows;
    s.columns = c.columns;
    s.leading = std::max<index_t>(1, s.line_size() + c.gap);
    s.stride = s.leading * s.lines();
    return s;
}

/// The diagonal dominates where nothing is exchanged.
template <class T>
std::vector<T> random_elements(const layout_case& c, unsigned seed = 1) {
    const matrix_shape s = shape_of(c, scalar_of<T>::value);
    std::mt19937 random(seed);
    std::uniform_real_distribution<T> any(-1, 1);
    std::vector<T> a(static_cast<std::size_t>(s.stride));
    for (T& x : a) x = any(random);
    if (c.pivoting == pivoting::none)
        for (index_t i = 0; i < s.diagonal(); ++i)
            a[static_cast<std::size_t>(i * s.row_step() + i * s.column_step())] += static_cast<T>(s.rows);
    return a;
}

template <class T>
struct answer {
    std::vector<T> factors;
    std::vector<std::int32_t> pivots, permutation, first_zero;
    std::vector<double> sign, log_magnitude;
    lu_result result;
};

template <class T>
std::vector<T> on_host(const execution& where, const buffer<T>& from) {
    std::vector<T> to(static_cast<std::size_t>(from.size()));
    copy_bytes(where, to.data(), from.data(), from.size() * index_t{sizeof(T)});
    return to;
}

template <class T>
answer<T> factored(const execution& where, const char* variant, const layout_case& c,
                   const std::vector<T>& a) {
    const auto space = backend_of(where) == backend::cuda ? memory_space::device : memory_space::host;
    const matrix_shape s = shape_of(c, scalar_of<T>::value);
    const auto elements = to_device(where, std::span<const T>(a));
    const buffer<std::int32_t> pivots(s.diagonal(), space), permutation(c.rows, space), zero(1, space);
    const buffer<double> sign(1, space), log_magnitude(1, space);
    lu_outputs out{.pivots = pivots.data(), .permutation = permutation.data(), .first_zero = zero.data()};
    if (c.rows == c.columns) {
        out.sign = sign.data();
        out.log_magnitude = log_magnitude.data();
    }
    lu_options options;
    options.variant = variant;
    options.pivoting = c.pivoting;
    answer<T> r;
    r.result = lu_factor(where, matrices(elements.data(), s), out, options);
    r.factors = on_host(where, elements);
    r.pivots = on_host(where, pivots);
    r.permutation = on_host(where, permutation);
    r.first_zero = on_host(where, zero);
    if (c.rows == c.columns) {
        r.sign = on_host(where, sign);
        r.log_magnitude = on_host(where, log_magnitude);
    }
    return r;
}

template <class T>
double ratio(const layout_case& c, const std::vector<T>& a, const answer<T>& r) {
    const matrix_shape s = shape_of(c, scalar_of<T>::value);
    return lu_residual_ratio(on_cpu{}, const_matrices(a.data(), s), const_matrices(r.factors.data(), s),
                             r.pivots.data());
}

class LuResidentCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    template <class T>
    void agrees(const layout_case& c) {
        SCOPED_TRACE(std::to_string(c.rows) + " x " + std::to_string(c.columns) + " " +
                     name_of(scalar_of<T>::value) +
                     (c.order == storage_order::row_major ? " row-major" : "") +
                     (c.pivoting == pivoting::none ? " unpivoted" : ""));
        const std::vector<T> a = random_elements<T>(c);
        const answer<T> got = factored(on_cuda{}, "cuda/resident", c, a);
        const answer<T> want = factored(on_reference{}, "automatic", c, a);
        EXPECT_LT(ratio(c, a, got), 30);
        EXPECT_EQ(got.pivots, want.pivots);
        EXPECT_EQ(got.permutation, want.permutation);
        EXPECT_EQ(got.first_zero, want.first_zero);
        EXPECT_EQ(got.sign, want.sign);
        EXPECT_EQ(got.result.permutation_sign, want.result.permutation_sign);
        if (c.rows == c.columns) {
            EXPECT_NEAR(got.log_magnitude[0], want.log_magnitude[0],
                        1e-3 * std::fabs(want.log_magnitude[0]) + 1e-3);
        }
        // What lies between the lines stays as it was.
        const matrix_shape s = shape_of(c, scalar_of<T>::value);
        for (index_t line = 0; line < s.lines(); ++line)
            for (index_t i = s.line_size(); i < s.leading; ++i) {
                const auto at = static_cast<std::size_t>(line * s.leading + i);
                ASSERT_EQ(got.factors[at], a[at]);
            }
    }
    template <class T>
    void agrees_in_all_layouts(index_t rows, index_t columns) {
        for (const auto p : {pivoting::none, pivoting::partial})
            for (const auto order : {storage_order::row_major, storage_order::column_major})
                agrees<T>({rows, columns, order, columns % 3, p});
    }
};

TEST_F(LuResidentCuda, SizesAroundABlockOfColumns) {
    for (const index_t n :
         {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 49, 63, 64, 65, 127, 129, 255, 257}) {
        agrees_in_all_layouts<float>(n, n);
        agrees_in_all_layouts<double>(n, n);
    }
}

TEST_F(LuResidentCuda, NotSquare) {
    const index_t shapes[][2] = {{1, 40},  {40, 1},  {24, 40},  {40, 24},  {100, 17}, {17, 100},
                                 {5, 700}, {300, 3}, {129, 96}, {96, 129}, {0, 4},    {4, 0}};
    for (const auto& [rows, columns] : shapes) {
        agrees_in_all_layouts<float>(rows, columns);
        agrees_in_all_layouts<double>(rows, columns);
    }
}

TEST_F(LuResidentCuda, Large) {
    agrees<float>({513, 500});
    agrees<double>({500, 513});
    agrees<float>({1024, 1024, storage_order::row_major, 0, pivoting::none});
    agrees<double>({600, 600, storage_order::row_major, 1, pivoting::none});
}

TEST_F(LuResidentCuda, OneResidentBlockIsEnough) {
    ASSERT_EQ(setenv("WALE_TUNING", "lu/factor/resident_blocks=1", 1), 0);
    for (const index_t n : {17, 40, 100}) {
        agrees_in_all_layouts<float>(n, n);
        agrees_in_all_layouts<double>(n, 2 * n);
    }
    ASSERT_EQ(setenv("WALE_TUNING", "lu/factor/resident_blocks=3", 1), 0);
    agrees_in_all_layouts<float>(200, 200);
    unsetenv("WALE_TUNING");
}

TEST_F(LuResidentCuda, SameBitsTwice) {
    for (const auto p : {pivoting::none, pivoting::partial}) {
        const layout_case c{300, 300, storage_order::column_major, 0, p};
        const std::vector<float> a = random_elements<float>(c);
        EXPECT_EQ(factored(on_cuda{}, "cuda/resident", c, a).factors,
                  factored(on_cuda{}, "cuda/resident", c, a).factors);
    }
}

TEST_F(LuResidentCuda, PowersOfTwoScaleTheFactorsBitForBit) {
    for (const auto p : {pivoting::none, pivoting::partial}) {
        const layout_case c{150, 150, storage_order::column_major, 0, p};
        const std::vector<float> a = random_elements<float>(c);
        std::vector<float> scaled = a;
        for (float& x : scaled) x = std::ldexp(x, 70);
        answer<float> got = factored(on_cuda{}, "cuda/resident", c, a);
        const answer<float> large = factored(on_cuda{}, "cuda/resident", c, scaled);
        for (std::size_t column = 0; column < 150; ++column)
            for (std::size_t row = 0; row <= column; ++row) {
                float& u = got.factors[column * 150 + row];
                u = std::ldexp(u, 70);
            }
        EXPECT_EQ(got.factors, large.factors);
        EXPECT_EQ(got.pivots, large.pivots);
    }
}

TEST_F(LuResidentCuda, EqualElementsTakeTheLowestRow) {
    const layout_case c{130, 130};
    std::vector<double> a = random_elements<double>(c);
    for (double& x : a) x = std::round(x);
    EXPECT_EQ(factored(on_cuda{}, "cuda/resident", c, a).pivots,
              factored(on_reference{}, "automatic", c, a).pivots);
}

TEST_F(LuResidentCuda, SingularAndTinyPivots) {
    for (const auto p : {pivoting::none, pivoting::partial}) {
        const layout_case c{70, 70, storage_order::column_major, 0, p};
        std::vector<float> a = random_elements<float>(c);
        for (std::size_t i = 0; i < 70; ++i) a[20 * 70 + i] = 0;
        const answer<float> got = factored(on_cuda{}, "cuda/resident", c, a);
        EXPECT_EQ(got.first_zero[0], 20);
        EXPECT_EQ(got.result.singular, 1);
        EXPECT_EQ(got.result.first_zero, 20);
        EXPECT_EQ(got.sign[0], 0);
        EXPECT_LT(ratio(c, a, got), 30);

        std::vector<float> tiny = random_elements<float>(c);
        for (std::size_t i = 0; i < 70; ++i) tiny[i] = std::ldexp(tiny[i], -140);  // subnormal
        const answer<float> small = factored(on_cuda{}, "cuda/resident", c, tiny);
        EXPECT_EQ(small.result.not_finite, 0);
        EXPECT_LT(ratio(c, tiny, small), 30);
    }
}

TEST_F(LuResidentCuda, NotFiniteInputEndsWithPivotsInRange) {
    std::uint32_t all_set = ~0u;  // the NaN that stands for "not there yet" between the blocks
    float not_there = 0;
    std::memcpy(&not_there, &all_set, sizeof not_there);
    for (const auto p : {pivoting::none, pivoting::partial})
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), not_there, std::numeric_limits<float>::infinity()}) {
            const layout_case c{100, 100, storage_order::column_major, 0, p};
            std::vector<float> a = random_elements<float>(c);
            a[33 * 100 + 50] = bad;
            a[0] = bad;
            const answer<float> got = factored(on_cuda{}, "cuda/resident", c, a);
            EXPECT_EQ(got.result.not_finite, 1);
            for (std::int32_t k = 0; k < 100; ++k) {
                const std::int32_t pivot = got.pivots[static_cast<std::size_t>(k)];
                EXPECT_TRUE(pivot >= k && pivot < 100) << k << " " << pivot;
            }
        }
}

TEST_F(LuResidentCuda, MovesSmallPivots) {
    layout_case c{90, 90, storage_order::column_major, 0, pivoting::none};
    std::vector<double> a = random_elements<double>(c);
    a[0] = 0;
    const auto elements = to_device(on_cuda{}, std::span<const double>(a));
    lu_options options{.variant = "cuda/resident", .pivoting = pivoting::none, .perturbation = 1e-6};
    const lu_result r =
        lu_factor(on_cuda{}, matrices(elements.data(), shape_of(c, scalar::f64)), nullptr, options);
    EXPECT_EQ(r.perturbed, 1);
    EXPECT_EQ(r.singular, 0);
}

TEST_F(LuResidentCuda, RefusesWhatItCannotKeep) {
    const layout_case c{5000, 2};
    EXPECT_THROW((void)factored(on_cuda{}, "cuda/resident", c, random_elements<float>(c)),
                 unsupported_variant);
}

}  // namespace
}  // namespace wale
