// verified_reporter - prints only rows whose results were verified; counts and names the others on stderr.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <vector>

namespace wale::bench {

class verified_reporter final : public benchmark::ConsoleReporter {
public:
    verified_reporter() : ConsoleReporter(OO_Tabular) {}
    void ReportRuns(const std::vector<Run>& runs) override {
        std::vector<Run> good;
        for (const Run& run : runs) {
            if (!run.error_occurred) {
                good.push_back(run);
                continue;
            }
            const std::string name = run.benchmark_name();
            std::fprintf(stderr, "not shown: %s: %s\n", name.c_str(), run.error_message.c_str());
            wrong_ += run.error_message.rfind("skipped", 0) != 0;
        }
        if (!good.empty()) ConsoleReporter::ReportRuns(good);
    }
    [[nodiscard]] int wrong() const { return wrong_; }

private:
    int wrong_ = 0;  // rows that ran and were not right
};

}  // namespace wale::bench
