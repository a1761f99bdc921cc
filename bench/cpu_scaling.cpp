// cpu_scaling - how the default rows of the CPU grow with threads: a line a case, its least time by 1, 2, 4
// ... threads and the speed-up. The answers are those that tests/agreement verify; nothing is checked here.
//   cpu_scaling [THREADS,...] [FILTER]      FILTER: only cases whose name contains it
#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>
#include <wale/wale.hpp>

#include "packed.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using bench::now;

/// Returns the seconds that count, and the row that ran.
using timed_run = std::function<double(int threads, std::string& row)>;
struct scaling_case {
    std::string name;
    std::function<timed_run()> make;
};

std::string letters(index_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string text(static_cast<std::size_t>(size), 0);
    for (char& c : text) c = "ACGT"[random() % 4];
    return text;
}

template <class F>
double seconds_of(const F& f, std::string& row) {
    const double start = now();
    const report run = f();
    const double took = now() - start;
    row = run.variant;
    return took;
}

template <class F>
timed_run two_texts(index_t size, const F& f) {
    return [a = letters(size, 1), b = letters(size, 2), f](int threads, std::string& row) {
        return seconds_of([&] { return f(on_cpu{threads}, a, b).run; }, row);
    };
}

/// Arithmetic in registers: what the processor's cores give together, whatever the program.
double in_registers(int threads) {
    const auto count = [] {
        double x[16];
        for (int i = 0; i < 16; ++i) x[i] = i;
        for (int k = 0; k < 3'000'000; ++k)
            for (double& v : x) v = v * 0.999 + 1;
        volatile double keep = x[0] + x[15];
        (void)keep;
    };
    const double start = now();
    std::vector<std::jthread> team(static_cast<std::size_t>(threads - 1));
    for (std::jthread& t : team) t = std::jthread(count);
    count();
    team.clear();
    return (now() - start) / threads;  // of a share: each thread does the same
}

/// The machine's rate of copying: 256 MiB, a thread a part.
timed_run copied() {
    return [from = std::vector<double>(1 << 25, 1.0), to = std::vector<double>(1 << 25)](
               int threads, std::string& row) mutable {
        row = "memcpy";
        const double start = now();
        std::vector<std::jthread> team;
        const std::size_t part = from.size() / static_cast<std::size_t>(threads);
        for (std::size_t i = 0; i < static_cast<std::size_t>(threads); ++i)
            team.emplace_back([&, i] { std::copy_n(from.data() + i * part, part, to.data() + i * part); });
        team.clear();
        return now() - start;
    };
}

timed_run table(index_t size) {
    return [a = letters(size, 1), b = letters(size, 2), size,
            cells = std::vector<std::int32_t>(static_cast<std::size_t>(size * size))](
               int threads, std::string& row) mutable {
        const matrix_view<std::int32_t> to(cells.data(), {size, size});
        return seconds_of(
            [&] { return wavefront_fill(on_cpu{threads}, a, b, to, {.kind = recurrence::edit}).run; }, row);
    };
}

timed_run batch(index_t pairs, index_t size) {
    std::vector<index_t> starts;
    for (index_t i = 0; i <= pairs; ++i) starts.push_back(i * size);
    return [a = letters(pairs * size, 1), b = letters(pairs * size, 2), starts,
            out = std::vector<std::int32_t>(static_cast<std::size_t>(pairs))](int threads,
                                                                              std::string& row) mutable {
        return seconds_of(
            [&] {
                const auto count = std::ssize(out);
                return edit_distance(on_cpu{threads}, sequence_batch{a.data(), starts.data(), count},
                                     sequence_batch{b.data(), starts.data(), count}, out)
                    .run;
            },
            row);
    };
}

template <class T>
timed_run picture(index_t side, bool holes) {
    const std::vector<std::uint8_t> grey = reconstruction::blots({1, side, side}, 1);
    return [in = std::vector<T>(grey.begin(), grey.end()), out = std::vector<T>(grey.size()), side, holes](
               int threads, std::string& row) mutable {
        const matrix_view<const T> image(in.data(), {side, side});
        const matrix_view<T> to(out.data(), {side, side});
        return seconds_of(
            [&] {
                return holes ? fill_holes(on_cpu{threads}, image, to).run
                             : h_domes(on_cpu{threads}, image, 40, to).run;
            },
            row);
    };
}

template <class T>
timed_run factors(index_t rows, index_t count) {
    return [a = bench::random_numbers<T>(rows * rows * count), rows, count,
            pivots = std::vector<std::int32_t>(static_cast<std::size_t>(rows * count))](
               int threads, std::string& row) mutable {
        std::vector<T> lu = a;
        const matrix_shape s = bench::packed_columns(scalar_of<T>::value, rows, rows, count);
        return seconds_of(
            [&] { return lu_factor(on_cpu{threads}, matrices(lu.data(), s), pivots.data()).run; }, row);
    };
}

timed_run flow(index_t cells, bool rodinia) {
    mesh_recipe recipe;
    recipe.size = cells;
    euler_options o;
    if (rodinia) o.scheme = euler_scheme::rodinia();
    o.precision = rodinia ? scalar::f32 : scalar::f64;
    o.check_every = 0;
    auto f = std::make_shared<euler_case>(generate_mesh(recipe), o);
    (void)f->run(on_cpu{}, 1);  // what the first run prepares is no part of the time
    return [f](int threads, std::string& row) {
        return seconds_of([&] { return f->run(on_cpu{threads}, 10).run; }, row);
    };
}

std::vector<scaling_case> cases() {
    const auto lcs = [](auto w, const auto& a, const auto& b) { return lcs_length(w, a, b); };
    const auto edit = [](auto w, const auto& a, const auto& b) { return edit_distance(w, a, b); };
    const auto text = [](auto w, const auto& a, const auto& b) { return lcs_string(w, a, b); };
    return {
        {"arithmetic in registers",
         [] {
             return [](int threads, std::string& row) {
                 row = "the machine's limit";
                 return in_registers(threads);
             };
         }},
        {"copy of 256 MiB", copied},
        {"lu f64 1000", [] { return factors<double>(1000, 1); }},
        {"lu f64 4096", [] { return factors<double>(4096, 1); }},
        {"lu f32 1000", [] { return factors<float>(1000, 1); }},
        {"lu f32 4096", [] { return factors<float>(4096, 1); }},
        {"lu f64 8192", [] { return factors<double>(8192, 1); }},
        {"lu f64 64 x 5000", [] { return factors<double>(64, 5000); }},
        {"lcs length 200k", [=] { return two_texts(200'000, lcs); }},
        {"edit distance 100k", [=] { return two_texts(100'000, edit); }},
        {"lcs string 50k", [=] { return two_texts(50'000, text); }},
        {"int32 table edit 16k", [] { return table(16'000); }},
        {"edit batch 20000 x 1 kB", [] { return batch(20'000, 1'000); }},
        {"h-domes u8 4096", [] { return picture<std::uint8_t>(4096, false); }},
        {"holes u8 4096", [] { return picture<std::uint8_t>(4096, true); }},
        {"holes f32 4096", [] { return picture<float>(4096, true); }},
        {"flow 97200 rodinia f32", [] { return flow(97'200, true); }},
        {"flow 97200 HLLC order 2 f64", [] { return flow(97'200, false); }},
    };
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<int> threads;
    for (const char* at = argc > 1 ? argv[1] : "1,2,4,8,16"; *at != 0; at += *at == ',')
        threads.push_back(static_cast<int>(std::strtol(at, const_cast<char**>(&at), 10)));
    for (const scaling_case& c : cases()) {
        if (argc > 2 && c.name.find(argv[2]) == std::string::npos) continue;
        const timed_run run = c.make();
        std::string row;
        double first = 0;
        std::printf("%-28s", c.name.c_str());
        for (const int t : threads) {
            double least = run(t, row), spent = least;
            for (int k = 1; k < 20 && spent < 0.2; ++k) {
                const double took = run(t, row);
                least = std::min(least, took);
                spent += took;
            }
            if (first == 0) first = least;
            std::printf(" %d: %.2f ms (%.1fx)", t, 1e3 * least, first / least);
        }
        std::printf("  %s\n", row.c_str());
        std::fflush(stdout);
    }
}
