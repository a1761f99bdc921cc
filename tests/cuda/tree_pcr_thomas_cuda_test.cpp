// tree_pcr_thomas_cuda_test - what the agreement tests of chains cannot ask of cuda/pcr_thomas: edges of its
// chunks, warps, blocks and clusters, every alignment, woven rows, neighbours that are not finite.
#include "agreement/chains.hpp"
#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {
namespace {

using namespace tree::pcr_thomas;

constexpr const char* variant = "cuda/pcr_thomas";

class TreePcrThomas : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    static void expect_right(const chain_question& q, const std::string& how = "") {
        std::string why;
        const auto found = ask_chains(on_cuda{}, variant, q, &why);
        ASSERT_TRUE(found) << q.what() << how << ": " << why;
        EXPECT_TRUE(found->inputs_untouched) << q.what() << how;
        EXPECT_TRUE(found->gaps_untouched) << q.what() << how;
        EXPECT_LT(chain_ratio(q, *found), good_chain_ratio) << q.what() << how;
        for (const std::int64_t s : found->status) EXPECT_EQ(s, -1) << q.what() << how;
    }
    static bool refuses(const chain_question& q) {
        std::string why;
        return !ask_chains(on_cuda{}, variant, q, &why);
    }
    static chain_question question(scalar type, index_t n, index_t count, bool pivoted, unsigned seed) {
        chain_question q;
        q.matrix = q.rhs = vector_shape::flat(type, n, count);
        q.matrix.stride = q.rhs.stride = n + (seed % 3 == 0 ? seed % 7 : 0);
        q.kind = pivoted ? chain_kind::random : chain_kind::dominant;
        q.options.pivoting = pivoted ? pivoting::partial : pivoting::none;
        q.in_place = seed % 2 == 0;
        q.seed = seed;
        return q;
    }
    template <std::size_t N>
    static void try_edges(const char* table, const tuning::row<policy> (&rows)[N], bool pivoted) {
        for (std::size_t row = 0; row < N; ++row) {
            const tuning::scoped_override use(table + ("=" + std::to_string(row)));
            const auto [chunk, warps] = rows[row].policy;
            unsigned seed = 0;
            for (const int threads : {1, 2, 3, 16, 31, 32, 33, 64, 32 * warps - 1, 32 * warps})
                for (int n = threads * chunk - 1; n <= threads * chunk + 1; ++n)
                    for (const scalar type : {scalar::f32, scalar::f64}) {
                        const bool made = tuning::compiled(rows, row, static_cast<int>(bytes_of(type)));
                        if (!made || n > 32 * warps * chunk) continue;
                        chain_question q = question(type, n, 1 + seed % 9, pivoted, seed);
                        q.options.transposed = ++seed % 2;
                        expect_right(q, ", row " + std::to_string(row));
                        q.options.periodic = true;
                        expect_right(q, ", row " + std::to_string(row));
                    }
        }
    }
};

TEST_F(TreePcrThomas, EverySize) {
    unsigned seed = 0;
    for (index_t n = 1; n <= 300; ++n)
        for (const scalar type : {scalar::f32, scalar::f64})
            for (const bool pivoted : {false, true}) {
                ++seed;
                expect_right(question(type, n, n < 40 ? 1 + seed % 101 : 1 + seed % 9, pivoted, seed));
            }
}

TEST_F(TreePcrThomas, Edges) {
    try_edges("tree/chains/pcr_thomas", unpivoted_policies, false);
    try_edges("tree/chains/pcr_thomas_pivoted", pivoted_policies, true);
}

TEST_F(TreePcrThomas, Clusters) {
    for (const scalar type : {scalar::f32, scalar::f64}) {
        const policy p =
            unpivoted_policies[tuning::pick(unpivoted_policies, 90, static_cast<int>(bytes_of(type)))].policy;
        const index_t block = index_t{32} * p.warps * p.rows;
        unsigned seed = 0;
        for (const index_t n : {block + 1, 2 * block - 1, 2 * block, 2 * block + 1, 4 * block - 7,
                                7 * block + 5, 8 * block, 8 * block + 1, index_t{65536}, 16 * block}) {
            ++seed;
            chain_question q = question(type, n, 1 + seed % 40, false, seed);
            if (n == block + 1 && refuses(q)) GTEST_SKIP() << "this device has no clusters";
            expect_right(q);
            q.options.periodic = true;
            expect_right(q);
        }
        EXPECT_TRUE(refuses(question(type, 16 * block + 1, 1, false, 1)));
    }
}

TEST_F(TreePcrThomas, RightSides) {
    unsigned seed = 0;
    for (const index_t n : {1, 7, 64, 100, 333, 1000})
        for (const index_t sides : {2, 3, 40})
            for (const index_t systems : {1, 5})
                for (const bool pivoted : {false, true}) {
                    chain_question q = question(scalar::f32, n, systems, pivoted, ++seed);
                    q.rhs = vector_shape::flat(scalar::f32, n, systems * sides);
                    expect_right(q);
                    q.options.transposed = true;
                    q.rhs.stride = n + 4;
                    expect_right(q);
                }
}

/// Systems of `count` vectors as they lie in memory, each `ahead` elements behind a boundary of 16 bytes, and
/// lower, diagonal, upper and right side in one array where they are woven.
template <class T>
void expect_right_at(index_t n, index_t count, index_t stride, int ahead, bool woven, bool pivoted) {
    chain_question q;
    q.matrix = q.rhs = woven ? vector_shape::unified(scalar_of<T>::value, n, count)
                             : vector_shape::flat(scalar_of<T>::value, n, count);
    q.matrix.stride = q.rhs.stride = stride;
    q.options.pivoting = pivoted ? pivoting::partial : pivoting::none;
    q.options.variant = variant;
    chain_answer a;
    for (unsigned v = 0; v < static_cast<unsigned>(count); ++v) {
        a.lower.push_back(random_values(n, 4 * v));
        a.upper.push_back(random_values(n, 4 * v + 1));
        a.rhs.push_back(random_values(n, 4 * v + 2));
        a.diagonal.push_back(random_values(n, 4 * v + 3));
        for (double& d : a.diagonal.back()) d = pivoted ? d / 8 : 3 + d / 2;
        for (auto* all : {&a.lower, &a.diagonal, &a.upper, &a.rhs})
            for (double& e : all->back()) e = static_cast<T>(e);
    }
    const index_t size = q.rhs.span_elements() + ahead;
    std::vector<T> image(static_cast<std::size_t>((woven ? 1 : 4) * size) + 3, static_cast<T>(NAN));
    const values* const given[] = {&a.lower, &a.diagonal, &a.upper, &a.rhs};
    std::vector<index_t> places;
    for (int k = 0; k < 4; ++k) places.push_back(ahead + (woven ? k : k * size));
    for (std::size_t k = 0; k < 4; ++k)
        for (index_t v = 0; v < count; ++v)
            for (index_t i = 0; i < n; ++i)
                image[static_cast<std::size_t>(places[k] + q.rhs.at(v, i))] =
                    static_cast<T>((*given[k])[static_cast<std::size_t>(v)][static_cast<std::size_t>(i)]);
    const auto device = to_device(on_cuda{}, std::span<const T>(image));
    const auto view = [&](int k) {
        return vectors(device.data() + places[static_cast<std::size_t>(k)], q.rhs);
    };
    const tridiagonal_result r = tridiagonal_solve(on_cuda{}, view(0), view(1), view(2), view(3), q.options);
    std::vector<T> now(image.size());
    copy_bytes(on_cuda{}, now.data(), device.data(), std::ssize(now) * index_t{sizeof(T)});
    const std::string what = q.what() + ", " + std::to_string(ahead) + " ahead, " + r.run.policy;
    for (index_t v = 0; v < count; ++v) {
        a.solution.emplace_back();
        for (index_t i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(places[3] + q.rhs.at(v, i));
            a.solution.back().push_back(now[at]);
            now[at] = image[at];
        }
    }
    EXPECT_EQ(std::memcmp(now.data(), image.data(), now.size() * sizeof(T)), 0) << "written beside: " << what;
    EXPECT_LT(chain_ratio(q, a), good_chain_ratio) << what;
    EXPECT_EQ(r.first_bad_system, -1) << what;
}

TEST_F(TreePcrThomas, EveryAlignment) {
    for (const index_t n : {1, 4, 7, 8, 16, 33, 64, 100, 128, 300, 601})
        for (const int ahead : {0, 1, 2, 3})
            for (const index_t gap : {0, 1, 4})
                for (const bool pivoted : {false, true}) {
                    expect_right_at<float>(n, 37, n + gap, ahead, false, pivoted);
                    expect_right_at<double>(n, 37, n + gap, ahead, false, pivoted);
                }
}

TEST_F(TreePcrThomas, WovenRows) {
    for (const index_t n : {1, 2, 3, 8, 17, 32, 64, 129, 300, 1000})
        for (const int ahead : {0, 1, 4})
            for (const bool pivoted : {false, true}) {
                expect_right_at<float>(n, 35, n + ahead % 3, ahead, true, pivoted);
                expect_right_at<double>(n, 35, n + ahead % 3, ahead, true, pivoted);
            }
}

/// Scaled by a power of two a system has the same solution; pivots whose reciprocals are no ordinary numbers
/// are divided by.
TEST_F(TreePcrThomas, ExtremeScales) {
    for (const int power : {-1000, -300, 300, 1000, 1021})
        for (const index_t n : {1, 6, 50, 300, 700})
            for (const bool pivoted : {false, true}) {
                chain_question q = question(scalar::f64, n, 12, pivoted, 4);
                q.kind = chain_kind::dominant;
                std::string why;
                auto a = ask_chains(on_cuda{}, variant, q, &why);
                ASSERT_TRUE(a) << why;
                values lower = a->lower, diagonal = a->diagonal, upper = a->upper;
                for (values* all : {&lower, &diagonal, &upper})
                    for (double& e : (*all)[5]) e = std::ldexp(e, power);
                values rhs = a->rhs;
                for (double& e : rhs[5]) e = std::ldexp(e, power);
                const stored_vectors l(on_cuda{}, q.matrix, lower), d(on_cuda{}, q.matrix, diagonal),
                    u(on_cuda{}, q.matrix, upper), x(on_cuda{}, q.rhs, rhs);
                q.options.variant = variant;
                const auto r = tridiagonal_solve(on_cuda{}, l.const_view(), d.const_view(), u.const_view(),
                                                 x.view(), q.options);
                EXPECT_EQ(r.first_bad_system, -1) << q.what();
                if (power <= 1000) {
                    EXPECT_EQ(x.now(), a->solution) << q.what() << " scaled by 2^" << power;
                }
                *a = {lower, diagonal, upper, rhs, x.now(), {}, {}, true, true, r};
                EXPECT_LT(chain_ratio(q, *a), good_chain_ratio) << q.what() << " scaled by 2^" << power;
            }
}

/// A system that cannot be solved is named with its row, and its neighbours in the same warp do not suffer.
TEST_F(TreePcrThomas, BadNeighbours) {
    for (const double bad : {0.0, std::nan(""), static_cast<double>(INFINITY)})
        for (const index_t n : {1, 5, 9, 16, 40, 100, 500})
            for (const bool pivoted : {false, true}) {
                chain_question q = question(scalar::f64, n, 30, pivoted, 2);
                q.kind = chain_kind::dominant;
                std::string why;
                auto a = ask_chains(on_reference{}, "automatic", q, &why);
                ASSERT_TRUE(a) << why;
                for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
                    a->diagonal[11][i] = bad;
                    if (bad == 0) a->lower[11][i] = a->upper[11][i] = 0;
                }
                const stored_vectors l(on_cuda{}, q.matrix, a->lower), d(on_cuda{}, q.matrix, a->diagonal),
                    u(on_cuda{}, q.matrix, a->upper), x(on_cuda{}, q.rhs, a->rhs);
                buffer<std::int64_t> status(30, memory_space::device);
                q.options.variant = variant;
                q.options.status = status.data();
                const auto r = tridiagonal_solve(on_cuda{}, l.const_view(), d.const_view(), u.const_view(),
                                                 x.view(), q.options);
                std::vector<std::int64_t> found(30);
                copy_bytes(on_cuda{}, found.data(), status.data(), 30 * 8);
                const values now = x.now();
                EXPECT_EQ(r.first_bad_system, 11) << q.what();
                for (std::size_t s = 0; s < 30; ++s) {
                    if (s == 11) {
                        EXPECT_EQ(found[s], 0) << q.what();
                        continue;
                    }
                    EXPECT_EQ(found[s], -1) << q.what() << ", system " << s;
                    for (std::size_t i = 0; i < now[s].size(); ++i)
                        EXPECT_NEAR(now[s][i], a->solution[s][i], 1e-12) << q.what() << ", system " << s;
                }
            }
}

}  // namespace
}  // namespace wale::agreement
