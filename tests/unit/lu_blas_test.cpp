// Products of matrices on the host, and the loops beside them.
#include "cpu/blas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/factor/cpu/recursive/exchange.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

using cpu::blas::extents;
using cpu::blas::subtract_product;

template <class T>
struct stored {
    std::vector<T> memory;
    block<T> at;

    stored(index_t rows, index_t columns, storage_order order, unsigned seed) {
        const bool by_rows = order == storage_order::row_major;
        const index_t leading = (by_rows ? columns : rows) + 3;
        memory.resize(static_cast<std::size_t>(leading * (by_rows ? rows : columns) + 64));
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> value(-1, 1);
        for (T& x : memory)
            if constexpr (is_complex_type<T>)
                x = {static_cast<real_of<T>>(value(random)), static_cast<real_of<T>>(value(random))};
            else
                x = static_cast<T>(value(random));
        at = {memory.data(), leading, order};
    }
};

template <class T>
class Blas : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Blas, scalars);

TYPED_TEST(Blas, SubtractsProductsInAnyOrder) {
    using T = TypeParam;
    constexpr storage_order orders[] = {storage_order::row_major, storage_order::column_major};
    for (const extents& e : {extents{7, 5, 3},
                             {1, 9, 4},
                             {9, 1, 4},
                             {1, 1, 6},
                             {33, 40, 17},
                             {150, 70, 300},
                             {97, 3, 65},
                             {4, 4, 0},
                             {0, 3, 2}})
        for (const auto oa : orders)
            for (const auto ob : orders)
                for (const auto oc : orders) {
                    const stored<T> a(e.rows, e.inner, oa, 1), b(e.inner, e.columns, ob, 2);
                    stored<T> c(e.rows, e.columns, oc, 3);
                    const stored<T> before = c;
                    subtract_product<T>(c.at, a.at, b.at, e);
                    const block<const T> old{before.memory.data(), c.at.leading, oc};
                    for (index_t i = 0; i < e.rows; ++i)
                        for (index_t j = 0; j < e.columns; ++j) {
                            double sum = static_cast<double>(old(i, j));
                            for (index_t k = 0; k < e.inner; ++k)
                                sum -= static_cast<double>(a.at(i, k)) * static_cast<double>(b.at(k, j));
                            const double scale = static_cast<double>(e.inner + 1) *
                                                 static_cast<double>(std::numeric_limits<T>::epsilon());
                            EXPECT_NEAR(static_cast<double>(c.at(i, j)), sum, scale);
                        }
                }
}

/// The product at once, its rows in two parts, and of packed factors: near the sum, of more than one column
/// the same bits.
TYPED_TEST(Blas, SubtractsComplexProductsInAnyOrder) {
    using R = TypeParam;
    using T = std::complex<R>;
    constexpr storage_order orders[] = {storage_order::row_major, storage_order::column_major};
    for (const extents& e :
         {extents{1, 1, 1}, {5, 1, 1500}, {300, 1, 40}, {1, 6, 9}, {13, 7, 300}, {250, 40, 130}})
        for (int kind = 0; kind < 8; ++kind) {
            const auto oc = orders[kind % 2];
            const stored<T> a(e.rows, e.inner, orders[kind / 2 % 2], 1);
            const stored<T> b(e.inner, e.columns, orders[kind / 4], 2);
            stored<T> c(e.rows, e.columns, oc, 3);
            const auto old = c.memory;
            const block<const T> before{old.data(), c.at.leading, oc};
            subtract_product<T>(c.at, a.at, b.at, e);
            const double scale =
                4 * static_cast<double>(e.inner + 1) * static_cast<double>(std::numeric_limits<R>::epsilon());
            for (index_t i = 0; i < e.rows; ++i)
                for (index_t j = 0; j < e.columns; ++j) {
                    std::complex<double> sum = before(i, j);
                    for (index_t k = 0; k < e.inner; ++k)
                        sum -= std::complex<double>(a.at(i, k)) * std::complex<double>(b.at(k, j));
                    EXPECT_LE(std::abs(std::complex<double>(c.at(i, j)) - sum), scale);
                }
            auto cut = old, whole = old;
            const index_t half = e.rows / 2;
            const block<T> parts{cut.data(), c.at.leading, oc}, packs{whole.data(), c.at.leading, oc};
            subtract_product<T>(parts, a.at, b.at, {half, e.columns, e.inner});
            subtract_product<T>(parts.from(half, 0), a.at.from(half, 0), b.at,
                                {e.rows - half, e.columns, e.inner});
            EXPECT_EQ(cut, c.memory);
            cpu::blas::packed<T> left, right;
            left.shape(oc, true, e.rows, e.inner);
            left.fill(a.at, 0, e.rows);
            right.shape(oc, false, e.columns, e.inner);
            right.fill(b.at, 0, e.columns);
            subtract_product<T>(packs, left, 0, right, e);
            if (e.columns > 1) {
                EXPECT_EQ(whole, c.memory);
            }
        }
}

TYPED_TEST(Blas, SolvesTriangles) {
    using T = TypeParam;
    for (const index_t n : {1, 2, 15, 16, 17, 40, 100})
        for (const index_t columns : {1, 7, 8, 9, 33})
            for (int kind = 0; kind < 8; ++kind) {
                const bool lower = kind & 1, unit = kind & 2;
                stored<T> t(n, n, kind & 4 ? storage_order::row_major : storage_order::column_major, 4);
                for (index_t i = 0; i < n; ++i) {
                    for (index_t j = 0; j < n; ++j) t.at(i, j) /= static_cast<T>(n);
                    t.at(i, i) = 2;
                }
                std::vector<T> memory(static_cast<std::size_t>(n * padded<T>(columns)));
                const block<T> x{memory.data(), padded<T>(columns), storage_order::row_major};
                const auto right = [&](index_t i, index_t j) { return static_cast<double>(i % 5 - j % 3); };
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < columns; ++j) x(i, j) = static_cast<T>(right(i, j));
                solve_triangle(triangle<T>{t.at, n, lower, unit}, x, columns);
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < columns; ++j) {
                        double sum = unit ? static_cast<double>(x(i, j)) : 0;
                        for (index_t k = 0; k < n; ++k)
                            if ((lower ? k < i : k > i) || (k == i && !unit))
                                sum += static_cast<double>(t.at(i, k)) * static_cast<double>(x(k, j));
                        EXPECT_NEAR(sum, right(i, j),
                                    200 * static_cast<double>(std::numeric_limits<T>::epsilon()));
                    }
            }
}

TYPED_TEST(Blas, FindsTheLowestOfTheLargest) {
    using T = TypeParam;
    constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    for (const index_t n : {1, 2, 7, 8, 9, 16, 17, 33, 100})
        for (index_t at = 0; at < n; ++at) {
            std::vector<T> column(static_cast<std::size_t>(padded<T>(n)));
            for (index_t i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = T(i % 2 ? -1 : 1);
            const tall_columns<T> c{column.data(), padded<T>(n), n, 1};
            EXPECT_EQ(row_of_largest(c, 0), 0);
            column[static_cast<std::size_t>(at)] = -2;
            EXPECT_EQ(row_of_largest(c, 0), at);
            if (at + 9 < n) {
                column[static_cast<std::size_t>(at + 9)] = 2;
                EXPECT_EQ(row_of_largest(c, 0), at);
                EXPECT_EQ(row_of_largest(c, at + 1), at + 9);
            }
            column[static_cast<std::size_t>(at)] = nan;  // never larger, never outdone where it is first
            EXPECT_EQ(row_of_largest(c, at), at);
            if (at > 0) {
                EXPECT_EQ(row_of_largest(c, 0), at + 9 < n ? at + 9 : 0);
            }
            column[static_cast<std::size_t>(at)] = -inf;
            EXPECT_EQ(row_of_largest(c, 0), at);
        }
}

TEST(RowExchange, DoesWhatTheExchangesDoOneByOne) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const index_t width = 1 + trial % 9, rows = width + trial % 13, columns = 1 + trial % 20;
        std::vector<std::int32_t> pivots;
        for (index_t k = 0; k < width; ++k)
            pivots.push_back(static_cast<std::int32_t>(
                k + static_cast<index_t>(random() % static_cast<unsigned>(rows - k))));
        for (const auto order : {storage_order::row_major, storage_order::column_major}) {
            stored<double> strip(rows, columns, order, 5);
            stored<double> plain = strip, top(width, columns, storage_order::row_major, 6);
            plain.at.data = plain.memory.data();
            for (index_t k = 0; k < width; ++k)
                for (index_t j = 0; j < columns; ++j)
                    std::swap(plain.at(k, j), plain.at(pivots[static_cast<std::size_t>(k)], j));
            take_top(row_exchange(pivots, rows), strip.at, top.at, columns);
            for (index_t j = 0; j < columns; ++j) {
                for (index_t i = 0; i < width; ++i) EXPECT_EQ(top.at(i, j), plain.at(i, j));
                for (index_t i = width; i < rows; ++i) EXPECT_EQ(strip.at(i, j), plain.at(i, j));
            }
        }
    }
}

/// The bits of an element do not depend on the cut of C, on the orders in memory, or on packing.
TYPED_TEST(Blas, GivesTheSameBitsHoweverTheProductIsCut) {
    using T = TypeParam;
    constexpr storage_order orders[] = {storage_order::row_major, storage_order::column_major};
    const extents e{293, 131, 601};  // more than one part of each extent
    const stored<T> a(e.rows, e.inner, storage_order::column_major, 1), b(e.inner, e.columns, orders[0], 2);
    const stored<T> before(e.rows, e.columns, storage_order::column_major, 3);
    stored<T> truth = before;
    truth.at.data = truth.memory.data();
    subtract_product<T>(truth.at, a.at, b.at, e);
    for (const auto order : orders) {
        stored<T> c(e.rows, e.columns, order, 4);
        const auto reset = [&] { copy_block<T>(before.at, c.at, e.rows, e.columns); };
        const auto same = [&] {
            for (index_t i = 0; i < e.rows; ++i)
                for (index_t j = 0; j < e.columns; ++j)
                    if (c.at(i, j) != truth.at(i, j)) return testing::AssertionFailure() << i << ", " << j;
            return testing::AssertionSuccess();
        };
        for (const auto& [rows, columns] :
             {std::pair<index_t, index_t>{293, 131}, {100, 40}, {7, 5}, {293, 2}}) {
            reset();
            for (index_t i = 0; i < e.rows; i += rows)
                for (index_t j = 0; j < e.columns; j += columns)
                    subtract_product<T>(
                        c.at.from(i, j), a.at.from(i, 0), b.at.from(0, j),
                        {std::min(rows, e.rows - i), std::min(columns, e.columns - j), e.inner});
            EXPECT_TRUE(same()) << rows << " x " << columns;
        }
        reset();
        cpu::blas::packed<T> left, right;
        left.shape(order, true, e.rows, e.inner);
        right.shape(order, false, e.columns, e.inner);
        right.fill(b.at, 0, e.columns);
        for (index_t i = 0; i < e.rows; i += left.step) {
            const index_t rows = std::min(left.step, e.rows - i);
            left.fill(a.at, i, rows);
            subtract_product<T>(c.at.from(i, 0), left, i, right, {rows, e.columns, e.inner});
        }
        EXPECT_TRUE(same()) << "packed";
    }
}

}  // namespace
}  // namespace wale::lu
