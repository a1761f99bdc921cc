// capture_test - asynchronous calls as a caller's plan: captured in a CUDA graph once, replayed with other
// data, they give the bits of the call itself. A first call before the capture makes what outlives calls.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <wale/wale.hpp>

#include "tuning/override.hpp"

namespace wale {
namespace {

/// A graph that a caller's stream has recorded.
class captured {
public:
    explicit captured(const std::function<void(const on_cuda&)>& work) {
        good(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        good(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        work(on_cuda{.device = 0, .stream = stream_});
        cudaGraph_t graph = nullptr;
        good(cudaStreamEndCapture(stream_, &graph));
        good(cudaGraphInstantiate(&ready_, graph, 0));
        good(cudaGraphDestroy(graph));
    }
    captured(const captured&) = delete;
    captured& operator=(const captured&) = delete;
    ~captured() {
        (void)cudaGraphExecDestroy(ready_);
        (void)cudaStreamDestroy(stream_);
    }
    void replay() const {
        good(cudaGraphLaunch(ready_, stream_));
        good(cudaStreamSynchronize(stream_));
    }

private:
    static void good(cudaError_t code) { ASSERT_EQ(code, cudaSuccess) << cudaGetErrorString(code); }
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t ready_ = nullptr;
};

struct operation {
    std::string name;
    /// Returns what computes in place on `x`, which holds `inputs` elements; a call is call(where, async, x).
    struct made {
        std::vector<double> input;  // of float64, whatever the call takes them for
        std::function<void(const on_cuda&, bool, double*)> call;
    };
    std::function<made()> make;
    std::string tuning{};  // an entry of WALE_TUNING
};

void PrintTo(const operation& o, std::ostream* to) {
    *to << o.name;
}

std::vector<double> numbers(index_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double& x : out) x = 2e-9 * static_cast<double>(random() % 1'000'000'000) - 1;
    return out;
}

using shared_buffer = std::shared_ptr<buffer<double>>;
shared_buffer on_device(const std::vector<double>& v) {
    return std::make_shared<buffer<double>>(to_device<double>(on_cuda{}, v));
}

std::vector<double> on_host(const buffer<double>& x) {
    std::vector<double> out(static_cast<std::size_t>(x.size()));
    copy_bytes(on_cuda{}, out.data(), x.data(), x.size() * index_t{sizeof(double)});
    return out;
}

operation tridiagonal(const std::string& name, const vector_shape& shape, pivoting pivots) {
    return {"tridiagonal_" + name, [=] {
                const index_t size = shape.elements();
                std::vector<double> strong = numbers(size, 2);
                for (double& d : strong) d += 4;
                const shared_buffer lower = on_device(numbers(size, 1)), diagonal = on_device(strong),
                                    upper = on_device(numbers(size, 3));
                return operation::made{
                    numbers(size, 4), [=](const on_cuda& on, bool asynchronous, double* x) {
                        (void)tridiagonal_solve(on, {lower->data(), shape}, {diagonal->data(), shape},
                                                {upper->data(), shape}, vectors(x, shape),
                                                {.pivoting = pivots, .asynchronous = asynchronous});
                    }};
            }};
}

operation hines(const std::string& name, index_t nodes, index_t count) {
    return {"hines_" + name, [=] {
                std::mt19937 random(1);
                std::vector<std::int32_t> parent;
                for (index_t i = 0; i < nodes; ++i)
                    parent.push_back(i == 0 ? -1
                                            : static_cast<std::int32_t>(random() % static_cast<unsigned>(i)));
                const auto plan = std::make_shared<hines_plan>(parent);
                const vector_shape shape = vector_shape::flat(scalar::f64, nodes, count);
                std::vector<double> strong(static_cast<std::size_t>(shape.elements()), 1e4);
                const shared_buffer up = on_device(numbers(shape.elements(), 1)),
                                    diagonal = on_device(strong),
                                    down = on_device(numbers(shape.elements(), 3));
                return operation::made{
                    numbers(shape.elements(), 4), [=](const on_cuda& on, bool asynchronous, double* x) {
                        (void)hines_solve(on, *plan, {diagonal->data(), shape}, {up->data(), shape},
                                          {down->data(), shape}, vectors(x, shape),
                                          {.asynchronous = asynchronous});
                    }};
            }};
}

matrix_shape columns_of(index_t rows, index_t columns, index_t count) {
    return {.order = storage_order::column_major,
            .rows = rows,
            .columns = columns,
            .leading = rows,
            .count = count,
            .stride = rows * columns};
}

operation factor(const std::string& name, index_t rows, index_t count, const lu_options& options = {},
                 const std::string& tuning = "") {
    return {"lu_factor_" + name,
            [=] {
                std::vector<double> a = numbers(rows * rows * count, 1);
                for (std::size_t i = 0; options.pivoting == pivoting::none && i < a.size();
                     i += static_cast<std::size_t>(rows + 1))
                    a[i] += static_cast<double>(rows);
                const auto pivots =
                    std::make_shared<buffer<std::int32_t>>(rows * count, memory_space::device);
                return operation::made{a, [=](const on_cuda& on, bool asynchronous, double* x) {
                                           lu_options o = options;
                                           o.asynchronous = asynchronous;
                                           (void)lu_factor(on, matrices(x, columns_of(rows, rows, count)),
                                                           pivots->data(), o);
                                       }};
            },
            tuning};
}

/// One matrix by a row that is named, with an entry of WALE_TUNING.
operation factor_by(const std::string& row, pivoting pivots, const std::string& name,
                    const std::string& entry) {
    return factor(row + "_" + name, 600, 1, {.variant = "cuda/" + row, .pivoting = pivots},
                  "lu/factor/" + entry);
}

operation solve(const std::string& name, index_t rows, index_t count) {
    return {
        "lu_solve_" + name, [=] {
            const shared_buffer a = on_device(numbers(rows * rows * count, 1));
            const auto pivots = std::make_shared<buffer<std::int32_t>>(rows * count, memory_space::device);
            (void)lu_factor(on_cuda{}, matrices(a->data(), columns_of(rows, rows, count)), pivots->data());
            return operation::made{
                numbers(rows * count, 2), [=](const on_cuda& on, bool asynchronous, double* x) {
                    (void)lu_solve(on, matrices(a->data(), columns_of(rows, rows, count)), pivots->data(),
                                   matrices(x, columns_of(rows, 1, count)), {.asynchronous = asynchronous});
                }};
        }};
}

operation rebuild(const std::string& variant, index_t edge) {
    return {"reconstruct_" + variant, [=] {
                std::vector<double> mask = numbers(edge * edge, 1);
                std::vector<double> marker(mask.size(), -1);
                for (std::size_t i = 0; i < mask.size(); i += 97) marker[i] = mask[i];
                const shared_buffer under = on_device(mask);
                return operation::made{marker, [=](const on_cuda& on, bool asynchronous, double* x) {
                                           const image_view to(matrix_view<double>(x, {edge, edge}));
                                           (void)reconstruct(on, const_image_view(x, to),
                                                             const_image_view(under->data(), to), to,
                                                             {.variant = "cuda/" + variant,
                                                              .beyond = marker_beyond::clamp,
                                                              .asynchronous = asynchronous});
                                       }};
            }};
}

struct Capture : testing::TestWithParam<operation> {
    void SetUp() override {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device";
    }
};

TEST_P(Capture, replays_give_the_bits_of_the_call) {
    const tuning::scoped_override tuned(GetParam().tuning);
    const operation::made work = GetParam().make();
    std::vector<double> other = work.input;
    for (double& x : other) x *= 0.5;
    const auto answer_to = [&](const std::vector<double>& input) {
        const shared_buffer x = on_device(input);
        work.call(on_cuda{}, false, x->data());
        return on_host(*x);
    };
    const std::vector<double> expected = answer_to(work.input), expected_other = answer_to(other);
    ASSERT_NE(expected, work.input);
    const shared_buffer x = on_device(work.input);
    const captured plan([&](const on_cuda& on) { work.call(on, true, x->data()); });
    for (const bool changed : {false, true, false}) {
        const std::vector<double>& input = changed ? other : work.input;
        copy_bytes(on_cuda{}, x->data(), input.data(), std::ssize(input) * index_t{sizeof(double)});
        plan.replay();
        EXPECT_EQ(on_host(*x), changed ? expected_other : expected);
    }
}

INSTANTIATE_TEST_SUITE_P(
    calls, Capture,
    testing::Values(
        tridiagonal("short", vector_shape::flat(scalar::f64, 4, 64), pivoting::none),
        tridiagonal("flat", vector_shape::flat(scalar::f64, 200, 64), pivoting::partial),
        tridiagonal("long", vector_shape::flat(scalar::f64, 100'000, 1), pivoting::none),
        tridiagonal("long_pivoted", vector_shape::flat(scalar::f64, 100'000, 1), pivoting::partial),
        tridiagonal("interleaved", vector_shape::interleaved(scalar::f64, 40, 640), pivoting::none),
        tridiagonal("interleaved_pivoted", vector_shape::interleaved(scalar::f64, 600, 640),
                    pivoting::partial),
        hines("cells", 63, 20), hines("giant", 50'000, 1), factor("batch", 5, 100), factor("one", 100, 1),
        factor("many", 100, 50), factor("large", 1500, 1),
        factor_by("lookahead", pivoting::partial, "0", "lookahead=0"),
        factor_by("lookahead", pivoting::none, "unpivoted_many_steps", "unpivoted=1"),
        factor_by("lookahead", pivoting::none, "unpivoted_0", "unpivoted=0"),
        factor_by("tile_dag", pivoting::none, "0", "tile_dag=0"),
        factor_by("tile_dag", pivoting::none, "one_block", "tile_dag_blocks=1"), solve("batch", 5, 100),
        solve("one", 100, 1), solve("large", 2500, 1), rebuild("tiles", 130), rebuild("basins", 130)),
    [](const testing::TestParamInfo<operation>& of) { return of.param.name; });

}  // namespace
}  // namespace wale
