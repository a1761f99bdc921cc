// Ranks that share one matrix: factors under LAPACK's ratio, the bits of one rank, solutions of all kinds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <wale/shared_matrices.hpp>

#include "tuning/override.hpp"
#include "unit/thrown.hpp"

namespace wale {
namespace {

/// An entry of WALE_TUNING that the ranks, which are threads, take too: narrow blocks have many steps.
const char* const fine_blocks = "lu/shared_factor=2,lu/shared_factor/block_cyclic=1";
bool fine = false;
struct with_fine_blocks {
    with_fine_blocks() { fine = true; }
    ~with_fine_blocks() { fine = false; }
    with_fine_blocks(const with_fine_blocks&) = delete;
    with_fine_blocks& operator=(const with_fine_blocks&) = delete;
};
void together(int size, const std::function<void(const ranks&)>& work) {
    run_ranks(size, [&](const ranks& group) {
        std::optional<tuning::scoped_override> entry;
        if (fine) entry.emplace(fine_blocks);
        work(group);
    });
}

double number(index_t k) {
    const auto h = static_cast<std::uint32_t>(k) * 2654435761u ^ static_cast<std::uint32_t>(k >> 9) * 40503u;
    return static_cast<double>(h) * 0x1p-31 - 1;
}

template <class T>
T element(index_t k) {
    if constexpr (sizeof(T) == 2 * sizeof(decltype(std::abs(T()))))
        return {static_cast<decltype(std::abs(T()))>(number(2 * k)),
                static_cast<decltype(std::abs(T()))>(number(2 * k + 1))};
    else
        return static_cast<T>(number(k));
}

template <class T>
struct column_major {
    index_t rows, columns;
    std::vector<T> at;
    column_major(index_t m, index_t n) : rows(m), columns(n), at(static_cast<std::size_t>(m * n)) {}
    [[nodiscard]] T& operator()(index_t i, index_t j) { return at[static_cast<std::size_t>(i + j * rows)]; }
    [[nodiscard]] matrix_shape shape() const {
        return {.type = scalar_of<T>::value,
                .order = storage_order::column_major,
                .rows = rows,
                .columns = columns,
                .leading = rows,
                .stride = rows * columns};
    }
    [[nodiscard]] matrices view() { return {at.data(), shape()}; }
    bool operator==(const column_major& other) const {
        return at.size() == other.at.size() &&
               (at.empty() || std::memcmp(at.data(), other.at.data(), at.size() * sizeof(T)) == 0);
    }
};

template <class T>
column_major<T> random_matrix(index_t m, index_t n, index_t seed = 0, double heavy = 0) {
    column_major<T> a(m, n);
    for (index_t k = 0; k < m * n; ++k) a.at[static_cast<std::size_t>(k)] = element<T>(k + 7919 * seed);
    for (index_t k = 0; k < std::min(m, n); ++k) a(k, k) += static_cast<decltype(std::abs(T()))>(heavy);
    return a;
}

/// A rank's own columns, of either order, with foreign elements between its lines.
template <class T>
class own_columns {
public:
    own_columns(column_major<T>& whole, const ranks& group, storage_order order)
        : whole_(whole), shares_(lu_share(whole.shape(), group.rank(), group.size())) {
        shape_ = lu_part(whole.shape(), group.rank(), group.size());
        shape_.order = order;
        shape_.leading = shape_.line_size() + 3;
        shape_.stride = shape_.leading * shape_.lines();
        at_.assign(static_cast<std::size_t>(shape_.stride), foreign());
        each([](T& own, T& all) { own = all; });
    }
    [[nodiscard]] matrices view() { return {at_.data(), shape_}; }
    void put_back() {
        each([](T& own, T& all) { all = own; });
        for (index_t line = 0; line < shape_.lines(); ++line)
            for (index_t k = shape_.line_size(); k < shape_.leading; ++k)
                if (at_[static_cast<std::size_t>(line * shape_.leading + k)] != foreign())
                    ADD_FAILURE() << "wrote between lines";
    }

private:
    static T foreign() { return T(12345); }
    template <class F>
    void each(const F& f) {
        index_t at = 0;
        for (const column_range& r : shares_)
            for (index_t j = r.first; j < r.last; ++j, ++at)
                for (index_t i = 0; i < shape_.rows; ++i)
                    f(at_[static_cast<std::size_t>(i * shape_.row_step() + at * shape_.column_step())],
                      whole_(i, j));
        EXPECT_EQ(at, shape_.columns);
    }
    column_major<T>& whole_;
    std::vector<column_range> shares_;
    matrix_shape shape_;
    std::vector<T> at_;
};

template <class T>
struct answer {
    column_major<T> factors;
    std::vector<std::int32_t> pivots, permutation;
    std::int32_t first_zero = -2;
    double determinant[3]{};
    lu_result result;
};

template <class T>
answer<T> factored(const column_major<T>& a, int size, const lu_options& o, int threads = 1,
                   storage_order order = storage_order::column_major) {
    answer<T> all{a, {}, {}, -2, {}, {}};
    const index_t diagonal = std::min(a.rows, a.columns);
    all.pivots.resize(static_cast<std::size_t>(diagonal));
    all.permutation.resize(static_cast<std::size_t>(a.rows));
    std::mutex lock;
    together(size, [&](const ranks& group) {
        column_major<T>& factors = all.factors;
        own_columns<T> own(factors, group, order);
        std::vector<std::int32_t> pivots(all.pivots.size()), permutation(all.permutation.size());
        std::int32_t first_zero = -2;
        double determinant[3]{};
        const bool square = a.rows == a.columns;
        const lu_outputs out{.pivots = pivots.data(),
                             .permutation = permutation.data(),
                             .first_zero = &first_zero,
                             .sign = square ? determinant : nullptr,
                             .log_magnitude = square ? determinant + 2 : nullptr};
        const lu_result result = lu_factor(group, on_cpu{threads}, a.shape(), own.view(), out, o);
        own.put_back();
        const std::lock_guard guard(lock);
        if (group.rank() == 0) {
            all.pivots = pivots;
            all.permutation = permutation;
            all.first_zero = first_zero;
            std::memcpy(all.determinant, determinant, sizeof determinant);
            all.result = result;
        }
    });
    return all;
}

template <class T>
void good_and_same_bits(index_t m, index_t n, pivoting how) {
    const column_major<T> a =
        random_matrix<T>(m, n, 1, how == pivoting::none ? 2.0 * static_cast<double>(n) : 0);
    const lu_options o{.pivoting = how, .growth = true};
    answer<T> columns = factored(a, 1, o);
    answer<T>& one = columns;
    column_major<T> copy = a;
    const double ratio =
        lu_residual_ratio(on_cpu{1}, copy.view(), const_matrices(one.factors.view()), one.pivots.data());
    EXPECT_LT(ratio, 30) << m << " x " << n;
    // The row of one process takes products in the same order.
    column_major<T> plain = a;
    std::vector<std::int32_t> pivots(one.pivots.size()), permutation(one.permutation.size());
    double determinant[3]{};
    const lu_outputs out{.pivots = pivots.data(),
                         .permutation = permutation.data(),
                         .first_zero = nullptr,
                         .sign = m == n ? determinant : nullptr,
                         .log_magnitude = m == n ? determinant + 2 : nullptr};
    const lu_result result = lu_factor(on_cpu{1}, plain.view(), out,
                                       {.variant = "cpu/recursive", .pivoting = how, .growth = true});
    // Of complex numbers the order of the four products is that of the matrix in memory.
    constexpr bool real = std::is_floating_point_v<T>;
    const answer<T> rows = factored(a, 1, o, 1, storage_order::row_major);
    if (real) {
        EXPECT_TRUE(rows.factors == one.factors) << "other bits of rows";
    }
    if (real && how != pivoting::tournament) {
        EXPECT_EQ(pivots, one.pivots);
        EXPECT_EQ(permutation, one.permutation);
        EXPECT_TRUE(plain == one.factors) << m << " x " << n << ": other bits than cpu/recursive";
        EXPECT_EQ(std::memcmp(determinant, one.determinant, sizeof determinant), 0);
        EXPECT_EQ(result.growth, one.result.growth);
        EXPECT_EQ(result.permutation_sign, one.result.permutation_sign);
    }
    EXPECT_EQ(one.first_zero, -1);
    for (const int size : {2, 3, 4, 9})
        for (const storage_order order : {storage_order::column_major, storage_order::row_major}) {
            SCOPED_TRACE(testing::Message() << m << " x " << n << ", " << size << " ranks");
            const answer<T> all = factored(a, size, o, size == 3 ? 2 : 1, order);
            const answer<T>& expected = order == storage_order::row_major ? rows : columns;
            EXPECT_TRUE(all.factors == expected.factors) << "other bits";
            EXPECT_EQ(all.pivots, expected.pivots);
            EXPECT_EQ(all.permutation, expected.permutation);
            EXPECT_EQ(all.result.growth, expected.result.growth);
            EXPECT_EQ(std::memcmp(all.determinant, expected.determinant, sizeof expected.determinant), 0);
        }
}

TEST(SharedMatrix, GoodFactorsAndTheBitsOfOneRank) {
    const with_fine_blocks many_steps;
    for (const auto& [m, n] : {std::pair<index_t, index_t>{1, 1},
                               {7, 7},
                               {8, 9},
                               {33, 33},
                               {100, 100},
                               {65, 129},
                               {129, 65},
                               {40, 200},
                               {200, 17},
                               {257, 257}})
        for (const pivoting how : {pivoting::partial, pivoting::none, pivoting::tournament}) {
            good_and_same_bits<double>(m, n, how);
            good_and_same_bits<float>(m, n, how);
        }
    good_and_same_bits<std::complex<double>>(130, 130, pivoting::partial);
    good_and_same_bits<std::complex<float>>(90, 120, pivoting::partial);
}

TEST(SharedMatrix, TheBlocksOfTheTable) {
    good_and_same_bits<double>(700, 700, pivoting::partial);
}

TEST(SharedMatrix, NothingToFactor) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{0, 0}, {0, 5}, {5, 0}}) {
        const answer<double> all = factored(column_major<double>(m, n), 3, {});
        EXPECT_EQ(all.first_zero, -1);
        EXPECT_EQ(all.result.singular, 0);
    }
}

TEST(SharedMatrix, SharesCoverTheColumns) {
    for (const index_t n : {0, 1, 31, 32, 33, 1000, 5000})
        for (const int size : {1, 2, 5, 64}) {
            const matrix_shape whole = column_major<double>(3, n).shape();
            std::vector<int> owners(static_cast<std::size_t>(n));
            for (int r = 0; r < size; ++r) {
                index_t columns = 0;
                for (const column_range& range : lu_share(whole, r, size)) {
                    columns += range.last - range.first;
                    for (index_t j = range.first; j < range.last; ++j) ++owners[static_cast<std::size_t>(j)];
                }
                EXPECT_EQ(columns, lu_part(whole, r, size).columns);
            }
            EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), n);
        }
    EXPECT_THROW((void)lu_share({}, 2, 2), bad_argument);
    EXPECT_THROW((void)lu_part({}, -1, 2), bad_argument);
}

TEST(SharedMatrix, SingularAndNotFiniteAreTold) {
    const with_fine_blocks many_steps;
    column_major<double> a = random_matrix<double>(60, 60);
    for (index_t i = 0; i < 60; ++i) a(i, 41) = 0;
    answer<double> all = factored(a, 3, {});
    EXPECT_EQ(all.result.singular, 1);
    EXPECT_EQ(all.first_zero, 41);
    EXPECT_EQ(all.determinant[0], 0);
    a(50, 41) = std::numeric_limits<double>::quiet_NaN();
    all = factored(a, 3, {});
    EXPECT_EQ(all.result.not_finite, 1);
    all = factored(a, 3, {.pivoting = pivoting::none});
    EXPECT_TRUE(all.result.diverged);
}

TEST(SharedMatrix, MovesSmallPivots) {
    const with_fine_blocks many_steps;
    column_major<double> a = random_matrix<double>(80, 80, 0, 200);
    for (const index_t k : {0, 9, 77})
        for (index_t j = 0; j < 80; ++j) a(k, j) = a(j, k) = j == k ? 1e-14 : 0;
    for (const int size : {1, 2, 3}) {
        const answer<double> all = factored(a, size, {.pivoting = pivoting::none, .perturbation = 1e-8});
        EXPECT_EQ(all.result.perturbed, 3) << size;
    }
}

/// max over the columns of |b - A x| / (n eps (|A| |x| + |b|)), 1-norm.
template <class T>
double solution_ratio(column_major<T> a, column_major<T> x, column_major<T> b, bool transposed,
                      bool conjugated) {
    const auto at = [&](index_t i, index_t j) -> std::complex<double> {
        const std::complex<double> v(transposed ? a(j, i) : a(i, j));
        return conjugated ? std::conj(v) : v;
    };
    double norm = 0, most = 0;
    for (index_t j = 0; j < a.columns; ++j) {
        double sum = 0;
        for (index_t i = 0; i < a.rows; ++i) sum += std::abs(at(i, j));
        norm = std::max(norm, sum);
    }
    const double eps = std::numeric_limits<decltype(std::abs(T()))>::epsilon();
    for (index_t j = 0; j < b.columns; ++j) {
        double error = 0, size = 0, right = 0;
        for (index_t i = 0; i < a.rows; ++i) {
            std::complex<double> sum(b(i, j));
            for (index_t k = 0; k < a.rows; ++k) sum -= at(i, k) * std::complex<double>(x(k, j));
            error += std::abs(sum);
            size += std::abs(x(i, j));
            right += std::abs(b(i, j));
        }
        const double unit = static_cast<double>(a.rows) * eps;
        most = std::fmax(most, error / (unit * (norm * size + right)));
    }
    return most;
}

template <class T>
void solves(index_t n, index_t right_sides, const lu_solve_options& o) {
    const column_major<T> a = random_matrix<T>(n, n, 3), b = random_matrix<T>(n, right_sides, 4);
    column_major<T> one(0, 0);
    for (const int size : {1, 2, 3, 4, 9}) {
        SCOPED_TRACE(testing::Message()
                     << n << " rows, " << right_sides << " right sides, " << size << " ranks");
        column_major<T> factors = a;
        std::mutex lock;
        std::vector<column_major<T>> found;
        together(size, [&](const ranks& group) {
            const bool rows = std::is_floating_point_v<T> && size == 3;
            own_columns<T> own(factors, group, rows ? storage_order::row_major : storage_order::column_major);
            std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
            (void)lu_factor(group, on_cpu{1}, a.shape(), own.view(), {.pivots = pivots.data()});
            column_major<T> x = b;
            (void)lu_solve(group, on_cpu{1}, a.shape(), own.view(), pivots.data(), x.view(), o);
            const std::lock_guard guard(lock);
            found.push_back(x);
        });
        ASSERT_EQ(std::ssize(found), size);
        for (const column_major<T>& x : found) EXPECT_TRUE(x == found[0]) << "ranks got different solutions";
        if (size == 1) {
            one = found[0];
            EXPECT_LT(solution_ratio(a, one, b, o.transposed, o.conjugated), 30);
        }
        EXPECT_TRUE(found[0] == one) << "other bits than one rank";
    }
}

TEST(SharedMatrix, Solves) {
    const with_fine_blocks many_steps;
    for (const index_t n : {1, 9, 70, 131})
        for (const index_t right_sides : {1, 2, 5, 20})
            for (const bool transposed : {false, true}) {
                solves<double>(n, right_sides, {.transposed = transposed});
                solves<float>(n, right_sides, {.transposed = transposed});
                for (const bool conjugated : {false, true})
                    solves<std::complex<double>>(n, right_sides,
                                                 {.transposed = transposed, .conjugated = conjugated});
            }
    solves<double>(0, 3, {});
    solves<double>(12, 0, {});
}

TEST(SharedMatrix, Refusals) {
    const column_major<double> a = random_matrix<double>(40, 40);
    expect_thrown<unsupported_variant>("mpirun", [&] { (void)factored(a, 2, {.variant = "cpu/scalapack"}); });
    expect_thrown<unsupported_variant>("there are", [&] { (void)factored(a, 2, {.variant = "cpu/small"}); });
    expect_thrown<unsupported_variant>("over ranks", [&] { (void)factored(a, 2, {.condition = true}); });
    expect_thrown<bad_argument>("options.perturbation", [&] { (void)factored(a, 2, {.perturbation = 0.1}); });
    const auto with = [&](auto change) {
        together(2, [&](const ranks& group) {
            column_major<double> copy = a;
            own_columns<double> own(copy, group, storage_order::column_major);
            matrix_shape whole = a.shape();
            matrices view = own.view();
            lu_options o;
            std::vector<std::int32_t> pivots(40);
            change(group.rank(), whole, view, o);
            (void)lu_factor(group, on_cpu{1}, whole, view, {.pivots = pivots.data()}, o);
        });
    };
    expect_thrown<bad_argument>("lu_part() of whole", [&] {
        with([](int, matrix_shape&, matrices& own, lu_options&) { ++own.columns; });
    });
    expect_thrown<bad_argument>("rank 1 has another matrix", [&] {
        with([](int rank, matrix_shape&, matrices&, lu_options& o) { o.growth = rank == 1; });
    });
    expect_thrown<bad_argument>("whole: has 2 matrices", [&] {
        with([](int, matrix_shape& whole, matrices&, lu_options&) { whole.count = 2; });
    });
    expect_thrown<bad_argument>("own: is float32", [&] {
        with([](int, matrix_shape&, matrices& own, lu_options&) { own.type = scalar::f32; });
    });
}

}  // namespace
}  // namespace wale
