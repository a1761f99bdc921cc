// Ranks that share one tridiagonal system or one search: the bits, and the hits, of one rank.
#include <gtest/gtest.h>

#include <mutex>
#include <wale/search.hpp>
#include <wale/shared_systems.hpp>

#include "agreement/packed.hpp"
#include "unit/thrown.hpp"

namespace wale {
namespace {

double number(index_t k) {
    const auto h = static_cast<std::uint32_t>(k) * 2654435761u ^ static_cast<std::uint32_t>(k >> 7) * 40503u;
    return static_cast<double>(h) * 0x1p-31 - 1;
}

template <class T>
struct chain {
    std::vector<T> lower, middle, upper, right;
    explicit chain(index_t n) {
        for (index_t i = 0; i < n; ++i) {
            lower.push_back(static_cast<T>(number(4 * i)));
            middle.push_back(static_cast<T>(number(4 * i + 1)));
            upper.push_back(static_cast<T>(number(4 * i + 2)));
            right.push_back(static_cast<T>(number(4 * i + 3)));
        }
    }
    [[nodiscard]] index_t size() const { return std::ssize(middle); }
    /// Rows of the system into the same rows of x.
    tridiagonal_result solve(row_range rows, std::vector<T>& x, const tridiagonal_options& o,
                             const ranks& group = {}) const {
        const vector_shape s = vector_shape::flat(scalar_of<T>::value, rows.last - rows.first);
        const auto part = [&](const std::vector<T>& v) { return const_vectors(v.data() + rows.first, s); };
        return tridiagonal_solve(group, on_cpu{2}, part(lower), part(middle), part(upper), part(right),
                                 vectors(x.data() + rows.first, s), o);
    }
};

template <class T>
void same_bits(index_t n, const tridiagonal_options& o) {
    const chain<T> a(n);
    std::vector<T> one(a.middle.size());
    tridiagonal_options alone = o;
    alone.variant = "cpu/partition";
    (void)a.solve({0, n}, one, alone);
    for (const int size : {1, 2, 3, 7}) {
        SCOPED_TRACE(testing::Message() << n << " rows, " << size << " ranks");
        std::vector<T> all(a.middle.size());
        run_ranks(size, [&](const ranks& group) {
            const row_range rows = tridiagonal_share(n, scalar_of<T>::value, group.rank(), size);
            (void)a.solve(rows, all, o, group);
        });
        EXPECT_EQ(all, one);
    }
}

TEST(SharedChain, TheBitsOfOneRank) {
    for (const index_t n : {0, 1, 2, 40, 5000, 70'001, 200'000})
        for (const pivoting p : {pivoting::partial, pivoting::none})
            for (const bool periodic : {false, true}) {
                same_bits<double>(n, {.pivoting = p, .periodic = periodic});
                same_bits<float>(n, {.pivoting = p, .periodic = periodic});
            }
}

TEST(SharedChain, SharesCoverTheRows) {
    for (const index_t n : {0, 1, 999, 1'000'000})
        for (const int size : {1, 2, 5, 64}) {
            index_t next = 0;
            for (int r = 0; r < size; ++r) {
                const row_range rows = tridiagonal_share(n, scalar::f64, r, size);
                EXPECT_EQ(rows.first, next);
                next = rows.last;
            }
            EXPECT_EQ(next, n);
        }
    const row_range half = tridiagonal_share(1'000'000, scalar::f64, 0, 2);
    EXPECT_NEAR(static_cast<double>(half.last), 500'000, 20'000);
    EXPECT_THROW((void)tridiagonal_share(-1, scalar::f64, 0, 1), bad_argument);
    EXPECT_THROW((void)tridiagonal_share(1, scalar::f64, 2, 2), bad_argument);
}

TEST(SharedChain, EveryRankLearnsOfABadPivot) {
    chain<double> a(100'000);
    for (const index_t i : {60'000, 60'001}) a.lower[static_cast<std::size_t>(i)] = 0;
    a.middle[60'000] = a.upper[60'000] = 0;  // a row of zeros
    std::vector<double> x(a.middle.size());
    std::mutex lock;
    int named = 0;
    run_ranks(3, [&](const ranks& group) {
        const row_range rows = tridiagonal_share(a.size(), scalar::f64, group.rank(), 3);
        const tridiagonal_result r = a.solve(rows, x, {}, group);
        const std::lock_guard guard(lock);
        named += r.first_bad_system == 0 && r.first_bad_row >= 0 ? 1 : 0;
    });
    EXPECT_EQ(named, 3);
}

TEST(SharedChain, Refusals) {
    chain<double> a(20'000);
    std::vector<double> x(a.middle.size());
    const auto with = [&](row_range (*rows)(int), const tridiagonal_options& o) {
        run_ranks(2, [&](const ranks& group) { (void)a.solve(rows(group.rank()), x, o, group); });
    };
    const auto shares = +[](int r) { return tridiagonal_share(20'000, scalar::f64, r, 2); };
    expect_thrown<unsupported_variant>("on one rank only", [&] { with(shares, {.variant = "cpu/thomas"}); });
    expect_thrown<unsupported_variant>("transposed", [&] { with(shares, {.transposed = true}); });
    expect_thrown<bad_argument>("tridiagonal_share", [&] {
        with(+[](int r) { return row_range{r * 100, r * 100 + 100}; }, {});
    });
}

TEST(SharedSearch, TheHitsOfOneRank) {
    agreement::packed queries, targets;
    for (unsigned k = 0; k < 4; ++k) queries.add(agreement::letters_of(60 + k, "ARNDCQEG", k));
    for (unsigned k = 0; k < 90; ++k) targets.add(agreement::letters_of(k % 70, "ARNDCQEG", 100 + k % 40));
    for (const index_t top : {1, 5, 1000})
        for (const bool path : {true, false}) {
            search_options o{.top = top, .evalue = 1e9, .path = path};
            const search_result one = search(on_cpu{1}, queries.batch(), targets.batch(), o);
            for (const int size : {2, 3, 8})
                run_ranks(size, [&](const ranks& group) {
                    search_options shared = o;
                    shared.group = group;
                    const search_result all = search(on_cpu{1}, queries.batch(), targets.batch(), shared);
                    ASSERT_EQ(all.hits.size(), one.hits.size());
                    EXPECT_EQ(all.letters, one.letters);
                    EXPECT_EQ(all.targets, one.targets);
                    for (std::size_t q = 0; q < one.hits.size(); ++q) {
                        ASSERT_EQ(all.hits[q].size(), one.hits[q].size()) << q;
                        for (std::size_t k = 0; k < one.hits[q].size(); ++k) {
                            const search_hit &a = all.hits[q][k], &b = one.hits[q][k];
                            EXPECT_EQ(a.target, b.target);
                            EXPECT_EQ(a.score, b.score);
                            EXPECT_EQ(a.symbols, b.symbols);
                            EXPECT_EQ(a.evalue, b.evalue);
                            EXPECT_EQ(a.alignment.cigar(), b.alignment.cigar());
                            EXPECT_EQ(a.alignment.target_begin, b.alignment.target_begin);
                        }
                    }
                });
        }
}

}  // namespace
}  // namespace wale
