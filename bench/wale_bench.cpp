// wale_bench - wale::study(), which verifies each row on the data that was timed, as lines of CSV.
//   wale_bench OUT.csv [FILTER...]    the experiments below whose name, "lu/pivoted_f64/cuda/2048", contains
//   all wale_bench OUT.csv --rows PLAN    each row of the tuning tables in PLAN, which bench/tune.py writes
// WALE_IMAGE names an image file that read_image takes, whose mirrored tiles stand for tissue; without it
// blots are made. Exit code 1 if a result was wrong.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "csv.hpp"

namespace {

using namespace wale;

/// One experiment of a solver's study, at some sizes on the host and some on a device.
struct experiment {
    const char* solver;
    const char* name;  // study_options.operation
    std::vector<index_t> host_sizes, device_sizes;
    const char* peer = "";  // a variant: the column `ratio` is its time over a row's
};

const std::vector<experiment>& experiments() {
    constexpr const char* table_peer = "cuda/rect_global";
    constexpr const char* image_peer = "cuda/elementary";
    constexpr const char* ladder = "cuda/blocked_shared";
    static const std::vector<experiment> all{
        {"wavefront", "fill", {1024, 4096, 16384}, {4096, 16384, 65536}, table_peer},
        {"wavefront", "fill_edit", {4096}, {16384}, table_peer},
        {"wavefront", "fill_global", {4096}, {16384}, table_peer},
        {"wavefront", "fill_dtw", {4096}, {16384}, table_peer},
        {"wavefront", "fill_summed_area", {2048}, {2048}, table_peer},
        {"wavefront", "lcs_length", {10000, 100000}, {100000, 1000000, 4000000, 8000000}},
        {"wavefront", "edit_distance", {10000, 100000}, {100000, 1000000, 4000000}},
        {"wavefront", "lcs_string", {10000}, {100000, 1000000}},
        {"wavefront", "lcs_batch", {10000}, {100000, 1000000}},
        {"wavefront", "edit_batch", {10000}, {100000, 1000000}},
        {"reconstruction", "h_domes", {4096}, {4096, 32768}, image_peer},
        {"reconstruction", "h_domes_4", {4096}, {4096}, image_peer},
        {"reconstruction", "h_domes_u16", {4096}, {4096}, image_peer},
        {"reconstruction", "h_domes_f32", {4096}, {4096}, image_peer},
        {"reconstruction", "fill_holes", {4096}, {4096}, image_peer},
        {"reconstruction", "fill_holes_u16", {4096}, {4096}, image_peer},
        {"reconstruction", "fill_holes_field", {4096}, {4096}, image_peer},
        {"reconstruction", "fill_holes_field_u16", {4096}, {4096}, image_peer},
        {"reconstruction", "binary", {4096}, {4096}, image_peer},
        {"reconstruction", "bits", {4096}, {4096}, image_peer},
        {"reconstruction", "serpentine", {4096}, {4096}, image_peer},
        {"reconstruction", "serpentine_bits", {4096}, {4096}, image_peer},
        {"reconstruction", "percolation", {4096}, {4096}, image_peer},
        {"reconstruction", "percolation_bits", {4096}, {4096}, image_peer},
        {"reconstruction", "volume_domes", {128}, {256}, image_peer},
        {"reconstruction", "batch_domes", {64}, {1024}, image_peer},
        {"lu", "unpivoted", {512, 2048}, {512, 2048}, ladder},
        {"lu", "unpivoted_f64", {512}, {512, 2048, 8192}, ladder},
        {"lu", "pivoted", {512, 2048}, {256, 512, 1024, 2048}},
        {"lu", "pivoted_f64", {512, 2048}, {512, 2048, 8192}},
        {"lu", "batch_8", {20000}, {200000}},
        {"lu", "batch_32", {2000}, {50000}},
        {"lu", "batch_64", {500}, {20000}},
        {"lu", "batch_128", {100}, {5000}},
        {"lu", "batch_256", {20}, {1000}},
        {"tree", "chains_flat", {64, 1024}, {64, 1024, 65536}},
        {"tree", "chains_interleaved", {64, 1024}, {64, 1024, 65536}},
        {"tree", "chains_block_interleaved", {64, 1024}, {64, 1024, 65536}},
        {"tree", "chains_unified", {64, 1024}, {64, 1024, 65536}},
        {"tree", "pivoted_flat", {64, 1024}, {64, 1024, 65536}},
        {"tree", "pivoted_interleaved", {64, 1024}, {64, 1024, 65536}},
        {"tree", "trees_flat", {64, 1024}, {64, 1024, 65536}},
        {"tree", "trees_interleaved", {64, 1024}, {64, 1024, 65536}},
        {"tree", "trees_block_interleaved", {64, 1024}, {64, 1024, 65536}},
        {"tree", "one_tree", {1000, 1 << 20}, {1 << 20}},
        {"tree", "one_path", {1000, 1 << 20}, {1 << 20}},
        {"euler", "rodinia_f32", {20000}, {97200, 1008600}, "cuda/one_pass"},
        {"euler", "rodinia_f64", {20000}, {97200, 1008600}, "cuda/one_pass"},
        {"euler", "hllc_second_order", {20000}, {97200}},
    };
    return all;
}

study_options asked(const std::string& name, index_t size, bool cuda) {
    study_options o{.operation = name, .sizes = {size}, .cpu = !cuda, .cuda = cuda};
    if (const char* image = std::getenv("WALE_IMAGE")) o.input = image;
    return o;
}

/// The verified rows; prints why other rows are not there. `good` becomes false if a result was wrong.
std::vector<study_row> measured(const std::string& solver, const study_options& options, bool& good) {
    const std::string what = solver + "/" + options.operation + "/" + std::to_string(options.sizes.front());
    try {
        const study_result result = study(solver, options);
        for (const std::string& text : result.skipped)
            std::printf("%s: skipped: %s\n", what.c_str(), text.c_str());
        for (const std::string& text : result.failed)
            std::printf("%s: WRONG: %s\n", what.c_str(), text.c_str());
        good = good && result.failed.empty();
        return result.rows;
    } catch (const error& e) {
        std::printf("%s: WRONG: %s\n", what.c_str(), e.what());
        good = false;
        return {};
    }
}

bool run_experiments(const char* path, const std::vector<std::string>& filters) {
    const bench::csv_lines out(path,
                               "operation,size,variant,threads,median_s,rate_g_per_s,of_ceiling,policy,"
                               "iterations,ratio");
    bool good = true;
    for (const experiment& e : experiments())
        for (const bool cuda : {false, true}) {
            if (cuda && !is_available(backend::cuda)) continue;
            for (const index_t size : cuda ? e.device_sizes : e.host_sizes) {
                const std::string name =
                    std::string(e.solver) + "/" + e.name + (cuda ? "/cuda/" : "/cpu/") + std::to_string(size);
                if (!std::ranges::all_of(
                        filters, [&](const std::string& f) { return name.find(f) != std::string::npos; }))
                    continue;
                const auto rows = measured(e.solver, asked(e.name, size, cuda), good);
                const auto peer = std::ranges::find(rows, e.peer, &study_row::variant);
                for (const study_row& r : rows)
                    out.add(e.name, size, r.variant, r.variant.starts_with("cpu/") ? available_threads() : 1,
                            r.seconds, r.rate / 1e9, r.of_ceiling, r.policy, r.iterations,
                            peer == rows.end() ? 0 : peer->seconds / r.seconds);
            }
        }
    return good;
}

/// A line of PLAN: nine fields with tabs between them.
struct tuning_row {
    std::string table, array, row, element_bytes, values, solver, operation, variant;
    index_t size;
};

bool run_rows(const char* path, const char* plan) {
    const bench::csv_lines out(path,
                               "table,array,row,element_bytes,values,operation,size,variant,policy,median_s,"
                               "rate_g_per_s");
    std::ifstream file(plan);
    if (!file) throw cannot_open(std::string(plan) + " cannot be opened");
    bool good = true;
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        tuning_row t{};
        for (std::string* field :
             {&t.table, &t.array, &t.row, &t.element_bytes, &t.values, &t.solver, &t.operation, &t.variant})
            std::getline(fields, *field, '\t');
        fields >> t.size;
        if (!fields) throw bad_input(std::string(plan) + ": '" + line + "', expected nine fields");
        setenv("WALE_TUNING", (t.table + "=" + t.row).c_str(), 1);
        const bool cuda = t.variant.starts_with("cuda/");
        study_options o = asked(t.operation, t.size, cuda);
        o.variant = t.variant;
        o.repeats = 5;
        o.seconds_each = 0.5;
        std::printf("%s=%s: ", t.table.c_str(), t.row.c_str());
        for (const study_row& r : measured(t.solver, o, good))
            if (r.variant == t.variant)
                out.add(t.table, t.array, t.row, t.element_bytes, t.values, t.operation, t.size, r.variant,
                        r.policy, r.seconds, r.rate / 1e9);
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]).starts_with("-")) {
        std::fprintf(stderr, "usage: wale_bench OUT.csv [FILTER... | --rows PLAN]\n");
        return 2;
    }
    try {
        const bool rows = argc == 4 && std::string_view(argv[2]) == "--rows";
        return (rows ? run_rows(argv[1], argv[3]) : run_experiments(argv[1], {argv + 2, argv + argc})) ? 0
                                                                                                       : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "wale_bench: %s\n", e.what());
        return 1;
    }
}
