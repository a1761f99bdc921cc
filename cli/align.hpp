// align - what the verb computes, between its engine and its writers.
#pragma once

#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale::cli {

/// One line of the output.
struct alignment {
    std::string query, target;
    index_t query_length = 0, target_length = 0;
    bool edit = false;  // value is a distance, else the length of an LCS
    index_t value = 0;
    bool within_bound = true;
    bool both_strands = false;  // asked for
    bool reverse = false;       // the query's reverse complement is the better one
    bool has_string = false;
    std::string string;             // the subsequence
    std::vector<index_t> in_query;  // its positions; of the reverse complement if `reverse`
    std::vector<index_t> in_target;

    [[nodiscard]] double similarity() const {
        const index_t longer = query_length > target_length ? query_length : target_length;
        if (longer == 0) return 1;
        const double share = static_cast<double>(value) / static_cast<double>(longer);
        return edit ? 1 - share : share;
    }
};

struct align_totals {
    index_t pairs = 0;
    double cells = 0;
    double compute_seconds = 0;
    double transfer_seconds = 0;
    int threads = 1;
    std::string variants;  // that ran, "+" between
    std::string device;
    std::string policy;
};

}  // namespace wale::cli
