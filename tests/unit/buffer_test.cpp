// buffer_test - owned memory on the host: alignment, moves, sizes that cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

namespace wale {
namespace {

using std::string_literals::operator""s;

TEST(Buffer, IsAlignedToACacheLine) {
    for (const index_t size : {1, 7, 64, 100000}) {
        const buffer<double> b(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
        EXPECT_EQ(std::ssize(b.span()), size);
    }
}

TEST(Buffer, NothingIsABuffer) {
    const buffer<int> nothing, empty(0);
    EXPECT_EQ(nothing.data(), nullptr);
    EXPECT_EQ(empty.data(), nullptr);
    EXPECT_TRUE(empty.span().empty());
    EXPECT_NO_THROW(copy_bytes(on_cpu{}, nullptr, nullptr, 0));
}

TEST(Buffer, MovesLeaveNothingBehind) {
    buffer<int> a(3);
    a.data()[2] = 9;
    const int* where = a.data();
    memory first(64, memory_space::host);
    memory second(std::move(first));
    EXPECT_EQ(first.data(), nullptr);  // NOLINT: what a move leaves is what is tested
    first = std::move(second);
    EXPECT_NE(first.data(), nullptr);
    EXPECT_EQ(first.bytes(), 64);
    const buffer<int> b(std::move(a));
    EXPECT_EQ(b.data(), where);
    EXPECT_EQ(b.data()[2], 9);
}

TEST(Buffer, SizesThatCannotBe) {
    EXPECT_THROW((void)buffer<int>(-1), bad_argument);
    EXPECT_THROW((void)buffer<int>(std::numeric_limits<index_t>::max() / 2), bad_argument);
    EXPECT_EQ(checked_bytes(3, 8), 24);
    EXPECT_THROW((void)checked_bytes(std::numeric_limits<index_t>::max(), 2), bad_argument);
}

TEST(Buffer, CopiesToTheHost) {
    const std::array<int, 3> from{1, 2, 3};
    const buffer<int> to = to_device(on_cpu{}, std::span<const int>(from));
    EXPECT_EQ(to.space(), memory_space::host);
    EXPECT_TRUE(std::equal(from.begin(), from.end(), to.data()));
}

TEST(host_memory, refuses_what_no_machine_has_with_both_numbers) {
    EXPECT_GT(available_host_memory(), 0);
    EXPECT_NO_THROW(demand_host_memory("little", 1 << 20));
    const auto numbers_of = [](auto&& request) {
        try {
            request();
        } catch (const out_of_memory& e) {
            EXPECT_FALSE(e.on_device());
            EXPECT_LT(e.available(), e.needed());
            EXPECT_EQ(std::string(e.what()), "host memory: needs " + std::to_string(e.needed()) + " bytes, " +
                                                 std::to_string(e.available()) + " are available");
            return e.needed();
        }
        return out_of_memory::unknown;
    };
    EXPECT_EQ(numbers_of([] { demand_host_memory("host memory", 1e17); }), 100000000000000000);
    EXPECT_EQ(numbers_of([] { buffer<double> b(index_t{1} << 57); }), index_t{1} << 60);
    EXPECT_GT(numbers_of([] { demand_host_memory("host memory", 1e300); }), index_t{1} << 62);
}

TEST(host_memory, messages_say_what_is_known) {
    EXPECT_EQ(out_of_memory("it", 5, 3).what(), "it: needs 5 bytes, 3 are available"s);
    EXPECT_EQ(out_of_memory("it", 5, out_of_memory::unknown).what(), "it: needs 5 bytes"s);
    EXPECT_EQ(out_of_memory("it", out_of_memory::unknown, 3, true).what(),
              "it: needs more than the 3 bytes available"s);
}

}  // namespace
}  // namespace wale
