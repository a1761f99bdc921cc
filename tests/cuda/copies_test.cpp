// copies_test - copies between the host and a device, of all sizes and pitches about the chunks in which
// pageable memory travels.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <thread>
#include <vector>
#include <wale/buffer.hpp>

#include "cuda/device_api.hpp"

namespace wale {
namespace {

constexpr index_t mebi = index_t{1} << 20;

std::vector<std::uint8_t> random_bytes(index_t size, unsigned seed) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    std::mt19937 random(seed);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    return bytes;
}

struct copies : testing::Test {
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

/// There and back, from an address that nothing aligns, with guards behind the bytes.
void expect_round_trip(index_t size, unsigned seed) {
    constexpr index_t shift = 3;
    const std::vector<std::uint8_t> from = random_bytes(size + shift, seed);
    const buffer<std::uint8_t> there(size, memory_space::device);
    copy_bytes(on_cuda{}, there.data(), from.data() + shift, size);
    std::vector<std::uint8_t> back(from.size() + 1, 7);
    copy_bytes(on_cuda{}, back.data() + shift, there.data(), size);
    for (index_t i = 0; i < shift; ++i) ASSERT_EQ(back[static_cast<std::size_t>(i)], 7) << size;
    ASSERT_EQ(back.back(), 7) << size;
    ASSERT_TRUE(std::equal(from.begin() + shift, from.end(), back.begin() + shift)) << size;
}

TEST_F(copies, bytes_about_the_chunks) {
    for (const index_t size : {index_t{1}, mebi, 3 * mebi - 1, 3 * mebi, 3 * mebi + 1, 4 * mebi, 5 * mebi + 7,
                               40 * mebi - 1, 67 * mebi + 5})
        expect_round_trip(size, static_cast<unsigned>(size));
}

TEST_F(copies, lines_with_gaps) {
    const cuda::device_api& api = cuda::require();
    const on_cuda where{};
    for (const index_t width : {index_t{1}, index_t{100}, index_t{4096}, mebi / 2 + 1, mebi, mebi + 1})
        for (const index_t gap : {0, 13})
            for (const index_t gap_there : {0, 16}) {
                const index_t lines = 4 * mebi / width + 3, pitch = width + gap,
                              there_pitch = width + gap_there;
                const std::vector<std::uint8_t> from = random_bytes(pitch * lines, 5);
                const buffer<std::uint8_t> there(there_pitch * lines, memory_space::device);
                api.copy_lines(where, there.data(), there_pitch, from.data(), pitch, width, lines);
                std::vector<std::uint8_t> back(from.size(), 7);
                api.copy_lines(where, back.data(), pitch, there.data(), there_pitch, width, lines);
                api.finish_stream(where);
                for (std::size_t i = 0; i < from.size(); ++i) {
                    const bool in_gap = static_cast<index_t>(i) % pitch >= width;
                    ASSERT_EQ(back[i], in_gap ? 7 : from[i]) << width << ", " << gap << ", " << gap_there;
                }
            }
}

TEST_F(copies, memory_that_is_not_pageable) {
    const buffer<std::uint8_t> pinned(8 * mebi, memory_space::pinned), there(8 * mebi, memory_space::device),
        second(8 * mebi, memory_space::device);
    std::iota(pinned.data(), pinned.data() + pinned.size(), std::uint8_t{0});
    copy_bytes(on_cuda{}, there.data(), pinned.data(), pinned.size());
    copy_bytes(on_cuda{}, second.data(), there.data(), there.size());
    std::vector<std::uint8_t> back(static_cast<std::size_t>(second.size()));
    copy_bytes(on_cuda{}, back.data(), second.data(), second.size());
    EXPECT_TRUE(std::equal(back.begin(), back.end(), pinned.data()));
}

TEST_F(copies, threads_share_the_chunks) {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 6; ++t)
        threads.emplace_back([t] {
            for (unsigned repeat = 0; repeat < 5; ++repeat) expect_round_trip(9 * mebi + t, 10 * t + repeat);
        });
}

}  // namespace
}  // namespace wale
