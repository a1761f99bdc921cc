// tree_thomas_cuda_test - what the agreement tests of chains cannot ask of cuda/thomas, cuda/thomas_one_pass
// and the factors on the device: every shape of a tile, systems that need their pivots, memory, factors.
#include "agreement/chains.hpp"
#include "solvers/tree/chains/cuda/thomas_one_pass/tuning.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {
namespace {

class TreeThomasCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    static chain_answer answer_of(const std::string& variant, const chain_question& q) {
        std::string why;
        auto found = ask_chains(on_cuda{}, variant, q, &why);
        EXPECT_TRUE(found) << q.what() << ": " << why;
        return found ? *found : chain_answer{};
    }
    static void expect_right(const std::string& variant, const chain_question& q, const std::string& how) {
        const chain_answer found = answer_of(variant, q);
        EXPECT_TRUE(found.inputs_untouched) << q.what() << how;
        EXPECT_TRUE(found.gaps_untouched) << q.what() << how;
        EXPECT_LT(chain_ratio(q, found), good_chain_ratio) << q.what() << how;
        for (const std::int64_t s : found.status) EXPECT_EQ(s, -1) << q.what() << how;
    }
};

/// Rows beside the edges of chunks, blocks and clusters, systems beside the edges of a tile.
TEST_F(TreeThomasCuda, EveryTile) {
    for (std::size_t row = 0; row < std::size(tree::one_pass::tiles); ++row) {
        const auto& tile = tree::one_pass::tiles[row];
        const tuning::scoped_override use("tree/chains/thomas_one_pass=" + std::to_string(row));
        const index_t chunk = tile.policy.rows, block = chunk * tile.policy.chunks;
        unsigned seed = 0;
        for (const index_t edge : {chunk, 2 * chunk, 3 * chunk, block, 2 * block, 3 * block, 4 * block})
            for (const index_t n : {edge - 1, edge, edge + 1}) {
                if (n > tile.policy.most_rows()) continue;
                const index_t width = tile.policy.lanes * tile.policy.words;
                const index_t words = tile.policy.words;  // other counts are for other rows
                for (const index_t count : {words, width - words, width, 2 * width + 2}) {
                    chain_question q;
                    const scalar type = tile.element_size == 4 ? scalar::f32 : scalar::f64;
                    q.matrix = q.rhs = vector_shape::interleaved(type, n, count);
                    q.matrix.stride = q.rhs.stride = count + count % 2;
                    q.seed = ++seed;
                    q.in_place = seed % 2 == 0;
                    q.options.transposed = seed % 3 == 0;
                    q.kind = tile.policy.pivoted ? chain_kind::random : chain_kind::dominant;
                    q.options.pivoting = tile.policy.pivoted ? pivoting::partial : pivoting::none;
                    expect_right("cuda/thomas_one_pass", q, ", row " + std::to_string(row));
                }
            }
    }
}

/// Toeplitz without a diagonal, Dorr's and Lesp's matrices (Higham's test matrices), random ones without a
/// diagonal and with a row next to nothing, rows of all magnitudes: as good as the plain elimination.
values band_of(int kind, int which, index_t n) {
    const values random{random_values(n, 3), random_values(n, 4), random_values(n, 5)};
    values out(3, std::vector<double>(static_cast<std::size_t>(n)));
    const auto set = [&](std::size_t i, double low, double middle, double up) {
        out[0][i] = low;
        out[1][i] = middle;
        out[2][i] = up;
    };
    const double h = 1.0 / static_cast<double>(n + 1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        const double row = static_cast<double>(i) + 1, drift = (0.5 - row * h) / h, theta = 0.01 / (h * h);
        const double magnitude = std::ldexp(1.0, static_cast<int>(20 * random[1][i]));
        if (kind == 0) set(i, 1, 0, 1);
        if (kind == 1 && row <= static_cast<double>((n + 1) / 2))
            set(i, -theta, 2 * theta + drift, -theta - drift);
        if (kind == 1 && row > static_cast<double>((n + 1) / 2))
            set(i, -theta + drift, 2 * theta - drift, -theta);
        if (kind == 2) set(i, 1 / row, -(2 * row + 3), row + 1);
        if (kind == 3) set(i, random[0][i], 0, random[2][i]);
        if (kind == 4) set(i, random[0][i], random[1][i], random[2][i]);
        if (kind == 4 && i == 40) set(i, 1e-15, -1e-15, 2e-15);
        if (kind == 5) set(i, magnitude * random[0][i], magnitude * random[2][i], magnitude);
    }
    return {out[static_cast<std::size_t>(which)]};
}

TEST_F(TreeThomasCuda, KeepsThePivotsThatItNeeds) {
    for (const index_t n : {64, 128, 200, 512, 1000})
        for (int kind = 0; kind < 6; ++kind) {
            const vector_shape shape = vector_shape::interleaved(scalar::f64, n, 1);
            const values rhs{random_values(n, 9)};
            const auto residual = [&](const execution& where, const std::string& variant) {
                const stored_vectors l(where, shape, band_of(kind, 0, n)),
                    d(where, shape, band_of(kind, 1, n)), u(where, shape, band_of(kind, 2, n)),
                    b(where, shape, rhs), x(where, shape, rhs);
                tridiagonal_options o;
                o.variant = variant;
                (void)tridiagonal_solve(where, l.const_view(), d.const_view(), u.const_view(), b.const_view(),
                                        x.view(), o);
                return tridiagonal_residual(where, l.const_view(), d.const_view(), u.const_view(),
                                            b.const_view(), x.const_view());
            };
            const double plain = residual(on_reference{}, "automatic");
            for (const char* variant : {"cuda/thomas", "cuda/thomas_one_pass"})
                EXPECT_LE(residual(on_cuda{}, variant), 4 * plain + 8 * 0x1p-53)
                    << variant << ", matrix " << kind << ", n " << n;
        }
}

TEST_F(TreeThomasCuda, MemoryAsAnnounced) {
    const vector_shape shape = vector_shape::interleaved(scalar::f64, 100, 64);
    const stored_vectors a(on_cuda{}, shape, values(64, std::vector<double>(100, 1.0)));
    const stored_vectors b(on_cuda{}, shape, values(64, std::vector<double>(100, 1.0)));
    const stored_vectors c(on_cuda{}, shape, values(64, std::vector<double>(100, 1.0)));
    const auto bytes = [&](const stored_vectors& upper, tridiagonal_options o) {
        return tridiagonal_workspace(on_cuda{}, a.const_view(), b.const_view(), upper.const_view(),
                                     c.const_view(), c.view(), o);
    };
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas_one_pass"}), 0);
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas", .pivoting = pivoting::none}), 100 * 64 * 8);
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas"}), 2 * 100 * 64 * 8);
    const stored_vectors apart(on_cuda{}, shape, values(64, std::vector<double>(100, 1.0)));
    EXPECT_EQ(bytes(apart, {.variant = "cuda/thomas", .overwrite = true}), 0);
    // lower and upper are one array: U may not take its place
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas", .overwrite = true}), 2 * 100 * 64 * 8);
}

TEST_F(TreeThomasCuda, RefusesWhatItCannot) {
    chain_question flat, tall;
    flat.matrix = flat.rhs = vector_shape::flat(scalar::f64, 10, 5);
    tall.matrix = tall.rhs = vector_shape::interleaved(scalar::f64, 100000, 5);
    for (const chain_question& q : {flat, tall}) {
        std::string why;
        EXPECT_FALSE(ask_chains(on_cuda{}, "cuda/thomas_one_pass", q, &why)) << q.what();
        EXPECT_NE(why.find("cuda/thomas_one_pass: "), std::string::npos) << why;
    }
}

/// Factors solve with any layout of right sides, both ways, and count their memory.
TEST_F(TreeThomasCuda, Factors) {
    unsigned seed = 0;
    for (const index_t n : {1, 2, 3, 8, 9, 50, 129})
        for (int choice = 0; choice < 16; ++choice)
            for (int layout = 0; layout < layout_count; ++layout) {
                chain_question q;
                const scalar type = choice & 8 ? scalar::f32 : scalar::f64;
                q.matrix = chain_shape(layout, type, n, 6);
                q.rhs = chain_shape((layout + choice) % layout_count, type, n, 6 * (1 + seed % 3));
                q.seed = ++seed;
                q.options.pivoting = choice & 1 ? pivoting::partial : pivoting::none;
                q.options.periodic = choice & 2;
                if (choice & 1) q.kind = chain_kind::random;
                chain_answer a;
                for (index_t s = 0; s < 6; ++s) {
                    std::vector<double> d = random_values(n, 4 * seed + 60 * static_cast<unsigned>(s));
                    if (q.kind == chain_kind::dominant)
                        for (double& v : d) v = std::copysign(2.1 + std::fabs(v), v);
                    a.diagonal.push_back(d);
                    a.lower.push_back(random_values(n, seed + 1 + 70 * static_cast<unsigned>(s)));
                    a.upper.push_back(random_values(n, seed + 2 + 80 * static_cast<unsigned>(s)));
                }
                for (index_t v = 0; v < q.rhs.count; ++v)
                    a.rhs.push_back(random_values(n, seed + 3 + 90 * static_cast<unsigned>(v)));
                const stored_vectors l(on_cuda{}, q.matrix, a.lower), d(on_cuda{}, q.matrix, a.diagonal),
                    u(on_cuda{}, q.matrix, a.upper);
                q.options.variant = "cuda/thomas";
                const tridiagonal_factors factors(on_cuda{}, l.const_view(), d.const_view(), u.const_view(),
                                                  q.options);
                EXPECT_EQ(factors.result().first_bad_system, -1) << q.what();
                EXPECT_GE(factors.bytes(), 3 * 6 * n * bytes_of(type)) << q.what();
                a.lower = l.given();
                a.diagonal = d.given();
                a.upper = u.given();
                const stored_vectors x(on_cuda{}, q.rhs, a.rhs);
                a.rhs = x.given();
                q.options.transposed = choice & 4;
                (void)factors.solve(x.view(), {.transposed = q.options.transposed});
                a.solution = x.now();
                EXPECT_LT(chain_ratio(q, a), 2 * good_chain_ratio) << q.what();
                EXPECT_TRUE(x.gaps_untouched()) << q.what();
            }
}

}  // namespace
}  // namespace wale::agreement
