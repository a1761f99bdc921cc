// packed_sequences_test - sequences end to end, in the width of the widest, on one thread and on several.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>
#include <wale/packed_sequences.hpp>

namespace wale {
namespace {

TEST(pack, none_and_empty_ones) {
    EXPECT_EQ(pack({}).view().count, 0);
    const std::vector<sequence_view> some{"", "ab", "", "c", ""};
    const packed_sequences all = pack(some);
    EXPECT_EQ(std::vector<index_t>(all.offsets.begin(), all.offsets.end()),
              (std::vector<index_t>{0, 0, 2, 2, 3, 3}));
    EXPECT_EQ(std::string(all.data.begin(), all.data.end()), "abc");
    EXPECT_EQ(all.view().symbol_bytes, 1);
}

TEST(pack, widens_to_the_widest) {
    const std::vector<std::uint16_t> two{7, 65535};
    const std::vector<std::uint32_t> four{1u << 31};
    const auto symbols = [](const packed_sequences& all, auto symbol) {
        std::vector<decltype(symbol)> out(all.data.size() / sizeof symbol);
        std::memcpy(out.data(), all.data.data(), all.data.size());
        return out;
    };
    const packed_sequences both = pack(std::vector<sequence_view>{"\xff", std::span(two)});
    EXPECT_EQ(both.symbol_bytes, 2);
    EXPECT_EQ(symbols(both, std::uint16_t{}), (std::vector<std::uint16_t>{255, 7, 65535}));
    const packed_sequences all =
        pack(std::vector<sequence_view>{std::span(two), "a", std::span(four), std::span(two)});
    EXPECT_EQ(all.symbol_bytes, 4);
    EXPECT_EQ(symbols(all, std::uint32_t{}), (std::vector<std::uint32_t>{7, 65535, 97, 1u << 31, 7, 65535}));
}

/// Megabytes, which several threads copy; parts begin within and between empty sequences.
TEST(pack, long_batches) {
    std::string text;
    for (int k = 0; k < 9'000'000; ++k) text += static_cast<char>('a' + k % 23);
    std::vector<sequence_view> cut;
    for (std::size_t at = 0, k = 0; at < text.size(); ++k) {
        const std::size_t size = k % 7 == 0 ? 0 : std::min(k * k % 40'000, text.size() - at);
        cut.emplace_back(std::string_view(text).substr(at, size));
        at += size;
    }
    const packed_sequences all = pack(cut);
    ASSERT_EQ(all.data.size(), text.size());
    EXPECT_EQ(std::memcmp(all.data.data(), text.data(), text.size()), 0);
    for (std::size_t k = 0; k < cut.size(); ++k)
        ASSERT_EQ(all.offsets[k + 1] - all.offsets[k], cut[k].size()) << k;
}

}  // namespace
}  // namespace wale
