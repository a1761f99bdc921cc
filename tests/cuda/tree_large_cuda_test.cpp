// tree_large_cuda - cuda/spike and cuda/recursive_partition where tests of every row do not go: sizes at the
// edges of tiles, groups and blocks, the limits of the chip, one resident block, hard pivots at length, bits
// that repeat. Skipped without a device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/tridiagonal.hpp>

#include "agreement/stored_vectors.hpp"

namespace wale {
namespace {

using agreement::random_values;

constexpr double good = 30;  // roundings of the backward error

enum class matrix_kind { dominant, random, zero_diagonal, both_ways };

template <class T>
class long_chain {
public:
    long_chain(index_t n, matrix_kind kind)
        : shape_(vector_shape::flat(scalar_of<T>::value, n)),
          lower_(made(n, 1, kind)),
          diagonal_(made(n, 2, kind)),
          upper_(made(n, 3, kind)),
          right_(made(n, 4, matrix_kind::random)),
          solution_(n, memory_space::device) {}

    tridiagonal_result solve(const std::string& variant, const tridiagonal_options& base) {
        tridiagonal_options o = base;
        o.variant = variant;
        return tridiagonal_solve(on_cuda{}, {lower_.data(), shape_}, {diagonal_.data(), shape_},
                                 {upper_.data(), shape_}, {right_.data(), shape_},
                                 vectors{solution_.data(), shape_}, o);
    }
    [[nodiscard]] double roundings(const tridiagonal_options& o) const {
        return tridiagonal_residual(on_cuda{}, {lower_.data(), shape_}, {diagonal_.data(), shape_},
                                    {upper_.data(), shape_}, {right_.data(), shape_},
                                    {solution_.data(), shape_}, o) /
               static_cast<double>(std::numeric_limits<T>::epsilon());
    }
    [[nodiscard]] std::vector<T> solution() const {
        std::vector<T> x(static_cast<std::size_t>(solution_.size()));
        copy_bytes(on_cuda{}, x.data(), solution_.data(), solution_.size() * index_t{sizeof(T)});
        return x;
    }

private:
    /// part: 1 lower, 2 diagonal, 3 upper, 4 right side.
    static buffer<T> made(index_t n, unsigned part, matrix_kind kind) {
        std::vector<T> host;
        for (const double v : random_values(n, part)) {
            double x = v;
            if (kind == matrix_kind::dominant && part == 2) x += x < 0 ? -2.1 : 2.1;
            if (kind == matrix_kind::zero_diagonal) x = part == 2 ? 0 : x < 0 ? -1 : 1;
            if (kind == matrix_kind::both_ways) x = part == 1 ? -1 : part == 2 ? 0.2 : 1;
            host.push_back(static_cast<T>(x));
        }
        return to_device(on_cuda{}, std::span<const T>(host));
    }
    vector_shape shape_;
    buffer<T> lower_, diagonal_, upper_, right_, solution_;
};

class TreeLargeCuda : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    template <class T>
    void expect_solved(index_t n, matrix_kind kind, const tridiagonal_options& o) {
        long_chain<T> c(n, kind);
        try {
            const tridiagonal_result r = c.solve(GetParam(), o);
            EXPECT_EQ(r.first_bad_system, -1) << n;
        } catch (const unsupported_variant&) {
            return;  // more than the chip holds
        }
        EXPECT_LT(c.roundings(o), good) << GetParam() << " n " << n << " kind " << static_cast<int>(kind);
        const std::vector<T> once = c.solution();
        (void)c.solve(GetParam(), o);
        EXPECT_TRUE(once == c.solution()) << "other bits the second time, n " << n;
    }
};

TEST_P(TreeLargeCuda, Edges) {
    for (const index_t n : {511, 512, 513, 1023, 1025, 32767, 32769, 131071, 131072, 131073, 262145, 1048576})
        for (const int choice : {0, 1, 2, 3}) {
            tridiagonal_options o;
            o.periodic = choice & 1;
            o.transposed = choice & 2;
            o.pivoting = pivoting::none;
            expect_solved<double>(n, matrix_kind::dominant, o);
            expect_solved<float>(n, matrix_kind::dominant, o);
            o.pivoting = pivoting::partial;
            expect_solved<double>(n, matrix_kind::random, o);
        }
}

/// Solutions of `both_ways` grow in one direction and decay in the other: without the scale of rows the
/// elimination of a run overflows.
TEST_P(TreeLargeCuda, PivotsAtLength) {
    for (const index_t n : {1000, 20000, 300000, 3000000}) {
        expect_solved<double>(n, matrix_kind::zero_diagonal, {});
        expect_solved<double>(n, matrix_kind::both_ways, {});
        expect_solved<float>(n, matrix_kind::both_ways, {});
    }
}

TEST_P(TreeLargeCuda, NotANumberEndsAndIsNamed) {
    std::vector<double> lower(100000, 1), diagonal(100000, 4), x(100000, 1);
    diagonal[77777] = std::nan("");
    const auto shape = vector_shape::flat(scalar::f64, 100000);
    const auto l = to_device(on_cuda{}, std::span<const double>(lower));
    const auto d = to_device(on_cuda{}, std::span<const double>(diagonal));
    for (const pivoting p : {pivoting::none, pivoting::partial}) {
        const auto b = to_device(on_cuda{}, std::span<const double>(x));
        tridiagonal_options o;
        o.variant = GetParam();
        o.pivoting = p;
        const auto r = tridiagonal_solve(on_cuda{}, {l.data(), shape}, {d.data(), shape}, {l.data(), shape},
                                         vectors{b.data(), shape}, o);
        EXPECT_EQ(r.first_bad_system, 0);
        EXPECT_EQ(r.first_bad_row, 77777);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeLargeCuda, testing::Values("cuda/spike", "cuda/recursive_partition"),
                         [](const auto& i) { return std::string(i.param).substr(5); });

TEST(TreeSpikeCuda, OneResidentBlock) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    ASSERT_EQ(setenv("WALE_TUNING", "tree/chains/spike_blocks=1", 1), 0);
    long_chain<double> fits(1000, matrix_kind::dominant), too_long(100000, matrix_kind::dominant);
    (void)fits.solve("cuda/spike", {});
    EXPECT_LT(fits.roundings({}), good);
    EXPECT_THROW((void)too_long.solve("cuda/spike", {}), unsupported_variant);
    unsetenv("WALE_TUNING");
}

}  // namespace
}  // namespace wale
