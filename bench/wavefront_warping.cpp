// wavefront_warping - measures the CUDA rows of warping from arrays of the device and of the host: a CSV line
// each. A sample of the costs is compared with the CPU's, bit for bit.
//   wavefront_warping OUT.csv [FILTER...]     cases: see all_cases
#include <cstdio>
#include <random>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace {

using wale::index_t;
using wale::bench::median;
using wale::bench::now;

/// `count` queries with as many targets.
struct test_case {
    std::string name;
    index_t count, shortest, longest, dimensions, window;
};
const test_case all_cases[] = {
    {"127", 2048, 127, 127, 1, -1},        {"255", 1024, 255, 255, 1, -1},
    {"511", 1024, 511, 511, 1, -1},        {"1023", 512, 1023, 1023, 1, -1},
    {"2047", 256, 2047, 2047, 1, -1},      {"mixed", 512, 10, 2047, 1, -1},
    {"points_of_3", 256, 511, 511, 3, -1}, {"window", 256, 2047, 2047, 1, 100},
    {"100k", 1, 100'000, 100'000, 1, -1},  {"100k_few", 3, 100'000, 100'000, 1, -1},
    {"20k", 1, 20'000, 20'000, 1, -1},
};

template <class T>
struct series {
    std::vector<T> numbers;
    std::vector<index_t> offsets{0};
    index_t dimensions;

    series(const test_case& c, unsigned seed) : dimensions(c.dimensions) {
        std::mt19937 random(seed);
        std::normal_distribution<T> step;
        for (index_t k = 0; k < c.count; ++k) {
            const index_t size = c.shortest + static_cast<index_t>(random()) % (c.longest - c.shortest + 1);
            T at = 0;
            for (index_t i = 0; i < size * dimensions; ++i) numbers.push_back(at += step(random));
            offsets.push_back(offsets.back() + size);
        }
    }
    [[nodiscard]] wale::series_batch<T> of(const T* data, const index_t* at, index_t count) const {
        return {data, at, count, dimensions};
    }
    [[nodiscard]] index_t count() const { return std::ssize(offsets) - 1; }
};

template <class T>
wale::report ask(const wale::execution& where, const wale::series_batch<T>& a, const wale::series_batch<T>& b,
                 T* to, const wale::warping_options& o) {
    return wale::warping_costs<T>(where, a, b, wale::matrix_view<T>(to, wale::extents<2>{{a.count, b.count}}),
                                  o)
        .run;
}

/// Whether the first costs are the CPU's.
template <class T>
bool verified(const series<T>& a, const series<T>& b, const std::vector<T>& got,
              const wale::warping_options& o) {
    index_t some = a.count();
    const double longest = static_cast<double>(a.offsets.back()) / static_cast<double>(a.count());
    while (some > 1 && static_cast<double>(some * some) * longest * longest > 1e10) some /= 2;
    std::vector<T> wanted(static_cast<std::size_t>(some * some));
    (void)ask<T>(wale::on_cpu{}, a.of(a.numbers.data(), a.offsets.data(), some),
                 b.of(b.numbers.data(), b.offsets.data(), some), wanted.data(),
                 {.cost = o.cost, .window = o.window});
    for (index_t q = 0; q < some; ++q)
        for (index_t t = 0; t < some; ++t)
            if (got[static_cast<std::size_t>(q * b.count() + t)] !=
                wanted[static_cast<std::size_t>(q * some + t)])
                return false;
    return true;
}

/// Cells a second if the multiprocessors of an H200 did nothing but cells: 132 of them at 1.98 GHz issue 128
/// lanes' instructions a clock, or 64 of float64. A cell of one number is a subtraction, a product for
/// squares, a sum and a minimum of three, which is two comparisons of float64.
template <class T>
double ceiling(bool squared, index_t dimensions) {
    const double clocks = 132 * 1.98e9;
    const double costs = (squared ? 2 : 1) * static_cast<double>(dimensions);
    const double sums = static_cast<double>(dimensions);
    return sizeof(T) == 8 ? clocks * 64 / (costs + sums + 2) : clocks * 128 / (costs + sums + 1);
}

template <class T>
bool measure(const wale::bench::csv_lines& table, const test_case& c, wale::dtw_cost cost) {
    const series<T> a(c, 1), b(c, 2);
    const wale::execution device = wale::on_cuda{.time_on_device = true};
    const wale::warping_options o{.cost = cost, .window = c.window};
    const auto x = wale::to_device<T>(device, a.numbers), y = wale::to_device<T>(device, b.numbers);
    const wale::buffer<T> out(c.count * c.count, wale::memory_space::device);
    std::vector<double> device_time, from_device, from_host;
    std::vector<T> got(static_cast<std::size_t>(c.count * c.count)), host(got.size());
    wale::report run;
    for (int repeat = 0; repeat < 7; ++repeat) {
        const double begin = now();
        run = ask<T>(device, a.of(x.data(), a.offsets.data(), c.count),
                     b.of(y.data(), b.offsets.data(), c.count), out.data(), o);
        const double done = now();
        (void)ask<T>(device, a.of(a.numbers.data(), a.offsets.data(), c.count),
                     b.of(b.numbers.data(), b.offsets.data(), c.count), host.data(), o);
        const double ended = now();
        if (repeat < 2) continue;
        from_host.push_back(ended - done);
        from_device.push_back(done - begin);
        device_time.push_back(run.compute_seconds);
    }
    wale::copy_bytes(device, got.data(), out.data(), c.count * c.count * index_t{sizeof(T)});
    if (got != host || !verified(a, b, got, o)) {
        std::printf("%s: costs are wrong (%s)\n", c.name.c_str(), run.policy.c_str());
        return false;
    }
    const bool squared = cost == wale::dtw_cost::squared;
    const double most = ceiling<T>(squared, c.dimensions);
    for (const auto& [stage, seconds] : {std::pair{"device", &device_time},
                                         {"call_device_arrays", &from_device},
                                         {"call_host_arrays", &from_host}}) {
        const double rate = run.work / median(*seconds);
        table.add(c.name, sizeof(T) == 4 ? "float32" : "float64", squared ? "squared" : "absolute",
                  run.variant, c.count * c.count, c.shortest, c.longest, c.dimensions, c.window, stage,
                  1e3 * median(*seconds), 1e-12 * rate, 1e-12 * most, rate / most, run.policy);
    }
    return true;
}

struct warping_table : wale::bench::csv_lines {
    explicit warping_table(const std::string& path)
        : csv_lines(path,
                    "case,type,cost,variant,pairs,length_min,length_max,dimensions,window,stage,median_ms,"
                    "rate_tcups,ceiling_tcups,fraction,policy") {}
};

}  // namespace

int main(int count, char** arguments) {
    return wale::bench::run_cases<warping_table>(
        count, arguments, std::vector(std::begin(all_cases), std::end(all_cases)),
        [](const test_case& c, const warping_table& out) {
            bool good = true;
            for (const wale::dtw_cost cost : {wale::dtw_cost::squared, wale::dtw_cost::absolute}) {
                good = measure<float>(out, c, cost) && good;
                if (c.longest <= 20'000) good = measure<double>(out, c, cost) && good;  // the CPU checks it
            }
            return good;
        });
}
