// lu_recursive_test - what cpu/recursive alone has: tournament pivoting, and threads that take whole
// matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <wale/lu.hpp>

namespace wale {
namespace {

constexpr storage_order orders[] = {storage_order::row_major, storage_order::column_major};

/// A matrix in memory of its own, with a few elements between its lines.
template <class T>
struct stored {
    std::vector<T> memory;
    matrix_shape shape;

    stored(index_t rows, index_t columns, storage_order order, index_t count = 1) {
        shape.type = scalar_of<T>::value;
        shape.order = order;
        shape.rows = rows;
        shape.columns = columns;
        shape.leading = shape.line_size() + 5;
        shape.count = count;
        shape.stride = shape.leading * shape.lines();
        memory.assign(static_cast<std::size_t>(shape.stride * count), T(-7));
    }
    [[nodiscard]] matrices all() { return {memory.data(), shape}; }
    [[nodiscard]] const_matrices all() const { return {memory.data(), shape}; }
    T& operator()(index_t i, index_t j) {
        return memory[static_cast<std::size_t>(i * shape.row_step() + j * shape.column_step())];
    }
    /// f(i, j) everywhere.
    template <class F>
    stored& fill(F&& f) {
        for (index_t i = 0; i < shape.rows; ++i)
            for (index_t j = 0; j < shape.columns; ++j) (*this)(i, j) = static_cast<T>(f(i, j));
        return *this;
    }
    stored& fill_random(unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> value(-1, 1);
        return fill([&](index_t, index_t) { return value(random); });
    }
    [[nodiscard]] bool same_bits(const stored& other) const {
        return std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(T)) == 0;
    }
};

template <class T>
struct factored {
    stored<T> a;
    std::vector<std::int32_t> pivots;
    lu_result result;

    factored(const stored<T>& original, const execution& where, const lu_options& options)
        : a(original),
          pivots(static_cast<std::size_t>(original.shape.diagonal() * original.shape.count)),
          result(lu_factor(where, a.all(), pivots.data(), options)) {}
};

template <class T>
double ratio(const stored<T>& a, const factored<T>& f) {
    return lu_residual_ratio(on_cpu{2}, a.all(), f.a.all(), f.pivots.data());
}

lu_options recursive(pivoting p = pivoting::partial) {
    lu_options o;
    o.variant = "cpu/recursive";
    o.pivoting = p;
    return o;
}

template <class T>
class Recursive : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Recursive, scalars);

struct shape {
    index_t rows, columns;
};

TYPED_TEST(Recursive, FactorsManyAsItFactorsOne) {
    stored<TypeParam> all(310, 310, storage_order::column_major, 5);
    std::mt19937 random(8);
    std::uniform_real_distribution<double> value(-1, 1);
    for (TypeParam& x : all.memory) x = static_cast<TypeParam>(value(random));
    const factored<TypeParam> many(all, on_cpu{3}, recursive());
    for (index_t i = 0; i < 5; ++i) {
        stored<TypeParam> one(310, 310, storage_order::column_major);
        const auto begin = all.memory.begin() + i * all.shape.stride;
        std::copy_n(begin, all.shape.stride, one.memory.begin());
        const factored<TypeParam> f(one, on_cpu{1}, recursive());
        EXPECT_TRUE(
            std::equal(f.a.memory.begin(), f.a.memory.end(), many.a.memory.begin() + i * all.shape.stride));
        EXPECT_TRUE(std::equal(f.pivots.begin(), f.pivots.end(), many.pivots.begin() + i * 310));
    }
}

TYPED_TEST(Recursive, TournamentGrowsLittleMore) {
    for (const auto& [m, n] : {shape{1200, 320}, {900, 900}}) {
        stored<TypeParam> a(m, n, storage_order::column_major);
        a.fill_random(11);
        lu_options partial = recursive(), tournament = recursive(pivoting::tournament);
        partial.growth = tournament.growth = true;
        const factored<TypeParam> f(a, on_cpu{2}, partial), g(a, on_cpu{2}, tournament);
        EXPECT_NE(f.pivots, g.pivots);  // it did play
        EXPECT_LT(ratio(a, g), 30);
        EXPECT_LT(g.result.growth, 4 * f.result.growth);
    }
}

/// What is left of a matrix of low rank is rounding, or noise that is little more: a tournament between
/// blocks of it chooses pivots that other elements exceed by any factor. Multipliers of 10 are the most that
/// a panel may have.
TYPED_TEST(Recursive, TournamentMultipliersAreBounded) {
    using T = TypeParam;
    const double noises[] = {0, 4 * static_cast<double>(std::numeric_limits<T>::epsilon()), 1e-4};
    unsigned turn = 0;
    for (const auto& [m, n] : {shape{130, 130}, {520, 64}, {600, 600}, {1100, 70}, {2600, 40}})
        for (const index_t rank : {1, 2, 9, 30})
            for (const double noise : noises) {
                const storage_order order = orders[++turn % 2];
                stored<double> left(m, rank, order), right(rank, n, order), other(m, n, order);
                left.fill_random(turn);
                right.fill_random(turn + 100);
                other.fill_random(turn + 200);
                if (turn % 3 != 0)  // small whole numbers, of which many rows are equal
                    for (stored<double>* part : {&left, &right})
                        for (double& v : part->memory) v = std::round(3 * v);
                stored<T> a(m, n, order);
                a.fill([&](index_t i, index_t j) {
                    double sum = noise * other(i, j);
                    for (index_t k = 0; k < rank; ++k) sum += left(i, k) * right(k, j);
                    return sum;
                });
                std::optional<factored<T>> first;
                for (const int threads : {1, 3}) {
                    factored<T> f(a, on_cpu{threads}, recursive(pivoting::tournament));
                    const std::string what = std::to_string(m) + " x " + std::to_string(n) + " of rank " +
                                             std::to_string(rank) + " and noise " + std::to_string(noise) +
                                             ", " + std::to_string(threads) + " threads";
                    EXPECT_LT(ratio(a, f), 30) << what;
                    double most = 0;
                    for (index_t j = 0; j < n; ++j)
                        for (index_t i = j + 1; i < m; ++i)
                            most = std::max(most, static_cast<double>(std::fabs(f.a(i, j))));
                    EXPECT_LE(most, 10 * (1 + 4 * static_cast<double>(std::numeric_limits<T>::epsilon())))
                        << what;
                    if (first) {
                        EXPECT_TRUE(first->a.same_bits(f.a)) << what;
                    } else {
                        first.emplace(std::move(f));
                    }
                }
            }
}

}  // namespace
}  // namespace wale
