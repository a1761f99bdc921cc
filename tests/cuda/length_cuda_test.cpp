// length_cuda_test - the strip kernels against a scalar bit-parallel count, at the sizes and under the
// residency where carries, tags and tickets could go wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <type_traits>
#include <unordered_map>
#include <wale/wale.hpp>

#include "solvers/wavefront/length/cuda/tuning.hpp"

namespace {

using wale::index_t;

template <class T>
using text = std::vector<T>;

template <class T>
text<T> random_text(index_t size, std::uint32_t symbols, std::uint32_t seed, std::uint32_t spread = 1) {
    std::mt19937 generator(seed);
    text<T> out(static_cast<std::size_t>(size));
    for (T& x : out) x = static_cast<T>(generator() % symbols * spread);
    return out;
}

/// Length of the LCS, 64 rows a word (Hyyro 2004).
template <class T>
index_t expected_lcs(const text<T>& a, const text<T>& b) {
    const std::size_t words = (a.size() + 63) / 64;
    std::unordered_map<T, std::vector<std::uint64_t>> masks;
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto& m = masks[a[i]];
        m.resize(words);
        m[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    std::vector<std::uint64_t> v(words, ~std::uint64_t{0});
    for (const T x : b) {
        const auto m = masks.find(x);
        if (m == masks.end()) continue;
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < words; ++k) {
            const std::uint64_t u = v[k] & m->second[k];
            const std::uint64_t s = v[k] + u;
            const std::uint64_t t = s + carry;
            carry = (s < u || t < carry) ? 1 : 0;
            v[k] = t | (v[k] & ~m->second[k]);
        }
    }
    index_t zeros = 0;
    for (const std::uint64_t w : v) zeros += std::popcount(~w);
    return zeros;
}

/// Unit edit distance, one row of the table.
template <class T>
index_t expected_edit(const text<T>& a, const text<T>& b) {
    std::vector<std::int32_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (const T x : a) {
        std::int32_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::int32_t up = row[j + 1];
            row[j + 1] = std::min({up + 1, row[j] + 1, diagonal + (x == b[j] ? 0 : 1)});
            diagonal = up;
        }
    }
    return row.back();
}

/// Two sequences on the device.
template <class T>
struct device_pair {
    device_pair(const text<T>& a, const text<T>& b)
        : on_a(wale::to_device<T>(where, std::span(a))), on_b(wale::to_device<T>(where, std::span(b))) {}
    [[nodiscard]] wale::sequence_view a() const { return {on_a.data(), on_a.size(), sizeof(T)}; }
    [[nodiscard]] wale::sequence_view b() const { return {on_b.data(), on_b.size(), sizeof(T)}; }
    wale::execution where = wale::on_cuda{};
    wale::buffer<T> on_a, on_b;
};

template <class T>
void expect_string(const text<T>& a, const text<T>& b, index_t length) {
    const device_pair<T> pair(a, b);
    const auto found = wale::lcs_string(pair.where, pair.a(), pair.b());
    ASSERT_EQ(static_cast<index_t>(found.in_a.size()), length);
    ASSERT_EQ(found.in_b.size(), found.in_a.size());
    for (std::size_t k = 0; k < found.in_a.size(); ++k) {
        const auto i = static_cast<std::size_t>(found.in_a[k]);
        const auto j = static_cast<std::size_t>(found.in_b[k]);
        ASSERT_LT(i, a.size());
        ASSERT_LT(j, b.size());
        ASSERT_EQ(a[i], b[j]) << "symbol " << k;
        if (k == 0) continue;
        ASSERT_LT(found.in_a[k - 1], found.in_a[k]);
        ASSERT_LT(found.in_b[k - 1], found.in_b[k]);
    }
}

template <class T>
void expect_lcs(const text<T>& a, const text<T>& b) {
    SCOPED_TRACE(std::to_string(a.size()) + " x " + std::to_string(b.size()));
    const index_t length = expected_lcs(a, b);
    const device_pair<T> pair(a, b);
    for (const char* variant : {"cuda/strips", "cuda/strips_counter"})
        EXPECT_EQ(wale::lcs_length(pair.where, pair.a(), pair.b(), {variant}).length, length) << variant;
    expect_string(a, b, length);
}

template <class T>
void expect_edit(const text<T>& a, const text<T>& b) {
    SCOPED_TRACE(std::to_string(a.size()) + " x " + std::to_string(b.size()));
    const device_pair<T> pair(a, b);
    EXPECT_EQ(wale::edit_distance(pair.where, pair.a(), pair.b()).distance, expected_edit(a, b));
}

/// Runs `f` under every row of the tuning tables.
template <class F>
void with_every_policy(F&& f) {
    const std::size_t most =
        std::max({std::size(wale::wavefront::lcs_policies), std::size(wale::wavefront::edit_policies),
                  std::size(wale::wavefront::string_policies)});
    for (std::size_t row = 0; row < most; ++row) {
        const auto entry = [&](const char* name, std::size_t count) {
            return "wavefront/length/" + std::string(name) + "=" + std::to_string(std::min(row, count - 1));
        };
        const std::string all = entry("lcs_strips", std::size(wale::wavefront::lcs_policies)) + "," +
                                entry("edit_strips", std::size(wale::wavefront::edit_policies)) + "," +
                                entry("string_strips", std::size(wale::wavefront::string_policies));
        SCOPED_TRACE(all);
        setenv("WALE_TUNING", all.c_str(), 1);
        f();
        unsetenv("WALE_TUNING");
    }
}

class length_cuda : public testing::Test {
protected:
    void SetUp() override {
        const std::string reason = wale::why_unavailable(wale::backend::cuda);
        if (!reason.empty()) GTEST_SKIP() << reason;
    }
    void TearDown() override { unsetenv("WALE_TUNING"); }
};

TEST_F(length_cuda, empty_sequences) {
    const text<std::uint8_t> some{1, 2, 3};
    expect_lcs<std::uint8_t>({}, {});
    expect_lcs<std::uint8_t>(some, {});
    expect_lcs<std::uint8_t>({}, some);
    expect_edit<std::uint8_t>({}, {});
    expect_edit<std::uint8_t>(some, {});
    expect_edit<std::uint8_t>({}, some);
}

TEST_F(length_cuda, sizes_around_words_lanes_and_strips) {
    with_every_policy([] {
        for (const index_t m :
             {1, 2, 31, 32, 33, 255, 257, 1023, 1024, 1025, 2047, 2048, 2049, 8191, 8193, 8225})
            for (const index_t n : {1, 31, 32, 33, 64, 1000, 1025}) {
                const auto a = random_text<std::uint8_t>(m, 4, 1);
                const auto b = random_text<std::uint8_t>(n, 4, 2);
                expect_lcs(a, b);
                expect_edit(b, a);
            }
    });
}

TEST_F(length_cuda, carries_through_every_lane_strip_and_block) {
    with_every_policy([] {
        for (const index_t n : {33, 1025, 20000}) {
            const text<std::uint8_t> same(static_cast<std::size_t>(n), 'a');
            const text<std::uint8_t> longer(static_cast<std::size_t>(n + 1000), 'a');
            expect_lcs(same, longer);
            expect_lcs(same, same);
            if (n < 2000) expect_edit(same, longer);
        }
    });
}

TEST_F(length_cuda, unequal_sizes) {
    const auto one = random_text<std::uint8_t>(1, 4, 5);
    const auto few = random_text<std::uint8_t>(70, 4, 6);
    const auto many = random_text<std::uint8_t>(100000, 4, 7);
    expect_lcs(one, many);
    expect_lcs(many, few);
    expect_edit(one, many);
    expect_edit(many, few);
}

TEST_F(length_cuda, alphabets_of_bytes) {
    for (const std::uint32_t symbols : {1u, 2u, 4u, 5u, 20u, 31u, 32u, 100u, 127u, 128u, 200u, 255u, 256u}) {
        SCOPED_TRACE(symbols);
        with_every_policy([&] {
            expect_lcs(random_text<std::uint8_t>(5000, symbols, 8),
                       random_text<std::uint8_t>(3000, symbols, 9));
            expect_edit(random_text<std::uint8_t>(2500, symbols, 8),
                        random_text<std::uint8_t>(900, symbols, 9));
        });
    }
}

TEST_F(length_cuda, symbols_that_one_side_lacks) {
    expect_lcs(random_text<std::uint8_t>(3000, 100, 3, 2), random_text<std::uint8_t>(3000, 200, 4));
    expect_lcs(text<std::uint8_t>(2000, 'x'), text<std::uint8_t>(1500, 'y'));
    expect_edit(text<std::uint8_t>(2000, 'x'), text<std::uint8_t>(1500, 'y'));
}

template <class T>
void wide_symbols(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> cases) {
    for (const auto& [symbols, spread] : cases) {
        SCOPED_TRACE(std::to_string(symbols) + " symbols, apart by " + std::to_string(spread));
        expect_lcs(random_text<T>(4000, symbols, 10, spread), random_text<T>(2500, symbols, 11, spread));
        expect_edit(random_text<T>(1500, symbols, 10, spread), random_text<T>(800, symbols, 11, spread));
    }
}

TEST_F(length_cuda, wide_symbols) {
    wide_symbols<std::uint16_t>({{1, 7}, {4, 1}, {4, 0x3000}, {300, 1}, {300, 217}, {65536, 1}});
    wide_symbols<std::uint32_t>(
        {{1, 7}, {4, 0x30000000}, {300, 1}, {500, 8000000}, {2000, 2147483}, {5, 0x33333333}});
}

TEST_F(length_cuda, any_number_of_resident_blocks) {
    const auto a = random_text<std::uint8_t>(40000, 4, 12);
    const auto b = random_text<std::uint8_t>(30000, 4, 13);
    const index_t length = expected_lcs(a, b);
    const device_pair<std::uint8_t> pair(a, b);
    const index_t distance = wale::edit_distance(pair.where, pair.a(), pair.b()).distance;
    for (const int blocks : {1, 2, 7}) {
        setenv("WALE_TUNING", ("wavefront/length/max_blocks=" + std::to_string(blocks)).c_str(), 1);
        for (const char* variant : {"cuda/strips", "cuda/strips_counter"})
            EXPECT_EQ(wale::lcs_length(pair.where, pair.a(), pair.b(), {variant}).length, length) << variant;
        EXPECT_EQ(wale::edit_distance(pair.where, pair.a(), pair.b()).distance, distance);
        expect_string(a, b, length);
    }
    setenv("WALE_TUNING", "wavefront/length/max_blocks=1", 1);
    expect_edit(random_text<std::uint8_t>(9000, 4, 14), random_text<std::uint8_t>(5000, 4, 15));
}

TEST_F(length_cuda, similar_sequences) {
    const auto a = random_text<std::uint8_t>(60000, 4, 16);
    auto b = a;
    for (std::size_t i = 0; i < b.size(); i += 20) b[i] = static_cast<std::uint8_t>((b[i] + i / 20) % 4);
    b.erase(b.begin() + 1000, b.begin() + 9000);
    expect_lcs(a, b);
    expect_edit(text<std::uint8_t>(a.begin(), a.begin() + 8000),
                text<std::uint8_t>(b.begin(), b.begin() + 7000));
}

/// The whole path crosses the columns within one strip.
TEST_F(length_cuda, path_inside_one_strip) {
    text<std::uint8_t> a(30000, 'a');
    std::fill(a.begin() + 9000, a.begin() + 9500, 'c');
    text<std::uint8_t> b(20000, 'b');
    for (std::size_t i = 0; i < b.size(); i += 37) b[i] = 'c';
    expect_lcs(a, b);
}

TEST_F(length_cuda, a_hundred_thousand_a_side) {
    expect_lcs(random_text<std::uint8_t>(100000, 4, 17), random_text<std::uint8_t>(100000, 4, 18));
}

TEST_F(length_cuda, repeats_give_one_answer) {
    const auto a = random_text<std::uint8_t>(9000, 4, 19);
    const auto b = random_text<std::uint8_t>(7000, 4, 20);
    const device_pair<std::uint8_t> pair(a, b);
    const index_t length = expected_lcs(a, b);
    const auto string = wale::lcs_string(pair.where, pair.a(), pair.b());
    const index_t distance = expected_edit(a, b);
    for (int repeat = 0; repeat < 1000; ++repeat) {
        ASSERT_EQ(wale::lcs_length(pair.where, pair.a(), pair.b()).length, length);
        if (repeat % 10 != 0) continue;
        ASSERT_EQ(wale::lcs_length(pair.where, pair.a(), pair.b(), {"cuda/strips_counter"}).length, length);
        ASSERT_EQ(wale::edit_distance(pair.where, pair.a(), pair.b()).distance, distance);
        const auto again = wale::lcs_string(pair.where, pair.a(), pair.b());
        ASSERT_EQ(again.in_a, string.in_a);
        ASSERT_EQ(again.in_b, string.in_b);
    }
}

}  // namespace
