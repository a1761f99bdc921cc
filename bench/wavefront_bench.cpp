// wavefront_bench - one benchmark for every row of the variant table, kind of table and size:
// wavefront/fill/cuda/strips/lcs/i32/65536. The measurement is wale::study()'s, which verifies the
// result on the data that was timed; so `wale study`, wale.study() and these rows agree.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "registration.hpp"

namespace wale::bench {
namespace {

struct experiment {
    const char* study;      // study_options.operation
    const char* operation;  // of the variant table
    const char* input;      // what stands between variant and size in the name
    std::vector<index_t> host_sizes, device_sizes;
};

const std::vector<experiment>& experiments() {
    static const std::vector<experiment> all{
        {"fill", "fill", "lcs/i32", {1024, 4096, 16384}, {4096, 16384, 65536}},
        {"fill_edit", "fill", "edit/i32", {4096}, {16384}},
        {"fill_global", "fill", "global/i32", {4096}, {16384}},
        {"fill_dtw", "fill", "dtw/f32", {4096}, {16384}},
        {"fill_summed_area", "fill", "summed_area/i32", {2048}, {2048}},
        {"lcs_length", "lcs_length", "dna", {10000, 100000}, {100000, 1000000, 4000000}},
        {"edit_distance", "edit_distance", "dna", {10000, 100000}, {100000, 1000000}},
        {"lcs_string", "lcs_string", "dna", {10000}, {100000, 1000000}},
        {"lcs_batch", "lcs_batch", "reads", {10000}, {100000, 1000000}},
        {"edit_batch", "edit_batch", "reads", {10000}, {100000, 1000000}},
    };
    return all;
}

/// Reports the row of `variant`, or why there is none.
void report_row(benchmark::State& state, const study_result& result, const study_options& asked) {
    const std::string& variant = asked.variant;
    const bool on_host = variant.rfind("cpu/", 0) == 0;
    for (const study_row& row : result.rows) {
        if (row.variant != variant) continue;
        for (auto _ : state) state.SetIterationTime(row.seconds);
        state.counters["cells/s"] = row.rate;
        if (row.ceiling > 0) state.counters["of_ceiling"] = row.of_ceiling;
        state.SetLabel(row.policy);
        if (csv_output() != nullptr)
            csv_output()->add(row, asked.operation, on_host ? available_threads() : 1);
        return;
    }
    for (const std::string& text : result.failed)
        if (text.rfind(variant, 0) == 0) return state.SkipWithError(text.c_str());
    const std::string reason = result.skipped.empty() ? "no row" : result.skipped.front();
    state.SkipWithError(("skipped: " + reason).c_str());
}

void measure(benchmark::State& state, const study_options& options) {
    try {
        report_row(state, study("wavefront", options), options);
    } catch (const error& e) {
        state.SkipWithError(e.what());
    }
}

void register_row(const experiment& e, const variant_info& v, index_t size) {
    study_options options;
    options.operation = e.study;
    options.sizes = {size};
    options.variant = v.name;
    options.cuda = v.where == backend::cuda;
    const std::string name =
        v.solver + "/" + v.operation + "/" + v.name + "/" + e.input + "/" + std::to_string(size);
    benchmark::RegisterBenchmark(name.c_str(), [options](benchmark::State& s) { measure(s, options); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_wavefront() {
    for (const experiment& e : experiments())
        for (const variant_info& v : variants("wavefront")) {
            if (v.operation != e.operation || !is_available(v.where)) continue;
            const auto& sizes = v.where == backend::cuda ? e.device_sizes : e.host_sizes;
            for (const index_t size : sizes) register_row(e, v, size);
        }
}

}  // namespace wale::bench
