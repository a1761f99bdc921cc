// spread_test - batches in host memory over several devices: where parts begin, that the answers are those of
// one device, and what is refused. {0, 0} is one device with two parts; {0, 1} where two devices are there.
#include <gtest/gtest.h>

#include <numeric>
#include <tuple>
#include <wale/alignment.hpp>
#include <wale/distance_matrix.hpp>
#include <wale/hines.hpp>
#include <wale/lu.hpp>
#include <wale/search.hpp>
#include <wale/tridiagonal.hpp>
#include <wale/wavefront.hpp>

#include "agreement/packed.hpp"
#include "agreement/several_devices.hpp"
#include "cuda/spread.hpp"

namespace wale::agreement {
namespace {

TEST(Split, ContiguousPartsOfEqualWork) {
    for (const index_t count : {0, 1, 2, 7, 100})
        for (const std::size_t parts : {1, 2, 3, 8})
            for (const index_t whole : {1, 4}) {
                const auto work = [](index_t k) { return static_cast<double>(k * k); };
                const auto cut = cuda::split_by_work(count, parts, whole, work);
                ASSERT_FALSE(cut.empty());
                ASSERT_LE(cut.size(), parts);
                EXPECT_EQ(cut.front().first, 0);
                EXPECT_EQ(cut.back().last, count);
                for (std::size_t k = 0; k < cut.size(); ++k) {
                    EXPECT_EQ(cut[k].first % whole, 0);
                    EXPECT_EQ(cut[k].first, k > 0 ? cut[k - 1].last : 0);
                    EXPECT_TRUE(cut[k].count() > 0 || count == 0);
                }
            }
    const auto even = cuda::split_by_work(1000, 4, 1, [](index_t) { return 5.0; });
    ASSERT_EQ(even.size(), 4u);
    for (const cuda::part& p : even) EXPECT_NEAR(static_cast<double>(p.count()), 250, 1);
    const auto heavy = cuda::split_by_work(100, 2, 1, [](index_t k) { return k == 0 ? 1e6 : 1.0; });
    EXPECT_EQ(heavy[0].last, 1) << "the first unit is half of the work";
}

TEST(Spread, WithoutCudaSaysSo) {
    if (is_available(backend::cuda)) GTEST_SKIP() << "CUDA is there";
    const packed a{.letters = "AC", .offsets = {0, 2}};
    std::vector<std::int32_t> out(1);
    EXPECT_THROW((void)edit_distance(on_cuda{.devices = {0}}, a.batch(), a.batch(), out),
                 backend_unavailable);
}

class SpreadOver : public SeveralDevices {};

packed random_texts(std::size_t count, std::size_t longest, unsigned seed) {
    packed out;
    for (unsigned k = 0; k < count; ++k)
        out.add(letters_of((seed + k * k * 37) % (longest + 1), "ACGT", seed + k));
    return out;
}

TEST_P(SpreadOver, Sequences) {
    for (const std::size_t count : {0, 1, 2, 3, 200}) {
        const packed a = random_texts(count, 300, 1), b = random_texts(count, 500, 7);
        std::vector<std::int32_t> one(count, -1), all(count, -2);
        (void)lcs_length(cpu, a.batch(), b.batch(), one);
        const batch_result r = lcs_length(many, a.batch(), b.batch(), all);
        EXPECT_EQ(one, all);
        EXPECT_LE(r.run.threads,
                  static_cast<int>(std::max<std::size_t>(1, std::min(count, many.devices.size()))));
        for (const index_t bound : {-1, 40}) {
            const edit_options o{.bound = bound};
            (void)edit_distance(cpu, a.batch(), b.batch(), one, o);
            (void)edit_distance(many, a.batch(), b.batch(), all, o);
            EXPECT_EQ(one, all) << bound;
        }
        std::vector<std::int64_t> scores(count, -1), spread(count, -2);
        const alignment_options o{.mode = alignment_mode::local, .matrix = {2, -3}, .open = 5, .extend = 2};
        (void)align(cpu, a.batch(), b.batch(), scores, o);
        (void)align(many, a.batch(), b.batch(), spread, o);
        EXPECT_EQ(scores, spread);
    }
}

/// Numbers in [-1, 1) that only depend on their place.
double number(index_t k) {
    const auto h = static_cast<std::uint32_t>(k) * 2654435761u ^ static_cast<std::uint32_t>(k >> 7) * 40503u;
    return static_cast<double>(h) * 0x1p-31 - 1;
}

TEST_P(SpreadOver, EachWithEach) {
    for (const std::size_t count : {0, 1, 5, 70}) {
        const packed a = random_texts(count, 120, 3), b = random_texts(90, 150, 5);
        for (const index_t gap : {0, 3}) {
            const auto ask = [&](const execution& on, bool symmetric, bool edit) {
                const auto rows = static_cast<index_t>(count), columns = symmetric ? rows : index_t{90};
                const index_t pitch = columns + gap;
                std::vector<std::int32_t> out(static_cast<std::size_t>(rows * pitch) + 1, -7);
                const matrix_view<std::int32_t> to(
                    out.data(), layout_right::mapping<2>(extents<2>{{rows, columns}}, pitch));
                if (symmetric)
                    (void)(edit ? edit_distances(on, a.batch(), to) : lcs_lengths(on, a.batch(), to));
                else
                    (void)(edit ? edit_distances(on, a.batch(), b.batch(), to)
                                : lcs_lengths(on, a.batch(), b.batch(), to));
                return out;
            };
            for (const bool symmetric : {false, true})
                for (const bool edit : {false, true})
                    EXPECT_EQ(ask(cpu, symmetric, edit), ask(many, symmetric, edit))
                        << count << " queries, symmetric " << symmetric << ", edit " << edit << ", gap "
                        << gap;
        }
    }
}

/// Hits, and what is beside them, of more and of fewer records than parts.
TEST_P(SpreadOver, Searches) {
    const packed queries = random_texts(3, 200, 11);
    for (const std::size_t count : {0, 1, 2, 3, 300}) {
        const packed records = random_texts(count, 400, 13);
        search_options o;
        o.matrix = substitution_matrix(2, -3);
        o.open = 5;
        o.extend = 2;
        o.top = 20;
        const search_result one = search(cpu, queries.batch(), records.batch(), o),
                            all = search(many, queries.batch(), records.batch(), o);
        EXPECT_EQ(one.letters, all.letters);
        ASSERT_EQ(one.hits.size(), all.hits.size());
        for (std::size_t q = 0; q < one.hits.size(); ++q) {
            ASSERT_EQ(one.hits[q].size(), all.hits[q].size()) << count << " records, query " << q;
            for (std::size_t k = 0; k < one.hits[q].size(); ++k) {
                const search_hit &x = one.hits[q][k], &y = all.hits[q][k];
                EXPECT_EQ(std::tuple(x.target, x.score, x.symbols, x.alignment.cigar()),
                          std::tuple(y.target, y.score, y.symbols, y.alignment.cigar()));
            }
        }
    }
}

TEST_P(SpreadOver, FactorsSolvesAndInvertsInPlace) {
    for (const index_t count : {0, 1, 2, 5, 130})
        for (const index_t gap : {0, 3}) {
            constexpr index_t n = 9;
            matrix_shape s{.rows = n, .columns = n, .leading = n + gap, .count = count};
            s.stride = n * s.leading + 2 * gap;
            std::vector<double> a(static_cast<std::size_t>(s.stride * count + 1));
            for (std::size_t k = 0; k < a.size(); ++k) a[k] = number(static_cast<index_t>(k));
            if (count > 3)  // one that is singular: a column of zeros
                for (index_t i = 0; i < n; ++i)
                    a[static_cast<std::size_t>(3 * s.stride + i * s.leading + 4)] = 0;
            const std::vector<double> before = a;
            std::vector<std::int32_t> pivots(static_cast<std::size_t>(count * n), -7),
                zero(pivots.size(), -7);
            std::vector<double> sign(static_cast<std::size_t>(count), 5), magnitude = sign;
            const lu_result r = lu_factor(many, matrices(a.data(), s),
                                          {.pivots = pivots.data(),
                                           .first_zero = zero.data(),
                                           .sign = sign.data(),
                                           .log_magnitude = magnitude.data()},
                                          {.growth = true});
            EXPECT_EQ(r.singular, count > 3 ? 1 : 0);
            EXPECT_EQ(r.first_singular, count > 3 ? 3 : -1);
            if (count > 0) {
                EXPECT_LT(lu_residual_ratio(cpu, const_matrices(before.data(), s),
                                            const_matrices(a.data(), s), pivots.data()),
                          30);
            }
            for (std::size_t k = 0; k < a.size(); ++k) {  // gaps stay as they were
                const auto place = static_cast<index_t>(k) % std::max<index_t>(1, s.stride);
                const bool inside = place < n * s.leading && place % s.leading < n;
                ASSERT_TRUE(inside || a[k] == before[k]) << k;
            }
            if (count == 0 || count > 3) continue;
            std::vector<double> x(static_cast<std::size_t>(count * n), 1), one = x;
            const matrix_shape right{.rows = n, .columns = 1, .leading = 1, .count = count, .stride = n};
            (void)lu_solve(many, const_matrices(a.data(), s), pivots.data(), matrices(x.data(), right));
            (void)lu_solve(cpu, const_matrices(a.data(), s), pivots.data(), matrices(one.data(), right));
            for (std::size_t k = 0; k < x.size(); ++k)
                EXPECT_NEAR(x[k], one[k], 1e-9 * (1 + std::abs(one[k])));
            std::vector<double> inverse = a;
            (void)lu_inverse(many, matrices(a.data(), s), pivots.data());
            (void)lu_inverse(cpu, matrices(inverse.data(), s), pivots.data());
            for (std::size_t k = 0; k < a.size(); ++k)
                EXPECT_NEAR(a[k], inverse[k], 1e-8 * (1 + std::abs(inverse[k])));
        }
}

TEST_P(SpreadOver, MatricesOfAllShapes) {
    std::vector<std::vector<float>> stored;
    std::vector<matrices> list;
    index_t pivot_count = 0;
    for (index_t k = 0; k < 12; ++k) {
        matrix_shape s{.type = scalar::f32, .rows = 1 + k * 3, .columns = 1 + k * 2, .leading = 1 + k * 2};
        auto& m = stored.emplace_back(static_cast<std::size_t>(s.span_elements()));
        for (std::size_t i = 0; i < m.size(); ++i)
            m[i] = static_cast<float>(number(k * 1000 + std::ssize(m) + static_cast<index_t>(i)));
        list.emplace_back(m.data(), s);
        pivot_count += s.diagonal();
    }
    const auto originals = stored;
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(pivot_count));
    (void)lu_factor(many, std::span<const matrices>(list), {.pivots = pivots.data()});
    const std::int32_t* own = pivots.data();
    for (std::size_t k = 0; k < list.size(); own += list[k++].diagonal())
        EXPECT_LT(lu_residual_ratio(cpu, const_matrices(originals[k].data(), list[k]), list[k], own), 30)
            << k;
}

struct chain_case {
    vector_shape shape;
    index_t right_sides;
};

TEST_P(SpreadOver, Chains) {
    const std::vector<index_t> starts{0, 5, 6, 40, 90, 91};
    for (const chain_case& c : {chain_case{vector_shape::flat(scalar::f64, 50, 37), 1},
                                {vector_shape::flat(scalar::f32, 3, 5), 2},
                                {vector_shape::interleaved(scalar::f64, 50, 37), 1},
                                {vector_shape::block_interleaved(scalar::f64, 20, 37, 8), 1},
                                {vector_shape::flat(scalar::f64, 700, 1), 5},
                                {vector_shape::flat(scalar::f64, 70, 1), 1},
                                {vector_shape::flat(scalar::f64, 70, 0), 1},
                                {vector_shape::ragged(scalar::f64, starts), 1}}) {
        vector_shape right = c.shape;
        right.count *= c.right_sides;
        if (c.shape.type == scalar::f32) right = vector_shape::flat(scalar::f32, c.shape.size, right.count);
        const auto room = [](const vector_shape& s) {
            return static_cast<std::size_t>(s.span_elements() + 16);
        };
        // Elements of either type in doubles' room.
        std::vector<double> memory[5];
        for (int k = 0; k < 5; ++k) {
            memory[k].resize(room(k < 3 ? c.shape : right));
            for (std::size_t i = 0; i < memory[k].size() * (c.shape.type == scalar::f32 ? 2 : 1); ++i) {
                const double v = number(static_cast<index_t>(i) * 5 + k) + (k == 1 ? 4 : 0);
                if (c.shape.type == scalar::f32)
                    reinterpret_cast<float*>(memory[k].data())[i] = static_cast<float>(v);
                else
                    memory[k][i] = v;
            }
        }
        std::vector<std::int64_t> status(static_cast<std::size_t>(c.shape.count), 9);
        const tridiagonal_options o{.status = status.data()};
        const const_vectors lower(memory[0].data(), c.shape), diagonal(memory[1].data(), c.shape),
            upper(memory[2].data(), c.shape), rhs(memory[3].data(), right);
        const vectors solution(memory[4].data(), right);
        const tridiagonal_result r = tridiagonal_solve(many, lower, diagonal, upper, rhs, solution, o);
        EXPECT_EQ(r.first_bad_system, -1);
        EXPECT_EQ(std::accumulate(status.begin(), status.end(), std::int64_t{0}), -c.shape.count);
        const auto good = [&](const const_vectors& x) {
            return right.count == 0 || tridiagonal_residual(cpu, lower, diagonal, upper, rhs, x) <=
                                           good_backward_error(right.type);
        };
        EXPECT_TRUE(good(solution));
        std::vector<double> copy = memory[3];
        (void)tridiagonal_solve(many, lower, diagonal, upper, vectors(copy.data(), right));
        EXPECT_TRUE(good(const_vectors(copy.data(), right))) << "in place";
    }
}

TEST_P(SpreadOver, NamesTheBadSystemOfTheWhole) {
    constexpr index_t n = 20, count = 40;
    const vector_shape s = vector_shape::flat(scalar::f64, n, count);
    std::vector<double> lower(n * count, 0), diagonal(n * count, 2), upper(n * count, 0), x(n * count, 1);
    diagonal[33 * n + 7] = 0;
    const tridiagonal_result r =
        tridiagonal_solve(many, const_vectors(lower.data(), s), const_vectors(diagonal.data(), s),
                          const_vectors(upper.data(), s), vectors(x.data(), s));
    EXPECT_EQ(r.first_bad_system, 33);
    EXPECT_EQ(r.first_bad_row, 7);
}

TEST_P(SpreadOver, Hines) {
    constexpr index_t n = 33;
    std::vector<std::int32_t> parent(n);
    for (index_t i = 0; i < n; ++i)
        parent[static_cast<std::size_t>(i)] = static_cast<std::int32_t>((i - 1) / 2);
    parent[0] = -1;
    const hines_plan plan(parent);
    for (const vector_shape& s :
         {vector_shape::flat(scalar::f64, n, 61), vector_shape::interleaved(scalar::f64, n, 61),
          vector_shape::block_interleaved(scalar::f64, n, 61, 4)}) {
        std::vector<double> upper(static_cast<std::size_t>(s.span_elements() + 64)), diagonal = upper,
                                                                                     b = upper;
        for (std::size_t k = 0; k < b.size(); ++k) {
            const auto i = static_cast<index_t>(k);
            upper[k] = -1 - 0.5 * number(i);
            diagonal[k] = 9 + number(i + 3);
            b[k] = number(i + 5);
        }
        std::vector<double> x = b;
        const const_vectors u(upper.data(), s), d(diagonal.data(), s);
        (void)hines_solve(many, plan, d, u, u, vectors(x.data(), s));  // symmetric and in place
        EXPECT_LE(hines_residual(cpu, plan, d, u, u, const_vectors(b.data(), s), const_vectors(x.data(), s)),
                  good_backward_error(scalar::f64));
    }
}

TEST_P(SpreadOver, RefusesWhatIsNotSplit) {
    std::vector<double> v(8, 1);
    const vector_shape woven = vector_shape::unified(scalar::f64, 1, 2);
    EXPECT_THROW(
        (void)tridiagonal_solve(many, const_vectors(v.data(), woven), const_vectors(v.data() + 1, woven),
                                const_vectors(v.data() + 2, woven), vectors(v.data() + 3, woven)),
        unsupported_variant);
    const matrix_shape s{.rows = 2, .columns = 2, .leading = 2, .count = 2, .stride = 4};
    std::vector<std::int32_t> pivots(4);
    EXPECT_THROW((void)lu_factor(many, matrices(v.data(), s), pivots.data(), {.asynchronous = true}),
                 bad_argument);
    EXPECT_THROW((void)lu_factor(on_cuda{.devices = {0, 4711}}, matrices(v.data(), s), pivots.data()),
                 bad_argument);
    EXPECT_THROW((void)lu_factor(on_cuda{.devices = {-1}}, matrices(v.data(), s), pivots.data()),
                 bad_argument);
    EXPECT_EQ(v, std::vector<double>(8, 1)) << "a refused call writes nothing";
}

INSTANTIATE_TEST_SUITE_P(Devices, SpreadOver, device_lists(), devices_name);

}  // namespace
}  // namespace wale::agreement
