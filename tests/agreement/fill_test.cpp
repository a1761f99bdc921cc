// fill_test - every row of the table operation, host and CUDA, against the plain loops, through the public
// API.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <wale/wale.hpp>

#include "cuda/device_api.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale {
namespace {

using fill_row = catalogue::row<wavefront::fill_job>;

/// The rows of the host, and CUDA's where the plugin is there (with or without a device).
const std::vector<fill_row>& all_rows() {
    (void)cuda::api();
    return wavefront::fill_rows().rows;
}

std::string test_name(const testing::TestParamInfo<std::size_t>& info) {
    std::string name = all_rows()[info.param].name;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

/// A shape and a tile, and how far apart the rows lie.
struct geometry {
    index_t m, n;
    index_t padding = 0;  // elements after each row
    tile_shape tile{};
};

std::vector<geometry> small_shapes() {
    const index_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    std::vector<geometry> all;
    for (const index_t m : sizes)
        for (const index_t n : sizes) all.push_back({m, n, (m + n) % 3 * 5});
    return all;
}

std::vector<geometry> large_shapes() {
    return {{1000, 1024, 0}, {1025, 1023, 7}, {257, 1025, 1}, {1024, 129, 64}, {1, 4000, 3},
            {4000, 1, 0},    {3, 3001, 0},    {2999, 5, 2},   {700, 700, 4}};
}

std::vector<geometry> tiled_shapes() {
    const tile_shape tiles[] = {{1, 1},    {7, 3},  {3, 7},  {16, 16},    {33, 31},
                                {128, 96}, {0, 64}, {64, 0}, {5000, 5000}};
    const extents<2> shapes[] = {{{0, 5}},   {{1, 1}},    {{1, 128}},  {{100, 1}},
                                 {{64, 65}}, {{129, 33}}, {{65, 127}}, {{130, 257}}};
    std::vector<geometry> all;
    for (const tile_shape& t : tiles)
        for (const extents<2>& s : shapes) all.push_back({s[0], s[1], s[1] % 4, t});
    return all;
}

template <class T>
std::vector<T> random_symbols(index_t size, std::mt19937& random) {
    // Letters that differ in every byte, so that a narrowed or sign-extended comparison shows.
    const std::uint32_t letters[] = {0x41u, 0xC1u, 0xFFu, 0x02u, 0x10041u, 0x80000041u, 0x1C1u};
    const std::uint32_t count = sizeof(T) == 1 ? 4u : 7u;
    std::vector<T> s(static_cast<std::size_t>(size));
    for (T& x : s) x = static_cast<T>(letters[random() % count]);
    return s;
}

std::vector<float> random_series(index_t size, std::mt19937& random) {
    std::vector<float> s(static_cast<std::size_t>(size));
    std::uniform_real_distribution<float> value(-2, 2);
    for (float& x : s) x = random() % 8 ? value(random) : 0.5f;
    return s;
}

/// A table in the memory of `where` between two guards, all of it poisoned.
template <class T>
class poisoned_table {
public:
    static constexpr index_t guard = 64;  // elements, on either side
    poisoned_table(const execution& where, const geometry& g)
        : where_(where), g_(g), poison_(static_cast<std::size_t>((g.n + g.padding) * g.m + 2 * guard)) {
        std::memset(poison_.data(), 0xA5, poison_.size() * sizeof(T));
        memory_ = to_device(where, std::span<const T>(poison_));
    }
    matrix_view<T> view() const { return {memory_.data() + guard, {extents<2>{{g_.m, g_.n}}, pitch()}}; }
    index_t pitch() const { return g_.n + g_.padding; }

    /// Cells equal those of `expected`, and every byte around them is as it was.
    testing::AssertionResult holds(const std::vector<T>& expected) const {
        std::vector<T> after(poison_.size());
        copy_bytes(where_, after.data(), memory_.data(), std::ssize(after) * index_t{sizeof(T)});
        std::vector<T> wanted = poison_;
        for (index_t i = 0; i < g_.m; ++i)
            std::copy_n(expected.data() + i * g_.n, g_.n, wanted.data() + guard + i * pitch());
        if (std::memcmp(after.data(), wanted.data(), after.size() * sizeof(T)) == 0)
            return testing::AssertionSuccess();
        index_t at = 0;
        while (std::memcmp(&after[static_cast<std::size_t>(at)], &wanted[static_cast<std::size_t>(at)],
                           sizeof(T)) == 0)
            ++at;
        const index_t p = std::max<index_t>(pitch(), 1);
        return testing::AssertionFailure()
               << "first difference at row " << (at - guard) / p << ", column " << (at - guard) % p << " of "
               << g_.m << " x " << g_.n << " (pitch " << pitch() << "): found "
               << after[static_cast<std::size_t>(at)] << ", expected "
               << wanted[static_cast<std::size_t>(at)];
    }

private:
    execution where_;
    geometry g_;
    std::vector<T> poison_;
    buffer<T> memory_;
};

class Fill : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        const std::string reason = why_unavailable(row().where);
        if (!reason.empty()) GTEST_SKIP() << reason;
    }
    void TearDown() override {
        if (IsSkipped()) return;
        for (const std::string& reason : reasons_) std::cout << "[ refused  ] " << reason << '\n';
        EXPECT_TRUE(calls_ == 0 || ran_ > 0) << row().name << " refused all of " << calls_ << " calls";
    }

    static const fill_row& row() { return all_rows()[GetParam()]; }

    /// The row's backend; the CPU with `threads`.
    static execution where(int threads = 0) {
        if (row().where == backend::cpu) return on_cpu{threads};
        if (row().where == backend::cuda) return on_cuda{};
        return on_reference{};
    }

    /// Runs call(where, options) with the row under test; false if the row said why it cannot.
    template <class Call>
    bool runs(const execution& on, wavefront_options options, const Call& call) {
        options.variant = row().name;
        ++calls_;
        try {
            const wavefront_result result = call(on, options);
            EXPECT_EQ(result.run.variant, row().name);
        } catch (const unsupported_variant& e) {
            const std::string what = e.what();
            EXPECT_GT(what.size(), std::strlen(row().name) + 8) << "a refusal must say why: " << what;
            reasons_.insert(what);
            return false;
        }
        ++ran_;
        return true;
    }

    template <class T, class Symbol>
    void check_sequences(const geometry& g, wavefront_options options, int threads = 0) {
        std::mt19937 random(static_cast<unsigned>(g.m * 4099 + g.n));
        const auto a = random_symbols<Symbol>(g.m, random);
        const auto b = random_symbols<Symbol>(g.n, random);
        std::vector<T> expected(static_cast<std::size_t>(g.m * g.n));
        options.tile = g.tile;
        wavefront_options plain = options;
        plain.variant = "automatic";
        (void)wavefront_fill(on_reference{}, std::span<const Symbol>(a), std::span<const Symbol>(b),
                             matrix_view<T>(expected.data(), extents<2>{{g.m, g.n}}), plain);
        const execution on = where(threads);
        const auto da = to_device(on, std::span<const Symbol>(a));
        const auto db = to_device(on, std::span<const Symbol>(b));
        const poisoned_table<T> table(on, g);
        const auto call = [&](const execution& e, const wavefront_options& o) {
            return wavefront_fill(e, std::span<const Symbol>(da.span()), std::span<const Symbol>(db.span()),
                                  table.view(), o);
        };
        if (runs(on, options, call)) {
            EXPECT_TRUE(table.holds(expected));
        }
    }

    void check_series(const geometry& g, dtw_cost cost, int threads = 0) {
        std::mt19937 random(static_cast<unsigned>(g.m * 4099 + g.n + 1));
        const auto a = random_series(g.m, random);
        const auto b = random_series(g.n, random);
        std::vector<float> expected(static_cast<std::size_t>(g.m * g.n));
        wavefront_options options{.kind = recurrence::dtw, .cost = cost, .tile = g.tile};
        (void)wavefront_fill(on_reference{}, a, b,
                             matrix_view<float>(expected.data(), extents<2>{{g.m, g.n}}), options);
        const execution on = where(threads);
        const auto da = to_device(on, std::span<const float>(a));
        const auto db = to_device(on, std::span<const float>(b));
        const poisoned_table<float> table(on, g);
        const auto call = [&](const execution& e, const wavefront_options& o) {
            return wavefront_fill(e, da.span(), db.span(), table.view(), o);
        };
        if (runs(on, options, call)) {
            EXPECT_TRUE(table.holds(expected));
        }
    }

    template <class T>
    void check_image(const geometry& g, int threads = 0) {
        std::mt19937 random(static_cast<unsigned>(g.m * 4099 + g.n + 2));
        const index_t pitch = g.n + g.m % 5;  // pixels
        const extents<2> shape{{g.m, g.n}};
        std::vector<std::uint8_t> image(static_cast<std::size_t>(g.m * pitch));
        for (std::uint8_t& p : image) p = static_cast<std::uint8_t>(random());
        std::vector<T> expected(static_cast<std::size_t>(g.m * g.n));
        wavefront_options options{.kind = recurrence::summed_area, .tile = g.tile};
        (void)wavefront_fill(on_reference{}, matrix_view<const std::uint8_t>(image.data(), {shape, pitch}),
                             matrix_view<T>(expected.data(), shape), options);
        const execution on = where(threads);
        const auto pixels = to_device(on, std::span<const std::uint8_t>(image));
        const poisoned_table<T> table(on, g);
        const auto call = [&](const execution& e, const wavefront_options& o) {
            return wavefront_fill(e, matrix_view<const std::uint8_t>(pixels.data(), {shape, pitch}),
                                  table.view(), o);
        };
        if (runs(on, options, call)) {
            EXPECT_TRUE(table.holds(expected));
        }
    }

    template <class T>
    void check_widths(const geometry& g, const wavefront_options& options, int threads = 0) {
        check_sequences<T, std::uint8_t>(g, options, threads);
        check_sequences<T, std::uint16_t>(g, options, threads);
        check_sequences<T, std::uint32_t>(g, options, threads);
    }

    /// Every recurrence, element type and symbol width on these shapes; stops after a few failures.
    void check_all(const std::vector<geometry>& shapes, int threads = 0) {
        const wavefront_options sequences[] = {
            {.kind = recurrence::lcs},
            {.kind = recurrence::edit},
            {.kind = recurrence::global},
            {.kind = recurrence::global, .score = {.match = 5, .mismatch = -4, .gap = -7}},
            {.kind = recurrence::global, .score = {.match = -2, .mismatch = 3, .gap = 1}},
        };
        for (const geometry& g : shapes) {
            SCOPED_TRACE(testing::Message() << g.m << " x " << g.n << ", tile " << g.tile.rows << " x "
                                            << g.tile.columns << ", threads " << threads);
            for (const wavefront_options& o : sequences) {
                SCOPED_TRACE(testing::Message() << "recurrence " << static_cast<int>(o.kind));
                check_widths<std::int32_t>(g, o, threads);
                check_widths<std::int16_t>(g, o, threads);
            }
            check_series(g, dtw_cost::absolute, threads);
            check_series(g, dtw_cost::squared, threads);
            check_image<std::int32_t>(g, threads);
            check_image<std::int64_t>(g, threads);
            if (HasFailure()) return;
        }
    }

private:
    int calls_ = 0, ran_ = 0;
    std::set<std::string> reasons_;
};

TEST_P(Fill, SmallShapes) {
    check_all(small_shapes());
}

TEST_P(Fill, LargeShapes) {
    check_all(large_shapes());
}

TEST_P(Fill, Tiles) {
    check_all(tiled_shapes());
}

TEST_P(Fill, Threads) {
    if (row().where != backend::cpu) GTEST_SKIP() << "only CPU rows take a number of threads";
    for (const int threads : {1, 2, 3, 7})
        check_all({{300, 517, 3, {16, 32}}, {33, 1025, 0, {}}, {2, 2, 0, {1, 1}}, {1000, 700, 0, {}}},
                  threads);
}

TEST_P(Fill, SmallestTilesAndStreaming) {
    if (row().where != backend::cpu) GTEST_SKIP() << "a tuning row of the CPU";
    setenv("WALE_TUNING", "wavefront/fill/cpu=1", 1);
    check_all({{1, 1}, {3, 64}, {4, 65, 1}, {17, 200, 56}, {33, 129, 3}, {100, 1000, 24}, {65, 515, 0}});
    unsetenv("WALE_TUNING");
}

/// Strings over three letters up to length 6, end to end in one buffer.
struct all_strings {
    std::vector<std::uint8_t> data;
    std::vector<index_t> offset{0};
    all_strings() {
        for (int length = 0, count = 1; length <= 6; ++length, count *= 3)
            for (int code = 0; code < count; ++code) {
                for (int k = 0, rest = code; k < length; ++k, rest /= 3)
                    data.push_back(static_cast<std::uint8_t>('a' + rest % 3));
                offset.push_back(std::ssize(data));
            }
    }
    index_t count() const { return std::ssize(offset) - 1; }
    std::span<const std::uint8_t> at(index_t s) const { return of(data.data(), s); }
    std::span<const std::uint8_t> of(const std::uint8_t* base, index_t s) const {
        const auto i = static_cast<std::size_t>(s);
        return {base + offset[i], static_cast<std::size_t>(offset[i + 1] - offset[i])};
    }
    /// The letters of x, then y, first appear in the order a, b, c: one pair for each renaming of letters.
    bool canonical(index_t x, index_t y) const {
        std::uint8_t next = 'a';
        for (const auto& s : {at(x), at(y)})
            for (const std::uint8_t c : s) {
                if (c > next) return false;
                if (c == next) ++next;
            }
        return true;
    }
};

TEST_P(Fill, EveryPairOfShortStrings) {
    constexpr index_t slot = 36;                                 // cells of the largest table
    const index_t step = row().where == backend::cuda ? 11 : 1;  // CUDA: a sample, one pair in eleven
    const all_strings strings;
    const execution on = where();
    const auto letters = to_device(on, std::span<const std::uint8_t>(strings.data));
    std::vector<std::pair<index_t, index_t>> pairs;
    for (index_t x = 0, k = 0; x < strings.count(); ++x)
        for (index_t y = 0; y < strings.count(); ++y)
            if (strings.canonical(x, y) && k++ % step == 0) pairs.emplace_back(x, y);
    const std::vector<std::int32_t> zeros(pairs.size() * slot, -1);
    for (const recurrence kind : {recurrence::lcs, recurrence::edit, recurrence::global}) {
        const wavefront_options options{.kind = kind};
        auto expected = zeros;
        const auto computed = to_device(on, std::span<const std::int32_t>(zeros));
        bool all_ran = true;
        for (std::size_t k = 0; k < pairs.size() && all_ran; ++k) {
            const auto [x, y] = pairs[k];
            const extents<2> shape{{std::ssize(strings.at(x)), std::ssize(strings.at(y))}};
            const auto at = static_cast<index_t>(k) * slot;
            (void)wavefront_fill(on_reference{}, strings.at(x), strings.at(y),
                                 matrix_view<std::int32_t>(expected.data() + at, shape), options);
            const matrix_view<std::int32_t> table(computed.data() + at, shape);
            all_ran = runs(on, options, [&](const execution& e, const wavefront_options& o) {
                return wavefront_fill(e, strings.of(letters.data(), x), strings.of(letters.data(), y), table,
                                      o);
            });
        }
        if (!all_ran) continue;
        auto found = zeros;
        copy_bytes(on, found.data(), computed.data(), std::ssize(found) * 4);
        EXPECT_TRUE(found == expected)
            << "first difference in pair "
            << (std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin()) / slot;
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Fill, testing::Range(std::size_t{0}, all_rows().size()), test_name);

}  // namespace
}  // namespace wale
