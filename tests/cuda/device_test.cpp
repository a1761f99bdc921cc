// device_test - what holds of every CUDA row whatever it computes: the same bits again and again, thousands
// of calls, threads with streams of their own, a device without free memory, fewer resident blocks than there
// are tiles.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <thread>
#include <wale/wale.hpp>

#include "tuning/override.hpp"

namespace wale::agreement {
namespace {

using bytes = std::vector<char>;
/// Asks one row on the data that was placed when the question was made.
using question = std::function<bytes(const std::string& variant)>;

template <class T>
std::vector<T> numbers(index_t count, double least, double most) {
    std::mt19937_64 draw(static_cast<std::uint64_t>(count));
    std::uniform_real_distribution<double> uniform(least, most);
    std::vector<T> all(static_cast<std::size_t>(count));
    for (T& v : all) v = static_cast<T>(uniform(draw));
    return all;
}

/// How often a call is repeated; WALE_DEVICE_RUNS makes it less, under a tool that slows kernels down.
int runs(int wanted) {
    const char* const most = std::getenv("WALE_DEVICE_RUNS");
    return most ? std::min(wanted, std::atoi(most)) : wanted;
}

/// An array where a call computes, and its copy on the host.
template <class T>
class placed {
public:
    placed(const execution& where, const std::vector<T>& from)
        : where_(where), from_(from), there_(to_device(where, std::span<const T>(from))) {}
    [[nodiscard]] T* data() const { return there_.data(); }
    void restore() const { copy_bytes(where_, data(), from_.data(), std::ssize(from_) * index_t{sizeof(T)}); }
    [[nodiscard]] bytes fetch() const {
        bytes all(from_.size() * sizeof(T));
        copy_bytes(where_, all.data(), data(), std::ssize(all));
        return all;
    }

private:
    execution where_;
    std::vector<T> from_;
    buffer<T> there_;
};

template <class T>
std::shared_ptr<placed<T>> place(const execution& where, const std::vector<T>& from) {
    return std::make_shared<placed<T>>(where, from);
}

bytes bytes_of_number(index_t n) {
    bytes all(sizeof n);
    std::memcpy(all.data(), &n, sizeof n);
    return all;
}

question lcs(const execution& where, index_t n) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(n + 7, 0, 4));
    return [=](const std::string& variant) {
        const std::span<const std::uint8_t> x(a->data(), static_cast<std::size_t>(n)),
            y(b->data(), static_cast<std::size_t>(n + 7));
        return bytes_of_number(lcs_length(where, x, y, {.variant = variant}).length);
    };
}

question edit(const execution& where, index_t n) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(n + 7, 0, 4));
    return [=](const std::string& variant) {
        const std::span<const std::uint8_t> x(a->data(), static_cast<std::size_t>(n)),
            y(b->data(), static_cast<std::size_t>(n + 7));
        return bytes_of_number(edit_distance(where, x, y, {.variant = variant}).distance);
    };
}

question table(const execution& where, index_t n) {
    const auto a = place(where, numbers<std::uint8_t>(n, 0, 4)),
               b = place(where, numbers<std::uint8_t>(n + 7, 0, 4));
    const auto out = place(where, std::vector<std::int32_t>(static_cast<std::size_t>(n * (n + 7)), -1));
    return [=](const std::string& variant) {
        const std::span<const std::uint8_t> x(a->data(), static_cast<std::size_t>(n)),
            y(b->data(), static_cast<std::size_t>(n + 7));
        wavefront_fill(where, x, y, matrix_view<std::int32_t>(out->data(), {n, n + 7}),
                       {.variant = variant, .kind = recurrence::edit});
        return out->fetch();
    };
}

question holes(const execution& where, index_t n) {
    const auto image = place(where, numbers<std::uint8_t>(n * (n + 7), 0, 255));
    const auto out = place(where, std::vector<std::uint8_t>(static_cast<std::size_t>(n * (n + 7))));
    return [=](const std::string& variant) {
        fill_holes(where, view<const std::uint8_t, 2>(image->data(), {n, n + 7}),
                   view<std::uint8_t, 2>(out->data(), {n, n + 7}), {.variant = variant});
        return out->fetch();
    };
}

question factors(const execution& where, index_t n) {
    std::vector<double> elements = numbers<double>(n * n, -1, 1);
    for (index_t i = 0; i < n; ++i) elements[static_cast<std::size_t>(i * n + i)] += static_cast<double>(n);
    const auto a = place(where, elements);
    const auto pivots = place(where, std::vector<std::int32_t>(static_cast<std::size_t>(n)));
    return [=](const std::string& variant) {
        a->restore();
        lu_options options;
        options.variant = variant;
        lu_factor(where, matrix_view<double>(a->data(), {n, n}), pivots->data(), options);
        return a->fetch();
    };
}

question chains(const execution& where, index_t n) {
    const index_t count = 33;
    const auto off = place(where, numbers<double>(n * count, -1, 1)),
               on = place(where, numbers<double>(n * count, 3, 4));
    const auto x = place(where, std::vector<double>(static_cast<std::size_t>(n * count)));
    return [=](const std::string& variant) {
        const vector_shape shape = vector_shape::flat(scalar::f64, n, count);
        tridiagonal_solve(where, {off->data(), shape}, {on->data(), shape}, {off->data(), shape},
                          {on->data(), shape}, {x->data(), shape},
                          {.variant = variant, .pivoting = pivoting::none});
        return x->fetch();
    };
}

question trees(const execution& where, index_t n) {
    const index_t count = 33;
    std::vector<std::int32_t> parent(static_cast<std::size_t>(n), -1);
    for (index_t i = 1; i < n; ++i)
        parent[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i - 1 - (i % 7) * (i - 1) / 9);
    const hines_plan plan(parent);
    const auto off = place(where, numbers<double>(n * count, -0.1, 0.1));
    const auto on = place(where, numbers<double>(n * count, 60, 70));
    const auto x = place(where, std::vector<double>(static_cast<std::size_t>(n * count)));
    return [=](const std::string& variant) {
        const vector_shape shape = vector_shape::flat(scalar::f64, n, count);
        hines_solve(where, plan, {on->data(), shape}, {off->data(), shape}, {off->data(), shape},
                    {on->data(), shape}, {x->data(), shape}, {.variant = variant});
        return x->fetch();
    };
}

question flow(const execution& where, index_t n) {
    mesh_recipe recipe;
    recipe.size = 8 * n;
    const mesh grid = generate_mesh(recipe);
    return [=](const std::string& variant) {
        euler_options options;
        options.scheme = euler_scheme::rodinia();
        options.precision = scalar::f32;
        options.check_every = 0;
        euler_case flow(grid, options);
        (void)flow.run(where, 3, variant);
        bytes all(flow.state().size() * sizeof(euler_state));
        std::memcpy(all.data(), flow.state().data(), all.size());
        return all;
    };
}

struct operation {
    const char *solver, *name;
    question (*make)(const execution&, index_t);
    bool is_exact;  // all rows give the reference's bits
};

const operation operations[] = {
    {"wavefront", "lcs_length", lcs, true}, {"wavefront", "edit_distance", edit, true},
    {"wavefront", "fill", table, true},     {"reconstruction", "reconstruct", holes, true},
    {"lu", "factor", factors, false},       {"tree", "tridiagonal", chains, false},
    {"tree", "hines", trees, false},        {"euler", "advance", flow, false},
};

std::vector<std::string> rows_of(const operation& o) {
    std::vector<std::string> all{"automatic"};
    for (const variant_info& v : variants(o.solver))
        if (v.operation == o.name && v.where == backend::cuda) all.push_back(v.name);
    return all;
}

/// The answer, or nothing where the row refuses the question.
std::optional<bytes> answer(const question& ask, const std::string& variant) {
    try {
        return ask(variant);
    } catch (const unsupported_variant&) {
        return std::nullopt;
    } catch (const bad_argument&) {
        return std::nullopt;
    }
}

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

INSTANTIATE_TEST_SUITE_P(Operations, Device, testing::ValuesIn(operations), name_of_operation);

/// Fewer blocks than tiles: one, and as many as leave 2 to 64 tiles for each.
TEST(DeviceBlocks, FewResidentBlocks) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    struct hook {
        const char* name;
        question (*make)(const execution&, index_t);
        const char* row;
    };
    for (const hook& h : {hook{"wavefront/fill/max_blocks", table, "cuda/strips"},
                          {"wavefront/length/max_blocks", lcs, "cuda/strips"},
                          {"reconstruction/tiles/max_blocks", holes, "cuda/tiles"},
                          {"lu/factor/tile_dag_blocks", factors, "cuda/tile_dag"},
                          {"lu/factor/resident_blocks", factors, "cuda/resident"}})
        for (const index_t size : {70, 700, 2100}) {
            const question ask = h.make(on_cuda{}, size);
            const std::optional<bytes> expected = answer(ask, h.row);
            if (!expected) continue;
            for (const char* blocks : {"1", "2", "5"}) {
                const tuning::scoped_override few(std::string(h.name) + "=" + blocks);
                EXPECT_TRUE(ask(h.row) == *expected) << h.name << "=" << blocks << " at " << size;
            }
        }
}

}  // namespace
}  // namespace wale::agreement
