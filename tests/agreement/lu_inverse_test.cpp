// lu_inverse_test - every row of lu_inverse, host and CUDA, through the public interface: A times the inverse
// is the identity, and some inverses are known.
#include <algorithm>
#include <cmath>

#include "agreement/lu_rows.hpp"
#include "solvers/lu/cuda/triangles_tuning.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;

constexpr scalar types[] = {scalar::f32, scalar::f64};
constexpr storage_order orders[] = {column_major, row_major};

struct inverse_question {
    std::string what;
    std::vector<dense> all;
    placement how;
    bool asynchronous = false;
};

struct inverse_answer {
    std::vector<dense> originals, inverses;
    std::vector<std::byte> bits;
    bool gaps_untouched = false;
    lu_solve_result result;
};

std::optional<inverse_answer> ask_inverse(const execution& where, const std::string& variant,
                                          const inverse_question& q, std::string* refusal) {
    factored f = factored_by_lapack(q.all, q.how.type);
    stored_matrices a(where, f.factors, q.how);
    const stored_array<std::int32_t> pivots(where, f.all_pivots());
    inverse_answer answer;
    const lu_solve_options options{.variant = variant, .asynchronous = q.asynchronous};
    try {
        answer.result = q.how.listed
                            ? lu_inverse(where, std::span<const matrices>(a.list()), pivots.data(), options)
                            : lu_inverse(where, a.uniform(), pivots.data(), options);
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    answer.originals = std::move(f.originals);
    answer.inverses = a.get();
    answer.bits = a.bits();
    answer.gaps_untouched = a.gaps_untouched();
    return answer;
}

/// |I - A X| / (n eps |A| |X|), 1-norm.
double inverse_ratio(const dense& a, const dense& x, scalar type) {
    dense error = product(a, x);
    for (index_t k = 0; k < a.rows; ++k) error(k, k) -= 1;
    const double off = one_norm(error);
    return off == 0 ? 0 : off / (static_cast<double>(a.rows) * epsilon_of(type) * one_norm(a) * one_norm(x));
}

std::string trace_of_inverse(const inverse_question& q, int threads) {
    return q.what + ", " + name_of(q.how.type) +
           (q.how.order == row_major ? ", row-major, gap " : ", column-major, gap ") +
           std::to_string(q.how.gap) + ", " + std::to_string(threads) + " threads";
}

class LuInverse : public lu_row_test<inverse_question, ask_inverse, trace_of_inverse> {
protected:
    static void expect_right(const inverse_question& q) {
        expect_of_all_threads(q, [&](const inverse_answer& found, const std::string& trace) {
            EXPECT_TRUE(found.gaps_untouched) << trace;
            for (std::size_t k = 0; k < q.all.size(); ++k)
                EXPECT_LT(inverse_ratio(found.originals[k], found.inverses[k], q.how.type), good_ratio)
                    << trace << ", matrix " << k;
        });
    }
};

/// Neither more nor less than what is declared.
TEST_P(LuInverse, RefusesWhatItDeclares) {
    for (const index_t n : {1024, 1025}) {
        if (GetParam().where == backend::reference) GTEST_SKIP() << "the reference takes every size, slowly";
        stored_matrices a(where(), {dense_of(n, n, [](index_t i, index_t j) { return i == j; })}, {});
        const auto invert = [&] {
            (void)lu_inverse(where(), a.uniform(), nullptr, {.variant = GetParam().name});
        };
        if (may_refuse(GetParam().name, n, scalar::f64))
            EXPECT_THROW(invert(), unsupported_variant) << n;
        else
            EXPECT_NO_THROW(invert()) << n;
    }
}

TEST_P(LuInverse, EverySize) {
    unsigned turn = 0;
    for (const scalar type : types)
        for (const storage_order order : orders)
            for (index_t n = 0; n <= 80; ++n)
                expect_right({.what = "n = " + std::to_string(n),
                              .all = {random_matrix(n, n, ++turn)},
                              .how = {.type = type, .order = order, .gap = turn % 3}});
}

TEST_P(LuInverse, LargerSizes) {
    unsigned turn = 0;
    for (const index_t n : {127, 128, 129, 200, 256, 257, 300})
        for (const scalar type : types) {
            ++turn;
            if (n >= 256 && turn % 2 == 0 && GetParam().where == backend::reference) continue;
            expect_right({.what = "n = " + std::to_string(n),
                          .all = {random_matrix(n, n, turn)},
                          .how = {.type = type, .order = orders[turn / 2 % 2], .gap = turn % 3}});
        }
}

TEST_P(LuInverse, Kinds) {
    unsigned turn = 0;
    for (const char* name : {"heavy diagonal", "diagonal", "upper triangle", "lower triangle", "tridiagonal",
                             "well conditioned", "orthogonal", "near underflow", "near overflow",
                             "zero leading pivot", "cyclic permutation", "Wilkinson", "Kac-Murdock-Szego"})
        for (const index_t n : {2, 20, 70})
            for (const scalar type : types) {
                const auto kind =
                    std::find_if(matrix_kinds().begin(), matrix_kinds().end(),
                                 [&](const matrix_kind& k) { return k.name == std::string_view(name); });
                expect_right({.what = name,
                              .all = {kind->make(n, n, type, ++turn)},
                              .how = {.type = type, .order = orders[turn % 2]}});
            }
}

/// Tridiagonal, element by element.
TEST_P(LuInverse, KacMurdockSzegoInClosedForm) {
    for (const double rho : {0.5, 0.9})
        for (const index_t n : {1, 2, 50, 130}) {
            const auto found = answer({.what = "KMS", .all = {kms_matrix(n, 10, rho)}, .how = {}});
            ASSERT_TRUE(found);
            const dense expected = kms_inverse(n, 10, rho);
            double most = 0;
            for (std::size_t k = 0; k < expected.values.size(); ++k)
                most = std::max(most, std::fabs(found->inverses[0].values[k] - expected.values[k]));
            EXPECT_LT(most, 1e-12) << n << ", rho " << rho;
        }
}

/// The inverse of a permutation is its transpose, exactly.
TEST_P(LuInverse, PermutationsAreExact) {
    for (const index_t n : {1, 3, 40, 100}) {
        const dense a =
            dense_of(n, n, [=](index_t i, index_t j) { return j == (7 * i + 3) % n ? 1.0 : 0.0; });
        const auto found = answer({.what = "permutation", .all = {a}, .how = {}});
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->inverses[0].values == transposed(a).values) << n;
    }
}

TEST_P(LuInverse, Batches) {
    unsigned turn = 0;
    for (const index_t count : {2, 33})
        for (const index_t n : {1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65}) {
            ++turn;
            std::vector<dense> all;
            for (index_t k = 0; k < count; ++k)
                all.push_back(random_matrix(n, n, turn * 100 + static_cast<unsigned>(k)));
            expect_right({.what = std::to_string(count) + " of " + std::to_string(n),
                          .all = std::move(all),
                          .how = {.type = types[turn % 2],
                                  .order = orders[turn / 2 % 2],
                                  .gap = turn % 3,
                                  .apart = turn % 4}});
        }
}

TEST_P(LuInverse, Lists) {
    constexpr index_t sizes[] = {7, 0, 1, 64, 33, 2, 100, 16, 17, 3, 65, 31, 128, 5};
    for (const scalar type : types) {
        std::vector<dense> all;
        unsigned seed = 1;
        for (const index_t n : sizes) all.push_back(random_matrix(n, n, ++seed));
        expect_right({.what = "list",
                      .all = std::move(all),
                      .how = {.type = type, .gap = 1, .apart = 3, .listed = true}});
    }
}

TEST_P(LuInverse, WithoutPivots) {
    const dense u = dense_of(40, 40, [](index_t i, index_t j) { return i == j ? 2.0 : i < j ? 0.5 : 0.0; });
    stored_matrices a(where(), {u}, {});
    (void)lu_inverse(where(), a.uniform(), nullptr, {.variant = GetParam().name});
    EXPECT_LT(inverse_ratio(u, a.get()[0], scalar::f64), good_ratio);
}

/// No call waits for ever or crashes; what was singular is not finite.
TEST_P(LuInverse, Singular) {
    for (const index_t n : {1, 10, 70}) {
        EXPECT_FALSE(all_finite(answer({.what = "zeros", .all = {dense(n, n)}, .how = {}})->inverses[0]));
        const dense odd(n, n, std::nan(""));
        EXPECT_FALSE(all_finite(answer({.what = "NaN", .all = {odd}, .how = {}})->inverses[0]));
    }
}

TEST_P(LuInverse, TheSameBitsAgain) {
    const inverse_question q{.what = "again", .all = {random_matrix(200, 200, 3)}, .how = {}};
    for (const int threads : thread_counts()) {
        const auto first = answer(q, threads), second = answer(q, threads);
        ASSERT_TRUE(first && second);
        EXPECT_TRUE(first->bits == second->bits);
    }
}

TEST_P(LuInverse, Asynchronous) {
    if (!on_device()) GTEST_SKIP() << "host rows return when they are done";
    expect_right({.what = "queued", .all = {random_matrix(130, 130, 3)}, .how = {}, .asynchronous = true});
}

INSTANTIATE_TEST_SUITE_P(Variants, LuInverse, testing::ValuesIn(rows_of(lu::inverse_rows)), test_name);

/// The same with every row of the tuning tables.
class LuInverseTuned : public tuned_lu_test {};

TEST_P(LuInverseTuned, EdgesOfBlocks) {
    for (const index_t n : {1, 63, 64, 129, 300, 520}) {
        std::string refusal;
        const inverse_question q{.what = "",
                                 .all = {random_matrix(n, n, 31)},
                                 .how = {.type = GetParam().type, .order = orders[n % 2], .gap = 1}};
        const auto found = ask_inverse(where(), GetParam().name, q, &refusal);
        ASSERT_TRUE(found) << refusal;
        EXPECT_LT(inverse_ratio(found->originals[0], found->inverses[0], q.how.type), good_ratio) << n;
        EXPECT_TRUE(found->gaps_untouched);
    }
}

std::vector<tuned_lu_row> tuned_inverses() {
    const auto blocks = numbers_below(std::size(lu::triangular::policies));
    return tuned_lu_rows(
        rows_of(lu::inverse_rows),
        {{.row = "cuda/blocked", .table = "lu/inverse/blocked", .f32 = blocks, .f64 = blocks}});
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LuInverseTuned);  // there may be no plugin
INSTANTIATE_TEST_SUITE_P(Tuned, LuInverseTuned, testing::ValuesIn(tuned_inverses()), tuned_name);

}  // namespace
}  // namespace wale::agreement
