// device_test - what holds of every CUDA row whatever it computes: the same bits again and again, thousands
// of calls, threads with streams of their own, a device without free memory. trouble_test has the rest.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <wale/wale.hpp>

#include "cuda/questions.hpp"

namespace wale::agreement {
namespace {

class Device : public testing::TestWithParam<operation> {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    [[nodiscard]] static index_t free_bytes() {
        std::size_t free = 0, all = 0;
        EXPECT_EQ(cudaMemGetInfo(&free, &all), cudaSuccess);
        return static_cast<index_t>(free);
    }
};

TEST_P(Device, EveryRowAgainAndAgain) {
    const operation& o = GetParam();
    const index_t size = 333;
    const question ask = o.make(on_cuda{}, size);
    const bytes truth = o.make(on_reference{}, size)("automatic");
    int asked = 0;
    for (const std::string& row : rows_of(o)) {
        const std::optional<bytes> first = answer(ask, row);
        if (!first) continue;
        ++asked;
        EXPECT_TRUE(!o.is_exact || *first == truth) << row;
        for (int run = 1; run < runs(100); ++run) ASSERT_TRUE(ask(row) == *first) << row << " run " << run;
    }
    EXPECT_GT(asked, 1);
}

TEST_P(Device, ThousandsOfCalls) {
    const operation& o = GetParam();
    const question ask = o.make(on_cuda{}, 40);
    const bytes first = ask("automatic");
    for (int run = 0; run < runs(100); ++run) (void)ask("automatic");
    const index_t before = free_bytes();
    for (int run = 0; run < runs(10000); ++run) ASSERT_TRUE(ask("automatic") == first) << run;
    EXPECT_LT(before - free_bytes(), index_t{64} << 20);
}

TEST_P(Device, SixteenThreadsWithStreamsOfTheirOwn) {
    const operation& o = GetParam();
    const bytes expected = o.make(on_cuda{}, 200)("automatic");
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int k = 0; k < 16; ++k)
        threads.emplace_back([&] {
            cudaStream_t stream = nullptr;
            if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
                return void(++wrong);
            try {
                const question ask = o.make(on_cuda{.device = 0, .stream = stream}, 200);
                for (int run = 0; run < runs(20); ++run) wrong += ask("automatic") != expected;
            } catch (const std::exception&) {
                ++wrong;
            }
            (void)cudaStreamDestroy(stream);
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
}

/// Without free memory a call ends in out_of_memory or in its answer, and the next call is as ever.
TEST_P(Device, FullMemoryAndTheNextCall) {
    const operation& o = GetParam();
    const index_t size = 1500;
    const question ask = o.make(on_cuda{}, size);
    const std::vector<std::string> rows = rows_of(o);
    std::vector<std::optional<bytes>> expected;
    for (const std::string& row : rows) expected.push_back(answer(ask, row));
    std::vector<void*> taken;
    for (std::size_t chunk = std::size_t{1} << 33; chunk >= 1 << 16; chunk /= 2)
        for (void* p = nullptr; cudaMalloc(&p, chunk) == cudaSuccess;) taken.push_back(p);
    (void)cudaGetLastError();
    int refused = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!expected[k]) continue;
        try {
            EXPECT_TRUE(ask(rows[k]) == *expected[k]) << rows[k];
        } catch (const out_of_memory&) {
            ++refused;
        }
    }
    for (void* p : taken) EXPECT_EQ(cudaFree(p), cudaSuccess);
    for (std::size_t k = 0; k < rows.size(); ++k)
        EXPECT_TRUE(!expected[k] || ask(rows[k]) == *expected[k])
            << rows[k] << " after " << refused << " refusals";
}

std::string name_of_operation(const testing::TestParamInfo<operation>& o) {
    return o.param.name;
}

INSTANTIATE_TEST_SUITE_P(Operations, Device, testing::ValuesIn(operations()), name_of_operation);

}  // namespace
}  // namespace wale::agreement
