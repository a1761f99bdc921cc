// study_bench - turns the rows of a study into benchmarks.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "registration.hpp"

namespace wale::bench {
namespace {

/// The rows of one experiment and size on one backend: measured when the first of them is asked for.
class measured_study {
public:
    measured_study(experiment e, index_t size, bool cuda) : e_(std::move(e)), size_(size), cuda_(cuda) {}
    const study_result& result() {
        if (!done_) {
            study_options options;
            options.operation = e_.study;
            options.sizes = {size_};
            options.input = e_.image;
            options.cuda = cuda_;
            options.cpu = !cuda_;
            done_ = std::make_unique<study_result>(study(e_.solver, options));
        }
        return *done_;
    }
    [[nodiscard]] const experiment& what() const { return e_; }

private:
    experiment e_;
    index_t size_;
    bool cuda_;
    std::unique_ptr<study_result> done_;
};

const study_row* row_of(const study_result& result, const std::string& variant) {
    for (const study_row& row : result.rows)
        if (row.variant == variant) return &row;
    return nullptr;
}

/// Reports the row of `variant`, or why there is none.
void report_row(benchmark::State& state, measured_study& from, const std::string& variant) {
    const study_result& result = from.result();
    if (const study_row* row = row_of(result, variant)) {
        for (auto _ : state) state.SetIterationTime(row->seconds);
        state.counters[result.unit + "s/s"] = row->rate;
        if (row->ceiling > 0) state.counters["of_ceiling"] = row->of_ceiling;
        state.SetLabel(row->policy);
        const study_row* peer = row_of(result, from.what().peer);
        if (csv_output() != nullptr)
            csv_output()->add({*row, from.what().study, variant.starts_with("cpu/") ? available_threads() : 1,
                               peer ? peer->seconds / row->seconds : 0});
        return;
    }
    for (const std::string& text : result.failed)
        if (text.rfind(variant, 0) == 0) return state.SkipWithError(text.c_str());
    for (const std::string& text : result.skipped)
        if (text.rfind(variant, 0) == 0) return state.SkipWithError(("skipped: " + text).c_str());
    state.SkipWithError("skipped: no row");
}

}  // namespace

void register_experiment(const experiment& e) {
    for (const bool cuda : {false, true}) {
        if (cuda && !is_available(backend::cuda)) continue;
        for (const index_t size : cuda ? e.device_sizes : e.host_sizes) {
            const auto from = std::make_shared<measured_study>(e, size, cuda);
            for (const variant_info& v : variants(e.solver)) {
                if (v.operation != e.operation || (v.where == backend::cuda) != cuda) continue;
                const std::string name =
                    v.solver + "/" + v.operation + "/" + v.name + "/" + e.input + "/" + std::to_string(size);
                const auto measure = [from, variant = v.name](benchmark::State& state) {
                    try {
                        report_row(state, *from, variant);
                    } catch (const error& problem) {
                        state.SkipWithError(problem.what());
                    }
                };
                benchmark::RegisterBenchmark(name.c_str(), measure)
                    ->Iterations(1)
                    ->UseManualTime()
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
}

}  // namespace wale::bench
