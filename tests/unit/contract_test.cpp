// contract_test - what wavefront_fill and the length functions say to arguments that they cannot take. Every
// message names the argument, the value found and what was expected.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>
#include <wale/mesh_tools.hpp>
#include <wale/swc_file.hpp>
#include <wale/wale.hpp>

#include "thrown.hpp"

namespace wale {
namespace {

void expect_says(const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos)
        << "found \"" << message << "\", expected in it \"" << part << '"';
}

const execution hosts[] = {on_reference{}, on_cpu{}};

template <class T>
struct table_of {
    extents<2> shape;
    std::vector<T> cells;
    table_of(index_t m, index_t n) : shape{{m, n}}, cells(static_cast<std::size_t>(m * n)) {}
    matrix_view<T> view() { return {cells.data(), shape}; }
};

TEST(FillContract, NullData) {
    table_of<std::int32_t> t(3, 4);
    for (const execution& where : hosts) {
        const sequence_view nothing(nullptr, 3, 1);
        expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(where, nothing, "abcd", t.view()); }),
                    "a: data is null");
        const matrix_view<std::int32_t> no_table(nullptr, t.shape);
        expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(where, "abc", "abcd", no_table); }),
                    "table: data is null");
        // Nothing is read of empty inputs: they may be null.
        const matrix_view<std::int32_t> empty(nullptr, extents<2>{{0, 4}});
        EXPECT_NO_THROW((void)wavefront_fill(where, sequence_view(), "abcd", empty));
    }
}

TEST(FillContract, Shapes) {
    table_of<std::int32_t> t(3, 4);
    expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(on_cpu{}, "abcd", "abc", t.view()); }),
                "shape is 3 x 4, expected 4 x 3");
    const matrix_view<std::int32_t> narrow(t.cells.data(), {t.shape, 3});
    expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(on_cpu{}, "abc", "abcd", narrow); }),
                "pitch is 3, expected at least 4");
    expect_says(thrown<bad_argument>(
                    [&] { (void)wavefront_fill(on_cpu{}, sequence_view("abc", -3, 1), "abcd", t.view()); }),
                "-3");
    const std::vector<std::uint8_t> pixels(12);
    const matrix_view<const std::uint8_t> image(pixels.data(), extents<2>{{4, 3}});
    expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(on_cpu{}, image, t.view()); }),
                "expected 4 x 3");
}

TEST(FillContract, SymbolWidths) {
    table_of<std::int32_t> t(3, 4);
    const std::vector<std::uint16_t> wide(4);
    expect_says(thrown<bad_argument>([&] {
                    (void)wavefront_fill(on_cpu{}, "abc", std::span<const std::uint16_t>(wide), t.view());
                }),
                "1 and 2 bytes");
    const sequence_view odd("abc", 3, 3);
    expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(on_cpu{}, odd, "abcd", t.view()); }),
                "symbols of 3 bytes");
}

TEST(FillContract, RecurrenceAndInputs) {
    table_of<std::int32_t> t(3, 4);
    expect_says(thrown<bad_argument>([&] {
                    (void)wavefront_fill(on_cpu{}, "abc", "abcd", t.view(), {.kind = recurrence::dtw});
                }),
                "options.kind");
    const wavefront_options negative{.tile = {-4, 8}};
    expect_says(
        thrown<bad_argument>([&] { (void)wavefront_fill(on_cpu{}, "abc", "abcd", t.view(), negative); }),
        "options.tile: is -4 x 8");
}

/// Whether the library takes a table of T for an m x n problem; if not, it must be for the range.
template <class T>
bool range_accepted(index_t m, index_t n, const wavefront_options& o) {
    const std::vector<std::uint8_t> a(static_cast<std::size_t>(m)), b(static_cast<std::size_t>(n));
    std::vector<T> cells(static_cast<std::size_t>(m * n));
    try {
        (void)wavefront_fill(on_cpu{}, std::span<const std::uint8_t>(a), std::span<const std::uint8_t>(b),
                             matrix_view<T>(cells.data(), extents<2>{{m, n}}), o);
    } catch (const bad_argument& e) {
        expect_says(std::string(e.what()), "values may reach");
        return false;
    }
    return true;
}

TEST(FillContract, SixteenBitsToTheLastValue) {
    const wavefront_options lcs{.kind = recurrence::lcs}, edit{.kind = recurrence::edit};
    EXPECT_TRUE(range_accepted<std::int16_t>(3, 40000, lcs));  // the shorter one bounds an LCS
    EXPECT_TRUE(range_accepted<std::int16_t>(2, 32767, edit));
    EXPECT_FALSE(range_accepted<std::int16_t>(2, 32768, edit));
    EXPECT_TRUE(range_accepted<std::int16_t>(32767, 2, edit));
    EXPECT_FALSE(range_accepted<std::int16_t>(32768, 2, edit));
    // step * (m + n + 1) <= 32767 = 7 * 4681
    const wavefront_options seven{.kind = recurrence::global,
                                  .score = {.match = 1, .mismatch = -7, .gap = 3}};
    EXPECT_TRUE(range_accepted<std::int16_t>(680, 4000, seven));
    EXPECT_FALSE(range_accepted<std::int16_t>(681, 4000, seven));
}

TEST(FillContract, ThirtyTwoBits) {
    constexpr int most = std::numeric_limits<int>::max();
    const auto with_gap = [](int gap) {
        return wavefront_options{.kind = recurrence::global,
                                 .score = {.match = 1, .mismatch = -1, .gap = gap}};
    };
    EXPECT_TRUE(range_accepted<std::int32_t>(1, 1, with_gap(-(most / 3))));  // 1 + 1 + 1 steps
    EXPECT_FALSE(range_accepted<std::int32_t>(1, 1, with_gap(-(most / 3) - 1)));
    EXPECT_FALSE(range_accepted<std::int32_t>(1, 1, with_gap(std::numeric_limits<int>::min())));

    // 255 * 8421504 = 2147483520 fits 32 bits, 255 * 8421505 does not.
    const std::vector<std::uint8_t> pixels(8421505, 255);
    std::vector<std::int32_t> sums(pixels.size());
    const auto fill = [&](index_t n) {
        const extents<2> shape{{1, n}};
        (void)wavefront_fill(on_cpu{}, matrix_view<const std::uint8_t>(pixels.data(), shape),
                             matrix_view<std::int32_t>(sums.data(), shape));
    };
    EXPECT_NO_THROW(fill(8421504));
    EXPECT_EQ(sums[8421503], 2147483520);
    expect_says(thrown<bad_argument>([&] { fill(8421505); }), "32-bit cells hold up to");
}

TEST(FillContract, NotANumberHasAPosition) {
    table_of<float> t(4, 3);
    const std::vector<float> a{1, 2, 3, 4};
    std::vector<float> b{1, 2, std::nanf("")};
    for (const execution& where : hosts) {
        expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(where, a, b, t.view()); }),
                    "b: NaN at 2, expected finite numbers");
    }
    b[2] = 3;
    const std::vector<float> infinite{1, -HUGE_VALF, 3, 4};
    for (const execution& where : hosts)
        expect_says(thrown<bad_argument>([&] { (void)wavefront_fill(where, infinite, b, t.view()); }),
                    "a: -Inf at 1, expected finite numbers");
}

TEST(FillContract, VariantNames) {
    table_of<std::int32_t> t(3, 4);
    const std::string unknown = thrown<unsupported_variant>(
        [&] { (void)wavefront_fill(on_cpu{}, "abc", "abcd", t.view(), {.variant = "spiral"}); });
    expect_says(unknown, "'spiral'");
    for (const variant_info& v : variants("wavefront")) {
        const bool listed = unknown.find(v.name) != std::string::npos;
        EXPECT_TRUE(v.operation != "fill" || listed == (v.where == backend::cpu))
            << v.name << ": " << unknown;
    }
    // A schedule alone names it; another backend's variant does not.
    EXPECT_EQ(wavefront_fill(on_cpu{}, "abc", "abcd", t.view(), {.variant = "tiles"}).run.variant,
              "cpu/tiles");
    EXPECT_THROW((void)wavefront_fill(on_reference{}, "abc", "abcd", t.view(), {.variant = "cpu/tiles"}),
                 unsupported_variant);
}

TEST(FillContract, TheReportSaysWhatRan) {
    table_of<std::int32_t> t(3, 4);
    const report run =
        wavefront_fill(on_cpu{3}, "abc", "abcd", t.view(), {.variant = "cpu/tiles", .tile = {1, 2}}).run;
    EXPECT_EQ(run.variant, "cpu/tiles");
    EXPECT_EQ(run.policy, "tile=1x2");
    EXPECT_EQ(run.threads, 2);  // two tiles side by side occupy two
    EXPECT_EQ(run.work, 12);
    EXPECT_EQ(run.bytes, 48);
    EXPECT_GT(run.compute_seconds, 0);
}

TEST(LengthContract, Arguments) {
    const std::vector<std::uint16_t> wide(4);
    for (const execution& where : hosts) {
        expect_says(
            thrown<bad_argument>([&] { (void)lcs_length(where, sequence_view(nullptr, 2, 1), "ab"); }),
            "a: data is null");
        expect_says(
            thrown<bad_argument>([&] { (void)edit_distance(where, "ab", sequence_view("x", -1, 1)); }),
            "b: size is -1");
        expect_says(thrown<bad_argument>(
                        [&] { (void)edit_distance(where, "ab", std::span<const std::uint16_t>(wide)); }),
                    "1 and 2 bytes");
        expect_says(
            thrown<unsupported_variant>([&] { (void)lcs_length(where, "a", "b", {.variant = "spiral"}); }),
            "'spiral'");
        expect_says(
            thrown<unsupported_variant>([&] { (void)lcs_string(where, "a", "b", {.variant = "spiral"}); }),
            "'spiral'");
    }
}

TEST(Threads, AreNotNegative) {
    const char* const said = "where.threads: is -3, expected 0 (all) to 4096";
    const on_cpu where{.threads = -3};
    table_of<std::int32_t> t(3, 4);
    expect_says(thrown<bad_argument>([&] { (void)lcs_length(where, "a", "b"); }), said);
    expect_says(thrown<bad_argument>([&] { (void)lcs_string(where, "a", "b"); }), said);
    expect_says(thrown<bad_argument>([&] { (void)edit_distance(where, "a", "b"); }), said);
    expect_says(thrown<bad_argument>(
                    [&] { (void)wavefront_fill(where, "abc", "abcd", t.view(), {.variant = "rows"}); }),
                said);
    expect_says(thrown<bad_argument>([&] { (void)lcs_length(on_cpu{.threads = 4097}, "a", "b"); }),
                "where.threads: is 4097");
    std::vector<double> numbers(4, 1);
    const matrices a(matrix_view<double>(numbers.data(), extents<2>{{2, 2}}));
    std::vector<std::int32_t> pivots(2);
    expect_says(thrown<bad_argument>([&] { (void)lu_factor(where, a, {.pivots = pivots.data()}); }), said);
    const vector_shape shape = vector_shape::flat(scalar::f64, 4, 1);
    const const_vectors v(numbers.data(), shape);
    std::vector<double> x(4);
    expect_says(
        thrown<bad_argument>([&] { (void)tridiagonal_solve(where, v, v, v, v, vectors(x.data(), shape)); }),
        said);
    mesh_recipe recipe;
    recipe.size = 50;
    euler_case flow(generate_mesh(recipe), {});
    expect_says(thrown<bad_argument>([&] { (void)flow.run(where, 1); }), said);
    std::vector<std::uint8_t> pixels(4), filled(4);
    raster r;
    r.type = pixel::u8;
    r.rows = r.columns = 2;
    r.pack();
    const const_image_view mask(pixels.data(), r);
    expect_says(thrown<bad_argument>([&] { (void)fill_holes(where, mask, image_view(filled.data(), r)); }),
                said);
    cable cells(cable_model(grow_neuron({.stems = 1, .levels = 1})), {});
    expect_says(thrown<bad_argument>([&] { (void)cells.run(where, 1); }), said);
}

/// A shape that chains cannot have, of the right sides or of all arrays, and what is said of it.
TEST(ChainContract, Shapes) {
    std::vector<double> a(64, 4), b(64, 1);
    const auto shape = [](index_t size, index_t count, index_t stride = 0) {
        vector_shape s = vector_shape::flat(scalar::f64, size, count);
        if (stride != 0) s.stride = stride;
        return s;
    };
    const auto starts_of = [&](index_t size, index_t count, std::span<const index_t> starts) {
        vector_shape s = shape(size, count);
        s.starts = starts;
        return s;
    };
    vector_shape narrow = shape(4, 3), single = shape(4, 3), rows = shape(4, 3);
    narrow.width = 0;
    single.type = scalar::f32;
    rows.layout = vector_layout::interleaved;
    rows.stride = 2;
    const vector_shape good = shape(4, 3);
    const index_t few[] = {0, 8}, late[] = {1, 4, 8, 12}, falling[] = {0, 8, 4, 12},
                  short_of[] = {0, 4, 8, 11}, whole[] = {0, 3, 8, 12};
    const std::tuple<vector_shape, vector_shape, const char*> all[] = {
        {shape(-1, 3), good, "has size -1, expected 0 or more"},
        {shape(4, -1), good, "has -1 vectors, expected 0 or more"},
        {narrow, good, "has width 0, expected 1 or more"},
        {shape(4, 3, -2), good, "stride is -2, expected at least 0"},
        {rows, good, "stride is 2, expected at least 3"},
        {starts_of(12, 3, few), good, "has 2 starts, expected 4"},
        {starts_of(12, 3, late), good, "starts[0]: is 1, expected 0"},
        {starts_of(12, 3, falling), good, "starts[2]: is 4, expected at least 8"},
        {starts_of(12, 3, short_of), good, "ends at 11, expected its size, 12"},
        {starts_of(12, 3, whole), good, "expected "},
        {good, single, "rhs: is float32, expected float64 like diagonal"},
        {good, shape(4, 4), "rhs: has 4 vectors, expected a multiple of the 3 systems"},
        {good, shape(5, 3), "rhs: has size 5, expected 4 like diagonal"}};
    for (const auto& [matrix, right, said] : all)
        for (const execution& where : hosts) {
            const const_vectors m(a.data(), matrix), r(a.data(), right);
            expect_says(thrown<bad_argument>(
                            [&] { (void)tridiagonal_solve(where, m, m, m, r, vectors(b.data(), right)); }),
                        said);
        }
    const const_vectors m(a.data(), good);
    for (const auto& [other, said] : {std::pair{shape(3, 3), "has size 3, expected 4 like diagonal"},
                                      {shape(4, 2), "has 2 vectors, expected 3"},
                                      {single, "is float32, expected float64"},
                                      {shape(4, 3, 5), "has another layout"}})
        expect_says(thrown<bad_argument>([&] {
                        (void)tridiagonal_solve(on_cpu{}, const_vectors(a.data(), other), m, m, m,
                                                vectors(b.data(), good));
                    }),
                    said);
}

/// A plan without its nodes, and factors without a matrix.
TEST(ChainContract, MovedFrom) {
    std::vector<double> a(4, 4), b(4, 1);
    const vector_shape s = vector_shape::flat(scalar::f64, 4, 1),
                       none = vector_shape::flat(scalar::f64, 0, 1);
    const const_vectors m(a.data(), s);
    const std::int32_t path[] = {-1, 0, 1, 2};
    hines_plan plan(path), taken = std::move(plan);
    EXPECT_EQ(taken.size(), 4);
    EXPECT_EQ(plan.size() + plan.trees() + plan.branches() + plan.depth(), 0);  // NOLINT: moved from
    EXPECT_FALSE(plan.depth_first());
    tridiagonal_factors factors(on_cpu{}, m, m, m), kept = std::move(factors);
    EXPECT_EQ(factors.bytes(), 0);  // NOLINT: moved from
    EXPECT_EQ(factors.result().first_bad_system, -1);
    EXPECT_GT(kept.bytes(), 0);
    for (const execution& where : hosts) {
        const vectors right(b.data(), s);
        expect_says(thrown<bad_argument>([&] { (void)hines_solve(where, plan, m, m, m, right); }),
                    "rhs: has size 4, expected the plan's 0 nodes");
        const const_vectors empty(a.data(), none);
        EXPECT_EQ(hines_solve(where, plan, empty, empty, empty, vectors(b.data(), none)).first_bad_row, -1);
        expect_says(thrown<bad_argument>([&] { (void)hines_residual(where, plan, m, m, m, m, m); }),
                    "rhs: has size 4");
    }
    expect_says(thrown<bad_argument>([&] { (void)factors.solve(vectors(b.data(), s)); }),
                "factors: were moved from");
}

TEST(AlignContract, Batches) {
    const std::string letters = "ACGTACGT";
    const index_t good[] = {0, 3, 8}, falling[] = {0, 5, 2};
    std::vector<std::int64_t> scores(2);
    const sequence_batch a{letters.data(), good, 2, 1};
    const auto said = [&](const sequence_batch& query, const alignment_options& o, std::size_t room) {
        return thrown<bad_argument>(
            [&] { (void)align(on_cpu{}, query, a, std::span(scores.data(), room), o); });
    };
    expect_says(said({letters.data(), falling, 2, 1}, {}, 2),
                "sequence 1 is [5, 2), expected ascending offsets");
    expect_says(said(a, {}, 1), "2, 2 and 1 entries, expected the same");
    expect_says(said({letters.data(), good, 2, 2}, {}, 2), "symbols of 2 and 1 bytes, expected the same");
    expect_says(said(a, {.task = alignment_task::path}, 2), "expected score, or align_pairs");
    expect_says(said(a, {.open = -1}, 2), "open");
    const std::vector<std::uint16_t> wide(4, 7);
    alignment_options by_matrix;
    by_matrix.matrix = substitution_matrix::named("blosum62");
    expect_says(thrown<bad_argument>([&] {
                    (void)align(on_cpu{}, std::span<const std::uint16_t>(wide),
                                std::span<const std::uint16_t>(wide), by_matrix);
                }),
                "symbols of 2 bytes, expected 1, letters that have scores");
    expect_says(
        thrown<bad_argument>([&] { (void)align(on_cpu{}, "ACGT", std::span<const std::uint16_t>(wide)); }),
        "symbols of 1 and 2 bytes");
}

}  // namespace
}  // namespace wale
