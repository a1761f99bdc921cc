// tree_tuned_chains_test - rows of tridiagonal_solve with every row of their tuning tables and every number
// of resident blocks, at the edges that the tuning moves; long chains; vectors at every alignment.
#include <algorithm>
#include <functional>

#include "agreement/chains.hpp"
#include "solvers/tree/chains/cpu/partition/tuning.hpp"
#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"
#include "solvers/tree/chains/cuda/recursive_partition/tuning.hpp"
#include "solvers/tree/chains/cuda/spike/tuning.hpp"
#include "solvers/tree/chains/cuda/thomas_one_pass/tuning.hpp"
#include "solvers/tree/elimination/cpu_tuning.hpp"
#include "tuning_rows.hpp"

namespace wale::agreement {
namespace {

using questions = std::vector<chain_question>;

struct tuned_chains : named_row {
    std::function<questions()> ask;
};

chain_question question(const vector_shape& shape, bool pivoted, unsigned seed) {
    chain_question q;
    q.matrix = q.rhs = shape;
    q.kind = pivoted ? chain_kind::random : chain_kind::dominant;
    q.options.pivoting = pivoted ? pivoting::partial : pivoting::none;
    q.options.transposed = seed % 3 == 0;
    q.in_place = seed % 2 == 0;
    q.seed = seed;
    return q;
}

/// Flat chains of these sizes, of both types, with and without pivots, open and periodic.
questions flat_chains(const std::vector<index_t>& sizes, index_t count) {
    questions all;
    for (const index_t n : sizes)
        for (const scalar type : {scalar::f32, scalar::f64})
            for (const bool pivoted : {false, true})
                for (const bool periodic : {false, true}) {
                    if (n <= 0) continue;
                    const auto seed = static_cast<unsigned>(all.size() + 1);
                    all.push_back(question(vector_shape::flat(type, n, count), pivoted, seed));
                    all.back().options.periodic = periodic;
                }
    return all;
}

/// cpu/lanes: groups of systems side by side and transposed on the way.
questions lane_groups() {
    questions all;
    for (const index_t n : {1, 2, 9, 65, 400})
        for (const index_t count : {1, 7, 64, 83, 300})
            for (int layout = 0; layout < layout_count; ++layout)
                for (const bool pivoted : {false, true})
                    all.push_back(
                        question(chain_shape(layout, layout % 2 == 0 ? scalar::f64 : scalar::f32, n, count),
                                 pivoted, static_cast<unsigned>(all.size() + 1)));
    return all;
}

/// cuda/thomas_one_pass: rows beside the edges of chunks, blocks and clusters, systems beside those of a
/// tile.
questions edges_of_tile(const tuning::row<tree::one_pass::tile_policy>& row) {
    const auto& tile = row.policy;
    const scalar type = row.element_size == 4 ? scalar::f32 : scalar::f64;
    const index_t chunk = tile.rows, block = chunk * tile.chunks, width = tile.lanes * tile.words;
    questions all;
    for (const index_t edge : {chunk, 2 * chunk, 3 * chunk, block, 2 * block, 3 * block, 4 * block})
        for (const index_t n : {edge - 1, edge, edge + 1})
            for (const index_t count : {index_t{tile.words}, width - tile.words, width, 2 * width + 2}) {
                if (n > tile.most_rows()) continue;
                vector_shape shape = vector_shape::interleaved(type, n, count);
                shape.stride = count + count % 2;
                all.push_back(question(shape, tile.pivoted, static_cast<unsigned>(all.size() + 1)));
            }
    return all;
}

/// cuda/pcr_thomas: edges of threads, warps and blocks; without pivoting those of clusters too.
questions edges_of_threads(const tuning::row<tree::pcr_thomas::policy>& row, bool pivoted) {
    const int chunk = row.policy.rows;
    const int warps = row.policy.warps;
    const index_t block = index_t{32} * warps * chunk;
    questions all;
    for (const scalar type : {scalar::f32, scalar::f64}) {
        if (row.element_size != 0 && row.element_size != bytes_of(type)) continue;
        const auto add = [&](index_t n, index_t count, bool transposed) {
            const auto seed = static_cast<unsigned>(all.size() + 1);
            vector_shape shape = vector_shape::flat(type, n, count);
            shape.stride += seed % 3 == 0 ? seed % 7 : 0;
            for (const bool periodic : {false, true}) {
                all.push_back(question(shape, pivoted, seed));
                all.back().options.transposed = transposed;
                all.back().options.periodic = periodic;
            }
        };
        for (const int threads : {1, 2, 3, 16, 31, 32, 33, 64, 32 * warps - 1, 32 * warps})
            for (const index_t n : {threads * chunk - 1, threads * chunk, threads * chunk + 1})
                if (n <= block) add(n, 1 + n % 9, n % 2 == 0);
        if (pivoted) continue;
        for (const index_t n : {block + 1, 2 * block - 1, 2 * block, 2 * block + 1, 4 * block - 7,
                                7 * block + 5, 8 * block, 8 * block + 1, 16 * block})
            add(n, 1 + n % 40, false);
    }
    return all;
}

/// The rows of a table that are compiled for float or for double.
template <class Table>
std::vector<std::size_t> compiled_for_scalars(const Table& table) {
    std::vector<std::size_t> all = tuning::compiled_rows(table, 8);
    for (const std::size_t k : tuning::compiled_rows(table, 4))
        if (std::ranges::find(all, k) == all.end()) all.push_back(k);
    return all;
}

std::vector<tuned_chains> every_tuning() {
    std::vector<tuned_chains> all;
    const auto add = [&](const char* row, const std::string& table, std::size_t number,
                         std::function<questions()> ask) {
        all.push_back({row_with(row, table, number), std::move(ask)});
    };
    all.push_back({row_called("cpu/lanes"), lane_groups});
    all.push_back({row_called("cpu/thomas"), [] { return flat_chains({33, 2000, 30000}, 5); }});
    all.push_back({row_called("cpu/partition"), [] {
                       constexpr index_t run = 16 * tree::partition::chosen.run;
                       return flat_chains({100, run - 1, run, run + 1, 3 * run + 5}, 2);
                   }});
    for (const std::size_t k : tuning::compiled_rows(tree::one_pass::tiles))
        add("cuda/thomas_one_pass", "tree/chains/thomas_one_pass", k,
            [k] { return edges_of_tile(tree::one_pass::tiles[k]); });
    for (const std::size_t k : compiled_for_scalars(tree::pcr_thomas::unpivoted_policies))
        add("cuda/pcr_thomas", "tree/chains/pcr_thomas", k,
            [k] { return edges_of_threads(tree::pcr_thomas::unpivoted_policies[k], false); });
    for (const std::size_t k : compiled_for_scalars(tree::pcr_thomas::pivoted_policies))
        add("cuda/pcr_thomas", "tree/chains/pcr_thomas_pivoted", k,
            [k] { return edges_of_threads(tree::pcr_thomas::pivoted_policies[k], true); });
    for (const std::size_t k : tuning::compiled_rows(tree::partition::policies))
        add("cuda/recursive_partition", "tree/chains/recursive_partition", k, [k] {
            const auto& p = tree::partition::policies[k].policy;
            const index_t run = p.rows(8), group = run * p.group;
            return flat_chains({run - 1, run + 1, 32 * run + 1, group - 1, group, group + 1, 5 * group + 3},
                               2);
        });
    for (const std::size_t k : tuning::compiled_rows(tree::spike::policies))
        add("cuda/spike", "tree/chains/spike", k, [] { return flat_chains({500, 1023, 1025, 32769}, 2); });
    for (const std::size_t blocks : {1u, 2u, 5u})  // what so many resident blocks hold
        add("cuda/spike", "tree/chains/spike_blocks", blocks, [n = static_cast<index_t>(blocks) * 1000] {
            return flat_chains({n - 1, n}, 3);
        });
    return all;
}

class TunedChains : public row_test_of<tuned_chains> {};

TEST_P(TunedChains, AreRightAtTheEdges) {
    for (const chain_question& q : GetParam().ask())
        EXPECT_TRUE(expect_chains_right(GetParam(), q)) << "refused: " << q.what();
}

INSTANTIATE_TEST_SUITE_P(Rows, TunedChains, testing::ValuesIn(every_tuning()), test_name);

/// The rows for one long chain.
class LongChains : public row_test {};

TEST_P(LongChains, Edges) {
    for (const index_t n : {511, 512, 513, 1023, 1025, 32767, 32769, 131071, 131072, 131073, 262145, 1048576})
        for (const int choice : {0, 1, 2, 3})
            for (const bool pivoted : {false, true})
                for (const scalar type : {scalar::f64, scalar::f32}) {
                    if (pivoted && type == scalar::f32) continue;
                    chain_question q = question(vector_shape::flat(type, n), pivoted, 1);
                    q.options.periodic = choice & 1;
                    q.options.transposed = choice & 2;
                    expect_chains_right(GetParam(), q);
                }
}

/// Without the scale of rows the elimination of a run of `both_ways` overflows.
TEST_P(LongChains, PivotsAtLength) {
    for (const index_t n : {1000, 20000, 300000, 3000000})
        for (const auto& [kind, type] : {std::pair(chain_kind::zero_diagonal, scalar::f64),
                                         {chain_kind::both_ways, scalar::f64},
                                         {chain_kind::both_ways, scalar::f32}}) {
            chain_question q = question(vector_shape::flat(type, n), true, 1);
            q.kind = kind;
            expect_chains_right(GetParam(), q);
        }
}

TEST_P(LongChains, NotANumberEndsAndIsNamed) {
    const vector_shape shape = vector_shape::flat(scalar::f64, 100000);
    const values ones{std::vector<double>(100000, 1)};
    values four{std::vector<double>(100000, 4)};
    four[0][77777] = std::nan("");
    const stored_vectors l(where(), shape, ones), d(where(), shape, four);
    for (const pivoting p : {pivoting::none, pivoting::partial}) {
        const stored_vectors x(where(), shape, ones);
        tridiagonal_options o;
        o.variant = GetParam().name;
        o.pivoting = p;
        const auto r =
            tridiagonal_solve(where(), l.const_view(), d.const_view(), l.const_view(), x.view(), o);
        EXPECT_EQ(r.first_bad_system, 0);
        EXPECT_EQ(r.first_bad_row, 77777);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, LongChains,
                         testing::Values(row_called("cpu/partition"), row_called("cuda/spike"),
                                         row_called("cuda/recursive_partition")),
                         test_name);

/// The rows that divide by a pivot whose reciprocal is no normal number.
class ExtremeScales : public row_test {};

/// Scaled by a power of two a system has the same solution.
TEST_P(ExtremeScales, OfOneSystemChangeNoOther) {
    for (const int power : {-1000, -300, 300, 1000, 1021})
        for (const index_t n : {1, 6, 50, 300, 700})
            for (const bool pivoted : {false, true}) {
                chain_question q = question(vector_shape::flat(scalar::f64, n, 12), pivoted, 4);
                q.kind = chain_kind::dominant;
                std::string why;
                auto a = ask_chains(where(), GetParam().name, q, &why);
                ASSERT_TRUE(a) << why;
                const auto scaled = [&](values all) {
                    for (double& e : all[5]) e = std::ldexp(e, power);
                    return all;
                };
                const values lower = scaled(a->lower), diagonal = scaled(a->diagonal),
                             upper = scaled(a->upper), rhs = scaled(a->rhs);
                const stored_vectors l(where(), q.matrix, lower), d(where(), q.matrix, diagonal),
                    u(where(), q.matrix, upper), x(where(), q.rhs, rhs);
                q.options.variant = GetParam().name;
                const auto r = tridiagonal_solve(where(), l.const_view(), d.const_view(), u.const_view(),
                                                 x.view(), q.options);
                EXPECT_EQ(r.first_bad_system, -1) << q.what();
                if (power <= 1000) {
                    EXPECT_EQ(x.now(), a->solution) << q.what() << " scaled by 2^" << power;
                }
                *a = {lower, diagonal, upper, rhs, x.now(), {}, {}, true, true, r};
                EXPECT_LT(chain_ratio(q, *a), good_chain_ratio) << q.what() << " scaled by 2^" << power;
            }
}

INSTANTIATE_TEST_SUITE_P(Rows, ExtremeScales,
                         testing::Values(row_called("cpu/lanes"), row_called("cpu/thomas"),
                                         row_called("cuda/pcr_thomas")),
                         test_name);

/// `count` vectors, each `ahead` elements behind a boundary of 16 bytes; lower, diagonal, upper and right
/// side in one array where they are woven.
template <class T>
void expect_right_at(const named_row& row, const vector_shape& shape, int ahead, bool pivoted) {
    const bool woven = shape.layout == vector_layout::unified;
    const index_t n = shape.size, count = shape.count;
    chain_question q;
    q.matrix = q.rhs = shape;
    q.options.pivoting = pivoted ? pivoting::partial : pivoting::none;
    q.options.variant = row.name;
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
    const index_t size = shape.span_elements() + ahead;
    std::vector<T> image(static_cast<std::size_t>((woven ? 1 : 4) * size) + 3, static_cast<T>(NAN));
    const values* const given[] = {&a.lower, &a.diagonal, &a.upper, &a.rhs};
    const auto place = [&](index_t k) { return ahead + (woven ? k : k * size); };
    for (index_t k = 0; k < 4; ++k)
        for (index_t v = 0; v < count; ++v)
            for (index_t i = 0; i < n; ++i)
                image[static_cast<std::size_t>(place(k) + shape.at(v, i))] =
                    static_cast<T>((*given[k])[static_cast<std::size_t>(v)][static_cast<std::size_t>(i)]);
    const execution where = execution_of(row);
    const auto stored = to_device(where, std::span<const T>(image));
    const auto view = [&](index_t k) { return vectors(stored.data() + place(k), shape); };
    tridiagonal_result r;
    try {
        r = tridiagonal_solve(where, view(0), view(1), view(2), view(3), q.options);
    } catch (const unsupported_variant& e) {
        EXPECT_TRUE(row.name != "cuda/pcr_thomas" && may_refuse(row.name, q)) << e.what();
        return;
    }
    std::vector<T> now(image.size());
    copy_bytes(where, now.data(), stored.data(), std::ssize(now) * index_t{sizeof(T)});
    const std::string what = q.what() + ", " + std::to_string(ahead) + " ahead, " + r.run.policy;
    for (index_t v = 0; v < count; ++v) {
        a.solution.emplace_back();
        for (index_t i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(place(3) + shape.at(v, i));
            a.solution.back().push_back(now[at]);
            now[at] = image[at];
        }
    }
    EXPECT_EQ(std::memcmp(now.data(), image.data(), now.size() * sizeof(T)), 0) << "written beside: " << what;
    EXPECT_LT(chain_ratio(q, a), good_chain_ratio) << what;
    EXPECT_EQ(r.first_bad_system, -1) << what;
}

class Alignments : public row_test {
protected:
    static void expect_right(vector_shape shape, index_t gap, int ahead) {
        shape.stride += gap;
        for (const bool pivoted : {false, true}) {
            shape.type = scalar::f32;
            expect_right_at<float>(GetParam(), shape, ahead, pivoted);
            shape.type = scalar::f64;
            expect_right_at<double>(GetParam(), shape, ahead, pivoted);
        }
    }
};

TEST_P(Alignments, OfFlatVectors) {
    for (const index_t n : {1, 4, 7, 8, 16, 33, 64, 100, 128, 300, 601})
        for (const int ahead : {0, 1, 2, 3})
            for (const index_t gap : {0, 1, 4})
                expect_right(vector_shape::flat(scalar::f64, n, 37), gap, ahead);
}

TEST_P(Alignments, OfWovenRows) {
    for (const index_t n : {1, 2, 3, 8, 17, 32, 64, 129, 300, 1000})
        for (const int ahead : {0, 1, 4})
            expect_right(vector_shape::unified(scalar::f64, n, 35), ahead % 3, ahead);
}

INSTANTIATE_TEST_SUITE_P(Rows, Alignments,
                         testing::Values(row_called("cpu/lanes"), row_called("cpu/partition"),
                                         row_called("cuda/pcr_thomas"), row_called("cuda/thomas")),
                         test_name);

/// Bytes that a call announces on the device.
TEST(ThomasWorkspace, IsWhatTheMatrixDoesNotHold) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    const vector_shape shape = vector_shape::interleaved(scalar::f64, 100, 64);
    const values ones(64, std::vector<double>(100, 1.0));
    const stored_vectors a(on_cuda{}, shape, ones), b(on_cuda{}, shape, ones), c(on_cuda{}, shape, ones),
        apart(on_cuda{}, shape, ones);
    const auto bytes = [&](const stored_vectors& upper, const tridiagonal_options& o) {
        return tridiagonal_workspace(on_cuda{}, a.const_view(), b.const_view(), upper.const_view(),
                                     c.const_view(), c.view(), o);
    };
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas_one_pass"}), 0);
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas", .pivoting = pivoting::none}), 100 * 64 * 8);
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas"}), 2 * 100 * 64 * 8);
    EXPECT_EQ(bytes(apart, {.variant = "cuda/thomas", .overwrite = true}), 0);
    // lower and upper are one array: U may not take its place
    EXPECT_EQ(bytes(a, {.variant = "cuda/thomas", .overwrite = true}), 2 * 100 * 64 * 8);
}

}  // namespace
}  // namespace wale::agreement
