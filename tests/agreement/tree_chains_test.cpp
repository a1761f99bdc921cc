// tree_chains_test - every row of tridiagonal_solve, and what automatic takes, through the public interface:
// residuals are asked of plain loops.
#include "agreement/chains.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::agreement {
namespace {

constexpr scalar types[] = {scalar::f32, scalar::f64, scalar::c64, scalar::c128};

class TreeChains : public row_test {
protected:
    std::optional<chain_answer> answer(const chain_question& q) {
        std::string why;
        auto found = ask_chains(where(), variant_of(GetParam()), q, &why);
        if (!found) {
            EXPECT_TRUE(may_refuse(GetParam().name, q)) << q.what() << ": " << why;
        }
        return found;
    }
    void expect_right(const chain_question& q) {
        if (expect_chains_right(GetParam(), q)) ++taken_;
    }
    /// pivoting none goes with dominant systems.
    static chain_question question(int layout, scalar type, index_t n, index_t count, bool pivoted,
                                   unsigned seed) {
        chain_question q;
        q.matrix = q.rhs = chain_shape(layout, type, n, count);
        q.kind = is_complex(type) && pivoted && seed % 2 == 0 ? chain_kind::zero_diagonal
                 : seed % 5 == 0                              ? chain_kind::stiff
                 : pivoted                                    ? chain_kind::random
                                                              : chain_kind::dominant;
        q.options.pivoting = pivoted ? pivoting::partial : pivoting::none;
        q.in_place = seed % 2 == 0;
        q.seed = seed;
        return q;
    }
    int taken_ = 0;
};

TEST_P(TreeChains, EverySize) {
    constexpr index_t counts[] = {1, 2, 3, 31, 33, 64, 70, 5};
    unsigned turn = 0;
    for (index_t n = 0; n <= 300; ++n)
        for (const scalar type : types)
            for (int layout = 0; layout < layout_count; ++layout) {
                ++turn;
                if (n > 64 && turn % 3 != 0) continue;
                expect_right(question(layout, type, n, counts[(turn / 7) % 8], turn / 2 % 2 == 0, turn));
            }
    EXPECT_GT(taken_, 0) << "the row takes none of these questions";
}

TEST_P(TreeChains, EveryCombination) {
    unsigned turn = 0;
    for (const index_t n : {1, 2, 3, 17, 64, 129})
        for (int choice = 0; choice < 32; ++choice)
            for (int layout = 0; layout < layout_count; ++layout) {
                ++turn;
                chain_question q =
                    question(layout, types[choice / 8], n, 1 + 12 * (turn % 4), choice & 1, turn);
                q.options.periodic = choice & 2;
                q.options.transposed = choice & 4;
                q.kind = choice & 1 ? chain_kind::random : chain_kind::dominant;
                q.options.overwrite = turn % 3 == 0;
                expect_right(q);
            }
}

TEST_P(TreeChains, LargerSizes) {
    if (GetParam().where == backend::reference) GTEST_SKIP() << "the reference has no tiles";
    unsigned turn = 0;
    for (const index_t n : {383, 511, 512, 513, 777, 1000, 1023, 1024, 1025, 2047, 2048, 4095, 4096, 4099,
                            8192, 10000, 16385, 65537, 200001})
        for (const bool pivoted : {false, true})
            for (const int layout : {0, 1, 2}) {
                ++turn;
                const index_t count = n > 10000 ? 1 + turn % 2 : 1 + turn % 40;
                expect_right(question(layout, types[turn % 4], n, count, pivoted, turn));
            }
}

TEST_P(TreeChains, RightSides) {
    unsigned turn = 0;
    for (const index_t sides : {0, 1, 2, 3, 8, 33})
        for (const index_t n : {1, 2, 9, 65, 200})
            for (const index_t systems : {1, 4})
                for (const bool pivoted : {false, true}) {
                    ++turn;
                    chain_question q = question(static_cast<int>(turn) % layout_count, types[turn % 4], n,
                                                systems, pivoted, turn);
                    q.rhs = chain_shape(static_cast<int>(turn / 3) % layout_count, types[turn % 4], n,
                                        systems * sides);
                    q.options.periodic = turn % 7 == 0;
                    if (q.options.periodic && !pivoted) q.kind = chain_kind::dominant;
                    q.options.transposed = turn % 5 == 0;
                    if (variant_of(GetParam()) == "automatic" || sides > 0) expect_right(q);
                    q.rhs =
                        chain_shape(static_cast<int>(turn) % layout_count, q.rhs.type, n, systems * sides);
                    if (sides > 0) expect_right(q);
                }
}

TEST_P(TreeChains, SizesOfAllKinds) {
    for (const bool pivoted : {false, true})
        for (const scalar type : types) {
            std::vector<index_t> starts{0};
            for (const index_t n : {3, 0, 1, 2, 100, 17, 0, 64, 65, 300, 5, 1000, 33, 1})
                starts.push_back(starts.back() + n);
            chain_question q = question(0, type, 1, 1, pivoted, 4);
            q.matrix = q.rhs = vector_shape::ragged(type, starts);
            q.kind = pivoted ? chain_kind::random : chain_kind::dominant;
            expect_right(q);
            q.options.periodic = true;
            expect_right(q);
        }
}

TEST_P(TreeChains, NoSystems) {
    for (int layout = 0; layout < 4; ++layout)
        for (const bool pivoted : {false, true})
            expect_right(question(layout, scalar::f64, 10, 0, pivoted, 1));
}

/// A bad system is named, and its neighbours do not suffer.
TEST_P(TreeChains, BadPivots) {
    for (const int layout : {0, 1, 2, 3})
        for (const bool pivoted : {false, true})
            for (const index_t n : {1, 2, 7, 64, 130}) {
                const scalar type = scalar::f64;
                const vector_shape shape = chain_shape(layout, type, n, 9);
                values lower, diagonal, upper, rhs;
                for (unsigned s = 0; s < 9; ++s) {
                    lower.push_back(random_values(n, s));
                    upper.push_back(random_values(n, s + 50));
                    diagonal.emplace_back(static_cast<std::size_t>(n), s == 4   ? 0.0
                                                                       : s == 6 ? std::nan("")
                                                                                : 4.0);
                    if (s == 4)
                        lower.back() = upper.back() = std::vector<double>(static_cast<std::size_t>(n), 0.0);
                    rhs.push_back(random_values(n, s + 100));
                }
                const execution at = where();
                const stored_vectors l(at, shape, lower), d(at, shape, diagonal), u(at, shape, upper),
                    x(at, shape, rhs);
                const std::vector<std::int64_t> none(9, -7);
                buffer<std::int64_t> status = to_device(at, std::span<const std::int64_t>(none));
                tridiagonal_options o;
                o.variant = variant_of(GetParam());
                o.pivoting = pivoted ? pivoting::partial : pivoting::none;
                o.status = status.data();
                tridiagonal_result r;
                try {
                    r = tridiagonal_solve(at, l.const_view(), d.const_view(), u.const_view(), x.view(), o);
                } catch (const unsupported_variant& e) {
                    EXPECT_TRUE(may_refuse(GetParam().name, {.matrix = shape, .rhs = shape, .options = o}))
                        << e.what();
                    continue;
                }
                const std::string what = "layout " + std::to_string(layout) + " n " + std::to_string(n) +
                                         (pivoted ? " pivoted" : "");
                std::vector<std::int64_t> found(9);
                copy_bytes(at, found.data(), status.data(), 9 * 8);
                EXPECT_EQ(r.first_bad_system, 4) << what;
                EXPECT_EQ(r.first_bad_row, found[4]) << what;
                const values solution = x.now();
                for (std::size_t s = 0; s < 9; ++s) {
                    if (s == 4 || s == 6) {
                        EXPECT_TRUE(found[s] >= 0 && found[s] < n)
                            << what << ", system " << s << ": " << found[s];
                        continue;
                    }
                    EXPECT_EQ(found[s], -1) << what << ", system " << s;
                    for (const double v : solution[s])
                        EXPECT_TRUE(std::fabs(v) < 2) << what << ", system " << s;
                }
            }
}

/// Scaling the right side by a power of two scales the solution bit for bit, and so does scaling all.
TEST_P(TreeChains, Scales) {
    for (const int layout : {0, 1})
        for (const index_t n : {5, 100, 1000}) {
            chain_question q = question(layout, scalar::f64, n, 40, false, 2);
            const auto once = answer(q);
            if (!once) continue;
            const execution at = where();
            values lower = once->lower, diagonal = once->diagonal, upper = once->upper, rhs = once->rhs;
            for (values* all : {&lower, &diagonal, &upper})
                for (auto& v : *all)
                    for (double& e : v) e = std::ldexp(e, -40);
            for (auto& v : rhs)
                for (double& e : v) e = std::ldexp(e, 30);
            const stored_vectors l(at, q.matrix, lower), d(at, q.matrix, diagonal), u(at, q.matrix, upper),
                x(at, q.rhs, rhs);
            tridiagonal_options o = q.options;
            o.variant = variant_of(GetParam());
            (void)tridiagonal_solve(at, l.const_view(), d.const_view(), u.const_view(), x.view(), o);
            const values scaled = x.now();
            for (std::size_t s = 0; s < scaled.size(); ++s)
                for (std::size_t i = 0; i < scaled[s].size(); ++i)
                    ASSERT_EQ(scaled[s][i], std::ldexp(once->solution[s][i], 70)) << q.what();
        }
}

TEST_P(TreeChains, RepeatsItsBits) {
    for (const int layout : {0, 1})
        for (const bool pivoted : {false, true})
            for (const index_t n : {100, 1000, 40000}) {
                const chain_question q =
                    question(layout, types[n % 3 == 0], n, n > 10000 ? 2 : 100, pivoted, 6);
                const auto first = answer(q);
                for (int again = 0; first && again < 3; ++again)
                    EXPECT_TRUE(answer(q)->bits == first->bits) << q.what();
            }
}

TEST_P(TreeChains, Asynchronous) {
    if (!on_device()) GTEST_SKIP() << "only calls on a device are asynchronous";
    for (const int layout : {0, 1, 2})
        for (const bool pivoted : {false, true}) {
            chain_question q = question(layout, scalar::f64, 200, 100, pivoted, 8);
            q.options.asynchronous = true;
            expect_right(q);
        }
}

TEST_P(TreeChains, NamesItsWorkspace) {
    const vector_shape s = vector_shape::flat(scalar::f64, 100, 10);
    const std::vector<double> m(1000, 4), off(1000, 1);
    const execution at = where();
    const stored_vectors l(at, s, values(10, std::vector<double>(100, 1))),
        d(at, s, values(10, std::vector<double>(100, 4))), x(at, s, values(10, std::vector<double>(100, 1)));
    tridiagonal_options o{.variant = variant_of(GetParam()), .pivoting = pivoting::none};
    try {
        const index_t bytes = tridiagonal_workspace(at, l.const_view(), d.const_view(), l.const_view(),
                                                    x.const_view(), x.view(), o);
        EXPECT_GE(bytes, 0);
        EXPECT_LE(bytes, 20 * 1000 * 8);
        EXPECT_TRUE(x.untouched());
    } catch (const unsupported_variant& e) {
        EXPECT_TRUE(may_refuse(GetParam().name, {.matrix = s, .rhs = s, .options = o})) << e.what();
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeChains, testing::ValuesIn(rows_and_automatic(tree::chain_rows)),
                         test_name);

class TreeFactors : public row_test {};

TEST_P(TreeFactors, SolveOften) {
    unsigned turn = 0;
    for (const index_t n : {0, 1, 2, 3, 5, 16, 33, 100, 257, 1000})
        for (int choice = 0; choice < 8; ++choice)
            for (const index_t sides : {1, 3}) {
                ++turn;
                chain_question q;
                const scalar type = types[turn % 2];
                const index_t systems = 1 + turn % 40;
                q.matrix = chain_shape(static_cast<int>(turn) % layout_count, type, n, systems);
                q.rhs = chain_shape(static_cast<int>(turn / 2) % layout_count, type, n, systems * sides);
                q.options.pivoting = choice & 1 ? pivoting::partial : pivoting::none;
                q.options.periodic = choice & 2;
                q.kind = choice & 1 ? chain_kind::random : chain_kind::dominant;
                q.seed = turn;
                const execution at = where();
                std::string refusal;
                // The reference draws the numbers and fills in the rest of the answer.
                auto a = ask_chains(on_reference{}, "automatic", q, &refusal);
                ASSERT_TRUE(a) << refusal;
                const stored_vectors l(at, q.matrix, a->lower), d(at, q.matrix, a->diagonal),
                    u(at, q.matrix, a->upper), b(at, q.rhs, a->rhs);
                tridiagonal_options o = q.options;
                o.variant = variant_of(GetParam());
                std::optional<tridiagonal_factors> f;
                try {
                    f.emplace(at, l.const_view(), d.const_view(), u.const_view(), o);
                } catch (const unsupported_variant& e) {
                    EXPECT_TRUE(GetParam().name == "cpu/lanes" && q.matrix.ragged()) << e.what();
                    continue;
                }
                EXPECT_EQ(f->result().first_bad_system, -1);
                if (n > 0) {
                    EXPECT_GT(f->bytes(), 0);
                }
                for (const bool transposed : {false, true}) {
                    q.options.transposed = transposed;
                    const stored_vectors x(at, q.rhs, a->rhs);
                    (void)f->solve(x.view(), q.options);
                    a->solution = x.now();
                    EXPECT_TRUE(x.gaps_untouched()) << q.what();
                    EXPECT_LT(chain_ratio(q, *a), good_chain_ratio) << q.what();
                }
                EXPECT_TRUE(l.untouched() && d.untouched() && u.untouched()) << q.what();
            }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeFactors, testing::ValuesIn(rows_and_automatic(tree::chain_factor_rows)),
                         test_name);

}  // namespace
}  // namespace wale::agreement
