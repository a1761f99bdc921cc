// study - runs every variant of an operation on one input, verified against the reference and timed.
// The command `wale study`, the benchmarks and wale.study() in Python all show these rows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include <wale/execution.hpp>
#include <wale/layout.hpp>

namespace wale {

struct study_options {
    std::string operation{};       // one of study_operations(solver); empty: the first
    std::vector<index_t> sizes{};  // symbols, pixels a side, or pairs of a batch; empty: the solver's
    std::string input{};           // reconstruction: an image file, tiled by mirroring; empty: made
    std::string variant{};         // only names containing this
    int repeats = 5;               // the median is reported, after one run to warm up
    int threads = 0;
    bool cpu = true;
    bool cuda = true;                                    // silently less where unavailable: `skipped` says so
    double seconds_each = 2;                             // stop repeating a row after this
    std::function<void(const std::string&)> progress{};  // called before each row
};

struct study_row {
    std::string variant;
    index_t size = 0;
    double seconds = 0;       // median
    double rate = 0;          // work / seconds: cells or pixels a second
    double ceiling = 0;       // the rate that the binding resource allows; 0: unknown
    std::string binds;        // that resource: "memory write 4.3 TB/s", "integer ALU"
    double of_ceiling = 0;    // rate / ceiling
    double over_slowest = 0;  // ratio to the slowest row of this size
    double of_fastest = 0;    // ratio to the fastest row of this size
    index_t iterations = 0;   // as report.iterations
    bool verified = false;    // equal to the reference on the data that was timed
    std::string policy;
    std::string device;
};

/// A statement of the source notes, and what these rows say of it.
struct study_claim {
    std::string claim;
    std::string measured;
};

struct study_result {
    std::string unit;             // of the work: "cell", "pixel"
    std::vector<study_row> rows;  // unverified rows are not here but in `failed`
    std::vector<std::string> skipped;
    std::vector<std::string> failed;
    std::vector<study_claim> claims;
};

/// Throws bad_argument where the solver or the operation is unknown.
[[nodiscard]] study_result study(std::string_view solver, const study_options& = {});

/// What may be studied of a solver: fill, lcs_length, ...; of none: the solvers that can be studied.
[[nodiscard]] std::vector<std::string> study_operations(std::string_view solver = {});

}  // namespace wale
