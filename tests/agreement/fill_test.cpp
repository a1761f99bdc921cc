// fill_test - every row of the table operation, with every tuning row and number of resident blocks, against
// the plain loops, through the public API.

#include "fill_tables.hpp"
#include "rows.hpp"
#include "solvers/wavefront/fill/cpu/tuning.hpp"
#include "solvers/wavefront/fill/cuda/tuning.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "thinned.hpp"
#include "tuning_rows.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

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

/// All seams in small tables; on a device also many more tiles than blocks.
std::vector<geometry> tuned_shapes(bool on_device) {
    std::vector<geometry> all{{1, 1},       {3, 64},         {4, 65, 1},   {17, 200, 56},
                              {33, 129, 3}, {100, 1000, 24}, {65, 515, 0}, {300, 300, 3, {8, 16}}};
    if (on_device) all.insert(all.end(), {{700, 1300}, {300, 3000, 3, {8, 16}}});
    return all;
}

/// Bytes of shared memory that a block of every device has.
constexpr index_t least_shared = 48 * 1024;

struct fill : row_test {
    static bool in_tiles() {
        return GetParam().name.find("hyperlane") != std::string::npos ||
               GetParam().name == "cuda/rect_shared";
    }

    /// The only refusals that a row of this operation may make.
    static bool may_refuse(const geometry& g, const wavefront_options& options, std::size_t cell_bytes) {
        const std::string& row = GetParam().name;
        if (row == "cuda/strips_bits") return options.kind != recurrence::lcs;
        if (row == "cpu/simd") {
            const char* set = std::getenv("WALE_INSTRUCTION_SET");
            const bool vectors = options.kind == recurrence::global || options.kind == recurrence::dtw;
            return vectors && set != nullptr && std::string(set) == "scalar";
        }
        if (!on_device() || !in_tiles()) return false;
        // A tile that the caller or WALE_TUNING asks for may be larger than shared memory.
        const bool asked = g.tile.rows > 0 || g.tile.columns > 0 || !GetParam().tuning.empty();
        const index_t rows = std::min(g.tile.rows > 0 ? g.tile.rows : 256, g.m);
        const index_t columns = std::min(g.tile.columns > 0 ? g.tile.columns : 160, g.n);
        const auto bytes =
            (rows + 2) * (columns + 1) * static_cast<index_t>(cell_bytes) + 4 * (rows + columns);
        return asked && (rows > 1024 || bytes > least_shared);
    }

    /// Runs call(where, options) with the row under test; false if the row may refuse the call and does.
    template <class T, class Call>
    static bool runs(const geometry& g, const execution& on, wavefront_options options, const Call& call) {
        options.variant = GetParam().name;
        options.tile = g.tile;
        try {
            const wavefront_result result = call(on, options);
            EXPECT_EQ(result.run.variant, GetParam().name);
            if (on_device() && in_tiles() && g.m * g.n > 0) {
                EXPECT_EQ(result.run.policy.substr(0, 5), "tile=");
            }
        } catch (const unsupported_variant& e) {
            const std::string what = e.what();
            EXPECT_TRUE(may_refuse(g, options, sizeof(T))) << what;
            EXPECT_GT(what.size(), GetParam().name.size() + 8) << "a refusal must say why: " << what;
            return false;
        }
        return true;
    }

    /// The row under test writes the table that the reference writes; call(where, table, options) fills a
    /// table in the memory of `where`.
    template <class T, class Call>
    static void agrees(const geometry& g, const wavefront_options& options, int threads, const Call& call) {
        if (!asked_here()) return;
        std::vector<T> expected(static_cast<std::size_t>(g.m * g.n));
        (void)call(on_reference{}, matrix_view<T>(expected.data(), extents<2>{{g.m, g.n}}), options);
        const execution on = where(threads);
        const poisoned_table<T> table(on, g);
        if (runs<T>(g, on, options, [&](const auto& e, const auto& o) { return call(e, table.view(), o); })) {
            EXPECT_TRUE(table.holds(expected));
        }
    }

    template <class T, class Symbol>
    static void check_sequences(const geometry& g, const wavefront_options& options, int threads) {
        std::mt19937 random(static_cast<unsigned>(g.m * 4099 + g.n));
        const auto a = random_symbols<Symbol>(g.m, random);
        const auto b = random_symbols<Symbol>(g.n, random);
        agrees<T>(g, options, threads, [&](const execution& on, const matrix_view<T>& table, const auto& o) {
            const placed<Symbol> at(on, a), bt(on, b);
            return wavefront_fill(on, at.view(), bt.view(), table, o);
        });
    }

    template <class T>
    static void check_series(const geometry& g, dtw_cost cost, int threads) {
        std::mt19937 random(static_cast<unsigned>(g.m * 4099 + g.n + 1));
        const auto a = random_series<T>(g.m, random);
        const auto b = random_series<T>(g.n, random);
        const wavefront_options options{.kind = recurrence::dtw, .cost = cost};
        agrees<T>(g, options, threads, [&](const execution& on, const auto& table, const auto& o) {
            const auto at = to_device(on, std::span<const T>(a)), bt = to_device(on, std::span<const T>(b));
            return wavefront_fill(on, at.span(), bt.span(), table, o);
        });
    }

    template <class T>
    static void check_image(const geometry& g, int threads) {
        std::mt19937 random(static_cast<unsigned>(g.m * 4099 + g.n + 2));
        const index_t pitch = g.n + g.m % 5;  // pixels
        std::vector<std::uint8_t> image(static_cast<std::size_t>(g.m * pitch));
        for (std::uint8_t& p : image) p = static_cast<std::uint8_t>(random());
        const wavefront_options options{.kind = recurrence::summed_area};
        agrees<T>(g, options, threads, [&](const execution& on, const matrix_view<T>& table, const auto& o) {
            const auto pixels = to_device(on, std::span<const std::uint8_t>(image));
            const matrix_view<const std::uint8_t> view(pixels.data(), {extents<2>{{g.m, g.n}}, pitch});
            return wavefront_fill(on, view, table, o);
        });
    }

    template <class T>
    static void check_widths(const geometry& g, const wavefront_options& options, int threads) {
        check_sequences<T, std::uint8_t>(g, options, threads);
        check_sequences<T, std::uint16_t>(g, options, threads);
        check_sequences<T, std::uint32_t>(g, options, threads);
    }

    /// Every recurrence, element type and symbol width on these shapes; stops after a few failures.
    static void check_all(const std::vector<geometry>& shapes, int threads = 0) {
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
            for (const dtw_cost cost : {dtw_cost::absolute, dtw_cost::squared}) {
                check_series<float>(g, cost, threads);
                check_series<double>(g, cost, threads);
            }
            check_image<std::int32_t>(g, threads);
            check_image<std::int64_t>(g, threads);
            if (HasFailure()) return;
        }
    }
};

TEST_P(fill, small_shapes) {
    check_all(small_shapes());
}

TEST_P(fill, large_shapes) {
    check_all(large_shapes());
}

TEST_P(fill, tiles) {
    check_all(tiled_shapes());
}

TEST_P(fill, threads) {
    if (GetParam().where != backend::cpu) GTEST_SKIP() << "only CPU rows take a number of threads";
    for (const int threads : {1, 2, 3, 7})
        check_all({{300, 517, 3, {16, 32}}, {33, 1025, 0, {}}, {2, 2, 0, {1, 1}}, {1000, 700, 0, {}}},
                  threads);
}

/// Whether the letters of x, then y, first appear in the order a, b, c: one pair for each renaming of
/// letters.
bool canonical(const std::string& x, const std::string& y) {
    char next = 'a';
    for (const char c : x + y) {
        if (c > next) return false;
        if (c == next) ++next;
    }
    return true;
}

TEST_P(fill, every_pair_of_short_strings) {
    constexpr index_t slot = 36;                    // cells of the largest table
    const std::size_t step = on_device() ? 11 : 1;  // CUDA: a sample, one pair in eleven
    const execution on = where(0);
    std::vector<std::uint8_t> letters;
    std::vector<index_t> first;
    for (const std::string& s : all_short_strings()) {
        first.push_back(std::ssize(letters));
        letters.insert(letters.end(), s.begin(), s.end());
    }
    const auto there = to_device(on, std::span<const std::uint8_t>(letters));
    const auto at = [&](const std::uint8_t* base, std::size_t s) {
        return std::span<const std::uint8_t>(base + first[s], all_short_strings()[s].size());
    };
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t x = 0, k = 0; x < first.size(); ++x)
        for (std::size_t y = 0; y < first.size(); ++y)
            if (canonical(all_short_strings()[x], all_short_strings()[y]) && k++ % step == 0 && asked_here())
                pairs.emplace_back(x, y);
    const std::vector<std::int32_t> empty(pairs.size() * slot, -1);
    for (const recurrence kind : {recurrence::lcs, recurrence::edit, recurrence::global}) {
        const wavefront_options options{.kind = kind};
        auto expected = empty;
        const auto computed = to_device(on, std::span<const std::int32_t>(empty));
        bool all_ran = true;
        for (std::size_t k = 0; k < pairs.size() && all_ran; ++k) {
            const auto [x, y] = pairs[k];
            const geometry g{std::ssize(all_short_strings()[x]), std::ssize(all_short_strings()[y])};
            const extents<2> shape{{g.m, g.n}};
            const auto cell = static_cast<index_t>(k) * slot;
            (void)wavefront_fill(on_reference{}, at(letters.data(), x), at(letters.data(), y),
                                 matrix_view<std::int32_t>(expected.data() + cell, shape), options);
            const matrix_view<std::int32_t> table(computed.data() + cell, shape);
            all_ran = runs<std::int32_t>(g, on, options, [&](const execution& e, const wavefront_options& o) {
                return wavefront_fill(e, at(there.data(), x), at(there.data(), y), table, o);
            });
        }
        if (!all_ran) continue;
        auto found = empty;
        copy_bytes(on, found.data(), computed.data(), std::ssize(found) * 4);
        EXPECT_TRUE(found == expected)
            << "first difference in pair "
            << (std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin()) / slot;
    }
}

TEST_P(fill, not_finite_has_a_position) {
    std::vector<float> a(300, 1), b(200, 2);
    const auto message = [&] {
        const execution on = where();
        const auto x = to_device(on, std::span<const float>(a)), y = to_device(on, std::span<const float>(b));
        const poisoned_table<float> table(on, {300, 200});
        return thrown<bad_argument>([&] {
            (void)wavefront_fill(on, x.span(), y.span(), table.view(),
                                 {.variant = GetParam().name, .kind = recurrence::dtw});
        });
    };
    b[199] = HUGE_VALF;
    EXPECT_EQ(message(), "b: Inf at 199, expected finite numbers");
    a[257] = std::nanf("");
    EXPECT_EQ(message(), "a: NaN at 257, expected finite numbers");
}

INSTANTIATE_TEST_SUITE_P(wavefront, fill, testing::ValuesIn(rows_of(wavefront::fill_rows)), test_name);

struct tuned_fill : fill {};

TEST_P(tuned_fill, agrees) {
    check_all(tuned_shapes(on_device()));
}

named_rows all_tuned() {
    using namespace wavefront;
    constexpr const char* blocks = "wavefront/fill/max_blocks";
    const auto lanes = every_row(hyperlane_policies);
    const auto host = every_row(cpu_fill_policies);
    return tuned(
        rows_of(fill_rows),
        {{"fill", "cpu/simd", "wavefront/fill/cpu", host},
         {"fill", "cpu/hyperlane", "wavefront/fill/cpu", host},
         {"fill", "cpu/tiles", "wavefront/fill/cpu", host},
         {"fill", "cuda/strips_bits", "wavefront/fill/strips_bits",
          tuning::compiled_rows(strip_bits_policies), blocks},
         {"fill", "cuda/strips", "wavefront/fill/strips", tuning::compiled_rows(strip_policies), blocks},
         {"fill", "cuda/hyperlane", "wavefront/fill/hyperlane", lanes, blocks},
         {"fill", "cuda/hyperlane_flags", "wavefront/fill/hyperlane", lanes, blocks},
         {"fill", "cuda/hyperlane_streams", "wavefront/fill/hyperlane", lanes, blocks},
         {"fill", "cuda/rect_shared", "wavefront/fill/rect_shared", every_row(rect_shared_policies)},
         {"fill", "cuda/rect_global", "wavefront/fill/rect_global", every_row(rect_global_policies)}});
}

INSTANTIATE_TEST_SUITE_P(wavefront, tuned_fill, testing::ValuesIn(all_tuned()), test_name);

/// Rows whose blocks wait for each other.
struct waiting_fill : fill {
    /// An LCS table of 900 x 2000 in device memory.
    struct table_of_letters {
        std::vector<std::uint8_t> a, b;
        buffer<std::uint8_t> device_a, device_b;
        poisoned_table<std::int32_t> table;
        std::vector<std::int32_t> expected;

        explicit table_of_letters(std::mt19937 random)
            : a(random_symbols<std::uint8_t>(900, random)),
              b(random_symbols<std::uint8_t>(2000, random)),
              device_a(to_device(on_cuda{}, std::span<const std::uint8_t>(a))),
              device_b(to_device(on_cuda{}, std::span<const std::uint8_t>(b))),
              table(on_cuda{}, {900, 2000}),
              expected(a.size() * b.size()) {
            (void)wavefront_fill(on_reference{}, std::span<const std::uint8_t>(a),
                                 std::span<const std::uint8_t>(b),
                                 matrix_view<std::int32_t>(expected.data(), extents<2>{{900, 2000}}));
        }
        void run() const {
            (void)wavefront_fill(on_cuda{}, std::span<const std::uint8_t>(device_a.span()),
                                 std::span<const std::uint8_t>(device_b.span()), table.view(),
                                 {.variant = GetParam().name});
        }
    };
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(waiting_fill);  // without the plugin there are no such rows

TEST_P(waiting_fill, thousand_repeats_give_one_table) {
    const table_of_letters f{std::mt19937(1)};
    for (int k = 0; k < 1000; ++k) {
        f.run();
        if (k % 100 == 99) {
            ASSERT_TRUE(f.table.holds(f.expected)) << "run " << k;
        }
    }
}

TEST_P(waiting_fill, a_wait_that_cannot_end_is_an_error_of_a_large_table) {
    const table_of_letters f{std::mt19937(2)};
    {
        const tuning::scoped_override withheld("wavefront/fill/withhold=1");
        EXPECT_THROW(f.run(), device_error);
    }
    f.run();  // the next call is not affected
    EXPECT_TRUE(f.table.holds(f.expected));
}

INSTANTIATE_TEST_SUITE_P(wavefront, waiting_fill, testing::ValuesIn([] {
                             named_rows rows = on_cuda_only(rows_of(wavefront::fill_rows));
                             std::erase_if(rows, [](const auto& r) {
                                 return r.name.find("rect") != std::string::npos;
                             });
                             return rows;
                         }()),
                         test_name);

}  // namespace
}  // namespace wale::agreement
