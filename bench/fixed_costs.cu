// fixed_costs - what a CUDA call costs beside its kernels: host and stream time of calls of each solver on
// problems so small that their kernels take some microseconds, beside the launch of an empty kernel, and
// beside the same work of cuSOLVER, cuBLAS or cuSPARSE and a wait for the stream. A table on the standard
// output; a line whose answer is wrong says so in place of its times.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <vector>
#include <wale/wale.hpp>

#include "cuda_peers.hpp"
#include "device_timing.hpp"
#include "packed.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using wale::bench::median;
using wale::bench::now;

constexpr int calls = 40, rounds = 100;

__global__ void empty() {}

template <class T>
buffer<T> on_device(const std::vector<T>& v) {
    return to_device<T>(on_cuda{}, v);
}
template <class T>
bool equal(const buffer<T>& found, const std::vector<T>& expected) {
    std::vector<T> host(expected.size());
    copy_bytes(on_cuda{}, host.data(), found.data(), static_cast<index_t>(sizeof(T) * host.size()));
    return host == expected;
}

struct costs {
    double host = 0, stream = 0;  // seconds a call
};
/// Of `count` calls behind each other.
costs of(const std::function<void()>& call, int count) {
    std::vector<double> host, stream;
    const auto all = [&] {
        for (int i = 0; i < count; ++i) call();
    };
    for (int r = 0; r < rounds; ++r) {
        (void)cudaDeviceSynchronize();
        const double start = now();
        all();
        host.push_back((now() - start) / count);
        stream.push_back(bench::device_seconds([] { (void)cudaDeviceSynchronize(); }, all) / count);
    }
    return {median(host), median(stream)};
}

/// call(asynchronous); queued: whether there is an asynchronous form. peer: queues the same work; may be
/// null.
void print(const char* name, const std::function<void(bool)>& call, bool queued,
           const std::function<bool()>& right, const std::function<void()>& peer = {}) {
    call(false);
    const double plain = of([&] { call(false); }, 1).host;
    const costs c = queued ? of([&] { call(true); }, calls) : costs{};
    (void)cudaDeviceSynchronize();
    const auto waited = [&] {
        peer();
        (void)cudaStreamSynchronize(nullptr);
    };
    const double theirs = peer ? of(waited, 1).host : 0;
    if (!right()) return (void)std::printf("%-44s WRONG\n", name);
    const auto column = [](double seconds) {
        if (seconds > 0)
            std::printf(" %8.2f", 1e6 * seconds);
        else
            std::printf(" %8s", "");
    };
    std::printf("%-44s", name);
    for (const double seconds : {c.host, c.stream, plain, theirs}) column(seconds);
    std::printf("\n");
}

/// Identity matrices: their factors, and the solutions, are what was there before.
template <class T>
std::vector<T> identities(index_t n, index_t count) {
    std::vector<T> a(static_cast<std::size_t>(n * n * count), T(0));
    for (index_t i = 0; i < n * count; ++i) a[static_cast<std::size_t>(i / n * n * n + i % n * (n + 1))] = 1;
    return a;
}

void factor_and_solve(index_t n, index_t count) {
    const std::vector<float> host = identities<float>(n, count);
    const buffer<float> a = on_device(host);
    const std::vector<float> sides = bench::random_numbers<float>(n * count);
    const buffer<float> b = on_device(sides);
    const buffer<std::int32_t> pivots(n * count, memory_space::device);
    const matrices m(a.data(), bench::packed_columns(scalar::f32, n, n, count));
    const matrices rhs(b.data(), bench::packed_columns(scalar::f32, n, 1, count));
    const auto peer = bench::make_lu_peer(m, true);
    char name[64];
    std::snprintf(name, sizeof name, "lu_factor f32 %d of %d", static_cast<int>(count), static_cast<int>(n));
    print(
        name, [&](bool q) { (void)lu_factor(on_cuda{}, m, pivots.data(), {.asynchronous = q}); }, true,
        [&] { return equal(a, host); }, [&] { peer->factor(a.data()); });
    std::snprintf(name, sizeof name, "lu_solve f32 %d of %d", static_cast<int>(count), static_cast<int>(n));
    print(
        name, [&](bool q) { (void)lu_solve(on_cuda{}, m, pivots.data(), rhs, {.asynchronous = q}); }, true,
        [&] { return equal(b, sides); }, [&] { peer->solve(a.data(), b.data(), 1); });
}

void chains(const char* name, const vector_shape& shape) {
    const auto size = static_cast<std::size_t>(shape.elements());
    const buffer<double> off = on_device(std::vector<double>(size, 0.0)),
                         diagonal = on_device(std::vector<double>(size, 1.0));
    const std::vector<double> sides = bench::random_numbers<double>(shape.elements());
    const buffer<double> x = on_device(sides);
    const const_vectors zero(off.data(), shape), one(diagonal.data(), shape);
    const vectors rhs(x.data(), shape);
    const auto peers = bench::make_chain_peers(shape);
    print(
        name,
        [&](bool q) {
            (void)tridiagonal_solve(on_cuda{}, zero, one, zero, rhs,
                                    {.pivoting = pivoting::none, .asynchronous = q});
        },
        true, [&] { return equal(x, sides); },
        [&] { peers.back()->solve(off.data(), diagonal.data(), off.data(), x.data()); });
}

void trees(const char* name, index_t nodes, index_t count, vector_layout layout) {
    std::vector<std::int32_t> parent;
    for (index_t i = 0; i < nodes; ++i)
        parent.push_back(static_cast<std::int32_t>(i == 0 ? -1 : (i - 1) / 2));
    const hines_plan plan(parent);
    const vector_shape shape = layout == vector_layout::flat
                                   ? vector_shape::flat(scalar::f64, nodes, count)
                                   : vector_shape::interleaved(scalar::f64, nodes, count);
    const auto size = static_cast<std::size_t>(shape.elements());
    const buffer<double> off = on_device(std::vector<double>(size, 0.0)),
                         diagonal = on_device(std::vector<double>(size, 1.0));
    const std::vector<double> sides = bench::random_numbers<double>(shape.elements());
    const buffer<double> x = on_device(sides);
    const const_vectors zero(off.data(), shape), one(diagonal.data(), shape);
    const vectors rhs(x.data(), shape);
    print(
        name, [&](bool q) { (void)hines_solve(on_cuda{}, plan, one, zero, zero, rhs, {.asynchronous = q}); },
        true, [&] { return equal(x, sides); });
}

void images(const char* name, const char* variant, index_t edge) {
    const auto size = static_cast<std::size_t>(edge * edge);
    const std::vector<std::uint8_t> picture(size, 7);
    const buffer<std::uint8_t> mask = on_device(picture), marker = on_device(picture),
                               out(edge * edge, memory_space::device);
    const image_view to(matrix_view<std::uint8_t>(out.data(), {edge, edge}));
    const const_image_view from(marker.data(), to), under(mask.data(), to);
    print(
        name,
        [&](bool q) {
            (void)reconstruct(on_cuda{}, from, under, to,
                              {.variant = variant, .beyond = marker_beyond::clamp, .asynchronous = q});
        },
        true, [&] { return equal(out, picture); });
}

void sequences(index_t pairs, index_t length) {
    const buffer<std::uint8_t> data =
        on_device(std::vector<std::uint8_t>(static_cast<std::size_t>(pairs * length), 'A'));
    std::vector<index_t> starts;
    for (index_t k = 0; k <= pairs; ++k) starts.push_back(k * length);
    const buffer<index_t> offsets = on_device(starts);
    const buffer<std::int32_t> answers(pairs, memory_space::device);
    const sequence_batch s{data.data(), offsets.data(), pairs, 1};
    char name[64];
    std::snprintf(name, sizeof name, "edit_distance %d pairs of %d", static_cast<int>(pairs),
                  static_cast<int>(length));
    print(
        name, [&](bool) { (void)edit_distance(on_cuda{}, s, s, answers.span()); }, false,
        [&] { return equal(answers, std::vector<std::int32_t>(static_cast<std::size_t>(pairs), 0)); });
    std::snprintf(name, sizeof name, "lcs_length %d pairs of %d", static_cast<int>(pairs),
                  static_cast<int>(length));
    print(
        name, [&](bool) { (void)lcs_length(on_cuda{}, s, s, answers.span()); }, false,
        [&] {
            return equal(answers, std::vector<std::int32_t>(static_cast<std::size_t>(pairs),
                                                            static_cast<std::int32_t>(length)));
        });
    const sequence_view one(data.data(), length, 1);
    index_t found = 0;
    print(
        "lcs_length of one pair", [&](bool) { found = lcs_length(on_cuda{}, one, one).length; }, false,
        [&] { return found == length; });
    print(
        "edit_distance of one pair", [&](bool) { found = edit_distance(on_cuda{}, one, one).distance; },
        false, [&] { return found == 0; });
}

void run() {
    std::printf("%-44s %8s %8s %8s %8s\n", "microseconds a call", "host", "stream", "plain", "peer");
    print(
        "an empty kernel",
        [](bool q) {
            empty<<<1, 32>>>();
            if (!q) (void)cudaStreamSynchronize(nullptr);
        },
        true, [] { return cudaGetLastError() == cudaSuccess; });
    factor_and_solve(2, 17);
    factor_and_solve(2, 100000);
    factor_and_solve(5, 100);
    factor_and_solve(32, 100);
    factor_and_solve(4, 1);
    factor_and_solve(16, 1);
    factor_and_solve(32, 1);
    factor_and_solve(100, 1);
    chains("tridiagonal f64 flat 4 x 64", vector_shape::flat(scalar::f64, 4, 64));
    chains("tridiagonal f64 flat 27 x 895", vector_shape::flat(scalar::f64, 27, 895));
    chains("tridiagonal f64 flat 200 x 64", vector_shape::flat(scalar::f64, 200, 64));
    chains("tridiagonal f64 interleaved 4 x 64", vector_shape::interleaved(scalar::f64, 4, 64));
    chains("tridiagonal f64 interleaved 10 x 161", vector_shape::interleaved(scalar::f64, 10, 161));
    chains("tridiagonal f64 interleaved 40 x 64", vector_shape::interleaved(scalar::f64, 40, 64));
    chains("tridiagonal f64 interleaved 200 x 1", vector_shape::interleaved(scalar::f64, 200, 1));
    trees("hines f64 flat 63 nodes x 20", 63, 20, vector_layout::flat);
    trees("hines f64 interleaved 63 nodes x 20", 63, 20, vector_layout::interleaved);
    images("reconstruct u8 64 x 64, tiles", "cuda/tiles", 64);
    images("reconstruct u8 64 x 64, basins", "cuda/basins", 64);
    sequences(100, 100);
}

}  // namespace

int main() {
    try {
        run();
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "fixed_costs: %s\n", e.what());
        return 1;
    }
}
