// wavefront_batch - measures the CUDA rows of lcs_batch and edit_batch: the pair kernels alone, all device
// work of a call, and end to end from host bytes: a CSV line each. All answers are compared with those of the
// CPU, and a sample of these with the plain reference.
//   wavefront_batch OUT.csv [FILTER...]     cases: see all_cases() and all_crosses
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace {

using wale::index_t;
using wale::bench::median;
using wale::bench::now;

struct test_case {
    const char* name;
    index_t pairs;
    index_t shortest, longest;
    int alphabet;
    std::vector<std::string> variants;
    index_t beside = 0;  // length of the sequences of one of the pairs; 0: as the others
};

const std::vector<test_case>& all_cases() {
    static const std::vector<test_case> cases{
        {"100B", 1'000'000, 90, 110, 4, {"cuda/binned", "cuda/thread_per_pair", "cuda/warp_per_pair"}},
        {"1kB", 100'000, 950, 1024, 4, {"cuda/binned", "cuda/thread_per_pair", "cuda/warp_per_pair"}},
        {"mixed", 400'000, 1, 1024, 4, {"cuda/binned", "cuda/thread_per_pair", "cuda/warp_per_pair"}},
        {"protein", 400'000, 100, 600, 20, {"cuda/binned"}},
        {"bytes", 1'000'000, 90, 110, 256, {"cuda/binned"}},
        {"words", 2'000'000, 4, 16, 26, {"cuda/binned"}},
        {"10kB", 5'000, 9'000, 10'000, 4, {"cuda/binned", "cuda/warp_per_pair"}},
        {"long", 8, 90'000, 100'000, 4, {"cuda/binned", "cuda/warp_per_pair"}},
        {"one_long", 10'000, 90, 110, 4, {"cuda/binned"}, 200'000},
        {"few", 1'000, 950, 1024, 4, {"cuda/binned", "cuda/thread_per_pair", "cuda/warp_per_pair"}},
    };
    return cases;
}

struct host_batch {
    std::vector<std::uint8_t> data;
    std::vector<index_t> offsets{0};
    [[nodiscard]] index_t count() const { return static_cast<index_t>(offsets.size()) - 1; }
};

struct input {
    host_batch a, b;
    double cells = 0;
};

/// Pairs of random length; every second b is a copy of a with a mutation each 24 symbols.
input make(const test_case& c) {
    std::mt19937_64 random(static_cast<std::uint64_t>(c.pairs + c.longest));
    input in;
    const auto length = [&] {
        return c.shortest +
               static_cast<index_t>(random() % static_cast<std::uint64_t>(c.longest - c.shortest + 1));
    };
    const auto letter = [&] {
        return static_cast<std::uint8_t>(random() % static_cast<std::uint64_t>(c.alphabet) +
                                         (c.alphabet <= 26 ? 'A' : 0));
    };
    for (index_t k = 0; k < c.pairs; ++k) {
        const bool beside = c.beside > 0 && k == c.pairs / 2;
        const index_t m = beside ? c.beside : length();
        const index_t n = beside ? c.beside : length();
        const std::size_t begin = in.a.data.size();
        for (index_t i = 0; i < m; ++i) in.a.data.push_back(letter());
        for (index_t i = 0; i < n; ++i)
            in.b.data.push_back(
                k % 2 && i < m && random() % 24 ? in.a.data[begin + static_cast<std::size_t>(i)] : letter());
        in.a.offsets.push_back(static_cast<index_t>(in.a.data.size()));
        in.b.offsets.push_back(static_cast<index_t>(in.b.data.size()));
        in.cells += static_cast<double>(m) * static_cast<double>(n);
    }
    return in;
}

wale::sequence_batch view(const void* data, const index_t* offsets, index_t count) {
    return {data, offsets, count, 1};
}

wale::report ask(bool edit, const wale::execution& where, const std::string& variant,
                 const wale::sequence_batch& a, const wale::sequence_batch& b,
                 std::span<std::int32_t> answers) {
    if (edit) return wale::edit_distance(where, a, b, answers, {.variant = variant}).run;
    return wale::lcs_length(where, a, b, answers, {.variant = variant}).run;
}

/// The answers of the CPU, of which a sample equals the plain reference's; throws where it does not.
std::vector<std::int32_t> expected_answers(bool edit, const input& in) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(in.a.count()));
    (void)ask(edit, wale::on_cpu{}, "automatic", view(in.a.data.data(), in.a.offsets.data(), in.a.count()),
              view(in.b.data.data(), in.b.offsets.data(), in.b.count()), all);
    double budget = 5e7;  // cells
    std::mt19937_64 random(99);
    while (budget > 0) {
        const std::size_t k = random() % all.size();
        const index_t from[] = {in.a.offsets[k], in.b.offsets[k]};
        const index_t to[] = {in.a.offsets[k + 1], in.b.offsets[k + 1]};
        budget -= 1e6;
        if (in.a.offsets[k + 1] - from[0] > 20'000) continue;  // minutes
        const wale::sequence_view a(in.a.data.data() + from[0], to[0] - from[0], 1);
        const wale::sequence_view b(in.b.data.data() + from[1], to[1] - from[1], 1);
        const index_t right = edit ? wale::edit_distance(wale::on_reference{}, a, b).distance
                                   : wale::lcs_length(wale::on_reference{}, a, b).length;
        if (all[k] != right) throw wale::error("the CPU's answers differ from the reference's");
        budget -= static_cast<double>(to[0] - from[0]) * static_cast<double>(to[1] - from[1]) + 100;
    }
    return all;
}

/// The time of a stage in the report's policy, " pairs=0.1234ms"; in seconds.
double stage(const wale::report& run, const char* name) {
    const std::size_t at = run.policy.find(std::string(" ") + name + "=");
    return at == std::string::npos ? 0 : 1e-3 * std::atof(run.policy.c_str() + at + std::strlen(name) + 2);
}

/// Cells a second if the logic pipe did nothing but rows: 64 lanes a clock of each multiprocessor, 32 cells a
/// word; a row costs a three-input operation a plane and five (edit) or two (LCS) more.
double ceiling(bool edit, int alphabet) {
    const int planes = std::bit_width(static_cast<unsigned>(alphabet - 1));
    return 16.73e12 * 32 / (std::max(planes, 2) + (edit ? 5 : 2));
}

struct line {
    const wale::bench::csv_lines& out;
    const test_case* of;
    bool edit;
    std::string variant;
    double cells;
    std::string policy;

    void add(const char* stage_name, double seconds) const {
        const double rate = cells / seconds, most = ceiling(edit, of->alphabet);
        out.add(edit ? "edit_batch" : "lcs_batch", variant, of->pairs, of->shortest, of->longest,
                of->alphabet, stage_name, 1e3 * seconds, 1e-12 * rate, 1e-12 * most, rate / most, policy);
    }
};

/// Host bytes and offsets to the device, the call, the answers back.
double end_to_end(const line& l, const input& in, wale::memory_space space,
                  std::vector<std::int32_t>& answers) {
    const wale::execution device = wale::on_cuda{.time_on_device = true};
    const auto stage_in = [&](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::value_type;
        wale::buffer<T> host(static_cast<index_t>(v.size()), space);
        std::copy(v.begin(), v.end(), host.data());
        return host;
    };
    const auto a = stage_in(in.a.data);
    const auto b = stage_in(in.b.data);
    const auto a_offsets = stage_in(in.a.offsets);
    const auto b_offsets = stage_in(in.b.offsets);
    const wale::buffer<std::int32_t> out(in.a.count(), space);
    const auto on_device = [](index_t bytes) {
        return wale::buffer<char>(bytes, wale::memory_space::device);
    };
    const index_t offset_bytes = 8 * (in.a.count() + 1);
    const auto da = on_device(a.size()), db = on_device(b.size()), dao = on_device(offset_bytes),
               dbo = on_device(offset_bytes), answer = on_device(4 * in.a.count());
    std::vector<double> times;
    for (int repeat = 0; repeat < 6; ++repeat) {
        const double start = now();
        wale::copy_bytes(device, da.data(), a.data(), a.size());
        wale::copy_bytes(device, db.data(), b.data(), b.size());
        wale::copy_bytes(device, dao.data(), a_offsets.data(), offset_bytes);
        wale::copy_bytes(device, dbo.data(), b_offsets.data(), offset_bytes);
        auto* answers_there = reinterpret_cast<std::int32_t*>(answer.data());
        (void)ask(l.edit, device, l.variant,
                  view(da.data(), reinterpret_cast<const index_t*>(dao.data()), in.a.count()),
                  view(db.data(), reinterpret_cast<const index_t*>(dbo.data()), in.a.count()),
                  {answers_there, static_cast<std::size_t>(in.a.count())});
        wale::copy_bytes(device, out.data(), answer.data(), 4 * in.a.count());
        if (repeat > 0) times.push_back(now() - start);
    }
    answers.assign(out.data(), out.data() + in.a.count());
    return median(times);
}

/// Whether the answers were right.
bool measure(const wale::bench::csv_lines& table, const test_case& c, const input& in, bool edit,
             const std::string& variant, const std::vector<std::int32_t>& expected) {
    const wale::execution device = wale::on_cuda{.time_on_device = true};
    const auto a = wale::to_device<std::uint8_t>(device, in.a.data);
    const auto b = wale::to_device<std::uint8_t>(device, in.b.data);
    const auto a_offsets = wale::to_device<index_t>(device, in.a.offsets);
    const auto b_offsets = wale::to_device<index_t>(device, in.b.offsets);
    const wale::buffer<std::int32_t> out(c.pairs, wale::memory_space::device);
    std::vector<double> kernel;
    std::vector<double> all;
    wale::report run;
    for (int repeat = 0; repeat < 12; ++repeat) {
        run = ask(edit, device, variant, view(a.data(), a_offsets.data(), c.pairs),
                  view(b.data(), b_offsets.data(), c.pairs), out.span());
        if (repeat < 3) continue;
        kernel.push_back(stage(run, "pairs"));
        all.push_back(run.compute_seconds);
    }
    std::vector<std::int32_t> answers(static_cast<std::size_t>(c.pairs));
    wale::copy_bytes(device, answers.data(), out.data(), 4 * c.pairs);
    if (answers != expected || run.work != in.cells) {
        std::printf("%s %s: answers are wrong\n", c.name, variant.c_str());
        return false;
    }
    const line l{table, &c, edit, variant, in.cells, run.policy};
    if (median(kernel) > 0) l.add("kernel", median(kernel));  // few pairs have no stages
    l.add("device", median(all));
    if (variant != c.variants[0]) return true;
    for (const auto& [space, name] : {std::pair{wale::memory_space::pinned, "end_to_end_pinned"},
                                      std::pair{wale::memory_space::host, "end_to_end_pageable"}}) {
        std::vector<std::int32_t> again;
        const double seconds = end_to_end(l, in, space, again);
        if (again != answers) return false;
        l.add(name, seconds);
    }
    return true;
}

/// Each of so many texts with each of as many: whole calls, from arrays of the device and of the host.
struct cross_case {
    const char* name;
    index_t count, length;
};
constexpr cross_case all_crosses[] = {
    {"cross_100B", 1000, 100}, {"cross_1kB", 300, 1000}, {"cross_10kB", 30, 10'000}};

host_batch texts(index_t count, index_t length, unsigned seed) {
    std::mt19937 random(seed);
    host_batch t;
    for (index_t k = 0; k < count; ++k) {
        for (index_t i = 0; i < length; ++i)
            t.data.push_back(static_cast<std::uint8_t>("ACGT"[random() % 4]));
        t.offsets.push_back(static_cast<index_t>(t.data.size()));
    }
    return t;
}

bool measure(const wale::bench::csv_lines& table, const cross_case& c, bool edit) {
    const host_batch a = texts(c.count, c.length, 1), b = texts(c.count, c.length, 2);
    const index_t pairs = c.count * c.count;
    const auto cross = [&](const wale::execution& where, const wale::sequence_batch& x,
                           const wale::sequence_batch& y, std::int32_t* to) {
        const wale::matrix_view<std::int32_t> answers(to, wale::extents<2>{{c.count, c.count}});
        return (edit ? wale::edit_distances(where, x, y, answers) : wale::lcs_lengths(where, x, y, answers))
            .run;
    };
    std::vector<std::int32_t> expected(static_cast<std::size_t>(pairs)), got(expected.size());
    (void)cross(wale::on_cpu{}, view(a.data.data(), a.offsets.data(), c.count),
                view(b.data.data(), b.offsets.data(), c.count), expected.data());
    const wale::execution device = wale::on_cuda{};
    const wale::execution over_devices = wale::on_cuda{.devices = {0}};
    const auto x = wale::to_device<std::uint8_t>(device, a.data);
    const auto y = wale::to_device<std::uint8_t>(device, b.data);
    const auto x_offsets = wale::to_device<index_t>(device, a.offsets);
    const auto y_offsets = wale::to_device<index_t>(device, b.offsets);
    const wale::buffer<std::int32_t> out(pairs, wale::memory_space::device);
    std::vector<double> device_time, from_device, from_host;
    wale::report run;
    for (int repeat = 0; repeat < 22; ++repeat) {
        const double begin = now();
        run = cross(device, view(x.data(), x_offsets.data(), c.count),
                    view(y.data(), y_offsets.data(), c.count), out.data());
        const double done = now();
        // New memory that is not set, as Python's answers are.
        const auto host = std::make_unique_for_overwrite<std::int32_t[]>(expected.size());
        (void)cross(over_devices, view(a.data.data(), a.offsets.data(), c.count),
                    view(b.data.data(), b.offsets.data(), c.count), host.get());
        const double ended = now();
        if (repeat < 3) continue;
        from_host.push_back(ended - done);
        from_device.push_back(done - begin);
        device_time.push_back(run.compute_seconds);
        if (!std::equal(expected.begin(), expected.end(), host.get())) got.clear();
    }
    if (!got.empty()) wale::copy_bytes(device, got.data(), out.data(), 4 * pairs);
    if (got != expected) {
        std::printf("%s: answers are wrong\n", c.name);
        return false;
    }
    const double cells =
        static_cast<double>(pairs) * static_cast<double>(c.length) * static_cast<double>(c.length);
    const auto add = [&](const char* stage_name, const std::vector<double>& seconds) {
        const double rate = cells / median(seconds), most = ceiling(edit, 4);
        table.add(edit ? "edit_cross" : "lcs_cross", run.variant, pairs, c.length, c.length, 4, stage_name,
                  1e3 * median(seconds), 1e-12 * rate, 1e-12 * most, rate / most, run.policy);
    };
    add("device", device_time);
    add("call_device_arrays", from_device);
    add("call_host_arrays", from_host);
    return true;
}

struct batch_table : wale::bench::csv_lines {
    explicit batch_table(const std::string& path)
        : csv_lines(path,
                    "operation,variant,pairs,length_min,length_max,alphabet,stage,median_ms,rate_tcups,"
                    "ceiling_tcups,fraction,policy") {}
};

}  // namespace

int main(int argc, char** argv) {
    using namespace wale::bench;
    std::vector<named_case<batch_table>> all;
    for (const test_case& c : all_cases())
        all.push_back({c.name, [&c](const batch_table& out) {
                           const input in = make(c);
                           bool good = true;
                           for (const bool edit : {true, false}) {
                               const auto expected = expected_answers(edit, in);
                               for (const std::string& variant : c.variants)
                                   good = measure(out, c, in, edit, variant, expected) && good;
                           }
                           return good;
                       }});
    for (const cross_case& c : all_crosses)
        all.push_back({c.name, [&c](const batch_table& out) {
                           const bool edits = measure(out, c, true);
                           return measure(out, c, false) && edits;
                       }});
    return run_cases(argc, argv, all);
}
