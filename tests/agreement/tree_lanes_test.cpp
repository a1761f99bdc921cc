// tree_lanes_test - cpu/lanes: a system's bits depend on nothing but the system: not on its neighbours, its
// layout, the group's width or a neighbour's bad pivot; and pivots whose reciprocal is no normal number.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>
#include <wale/wale.hpp>

namespace wale {
namespace {

template <class T>
struct systems {
    index_t size, count;
    std::vector<T> lower, diagonal, upper, rhs;

    systems(index_t n, index_t systems_of, unsigned seed) : size(n), count(systems_of) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<T> u(-1, 1);
        for (std::vector<T>* v : {&lower, &diagonal, &upper, &rhs})
            for (index_t i = 0; i < n * count; ++i) v->push_back(u(random));
    }
    [[nodiscard]] vector_shape flat() const {
        return vector_shape::flat(sizeof(T) == 4 ? scalar::f32 : scalar::f64, size, count);
    }
    /// Solutions, flat, by cpu/lanes through `shape`; all four arrays are woven where it is unified.
    [[nodiscard]] std::vector<T> solve(const vector_shape& shape, const tridiagonal_options& o) const {
        const bool woven = shape.layout == vector_layout::unified;
        const auto room = static_cast<std::size_t>(shape.span_elements() + 8);
        std::vector<T> places[4];
        for (int k = 0; k < (woven ? 1 : 4); ++k) places[k].assign(room, T(0));
        T* at[4];
        for (int k = 0; k < 4; ++k) at[k] = woven ? places[0].data() + k : places[k].data();
        const std::vector<T>* from[] = {&lower, &diagonal, &upper, &rhs};
        for (int k = 0; k < 4; ++k)
            for (index_t s = 0; s < count; ++s)
                for (index_t i = 0; i < size; ++i)
                    at[k][shape.at(s, i)] = (*from[k])[static_cast<std::size_t>(s * size + i)];
        (void)tridiagonal_solve(on_cpu{1}, {at[0], shape}, {at[1], shape}, {at[2], shape},
                                vectors(at[3], shape), o);
        std::vector<T> x;
        for (index_t s = 0; s < count; ++s)
            for (index_t i = 0; i < size; ++i) x.push_back(at[3][shape.at(s, i)]);
        return x;
    }
    [[nodiscard]] systems one(index_t s) const {
        systems alone(size, 0, 1);
        alone.count = 1;
        const auto take = [&](const std::vector<T>& v) {
            return std::vector<T>(v.begin() + s * size, v.begin() + (s + 1) * size);
        };
        alone.lower = take(lower);
        alone.diagonal = take(diagonal);
        alone.upper = take(upper);
        alone.rhs = take(rhs);
        return alone;
    }
};

tridiagonal_options lanes(bool pivoted, bool periodic) {
    tridiagonal_options o;
    o.variant = "cpu/lanes";
    o.pivoting = pivoted ? pivoting::partial : pivoting::none;
    o.periodic = periodic;
    return o;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
class TreeLanes : public testing::Test {};
using types = testing::Types<float, double>;
TYPED_TEST_SUITE(TreeLanes, types);

TYPED_TEST(TreeLanes, BitsAreTheSystemsOwn) {
    using T = TypeParam;
    const scalar type = sizeof(T) == 4 ? scalar::f32 : scalar::f64;
    unsigned seed = 0;
    for (const index_t n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 40, 129})
        for (const bool pivoted : {false, true})
            for (const bool periodic : {false, true}) {
                const systems<T> all(n, 83, ++seed);
                const tridiagonal_options o = lanes(pivoted, periodic);
                const std::vector<T> x = all.solve(all.flat(), o);
                EXPECT_TRUE(same(x, all.solve(vector_shape::interleaved(type, n, 83), o))) << n;
                EXPECT_TRUE(same(x, all.solve(vector_shape::block_interleaved(type, n, 83, 16), o))) << n;
                EXPECT_TRUE(same(x, all.solve(vector_shape::block_interleaved(type, n, 83, 5), o))) << n;
                EXPECT_TRUE(same(x, all.solve(vector_shape::unified(type, n, 83), o))) << n;
                for (const index_t s : {0, 40, 82}) {
                    const std::vector<T> alone(x.begin() + s * n, x.begin() + (s + 1) * n);
                    EXPECT_TRUE(same(alone, all.one(s).solve(all.one(s).flat(), o))) << n << " " << s;
                }
            }
}

TYPED_TEST(TreeLanes, ABadNeighbourChangesNothing) {
    using T = TypeParam;
    const systems<T> good(50, 20, 3);
    systems<T> spoilt = good;
    for (index_t i = 0; i < 50; ++i) spoilt.diagonal[static_cast<std::size_t>(5 * 50 + i)] = T(0);
    spoilt.diagonal[9 * 50 + 20] = std::numeric_limits<T>::quiet_NaN();
    std::vector<std::int64_t> status(20, -7);
    tridiagonal_options o = lanes(false, false);
    const std::vector<T> before = good.solve(good.flat(), o);
    o.status = status.data();
    const std::vector<T> after = spoilt.solve(spoilt.flat(), o);
    for (std::size_t s = 0; s < 20; ++s) {
        if (s == 5 || s == 9) {
            EXPECT_EQ(status[s], s == 5 ? 0 : 20);
            continue;
        }
        EXPECT_EQ(status[s], -1);
        EXPECT_EQ(std::memcmp(before.data() + s * 50, after.data() + s * 50, 50 * sizeof(T)), 0) << s;
    }
}

/// Of a pivot below the normal numbers 1 / pivot is infinite: division it must be.
TYPED_TEST(TreeLanes, PivotsWithoutReciprocal) {
    using T = TypeParam;
    for (const T scale : {std::numeric_limits<T>::min() / 256, std::numeric_limits<T>::max() / 4})
        for (const bool pivoted : {false, true}) {
            systems<T> tiny(30, 20, 4);
            for (index_t i = 0; i < 30; ++i) {  // system 7: scale (0.5, 2, 0.5)
                const auto k = static_cast<std::size_t>(7 * 30 + i);
                tiny.lower[k] = tiny.upper[k] = scale / 2;
                tiny.diagonal[k] = scale * 2;
                tiny.rhs[k] = (i == 0 || i == 29 ? T(2.5) : T(3)) * scale;
            }
            const std::vector<T> x = tiny.solve(tiny.flat(), lanes(pivoted, false));
            for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(x[7 * 30 + i], 1, scale < 1 ? 0.01 : 1e-5) << i;
        }
}

}  // namespace
}  // namespace wale
