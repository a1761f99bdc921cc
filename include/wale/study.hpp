// study - runs every variant of an operation on one input, verified against the reference and timed.
// The command `wale study`, the benchmarks and wale.study() in Python all show these rows.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include <wale/execution.hpp>
#include <wale/layout.hpp>

namespace wale {

struct study_options {
    std::string operation = "fill";            // of the solver: fill, lcs_length, edit_distance, lcs_string, ...
    std::vector<index_t> sizes{1024, 4096};    // symbols a side (or pairs, for a batch operation)
    std::string variant{};                     // only names containing this
    int repeats = 5;                           // the median is reported, after one run to warm up
    int threads = 0;
    bool cpu = true;
    bool cuda = true;                          // silently less where unavailable: `skipped` says so
    double seconds_each = 2;                   // stop repeating a row after this
    std::function<void(const std::string&)> progress{};  // called before each row
};

struct study_row {
    std::string variant;
    index_t size = 0;
    double seconds = 0;             // median
    double rate = 0;                // work / seconds: cells a second
    double ceiling = 0;             // the rate that the binding resource allows; 0: unknown
    std::string binds;              // that resource: "memory write 4.3 TB/s", "integer ALU"
    double of_ceiling = 0;          // rate / ceiling
    double over_slowest = 0;        // ratio to the slowest row of this size
    double of_fastest = 0;          // ratio to the fastest row of this size
    bool verified = false;          // equal to the reference on the data that was timed
    std::string policy;
    std::string device;
};

/// A statement of the source notes, and what these rows say of it.
struct study_claim {
    std::string claim;
    std::string measured;
};

struct study_result {
    std::vector<study_row> rows;  // unverified rows are not here but in `failed`
    std::vector<std::string> skipped;
    std::vector<std::string> failed;
    std::vector<study_claim> claims;
};

[[nodiscard]] study_result study_wavefront(const study_options& = {});

}  // namespace wale
