// spread_pairs_test - one pair in host memory over several devices: the answers of the CPU, for parts of any
// number of strips, one strip included.
#include <gtest/gtest.h>

#include <random>
#include <wale/error.hpp>
#include <wale/wavefront.hpp>

#include "agreement/several_devices.hpp"
#include "tuning/override.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

class SpreadPairs : public SeveralDevices {
protected:
    /// Related sequences, so that answers are neither trivial: a copy with changes.
    template <class Symbol>
    static std::pair<std::vector<Symbol>, std::vector<Symbol>> related(std::size_t m, std::size_t n,
                                                                       unsigned letters, unsigned seed) {
        std::mt19937 random(seed);
        std::vector<Symbol> a(m), b(n);
        for (Symbol& s : a) s = static_cast<Symbol>(random() % letters);
        for (std::size_t k = 0; k < n; ++k)
            b[k] = k < m && random() % 8 != 0 ? a[(k + random() % 3) % m]
                                              : static_cast<Symbol>(random() % letters);
        return {a, b};
    }
    template <class Symbol>
    void expect_same(std::size_t m, std::size_t n, unsigned letters, unsigned seed) const {
        const auto [x, y] = related<Symbol>(m, n, letters, seed);
        const sequence_view a(x.data(), static_cast<index_t>(m), sizeof(Symbol)),
            b(y.data(), static_cast<index_t>(n), sizeof(Symbol));
        const std::string what =
            std::to_string(m) + " x " + std::to_string(n) + ", " + std::to_string(letters) + " letters";
        const auto lcs = lcs_length(many, a, b);
        EXPECT_EQ(lcs.length, lcs_length(cpu, a, b).length) << what << ", " << lcs.run.policy;
        const auto edit = edit_distance(many, a, b);
        EXPECT_EQ(edit.distance, edit_distance(cpu, a, b).distance) << what << ", " << edit.run.policy;
    }
};
INSTANTIATE_TEST_SUITE_P(Devices, SpreadPairs, device_lists(), devices_name);

TEST_P(SpreadPairs, AnySize) {
    constexpr std::size_t sizes[][2] = {{0, 0},         {0, 7},       {1, 1},        {31, 100},
                                        {8192, 3},      {8193, 1},    {8192, 8192},  {16384, 1000},
                                        {16385, 33},    {777, 24576}, {20000, 31},   {24577, 4097},
                                        {40000, 39999}, {100000, 65}, {50000, 50001}};
    unsigned seed = 0;
    for (const auto& [m, n] : sizes) expect_same<std::uint8_t>(m, n, 4, ++seed);
    expect_same<std::uint8_t>(30000, 20000, 25, 40);
    expect_same<std::uint8_t>(30000, 20000, 200, 41);
    expect_same<std::uint16_t>(30000, 20001, 3000, 42);
    expect_same<std::uint32_t>(20001, 30000, 100000, 43);
}

/// More parts than devices, each device several in turn; and words through the host's memory.
TEST_P(SpreadPairs, PartsInTurn) {
    const tuning::scoped_override few("wavefront/length/rows_at_once=8192");
    expect_same<std::uint8_t>(100000, 3001, 4, 1);
    expect_same<std::uint8_t>(65536, 65537, 20, 2);
    const tuning::scoped_override through_host("wavefront/length/through_host=1");
    expect_same<std::uint8_t>(100000, 3001, 4, 3);
    expect_same<std::uint16_t>(50000, 20000, 3000, 4);
    const tuning::scoped_override one_block("wavefront/length/max_blocks=1");
    expect_same<std::uint8_t>(100000, 1000, 4, 5);
}

TEST_P(SpreadPairs, BoundsAndVariants) {
    const auto [x, y] = related<std::uint8_t>(20000, 20000, 4, 9);
    const sequence_view a(x.data(), 20000, 1), b(y.data(), 20000, 1);
    edit_options o;
    o.bound = 100;
    const auto bounded = edit_distance(many, a, b, o);
    EXPECT_FALSE(bounded.within_bound);
    EXPECT_EQ(bounded.distance, 101);
    EXPECT_NE(thrown<unsupported_variant>([&] { (void)lcs_string(many, a, b); }).find("where.devices"),
              std::string::npos);
}

/// Rows that no warp computes: the waits of the parts below run out, and the call ends with an error.
TEST_P(SpreadPairs, AWaitForAnotherPartIsBounded) {
    const auto [x, y] = related<std::uint8_t>(30000, 3000, 4, 11);
    const sequence_view a(x.data(), 30000, 1), b(y.data(), 3000, 1);
    {
        const tuning::scoped_override withheld("wavefront/length/withhold=1");
        EXPECT_THROW((void)lcs_length(many, a, b), device_error);
    }
    EXPECT_EQ(lcs_length(many, a, b).length, lcs_length(cpu, a, b).length);
}

}  // namespace
}  // namespace wale::agreement
