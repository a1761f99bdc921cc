// wavefront_cpu - lengths, distances and batches on the CPU beside edlib (linked here) and rapidfuzz (a
// Python child that is asked for the same pair right after): one CSV line a case. Answers are compared after
// the timing.
//   wavefront_cpu OUT.csv COMMIT ["PYTHON bench/rapidfuzz_peer.py"]
#include <edlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <stdexcept>
#include <wale/wale.hpp>

namespace {

using wale::index_t;

struct timed {
    double seconds = 0;  // median
    index_t answer = 0;
};

/// Seconds of this thread on a core; of the clock on the wall for work that several threads share.
double seconds_now(int threads) {
    timespec t{};
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Repeats for about half a second, at least three times.
timed measure(int threads, const std::function<index_t()>& work) {
    std::vector<double> seconds;
    timed t;
    const double begin = seconds_now(threads);
    while (seconds.size() < 3 || (seconds_now(threads) - begin < 0.5 && seconds.size() < 2001)) {
        const double start = seconds_now(threads);
        t.answer = work();
        seconds.push_back(seconds_now(threads) - start);
    }
    std::nth_element(seconds.begin(), seconds.begin() + std::ssize(seconds) / 2, seconds.end());
    t.seconds = seconds[seconds.size() / 2];
    return t;
}

std::string random_letters(std::size_t size, std::string_view alphabet, unsigned seed) {
    std::mt19937 random(seed);
    std::string s(size, ' ');
    for (char& c : s) c = alphabet[random() % alphabet.size()];
    return s;
}

std::string mutated(const std::string& s, double rate) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0, 1);
    std::string out;
    for (const char c : s) {
        const bool change = unit(random) < rate;
        const auto kind = random() % 3;  // substituted, deleted, inserted
        if (!change || kind == 2) out += c;
        if (change && kind != 1) out += s[random() % s.size()];
    }
    return out;
}

timed edlib(const std::string& a, const std::string& b) {
    return measure(1, [&] {
        const EdlibAlignResult r = edlibAlign(a.data(), static_cast<int>(a.size()), b.data(),
                                              static_cast<int>(b.size()), edlibDefaultAlignConfig());
        const index_t distance = r.editDistance;
        edlibFreeAlignResult(r);
        return distance;
    });
}

/// rapidfuzz in a child process, which times itself: `child` is "python3 bench/rapidfuzz_peer.py".
timed rapidfuzz(const std::string& child, const std::string& metric, const std::string& a,
                const std::string& b) {
    const auto folder = std::filesystem::temp_directory_path();
    std::ofstream(folder / "wale_pair_a") << a;
    std::ofstream(folder / "wale_pair_b") << b;
    const std::string command = child + " " + metric + " " + (folder / "wale_pair_a").string() + " " +
                                (folder / "wale_pair_b").string();
    timed t;
    FILE* answer = popen(command.c_str(), "r");
    const bool read = answer != nullptr && std::fscanf(answer, "%lf %ld", &t.seconds, &t.answer) == 2;
    if (answer != nullptr) pclose(answer);
    if (!read) throw std::runtime_error("rapidfuzz did not answer");
    return t;
}

class table {
public:
    table(const std::string& file, std::string commit) : out_(file), commit_(std::move(commit)) {
        out_ << "commit,operation,variant,threads,alphabet,m,n,median_ms,rate_gcups,peer,peer_gcups,ratio\n";
    }
    struct peer {
        std::string name;
        timed time;
    };
    void add(const std::string& operation, const wale::report& run, const std::string& alphabet, index_t m,
             index_t n, timed ours, const peer& other) {
        if (!other.name.empty() && ours.answer != other.time.answer)
            throw std::runtime_error(run.variant + ": " + std::to_string(ours.answer) + ", " + other.name +
                                     ": " + std::to_string(other.time.answer));
        char line[512];
        std::snprintf(line, sizeof line, "%s,%s,%s,%d,%s,%ld,%ld,%.4f,%.2f,%s,%.2f,%.2f\n", commit_.c_str(),
                      operation.c_str(), run.variant.c_str(), run.threads, alphabet.c_str(), m, n,
                      1e3 * ours.seconds, 1e-9 * run.work / ours.seconds, other.name.c_str(),
                      other.name.empty() ? 0 : 1e-9 * run.work / other.time.seconds,
                      other.name.empty() ? 0 : other.time.seconds / ours.seconds);
        out_ << line << std::flush;
        std::cout << line << std::flush;
    }

private:
    std::ofstream out_;
    std::string commit_;
};

struct sequences {
    std::string name, a, b;
};

void lcs_case(table& t, const sequences& s, const std::string& python) {
    const table::peer peer =
        python.empty() ? table::peer{} : table::peer{"rapidfuzz", rapidfuzz(python, "LCSseq", s.a, s.b)};
    for (const char* variant : {"cpu/skewed_strips", "cpu/bit_vector"})
        for (const int threads : {1, 2}) {
            wale::report run;
            const timed ours = measure(threads, [&] {
                auto r = wale::lcs_length(wale::on_cpu{threads}, s.a, s.b, {.variant = variant});
                run = r.run;
                return r.length;
            });
            if (run.threads == threads)
                t.add("lcs_length", run, s.name, std::ssize(s.a), std::ssize(s.b), ours, peer);
        }
}

void edit_case(table& t, const sequences& s, const std::vector<const char*>& variants) {
    const table::peer peer{"edlib", edlib(s.a, s.b)};
    for (const char* variant : variants)
        for (const int threads : {1, 2}) {
            wale::report run;
            const timed ours = measure(threads, [&] {
                auto r = wale::edit_distance(wale::on_cpu{threads}, s.a, s.b, {.variant = variant});
                run = r.run;
                return r.distance;
            });
            if (run.threads == threads)
                t.add("edit_distance", run, s.name, std::ssize(s.a), std::ssize(s.b), ours, peer);
        }
}

void string_case(table& t, const sequences& s) {
    for (const int threads : {1, 2}) {
        wale::report run;
        const timed ours = measure(threads, [&] {
            auto r = wale::lcs_string(wale::on_cpu{threads}, s.a, s.b);
            run = r.run;
            return std::ssize(r.in_a);
        });
        if (run.threads == threads)
            t.add("lcs_string", run, s.name, std::ssize(s.a), std::ssize(s.b), ours, {});
    }
}

/// The candidates of the tuning table, by the environment variable that a person would use.
void tuning_case(table& t, const sequences& s) {
    for (int row = 0; row < 5; ++row) {
        const std::string choice = "wavefront/length/cpu_strips=" + std::to_string(row);
        setenv("WALE_TUNING", choice.c_str(), 1);
        for (const bool lcs : {true, false}) {
            wale::report run;
            const timed ours = measure(1, [&] {
                if (lcs) {
                    auto r = wale::lcs_length(wale::on_cpu{1}, s.a, s.b, {.variant = "cpu/skewed_strips"});
                    run = r.run;
                    return r.length;
                }
                auto r = wale::edit_distance(wale::on_cpu{1}, s.a, s.b, {.variant = "cpu/skewed_strips"});
                run = r.run;
                return r.distance;
            });
            run.variant += " cpu_strips=" + std::to_string(row);
            t.add(lcs ? "lcs_length" : "edit_distance", run, s.name, std::ssize(s.a), std::ssize(s.b), ours,
                  {});
        }
        unsetenv("WALE_TUNING");
    }
}

/// `count` pairs of `size` symbols and a tenth mutated; the peer is edlib, pair by pair.
void batch_case(table& t, index_t count, index_t size) {
    std::string a, b;
    std::vector<index_t> at_a{0}, at_b{0};
    for (index_t k = 0; k < count; ++k) {
        const std::string read =
            random_letters(static_cast<std::size_t>(size), "ACGT", static_cast<unsigned>(k));
        a += read;
        b += mutated(read, 0.1);
        at_a.push_back(std::ssize(a));
        at_b.push_back(std::ssize(b));
    }
    const auto piece = [](const std::string& s, const std::vector<index_t>& at, index_t k) {
        const auto i = static_cast<std::size_t>(k);
        return s.substr(static_cast<std::size_t>(at[i]), static_cast<std::size_t>(at[i + 1] - at[i]));
    };
    const table::peer peer{"edlib", measure(1, [&] {
                               index_t sum = 0;
                               for (index_t k = 0; k < count; ++k) {
                                   const std::string x = piece(a, at_a, k);
                                   const std::string y = piece(b, at_b, k);
                                   const EdlibAlignResult r =
                                       edlibAlign(x.data(), static_cast<int>(x.size()), y.data(),
                                                  static_cast<int>(y.size()), edlibDefaultAlignConfig());
                                   sum += r.editDistance;
                                   edlibFreeAlignResult(r);
                               }
                               return sum;
                           })};
    std::vector<std::int32_t> answers(static_cast<std::size_t>(count));
    for (const bool lcs : {false, true})
        for (const char* variant : {"cpu/lanes", "cpu/pairs"})
            for (const int threads : {1, 2}) {
                wale::report run;
                const wale::sequence_batch x{a.data(), at_a.data(), count, 1};
                const wale::sequence_batch y{b.data(), at_b.data(), count, 1};
                const timed ours = measure(threads, [&] {
                    run =
                        lcs ? wale::lcs_length(wale::on_cpu{threads}, x, y, answers, {.variant = variant}).run
                            : wale::edit_distance(wale::on_cpu{threads}, x, y, answers, {.variant = variant})
                                  .run;
                    index_t sum = 0;
                    for (const std::int32_t answer : answers) sum += answer;
                    return sum;
                });
                t.add(lcs ? "lcs_batch" : "edit_batch", run, "dna 10% x" + std::to_string(count), size, size,
                      ours, lcs ? table::peer{} : peer);
            }
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 3) {
        std::cerr << "usage: wavefront_cpu OUT.csv COMMIT [\"PYTHON bench/rapidfuzz_peer.py\"]\n";
        return 2;
    }
    table t(argv[1], argv[2]);
    const std::string python = argc > 3 ? argv[3] : "";
    const std::string_view dna = "ACGT", protein = "ACDEFGHIKLMNPQRSTVWY";
    for (const std::size_t n : {100u, 1000u, 10000u, 100000u}) {
        const sequences random{"dna", random_letters(n, dna, 1), random_letters(n, dna, 2)};
        lcs_case(t, random, python);
        edit_case(t, random, {"cpu/skewed_strips", "cpu/bit_vector", "automatic"});
        string_case(t, random);
        if (n >= 10000) tuning_case(t, random);
    }
    const sequences proteins{"protein", random_letters(10000, protein, 1), random_letters(10000, protein, 2)};
    lcs_case(t, proteins, python);
    edit_case(t, proteins, {"cpu/skewed_strips"});
    for (const std::size_t n : {10000u, 100000u})
        for (const int percent : {1, 5, 10, 20}) {
            const std::string a = random_letters(n, dna, 1);
            edit_case(t, {"dna " + std::to_string(percent) + "%", a, mutated(a, percent / 100.0)},
                      {"cpu/band", "cpu/skewed_strips"});
        }
    batch_case(t, 20000, 100);
    batch_case(t, 1000, 1000);
    return 0;
} catch (const std::exception& e) {
    std::cerr << "wavefront_cpu: " << e.what() << '\n';
    return 1;
}
