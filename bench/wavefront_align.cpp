// wavefront_align - measures the CUDA rows of align_batch, align_pairs and align: their kernels, all device
// work of a call, and, of batches, end to end from host bytes, a CSV line each. All scores, places and paths
// of batches are compared with those of the CPU; a pair is compared with a second tuning row, at 100,000
// letters with the CPU; its path is scored again.
//   wavefront_align OUT.csv [FILTER...]     cases: see all_cases()
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace {

using wale::index_t;

struct test_case {
    std::string name;
    index_t pairs;
    index_t shortest, longest;
    const char* letters;
    wale::alignment_options options;
    double instructions;  // of the ALU for two cells
};

std::vector<test_case> all_cases() {
    const char *dna = "ACGT", *protein = "ARNDCQEGHILKMFPSTWYV";
    const wale::alignment_options global{.matrix = {2, -3}, .open = 5, .extend = 2};
    wale::alignment_options local = global, infix = global, search = global;
    local.mode = search.mode = wale::alignment_mode::local;
    infix.mode = wale::alignment_mode::semi_global;
    infix.ends = wale::infix_ends;
    search.matrix = wale::substitution_matrix::named("BLOSUM62");
    search.open = 11;
    search.extend = 1;
    return {{"dna_1kb_global", 100'000, 950, 1024, dna, global, 5},
            {"dna_1kb_infix", 100'000, 950, 1024, dna, infix, 6},
            {"dna_1kb_local", 100'000, 950, 1024, dna, local, 5.5},
            {"dna_150_global", 1'000'000, 140, 160, dna, global, 5},
            {"dna_10kb_global", 2'000, 9'000, 10'000, dna, global, 5},
            {"protein_300_local", 400'000, 290, 310, protein, search, 5.5},
            {"protein_mixed_local", 200'000, 30, 1'000, protein, search, 5.5},
            {"dna_1kb_few", 1'000, 950, 1024, dna, global, 5}};
}

/// The same with ends and with paths. Four instructions more for two cells record their decisions.
std::vector<test_case> all_paths() {
    std::vector<test_case> all;
    for (const test_case& scores : all_cases()) {
        test_case ends = scores, paths = scores;
        ends.name += "_ends";
        ends.options.task = wale::alignment_task::ends;
        paths.name += "_path";
        paths.options.task = wale::alignment_task::path;
        paths.instructions += 4;
        all.insert(all.end(), {ends, paths});
    }
    return all;
}

struct host_batch {
    std::vector<std::uint8_t> data;
    std::vector<index_t> offsets{0};
};

/// Every second target is its query with a letter in twelve drawn anew.
void make(const test_case& c, host_batch& a, host_batch& b) {
    std::mt19937_64 random(static_cast<std::uint64_t>(c.pairs + c.longest));
    const std::string letters = c.letters;
    const auto length = [&] {
        return c.shortest +
               static_cast<index_t>(random() % static_cast<std::uint64_t>(c.longest - c.shortest + 1));
    };
    const auto letter = [&] { return static_cast<std::uint8_t>(letters[random() % letters.size()]); };
    for (index_t k = 0; k < c.pairs; ++k) {
        const index_t m = length(), n = length();
        const std::size_t begin = a.data.size();
        for (index_t i = 0; i < m; ++i) a.data.push_back(letter());
        for (index_t i = 0; i < n; ++i)
            b.data.push_back(k % 2 && i < m && random() % 12 ? a.data[begin + static_cast<std::size_t>(i)]
                                                             : letter());
        a.offsets.push_back(std::ssize(a.data));
        b.offsets.push_back(std::ssize(b.data));
    }
}

/// The time of the kernels in the report's policy, " pairs=0.1234ms"; in seconds.
double kernel_seconds(const wale::report& run, const char* name = " pairs=") {
    const std::size_t at = run.policy.find(name);
    return at == std::string::npos ? 0 : 1e-3 * std::atof(run.policy.c_str() + at + std::strlen(name));
}

/// One pair of which the query is the target with a letter in twenty drawn anew, in part.
struct pair_case {
    const char* name;
    index_t size;
    wale::alignment_options options;
    double instructions;
};

std::vector<pair_case> all_pairs() {
    wale::alignment_options global{
        .task = wale::alignment_task::ends, .matrix = {2, -3}, .open = 5, .extend = 2};
    wale::alignment_options local = global;
    local.mode = wale::alignment_mode::local;
    wale::alignment_options path = local;
    path.task = wale::alignment_task::path;
    return {{"pair_100k_local", 100'000, local, 6.5}, {"pair_1m_local", 1'000'000, local, 6.5},
            {"pair_1m_global", 1'000'000, global, 6}, {"pair_1m_path", 1'000'000, path, 6.5},
            {"pair_5m_local", 5'000'000, local, 6.5}, {"pair_5m_path", 5'000'000, path, 6.5}};
}

/// The score of the path's columns.
index_t score_of(const wale::alignment_result& r, const wale::alignment_options& o) {
    index_t score = 0;
    for (const wale::alignment_run& run : r.path) {
        if (run.operation == '=') score += o.matrix.match() * run.length;
        if (run.operation == 'X') score += o.matrix.mismatch() * run.length;
        if (run.operation == 'I' || run.operation == 'D') score -= o.open + (run.length - 1) * o.extend;
    }
    return score;
}

bool same(const wale::alignment_result& a, const wale::alignment_result& b) {
    return a.score == b.score && a.query_end == b.query_end && a.target_end == b.target_end;
}

bool measure(const wale::bench::csv_lines& table, const pair_case& c) {
    std::mt19937_64 random(3);
    std::string query, target;
    for (index_t k = 0; k < c.size; ++k) {
        target += "ACGT"[random() % 4];
        const bool like = k > c.size / 3 && k < c.size / 2 && random() % 20 != 0;
        query += like ? target.back() : "ACGT"[random() % 4];
    }
    const wale::execution device = wale::on_cuda{.time_on_device = true};
    const auto x = wale::to_device(device, std::span<const char>(query));
    const auto y = wale::to_device(device, std::span<const char>(target));
    const bool walks = c.options.task == wale::alignment_task::path;
    const auto ask = [&] {
        return wale::align(device, wale::sequence_view(x.data(), c.size, 1),
                           wale::sequence_view(y.data(), c.size, 1), c.options);
    };
    setenv("WALE_TUNING", c.size > 1'000'000 ? "wavefront/align/strips=1" : "wavefront/align/strips=2", 1);
    const wale::alignment_result expected = c.size <= 100'000
                                                ? wale::align(wale::on_cpu{}, query, target, c.options)
                                            : walks ? wale::alignment_result{}
                                                    : ask();
    unsetenv("WALE_TUNING");
    std::vector<double> kernels, calls;
    wale::alignment_result got;
    for (int repeat = 0; repeat < (c.size > 2'000'000 ? 1 : 5); ++repeat) {
        got = ask();
        kernels.push_back(kernel_seconds(got.run, " cells="));
        calls.push_back(got.run.compute_seconds);
    }
    if (walks ? score_of(got, c.options) != got.score : !same(got, expected)) {
        std::fprintf(stderr, "wavefront_align: %s: score, ends or path differ\n", c.name);
        return false;
    }
    const double most = 16.1e12 * 2 / c.instructions,
                 work = static_cast<double>(c.size) * static_cast<double>(c.size);
    const auto add = [&](const char* stage, const std::vector<double>& times) {
        const double seconds = wale::bench::median(times), rate = work / seconds;
        table.add(c.name, got.run.variant, 1, c.size, c.size, stage, 1e3 * seconds, 1e-12 * rate,
                  1e-12 * most, rate / most, got.run.policy);
    };
    add("kernel", kernels);
    add("device", calls);
    return true;
}

bool same(const wale::pair_alignments& a, const wale::pair_alignments& b) {
    return a.score == b.score && a.query_begin == b.query_begin && a.query_end == b.query_end &&
           a.target_begin == b.target_begin && a.target_end == b.target_end && a.first_run == b.first_run &&
           a.runs == b.runs;
}

/// Whether the scores, or the paths where the case asks for them, were right.
bool measure(const wale::bench::csv_lines& table, const test_case& c) {
    const bool places = c.options.task != wale::alignment_task::score;
    host_batch a, b;
    make(c, a, b);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(c.pairs)), got(expected.size());
    wale::pair_alignments expected_paths, got_paths;
    const wale::sequence_batch queries{a.data.data(), a.offsets.data(), c.pairs},
        targets{b.data.data(), b.offsets.data(), c.pairs};
    if (places)
        expected_paths = wale::align_pairs(wale::on_cpu{}, queries, targets, c.options);
    else
        (void)wale::align(wale::on_cpu{}, queries, targets, expected, c.options);
    const wale::execution device = wale::on_cuda{.time_on_device = true};
    std::vector<double> kernels, calls, whole;
    wale::report run;
    for (int repeat = 0; repeat < 8; ++repeat) {
        const double start = wale::bench::now();
        const auto x = wale::to_device<std::uint8_t>(device, a.data);
        const auto y = wale::to_device<std::uint8_t>(device, b.data);
        const auto x_offsets = wale::to_device<index_t>(device, a.offsets);
        const auto y_offsets = wale::to_device<index_t>(device, b.offsets);
        const wale::sequence_batch q{x.data(), x_offsets.data(), c.pairs},
            t{y.data(), y_offsets.data(), c.pairs};
        if (places) {
            got_paths = wale::align_pairs(device, q, t, c.options);
            run = got_paths.run;
        } else {
            const wale::buffer<std::int64_t> out(c.pairs, wale::memory_space::device);
            run = wale::align(device, q, t, out.span(), c.options).run;
            wale::copy_bytes(device, got.data(), out.data(), c.pairs * index_t{sizeof(std::int64_t)});
        }
        if (repeat < 2) continue;
        whole.push_back(wale::bench::now() - start);
        kernels.push_back(kernel_seconds(run));
        calls.push_back(run.compute_seconds);
    }
    if (places ? !same(got_paths, expected_paths) : got != expected) {
        std::fprintf(stderr, "wavefront_align: %s: answers differ from the CPU's\n", c.name.c_str());
        return false;
    }
    const double most = 16.1e12 * 2 / c.instructions;  // cells a second
    const auto add = [&](const char* stage, const std::vector<double>& times) {
        const double seconds = wale::bench::median(times), rate = run.work / seconds;
        table.add(c.name, run.variant, c.pairs, c.shortest, c.longest, stage, 1e3 * seconds, 1e-12 * rate,
                  1e-12 * most, rate / most, run.policy);
    };
    add("kernel", kernels);
    add("device", calls);
    add("end to end, pageable", whole);
    return true;
}

/// One query in a database of so many proteins of some 350 letters, whole calls from the host's memory.
constexpr index_t searched = 100'000;
constexpr index_t all_searches[] = {30, 144, 375, 1'000, 1'500, 2'005, 3'005, 5'478};

bool measure(const wale::bench::csv_lines& table, index_t size) {
    std::mt19937 random(7);
    const auto add_protein = [&](host_batch& to, index_t letters) {
        for (index_t i = 0; i < letters; ++i)
            to.data.push_back(static_cast<std::uint8_t>("ARNDCQEGHILKMFPSTWYV"[random() % 20]));
        to.offsets.push_back(std::ssize(to.data));
    };
    host_batch query, targets;
    add_protein(query, size);
    std::lognormal_distribution<double> length(5.7, 0.55);
    for (index_t k = 0; k < searched; ++k) add_protein(targets, 1 + static_cast<index_t>(length(random)));
    const auto ask = [&](const wale::execution& where) {
        return wale::search(
            where, {query.data.data(), query.offsets.data(), 1},
            {targets.data.data(), targets.offsets.data(), searched},
            {.matrix = wale::substitution_matrix::named("BLOSUM62"), .evalue = 1e300, .path = false});
    };
    const wale::search_result expected = ask(wale::on_cpu{});
    std::vector<double> kernels, calls;
    wale::search_result got;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double begin = wale::bench::now();
        got = ask(wale::on_cuda{.time_on_device = true});
        if (repeat == 0) continue;
        calls.push_back(wale::bench::now() - begin);
        kernels.push_back(kernel_seconds(got.run));
    }
    for (std::size_t k = 0; k < expected.hits[0].size(); ++k)
        if (got.hits[0].size() != expected.hits[0].size() ||
            got.hits[0][k].target != expected.hits[0][k].target ||
            got.hits[0][k].score != expected.hits[0][k].score) {
            std::fprintf(stderr, "wavefront_align: search of %td: hits differ from the CPU's\n", size);
            return false;
        }
    const double most = 16.1e12 * 2 / 5.5,
                 work = static_cast<double>(size) * static_cast<double>(targets.data.size());
    const auto add = [&](const char* stage, const std::vector<double>& times) {
        const double seconds = wale::bench::median(times), rate = work / seconds;
        table.add("search_local", got.run.variant, searched, size, size, stage, 1e3 * seconds, 1e-12 * rate,
                  1e-12 * most, rate / most, got.run.policy);
    };
    add("kernel", kernels);
    add("end to end, pageable", calls);
    return true;
}

struct align_table : wale::bench::csv_lines {
    explicit align_table(const std::string& path)
        : csv_lines(path, "case,variant,pairs,shortest,longest,stage,ms,tcups,floor_tcups,of_floor,policy") {}
};

}  // namespace

int main(int argc, char** argv) {
    using namespace wale::bench;
    std::vector<named_case<align_table>> all;
    const auto add = [&](const auto& cases) {
        for (const auto& c : cases)
            all.push_back({c.name, [c](const align_table& out) { return measure(out, c); }});
    };
    add(all_cases());
    add(all_paths());
    add(all_pairs());
    for (const index_t size : all_searches)
        all.push_back({"search_" + std::to_string(size),
                       [size](const align_table& out) { return measure(out, size); }});
    return run_cases(argc, argv, all);
}
